//! Pictures: boards, pages of boards, sudokus, search trees, curves; pages that [`play`] a search.
//!
//! Every picture has a background, its *card*, and two sets of colours, for light and for dark screens. Text
//! is drawn as strokes, so a picture needs no font and looks the same everywhere, as SVG and as PNG.

mod board;
pub(crate) mod chart;
mod glyphs;
mod methods;
#[cfg(feature = "png")]
mod path;
pub(crate) mod picture;
pub mod play;
#[cfg(feature = "png")]
mod png;
mod sudoku;
mod tree;

pub use board::{MAX_BOARD_ROWS, board, page};
pub use methods::methods;
pub use picture::Picture;
#[cfg(feature = "png")]
pub use png::PngError;
pub use sudoku::sudoku;
pub use tree::{queens_tree, sudoku_tree};

#[cfg(test)]
mod tests;
