//! Counts subtrees of the engine `halves` again by another method, to find mistakes of either of them.
//!
//! A subtree of `halves` is a condition on a board: which rows hold a queen in the left half, and where the queens
//! of the middle lines stand. So it can be written as boards with closed squares, with a weight for the images that a
//! solution stands for, and the engine `blocks` counts those by backtracking.
//!
//! ```text
//! subtree ── halves::row_set ──> row sets           the only code that both methods share
//!         ── descent, boards ──> boards, weights     from the comment of halves::case, not from its code
//!         ── blocks ──> weight × solutions, added up
//! ```
//!
//! The second method has no quarters, lists, keys, joins or tables, and code of its own for sets that tie.
//! `check_coverage` checks that the row sets of all subtrees are those of the board, each once.

mod boards;
mod descent;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use boards::{WeightedBoard, boards};
use tallyboard_base::cpu::{Instructions, Kernel};
use tallyboard_base::random::Random;
use tallyboard_search::{Problem, Stop, Stopped, Tally};

use crate::audit::descent::is_counted;
use crate::blocks::Blocks;
use crate::count::Count;
use crate::halves::{Halves, RowSet, Subtree, WHOLE_ROW_SET};

pub use descent::{Descent, Descents, UnequalCut};

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

// Draws the subtrees to count again, and computes the probability that they show a mistake.

/// Subtrees drawn in two ways. Both lists are in the order of drawing, so their first entries are a random sample
/// too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draws {
    /// Each subtree with equal probability, none twice.
    pub equal: Vec<usize>,
    /// Each subtree with a probability in proportion to its subtotal, with repetitions.
    pub by_solutions: Vec<usize>,
}

impl Draws {
    /// Draws `number` subtrees in each way, given all `subtotals`. Equal seeds give equal draws. If there are not
    /// more than `number` subtrees, `equal` has all of them and `by_solutions` none.
    ///
    /// # Panics
    /// If the subtotals add up to 2^128 or more.
    pub fn new(subtotals: &[u128], number: usize, seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let mut equal: Vec<usize> = (0..subtotals.len()).collect();
        random.shuffle(&mut equal);
        equal.truncate(number);
        let mut by_solutions = Vec::new();
        if number < subtotals.len() {
            let draw = ProportionalDraw::new(subtotals);
            by_solutions.extend((0..number).map_while(|_| draw.draw(&mut random)));
        }
        Self { equal, by_solutions }
    }

    /// The subtrees of both lists, taken in turns.
    pub fn in_turns(&self) -> impl Iterator<Item = usize> {
        let longer = self.equal.len().max(self.by_solutions.len());
        (0..longer).flat_map(|index| {
            [self.equal.get(index), self.by_solutions.get(index)].into_iter().flatten().copied()
        })
    }
}

/// Draws from a list of counts, each with a probability in proportion to its size.
struct ProportionalDraw {
    /// For each count, the sum of those up to and including it.
    ends: Vec<u128>,
}

impl ProportionalDraw {
    /// # Panics
    /// If the counts add up to 2^128 or more.
    pub fn new(counts: &[u128]) -> Self {
        let mut sum = 0u128;
        let mut ends = Vec::with_capacity(counts.len());
        for &count in counts {
            sum = sum.checked_add(count).expect("a count fits in 128 bits");
            ends.push(sum);
        }
        Self { ends }
    }

    /// The sum of all counts.
    pub fn sum(&self) -> u128 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Draws the index of a count; `None` if there are no solutions.
    pub fn draw(&self, random: &mut Random) -> Option<usize> {
        let sum = self.sum();
        (sum > 0).then(|| self.index_of(below(random, sum)))
    }

    /// The index of the count to which a solution belongs, if all solutions are numbered from 0, count after count.
    fn index_of(&self, solution: u128) -> usize {
        self.ends.partition_point(|&end| end <= solution)
    }
}

/// A number below `bound`, each with equal probability.
fn below(random: &mut Random, bound: u128) -> u128 {
    let bits = u128::BITS - (bound - 1).leading_zeros();
    loop {
        let number = u128::from(random.bits()) << 64 | u128::from(random.bits());
        // Each try succeeds with a probability of at least one half.
        let number = number.checked_shr(u128::BITS - bits).unwrap_or(0);
        if number < bound {
            return number;
        }
    }
}

