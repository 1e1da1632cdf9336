//! What can be wrong with a record, a line or an input of puzzles.

use std::io;

use tallyboard_base::figures::plural_s;

/// Why [`solve_lines`](crate::solve_lines) has no answer. Other functions have errors of their own.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A line is no puzzle. The lines after it have answers.
    #[error("line {line}: {error}")]
    Line {
        /// Its number in the input, from 1.
        line: u64,
        /// What was found and expected.
        error: LineError,
    },
    /// The input could not be read further.
    #[error("the input could not be read")]
    Read(#[source] io::Error),
    /// The answers could not be found.
    #[error(transparent)]
    Search(#[from] tallyboard_search::Error),
}

/// What is wrong with a record: what was found, and what was expected there.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A character after the last cell that is no separator.
    #[error("found {0:?} right after the 81 cells, expected the end of the line or a separator")]
    Long(char),
    /// A character that is no cell.
    #[error("found {found:?} in column {column}, expected 1-9 or a blank (. 0 _ * - x X ?)")]
    Stray {
        /// The character found (the replacement character stands for bytes that are no UTF-8).
        found: char,
        /// Its column, from 1.
        column: usize,
    },
    /// A CSV record with more or fewer columns than its header.
    #[error("found {found} column{}, expected {expected} as in the header", plural_s(*found))]
    Columns {
        /// The number of columns found.
        found: usize,
        /// The number of columns in the header.
        expected: usize,
    },
    /// A CSV record with a quote that is not closed.
    #[error("found a quoted column without its closing quote, expected it within 64 KiB")]
    OpenQuote,
    /// A line of a picture with more or fewer cells than the picture has rows.
    #[error("found {found} cell{s} in this row of the grid, expected {expected}", s = plural_s(*found))]
    PictureRow {
        /// The number of cells found.
        found: usize,
        /// The side of the grid.
        expected: usize,
    },
    /// A picture that ends early.
    #[error("found a grid of {found} row{s}, expected {expected}", s = plural_s(*found))]
    PictureRows {
        /// The number of rows found.
        found: usize,
        /// The side of the grid.
        expected: usize,
    },
    /// A number among the cells of a row.
    #[error(
        "found the number {0}, expected a digit, a blank, or pencil marks: each digit once, in ascending order"
    )]
    NoMarks(String),
    /// Pencil marks where a puzzle of digits is wanted.
    #[error(
        "found pencil marks that exclude more than the digits do, expected digits alone: with pencil marks \
         only the count, the solution and the number of clues are defined"
    )]
    Marks,
    /// A puzzle whose text has rules of another game.
    #[error(
        "found {0}, which may be a rule of a variant, expected a sudoku with its usual rules alone; \
         `tallyboard variant` reads rules (docs/variants.md)"
    )]
    Rules(String),
    /// A document that holds no puzzle where one should be.
    #[error("{0}")]
    Document(String),
    /// A line that is no JSON object with a puzzle.
    #[error("expected a JSON object that holds a puzzle: {0}")]
    Json(String),
    /// A puzzle that some program has read as a number.
    #[error(
        "found the number {number} with {found} characters, expected {expected} cells: a table whose \
         puzzles are read as numbers loses their leading zeros, so read it as text (pandas: dtype=str)"
    )]
    Number {
        /// The text of the column.
        number: String,
        /// Its length.
        found: usize,
        /// The number of cells of a grid of the expected size.
        expected: usize,
    },
    /// A record of more than 1 MiB; only its first MiB is kept.
    #[error("found a record of more than 1 MiB, expected a puzzle; the row has its first MiB")]
    TooLong,
    /// A grid with a `0` and another blank, so that the `0` may be a value.
    #[error(
        "found 0 and {blank:?} in one grid, and 0 may be a value (0 to {last}) or a blank; expected one \
         character for blanks, or a first grid in which 0 is a value"
    )]
    ZeroOrBlank {
        /// The other blank.
        blank: char,
        /// The last value if 0 is the first.
        last: String,
    },
    /// A cell of a 4 × 4, 16 × 16 or 25 × 25 grid without a valid value.
    #[error("found {found:?} in cell {cell}, expected a value from {first} to {last} or a blank")]
    Value {
        /// The text of the cell.
        found: String,
        /// Its number in reading order, from 1.
        cell: usize,
        /// The first value as it is written.
        first: String,
        /// The last value as it is written.
        last: String,
    },
    /// A wrong number of cells.
    #[error("found {found} cell{}, expected {expected}", plural_s(*found))]
    Cells {
        /// The number of cells found.
        found: usize,
        /// The number of cells of a grid of the expected size.
        expected: usize,
    },
    /// The input leaves its column of solutions blank here, which says that there is none; but the puzzle has one.
    #[error("no solution is stated here, found {0}")]
    Unstated(String),
    /// The input states a wrong solution.
    #[error("the solution stated here is {stated}, found {found}")]
    Disagrees {
        /// What the input states.
        stated: String,
        /// The answer that was found.
        found: String,
    },
}

/// A line that is no puzzle, with its number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    /// Its number in the input, from 1.
    pub line: u64,
    /// What was found and expected.
    pub error: LineError,
}
