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

use std::fmt;
use std::str::FromStr;

pub(super) use cells::{Cells, Frame, Planes, Run, Shape, planes};
use lanes::Lanes;
use layout::Batch;
pub use method::{Means, Method};
use pool::Pool;
use search::{Results, Search, Task};
pub use table::Table;

use crate::search::{Stop, Stopped};

/// The vectors that the engine works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Eight lanes of plain integers, on every CPU.
    Portable,
    /// Eight lanes in AVX2 registers.
    Avx2,
    /// Sixteen lanes in AVX-512 registers.
    Avx512,
}

impl Kernel {
    /// Every kernel, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The fastest kernel that this CPU can run.
    pub fn best() -> Self {
        let able = Self::ALL.into_iter().rev().find(|&kernel| Engine::new(kernel).is_some());
        able.unwrap_or(Self::Portable)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(name: &str) -> Result<Self, UnknownKernel> {
        let found = Self::ALL.into_iter().find(|kernel| kernel.name() == name);
        found.ok_or_else(|| UnknownKernel(name.to_owned()))
    }
}

/// A name that is no kernel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found kernel {0:?}, expected portable, avx2 or avx512")]
pub struct UnknownKernel(String);

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
    /// Counts all of them.
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

    /// Counts all solutions of as many grids of `batches` as there are `counts`, which are to be zero.
    fn count_batches(
        &mut self,
        batches: &[Batch],
        counts: &mut [u64],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        match &mut self.0 {
            Inner::Portable(solvers) => solvers.pool.count(batches, counts, stop),
            #[cfg(target_arch = "x86_64")]
            Inner::Avx2(kernel) => kernel.count(batches, counts, stop),
            #[cfg(target_arch = "x86_64")]
            Inner::Avx512(kernel) => kernel.count(batches, counts, stop),
        }
    }
}
