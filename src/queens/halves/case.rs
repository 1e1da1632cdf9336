//! Which boards to count, so that every solution is counted once for all its symmetric images.
//!
//! # Even n
//!
//! Cut the board into quarters. A solution uses some rows and some columns of each quarter; seen
//! from the border, that makes eight subsets of 0..h:
//!
//! ```text
//!   rows     top left T | top right T'         T', B', C', D' are the complements of T, B, C, D:
//!         bottom left B | bottom right B'      what the left half leaves is for the right half,
//!   columns  top left C | top right D          what the top leaves is for the bottom
//!         bottom left C'| bottom right D'
//! ```
//!
//! Each of the eight symmetries of the square moves another of the eight sets into the place of T.
//! So fix any total order of the subsets and count only solutions in which T is the greatest of the
//! eight: 8 solutions for each. T and B are known before a half board is built, C and D belong to
//! one half each, so the condition only shortens the lists. If several sets are greatest together,
//! several images are counted, with smaller weights: see [`weight`].
//!
//! # Odd n
//!
//! The queen of the middle column stands a rows above the centre, that of the middle row b columns
//! to the left of it (negative: below, to the right). The eight symmetries send (a, b) to (±a, ±b)
//! and (±b, ±a), and |a| = |b| > 0 is impossible, as the two would attack each other along a
//! diagonal. So count only 0 < b < a, 8 solutions for each. Otherwise a = b = 0: one queen in
//! the centre, and the rest is like even n.

use super::quarter::{Closed, Corner, Quarters, Sizes};
use super::subsets::Subsets;

/// What the middle lines hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Middle {
    /// Nothing: n is even.
    None,
    /// One queen on the centre.
    Centre,
    /// A queen on the middle column, this many rows above the centre, and one on the middle row.
    Above(u32),
}

/// The queens on the middle lines, or the places for them, and the quarters that they leave.
#[derive(Debug)]
pub(super) struct Case {
    pub middle: Middle,
    /// Rows of the upper quarters that are free.
    pub top_rows: u32,
    /// The row that the left half has in any case, as a mask: the middle row, if its queen is not
    /// on the centre.
    pub left_row: u32,
    /// The upper and the lower quarters. Right halves are built as mirror images of left ones.
    pub top: Quarters,
    pub bottom: Quarters,
}

/// Every case of the board, with quarters that are kept or not.
pub(super) fn cases(sizes: Sizes, keep: bool) -> Vec<Case> {
    if sizes.n.is_multiple_of(2) {
        return vec![Case::symmetric(sizes, Middle::None, keep)];
    }
    std::iter::once(Case::symmetric(sizes, Middle::Centre, keep))
        .chain((2..=sizes.h).map(|a| Case::above(sizes, a, keep)))
        .collect()
}

impl Case {
    fn symmetric(sizes: Sizes, middle: Middle, keep: bool) -> Self {
        let h = sizes.h;
        // From every corner, a queen on the centre stands on square (h, h).
        let falling = if middle == Middle::Centre { 1 << h } else { 0 };
        let closed = Closed { falling, ..Closed::default() };
        Self {
            middle,
            top_rows: (1 << h) - 1,
            left_row: 0,
            top: Quarters::new(sizes, Corner::Top, closed, keep),
            bottom: Quarters::new(sizes, Corner::Bottom, closed, keep),
        }
    }

    fn above(sizes: Sizes, a: u32, keep: bool) -> Self {
        let h = sizes.h;
        // Seen from a top quarter the queen stands on square (h - a, h); seen from a bottom one,
        // where rows are counted from the lower border, on (h + a, h).
        let top = Closed {
            falling: 1 << (h + a),
            rising: 1 << (2 * h - a),
            // The queen of the middle row is fewer than a columns from the centre.
            middle_row: (2 << (h - a)) - 1,
        };
        let bottom = Closed { falling: 1 << (h - a), ..Closed::default() };
        Self {
            middle: Middle::Above(a),
            top_rows: ((1 << h) - 1) & !(1 << (h - a)),
            left_row: 1 << h,
            top: Quarters::new(sizes, Corner::Top, top, keep),
            bottom: Quarters::new(sizes, Corner::Bottom, bottom, keep),
        }
    }

    /// The sets of rows below the middle that bring the left half to h queens.
    pub(super) fn bottoms<'a>(&self, top: u32, subsets: &'a Subsets) -> &'a [u32] {
        let h = subsets.full().count_ones();
        let queens = (top | self.left_row).count_ones();
        h.checked_sub(queens).map_or(&[], |rest| subsets.of_size(rest))
    }

    /// Whether `top` and `bottom` can be the rows of a solution that is counted.
    pub(super) fn allows(&self, top: u32, bottom: u32, subsets: &Subsets) -> bool {
        !self.is_ordered() || subsets.rank(bottom) <= subsets.rank(top)
    }

    /// Whether T must be the greatest of the eight sets.
    pub(super) fn is_ordered(&self) -> bool {
        !matches!(self.middle, Middle::Above(_))
    }
}

/// How many solutions a canonical one stands for, by whether B, C and D tie with T.
///
/// The images of a solution in which k sets tie are counted k times, so their weights must add up
/// to 8. C and D are the neighbours of T when the four pairs of sets are laid round the square, B is
/// opposite. Of three tied sets in a row the middle one gets all 8.
pub(super) fn weight(b: bool, c: bool, d: bool) -> u64 {
    match (b, c, d) {
        (false, false, false) | (false, true, true) => 8,
        (true, false, false) | (false, true, false) | (false, false, true) => 4,
        (true, true, false) | (true, false, true) => 0,
        (true, true, true) => 2,
    }
}
