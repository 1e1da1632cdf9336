//! Cutting a board into subtrees.

#[cfg(test)]
mod tests;

use std::ops::Range;

use tallyboard_search::list_bytes;

use crate::halves::case::{Case, Middle};
use crate::halves::subsets::{Sizes, elements};

/// The number of subtrees aimed at: each is estimated to take at most 1 / `min_subtrees` of the count. (Up to
/// [`MAX_UNCUT_N`], row sets that share their rows below the middle stay together, even if they take more.) Small boards
/// need few. On large boards a killed run loses the subtrees under way. So a subtree should take seconds up to n = 26,
/// and less than a minute at n = 27 and 28, whose counts take some 9,000 and 65,000 core hours.
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

/// When a slice is split by its busiest diagonal, the estimated share of its work in the part without the diagonal.
const SHARE_WITHOUT: f64 = 0.6;
/// Largest n whose row sets are never cut into subtrees: the longest of n = 26 takes a few seconds by estimate.
pub(super) const MAX_UNCUT_N: u32 = 26;
/// Limit on the diagonals that a row set is cut by. It must not exceed the 16 bits of the path of a [`SlicePath`].
const MAX_CUT_DEPTH: u8 = 15;

/// Cost of finding an upper quarter, relative to a lower one, which shares more partial fillings with
/// the quarter found before it. Measured at n = 24: finding quarters takes 4 % of the time with this
/// ratio and 8 % with a ratio of 1.
const UPPER_QUARTER_COST: f64 = 3.0;

/// A subtree: the combinations of a range of row sets above the middle, all of one size, and a range of
/// row sets below it; or a slice of one row set. Takes few bytes, since the largest boards have millions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Subtree {
    pub(super) case: u8,
    pub(super) slice: SlicePath,
    /// The number of rows of the left half above the middle, in each row set.
    pub(super) size: u8,
    /// Positions of the row sets above the middle in [`Case::tops`].
    pub(super) tops: Positions,
    /// Positions of the row sets below the middle in [`Case::bottoms`].
    pub(super) bottoms: Positions,
    /// The estimated work, as a share of that of all subtrees.
    pub(super) share: f32,
}

/// The slice of a row set that a subtree is. The row set is split by the first `depth` diagonals of
/// `Builder::diagonals`, one after the other. Bit k of `path` says to which part of the split by diagonal k the slice
/// belongs: 0 to the part without the diagonal, 1 to the part with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SlicePath {
    pub depth: u8,
    pub path: u16,
}

impl SlicePath {
    /// The two slices, without and with the next diagonal, that make up this one; `None` after the last diagonal.
    pub fn below(self) -> Option<[Self; 2]> {
        let Self { depth, path } = self;
        (depth < MAX_CUT_DEPTH)
            .then(|| [0, 1].map(|bit| Self { depth: depth + 1, path: path | bit << depth }))
    }
}

/// The positions of a list from `first` up to, but without, `last`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Positions {
    pub first: u16,
    pub last: u16,
}