/// The probability that at least one of `wrong` subtrees is among `drawn` of `total` subtrees, drawn with equal
/// probability and none twice.
pub fn detection(total: usize, wrong: usize, drawn: usize) -> f64 {
    // At each draw, the share of right subtrees among those not drawn yet.
    let missed: f64 = (0..drawn.min(total))
        .map(|draw| total.saturating_sub(wrong + draw) as f64 / (total - draw) as f64)
        .product();
    1.0 - missed
}

// Checks that the subtrees make up the board: each row set that has to be counted is in them exactly once.

/// The reason why the subtrees do not make up the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoverageError {
    /// A row set is in no subtree, in several, or in subtrees that do not make up the whole of it.
    #[error(
        "WRONG SUBTREES: the row set with rows {top:#b} above the middle and {bottom:#b} below it, middle queen \
         {above_centre:?}, is {found}, expected in whole and once"
    )]
    RowSet {
        /// How many rows above the centre the queen of the middle column stands; `None` if n is even.
        above_centre: Option<u32>,
        /// The rows above the middle, bit i is row i from the top.
        top: u32,
        /// The rows below the middle, bit i is row i from the bottom.
        bottom: u32,
        /// What was found instead.
        found: &'static str,
    },
    /// The check was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The row sets found in subtrees, a bit each, for one place of the queen of the middle column.
struct FoundRowSets {
    h: u32,
    above_centre: Option<u32>,
    bits: Vec<u64>,
}

impl FoundRowSets {
    fn new(h: u32, above_centre: Option<u32>) -> Self {
        Self { h, above_centre, bits: vec![0; (1usize << (2 * h)).div_ceil(64)] }
    }

    fn word_and_bit(&self, top: u32, bottom: u32) -> (usize, u64) {
        let index = u64::from(top) << self.h | u64::from(bottom);
        ((index / 64) as usize, 1 << (index % 64))
    }

    /// Adds a row set; `false` if it was there.
    fn add(&mut self, top: u32, bottom: u32) -> bool {
        let (word, bit) = self.word_and_bit(top, bottom);
        let new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        new
    }

    /// Whether a row set of a subtree may have to be counted. Subtrees also hold row sets that the engine skips.
    fn may_be_counted(&self, &RowSet { top, bottom, .. }: &RowSet) -> bool {
        self.above_centre.is_some_and(|above| above > 0) || is_counted(top, bottom, self.h)
    }

    /// Whether a row set of these rows has to be counted.
    fn expected(&self, top: u32, bottom: u32) -> bool {
        let queens = top.count_ones() + bottom.count_ones();
        match self.above_centre {
            // One more queen of the left half is on the middle row.
            Some(above @ 1..) => queens + 1 == self.h && top >> (self.h - above) & 1 == 0,
            None | Some(0) => queens == self.h && is_counted(top, bottom, self.h),
        }
    }

    /// A row set that was found and should not be, or that was not found and should be.
    fn difference(&self) -> Option<CoverageError> {
        let all = 0..1u32 << self.h;
        for top in all.clone() {
            for bottom in all.clone() {
                let (word, bit) = self.word_and_bit(top, bottom);
                let found = self.bits[word] & bit != 0;
                if found != self.expected(top, bottom) {
                    let found =
                        if found { "in a subtree, but not to be counted" } else { "in no subtree" };
                    let above_centre = self.above_centre;
                    return Some(CoverageError::RowSet { above_centre, top, bottom, found });
                }
            }
        }
        None
    }
}

