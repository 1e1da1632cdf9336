//! Counting the placements of n queens that do not attack each other.

mod attacks;
mod blocks;
mod board;
mod count;
mod estimate;
mod fixed;
mod halves;
pub mod known;
pub mod place;
mod position;
pub mod solutions;
mod square;
mod symmetry;
pub mod text;
mod textbook;
pub mod trace;

pub use board::{Board, BoardError, MAX_N};
pub use count::{Count, Engine, EngineError, Settings};
pub use estimate::{Estimate, estimate, estimate_board};
pub use fixed::{Classes, Fixed};
pub use halves::HalvesError;
pub use square::{Square, SquareError};
