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

use tallyboard_base::bits::bits;

use crate::halves::quarter::Quarters;
use crate::halves::quarter::Squares;

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
    /// The upper and the lower quarters of the left half. Those of the right half are mirror images.
    pub top: Quarters,
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

// The subsets of the h rows or columns of a quarter board, by size, and the order that breaks the
// symmetry of the square.

/// All subsets of `0..h`, as masks.
#[derive(Debug, Clone)]
pub(super) struct Subsets {
    pub sizes: Sizes,
    /// The subsets of each size, as ascending numbers.
    of_size: Vec<Vec<u32>>,
    /// The index of each subset among those of its size.
    position: Vec<u32>,
    /// See [`Subsets::rank`].
    rank: Vec<u32>,
}

impl Subsets {
    pub(super) fn new(sizes: Sizes) -> Self {
        let h = sizes.h;
        let full = (1 << h) - 1;
        let mut of_size = vec![Vec::new(); h as usize + 1];
        let mut position = Vec::with_capacity(1 << h);
        for set in 0u32..=full {
            let same_size = &mut of_size[set.count_ones() as usize];
            position.push(same_size.len() as u32);
            same_size.push(set);
        }
        let mut in_order: Vec<u32> = (0..=full).collect();
        in_order.sort_by_key(|&set| order_key(set));
        let mut place = vec![0; 1 << h];
        for (rank, &set) in in_order.iter().enumerate() {
            place[set as usize] = rank as u32;
        }
        let rank =
            (0..=full).map(|set| place[set as usize].max(place[(full & !set) as usize])).collect();
        Self { sizes, of_size, position, rank }
    }

    /// The subset that has all elements.
    pub(super) fn full(&self) -> u32 {
        (1 << self.sizes.h) - 1
    }

    /// The subsets with `size` elements, as ascending numbers; none if there cannot be any.
    pub(super) fn of_size(&self, size: u32) -> &[u32] {
        self.of_size.get(size as usize).map_or(&[], Vec::as_slice)
    }

    /// The index of `set` in [`Subsets::of_size`].
    pub(super) fn position(&self, set: u32) -> usize {
        self.position[set as usize] as usize
    }

    /// The place in the order of [`order_key`] of `set` or of its complement, whichever comes later. The two have the same
    /// rank, and no other set has it.
    pub(super) fn rank(&self, set: u32) -> u32 {
        self.rank[set as usize]
    }

    /// Whether `set` comes after its complement in the order of [`order_key`].
    pub(super) fn exceeds_complement(&self, set: u32) -> bool {
        order_key(set) > order_key(self.full() & !set)
    }
}

/// Orders the subsets. A set with more elements comes later. Of two sets of one size, the one that has the least element in
/// which they differ comes later: elements are counted from the border of the board. Of the orders tried, this one leaves the
/// fewest pairs to test.
fn order_key(set: u32) -> (u32, u32) {
    (set.count_ones(), set.reverse_bits())
}

/// The elements of a set, ascending.
pub(super) fn elements(set: u32) -> impl Iterator<Item = u32> {
    bits(set).map(u32::trailing_zeros)
}

// The corners of a board, and the diagonals of a queen in one of them.
//
// ```text
//   column c  0 1 2 ..  h-1 |            rows and columns are counted from the border,
//  row i  0   . . Q .   .   |            so the four corners look alike
//         1   Q . . .   .   |
//        :                 |  middle    number of the falling diagonal: c - i + h
//       h-1  . . . .   Q   |            number of the rising diagonal:  i + c
//         ------------------+
//               middle
// ```
//
// A diagonal of a quarter reaches another quarter only if it crosses the middle column. In the top
// left quarter, all 2h - 1 falling diagonals do, and the rising ones from number n - h on. A *key*
// has one bit for each diagonal across the middle column that holds a queen: in its low 32 bits the
// diagonals that fall on the board, from left to right; in its high 32 bits those that rise, from
// right to left. So no queens of two parts of the board share a diagonal exactly if their keys are
// disjoint. Mirroring left and right swaps the two 32-bit words: this makes right quarters of left ones.
//
// For odd n the middle row counts as row h of the top quarters.

