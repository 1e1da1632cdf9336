//! Counting the placements of n queens that do not attack each other.
//!
//! | wanted | |
//! |---|---|
//! | the number of all solutions of a [`Board`] | [`count()`], [`Board::count`]; with a journal [`Count`] and [`run`](tallyboard_search::run) |
//! | an estimate of their number | [`estimate()`], or from subtrees counted exactly [`sample`](tallyboard_search::sample) |
//! | the number up to rotation and reflection | [`SymmetricSolutions`] and [`Classes`] |
//! | the known counts | [`known`] |
//! | the solutions themselves, in order | [`solutions()`], [`Board::solutions`] |
//! | many of them, written or drawn at random | [`mod@solutions`] |
//! | one solution, on a board of any size | [`place`] |
//! | to read and write them, and to check them | [`text`], [`place::check`] |

#[doc(hidden)]
pub mod audit;
mod blocks;
mod board;
mod count;
mod estimate;
// A module that `tallyboard` can import from: at the root of this crate, `count` and `solutions` name modules too.
#[doc(hidden)]
pub mod front;
#[cfg(test)]
#[path = "../../../tests/suite/common/golden.rs"]
mod golden;
mod halves;
pub mod known;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod pack;
pub mod place;
#[doc(hidden)]
pub mod position;
pub mod solutions;
mod symmetry;
pub mod text;
mod textbook;
#[doc(hidden)]
pub mod wrapped;

pub use board::Square;
pub use board::{Board, BoardError, MAX_N};
pub use count::{Count, EngineError, is_identity};
pub use count::{Engine, Settings};
pub use estimate::{estimate, estimate_board};
pub use front::{BoardCount, Error, count, solutions};
pub use halves::HalvesError;
pub use symmetry::{Classes, SymmetricSolutions};
pub use tallyboard_base::statistics::Estimate;
