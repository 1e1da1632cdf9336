//! Cutting a board into subtrees.

use super::case::{Case, Middle};
use super::corner::Sizes;
use super::cost::{CostModel, work};
use super::slice::Cut;
use super::subsets::Subsets;
use crate::queens::count::SUBTREE_BYTES;

/// Subtrees are cut so that none is estimated to take more than this part of the whole, or is a
/// single row set of a board of up to [`WHOLE`]. Small
/// boards are over too soon to need as many; on large ones a subtree is what a killed run loses, so
/// to n = 26 it should be over in seconds, and on larger boards, which take some 1.5 · 10^4 and
/// 1.5 · 10^5 hours of a core, within a minute.
fn parts(n: u32) -> f64 {
    match n {
        ..=26 => f64::from(1u32 << (n.max(10) - 7)),
        27 => f64::from(1u32 << 21),
        28.. => f64::from(1u32 << 23),
    }
}

/// An upper estimate of the bytes that subtrees take: there are up to half as many again as were
/// wanted (12.2 million at n = 28).
pub(super) fn bytes(n: u32) -> u64 {
    (1.5 * parts(n) + 256.0) as u64 * SUBTREE_BYTES
}

/// The share of the work that is left when a slice loses the busiest diagonal; what has it gets the
/// rest. Each diagonal sieves out a fifth to a third of the pairs.
const WITHOUT: f64 = 0.6;
/// To this size no row set is cut: the longest of n = 26 is estimated at a few seconds.
const WHOLE: u32 = 26;
/// The most diagonals to cut a row set by, so that a path fits into its number.
const DEEPEST: u8 = 15;

/// A subtree: the row sets that share the rows above the middle and whose rows below it lie in a
/// range, or a slice of one row set. Small, since the largest boards have millions.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    pub(super) case: u8,
    pub(super) cut: Cut,
    /// Rows of the left half above the middle.
    pub(super) top: u16,
    /// Positions of the row sets below the middle.
    pub(super) first: u16,
    pub(super) last: u16,
    /// The part of the whole work.
    pub(super) share: f32,
}

impl Unit {
    /// The estimated cost; those of all subtrees add up to about 10^12.
    pub fn cost(&self) -> u64 {
        (f64::from(self.share) * 1e12) as u64 + 1
    }
}

/// Cuts a board into subtrees.
pub(super) struct Layout<'a> {
    pub sizes: Sizes,
    pub subsets: &'a Subsets,
    pub cases: &'a [Case],
    pub costs: &'a CostModel,
}

impl Layout<'_> {
    /// The subtrees, in an order that depends on n alone.
    pub(super) fn units(&self) -> Vec<Unit> {
        let mut total = 0.0;
        self.for_each_top(|case, top| {
            self.for_each_bottom(case, top, |_, work| total += work);
        });
        let most = 1.0 / parts(self.sizes.n);
        let mut units = Vec::new();
        self.for_each_top(|case, top| {
            let (case, top) = (case as u8, top as u16);
            let unit = |first, last, share| Unit {
                case,
                cut: Cut::default(),
                top,
                first: first as u16,
                last: last as u16,
                share: share as f32,
            };
            let (mut first, mut end, mut sum) = (0, 0, 0.0);
            self.for_each_bottom(usize::from(case), u32::from(top), |position, work| {
                let work = work / total;
                if sum > 0.0 && sum + work > most {
                    units.push(unit(first, end, sum));
                    (first, sum) = (position, 0.0);
                }
                end = position + 1;
                if work > most && self.sizes.n > WHOLE {
                    cut(&unit(position, end, work), most, &mut units);
                    first = end;
                } else {
                    sum += work;
                }
            });
            if sum > 0.0 {
                units.push(unit(first, end, sum));
            }
        });
        units
    }

    fn for_each_top(&self, mut found: impl FnMut(usize, u32)) {
        for (index, case) in self.cases.iter().enumerate() {
            for top in 0..=self.subsets.full() {
                let counted = !case.is_ordered() || self.subsets.is_greater_half(top);
                if top & !case.top_rows == 0 && counted {
                    found(index, top);
                }
            }
        }
    }

    /// The row sets below the middle that go with `top`: position and estimated work.
    fn for_each_bottom(&self, case: usize, top: u32, mut found: impl FnMut(u32, f64)) {
        let (case, subsets) = (&self.cases[case], self.subsets);
        let rest = case.top_rows & !top;
        let share = |rows: u32| {
            let peers = subsets.of_size(rows.count_ones());
            let allowed = peers.iter().filter(|&&columns| case.allows(top, columns, subsets));
            allowed.count() as f64 / peers.len() as f64
        };
        let sides = match case.middle {
            Middle::Above(a) => f64::from(a - 1) / f64::from(subsets.full().count_ones()),
            Middle::None | Middle::Centre => 1.0,
        };
        let (left_share, right_share) = (share(top) * sides, share(rest));
        let (left, right) = (self.costs.half_boards(top), self.costs.half_boards(rest));
        for (position, &bottom) in case.bottoms(top, subsets).iter().enumerate() {
            if case.allows(top, bottom, subsets) {
                let other = subsets.full() & !bottom;
                found(position as u32, work(left(bottom) * left_share, right(other) * right_share));
            }
        }
    }
}

/// Cuts a row set into slices until none is estimated to take more than the share `most`.
pub(super) fn cut(unit: &Unit, most: f64, units: &mut Vec<Unit>) {
    let Cut { depth, path } = unit.cut;
    if f64::from(unit.share) <= most || depth == DEEPEST {
        units.push(unit.clone());
        return;
    }
    for (bit, part) in [(0, WITHOUT), (1, 1.0 - WITHOUT)] {
        let cut_below = Cut { depth: depth + 1, path: path | bit << depth };
        let share = (f64::from(unit.share) * part) as f32;
        cut(&Unit { cut: cut_below, share, ..unit.clone() }, most, units);
    }
}
