//! Cutting a board into subtrees.

use super::case::{Case, Middle};
use super::cost::{Costs, work};
use super::quarter::Sizes;
use super::subsets::Subsets;

/// Subtrees are cut so that none is estimated to take more than this part of the whole, unless it
/// is a single row set. Small boards are over too soon to need as many; on large ones a subtree is
/// what a killed run loses, so it should be over in seconds as far as journals of some hundred
/// thousand records allow it.
fn parts(n: u32) -> f64 {
    f64::from(1u32 << (n.clamp(10, 26) - 7))
}

/// A subtree: the row sets that share the rows above the middle and whose rows below it lie in a
/// range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub(super) case: u32,
    /// Rows of the left half above the middle.
    pub(super) top: u32,
    /// Positions of the row sets below the middle.
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) cost: u64,
}

impl Unit {
    /// The estimated cost; those of all subtrees add up to about 10^12.
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

/// Cuts a board into subtrees.
pub(super) struct Layout<'a> {
    pub sizes: Sizes,
    pub subsets: &'a Subsets,
    pub cases: &'a [Case],
    pub costs: &'a Costs,
}

impl Layout<'_> {
    /// The subtrees, in an order that depends on n alone.
    pub(super) fn units(&self) -> Vec<Unit> {
        let mut total = 0.0;
        self.for_each_top(|case, top| {
            self.for_each_bottom(case, top, |_, work| total += work);
        });
        let parts = parts(self.sizes.n);
        let mut units = Vec::new();
        self.for_each_top(|case, top| {
            let (mut first, mut sum) = (0, 0.0);
            let mut close = |first: &mut u32, last: u32, sum: &mut f64| {
                if *sum > 0.0 {
                    let cost = (*sum / total * 1e12) as u64 + 1;
                    units.push(Unit { case: case as u32, top, first: *first, last, cost });
                }
                (*first, *sum) = (last, 0.0);
            };
            let mut end = 0;
            self.for_each_bottom(case, top, |position, work| {
                if sum + work > total / parts {
                    close(&mut first, position, &mut sum);
                }
                sum += work;
                end = position + 1;
            });
            close(&mut first, end, &mut sum);
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
