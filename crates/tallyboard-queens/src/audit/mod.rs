//! Counts subtrees of the engine `halves` again by another method, to find mistakes of either of them.
//!
//! A subtree of `halves` is a condition on a board: which rows hold a queen in the left half, and where the queens
//! of the middle lines stand. So it can be written as boards with closed squares, with a weight for the images that a
//! solution stands for, and the engine `blocks` counts those by backtracking.
//!
//! ```text
//! subtree ── halves::row_set ──> row sets           the only code that both methods share
//!         ── definition, boards ──> boards, weights  from the comment of halves::case, not from its code
//!         ── blocks ──> weight × solutions, added up
//! ```
//!
//! The second method has no quarters, lists, keys, joins or tables, and code of its own for sets that tie. `coverage`
//! checks that the row sets of all subtrees are those of the board, each once.

mod boards;
mod coverage;
mod definition;
mod descent;
mod draw;

use std::sync::Arc;

use super::blocks::Blocks;
use super::count::Count;
use super::halves::{Halves, Subtree};
use boards::{WeightedBoard, boards};
pub use coverage::CoverageError;
pub use descent::{Descent, Descents, UnequalCut};
pub use draw::{Draws, detection};
use tallyboard_base::cpu::{Instructions, Kernel};
use tallyboard_search::{Problem, Stop, Stopped, Tally};

/// The audit of a count by halves: its subtrees can be counted by blocks.
#[derive(Debug)]
pub struct Audit {
    n: u32,
    halves: Arc<Halves>,
}

impl Audit {
    /// Audits the subtrees of `count`; `None` if its engine is not `halves`.
    pub fn new(count: &Count) -> Option<Self> {
        Some(Self { n: count.board().n(), halves: Arc::clone(count.halves()?) })
    }

    /// The kernel by which the engine halves counts pieces, in [`descents`](Self::descents).
    pub fn kernel(&self) -> Kernel {
        self.halves.kernel()
    }

    /// The part that is the whole of this subtree.
    pub fn whole(&self, subtree: usize) -> Part {
        Part { subtree, piece: self.halves.subtree(subtree).clone() }
    }

    /// A problem that counts these parts by blocks, each with its kernel.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn recount(&self, parts: &[(Part, Kernel)], stop: &Stop) -> Result<BoardProblem, Stopped> {
        let mut found = Vec::new();
        for &(Part { subtree, ref piece }, kernel) in parts {
            let instructions = Instructions::of_or_best(kernel);
            for row_set in self.halves.row_sets(piece, stop)? {
                let of_row_set = boards(self.n, &row_set).into_iter();
                found.extend(of_row_set.map(|board| BoardToCount { board, subtree, instructions }));
            }
        }
        Ok(BoardProblem { n: self.n, boards: found })
    }
}

/// A subtree of `halves`, or a piece of it.
#[derive(Debug, Clone)]
pub struct Part {
    /// The number of the subtree.
    pub subtree: usize,
    piece: Subtree,
}

/// Parts of subtrees of `halves`, written as boards, as a [`Problem`]: each board is a subtree of it, counted by `blocks`.
#[derive(Debug)]
pub struct BoardProblem {
    n: u32,
    boards: Vec<BoardToCount>,
}

#[derive(Debug)]
struct BoardToCount {
    board: WeightedBoard,
    /// The subtree of `halves` that it belongs to.
    subtree: usize,
    instructions: Instructions,
}

impl BoardProblem {
    /// The subtree of `halves` that a board belongs to.
    pub fn subtree_of(&self, board: usize) -> usize {
        self.boards[board].subtree
    }
}

impl Problem for BoardProblem {
    fn identity(&self) -> String {
        format!("queens n={} audit of halves by blocks", self.n)
    }

    fn subtrees(&self) -> usize {
        self.boards.len()
    }

    fn count(&self, board: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let BoardToCount { board: WeightedBoard { board, weight }, instructions, .. } =
            &self.boards[board];
        let blocks = Blocks::new(board, *instructions);
        // 128 bits hold a sum of fewer than 2^61 numbers of 64 bits, times a weight of at most 8.
        let mut solutions = 0u128;
        for subtree in 0..blocks.subtrees() {
            solutions += blocks.count(subtree, stop)?.solutions();
        }
        Ok(Tally::new(solutions * u128::from(*weight)))
    }
}

#[cfg(test)]
mod tests;
