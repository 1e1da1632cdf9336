//! What every count shares: a problem is split into independent subtrees, workers count them, and their subtotals are
//! added up.
//!
//! This crate knows nothing of queens or sudokus. A puzzle implements [`Problem`]; [`count()`] and [`run`] split
//! it, let rayon's workers steal the subtrees, and merge the subtotals. Every finished subtree is
//! also sent over a channel to one [`Observer`], which may draw progress, keep a journal or collect
//! statistics. No worker waits for the observer.

mod count;
#[cfg(feature = "journal")]
mod differences;
mod driver;
#[cfg(feature = "journal")]
pub mod durable;
mod generations;
mod identity;
#[cfg(feature = "journal")]
pub mod journal;
mod known;
mod node_budget;
mod ordered;
mod problem;
mod progress;
mod recorder;
#[cfg(feature = "journal")]
pub mod sample;
#[cfg(feature = "journal")]
pub mod shard;
mod start;
#[cfg(test)]
mod test_problem;
mod tree;

pub use count::{CountRun, ProgressCallback, count};
pub use driver::{
    Error, MAX_THREADS, Options, Outcome, panic_message, run, run_split, thread_count, worker,
};
pub use generations::estimate_leaves;
#[doc(hidden)]
pub use generations::{Drawn, Entered, draw, estimate_by};
#[doc(hidden)]
pub use identity::plain_words;
pub use identity::{Revision, value};
pub use known::KnownSubtotals;
pub use node_budget::{Halt, NodeBudget};
pub use ordered::{ITEMS_PER_WORKER, Parts, ordered};
pub use problem::{Costs, Overflow, Problem, Stop, Stopped, Tally, list_bytes};
pub use progress::{FinishedSubtree, Observer, Progress, Silent};
#[doc(hidden)]
pub use start::{start, start_scoped};
pub use tree::{Branches, DESCENTS, Leaves, Splitting, Subtrees, Tree, estimated_nodes};
