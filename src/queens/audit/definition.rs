//! Which solutions of a row set are counted, and how often: as the comment of `halves::case` defines it, written
//! a second time without any code of that engine.
//!
//! Rows and columns of a quarter are counted from the border. T and B are the rows of the queens of the top left
//! and the bottom left quarter, C and D the columns of those of the top left and the top right quarter; each a
//! subset of `0..h`, h = n / 2. The other four of the eight sets are their complements T', B', C', D'.
//!
//! For odd n without a queen on the centre the eight sets do not matter: each solution counts 8.

use std::ops::Range;

/// A subset of `0..h`, which is the rows or the columns of a quarter.
pub(super) type Set = u32;

/// The complement of `set`.
pub(super) fn complement(set: Set, h: u32) -> Set {
    !set & ((1 << h) - 1)
}

/// The order of the subsets: more elements are greater, then the first difference decides, counted from the
/// border: the set that has that element is greater.
fn order(set: Set, h: u32) -> (u32, u32) {
    let from_border = (0..h).fold(0, |number, element| number << 1 | (set >> element & 1));
    (set.count_ones(), from_border)
}

/// A set and its complement have one rank, the greater place of the two in the order.
fn rank(set: Set, h: u32) -> (u32, u32) {
    order(set, h).max(order(complement(set, h), h))
}

/// Whether T and B are the rows of solutions that are counted, where T has to be the greatest of the eight sets.
pub(super) fn is_counted(top: Set, bottom: Set, h: u32) -> bool {
    order(top, h) > order(complement(top, h), h) && rank(bottom, h) <= rank(top, h)
}

/// How one of the sets B, C and D relates to T.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// It has a lower rank.
    Lower,
    /// It is T.
    Top,
    /// It is T'.
    Complement,
}

impl Tie {
    /// How `set` relates to `top`; `None` if its rank is higher, and the solution is not counted.
    pub(super) fn of(set: Set, top: Set, h: u32) -> Option<Self> {
        match rank(set, h).cmp(&rank(top, h)) {
            std::cmp::Ordering::Less => Some(Self::Lower),
            std::cmp::Ordering::Equal if set == top => Some(Self::Top),
            std::cmp::Ordering::Equal => Some(Self::Complement),
            std::cmp::Ordering::Greater => None,
        }
    }
}

/// How many solutions a solution stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Number(u64),
    /// It depends on the filling of the top left quarter, see [`mirror_weight`].
    OfLeftQuarter,
    /// It depends on the filling of the top right quarter.
    OfRightQuarter,
}

/// The weight by the ties of B, C and D with T.
pub(super) fn weight(b: Tie, c: Tie, d: Tie) -> Weight {
    use Tie::{Complement, Lower, Top};
    use Weight::{Number, OfLeftQuarter, OfRightQuarter};
    match (b, c, d) {
        (Lower, Lower, Lower) => Number(8),
        (Lower, Top, Lower) => OfLeftQuarter,
        (Lower, Lower, Complement) => OfRightQuarter,
        (Lower, Complement, Lower) => Number(8),
        (Lower, Lower, Top) => Number(0),
        (Lower, _, _) => Number(8),
        (_, Lower, Lower) => Number(4),
        (_, Lower, _) | (_, _, Lower) => Number(0),
        (_, _, _) => Number(2),
    }
}

/// The weight of a filling of a quarter whose rows and columns are the same set, by the first element i of the
/// set for which the queen of row i and the queen of column i are two: `column` is that of the queen of row i, `row`
/// that of the queen of column i.
pub(super) fn mirror_weight(first_difference: Option<(u32, u32)>) -> u64 {
    match first_difference {
        None => 4,
        Some((column, row)) if column > row => 8,
        Some(_) => 0,
    }
}

/// The columns that the queen of the middle row may have if the queen of the middle column stands `above`
/// rows above the centre: fewer than `above` columns to the left of the centre.
pub(super) fn left_of_centre(above: u32, h: u32) -> Range<u32> {
    h - above + 1..h
}
