//! How a file's puzzles are solved, and with which instructions.

use tallyboard_base::cpu::{Instructions, Kernel, KernelMissing};

/// The solver of a file's puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Many puzzles at once, in the vectors of a kernel. A kernel that the CPU lacks is replaced by
    /// the best it has; [`Solver::batch`] refuses it instead.
    Batch(Kernel),
    /// One puzzle at a time. Of several solutions, it may find another one first than the batch solver.
    Single,
}

impl Solver {
    /// Many puzzles at once, in the vectors of `kernel`.
    ///
    /// # Errors
    /// [`KernelMissing`] where the CPU lacks them.
    pub fn batch(kernel: Kernel) -> Result<Self, KernelMissing> {
        Instructions::of(kernel).map(|_| Self::Batch(kernel))
    }

    /// The instructions for all kernels of the run: solvers, codecs and joins.
    pub(super) fn instructions(self) -> Instructions {
        match self {
            Self::Single => Instructions::best(),
            Self::Batch(kernel) => Instructions::of_or_best(kernel),
        }
    }
}

impl Default for Solver {
    /// The batch engine in the widest vectors that the CPU has.
    fn default() -> Self {
        Self::Batch(Kernel::best())
    }
}
