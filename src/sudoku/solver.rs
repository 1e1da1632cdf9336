//! Who solves puzzles, and with which instructions.

use super::batch::Solvers;
use crate::cpu::{Instructions, Kernel, KernelMissing};

/// Who solves puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Many at once, in the vectors of a kernel, best by [`Solver::batch`]: one that the CPU lacks is
    /// replaced by the best it has.
    Batch(Kernel),
    /// One at a time; of several solutions it may show another one.
    Single,
}

impl Solver {
    /// Many at once, in the vectors of `kernel`.
    ///
    /// # Errors
    /// [`KernelMissing`] where the CPU lacks them.
    pub fn batch(kernel: Kernel) -> Result<Self, KernelMissing> {
        Instructions::of(kernel).map(|_| Self::Batch(kernel))
    }

    /// What the kernels beside it run with.
    pub(super) fn instructions(self) -> Instructions {
        match self {
            Self::Single => Instructions::best(),
            Self::Batch(kernel) => Instructions::of_or_best(kernel),
        }
    }

    /// The batch engine, if it is to solve.
    pub(super) fn solvers(self) -> Option<Solvers> {
        (self != Self::Single).then(|| Solvers::of(self.instructions()))
    }
}

impl Default for Solver {
    /// The batch engine in the widest vectors that the CPU has.
    fn default() -> Self {
        Self::Batch(Kernel::best())
    }
}