impl Positions {
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

impl Subtree {
    /// Its row sets above the middle.
    pub(super) fn tops<'a>(&self, case: &'a Case) -> impl Iterator<Item = u32> + use<'a> {
        let Range { start, end } = self.tops.range();
        case.tops(self.size.into()).skip(start).take(end - start)
    }

    /// Its row sets below the middle.
    pub(super) fn bottoms<'a>(&self, case: &'a Case) -> &'a [u32] {
        &case.bottoms(self.size.into())[self.bottoms.range()]
    }

    /// The estimated cost, at least 1; those of all subtrees add up to about 10^12.
    pub fn cost(&self) -> u64 {
        // `Costs::new` makes 1 of 0, too, but plans have a checksum of these costs.
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
    pub(super) fn subtrees(&self) -> Vec<Subtree> {
        let mut size_classes = Vec::new();
        for case in 0..self.cases.len() {
            size_classes.extend((0..=self.sizes.h).map(|size| self.size_class(case, size)));
        }
        let total_work = size_classes.iter().map(|size_class| size_class.work).sum::<f64>();
        let max_share = 1.0 / min_subtrees(self.sizes.n);
        let mut subtrees = Vec::new();
        for size_class in &size_classes {
            self.cut_size_class(size_class, max_share, total_work, &mut subtrees);
        }
        subtrees.shrink_to_fit();
        subtrees
    }

    fn size_class(&self, case: usize, size: u32) -> SizeClass {
        let tops: Vec<u32> = self.cases[case].tops(size).collect();
        let mut work = 0.0;
        let mut row_sets = 0u32;
        for &top in &tops {
            self.for_each_bottom(case, top, |_, work_of_row_set| {
                work += work_of_row_set;
                row_sets += 1;
            });
        }
        SizeClass { case, size, tops, work, row_sets }
    }

    /// Cuts row sets into subtrees of t row sets above the middle and about 3 t below it. With this ratio,
    /// [`UPPER_QUARTER_COST`], finding the quarters costs least.
    fn cut_size_class(
        &self,
        size_class: &SizeClass,
        max_share: f64,
        total_work: f64,
        subtrees: &mut Vec<Subtree>,
    ) {
        let SizeClass { case, size, ref tops, work, row_sets } = *size_class;
        // Not a number for a size class without row sets or work; `max` makes 1 of it below.
        let row_sets_per_subtree = max_share * total_work / work * f64::from(row_sets);
        // Only a single row set can be cut by diagonals.
        let tops_per_subtree = if self.sizes.n > MAX_UNCUT_N {
            1.0
        } else {
            (row_sets_per_subtree / UPPER_QUARTER_COST).sqrt().max(1.0)
        };
        let tops_per_subtree = tops_per_subtree as usize;
        // For each row set below the middle, the share of its combinations with a group of those above the middle.
        let mut shares = Vec::new();
        for (group, tops) in tops.chunks(tops_per_subtree).enumerate() {
            shares.clear();
            shares.resize(self.cases[case].bottoms(size).len(), 0.0);
            for &top in tops {
                self.for_each_bottom(case, top, |position, work| {
                    shares[position] += work / total_work;
                });
            }
            let first = group * tops_per_subtree;
            let tops = Positions::new(first..first + tops.len());
            let subtree = |bottoms, share| Subtree {
                case: case as u8,
                slice: SlicePath::default(),
                size: size as u8,
                tops,
                bottoms: Positions::new(bottoms),
                share: share as f32,
            };
            self.cut_group(&shares, max_share, subtree, subtrees);
        }
    }

    /// Cuts the row sets below the middle into ranges, one a subtree, whose `shares` add up to `max_share` or less. A row set whose
    /// share alone is larger is a range of its own; above [`MAX_UNCUT_N`] it is cut into slices.
    fn cut_group(
        &self,
        shares: &[f64],
        max_share: f64,
        subtree: impl Fn(Range<usize>, f64) -> Subtree,
        subtrees: &mut Vec<Subtree>,
    ) {
        let mut first = 0;
        let mut sum = 0.0;
        for (position, &share) in shares.iter().enumerate() {
            if sum > 0.0 && sum + share > max_share {
                subtrees.push(subtree(first..position, sum));
                first = position;
                sum = 0.0;
            }
            if share > max_share && self.sizes.n > MAX_UNCUT_N {
                cut(&subtree(position..position + 1, share), max_share, subtrees);
                first = position + 1;
            } else {
                sum += share;
            }
        }
        if sum > 0.0 {
            subtrees.push(subtree(first..shares.len(), sum));
        }
    }

    /// Calls `found` with the position and the estimated work of each row set below the middle that `top` allows.
    fn for_each_bottom(&self, case: usize, top: u32, mut found: impl FnMut(usize, f64)) {
        let case = &self.cases[case];
        let right_top = case.top_rows & !top;
        // The queen of the middle row has a - 1 columns of the left half to stand in.
        let middle_share = match case.middle {
            Middle::Above(a) => f64::from(a - 1) / f64::from(self.sizes.h),
            Middle::None | Middle::Centre => 1.0,
        };
        let left_share = allowed_share(case, top, top) * middle_share;
        let right_share = allowed_share(case, top, right_top);
        let left = self.costs.half_boards(top);
        let right = self.costs.half_boards(right_top);
        for (position, &bottom) in case.bottoms(top.count_ones()).iter().enumerate() {
            if case.allows(top, bottom) {
                let right_bottom = case.subsets.full() & !bottom;
                let left_length = left(bottom) * left_share;
                found(position, work(left_length, right(right_bottom) * right_share));
            }
        }
    }
}

/// The share of the column sets with as many elements as `rows` that `top` allows.
fn allowed_share(case: &Case, top: u32, rows: u32) -> f64 {
    let column_sets = case.subsets.of_size(rows.count_ones());
    let allowed = column_sets.iter().filter(|&&columns| case.allows(top, columns));
    allowed.count() as f64 / column_sets.len() as f64
}

/// All row sets of one case with `size` rows above the middle.
struct SizeClass {
    case: usize,
    size: u32,
    tops: Vec<u32>,
    /// The estimated work, in arbitrary units.
    work: f64,
    /// The number of row sets.
    row_sets: u32,
}

