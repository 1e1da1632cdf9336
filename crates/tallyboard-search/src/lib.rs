//! What every count shares: a problem is split into independent subtrees, workers count them, and their subtotals are
//! added up.
//!
//! This crate knows nothing of queens or sudokus. A puzzle implements [`Problem`]; [`count()`] and [`run`] split
//! it, let rayon's workers steal the subtrees, and merge the subtotals. Every finished subtree is
//! also sent over a channel to one [`Observer`], which may draw progress, keep a journal or collect
//! statistics. No worker waits for the observer.

#[doc(hidden)]
pub mod clauses;
#[cfg(feature = "journal")]
mod differences;
mod driver;
mod generations;
mod identity;
#[cfg(feature = "journal")]
pub mod journal;
mod known;
mod made;
mod ordered;
mod problem;
mod progress;
#[doc(hidden)]
pub mod records;
#[cfg(feature = "journal")]
pub mod sample;
#[cfg(feature = "journal")]
pub mod shard;
mod table;
mod tree;

pub use driver::{
    CountRun, Error, MAX_THREADS, Options, Outcome, ProgressCallback, count, panic_message, run,
    run_split, thread_count, worker,
};
#[doc(hidden)]
pub use driver::{start, start_scoped};
pub use generations::estimate_leaves;
#[doc(hidden)]
pub use generations::{Drawn, Entered, Generation, draw, draw_generations, estimate_by};
#[doc(hidden)]
pub use identity::plain_words;
pub use identity::{Revision, value};
pub use known::KnownSubtotals;
#[doc(hidden)]
pub use made::{Made, Pieces, make_in_order};
pub use ordered::{ITEMS_PER_WORKER, Parts, ordered};
pub use problem::{Costs, Halt, NodeBudget, Overflow, Problem, Stop, Stopped, Tally, list_bytes};
pub use progress::{FinishedSubtree, Observer, Progress, Silent};
pub use table::{CellSum, Table, TableRun, Tabulate, tabulate};
#[doc(hidden)]
pub use table::{PartialTable, Saving, tabulate_saving};
pub use tree::{Branches, DESCENTS, Leaves, Splitting, Subtrees, Tree, estimated_nodes};
