//! What several test files share.

pub mod runs;
pub mod sudoku_oracle;
