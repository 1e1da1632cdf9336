//! What a problem asks of the engine that counts it, where there are several to choose from.

use std::fmt;

use super::{Costs, Stop, Stopped, Tally};

/// What journals and results of an engine belong to, for as long as neither number is raised,
/// whatever the version of the program. `tests/suite/golden.rs` fails if one should have been.
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

/// An engine with a problem to count. It is called once for a whole subtree, so through a pointer.
pub(crate) trait Counter: fmt::Debug + Send + Sync {
    /// What its subtotals belong to.
    fn revision(&self) -> Revision;

    /// An upper estimate of the memory that its lists take, in bytes: backtrackers keep none worth
    /// mentioning.
    fn memory(&self) -> u64 {
        0
    }

    /// The costs of the subtrees, in an order that depends on the problem and the [`Revision`] alone.
    fn split(&self) -> Costs;

    /// The number of subtrees, for those who need no costs: at n = 28 a list of them takes 97 MB.
    fn subtrees(&self) -> usize {
        self.split().len()
    }

    /// Counts the solutions that the subtree with this number stands for.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped>;
}
