//! What several test files share.

pub mod golden;
pub mod runs;
pub mod sudoku_oracle;
