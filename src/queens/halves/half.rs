//! Building the half boards of a row set out of quarter boards, whole or in slices.

use std::cmp::Ordering;
use std::ops::Range;

use super::case::Case;
use super::corner::Side;
use super::filling::Filling;
use super::kernel::Kernel;
use super::quarter::{Quarter, Span};
use super::subsets::Subsets;
use crate::search::{Stop, Stopped};

/// The half boards of one row set on one side of the board, as keys: first the plain ones, then
/// those that tie, in three [`PARTS`].
#[derive(Debug, Default)]
pub(super) struct Half {
    keys: Vec<u64>,
    /// Where the parts begin.
    parts: [usize; 3],
}

/// Half boards that tie, by how their top quarter compares to its image: those that stand for their
/// images too, those that are their own, and those that their images stand for. See `case`.
const PARTS: [Ordering; 3] = [Ordering::Greater, Ordering::Equal, Ordering::Less];

impl Half {
    /// A half board for each key, in four parts: the plain ones, then the [`PARTS`].
    #[cfg(test)]
    pub(super) fn of(keys: [&[u64]; 4]) -> Self {
        let end = |part| keys[..=part].iter().map(|keys| keys.len()).sum();
        Self { keys: keys.concat(), parts: [end(0), end(1), end(2)] }
    }

    pub(super) fn plain(&self) -> &[u64] {
        &self.keys[..self.parts[0]]
    }

    /// Those that are counted in full: the plain ones and the first of two.
    pub(super) fn whole(&self) -> &[u64] {
        &self.keys[..self.parts[1]]
    }

    pub(super) fn tied(&self) -> &[u64] {
        &self.keys[self.parts[0]..]
    }

    pub(super) fn first(&self) -> &[u64] {
        &self.keys[self.parts[0]..self.parts[1]]
    }

    pub(super) fn same(&self) -> &[u64] {
        &self.keys[self.parts[1]..self.parts[2]]
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>()
    }
}

/// Some upper and some lower quarters that use complementary column sets: a half board for each pair
/// that shares no diagonal.
#[derive(Debug, Clone, Copy)]
struct Product {
    tops: Span,
    bottoms: Span,
}

impl Product {
    /// The product, unless there is nothing in it.
    fn new(tops: Span, bottoms: Span) -> Option<Self> {
        let empty = tops.range().is_empty() || bottoms.range().is_empty();
        (!empty).then_some(Self { tops, bottoms })
    }

    fn pairs(self) -> u64 {
        (self.tops.range().len() * self.bottoms.range().len()) as u64
    }
}

/// Half boards of one side, not built yet: the plain ones, then each of the [`PARTS`]. The quarters
/// are those of a [`Builder`].
#[derive(Debug, Default)]
pub(super) struct Slice([Vec<Product>; 4]);

impl Slice {
    fn add(&mut self, part: usize, tops: Span, bottoms: Span) {
        if let Some(product) = Product::new(tops, bottoms) {
            self.0[part].push(product);
        }
    }

    /// At least as many as there are half boards, about 2.5 times as many.
    pub(super) fn pairs(&self) -> u64 {
        let mut pairs = 0;
        for products in &self.0 {
            for product in products {
                pairs += product.pairs();
            }
        }
        pairs
    }
}

/// What the half boards of a subtree are made for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'a> {
    pub case: &'a Case,
    pub subsets: &'a Subsets,
    pub stop: &'a Stop,
    /// Only half boards whose upper column set has at most this rank are built; those that reach it
    /// are tied.
    pub limit: Option<u32>,
}

/// Prepares half boards of the row sets of a subtree.
#[derive(Debug)]
pub(super) struct Builder {
    side: Side,
    tops: Vec<Tops>,
    /// The number of those that half boards are made of.
    current: usize,
    bottom_rows: u32,
    bottoms: Quarter,
    /// Of upper and of lower quarters.
    fillings: [Filling; 2],
}

/// Upper quarters with the same rows.
#[derive(Debug, Default)]
struct Tops {
    rows: u32,
    quarter: Quarter,
    /// Those that are loaded: the plain ones, then each of the [`PARTS`].
    shares: [Vec<Share>; 4],
}

/// Upper quarters that use one column set, and the position of its complement.
#[derive(Debug, Clone, Copy)]
struct Share {
    tops: Span,
    bottom: u32,
}

