//! Solving and counting sudokus: one grid, one grid with very many solutions, files of millions.

mod answer;
mod bands;
pub mod block;
pub mod canon;
mod components;
mod count;
mod enumeration;
pub mod estimate;
pub mod format;
pub mod generate;
mod grid;
mod in_memory;
pub mod kernel;
mod line;
mod rows;
pub mod sized;
pub mod stream;
pub mod trace;

pub use answer::Answer;
pub use count::{CountOne, Method};
pub use grid::{CELLS, Grid};
pub use in_memory::{CellsError, solve_cells};
pub use line::{LineError, parse_line};
pub use rows::Solver;

/// Solves `grid`: counts its solutions up to `limit` and keeps the first one found.
///
/// ```
/// use tallyboard::sudoku::{Grid, solve};
/// let empty = Grid::default();
/// assert_eq!(solve(&empty, 2).count, 2);
/// ```
pub fn solve(grid: &Grid, limit: u64) -> Answer {
    kernel::single::solve(grid, limit)
}
