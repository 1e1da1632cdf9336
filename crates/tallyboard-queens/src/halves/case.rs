//! Which boards to count, so that every solution is counted once for all its symmetric images.
//!
//! # Even n
//!
//! Cut the board into quarters and number rows and columns from the border. The rows and the columns
//! that a solution uses in each quarter are eight subsets of 0..h:
//!
//! ```text
//!   rows     top left T | top right T'         T', B', C', D' are the complements of T, B, C, D:
//!         bottom left B | bottom right B'      a row without a queen in the left half has one in the
//!   columns  top left C | top right D          right half, and a column without a queen above the
//!         bottom left C'| bottom right D'      middle has one below it
//! ```
//!
//! Each of the eight symmetries of the square moves another of the eight sets into the place of T.
//! So fix a total order of the subsets and count only the solutions in which T is the greatest of the
//! eight. Each has the *weight* 8: it stands for its eight images. T and B are known before a half board
//! is built; C limits only left half boards and D only right ones. So this only shortens the lists.
//!
//! For B, C and D the order takes a set and its complement as equal. So each of them *ties* with T if it is T or T'.
//! Then several images of a solution are counted, and their weights must add up to 8:
//!
//! ```text
//!   C alone is T     the image by reflection in the main diagonal is counted too. The filling of the top
//!                    left quarter is compared with its mirror image, row by row: the one whose queen
//!                    has the larger column in the first row that differs gets 8; equal ones get 4
//!   D alone is T'    likewise, with the top right quarter
//!   C alone is T'    its image by a quarter turn has D alone equal to T:
//!   D alone is T     the former gets 8, the latter 0
//!   B alone          4, and so does the image
//!   C and D          8: a symmetry moves the sets round the ring T, C, B, D. Three tied sets stand next to
//!                    each other in it, and the image is counted that has the middle one of them in
//!                    the place of T: here they are D, T, C, and it is this solution
//!   B and C          0: they are T, C, B with C in the middle, so another image is counted
//!   B and D          0: they are B, D, T with D in the middle, so another image is counted
//!   B, C and D       2, and so do the other three images
//! ```
//!
//! So a half board that ties is the *first* of two images (weight 8), the *second* (0), or the *same*
//! as its image (4; its top quarter has one queen at most). The others are *plain*; the list *tied* is first, second and same
//! together. Let J(a, b) be the number of disjoint pairs of a left half board of list a and a right one of list b; the lists
//! of the left side have an L, those of the right an R. If B is not tied, there are
//!
//! ```text
//!   8 J(plainL + firstL, plainR + firstR) + 4 J(sameL, plainR) + 4 J(plainL, sameR)
//!     + 8 (J(tiedL, tiedR) - J(firstL, firstR))
//! ```
//! solutions, images included. The first line has the pairs in which at most one of C and D ties, and also all pairs of
//! two firsts. The second line has the pairs in which both tie, without those pairs of two firsts. If B is tied, there
//! are 4 J(plainL, plainR) + 2 J(tiedL, tiedR) solutions.
//!
//! # Odd n
//!
//! The queen of the middle column stands a rows above the centre, that of the middle row b columns
//! to the left of it (negative: below, to the right). The eight symmetries send (a, b) to (±a, ±b)
//! and (±b, ±a). |a| = |b| > 0 is impossible: the two queens would attack each other along a
//! diagonal. So count only solutions with 0 < b < a, with the weight 8. In the one other case,
//! a = b = 0, one queen stands on the centre and the rules for even n apply.

use std::sync::Arc;

use crate::halves::quarter::{Quarters, Squares};
use crate::halves::subsets::{Closed, Corner, Subsets};

/// The queens on the middle row and the middle column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Middle {
    /// Nothing: n is even.
    None,
    /// One queen on the centre.
    Centre,
    /// A queen on the middle column, this many rows above the centre, and a queen on the middle row, in the left half,
    /// fewer columns to the left of the centre.
    Above(u32),
}

/// Which quarters are found once and kept for all workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    All,
    /// Only lower quarters, up to this many bytes: on large boards a subtree needs many of them, but only
    /// one upper quarter per side.
    Bottoms(usize),
}

/// A *case*: the places of the queens on the middle row and column, and the quarters that they allow.
#[derive(Debug)]
pub(super) struct Case {
    pub middle: Middle,
    pub subsets: Arc<Subsets>,
    /// Rows above the middle whose queen is not on the middle column, as a mask.
    pub top_rows: u32,
    /// The middle row, as a mask, if the left half holds its queen; else 0.
    pub left_row: u32,
    /// The upper quarters of the left half. Those of the right half are mirror images.
    pub top: Quarters,
    /// The lower quarters of the left half.
    pub bottom: Quarters,
}

impl Middle {
    /// What its queens close in the upper and in the lower quarters, which have h columns.
    fn closed(self, h: u32) -> [Closed; 2] {
        let none = Closed::default();
        match self {
            Self::None => [none; 2],
            // Counted from any corner, a queen on the centre stands on square (h, h).
            Self::Centre => [Closed { falling: 1 << h, ..none }; 2],
            // Counted from a top corner the queen stands on square (h - a, h), counted from a bottom one on
            // (h + a, h). The queen of the middle row is fewer than a columns from the centre, so the columns
            // from 0 to h - a are closed to it.
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

/// Values for the limit on the bytes of kept quarters, `max_bytes` of [`Quarters::new`].
const KEEP_NONE: usize = 0;
const KEEP_ALL: usize = usize::MAX;

/// All cases of the board.
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
            None => (new(Corner::Top, above, KEEP_ALL), new(Corner::Bottom, below, KEEP_ALL)),
            Some(all) => (new(Corner::Top, above, KEEP_NONE), Quarters::chosen_from(below, all)),
        };
        let (row_of_queen, left_row) = match middle {
            Middle::Above(a) => (1 << (h - a), 1 << h),
            Middle::None | Middle::Centre => (0, 0),
        };
        let top_rows = subsets.full() & !row_of_queen;
        Case { middle, subsets: Arc::clone(subsets), top_rows, left_row, top, bottom }
    };
    if subsets.sizes.n.is_multiple_of(2) {
        return vec![case(Middle::None)];
    }
    // 0 < b < a.
    let above = (2..=subsets.sizes.h).map(Middle::Above);
    [Middle::Centre].into_iter().chain(above).map(case).collect()
}

impl Case {
    /// The sets of `size` rows above the middle that the left half can have in counted solutions.
    pub(super) fn tops(&self, size: u32) -> impl Iterator<Item = u32> {
        let counted = |top: u32| !self.is_ordered() || self.subsets.exceeds_complement(top);
        let tops = self.subsets.of_size(size).iter().copied();
        tops.filter(move |&top| top & !self.top_rows == 0 && counted(top))
    }

    /// The sets of rows below the middle that, with `size` rows above it, give the left half h queens.
    pub(super) fn bottoms(&self, size: u32) -> &[u32] {
        let queens = size + self.left_row.count_ones();
        let below = self.subsets.sizes.h.checked_sub(queens);
        below.map_or(&[], |below| self.subsets.of_size(below))
    }

    /// Whether a counted solution with T = `top` can have `other` as another of its eight sets.
    pub(super) fn allows(&self, top: u32, other: u32) -> bool {
        !self.is_ordered() || self.subsets.rank(other) <= self.subsets.rank(top)
    }

    /// Whether T must be the greatest of the eight sets.
    pub(super) fn is_ordered(&self) -> bool {
        !matches!(self.middle, Middle::Above(_))
    }
}