impl Builder {
    pub(super) fn new(side: Side) -> Self {
        let (tops, current, bottom_rows, bottoms, fillings) = Default::default();
        Self { side, tops, current, bottom_rows, bottoms, fillings }
    }

    /// Forgets all rows above the middle.
    pub(super) fn clear(&mut self) {
        self.tops.clear();
    }

    /// Prepares half boards with these rows above the middle, too. Returns the bytes that the quarters
    /// will take.
    pub(super) fn add_top(&mut self, ground: Ground, rows: u32) -> Result<usize, Stopped> {
        let mut tops = Tops { rows, ..Tops::default() };
        ground.case.top.measure(rows, ground, &mut tops.quarter, &mut self.fillings[0])?;
        let bytes = tops.quarter.all_bytes();
        self.tops.push(tops);
        Ok(bytes)
    }

    /// Takes the rows above the middle that were added as number `number`.
    pub(super) fn choose_top(&mut self, number: usize) {
        self.current = number;
    }

    /// Takes the rows below the middle, for the same ground.
    pub(super) fn set_bottom(&mut self, ground: Ground, rows: u32) -> Result<(), Stopped> {
        self.bottom_rows = rows;
        ground.case.bottom.measure(rows, ground, &mut self.bottoms, &mut self.fillings[1])
    }

    /// Cuts the upper column sets into ranges, by position, whose quarters take at most so many
    /// bytes, or belong to one column set.
    pub(super) fn ranges(&self, most: u64) -> Vec<Range<usize>> {
        let tops = &self.tops[self.current].quarter;
        let sets = tops.column_sets();
        let mut ranges = Vec::with_capacity(1);
        let (mut first, mut sum) = (0, 0);
        for position in 0..sets {
            let keys = tops.len(position) + self.bottoms.len(sets - 1 - position);
            let bytes = (keys * size_of::<u64>()) as u64;
            if first < position && sum + bytes > most {
                ranges.push(first..position);
                (first, sum) = (position, 0);
            }
            sum += bytes;
        }
        ranges.push(first..sets);
        ranges
    }

    /// Finds the quarters for one of the [`Builder::ranges`]. Returns the bytes that are allocated for
    /// all quarters.
    pub(super) fn load(&mut self, ground: Ground, range: &Range<usize>) -> Result<u64, Stopped> {
        let Self { side, bottom_rows, bottoms, fillings, .. } = self;
        let tops = &mut self.tops[self.current];
        // The complements of ascending sets descend.
        let sets = tops.quarter.column_sets();
        let opposite = sets - range.end..sets - range.start;
        if !bottoms.has(&opposite) {
            ground.case.bottom.load(
                *bottom_rows,
                *side,
                opposite,
                ground,
                bottoms,
                &mut fillings[1],
            )?;
        }
        if !tops.quarter.has(range) {
            let (quarter, filling) = (&mut tops.quarter, &mut fillings[0]);
            ground.case.top.load(tops.rows, *side, range.clone(), ground, quarter, filling)?;
            tops.share_out(*side, ground);
        }
        let tops = self.tops.iter().map(|tops| tops.quarter.bytes()).sum::<usize>();
        Ok((tops + self.bottoms.bytes()) as u64)
    }

    /// Replaces `all` by all half boards with the rows and column sets that are loaded.
    pub(super) fn all(&self, all: &mut Slice) {
        for (part, shares) in self.tops[self.current].shares.iter().enumerate() {
            all.0[part].clear();
            for &Share { tops, bottom } in shares {
                all.add(part, tops, self.bottoms.span(bottom as usize));
            }
        }
    }

    /// Splits a slice by a diagonal: the half boards that lack it and those that have it.
    ///
    /// The latter have it in the top or in the bottom; both cannot. Quarters change places within
    /// those of a product, so every slice stays what it was.
    pub(super) fn split(&mut self, slice: &Slice, bit: u64) -> [Slice; 2] {
        let mut parts = <[Slice; 2]>::default();
        let [without, with] = &mut parts;
        let upper = self.tops[self.current].quarter.keys_mut();
        for (part, products) in slice.0.iter().enumerate() {
            for &Product { tops, bottoms } in products {
                let tops = tops.split(upper, bit);
                let bottoms = bottoms.split(self.bottoms.keys_mut(), bit);
                without.add(part, tops[0], bottoms[0]);
                with.add(part, tops[1], bottoms[0]);
                with.add(part, tops[0], bottoms[1]);
            }
        }
        parts
    }

