//! Cutting a board into subtrees.

use std::ops::Range;

use super::case::{Case, Middle};
use super::corner::Sizes;
use super::cost::{CostModel, work};
use search::list_bytes;

/// The number of subtrees aimed at: none is estimated to take more than 1 / `min_subtrees` of the count. Only
/// row sets that share their rows below the middle may, up to [`MAX_UNCUT_N`]. Small boards need few. On large boards
/// a killed run loses the subtrees under way. So one should take seconds up to n = 26, and less than a minute
/// at n = 27 and 28, whose counts take some 9,000 and 65,000 core hours.
fn min_subtrees(n: u32) -> f64 {
    match n {
        ..=26 => f64::from(1u32 << (n.max(10) - 7)),
        27 => f64::from(1u32 << 21),
        28.. => f64::from(1u32 << 23),
    }
}

/// Upper estimate of the bytes that the list of subtrees takes in a process that counts one of `shards` shards.
pub(super) fn bytes(n: u32, shards: usize) -> u64 {
    list_bytes(max_subtrees(n), max_subtrees(n).div_ceil(shards.max(1) as u64))
}

/// Upper estimate of the number of subtrees: 12.6 million at n = 28, where there are 12.2 million.
pub(super) fn max_subtrees(n: u32) -> u64 {
    (1.5 * min_subtrees(n) + 256.0) as u64
}

/// Estimated share of a slice's work in its part without the busiest diagonal, when it is split by that
/// diagonal. The part with the diagonal has the rest.
const SHARE_WITHOUT: f64 = 0.6;
/// Largest n whose row sets are never cut into subtrees: the longest of n = 26 takes a few seconds by estimate.
pub(super) const MAX_UNCUT_N: u32 = 26;
/// Limit on the diagonals that a row set is cut by: the path of a [`Cut`] has 16 bits.
const MAX_CUT_DEPTH: u8 = 15;

/// Cost of finding an upper quarter, relative to a lower one, which shares more partial fillings with
/// the quarter found before it. Measured at n = 24: finding quarters takes 4 % of the time with this
/// ratio and 8 % with a ratio of 1.
const UPPER_QUARTER_COST: f64 = 3.0;

/// A subtree: the combinations of a range of row sets above the middle, all of one size, and a range of
/// row sets below it; or a slice of one row set. Takes few bytes, since the largest boards have millions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    pub case: u8,
    pub cut: Cut,
    /// The number of rows of the left half above the middle, in each row set.
    pub size: u8,
    /// Positions of the row sets above the middle in [`Case::tops`].
    pub tops: Part,
    /// Positions of the row sets below the middle in [`Case::bottoms`].
    pub bottoms: Part,
    /// The estimated work, as a share of that of all subtrees.
    pub share: f32,
}

/// A slice of a row set that is a subtree. The row set is split by the first `depth` diagonals of
/// `Builder::diagonals`, one after the other. Bit k of `path` says which part diagonal k leads to: 0 is
/// the part without the diagonal, 1 the part with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cut {
    pub depth: u8,
    pub path: u16,
}

impl Cut {
    /// The two slices, without and with the next diagonal, that make up this one; `None` after the last diagonal.
    pub fn below(self) -> Option<[Self; 2]> {
        let Self { depth, path } = self;
        (depth < MAX_CUT_DEPTH)
            .then(|| [0, 1].map(|bit| Self { depth: depth + 1, path: path | bit << depth }))
    }
}

/// The positions of a list from `first` up to, but without, `last`.
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

    /// Its positions, each as a part of one.
    pub fn singles(self) -> Vec<Self> {
        (self.first..self.last).map(|first| Self { first, last: first + 1 }).collect()
    }
}

impl Unit {
    /// Its row sets above the middle.
    pub fn tops<'a>(&self, case: &'a Case) -> impl Iterator<Item = u32> + use<'a> {
        let Range { start, end } = self.tops.range();
        case.tops(self.size.into()).skip(start).take(end - start)
    }

    /// Its row sets below the middle.
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
        let size_class = |case| sizes.clone().map(move |size| self.size_class(case, size));
        let all: Vec<SizeClass> = (0..self.cases.len()).flat_map(size_class).collect();
        let total = all.iter().map(|size_class| size_class.work).sum::<f64>();
        let most = 1.0 / min_subtrees(self.sizes.n);
        let mut units = Vec::new();
        all.iter().for_each(|size_class| self.cut_size_class(size_class, most, total, &mut units));
        units.shrink_to_fit();
        units
    }

    fn size_class(&self, case: usize, size: u32) -> SizeClass {
        let tops: Vec<u32> = self.cases[case].tops(size).collect();
        let (mut work, mut row_sets) = (0.0, 0u32);
        for &top in &tops {
            self.for_each_bottom(case, top, |_, found| {
                work += found;
                row_sets += 1;
            });
        }
        SizeClass { case, size, tops, work, row_sets }
    }

    /// Cuts row sets into subtrees of t row sets above the middle and about 3 t below it. With this ratio,
    /// [`UPPER_QUARTER_COST`], finding the quarters costs least.
    fn cut_size_class(&self, size_class: &SizeClass, most: f64, total: f64, units: &mut Vec<Unit>) {
        let SizeClass { case, size, ref tops, work, row_sets } = *size_class;
        let row_sets = most * total / work * f64::from(row_sets);
        // Only a single row set can be cut by diagonals.
        let tops_per_subtree = if self.sizes.n > MAX_UNCUT_N {
            1.0
        } else {
            (row_sets / UPPER_QUARTER_COST).sqrt().max(1.0)
        };
        let tops_per_subtree = tops_per_subtree as usize;
        let mut works = Vec::new();
        for (group, tops) in tops.chunks(tops_per_subtree).enumerate() {
            works.clear();
            works.resize(self.cases[case].bottoms(size).len(), 0.0);
            for &top in tops {
                self.for_each_bottom(case, top, |position, work| works[position] += work / total);
            }
            let first = group * tops_per_subtree;
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

    /// Cuts the row sets below the middle into ranges, one a subtree, whose `works` add up to `most` or less.
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
            if work > most && self.sizes.n > MAX_UNCUT_N {
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

    /// Calls `found` with the position and the estimated work of each row set below the middle that `top` allows.
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

/// All row sets of one case with `size` rows above the middle.
struct SizeClass {
    case: usize,
    size: u32,
    tops: Vec<u32>,
    /// The estimated work, in arbitrary units, and the number of row sets.
    work: f64,
    row_sets: u32,
}

/// Cuts a row set into slices until each is estimated to take at most the share `most` of the whole count.
pub(super) fn cut(unit: &Unit, most: f64, units: &mut Vec<Unit>) {
    let below = unit.cut.below().filter(|_| f64::from(unit.share) > most);
    let Some(below) = below else {
        units.push(unit.clone());
        return;
    };
    for (cut_below, part) in below.into_iter().zip([SHARE_WITHOUT, 1.0 - SHARE_WITHOUT]) {
        let share = (f64::from(unit.share) * part) as f32;
        cut(&Unit { cut: cut_below, share, ..unit.clone() }, most, units);
    }
}

#[cfg(test)]
mod tests;
