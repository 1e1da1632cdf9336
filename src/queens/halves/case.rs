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
//! one half each, so the condition only shortens the lists.
//!
//! A set and its complement count as equal, so other sets can *tie* with T; then as many images are
//! counted, and their weights have to add up to 8:
//!
//! ```text
//!   C alone is T     its image is the reflection that turns the top left quarter's rows into columns:
//!                    of a filling of this quarter and its mirror image the greater one gets 8
//!   D alone is T'    the same for the top right quarter
//!   C alone is T'    its image is a quarter turn, in which D alone is T: the former gets 8,
//!   D alone is T     the latter 0
//!   B alone          4, and so does the image
//!   two of B, C, D   8 if these are C and D, else 0: C and D are T's neighbours when the sets are
//!                    laid round the square, so of three tied sets in a row the middle one gets all
//!   B, C and D       2, like the other three
//! ```
//!
//! So a half board that ties is the first of two, the second, or (with at most one queen in the top
//! quarter) its own image, and with J the disjoint pairs of two lists an untied B has
//!
//! ```text
//!   8 J(plain + first, plain' + first') + 4 J(same, plain') + 4 J(plain, same')
//!     + 8 (J(tied, tied') - J(first, first'))
//! ```
//!
//! solutions, a tied one 4 J(plain, plain') + 2 J(tied, tied').
//!
//! # Odd n
//!
//! The queen of the middle column stands a rows above the centre, that of the middle row b columns
//! to the left of it (negative: below, to the right). The eight symmetries send (a, b) to (±a, ±b)
//! and (±b, ±a), and |a| = |b| > 0 is impossible, as the two would attack each other along a
//! diagonal. So count only 0 < b < a, 8 solutions for each. Otherwise a = b = 0: one queen in
//! the centre, and the rest is like even n.

use std::sync::Arc;

use super::corner::{Closed, Corner};
use super::filling::Squares;
use super::quarter::Quarters;
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

/// Which quarters are found once and kept for all workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    All,
    /// At most so many bytes of lower ones: a subtree needs many of them, and one upper one a side.
    Bottoms(usize),
}

/// The queens on the middle lines, or the places for them, and the quarters that they leave.
#[derive(Debug)]
pub(super) struct Case {
    pub middle: Middle,
    pub subsets: Arc<Subsets>,
    /// Rows of the upper quarters that are free.
    pub top_rows: u32,
    /// The row that the left half has in any case, as a mask: the middle row, if its queen is not
    /// on the centre.
    pub left_row: u32,
    /// The upper and the lower quarters. Right halves are built as mirror images of left ones.
    pub top: Quarters,
    pub bottom: Quarters,
}

impl Middle {
    /// What its queens close of the upper and of the lower quarters, of h columns.
    fn closed(self, h: u32) -> [Closed; 2] {
        let none = Closed::default();
        match self {
            Self::None => [none; 2],
            // From every corner, a queen on the centre stands on square (h, h).
            Self::Centre => [Closed { falling: 1 << h, ..none }; 2],
            // Seen from a top quarter the queen stands on square (h - a, h); seen from a bottom one,
            // where rows are counted from the lower border, on (h + a, h). The queen of the middle row
            // is fewer than a columns from the centre.
            Self::Above(a) => [
                Closed {
                    falling: 1 << (h + a),
                    rising: 1 << (2 * h - a),
                    middle_row: (2 << (h - a)) - 1,
                },
                Closed { falling: 1 << (h - a), ..none },
            ],
        }
    }
}

/// Every case of the board.
pub(super) fn cases(subsets: &Arc<Subsets>, keep: Keep) -> Vec<Case> {
    let new = |corner, closed, bytes| Quarters::new(Squares::new(subsets, corner, closed), bytes);
    let all_bottoms = match keep {
        Keep::All => None,
        Keep::Bottoms(bytes) => Some(new(Corner::Bottom, Closed::default(), bytes)),
    };
    let case = |middle: Middle| {
        let h = subsets.sizes.h;
        let [above, below] = middle.closed(h);
        let (top, bottom) = match &all_bottoms {
            None => (new(Corner::Top, above, usize::MAX), new(Corner::Bottom, below, usize::MAX)),
            Some(all) => (new(Corner::Top, above, 0), Quarters::bottom(below, all)),
        };
        let (row_of_queen, left_row) = match middle {
            Middle::Above(a) => (1 << (h - a), 1 << h),
            Middle::None | Middle::Centre => (0, 0),
        };
        let (subsets, top_rows) = (Arc::clone(subsets), subsets.full() & !row_of_queen);
        Case { middle, subsets, top_rows, left_row, top, bottom }
    };
    if subsets.sizes.n.is_multiple_of(2) {
        return vec![case(Middle::None)];
    }
    let above = (2..=subsets.sizes.h).map(Middle::Above);
    [Middle::Centre].into_iter().chain(above).map(case).collect()
}

impl Case {
    /// The sets of so many rows above the middle that solutions which are counted can have.
    pub(super) fn tops(&self, size: u32) -> impl Iterator<Item = u32> {
        let counted = |top: u32| !self.is_ordered() || self.subsets.is_greater_half(top);
        let tops = self.subsets.of_size(size).iter().copied();
        tops.filter(move |&top| top & !self.top_rows == 0 && counted(top))
    }

    /// The sets of rows below the middle that bring the left half to h queens, `size` of them above it.
    pub(super) fn bottoms(&self, size: u32) -> &[u32] {
        let queens = size + self.left_row.count_ones();
        let rest = self.subsets.sizes.h.checked_sub(queens);
        rest.map_or(&[], |rest| self.subsets.of_size(rest))
    }

    /// Whether `top` and `bottom` can be the rows of a solution that is counted.
    pub(super) fn allows(&self, top: u32, bottom: u32) -> bool {
        !self.is_ordered() || self.subsets.rank(bottom) <= self.subsets.rank(top)
    }

    /// Whether T must be the greatest of the eight sets.
    pub(super) fn is_ordered(&self) -> bool {
        !matches!(self.middle, Middle::Above(_))
    }
}
