//! The trait of engines, for problems that several engines can count.

use std::fmt;

use super::{Costs, Stop, Stopped, Tally};

/// The version of an engine. Journals and results stay valid across versions of the program as long as both
/// numbers stay the same. `tests/suite/golden.rs` fails if a change needed a new number and has none.
#[derive(Debug, Clone, Copy)]
pub struct Revision {
    /// Raise it when the subtotal of a subtree changes, for example because a mistake was mended.
    pub algorithm: u32,
    /// Raise it when the subtrees, their numbers or their costs change.
    pub layout: u32,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "algorithm={} layout={}", self.algorithm, self.layout)
    }
}

/// An engine with a problem to count. One call counts a whole subtree, so dynamic dispatch costs nothing.
pub trait Counter: fmt::Debug + Send + Sync {
    /// The engine's version, which its subtotals belong to.
    fn revision(&self) -> Revision;

    /// An upper estimate of the memory of its lists, in bytes. Backtrackers need next to none.
    fn memory(&self) -> u64 {
        0
    }

    /// The costs of the subtrees, in an order that depends on the problem and the [`Revision`] alone.
    fn split(&self) -> Costs;

    /// The number of subtrees, without the list of their costs, which takes 97 MB at n = 28.
    fn subtrees(&self) -> usize {
        self.split().len()
    }

    /// Counts the subtree with this number: its solutions and, with symmetry, their images elsewhere.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped>;
}
