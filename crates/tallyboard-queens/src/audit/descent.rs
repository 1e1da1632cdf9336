//! Cuts large subtrees down to a piece that backtracking counts in seconds.
//!
//! The engine `blocks` takes some hundred times as long as `halves`. So a subtree with more solutions than a limit is
//! cut: first into its row sets, then by one diagonal after another. At each step `halves` counts all parts. Their sum
//! is compared with the count of what was cut. Then one part is drawn, with a probability in proportion to its
//! solutions. So each solution of the subtree is in the last piece with equal probability.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use tallyboard_base::random::Random;
use tallyboard_search::{Problem, Stop, Stopped, Tally};

use super::{Audit, Part, ProportionalDraw};
use crate::halves::Halves;

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

// Defines which solutions of a row set are counted, and how often. This is a second implementation of the
// definition in the comment of `halves::case`, without any code of that engine.
//
// Rows and columns of a quarter are counted from the border. T and B are the sets of rows of the queens in the top
// left and the bottom left quarter. C and D are the sets of columns of the queens in the top left and the top right
// quarter. Each is a subset of `0..h`, h = n / 2. The other four of the eight sets are the complements T', B', C', D'.
//
// If n is odd and no queen stands on the centre, the eight sets do not matter: each solution has weight 8.

/// A subset of `0..h`, for the rows or the columns of a quarter.
pub(super) type Set = u32;

/// The complement of `set`.
pub(super) fn complement(set: Set, h: u32) -> Set {
    !set & ((1 << h) - 1)
}

/// The place of a subset in the order. A set with more elements is greater. If two sets have equally many, take the
/// first element, counted from the border, that only one of them has: the set with this element is greater.
fn order(set: Set, h: u32) -> (u32, u32) {
    let from_border = (0..h).fold(0, |number, element| number << 1 | (set >> element & 1));
    (set.count_ones(), from_border)
}

/// The rank of a set and of its complement: the greater of their two places in the order.
fn rank(set: Set, h: u32) -> (u32, u32) {
    order(set, h).max(order(complement(set, h), h))
}

/// Whether solutions with the rows T and B may be counted: T has to be the greatest of the eight sets.
pub(super) fn is_counted(top: Set, bottom: Set, h: u32) -> bool {
    order(top, h) > order(complement(top, h), h) && rank(bottom, h) <= rank(top, h)
}

/// How one of the sets B, C and D compares with T. If it is T or T', it *ties* with T.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// It has a lower rank.
    Lower,
    /// It is T.
    Top,
    /// It is T'.
    Complement,
}

impl Relation {
    /// The relation of `set` to `top`. `None` if the rank of `set` is higher; then the solution is not counted.
    pub(super) fn of(set: Set, top: Set, h: u32) -> Option<Self> {
        match rank(set, h).cmp(&rank(top, h)) {
            std::cmp::Ordering::Less => Some(Self::Lower),
            std::cmp::Ordering::Equal if set == top => Some(Self::Top),
            std::cmp::Ordering::Equal => Some(Self::Complement),
            std::cmp::Ordering::Greater => None,
        }
    }
}

/// The number of solutions that a solution stands for, or how to find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Number(u64),
    /// It depends on the filling of the top quarter of one half, see [`mirror_weight`].
    OfTopQuarter {
        is_left: bool,
    },
}

/// The weight by the relations of B, C and D to T: the table in the comment of `halves::case`.
pub(super) fn weight(b: Relation, c: Relation, d: Relation) -> Weight {
    use Relation::{Complement, Lower, Top};
    use Weight::{Number, OfTopQuarter};
    match (b, c, d) {
        (Lower, Lower, Lower) => Number(8),
        (Lower, Top, Lower) => OfTopQuarter { is_left: true },
        (Lower, Lower, Complement) => OfTopQuarter { is_left: false },
        (Lower, Complement, Lower) => Number(8),
        (Lower, Lower, Top) => Number(0),
        (Lower, _, _) => Number(8),
        (_, Lower, Lower) => Number(4),
        (_, Lower, _) | (_, _, Lower) => Number(0),
        (_, _, _) => Number(2),
    }
}

/// The weight of a filling of a quarter whose set of rows is also its set of columns. It depends on the first element i
/// of this set for which row i and column i hold different queens. `first_difference` has the column of the queen in
/// row i, then the row of the queen in column i. It is `None` if there is no such element.
pub(super) fn mirror_weight(first_difference: Option<(u32, u32)>) -> u64 {
    match first_difference {
        None => 4,
        Some((column, row)) if column > row => 8,
        Some(_) => 0,
    }
}

/// The columns where the queen of the middle row may stand, if the queen of the middle column stands `above` rows above
/// the centre: left of the centre, by fewer than `above` columns.
pub(super) fn left_of_centre(above: u32, h: u32) -> Range<u32> {
    h - above + 1..h
}
