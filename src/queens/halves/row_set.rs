//! What a subtree is, in terms that anyone can look up on a board.
//!
//! This is all that an audit takes over from the engine. Which solutions of a row set are counted, and how often,
//! is for the reader to work out from the comment of `case`.

use std::ops::Range;

use super::builder::{Builder, Context};
use super::case::Middle;
use super::corner::Side;
use super::layout::{Cut, Unit};
use super::plan::Halves;
use crate::search::{Stop, Stopped};

/// The rows of the queens of the left half, and what further limits the solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::queens) struct RowSet {
    /// How many rows above the centre the queen of the middle column stands; `None` if n is even.
    pub above_centre: Option<u32>,
    /// The rows above the middle: bit i is row i from the top.
    pub top: u32,
    /// The rows below the middle: bit i is row i from the bottom.
    pub bottom: u32,
    /// On large boards the solutions of a row set are many subtrees, by diagonals.
    pub crossings: Vec<Crossing>,
}

/// Whether a queen of one half of the board stands on a diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::queens) struct Crossing {
    /// A bit of a key: `corner` says which diagonal that is.
    pub bit: u32,
    pub is_left: bool,
    pub is_taken: bool,
}

/// Slices of a row set are counted in parts of this many.
pub(in crate::queens) const WHOLE_ROW_SET: u32 = 1 << u16::BITS;

impl Halves {
    /// The row sets of a subtree, without their crossings. Some may be none that the engine counts:
    /// [`Case::allows`](super::case::Case::allows) is not asked.
    pub(in crate::queens) fn rows(&self, subtree: usize) -> impl Iterator<Item = RowSet> {
        let unit = &self.units[subtree];
        let case = &self.cases[usize::from(unit.case)];
        let above_centre = match case.middle {
            Middle::None => None,
            Middle::Centre => Some(0),
            Middle::Above(rows) => Some(rows),
        };
        let row_set =
            move |top, bottom| RowSet { above_centre, top, bottom, crossings: Vec::new() };
        unit.tops(case)
            .flat_map(move |top| unit.bottoms(case).iter().map(move |&bottom| row_set(top, bottom)))
    }

    /// Which slice of its row sets a subtree is: slices are disjoint if these ranges are, and those of a whole row
    /// set have the range 0 to [`WHOLE_ROW_SET`] between them.
    pub(in crate::queens) fn slice(&self, subtree: usize) -> Range<u32> {
        let Cut { depth, path } = self.units[subtree].cut;
        let start = u32::from(path.reverse_bits());
        start..start + (WHOLE_ROW_SET >> depth)
    }

    /// The row sets of a subtree.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(in crate::queens) fn row_sets(
        &self,
        subtree: usize,
        stop: &Stop,
    ) -> Result<Vec<RowSet>, Stopped> {
        let unit = &self.units[subtree];
        let mut row_sets: Vec<RowSet> = self.rows(subtree).collect();
        for row_set in &mut row_sets {
            row_set.crossings = self.crossings(unit, row_set.top, row_set.bottom, stop)?;
        }
        Ok(row_sets)
    }

    /// The cut of a subtree as conditions on diagonals; see [`Cut`].
    fn crossings(
        &self,
        unit: &Unit,
        top: u32,
        bottom: u32,
        stop: &Stop,
    ) -> Result<Vec<Crossing>, Stopped> {
        let Cut { depth, path } = unit.cut;
        if depth == 0 {
            return Ok(Vec::new());
        }
        let case = &self.cases[usize::from(unit.case)];
        let context = Context { case, stop, top_rank: None };
        let mut builders = [Side::Left, Side::Right].map(Builder::new);
        let tops = [top | case.left_row, case.top_rows & !top];
        let bottoms = [bottom, case.subsets.full() & !bottom];
        for (builder, (top, bottom)) in builders.iter_mut().zip(tops.into_iter().zip(bottoms)) {
            builder.add_top(context, top)?;
            builder.choose_top(0);
            builder.set_bottom(context, bottom)?;
        }
        let diagonals = Builder::diagonals(&builders, case);
        let crossings = (0..depth).zip(diagonals).map(|(level, diagonal)| Crossing {
            bit: diagonal.trailing_zeros(),
            is_left: level % 2 == 0,
            is_taken: path >> level & 1 == 1,
        });
        Ok(crossings.collect())
    }
}
