//! Pictures of boards, pages of boards, sudokus, search trees, and of the placing methods compared.

mod board;
mod sudoku;
mod tree;

pub use board::{MAX_BOARD_ROWS, board, methods, page};
pub use sudoku::sudoku;
pub use tree::{queens_tree, sudoku_tree};

#[cfg(test)]
mod tests;
