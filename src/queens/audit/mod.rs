//! Counts subtrees of the engine `halves` again by another method, to show that neither is wrong.
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
//! The two methods share no quarters, lists, keys, joins or tables, and no code for ties. That the row sets of
//! all subtrees are those of the board, each once, is checked by `coverage`.

mod boards;
mod coverage;
mod definition;
mod descent;
mod draw;

use std::sync::Arc;

use super::blocks::Blocks;
use super::count::Count;
use super::halves::{Halves, Piece};
use crate::cpu::{Instructions, Kernel};
use crate::search::{Costs, Counter, Problem, Stop, Stopped, Tally};
use boards::{WeightedBoard, boards};
pub use coverage::CoverageError;
pub use descent::{Descent, Descents};
pub use draw::{Draws, detection};

/// The subtrees of a count by halves, ready to be counted by blocks.
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

    /// The number of subtrees.
    pub fn subtrees(&self) -> usize {
        self.halves.subtrees()
    }

    /// The kernel that counts by halves, on the way to pieces.
    pub fn kernel(&self) -> Kernel {
        self.halves.kernel()
    }

    /// A whole subtree, to be counted again.
    pub fn whole(&self, subtree: usize) -> Part {
        Part { subtree, piece: self.halves.piece(subtree) }
    }

    /// Subtrees or pieces of them, each with the kernel to count it with, as one problem.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn again(&self, parts: &[(Part, Kernel)], stop: &Stop) -> Result<Again, Stopped> {
        let mut found = Vec::new();
        for (Part { subtree, piece }, kernel) in parts {
            let instructions = Instructions::of_or_best(*kernel);
            for row_set in self.halves.row_sets(piece, stop)? {
                let of_row_set = boards(self.n, &row_set).into_iter();
                found.extend(of_row_set.map(|weighted| (*subtree, weighted, instructions)));
            }
        }
        Ok(Again { n: self.n, boards: found })
    }
}

/// A subtree, or a piece of it.
#[derive(Debug, Clone)]
pub struct Part {
    /// The number of the subtree.
    pub subtree: usize,
    piece: Piece,
}

/// Subtrees of `halves` as boards for `blocks`: the subtrees of this problem are those boards.
#[derive(Debug)]
pub struct Again {
    n: u32,
    boards: Vec<(usize, WeightedBoard, Instructions)>,
}

impl Again {
    /// The number of boards.
    pub fn boards(&self) -> usize {
        self.boards.len()
    }

    /// The subtree of `halves` that a board belongs to.
    pub fn subtree_of(&self, board: usize) -> usize {
        self.boards[board].0
    }
}

impl Problem for Again {
    fn identity(&self) -> String {
        format!("queens n={} audit of halves by blocks", self.n)
    }

    fn split(&self) -> Costs {
        Costs::equal(self.boards.len())
    }

    fn count(&self, board: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let (_, WeightedBoard { board, weight }, instructions) = &self.boards[board];
        let blocks = Blocks::new(board, *instructions);
        // Sums of 64-bit numbers, times a weight of 8 at most, do not reach 128 bits in any time.
        let mut solutions = 0u128;
        for subtree in 0..blocks.subtrees() {
            solutions += blocks.count(subtree, stop)?.solutions();
        }
        Ok(Tally::new(solutions * u128::from(*weight)))
    }
}

#[cfg(test)]
mod tests;
