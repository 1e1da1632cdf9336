//! The shape of every count: split into independent subtrees, steal, count, reduce.
//!
//! This module knows nothing of queens or sudokus. A puzzle implements [`Problem`]; [`run`] splits
//! it, lets rayon steal the subtrees across its workers, and merges the subtotals. Every finished
//! subtree is also sent over a channel to one [`Observer`], which may draw progress, keep a journal
//! or collect statistics without ever holding a worker up.

mod counter;
mod driver;
pub mod durable;
mod identity;
pub mod journal;
mod ordered;
mod progress;
pub mod shard;
mod stop;
mod tally;

pub use counter::Subtree;
pub(crate) use counter::{Counter, Revision};
pub(crate) use driver::worker;
pub use driver::{Error, MAX_THREADS, Options, Outcome, run, run_split, thread_count};
pub use identity::describe;
pub(crate) use ordered::{ITEMS_PER_WORKER, Parts, ordered};
pub use progress::{Finished, Observer, Progress, Silent};
pub use stop::{Stop, Stopped};
pub use tally::{Overflow, Tally};

/// A counting problem that splits into independent subtrees.
///
/// The subtrees partition the solutions: each solution is counted in exactly one of them (or, by
/// symmetry, with an integer weight that stands for its images). The result therefore never
/// depends on the order in which subtrees are counted or on the thread that counts them.
pub trait Problem: Sync {
    /// One independent part of the search.
    type Subtree: Sync;

    /// Names the problem, the engine, and by a number each its algorithm and the layout of its subtrees.
    ///
    /// Two problems with the same identity split into the same subtrees with the same subtotals,
    /// whatever the machine; subtotals may be exchanged between them.
    fn identity(&self) -> String;

    /// The subtrees, in an order that depends on nothing but the [identity](Self::identity): the
    /// position of a subtree is its stable number.
    fn split(&self) -> Vec<Self::Subtree>;

    /// The worker threads that it was planned for, if its memory depends on them; 0 for any number.
    fn threads(&self) -> usize {
        0
    }

    /// The relative cost of a subtree, at least 1, for scheduling and for the share done.
    fn cost(&self, subtree: &Self::Subtree) -> u64;

    /// Counts one subtree to its end, polling `stop` at least several times a second.
    fn count(&self, subtree: &Self::Subtree, stop: &Stop) -> Result<Tally, Stopped>;
}
