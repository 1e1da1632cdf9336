//! Subtrees described by rows and diagonals of the board, for the audit, which counts them once more.
//!
//! The audit takes nothing else over from the engine. Which solutions of a row set count, and with what
//! weight, it derives from the comment of `case`.

use std::ops::Range;

use super::builder::{Builder, Context};
use super::case::{Case, Middle};
use super::corner::Side;
use super::layout::{Cut, Unit};
use super::plan::Halves;
use search::{Stop, Stopped};

/// The rows of the queens in the left half, and conditions on diagonals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowSet {
    /// How many rows above the centre the queen of the middle column stands; `None` if n is even.
    pub above_centre: Option<u32>,
    /// The rows above the middle: bit i is row i from the top.
    pub top: u32,
    /// The rows below the middle: bit i is row i from the bottom.
    pub bottom: u32,
    /// On large boards, the conditions that single out one of several subtrees of a row set.
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

/// A part of a subtree: all of it, one of its row sets, or a slice of a row set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece(Unit);

/// The length of [`Piece::slice`] for a whole row set.
pub(crate) const WHOLE_ROW_SET: u32 = 1 << u16::BITS;

impl Halves {
    /// The piece that is a whole subtree.
    pub(crate) fn piece(&self, subtree: usize) -> Piece {
        Piece(self.units[subtree].clone())
    }

    /// Cuts a piece into smaller ones; each of its solutions is in exactly one of them. Several row sets are cut into
    /// single ones, a single row set by the next diagonal that both halves share. Empty if no diagonal remains.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(crate) fn cut(&self, piece: &Piece, stop: &Stop) -> Result<Vec<Piece>, Stopped> {
        let unit = &piece.0;
        let (tops, bottoms) = (unit.tops.singles(), unit.bottoms.singles());
        if tops.len() * bottoms.len() > 1 {
            let of_top = |top| {
                let row_set =
                    move |&bottom| Piece(Unit { tops: top, bottoms: bottom, ..unit.clone() });
                bottoms.iter().map(row_set)
            };
            return Ok(tops.into_iter().flat_map(of_top).collect());
        }
        for RowSet { top, bottom, .. } in self.rows(piece) {
            let case = &self.cases[usize::from(unit.case)];
            let shared = Builder::shared_diagonals(&builders(case, top, bottom, stop)?, case);
            if usize::from(unit.cut.depth) >= shared {
                return Ok(Vec::new());
            }
        }
        let below = |cut| Piece(Unit { cut, ..unit.clone() });
        Ok(unit.cut.below().into_iter().flatten().map(below).collect())
    }

    /// Counts the solutions of a piece, with their weights in the sum of all subtrees.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(crate) fn count_piece(&self, piece: &Piece, stop: &Stop) -> Result<u64, Stopped> {
        self.count_unit(&piece.0, stop)
    }

    /// The row sets of a piece, without their crossings. They include row sets that the engine skips, because
    /// [`Case::allows`](super::case::Case::allows) rules them out.
    pub(crate) fn rows(&self, Piece(unit): &Piece) -> impl Iterator<Item = RowSet> {
        let case = &self.cases[usize::from(unit.case)];
        let above_centre = match case.middle {
            Middle::None => None,
            Middle::Centre => Some(0),
            Middle::Above(rows) => Some(rows),
        };
        let row_set =
            move |top, bottom| RowSet { above_centre, top, bottom, crossings: Vec::new() };
        let bottoms = unit.bottoms(case);
        unit.tops(case).flat_map(move |top| bottoms.iter().map(move |&bottom| row_set(top, bottom)))
    }

    /// The row sets of a piece, with their crossings.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(crate) fn row_sets(&self, piece: &Piece, stop: &Stop) -> Result<Vec<RowSet>, Stopped> {
        let mut row_sets: Vec<RowSet> = self.rows(piece).collect();
        for row_set in &mut row_sets {
            row_set.crossings = self.crossings(&piece.0, row_set.top, row_set.bottom, stop)?;
        }
        Ok(row_sets)
    }

    /// The cut of a unit as conditions on diagonals; see [`Cut`].
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
        let diagonals = Builder::diagonals(&builders(case, top, bottom, stop)?, case);
        let crossings = (0..depth).zip(diagonals).map(|(level, diagonal)| Crossing {
            bit: diagonal.trailing_zeros(),
            is_left: level % 2 == 0,
            is_taken: path >> level & 1 == 1,
        });
        Ok(crossings.collect())
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

impl Piece {
    /// The slice that a piece is of each of its row sets, as a range: disjoint ranges are disjoint slices, and
    /// the slices that make up a row set cover 0 to [`WHOLE_ROW_SET`].
    pub(crate) fn slice(&self) -> Range<u32> {
        let Cut { depth, path } = self.0.cut;
        let start = u32::from(path.reverse_bits());
        start..start + (WHOLE_ROW_SET >> depth)
    }
}