    /// How often each bit occurs in pairs of a slice, by a sample, relative to their number.
    pub(super) fn busy(&self, slice: &Slice) -> [f64; 64] {
        let mut busy = [0.0; 64];
        let step = slice.0.iter().map(Vec::len).sum::<usize>() / 1024 + 1;
        for (index, product) in slice.0.iter().flatten().step_by(step).enumerate() {
            // Neighbours are alike, so every product gives another one.
            let any = |span: Span, keys: &[u64]| keys[span.range()][index % span.range().len()];
            let top = any(product.tops, self.tops[self.current].quarter.keys());
            let mut key = top | any(product.bottoms, self.bottoms.keys());
            while key != 0 {
                busy[key.trailing_zeros() as usize] += product.pairs() as f64;
                key &= key - 1;
            }
        }
        busy
    }

    /// On how many open squares of the rows a queen would stand on each diagonal.
    pub(super) fn squares(&self, case: &Case) -> [u32; 64] {
        let mut squares = [0; 64];
        let top = self.tops[self.current].rows;
        for (quarters, rows) in [(&case.top, top), (&case.bottom, self.bottom_rows)] {
            quarters.squares.for_each_square(rows, |key| {
                let key = self.side.key(key);
                (0..64).for_each(|bit| squares[bit] += (key >> bit & 1) as u32);
            });
        }
        squares
    }

    /// Replaces `half` by the half boards of a slice.
    pub(super) fn build<K: Kernel>(&self, kernel: K, slice: &Slice, half: &mut Half) {
        half.keys.clear();
        let (upper, lower) = (self.tops[self.current].quarter.keys(), self.bottoms.keys());
        for (part, products) in slice.0.iter().enumerate() {
            if part > 0 {
                half.parts[part - 1] = half.keys.len();
            }
            let lists = products
                .iter()
                .map(|product| [&upper[product.tops.range()], &lower[product.bottoms.range()]]);
            kernel.unions(lists, &mut half.keys);
        }
    }

    /// Bytes allocated for quarters and for partial fillings.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> [usize; 2] {
        let tops = self.tops.iter().map(|tops| tops.quarter.bytes()).sum::<usize>();
        [tops + self.bottoms.bytes(), self.fillings.iter().map(Filling::bytes).sum()]
    }
}

impl Tops {
    /// Deals out the quarters that are loaded.
    fn share_out(&mut self, side: Side, ground: Ground) {
        let Ground { subsets, limit, .. } = ground;
        self.shares.iter_mut().for_each(Vec::clear);
        let peers = subsets.of_size(self.rows.count_ones());
        for position in self.quarter.loaded() {
            let columns = peers[position];
            let tops = self.quarter.span(position);
            let bottom = (peers.len() - 1 - position) as u32;
            let rank = subsets.rank(columns);
            if tops.range().is_empty() {
                continue;
            } else if limit.is_none_or(|limit| rank < limit) {
                self.shares[0].push(Share { tops, bottom });
            } else if limit != Some(rank) {
                continue;
            } else if columns == self.rows {
                let upright = ground.case.top.squares.upright(columns, side);
                self.share_out_upright(tops, bottom, upright);
            } else {
                // A quarter turn makes these of the left half those of the right half.
                let part = if side == Side::Left { 1 } else { 3 };
                self.shares[part].push(Share { tops, bottom });
            }
        }
    }

    /// Deals out the quarters whose columns are their rows, sorted by the [`PARTS`].
    fn share_out_upright(&mut self, tops: Span, bottom: u32, upright: Vec<(Ordering, u64)>) {
        let mut keys = self.quarter.keys_mut()[tops.range()].iter_mut();
        let mut start = tops.start;
        for (part, order) in (1..).zip(PARTS) {
            let alike = upright.iter().filter(|(found, _)| *found == order);
            let tops = Span { start, end: start + alike.clone().count() as u32 };
            alike.zip(keys.by_ref()).for_each(|((_, key), place)| *place = *key);
            self.shares[part].push(Share { tops, bottom });
            start = tops.end;
        }
    }
}
