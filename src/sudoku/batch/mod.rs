//! The batch engine: many puzzles at once, one in each lane of a vector.
//!
//! A state is 27 words a puzzle (`layout`), so that deduction (`round`) is a few hundred plain
//! operations on whole words: for eight puzzles at a time in AVX2 registers, sixteen in AVX-512.
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

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod branch;
mod choice;
mod lanes;
mod layout;
mod pool;
mod puzzles;
mod rating;
mod round;
mod search;
mod stack;
mod waiting;

use lanes::{Lanes, Words};
use layout::Sixteen;
pub(super) use layout::{BAND, Planes, planes};
use pool::Pool;
pub use puzzles::Puzzles;
pub use rating::{Means, Rating};
use search::{Results, Search, Task};

#[cfg(target_arch = "x86_64")]
use crate::cpu::{Avx2, Avx512};
use crate::cpu::{Instructions, Kernel, KernelMissing};
use crate::search::{Stop, Stopped};

/// Solvers with their working memory, to be kept from one table of puzzles to the next.
pub struct Solvers(Form);

enum Form {
    Portable(Box<Both<Words<8>>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2, avx2::Vectors),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512, avx512::Vectors),
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
            Instructions::Portable => Form::Portable(Box::new(Both::new())),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => Form::Avx2(proof, avx2::vectors(proof)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => Form::Avx512(proof, avx512::vectors(proof)),
        })
    }

    /// Solves as many grids of `task` as `results` has counts.
    fn solve(&mut self, task: Task, results: Results, stop: &Stop) -> Result<(), Stopped> {
        match &mut self.0 {
            Form::Portable(both) => both.search.solve(task, results, stop),
            #[cfg(target_arch = "x86_64")]
            Form::Avx2(proof, vectors) => avx2::solve(*proof, vectors, task, results, stop),
            #[cfg(target_arch = "x86_64")]
            Form::Avx512(proof, vectors) => avx512::solve(*proof, vectors, task, results, stop),
        }
    }

    /// Counts the solutions of as many of `grids` as there are `counts`, which are to be zero: all of
    /// them, or `limit` of them or more.
    fn count(
        &mut self,
        grids: &[Sixteen],
        limit: u64,
        counts: &mut [u64],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        match &mut self.0 {
            Form::Portable(both) => both.pool.count(grids, limit, counts, stop),
            #[cfg(target_arch = "x86_64")]
            Form::Avx2(proof, vectors) => avx2::count(*proof, vectors, grids, limit, counts, stop),
            #[cfg(target_arch = "x86_64")]
            Form::Avx512(proof, vectors) => {
                avx512::count(*proof, vectors, grids, limit, counts, stop)
            }
        }
    }
}
