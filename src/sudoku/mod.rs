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
mod solver;
pub mod stream;
pub mod trace;

pub use count::{CountOne, Method};
pub use error::{BadLine, LineError};
pub use grid::{CELLS, Grid, parse_line};
pub use in_memory::{CellsError, solve_cells};
pub use single::{Answer, solve};
pub use solver::Solver;
