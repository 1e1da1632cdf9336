//! What several test files share.

pub mod cases;
pub mod golden;
pub mod runs;
pub mod sources;
pub mod subject;
pub mod sudoku_oracle;

/// A puzzle with one solution, and that solution.
pub const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
