//! The block engine: many puzzles at once, one in each lane of a vector.
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
mod cells;
mod choice;
mod halves;
mod lanes;
mod layout;
mod method;
mod pool;
mod round;
mod search;
mod stack;
mod table;

pub(super) use cells::{Cells, Frame, Planes, Run, Shape, planes};
use lanes::Lanes;
use layout::Batch;
pub use method::{Means, Method};
use pool::Pool;
use search::{Results, Search, Task};
pub use table::Table;

use crate::cpu::Kernel;
use crate::search::{Stop, Stopped};

/// The engine with its working memory, to be kept from one block of puzzles to the next.
pub struct Engine(Inner);

enum Inner {
    Portable(Box<Solvers<[u32; 8]>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
}

/// Both ways to use the lanes of a kernel.
struct Solvers<V> {
    /// Finds solutions up to a limit.
    search: Search<V>,
    /// Counts them without looking at them.
    pool: Pool<V>,
}

impl<V: Lanes> Solvers<V> {
    #[inline(always)]
    fn new() -> Self {
        Self { search: Search::new(), pool: Pool::new() }
    }
}

impl Engine {
    /// An engine in the widest vectors that the CPU has.
    pub fn best() -> Self {
        Self::new(Kernel::best()).unwrap_or_else(|| Self(Inner::Portable(Box::new(Solvers::new()))))
    }

    /// An engine in these vectors; `None` where the CPU lacks them.
    pub fn new(kernel: Kernel) -> Option<Self> {
        let inner = match kernel {
            Kernel::Portable => Some(Inner::Portable(Box::new(Solvers::new()))),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::Avx2::new().map(Inner::Avx2),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::Avx512::new().map(Inner::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        };
        inner.map(Self)
    }

    /// Solves as many grids of `task` as `results` has counts.
    fn solve_batches(&mut self, task: Task, results: Results, stop: &Stop) -> Result<(), Stopped> {
        match &mut self.0 {
            Inner::Portable(solvers) => solvers.search.solve(task, results, stop),
            #[cfg(target_arch = "x86_64")]
            Inner::Avx2(kernel) => kernel.solve(task, results, stop),
            #[cfg(target_arch = "x86_64")]
            Inner::Avx512(kernel) => kernel.solve(task, results, stop),
        }
    }

    /// Counts the solutions of as many grids of `batches` as there are `counts`, which are to be zero:
    /// all of them, or `limit` of them or more.
    fn count_batches(
        &mut self,
        batches: &[Batch],
        limit: u64,
        counts: &mut [u64],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        match &mut self.0 {
            Inner::Portable(solvers) => solvers.pool.count(batches, limit, counts, stop),
            #[cfg(target_arch = "x86_64")]
            Inner::Avx2(kernel) => kernel.count(batches, limit, counts, stop),
            #[cfg(target_arch = "x86_64")]
            Inner::Avx512(kernel) => kernel.count(batches, limit, counts, stop),
        }
    }
}
