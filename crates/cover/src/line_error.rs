//! Mistakes in a line of a file.

use crate::cover::CoverError;
use crate::picture::grid::Grid;
use crate::symmetry::SymmetryError;

/// A mistake in a line of a file.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A mistake in an item or an option.
    #[error(transparent)]
    Cover(#[from] CoverError),
    /// Bytes that are not UTF-8.
    #[error("found bytes that are no UTF-8, expected text in UTF-8")]
    NotUtf8,
    /// A file without items.
    #[error(
        "found the end of the file, expected a drawn puzzle, which begins with 'board:', a line that names items and \
         a line for each option, 'p ec', or rows of 0 and 1"
    )]
    NoItems,
    /// An error in a file that was read as Knuth's format because its first line is of no other format.
    #[error(
        "{0} (read as Knuth's format: the first line begins neither with 'board:' nor as any other format does)"
    )]
    Knuth(Box<LineError>),
    /// Two bars in the line of items.
    #[error("found a second '|' between the items, expected one before the secondary items")]
    SecondBar,
    /// A bar in an option.
    #[error("found '|' in an option, expected items only")]
    BarInOption,
    /// A secondary item with bounds, or bounds that are not numbers.
    #[error("found '{0}', expected low:high|item or count|item, for a primary item")]
    Bounds(String),
    /// A word that is not the number of an item.
    #[error("found '{found}', expected an item's number from 1 to {items}")]
    Number {
        /// The word.
        found: String,
        /// The number of items.
        items: u32,
    },
    /// A header without the numbers of items and options.
    #[error(
        "found '{0}', expected 'p ec' with the number of items, 16,777,216 at most, and of options"
    )]
    EcHeader(String),
    /// More or fewer options than the header says.
    #[error("found {found} options, expected {expected} as 'p ec' says")]
    EcOptions {
        /// The options read.
        found: usize,
        /// The options that the header announces.
        expected: usize,
    },
    /// A comment with a misspelt key.
    #[error("found '{found}:', expected '{expected}:'")]
    Key {
        /// The key of the comment.
        found: String,
        /// The key that was probably meant.
        expected: &'static str,
    },
    /// A symmetry that is not written as cycles.
    #[error("found '{0}', expected cycles of items as in (a b c)(d e)")]
    Cycle(String),
    /// A permutation that is not a symmetry.
    #[error(transparent)]
    Symmetry(#[from] SymmetryError),
    /// A mistake in a drawn puzzle.
    #[error(transparent)]
    Picture(PictureError),
    /// A character of a matrix that is neither 0 nor 1.
    #[error("found {0:?}, expected 0 or 1")]
    NotABit(char),
    /// A row of a matrix with more or fewer columns than the first.
    #[error("found {found} columns, expected {expected} as in the first row")]
    Columns {
        /// The columns of this row.
        found: usize,
        /// The columns of the first row.
        expected: usize,
    },
}

/// The number of a line, from 1, and the mistake in it.
pub(crate) type LocatedError = (usize, LineError);

impl From<PictureError> for LineError {
    fn from(error: PictureError) -> Self {
        Self::Picture(error)
    }
}

/// A mistake in a drawn puzzle.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// A line outside of all drawings.
    #[error("found '{0}', expected 'grid:', 'board:', 'pieces:' or the name of a piece and ':'")]
    Stray(String),
    /// A name that is not that of a grid.
    #[error("found the grid '{0}', expected square, cube, hex or triangle")]
    Grid(String),
    /// A grid that is stated after a drawing.
    #[error("found 'grid:' below a drawing, expected it above the board")]
    LateGrid,
    /// A word that is not a freedom of a piece.
    #[error("found '{0}', expected turn, flip or fixed")]
    Freedom(String),
    /// A second board.
    #[error("found a second board, expected one")]
    SecondBoard,
    /// No board, or one without cells.
    #[error("found no cell of a board, expected 'board:' and a drawing with '.' or '?'")]
    NoBoard,
    /// A character that is not allowed in a drawing of a board.
    #[error("found {0:?} in the board, expected '.', '?', '#', a blank or a letter")]
    Mark(char),
    /// A character that is not allowed in a drawing of a piece.
    #[error(
        "found {0:?} in a piece, expected '.' or a blank where it has no cell, any letter or sign where it has one"
    )]
    PieceMark(char),
    /// A layer in a grid without layers.
    #[error("found a line with '-' alone in a {0} grid, expected layers in a cube only")]
    Layer(Grid),
    /// A name that another piece has.
    #[error("found two pieces with the name '{0}', expected a name of its own for each")]
    SameName(String),
    /// A name that could be that of a cell, or would harm a terminal.
    #[error("found the piece name {0:?}, expected one without ',' and control characters")]
    Name(String),
    /// A word after a piece's name that has no meaning there.
    #[error(
        "found '{0}' in the name of a piece, expected NAME, then 'x COUNT', turn, flip, fixed or 'on LETTERS'"
    )]
    Header(String),
    /// A word that is not a number of pieces.
    #[error("found 'x {0}', expected a number, two with '..' between them, or any")]
    Count(String),
    /// A piece without cells.
    #[error("found no cell of the piece '{0}', expected a drawing below its name")]
    Empty(String),
    /// A piece that does not fit.
    #[error("found no place on the board for the piece '{0}', expected at least one")]
    NoPlace(String),
    /// No pieces.
    #[error("found no piece, expected at least one below the board")]
    NoPieces,
}
