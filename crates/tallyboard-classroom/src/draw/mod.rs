//! Pictures of boards, pages of boards, sudokus, search trees, and of the placing methods compared.

mod board;
mod methods;
mod sudoku;
mod tree;

pub use board::{MAX_BOARD_ROWS, board, page};
pub use methods::methods;
pub use sudoku::sudoku;
pub use tree::{queens_tree, sudoku_tree};

#[cfg(test)]
mod tests;
