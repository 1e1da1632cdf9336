//! Defines which solutions of a row set are counted, and how often. This is a second implementation of the
//! definition in the comment of `halves::case`, without any code of that engine.
//!
//! Rows and columns of a quarter are counted from the border. T and B are the sets of rows of the queens in the top
//! left and the bottom left quarter. C and D are the sets of columns of the queens in the top left and the top right
//! quarter. Each is a subset of `0..h`, h = n / 2. The other four of the eight sets are the complements T', B', C', D'.
//!
//! If n is odd and no queen stands on the centre, the eight sets do not matter: each solution has weight 8.

use std::ops::Range;

/// A subset of `0..h`, for the rows or the columns of a quarter.
pub(super) type Set = u32;

/// The complement of `set`.
pub(super) fn complement(set: Set, h: u32) -> Set {
    !set & ((1 << h) - 1)
}

/// The place of a subset in the order. A set with more elements is greater. If two sets have equally many, take the
/// first element, counted from the border, that only one of them has: the set with this element is greater.
fn order(set: Set, h: u32) -> (u32, u32) {
    let from_border = (0..h).fold(0, |number, element| number << 1 | (set >> element & 1));
    (set.count_ones(), from_border)
}

/// The rank of a set and of its complement: the greater of their two places in the order.
fn rank(set: Set, h: u32) -> (u32, u32) {
    order(set, h).max(order(complement(set, h), h))
}

/// Whether solutions with the rows T and B may be counted: T has to be the greatest of the eight sets.
pub(super) fn is_counted(top: Set, bottom: Set, h: u32) -> bool {
    order(top, h) > order(complement(top, h), h) && rank(bottom, h) <= rank(top, h)
}

/// How one of the sets B, C and D compares with T. If it is T or T', it *ties* with T.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// It has a lower rank.
    Lower,
    /// It is T.
    Top,
    /// It is T'.
    Complement,
}

impl Relation {
    /// The relation of `set` to `top`. `None` if the rank of `set` is higher; then the solution is not counted.
    pub(super) fn of(set: Set, top: Set, h: u32) -> Option<Self> {
        match rank(set, h).cmp(&rank(top, h)) {
            std::cmp::Ordering::Less => Some(Self::Lower),
            std::cmp::Ordering::Equal if set == top => Some(Self::Top),
            std::cmp::Ordering::Equal => Some(Self::Complement),
            std::cmp::Ordering::Greater => None,
        }
    }
}

/// The number of solutions that a solution stands for, or how to find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Number(u64),
    /// It depends on the filling of the top quarter of one half, see [`mirror_weight`].
    OfTopQuarter {
        is_left: bool,
    },
}

/// The weight by the relations of B, C and D to T: the table in the comment of `halves::case`.
pub(super) fn weight(b: Relation, c: Relation, d: Relation) -> Weight {
    use Relation::{Complement, Lower, Top};
    use Weight::{Number, OfTopQuarter};
    match (b, c, d) {
        (Lower, Lower, Lower) => Number(8),
        (Lower, Top, Lower) => OfTopQuarter { is_left: true },
        (Lower, Lower, Complement) => OfTopQuarter { is_left: false },
        (Lower, Complement, Lower) => Number(8),
        (Lower, Lower, Top) => Number(0),
        (Lower, _, _) => Number(8),
        (_, Lower, Lower) => Number(4),
        (_, Lower, _) | (_, _, Lower) => Number(0),
        (_, _, _) => Number(2),
    }
}

/// The weight of a filling of a quarter whose set of rows is also its set of columns. It depends on the first element i
/// of this set for which row i and column i hold different queens. `first_difference` has the column of the queen in
/// row i, then the row of the queen in column i. It is `None` if there is no such element.
pub(super) fn mirror_weight(first_difference: Option<(u32, u32)>) -> u64 {
    match first_difference {
        None => 4,
        Some((column, row)) if column > row => 8,
        Some(_) => 0,
    }
}

/// The columns where the queen of the middle row may stand, if the queen of the middle column stands `above` rows above
/// the centre: left of the centre, by fewer than `above` columns.
pub(super) fn left_of_centre(above: u32, h: u32) -> Range<u32> {
    h - above + 1..h
}
