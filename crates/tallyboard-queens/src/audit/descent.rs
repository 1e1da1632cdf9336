//! Cuts large subtrees down to a piece that backtracking counts in seconds.
//!
//! The engine `blocks` takes some hundred times as long as `halves`. So a subtree with more solutions than a limit is
//! cut: first into its row sets, then by one diagonal after another. At each step `halves` counts all parts. Their sum
//! is compared with the count of what was cut. Then one part is drawn, with a probability in proportion to its
//! solutions. So each solution of the subtree is in the last piece with equal probability.

use std::sync::{Mutex, PoisonError};

use super::draw::ProportionalDraw;
use super::{Audit, Part};
use crate::halves::Halves;
use tallyboard_base::random::Random;
use tallyboard_search::{Problem, Stop, Stopped, Tally};

/// A piece of a subtree, and the counts by `halves` of the subtree and the piece.
#[derive(Debug, Clone)]
pub struct Descent {
    /// The piece; the whole subtree if it has no more solutions than the limit.
    pub part: Part,
    /// The solutions of the piece.
    pub solutions: u128,
    /// The solutions of the whole subtree.
    pub subtotal: u128,
    /// The first cut whose parts did not add up to what was cut.
    pub unequal: Option<UnequalCut>,
}

/// A cut whose parts do not add up: one of the counts is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnequalCut {
    /// The solutions of what was cut.
    pub whole: u128,
    /// The sum of the solutions of its parts.
    pub sum: u128,
}

/// Subtrees of `halves` to cut down, as a [`Problem`], so that the driver does it on all cores: to count one of them is to cut it
/// down, to keep the piece, and to return the subtotal of the whole subtree.
#[derive(Debug)]
pub struct Descents<'a> {
    halves: &'a Halves,
    subtrees: Vec<usize>,
    limit: u128,
    seed: u64,
    found: Mutex<Vec<Descent>>,
}

impl Audit {
    /// Cuts subtrees down to pieces of at most `limit` solutions, or as far as they can be cut. A piece depends on
    /// its subtree and `seed` alone.
    pub fn descents(&self, subtrees: Vec<usize>, limit: u128, seed: u64) -> Descents<'_> {
        Descents { halves: &self.halves, subtrees, limit, seed, found: Mutex::default() }
    }
}

impl Descents<'_> {
    /// The pieces of the subtrees counted so far, in the order of the subtrees.
    pub fn into_found(self) -> Vec<Descent> {
        let mut found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|descent| descent.part.subtree);
        found
    }

    /// Cuts a subtree down to a piece.
    fn descend(&self, subtree: usize, stop: &Stop) -> Result<Descent, Stopped> {
        let mut random = Random::from_seed(self.seed ^ (subtree as u64).rotate_left(32));
        let mut piece = self.halves.subtree(subtree).clone();
        let subtotal = u128::from(self.halves.count_subtree(&piece, stop)?);
        let mut solutions = subtotal;
        let mut unequal = None;
        while solutions > self.limit {
            let parts = self.halves.cut(&piece, stop)?;
            if parts.is_empty() {
                break;
            }
            let count = |part| self.halves.count_subtree(part, stop).map(u128::from);
            let counts = parts.iter().map(count).collect::<Result<Vec<u128>, Stopped>>()?;
            let draw = ProportionalDraw::new(&counts);
            if draw.sum() != solutions {
                unequal.get_or_insert(UnequalCut { whole: solutions, sum: draw.sum() });
            }
            let Some(drawn) = draw.draw(&mut random) else { break };
            piece = parts[drawn].clone();
            solutions = counts[drawn];
        }
        Ok(Descent { part: Part { subtree, piece }, solutions, subtotal, unequal })
    }
}

impl Problem for Descents<'_> {
    /// For messages alone: no journal and no result holds this problem.
    fn identity(&self) -> String {
        format!("queens pieces of at most {} solutions, seed {}", self.limit, self.seed)
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn count(&self, index: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let descent = self.descend(self.subtrees[index], stop)?;
        let subtotal = descent.subtotal;
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(descent);
        Ok(Tally::new(subtotal))
    }
}
