//! Cutting a board into subtrees.

use std::ops::Range;

use super::case::{Case, Middle};
use super::corner::Sizes;
use super::cost::{CostModel, work};
use crate::search::SUBTREE_BYTES;

/// Subtrees are cut so that none is estimated to take more than this part of the whole, unless, on a
/// board of up to [`WHOLE`], its row sets are the same below the middle. Small
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
pub(super) const WHOLE: u32 = 26;
/// The most diagonals to cut a row set by, so that a path fits into its number.
const DEEPEST: u8 = 15;

/// Upper quarters are so many times as dear as lower ones, which share more partial fillings with their
/// neighbours (n = 24: finding quarters takes 4 % of the time with it, 8 % if they were equal).
const UPPER: f64 = 3.0;

/// A subtree: row sets that have as many rows above the middle, these from a range, and those below
/// from another, or a slice of one row set. Small, since the largest boards have millions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    pub case: u8,
    pub cut: Cut,
    /// The number of rows of the left half above the middle.
    pub size: u8,
    /// Positions of these rows in [`Case::tops`].
    pub tops: Part,
    /// Positions of the rows below the middle in [`Case::bottoms`].
    pub bottoms: Part,
    /// The part of the whole work.
    pub share: f32,
}

/// One of the slices that a row set is cut into beforehand: for each of the first `depth` diagonals
/// of a list, bit by bit from the lowest, `path` has 0 for the part without the diagonal and 1 for
/// that with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cut {
    pub depth: u8,
    pub path: u16,
}

/// Neighbours in a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub first: u16,
    pub last: u16,
}

impl Part {
    fn new(positions: Range<usize>) -> Self {
        Self { first: positions.start as u16, last: positions.end as u16 }
    }

    fn range(self) -> Range<usize> {
        self.first.into()..self.last.into()
    }
}

impl Unit {
    /// The rows above the middle.
    pub fn tops<'a>(&self, case: &'a Case) -> impl Iterator<Item = u32> + use<'a> {
        let Range { start, end } = self.tops.range();
        case.tops(self.size.into()).skip(start).take(end - start)
    }

    /// The rows below it.
    pub fn bottoms<'a>(&self, case: &'a Case) -> &'a [u32] {
        &case.bottoms(self.size.into())[self.bottoms.range()]
    }

    /// The estimated cost; those of all subtrees add up to about 10^12.
    pub fn cost(&self) -> u64 {
        (f64::from(self.share) * 1e12) as u64 + 1
    }
}

/// Cuts a board into subtrees.
pub(super) struct Layout<'a> {
    pub sizes: Sizes,
    pub cases: &'a [Case],
    pub costs: &'a CostModel,
}

impl Layout<'_> {
    /// The subtrees, in an order that depends on n alone.
    pub(super) fn units(&self) -> Vec<Unit> {
        let sizes = 0..=self.sizes.h;
        let alike = |case| sizes.clone().map(move |size| self.alike(case, size));
        let all: Vec<Alike> = (0..self.cases.len()).flat_map(alike).collect();
        let total = all.iter().map(|alike| alike.work).sum::<f64>();
        let most = 1.0 / parts(self.sizes.n);
        let mut units = Vec::new();
        all.iter().for_each(|alike| self.cut_alike(alike, most, total, &mut units));
        units.shrink_to_fit();
        units
    }

    fn alike(&self, case: usize, size: u32) -> Alike {
        let tops: Vec<u32> = self.cases[case].tops(size).collect();
        let (mut work, mut row_sets) = (0.0, 0u32);
        for &top in &tops {
            self.for_each_bottom(case, top, |_, found| {
                work += found;
                row_sets += 1;
            });
        }
        Alike { case, size, tops, work, row_sets }
    }

    /// Cuts row sets into subtrees of as many rows above the middle as below it, about, so that quarters
    /// of both are needed by as few subtrees as can be.
    fn cut_alike(&self, alike: &Alike, most: f64, total: f64, units: &mut Vec<Unit>) {
        let Alike { case, size, ref tops, work, row_sets } = *alike;
        let row_sets = most * total / work * f64::from(row_sets);
        // What is cut by diagonals stands alone.
        let abreast = if self.sizes.n > WHOLE { 1.0 } else { (row_sets / UPPER).sqrt().max(1.0) };
        let abreast = abreast as usize;
        let mut works = Vec::new();
        for (group, tops) in tops.chunks(abreast).enumerate() {
            works.clear();
            works.resize(self.cases[case].bottoms(size).len(), 0.0);
            for &top in tops {
                self.for_each_bottom(case, top, |position, work| works[position] += work / total);
            }
            let first = group * abreast;
            let tops = Part::new(first..first + tops.len());
            let unit = |bottoms, share| Unit {
                case: case as u8,
                cut: Cut::default(),
                size: size as u8,
                tops,
                bottoms: Part::new(bottoms),
                share: share as f32,
            };
            self.cut_group(&works, most, unit, units);
        }
    }

    /// Cuts a group of rows above the middle into ranges of those below it, which take so much work each.
    fn cut_group(
        &self,
        works: &[f64],
        most: f64,
        unit: impl Fn(Range<usize>, f64) -> Unit,
        units: &mut Vec<Unit>,
    ) {
        let (mut first, mut sum) = (0, 0.0);
        for (position, &work) in works.iter().enumerate() {
            if sum > 0.0 && sum + work > most {
                units.push(unit(first..position, sum));
                (first, sum) = (position, 0.0);
            }
            if work > most && self.sizes.n > WHOLE {
                cut(&unit(position..position + 1, work), most, units);
                first = position + 1;
            } else {
                sum += work;
            }
        }
        if sum > 0.0 {
            units.push(unit(first..works.len(), sum));
        }
    }

    /// The row sets below the middle that go with `top`: position and estimated work.
    fn for_each_bottom(&self, case: usize, top: u32, mut found: impl FnMut(usize, f64)) {
        let case = &self.cases[case];
        let subsets = &case.subsets;
        let rest = case.top_rows & !top;
        let share = |rows: u32| {
            let peers = subsets.of_size(rows.count_ones());
            let allowed = peers.iter().filter(|&&columns| case.allows(top, columns));
            allowed.count() as f64 / peers.len() as f64
        };
        let sides = match case.middle {
            Middle::Above(a) => f64::from(a - 1) / f64::from(self.sizes.h),
            Middle::None | Middle::Centre => 1.0,
        };
        let (left_share, right_share) = (share(top) * sides, share(rest));
        let (left, right) = (self.costs.half_boards(top), self.costs.half_boards(rest));
        for (position, &bottom) in case.bottoms(top.count_ones()).iter().enumerate() {
            if case.allows(top, bottom) {
                let other = subsets.full() & !bottom;
                found(position, work(left(bottom) * left_share, right(other) * right_share));
            }
        }
    }
}

/// Row sets of one case with as many rows above the middle.
struct Alike {
    case: usize,
    size: u32,
    tops: Vec<u32>,
    /// The estimated work, in no unit, and the number of row sets.
    work: f64,
    row_sets: u32,
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

#[cfg(test)]
mod tests;