impl Audit {
    /// Fails unless each row set of the board is in the subtrees as a whole and once. The row sets are enumerated
    /// here independently of the engine. Takes seconds at n = 28, and 2^n bits of memory.
    ///
    /// # Errors
    /// [`CoverageError`] names a row set that is not.
    pub fn check_coverage(&self, stop: &Stop) -> Result<(), CoverageError> {
        let h = self.n / 2;
        // One for each place of the middle column's queen. One row above the centre is no such place: no square
        // of the middle row would be left for that row's queen.
        let mut found: Vec<FoundRowSets> = match self.n % 2 {
            0 => vec![FoundRowSets::new(h, None)],
            _ => (0..=h)
                .filter(|&above| above != 1)
                .map(|above| FoundRowSets::new(h, Some(above)))
                .collect(),
        };
        // A row set of which some slices have been found, but not the last one, and the end of those slices.
        let mut unfinished: Option<(RowSet, u32)> = None;
        for subtree in 0..self.halves.subtrees() {
            stop.check()?;
            let piece = self.halves.subtree(subtree);
            let slice = piece.slice_range();
            for row_set in self.halves.whole_row_sets(piece) {
                let of_case = found
                    .iter_mut()
                    .find(|of_case| of_case.above_centre == row_set.above_centre)
                    .ok_or_else(|| CoverageError::new(&row_set, "not of this board"))?;
                if !of_case.may_be_counted(&row_set) {
                    continue;
                }
                let expected_start = match &unfinished {
                    Some((other, end)) if *other == row_set => *end,
                    Some((other, _)) => return Err(CoverageError::new(other, "not whole")),
                    None if of_case.add(row_set.top, row_set.bottom) => 0,
                    None => return Err(CoverageError::new(&row_set, "in several subtrees")),
                };
                if slice.start != expected_start {
                    return Err(CoverageError::new(
                        &row_set,
                        "not cut into slices that follow each other",
                    ));
                }
                unfinished = (slice.end < WHOLE_ROW_SET).then_some((row_set, slice.end));
            }
        }
        if let Some((row_set, _)) = &unfinished {
            return Err(CoverageError::new(row_set, "not whole"));
        }
        found.iter().find_map(FoundRowSets::difference).map_or(Ok(()), Err)
    }
}

impl CoverageError {
    fn new(row_set: &RowSet, found: &'static str) -> Self {
        let RowSet { above_centre, top, bottom, .. } = *row_set;
        Self::RowSet { above_centre, top, bottom, found }
    }
}

#[cfg(test)]
mod draw_tests {
    use super::*;

    #[test]
    fn detection_is_the_probability_for_draws_without_repetition() {
        assert_eq!(detection(100, 0, 40), 0.0);
        assert_eq!(detection(100, 1, 100), 1.0);
        assert!((detection(100, 1, 40) - 0.4).abs() < 1e-12);
        assert!((detection(10, 2, 3) - (1.0 - 56.0 / 120.0)).abs() < 1e-12);
        // The figure that the documentation states.
        assert!((detection(12_171_271, 121_713, 40) - 0.331).abs() < 5e-4);
    }

    #[test]
    fn parts_are_drawn_by_their_solutions() {
        let counts = ProportionalDraw::new(&[2, 0, 3]);
        let drawn: Vec<usize> = (0..5).map(|number| counts.index_of(number)).collect();
        assert_eq!((drawn, counts.sum()), (vec![0, 0, 2, 2, 2], 5));
        let none = ProportionalDraw::new(&[0, 0]);
        assert_eq!((none.draw(&mut Random::from_seed(1)), none.sum()), (None, 0));
    }

    #[test]
    fn draws_depend_on_the_seed_and_are_equal_or_by_solutions() {
        let subtotals = [1, 0, 2, 3, 0, 1 << 70, 1 << 70];
        let mut times = [[0u32; 7]; 2];
        for seed in 0..3_000 {
            let draws = Draws::new(&subtotals, 2, seed);
            assert_eq!(draws, Draws::new(&subtotals, 2, seed));
            assert_ne!(draws.equal[0], draws.equal[1]);
            draws.equal.iter().for_each(|&id| times[0][id] += 1);
            draws.by_solutions.iter().for_each(|&id| times[1][id] += 1);
            let in_turns: Vec<usize> = draws.in_turns().collect();
            assert_eq!((in_turns[0], in_turns[3]), (draws.equal[0], draws.by_solutions[1]));
        }
        assert!(times[0].iter().all(|&count| count.abs_diff(6_000 / 7) < 120), "{times:?}");
        assert!(times[1][..5].iter().all(|&count| count == 0), "{times:?}");
        assert!(times[1][5].abs_diff(3_000) < 180, "{times:?}");

        let small: Vec<u128> = [1, 2, 3, 4].into();
        let mut times = [0u32; 4];
        for seed in 0..4_000 {
            Draws::new(&small, 1, seed).by_solutions.iter().for_each(|&id| times[id] += 1);
        }
        for (count, subtotal) in times.into_iter().zip(1..) {
            assert!(count.abs_diff(400 * subtotal) < 120, "{times:?}");
        }
        let all = Draws::new(&small, 9, 1);
        assert_eq!((all.equal.len(), all.by_solutions.len()), (4, 0));
    }
}