/// Cuts a row set into slices until each is estimated to take at most the share `max_share` of the whole count, or has
/// no diagonal left.
pub(super) fn cut(subtree: &Subtree, max_share: f64, subtrees: &mut Vec<Subtree>) {
    let below = subtree.slice.below().filter(|_| f64::from(subtree.share) > max_share);
    let Some(below) = below else {
        subtrees.push(subtree.clone());
        return;
    };
    for (slice, part) in below.into_iter().zip([SHARE_WITHOUT, 1.0 - SHARE_WITHOUT]) {
        let share = (f64::from(subtree.share) * part) as f32;
        cut(&Subtree { slice, share, ..subtree.clone() }, max_share, subtrees);
    }
}

// A rough estimate of the work of each row set, before anything is counted.
//
// Take two queens in rows at distance d, in random but different columns of h. They share a diagonal
// with probability 2 (h - d) / h (h - 1). The product over all pairs of rows, taken as independent, gives
// the number of half boards of a row set up to a constant factor. The work grows a little slower than the
// product of the lengths of the two lists. The costs decide where the subtrees are cut, so they must be
// equal on every machine: only operations that IEEE 754 rounds exactly are used, such as square roots.

/// Estimates for one board.
#[derive(Debug)]
pub(super) struct CostModel {
    sizes: Sizes,
    /// Probability, by distance, that queens in two rows do not attack each other.
    no_attack_probability: Vec<f64>,
    /// For each set of rows of a quarter, the product of `no_attack_probability` over its pairs of rows.
    within: Vec<f64>,
}

impl CostModel {
    pub(super) fn new(sizes: Sizes) -> Self {
        let h = f64::from(sizes.h);
        let probability = |d: u32| {
            if d < sizes.h { 1.0 - 2.0 * (h - f64::from(d)) / (h * (h - 1.0)) } else { 1.0 }
        };
        // On the smallest boards the formula gives 0 or less.
        let no_attack_probability: Vec<f64> =
            (0..=sizes.n).map(|d| probability(d).max(0.05)).collect();
        let mut within = vec![1.0; 1 << sizes.h];
        for set in 1..within.len() {
            let first = set.trailing_zeros();
            let others = set & (set - 1);
            within[set] = within[others]
                * product(others as u32, |row| no_attack_probability[(row - first) as usize]);
        }
        Self { sizes, no_attack_probability, within }
    }

    /// Given rows above the middle, returns a function from rows below it to the relative number of half boards.
    pub(super) fn half_boards(&self, top: u32) -> impl Fn(u32) -> f64 {
        let Sizes { n, h } = self.sizes;
        // For each row below the middle, the probability that its queen attacks none above the middle.
        let across: Vec<f64> = (0..h)
            .map(|i| product(top, |row| self.no_attack_probability[(n - 1 - i - row) as usize]))
            .collect();
        move |bottom| {
            self.within[top as usize]
                * self.within[bottom as usize]
                * product(bottom, |row| across[row as usize])
        }
    }

    /// Estimated number of fillings of each row set of a quarter, rather too many than too few.
    pub(super) fn quarters(&self) -> impl Iterator<Item = f64> {
        let h = self.sizes.h;
        self.within.iter().zip(0u32..).map(move |(within, set)| {
            within * (h - set.count_ones() + 1..=h).map(f64::from).product::<f64>()
        })
    }

    /// Upper estimate of the half boards of any row set.
    pub(super) fn longest_half(&self) -> f64 {
        let h = self.sizes.h;
        // The number of ways to choose the columns.
        let permutations: f64 = (1..=h).map(f64::from).product();
        // The row set of every other row has many half boards; no row set has more than 1.4 times as many,
        // for n up to 23. All four ways to begin the two quarters are tried.
        let alternate: [u32; 2] =
            [0, 1].map(|first| (first..h).step_by(2).fold(0, |set, row| set | 1 << row));
        let most = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(top, bottom)| self.half_boards(alternate[top])(alternate[bottom]))
            .into_iter()
            .fold(0.0, f64::max);
        1.0 + 1.5 * most * permutations
    }
}

/// The work for lists of these relative lengths.
pub(super) fn work(left: f64, right: f64) -> f64 {
    // (left × right)^(3/4)
    let pairs = left * right;
    pairs.sqrt() * pairs.sqrt().sqrt()
}

fn product(set: u32, factor: impl Fn(u32) -> f64) -> f64 {
    elements(set).map(factor).product()
}
