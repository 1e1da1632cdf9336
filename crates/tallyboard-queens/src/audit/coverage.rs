//! Checks that the subtrees make up the board: each row set that has to be counted is in them exactly once.

use super::Audit;
use super::definition::is_counted;
use crate::halves::{RowSet, WHOLE_ROW_SET};
use tallyboard_search::{Problem, Stop, Stopped};

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
