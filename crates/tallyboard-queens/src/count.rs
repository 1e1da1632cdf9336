//! The count of a board as a [`Problem`]: chooses an engine, which splits the board into subtrees.

use std::sync::Arc;

use tallyboard_base::cpu::{Instructions, Kernel, KernelMissing};
use tallyboard_base::named::named;
use tallyboard_search::{Costs, Problem, Revision, Stop, Stopped, Tally, thread_count};

use crate::Board;
use crate::blocks::{self, Blocks};
use crate::board::comma_list;
use crate::halves::{self, Halves, HalvesError};
use crate::textbook::{self, Textbook};

/// The engine or the kernel asked for cannot count the board here.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The engine takes no constraints.
    #[error(
        "the {0} engine counts plain boards only; the blocks engine takes placed queens and closed squares"
    )]
    PlainOnly(Engine),
    /// The CPU lacks instructions.
    #[error(transparent)]
    Kernel(#[from] KernelMissing),
    /// The engine has one kernel only.
    #[error("the {engine} engine has no {kernel} kernel, only its own")]
    NoSuchKernel {
        /// The engine.
        engine: Engine,
        /// The kernel asked for.
        kernel: Kernel,
    },
    /// The board is out of range for the engine, or does not fit into memory.
    #[error(transparent)]
    Halves(HalvesError),
}

impl From<HalvesError> for EngineError {
    fn from(error: HalvesError) -> Self {
        match error {
            // A missing kernel is one error, whichever engine lacks it.
            HalvesError::Kernel(missing) => Self::Kernel(missing),
            error => Self::Halves(error),
        }
    }
}

/// A board as an engine splits it.
#[derive(Debug, Clone)]
enum SplitBoard {
    Halves(Arc<Halves>),
    Blocks(Arc<Blocks>),
    Textbook(Arc<Textbook>),
}

impl SplitBoard {
    fn engine(&self) -> (Engine, Revision) {
        match self {
            Self::Halves(_) => (Engine::Halves, halves::REVISION),
            Self::Blocks(_) => (Engine::Blocks, blocks::REVISION),
            Self::Textbook(_) => (Engine::Textbook, textbook::REVISION),
        }
    }

    fn problem(&self) -> &dyn Problem {
        match self {
            Self::Halves(halves) => &**halves,
            Self::Blocks(blocks) => &**blocks,
            Self::Textbook(textbook) => &**textbook,
        }
    }
}

/// The exact count of all solutions of a board.
#[derive(Debug, Clone)]
pub struct Count {
    board: Board,
    split: SplitBoard,
    kernel: Option<Kernel>,
    /// Why a slower engine counts in place of the fastest.
    fallback_reason: Option<HalvesError>,
    threads: usize,
}

impl Count {
    /// Counts `board` with the fastest engine for it.
    ///
    /// # Errors
    /// None at present: every board has an engine.
    pub fn new(board: Board) -> Result<Self, EngineError> {
        Self::with(board, Settings::default())
    }

    /// Counts `board` as `settings` ask.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot count this board or the CPU cannot run the kernel.
    pub fn with(board: Board, settings: Settings) -> Result<Self, EngineError> {
        let Some(engine) = settings.engine else {
            let fastest = Self::with(board.clone(), settings.engine(fastest_engine(&board)));
            return Self::with_fallback(fastest, board, settings);
        };
        let (kernel, split) = match engine {
            Engine::Halves | Engine::Textbook if !board.is_plain() => {
                return Err(EngineError::PlainOnly(engine));
            }
            Engine::Halves => {
                let halves = Halves::new(board.n(), &settings)?;
                (Some(halves.kernel()), SplitBoard::Halves(halves.into()))
            }
            Engine::Blocks => {
                let instructions =
                    settings.kernel.map_or_else(|| Ok(Instructions::best()), Instructions::of)?;
                let blocks = Blocks::new(&board, instructions);
                (Some(instructions.kernel()), SplitBoard::Blocks(blocks.into()))
            }
            Engine::Textbook => match settings.kernel {
                Some(kernel) => return Err(EngineError::NoSuchKernel { engine, kernel }),
                None => (None, SplitBoard::Textbook(Textbook::new(board.n()).into())),
            },
        };
        // With a limit on memory the number of workers is fixed here, since the memory depends on it.
        let limit = settings.memory.or(settings.available_memory);
        let threads = limit.map_or(settings.threads, |_| thread_count(settings.threads));
        Ok(Self { board, split, kernel, threads, fallback_reason: None })
    }

    /// Returns `fastest`, or a count by blocks if the fastest engine lacks memory or instructions.
    fn with_fallback(
        fastest: Result<Self, EngineError>,
        board: Board,
        settings: Settings,
    ) -> Result<Self, EngineError> {
        let reason = match fastest {
            Err(EngineError::Halves(error @ HalvesError::Memory { .. })) => error,
            Err(EngineError::Kernel(missing)) => HalvesError::Kernel(missing),
            other => return other,
        };
        let blocks = Self::with(board, settings.engine(Engine::Blocks))?;
        Ok(Self { fallback_reason: Some(reason), ..blocks })
    }

