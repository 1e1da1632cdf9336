//! Solving and counting sudokus: one grid, one grid with very many solutions, files of millions.

mod bands;
pub mod batch;
pub mod canon;
mod components;
mod count;
mod enumeration;
mod error;
pub mod estimate;
pub mod format;
pub mod generate;
mod grid;
mod in_memory;
mod single;
pub mod sized;
pub mod stream;
pub mod trace;

pub use count::{CountOne, Method};
pub use error::{BadLine, LineError};
pub use grid::{CELLS, Grid, parse_line};
pub use in_memory::{CellsError, solve_cells};
pub use single::Answer;
pub use stream::Solver;

/// Solves `grid`: counts its solutions up to `limit` and keeps the first one found.
///
/// ```
/// use tallyboard::sudoku::{Grid, solve};
/// let empty = Grid::default();
/// assert_eq!(solve(&empty, 2).count, 2);
/// ```
pub fn solve(grid: &Grid, limit: u64) -> Answer {
    single::solve(grid, limit)
}
