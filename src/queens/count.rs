//! Counting a board as a [`Problem`]: the first placements become subtrees.

use std::fmt;

use super::kernel::{Kernel, KernelMissing, KernelName, textbook};
use super::{Board, blocks};
use crate::search::{Problem, Stop, Stopped, Tally};

/// How a board is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
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
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Blocks => "blocks",
            Self::Textbook => "textbook",
        })
    }
}

impl Engine {
    /// The fastest engine for `board`.
    fn fastest(_board: &Board) -> Self {
        Self::Blocks
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
    Blocks(blocks::Plan),
    Textbook(textbook::Plan),
}

/// The solutions that begin with given queens.
#[derive(Debug, Clone)]
pub struct Subtree(Part);

#[derive(Debug, Clone)]
enum Part {
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
            Plan::Blocks(_) => Engine::Blocks,
            Plan::Textbook(_) => Engine::Textbook,
        }
    }

    /// The name of the kernel that runs on this machine.
    pub fn kernel(&self) -> String {
        match &self.plan {
            Plan::Blocks(plan) => plan.kernel().name().to_string(),
            Plan::Textbook(_) => "textbook".to_owned(),
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
            Plan::Blocks(plan) => plan.split().into_iter().map(Part::Blocks).map(Subtree).collect(),
            Plan::Textbook(plan) => {
                plan.split().into_iter().map(Part::Textbook).map(Subtree).collect()
            }
        }
    }

    fn cost(&self, subtree: &Subtree) -> u64 {
        match &subtree.0 {
            Part::Blocks(subtree) => subtree.cost(),
            Part::Textbook(subtree) => subtree.cost(),
        }
    }

    fn count(&self, subtree: &Subtree, stop: &Stop) -> Result<Tally, Stopped> {
        match (&self.plan, &subtree.0) {
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
        for engine in [Engine::Blocks, Engine::Textbook] {
            for n in 1..=11 {
                for threads in [1, 2, 3, 8] {
                    let settings = Settings { engine: Some(engine), kernel: None };
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