/// The sizes of a board of n × n squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Rows and columns of the board.
    pub n: u32,
    /// Rows and columns of a quarter: half of n, rounded down.
    pub h: u32,
}

impl Sizes {
    pub(super) fn new(n: u32) -> Self {
        Self { n, h: n / 2 }
    }
}

/// One of the two quarters of a half board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    Top,
    Bottom,
}

impl Corner {
    /// The key of a single queen in row i and column c of this quarter of the left half.
    pub(super) fn key(self, Sizes { n, h }: Sizes, i: u32, c: u32) -> u64 {
        // The falling diagonal through the corner of the board is bit h - 1 of the bits 0 to 2h - 2.
        let falling = 1u64 << (c + h - i) >> 1;
        let mirrored = 1u64 << (h + i - c) >> 1;
        let crosses = i + c >= n - h;
        match self {
            Self::Top => falling | if crosses { 1 << (n + h - 2 - i - c) << 32 } else { 0 },
            Self::Bottom => mirrored << 32 | if crosses { 1 << (i + c + h - n) } else { 0 },
        }
    }
}

/// Which half of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    /// Turns a key of the left half into one of this side: mirrored, if this is the right side.
    #[inline]
    pub(super) fn key(self, key: u64) -> u64 {
        match self {
            Self::Left => key,
            Self::Right => key.rotate_left(32),
        }
    }
}

/// Squares of a quarter that queens on the middle row or the middle column attack, for odd n.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Closed {
    /// Falling diagonals, as bits c - i + h.
    pub falling: u64,
    /// Rising diagonals, as bits i + c.
    pub rising: u64,
    /// Columns of the middle row.
    pub middle_row: u32,
}

impl Closed {
    /// The falling diagonals as key bits of the lower left quarter.
    pub(super) fn diagonals(self, Sizes { h, .. }: Sizes) -> u64 {
        // Mirrored upside down, so the order of the diagonals is reversed, and they rise: they are in the high 32 bits.
        // The diagonal through the corner of the drawing is bit h here and bit h - 1 of these.
        (self.falling << (64 - 2 * h)).reverse_bits() << 32
    }
}

#[cfg(test)]
mod subsets_tests {
    use super::*;

    #[test]
    fn subsets_are_ranked_in_pairs() {
        for h in 1..=8 {
            let subsets = Subsets::new(Sizes::new(2 * h));
            let mut seen = vec![0; 1 << h];
            for set in 0..=subsets.full() {
                assert_eq!(subsets.rank(set), subsets.rank(subsets.full() & !set));
                let same_size = subsets.of_size(set.count_ones());
                assert_eq!(same_size[subsets.position(set)], set);
                seen[subsets.rank(set) as usize] += 1;
                let other = subsets.full() & !set;
                assert_ne!(subsets.exceeds_complement(set), subsets.exceeds_complement(other));
            }
            assert!(seen.iter().all(|&count| count == 0 || count == 2));
        }
    }
}

#[cfg(test)]
mod corner_tests {
    use super::*;

    #[test]
    fn keys_are_disjoint_exactly_if_queens_share_no_diagonal() {
        for n in 4..=9u32 {
            let h = n / 2;
            for (i, c, j, d) in
                (0..h.pow(4)).map(|x| (x % h, x / h % h, x / h / h % h, x / h.pow(3)))
            {
                let key = |corner: Corner, i, c| corner.key(Sizes::new(n), i, c);
                let top = key(Corner::Top, i, c);
                let below = key(Corner::Bottom, j, d);
                let share_diagonal = (n - 1 - j - i) == c.abs_diff(d);
                assert_eq!(top & below != 0, share_diagonal, "n = {n}: {i} {c} over {j} {d}");

                // The right half is the mirror image.
                let share_diagonal = (n - 1 - j - i) == n - 1 - d - c;
                let below_right = Side::Right.key(below);
                assert_eq!(top & below_right != 0, share_diagonal, "n = {n}: {i} {c} and {j} {d}");
                let right = Side::Right.key(key(Corner::Top, j, d));
                let share_diagonal = i.abs_diff(j) == n - 1 - d - c;
                assert_eq!(top & right != 0, share_diagonal, "n = {n}: {i} {c} beside {j} {d}");
            }
        }
    }
}