    /// Why a faster engine was passed over: it needs more memory than [`Settings::memory`] or
    /// [`Settings::available_memory`] allow, or instructions that this processor lacks.
    pub fn fallback_reason(&self) -> Option<&HalvesError> {
        self.fallback_reason.as_ref()
    }

    /// The engine that counts.
    pub fn engine(&self) -> Engine {
        self.split.engine().0
    }

    /// The name of the kernel that runs on this machine. An engine with one kernel only gives it its own name.
    pub fn kernel(&self) -> String {
        self.kernel.map_or(self.engine().name(), Kernel::name).to_owned()
    }

    /// The engine, if it is `halves`.
    pub(super) fn halves(&self) -> Option<&Arc<Halves>> {
        match &self.split {
            SplitBoard::Halves(halves) => Some(halves),
            SplitBoard::Blocks(_) | SplitBoard::Textbook(_) => None,
        }
    }

    /// The board that is counted.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

/// The fastest engine for `board`.
fn fastest_engine(board: &Board) -> Engine {
    if board.is_plain() && board.n() >= halves::FASTEST_FROM {
        Engine::Halves
    } else {
        Engine::Blocks
    }
}

/// The first word of each identity of this crate.
pub(super) const GAME: &str = "queens";

/// Whether this is the identity of a count of placements of queens.
pub fn is_identity(identity: &str) -> bool {
    identity.split(' ').next() == Some(GAME)
}

impl Problem for Count {
    fn identity(&self) -> String {
        let (engine, revision) = self.split.engine();
        format!(
            "{GAME} n={} placed={} blocked={} engine={engine} {revision}",
            self.board.n(),
            comma_list(self.board.placed()),
            comma_list(self.board.blocked()),
        )
    }

    fn subtrees(&self) -> usize {
        self.split.problem().subtrees()
    }

    fn split(&self) -> Costs {
        self.split.problem().split()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn memory(&self) -> u64 {
        self.split.problem().memory()
    }

    fn worker_memory(&self) -> u64 {
        self.split.problem().worker_memory()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.split.problem().count(subtree, stop)
    }
}

// The settings of a count: engine, kernel, threads and limits of memory.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_kernel_is_the_same_error_for_every_engine() {
        let missing = KernelMissing { wanted: Kernel::Avx512, best: Kernel::Avx2 };
        let found = EngineError::from(HalvesError::Kernel(missing));
        assert_eq!(found, EngineError::Kernel(missing));
    }

    #[test]
    fn without_the_memory_for_the_fastest_engine_the_next_one_counts() {
        let board = || Board::new(16).unwrap();
        let frugal = Count::with(board(), Settings::new().memory(1 << 20)).unwrap();
        assert_eq!(frugal.engine(), Engine::Blocks);
        assert!(frugal.fallback_reason().unwrap().to_string().contains("the limit is 1 MiB"));
        let roomy = Count::with(board(), Settings::new().memory(8 << 30)).unwrap();
        assert!(roomy.engine() == Engine::Halves && roomy.fallback_reason().is_none());
        let named = Settings::new().memory(1 << 20).engine(Engine::Halves);
        assert!(matches!(Count::with(board(), named), Err(EngineError::Halves(_))));
    }

    /// The engine halves needs more parts of AVX-512 than blocks, which the first processors with AVX-512
    /// lack.
    #[test]
    fn without_the_instructions_for_the_fastest_engine_the_next_one_counts() {
        let missing = KernelMissing { wanted: Kernel::Portable, best: Kernel::Portable };
        let settings = Settings::new().kernel(Kernel::Portable);
        let board = Board::new(16).unwrap();
        let refused = Err(EngineError::Kernel(missing));
        let count = Count::with_fallback(refused, board, settings).unwrap();
        assert_eq!((count.engine(), count.kernel()), (Engine::Blocks, "portable".to_owned()));
        assert!(matches!(count.fallback_reason(), Some(HalvesError::Kernel(_))));
    }

    #[test]
    fn with_little_room_an_engine_takes_less_than_usual() {
        let count_in = |room| {
            let settings = Settings::new().engine(Engine::Halves).threads(1).available_memory(room);
            Count::with(Board::new(24).unwrap(), settings)
        };
        let usual = count_in(None).unwrap().memory();
        assert!(count_in(Some(usual / 2)).unwrap().memory() <= usual / 2);
        assert_eq!(count_in(Some(64 * usual)).unwrap().memory(), usual);
        let too_little = 1 << 20;
        assert!(matches!(count_in(Some(too_little)), Err(EngineError::Halves(_))));
    }
}
