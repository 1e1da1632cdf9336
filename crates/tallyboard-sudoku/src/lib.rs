//! Solving and counting sudokus: one grid, one grid with very many solutions, files of millions.
//!
//! | wanted | |
//! |---|---|
//! | the solution of a grid, and whether it is the only one | [`solve`]; with a limit and a stop flag, [`solve_or_stop`] |
//! | the same of many grids, or of lines of any length | [`solve_all`], [`solve_lines()`] |
//! | the number of all solutions | [`Grid::count_solutions`]; with a journal [`CountOne`] and [`run`](tallyboard_search::run); about how many, [`estimate()`] |
//! | many grids as plain cells, from array to array | [`solve_cells`], [`compute_property`], [`move_cells`] |
//! | many grids as plain cells, grid by grid | [`batch`] |
//! | a file of any length, in any [`mod@format`] | [`solve_stream`](stream::solve_stream) |
//! | grids of 4 × 4, 16 × 16, 25 × 25 | [`sized`] |
//! | new puzzles | [`generate`] |
//! | whether two puzzles are symmetric images of each other | [`canonical`]; random images, [`Symmetry`] |
//! | every solution, in order | [`Grid::solutions`] |
//! | why a puzzle is hard | [`batch::Rating`] |

mod bands;
pub mod batch;
mod canon;
#[cfg_attr(
    not(feature = "files"),
    expect(dead_code, reason = "it reads and writes rows of files too")
)]
mod codec;
#[cfg(feature = "files")]
mod columns;
mod components;
mod count;
mod enumeration;
mod error;
mod estimate;
#[cfg(feature = "files")]
pub mod format;
pub mod generate;
mod grid;
mod grid_solutions;
mod in_memory;
mod many;
#[cfg(feature = "files")]
mod marks;
mod properties;
mod single;
pub mod sized;
mod solver;
#[cfg(feature = "files")]
pub mod stream;
mod tally;
mod trial_and_error;
mod unavoidable;

pub use canon::{Symmetry, canonical};
pub use count::{CountOne, Engine, is_identity};
pub use error::{BadLine, Error, LineError};
pub use estimate::estimate;
pub use grid::{CELLS, Cell, CellError, Grid, House, parse_line};
pub use grid_solutions::{Solutions, for_each_solution};
pub use in_memory::{
    CellsError, NO_DEPTH, PropertySlice, compute_property, move_cells, solve_cells,
};
pub use many::{Answers, solve, solve_all, solve_lines};
pub use single::{Answer, solve_or_stop, solve_up_to};
pub use solver::Solver;
pub use tally::tally;
pub use tallyboard_base::statistics::Estimate;
