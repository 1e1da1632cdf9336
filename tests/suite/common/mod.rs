//! What several test files share.

pub mod golden;
pub mod runs;
pub mod sources;
pub mod subject;
pub mod sudoku_oracle;
