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

use super::corner::{Closed, Corner, Sizes};
use super::half::Half;
use super::memory::Keep;
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

/// Every case of the board.
pub(super) fn cases(sizes: Sizes, keep: Keep) -> Vec<Case> {
    let bottoms = match keep {
        Keep::All => None,
        Keep::Bottoms(bytes) => {
            Some(Quarters::new(sizes, Corner::Bottom, Closed::default(), bytes))
        }
    };
    let quarters = |top, bottom| match &bottoms {
        None => [(Corner::Top, top), (Corner::Bottom, bottom)]
            .map(|(corner, closed)| Quarters::new(sizes, corner, closed, usize::MAX)),
        Some(all) => {
            [Quarters::new(sizes, Corner::Top, top, 0), Quarters::bottom(sizes, bottom, all)]
        }
    };
    if sizes.n.is_multiple_of(2) {
        return vec![Case::symmetric(sizes, Middle::None, quarters)];
    }
    std::iter::once(Case::symmetric(sizes, Middle::Centre, quarters))
        .chain((2..=sizes.h).map(|a| Case::above(sizes, a, quarters)))
        .collect()
}

impl Case {
    /// With the quarters that `quarters` makes of what the middle lines close of upper and lower ones.
    fn symmetric(
        sizes: Sizes,
        middle: Middle,
        quarters: impl Fn(Closed, Closed) -> [Quarters; 2],
    ) -> Self {
        let h = sizes.h;
        // From every corner, a queen on the centre stands on square (h, h).
        let falling = if middle == Middle::Centre { 1 << h } else { 0 };
        let closed = Closed { falling, ..Closed::default() };
        let [top, bottom] = quarters(closed, closed);
        Self { middle, top_rows: (1 << h) - 1, left_row: 0, top, bottom }
    }

    fn above(sizes: Sizes, a: u32, quarters: impl Fn(Closed, Closed) -> [Quarters; 2]) -> Self {
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
        let [top, bottom] = quarters(top, bottom);
        let top_rows = ((1 << h) - 1) & !(1 << (h - a));
        Self { middle: Middle::Above(a), top_rows, left_row: 1 << h, top, bottom }
    }

    #[cfg(test)]
    pub(super) fn with_bottom(sizes: Sizes, bottom: Quarters) -> Self {
        let all = |corner| Quarters::new(sizes, corner, Closed::default(), 0);
        let quarters = |_, _| [Corner::Top, Corner::Bottom].map(all);
        Self { bottom, ..Self::symmetric(sizes, Middle::None, quarters) }
    }

    /// The sets of so many rows above the middle that solutions which are counted can have.
    pub(super) fn tops<'a>(
        &self,
        size: u32,
        subsets: &'a Subsets,
    ) -> impl Iterator<Item = u32> + 'a {
        let (ordered, rows) = (self.is_ordered(), self.top_rows);
        let counted = move |top: u32| !ordered || subsets.is_greater_half(top);
        let tops = subsets.of_size(size).iter().copied();
        tops.filter(move |&top| top & !rows == 0 && counted(top))
    }

    /// The sets of rows below the middle that bring the left half to h queens, `size` of them above it.
    pub(super) fn bottoms<'a>(&self, size: u32, subsets: &'a Subsets) -> &'a [u32] {
        let h = subsets.full().count_ones();
        let queens = size + self.left_row.count_ones();
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

/// The solutions of a row set, their images included, by a function that counts disjoint pairs.
/// `tied` says whether B ties with T.
pub(super) fn solutions<E>(
    tied: bool,
    left: &Half,
    right: &Half,
    mut pairs: impl FnMut(&[u64], &[u64]) -> Result<u64, E>,
) -> Result<u64, E> {
    let both = pairs(left.tied(), right.tied())?;
    let sum = |products: &[(u64, u64)]| {
        products
            .iter()
            .try_fold(0u64, |sum, (weight, pairs)| sum.checked_add(weight.checked_mul(*pairs)?))
    };
    let solutions = if tied {
        sum(&[(4, pairs(left.plain(), right.plain())?), (2, both)])
    } else {
        sum(&[
            (8, pairs(left.whole(), right.whole())?),
            (4, pairs(left.same(), right.plain())?),
            (4, pairs(left.plain(), right.same())?),
            (8, both - pairs(left.first(), right.first())?),
        ])
    };
    Ok(solutions.expect("a row set's count fits in 64 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a half board is by its ties, in the order of the parts of a [`Half`].
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Tie {
        Plain,
        First,
        Same,
        Second,
    }
    use Tie::{First, Plain, Same, Second};

    /// The weights of the table above, for a pair of half boards of which neither, one or both tie.
    fn weight(tied: bool, left: Tie, right: Tie) -> u64 {
        match (tied, left, right) {
            (false, Plain, Plain) => 8,
            (false, Plain, tie) | (false, tie, Plain) => match tie {
                First => 8,
                Same => 4,
                Plain | Second => 0,
            },
            (false, ..) => 8,
            (true, Plain, Plain) => 4,
            (true, Plain, _) | (true, _, Plain) => 0,
            (true, ..) => 2,
        }
    }

    #[test]
    fn every_kind_of_tie_has_its_weight() {
        // Different numbers of each kind, so that no two kinds can be taken for one another.
        let parts = [
            (Plain, vec![0b1, 0b10, 0b100, 0b1000, 0b10000]),
            (First, vec![0b11, 0b110, 0b1100]),
            (Same, vec![0b101, 0b1010]),
            (Second, vec![0b1001]),
        ];
        let list = |reversed: bool| -> Vec<(Tie, u64)> {
            let keys = parts.iter().flat_map(|(tie, keys)| keys.iter().map(|&key| (*tie, key)));
            keys.map(|(tie, key)| (tie, if reversed { key ^ 0b11111 } else { key << 1 })).collect()
        };
        let half = |list: &[(Tie, u64)]| {
            let of = |tie| list.iter().filter(|k| k.0 == tie).map(|k| k.1).collect::<Vec<_>>();
            let keys = [Plain, First, Same, Second].map(of);
            Half::of(keys.each_ref().map(Vec::as_slice))
        };
        let pairs = |left: &[u64], right: &[u64]| -> Result<u64, ()> {
            Ok(left.iter().map(|l| right.iter().filter(|&r| l & r == 0).count() as u64).sum())
        };
        let lists = [list(false), list(true)];
        for (left, right) in [(0, 0), (0, 1), (1, 0)].map(|(l, r)| (&lists[l], &lists[r])) {
            for tied in [false, true] {
                let mut expected = 0;
                for (left, l) in left {
                    let met = right.iter().filter(|(_, r)| l & r == 0);
                    expected += met.map(|&(right, _)| weight(tied, *left, right)).sum::<u64>();
                }
                let found = solutions(tied, &half(left), &half(right), pairs);
                assert_eq!(found, Ok(expected), "tied: {tied}, {left:?} {right:?}");
            }
        }
    }
}
