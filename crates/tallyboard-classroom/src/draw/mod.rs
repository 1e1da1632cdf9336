//! Pictures of boards and puzzles of every game, pages of solutions, search trees, and the placing methods compared.

mod board;
mod cover;
mod grid;
mod regions;
mod sudoku;
mod tally;
mod tree;
mod variant;

pub use board::{MAX_BOARD_ROWS, board, methods, page};
pub use cover::{MAX_COVERS, covers};
pub use regions::regions;
pub use sudoku::sudoku;
pub use tally::{Tally, tally};
pub use tree::{queens_tree, sudoku_tree};
pub use variant::variant;

#[cfg(test)]
mod tests;
