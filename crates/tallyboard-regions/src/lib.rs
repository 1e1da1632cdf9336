//! Queens in regions, and Star Battle: boards solved, counted, made and explained.
//!
//! A [`Board`] has as many regions as rows; each row, column and region gets k stars, and no two touch.

pub mod batch;
mod board;
mod canon;
mod clauses;
mod count;
mod explain;
pub mod format;
mod generate;
mod position;
mod solutions;
mod solve;
mod stream;
mod tally;

pub use batch::Limits;
pub use board::{Board, BoardError, MAX_SIZE, Row};
pub use canon::canonical;
pub use count::Count;
pub use explain::{Explanation, Fact, Line, Rule, Step, explain};
pub use generate::{GenerateError, Generator, WishError, Wishes};
pub use position::{Layout, Position, Verdict};
pub use solutions::Solutions;
#[doc(hidden)]
pub use solve::solve_by_clauses;
pub use solve::{Answer, KEPT, solve, solve_all, solve_plain};
pub use stream::{Oddities, RowFormat, StreamSettings, places, records_of, solve_stream};
pub use tally::{tally, tally_by};
