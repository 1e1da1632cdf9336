//! Counting the placements of n queens that do not attack each other.

mod board;
mod count;
pub mod kernel;
pub mod known;
pub mod place;
pub mod solutions;
pub mod text;
pub mod trace;

pub use board::{Board, BoardError, MAX_N};
pub use count::{Count, Engine, Subtree};
