//! Subtrees described by rows and diagonals of the board. The audit counts them again.
//!
//! The audit takes nothing else over from the engine. It follows the definition at the top of `case.rs`, which says
//! which solutions of a row set count, and with what weight.

use std::ops::Range;

use tallyboard_search::{Stop, Stopped};

use crate::halves::builder::{Builder, Context};
use crate::halves::case::{Case, Middle};
use crate::halves::layout::{SlicePath, Subtree};
use crate::halves::plan::Halves;
use crate::halves::subsets::Side;

/// The rows of the queens in the left half, and conditions on diagonals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowSet {
    /// How many rows above the centre the queen of the middle column stands; `None` if n is even.
    pub above_centre: Option<u32>,
    /// The rows above the middle: bit i is row i from the top.
    pub top: u32,
    /// The rows below the middle: bit i is row i from the bottom.
    pub bottom: u32,
    /// On large boards a row set is cut into several subtrees: the conditions that single out one of them.
    pub crossings: Vec<Crossing>,
}

/// A condition: one half of the board has a queen on this diagonal, or has none on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// A bit of a key: `corner` says which diagonal that is.
    pub bit: u32,
    pub is_left: bool,
    pub is_taken: bool,
}

/// The length of [`Subtree::slice_range`] for a whole row set.
pub(crate) const WHOLE_ROW_SET: u32 = 1 << u16::BITS;

impl Halves {
    pub(crate) fn subtree(&self, index: usize) -> &Subtree {
        &self.subtrees[index]
    }

    /// Cuts a subtree into smaller ones; each of its solutions is in exactly one of them. Several row sets are cut into
    /// single ones, a single row set by the next diagonal that both halves share. Empty if no diagonal remains.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(crate) fn cut(&self, subtree: &Subtree, stop: &Stop) -> Result<Vec<Subtree>, Stopped> {
        let tops = subtree.tops.singles();
        let bottoms = subtree.bottoms.singles();
        let row_sets = tops.len() * bottoms.len();
        if row_sets > 1 {
            let mut subtrees = Vec::with_capacity(row_sets);
            for &tops in &tops {
                for &bottoms in &bottoms {
                    subtrees.push(Subtree { tops, bottoms, ..subtree.clone() });
                }
            }
            return Ok(subtrees);
        }
        // There is one row set at most.
        for RowSet { top, bottom, .. } in self.whole_row_sets(subtree) {
            let case = &self.cases[usize::from(subtree.case)];
            let shared_diagonals =
                Builder::shared_diagonals(&builders(case, top, bottom, stop)?, case);
            if usize::from(subtree.slice.depth) >= shared_diagonals {
                return Ok(Vec::new());
            }
        }
        let slices = subtree.slice.below().into_iter().flatten();
        Ok(slices.map(|slice| Subtree { slice, ..subtree.clone() }).collect())
    }

    /// The whole row sets of a subtree, without the crossings of a slice. They include row sets that the engine skips,
    /// because [`Case::allows`](super::case::Case::allows) rules them out.
    pub(crate) fn whole_row_sets(&self, subtree: &Subtree) -> impl Iterator<Item = RowSet> {
        let case = &self.cases[usize::from(subtree.case)];
        let above_centre = match case.middle {
            Middle::None => None,
            Middle::Centre => Some(0),
            Middle::Above(rows) => Some(rows),
        };
        let bottoms = subtree.bottoms(case);
        let pairs = subtree
            .tops(case)
            .flat_map(move |top| bottoms.iter().map(move |&bottom| (top, bottom)));
        pairs.map(move |(top, bottom)| RowSet { above_centre, top, bottom, crossings: Vec::new() })
    }

    /// The row sets of a subtree, with the slice that it is of each as conditions on diagonals; see [`SlicePath`].
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(crate) fn row_sets(&self, subtree: &Subtree, stop: &Stop) -> Result<Vec<RowSet>, Stopped> {
        let SlicePath { depth, path } = subtree.slice;
        let case = &self.cases[usize::from(subtree.case)];
        let mut row_sets: Vec<RowSet> = self.whole_row_sets(subtree).collect();
        if depth == 0 {
            return Ok(row_sets);
        }
        for RowSet { top, bottom, crossings, .. } in &mut row_sets {
            let diagonals = Builder::diagonals(&builders(case, *top, *bottom, stop)?, case);
            crossings.extend((0..depth).zip(diagonals).map(|(level, diagonal)| Crossing {
                bit: diagonal.trailing_zeros(),
                is_left: level % 2 == 0,
                is_taken: path >> level & 1 == 1,
            }));
        }
        Ok(row_sets)
    }
}

/// The builders of both halves for a row set.
fn builders(case: &Case, top: u32, bottom: u32, stop: &Stop) -> Result<[Builder; 2], Stopped> {
    let context = Context { case, stop, top_rank: None };
    let mut builders = [Side::Left, Side::Right].map(Builder::new);
    let tops = [top | case.left_row, case.top_rows & !top];
    let bottoms = [bottom, case.subsets.full() & !bottom];
    for (builder, (top, bottom)) in builders.iter_mut().zip(tops.into_iter().zip(bottoms)) {
        builder.add_top(context, top)?;
        builder.choose_top(0);
        builder.set_bottom(context, bottom)?;
    }
    Ok(builders)
}

impl Subtree {
    /// The slice that a subtree is of each of its row sets, as a range: disjoint ranges are disjoint slices, and
    /// the slices that make up a row set cover 0 to [`WHOLE_ROW_SET`].
    pub(crate) fn slice_range(&self) -> Range<u32> {
        let SlicePath { depth, path } = self.slice;
        let start = u32::from(path.reverse_bits());
        start..start + (WHOLE_ROW_SET >> depth)
    }
}
