//! What a caller may want of a stream, and why an input cannot be read so.

use crate::sized::Size;
use tallyboard_base::named::named;

/// A way to write sudokus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One puzzle a line: its cells, then any text after a separator.
    Lines,
    /// Columns under a header, one of which is called `puzzle`, `quiz`, `sudoku` or `question`.
    Csv,
    /// Nine lines of nine cells, written without frames.
    Sdk,
    /// Nine lines of nine cells in frames of `|`, `-` and `+`; the frames are optional when read.
    Grid,
    /// One JSON object a line, with a string under one of these names.
    Jsonl,
}

named! {
    /// Every format, in the order in which help texts list them.
    Format { Lines = "lines", Csv = "csv", Sdk = "sdk", Grid = "grid", Jsonl = "jsonl" }
}

impl Format {
    /// Whether a puzzle takes several lines. Only 9 × 9 grids are written so.
    pub(super) fn is_multi_line(self) -> bool {
        matches!(self, Self::Sdk | Self::Grid)
    }
}

/// The form that the caller wants for a stream. Whatever is `None` follows from the input's first lines.
#[derive(Debug, Default, Clone)]
pub struct FormOptions {
    /// The format of the input.
    pub format: Option<Format>,
    /// The format of the output; that of the input by default.
    pub output: Option<Format>,
    /// The size of the grids.
    pub size: Option<Size>,
    /// The name of the column that holds the puzzles; by default `puzzle`, `quiz`, `sudoku`, `question` or
    /// the plural of one of these, the first of them that is there.
    pub column: Option<String>,
    /// Compare with the solutions that the input states.
    pub check: bool,
}

/// Why an input cannot be read, or not as wanted.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The first line of a CSV file, this one, names no puzzle column.
    #[error(
        "the header {0:?} names no puzzle column, expected one called puzzle, quiz, sudoku or question; \
         --column takes another name"
    )]
    NoPuzzleColumn(String),
    /// The first line of an input has no column of the name that was asked for.
    #[error(
        "found no column {name:?} in {header:?}, expected its name in the header of a CSV file or in JSON lines"
    )]
    NoColumn {
        /// The first line.
        header: String,
        /// What was asked for.
        name: String,
    },
    /// Rows of another input have other columns.
    #[error(
        "found rows with the columns {header:?}, expected those of the first file, {expected:?}"
    )]
    OtherColumns {
        /// The header of these rows.
        header: String,
        /// The header that is written already.
        expected: String,
    },
    /// A check was asked for where nothing states solutions.
    #[error(
        "nothing to check: {0} input states no solutions, expected puzzle,solution in each line, or a CSV \
         file or JSON lines with a column solution, answer or found"
    )]
    NothingToCheck(Format),
    /// Only 9 × 9 grids have this column.
    #[error("the column {0} is one of 9 × 9 grids; found {1}")]
    NoColumnOf(&'static str, Size),
    /// Only 9 × 9 grids have several rows.
    #[error("expected 9 × 9 grids, found {0}")]
    NineOnly(Size),
    /// Grids of this size are written in one line each; the format takes several.
    #[error("{0} grids are read and written as lines, csv or jsonl; found format {1}")]
    LinesOnly(Size, Format),
    /// A JSON array.
    #[error("found a JSON array, expected one object a line; try jq -c '.[]'")]
    Array,
    /// Text in another encoding, or no text.
    #[error("found {0}, expected UTF-8 text; {1}")]
    NoText(&'static str, &'static str),
}
