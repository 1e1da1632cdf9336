//! Counting a board as a [`Problem`]: the first placements become subtrees.

use std::fmt;
use std::sync::Arc;

use super::kernel::{Kernel, KernelMissing, KernelName, textbook};
use super::{Board, blocks, halves};
use crate::search::{Problem, Stop, Stopped, Tally};

/// How a board is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The half-board join: plain boards with at least two squares a side.
    Halves,
    /// The block backtracker: every board.
    Blocks,
    /// The recursive bitmask backtracker of the textbooks, the ruler: plain boards.
    Textbook,
}

/// A choice of engine and kernel; by default the fastest of both.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The engine, or the fastest for the board.
    pub engine: Option<Engine>,
    /// The kernel, or the fastest that this CPU can run.
    pub kernel: Option<KernelName>,
    /// The most memory to use, in bytes; no limit by default.
    pub memory: Option<u64>,
    /// Worker threads that will count, which the memory depends on; 0 as in
    /// [`search::Options`](crate::search::Options).
    pub threads: usize,
}

/// The engine or the kernel asked for cannot count the board here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The engine takes no constraints.
    #[error(
        "the {0} engine counts plain boards only; the blocks engine takes queens that stand already and closed squares"
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
        kernel: KernelName,
    },
    /// The board is out of range for the engine, or does not fit into memory.
    #[error(transparent)]
    Halves(#[from] halves::PlanError),
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Halves => "halves",
            Self::Blocks => "blocks",
            Self::Textbook => "textbook",
        })
    }
}

impl Engine {
    /// The fastest engine for `board`.
    fn fastest(board: &Board) -> Self {
        if board.is_plain() && board.n() >= halves::FASTEST_FROM {
            Self::Halves
        } else {
            Self::Blocks
        }
    }
}

/// The exact count of all solutions of a board.
#[derive(Debug, Clone)]
pub struct Count {
    board: Board,
    plan: Plan,
}

/// The engine at work.
#[derive(Debug, Clone)]
enum Plan {
    Halves(Arc<halves::Plan>),
    Blocks(blocks::Plan),
    Textbook(textbook::Plan),
}

/// The solutions that begin with given queens.
#[derive(Debug, Clone)]
pub struct Subtree(Part);

#[derive(Debug, Clone)]
enum Part {
    Halves(halves::Unit),
    Blocks(blocks::Subtree),
    Textbook(textbook::Subtree),
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
        let engine = settings.engine.unwrap_or_else(|| Engine::fastest(&board));
        let plan = match engine {
            Engine::Halves if !board.is_plain() => return Err(EngineError::PlainOnly(engine)),
            Engine::Halves => {
                let Settings { kernel, memory, threads, .. } = settings;
                let threads = crate::search::thread_count(threads);
                let options = halves::Options { kernel, threads, memory };
                Plan::Halves(Arc::new(halves::Plan::new(board.n(), &options)?))
            }
            Engine::Blocks => {
                let kernel = settings.kernel.map_or_else(|| Ok(Kernel::best()), Kernel::named)?;
                Plan::Blocks(blocks::Plan::new(&board, kernel))
            }
            Engine::Textbook if !board.is_plain() => return Err(EngineError::PlainOnly(engine)),
            Engine::Textbook => match settings.kernel {
                Some(kernel) => return Err(EngineError::NoSuchKernel { engine, kernel }),
                None => Plan::Textbook(textbook::Plan::new(board.n())),
            },
        };
        Ok(Self { board, plan })
    }

    /// The engine that counts.
    pub fn engine(&self) -> Engine {
        match self.plan {
            Plan::Halves(_) => Engine::Halves,
            Plan::Blocks(_) => Engine::Blocks,
            Plan::Textbook(_) => Engine::Textbook,
        }
    }

    /// The name of the kernel that runs on this machine.
    pub fn kernel(&self) -> String {
        match &self.plan {
            Plan::Halves(plan) => plan.kernel().to_string(),
            Plan::Blocks(plan) => plan.kernel().name().to_string(),
            Plan::Textbook(_) => "textbook".to_owned(),
        }
    }

    /// An upper estimate of the memory that the lists of the engine take, in bytes. The
    /// backtrackers keep none worth mentioning.
    pub fn memory(&self) -> u64 {
        match &self.plan {
            Plan::Halves(plan) => plan.memory(),
            Plan::Blocks(_) | Plan::Textbook(_) => 0,
        }
    }

    /// The board that is counted.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Problem for Count {
    type Subtree = Subtree;

    fn identity(&self) -> String {
        let list = |squares: &[super::Square]| {
            squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        format!(
            "queens n={} placed={} blocked={} engine={} layout=1",
            self.board.n(),
            list(self.board.placed()),
            list(self.board.blocked()),
            self.engine()
        )
    }

    fn split(&self) -> Vec<Subtree> {
        match &self.plan {
            Plan::Halves(plan) => {
                plan.units().iter().cloned().map(Part::Halves).map(Subtree).collect()
            }
            Plan::Blocks(plan) => plan.split().into_iter().map(Part::Blocks).map(Subtree).collect(),
            Plan::Textbook(plan) => {
                plan.split().into_iter().map(Part::Textbook).map(Subtree).collect()
            }
        }
    }

    fn cost(&self, subtree: &Subtree) -> u64 {
        match &subtree.0 {
            Part::Halves(unit) => unit.cost(),
            Part::Blocks(subtree) => subtree.cost(),
            Part::Textbook(subtree) => subtree.cost(),
        }
    }

    fn count(&self, subtree: &Subtree, stop: &Stop) -> Result<Tally, Stopped> {
        match (&self.plan, &subtree.0) {
            (Plan::Halves(plan), Part::Halves(unit)) => plan.count(unit, stop).map(Tally::new),
            (Plan::Blocks(plan), Part::Blocks(subtree)) => plan.count(subtree, stop),
            (Plan::Textbook(plan), Part::Textbook(subtree)) => plan.count(subtree, stop),
            _ => unreachable!("a subtree is counted by the engine that made it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::known;
    use crate::search::{Options, Silent, run};

    #[test]
    fn counts_small_boards_on_any_number_of_threads_with_any_engine() {
        for engine in [Engine::Halves, Engine::Blocks, Engine::Textbook] {
            let smallest = if engine == Engine::Halves { 2 } else { 1 };
            for n in smallest..=11 {
                for threads in [1, 2, 3, 8] {
                    let settings = Settings { engine: Some(engine), ..Settings::default() };
                    let problem = Count::with(Board::plain(n).unwrap(), settings).unwrap();
                    let options = Options { threads, ..Options::default() };
                    let outcome = run(&problem, &options, &mut Silent).unwrap();
                    let counted = Some(outcome.tally.solutions());
                    assert_eq!(counted, known::solutions(n), "n = {n}, engine {engine}");
                    assert!(outcome.complete);
                }
            }
        }
    }
}
