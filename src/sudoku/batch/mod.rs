//! The batch engine: many puzzles at once, one in each lane of a vector.
//!
//! A state is 27 words a puzzle (`layout`), so that deduction (`round`) is a few hundred plain
//! operations on whole words: for eight puzzles at a time in AVX2 or pairs of NEON registers, sixteen in AVX-512.
//! A lane whose puzzle is finished takes the next one (`search`), so no puzzle waits for another.
//!
//! Where only the number of solutions is wanted, and all of them count, states of all puzzles share a
//! pool instead (`pool`).
//!
//! The solution shown is the first in a fixed order that depends on the puzzle alone; every kernel
//! finds the same.

// Bands and bits of digits index several arrays at once, and plain loops are what the compiler
// inlines into the vector kernels.
#![allow(clippy::needless_range_loop)]

/// The solvers in vectors of the type `$lanes`, which are made and used only by what the macro `$compiled`
/// compiles here for the instructions that `$proof` proves.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! solvers_in {
    ($lanes:ident, $proof:ident, $compiled:ident) => {
        /// Both solvers in these vectors.
        pub(super) struct Vectors($crate::cpu::$proof, Both<$lanes>);

        impl Vectors {
            pub(super) fn new(proof: $crate::cpu::$proof) -> Self {
                Self(proof, both(proof))
            }
        }

        impl Solve for Vectors {
            fn solve(&mut self, job: Job, stop: &Stop) -> Result<(), Stopped> {
                solve(self.0, &mut self.1, job, stop)
            }
        }

        $crate::cpu::$compiled! {
            fn both() -> Both<$lanes> {
                Both::new()
            }

            fn solve(both: &mut Both<$lanes>, job: Job, stop: &Stop) -> Result<(), Stopped> {
                both.solve(job, stop)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod branch;
mod choice;
mod lanes;
mod layout;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pool;
mod puzzles;
mod rating;
mod round;
mod search;
mod states;
mod waiting;

use lanes::{Lanes, Words};
pub(super) use layout::{BAND, Planes, grid, planes};
use pool::{Counting, Pool};
pub use puzzles::Puzzles;
pub use rating::{Means, Rating};
use search::{Results, Search, Task};

use crate::cpu::{Instructions, Kernel, KernelMissing};
use crate::search::{Stop, Stopped};

/// Solvers with their working memory, to be kept from one table of puzzles to the next.
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
        Self(match instructions {
            // As many lanes as a register of 128 bits has, the widest that every common CPU has: eight take a
            // fifth longer on x86-64.
            Instructions::Portable => Box::new(Both::<Words<4>>::new()),
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon(proof) => Box::new(neon::Vectors::new(proof)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => Box::new(avx2::Vectors::new(proof)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => Box::new(avx512::Vectors::new(proof)),
        })
    }
}

/// What solvers are to do.
enum Job<'a> {
    /// Find solutions of as many grids as there are counts.
    Search(Task<'a>, Results<'a>),
    /// Count solutions without looking at them.
    Count(Counting<'a>),
}

/// Solvers in vectors of some width.
trait Solve {
    fn solve(&mut self, job: Job, stop: &Stop) -> Result<(), Stopped>;
}

/// Both ways to use the lanes of a kernel.
struct Both<V> {
    /// Finds solutions up to a limit.
    search: Search<V>,
    /// Counts them without looking at them.
    pool: Pool<V>,
}

impl<V: Lanes> Both<V> {
    #[inline(always)]
    fn new() -> Self {
        Self { search: Search::new(), pool: Pool::new() }
    }
}

impl<V: Lanes> Solve for Both<V> {
    #[inline(always)]
    fn solve(&mut self, job: Job, stop: &Stop) -> Result<(), Stopped> {
        match job {
            Job::Search(task, results) => self.search.solve(task, results, stop),
            Job::Count(counting) => self.pool.count(counting, stop),
        }
    }
}
