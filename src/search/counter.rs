//! The trait of the engines that count a problem, where there are several to choose from.

use std::fmt;

use super::{Costs, Stop, Stopped, Tally};

/// The version of an engine. Journals and results stay valid across versions of the program until one of
/// these numbers is raised. `tests/suite/golden.rs` fails if one should have been.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Revision {
    /// Raise it when a subtree's subtotal changes, above all when a wrong one is mended.
    pub algorithm: u32,
    /// Raise it when the problem splits into other subtrees, or these get other numbers or costs.
    pub layout: u32,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "algorithm={} layout={}", self.algorithm, self.layout)
    }
}

/// An engine with a problem to count. One call counts a whole subtree, so dynamic dispatch costs nothing.
pub(crate) trait Counter: fmt::Debug + Send + Sync {
    /// The version that its subtotals belong to.
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

    /// Counts the solutions that the subtree with this number stands for.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped>;
}
