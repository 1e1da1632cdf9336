//! The batch engine: many puzzles at once, one in each lane of a vector.
//!
//! The state of a puzzle is 27 words (`layout`). A round of deduction (`round`) is a few hundred operations
//! on whole words. They serve eight puzzles at a time in AVX2 or pairs of NEON registers, sixteen in AVX-512.
//! A lane whose puzzle is finished takes the next one (`search`), so no puzzle waits for another. If only numbers of
//! solutions are wanted, the states of all puzzles share a pool instead (`pool`).
//!
//! The solution shown is the first in an order that depends on the puzzle alone. So every kernel shows an equal one.

// Bands and bits of digits index several arrays at once, and plain loops are what the compiler
// inlines into the vector kernels.
#![allow(clippy::needless_range_loop)]

/// The solvers in vectors of the type `$lanes`. The macro `$compiled` compiles their functions for
/// the instructions that `$proof` proves; no other function makes or uses vectors of this type.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! solvers_in {
    ($lanes:ident, $proof:ident, $compiled:ident) => {
        /// Both solvers in these vectors.
        struct Vectors(tallyboard_base::cpu::$proof, SearchAndPool<$lanes>);

        pub(super) fn solvers(proof: tallyboard_base::cpu::$proof) -> Box<dyn Solve> {
            Box::new(Vectors(proof, new_solvers(proof)))
        }

        impl Solve for Vectors {
            fn solve(&mut self, job: Job, stop: &Stop) -> Result<(), Stopped> {
                solve(self.0, &mut self.1, job, stop)
            }
        }

        tallyboard_base::cpu::$compiled! {
            fn new_solvers() -> SearchAndPool<$lanes> {
                SearchAndPool::new()
            }

            fn solve(solvers: &mut SearchAndPool<$lanes>, job: Job, stop: &Stop) -> Result<(), Stopped> {
                solvers.solve(job, stop)
            }
        }
    };
}

mod branch;
mod lanes;
mod puzzles;
mod round;
mod search;
mod trial;

use lanes::{Lanes, Words};
pub(crate) use puzzles::fill;
pub(super) use puzzles::lines_of;
pub use puzzles::{Puzzles, Rating, Technique};
pub(super) use round::{BAND, Candidate, Planes, eight_digits, grid, planes};
pub(super) use search::FirstLimit;
use search::{CountTask, Pool, Results, Search, Task};
use trial::Trials;
pub(super) use trial::{Base, End, assume, base_of, close, open_candidates, remove};

use tallyboard_base::cpu::{Instructions, Kernel, KernelMissing, in_kernel, kernel_modules};
use tallyboard_search::{Stop, Stopped};

kernel_modules!();

mod portable {
    use super::{SearchAndPool, Solve, Words};

    /// Four lanes fill a register of 128 bits, which every common CPU has; eight take a fifth longer on x86-64.
    pub(super) fn solvers() -> Box<dyn Solve> {
        Box::new(SearchAndPool::<Words<4>>::new())
    }
}

/// Solvers with their working memory. Keep them from one table of puzzles to the next.
pub struct Solvers(Box<dyn Solve>);

impl Solvers {
    /// Solvers in the widest vectors that the CPU has.
    pub fn best() -> Self {
        Self::of(Instructions::best())
    }

    /// Solvers in the vectors of `kernel`.
    ///
    /// # Errors
    /// [`KernelMissing`] where the CPU lacks them.
    pub fn new(kernel: Kernel) -> Result<Self, KernelMissing> {
        Instructions::of(kernel).map(Self::of)
    }

    /// Solvers with these instructions.
    pub(crate) fn of(instructions: Instructions) -> Self {
        Self(in_kernel!(instructions, solvers()))
    }

    /// Supposes each of these candidates of `base` by itself, and finds where all singles that follow from it lead: the ends of the
    /// candidates, in their order.
    pub(super) fn try_each(
        &mut self,
        base: &Base,
        candidates: &[Candidate],
        ends: &mut Vec<End>,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        ends.clear();
        ends.resize(candidates.len(), End::Open);
        self.0.solve(Job::Try(Trials { base, candidates, ends }), stop)
    }
}

/// A task for the solvers.
enum Job<'a> {
    /// Find solutions of the first grids, one grid for each count of the results.
    Search(Task<'a>, Results<'a>),
    /// Count solutions without looking at them.
    Count(CountTask<'a>),
    /// Find out where singles lead from each of many candidates.
    Try(Trials<'a>),
}

trait Solve {
    fn solve(&mut self, job: Job, stop: &Stop) -> Result<(), Stopped>;
}

/// The two solvers of a kernel: one finds solutions up to a limit, one counts them without looking at them.
struct SearchAndPool<V> {
    search: Search<V>,
    pool: Pool<V>,
}

impl<V: Lanes> SearchAndPool<V> {
    #[inline(always)]
    fn new() -> Self {
        Self { search: Search::new(), pool: Pool::new() }
    }
}

impl<V: Lanes> Solve for SearchAndPool<V> {
    #[inline(always)]
    fn solve(&mut self, job: Job, stop: &Stop) -> Result<(), Stopped> {
        match job {
            Job::Search(task, results) => self.search.solve(task, results, stop),
            Job::Count(counting) => self.pool.count(counting, stop),
            Job::Try(trials) => trials.run::<V>(stop),
        }
    }
}
