//! The settings of a count: engine, kernel, threads and limits of memory.

use tallyboard_base::cpu::Kernel;
use tallyboard_base::named::named;

/// The engines that count boards.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The half-board join: plain boards with at least two squares a side.
    Halves,
    /// The block backtracker: every board.
    Blocks,
    /// The recursive bitmask backtracker of the textbooks, the baseline of benchmarks: plain boards.
    Textbook,
}

named! {
    /// All engines.
    Engine { Halves = "halves", Blocks = "blocks", Textbook = "textbook" }
}

/// How to count a board; by default with the fastest engine and kernel.
///
/// ```
/// use tallyboard_queens::{Board, Count, Engine, Settings};
/// let settings = Settings::new().engine(Engine::Blocks).threads(2);
/// let count = Count::with(Board::new(10)?, settings)?;
/// assert_eq!(count.engine(), Engine::Blocks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    pub(super) engine: Option<Engine>,
    pub(super) kernel: Option<Kernel>,
    pub(super) memory: Option<u64>,
    pub(super) available_memory: Option<u64>,
    pub(super) threads: usize,
    pub(super) shards: usize,
}

impl Settings {
    /// The fastest engine and kernel, without a limit of memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The engine; `None` for the fastest for the board.
    pub fn engine(self, engine: impl Into<Option<Engine>>) -> Self {
        Self { engine: engine.into(), ..self }
    }

    /// The kernel; `None` for the fastest that this CPU can run.
    pub fn kernel(self, kernel: impl Into<Option<Kernel>>) -> Self {
        Self { kernel: kernel.into(), ..self }
    }

    /// The user's limit of memory, in bytes. The engine may use all of it, more than by default, if that makes
    /// the count faster. `None` for the engine's default.
    pub fn memory(self, bytes: impl Into<Option<u64>>) -> Self {
        Self { memory: bytes.into(), ..self }
    }

    /// The memory that the machine leaves, in bytes: an upper bound, which lowers what the engine takes by default
    /// and never raises it. `None` for no bound.
    pub fn available_memory(self, bytes: impl Into<Option<u64>>) -> Self {
        Self { available_memory: bytes.into(), ..self }
    }

    /// The number of worker threads: the memory depends on it, and a search of this count uses that many. 0
    /// for the number that [`thread_count`](tallyboard_search::thread_count) gives.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Says that this process counts one of `shards` equal shards, which needs less memory for the list of
    /// subtrees than the whole count; 0 and 1 for the whole count.
    pub fn shards(self, shards: usize) -> Self {
        Self { shards, ..self }
    }
}
