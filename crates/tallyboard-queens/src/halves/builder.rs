//! Building the half boards of a row set out of quarter boards, whole or in slices.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::case::Case;
use super::half::{FIRST, Half, PARTS, PLAIN, SECOND};
use super::kernel::Kernel;
use super::quarter::{Filling, Quarter, Span};
use super::subsets::Side;
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;
use tallyboard_search::{Stop, Stopped};

/// Upper and lower quarters with complementary column sets. Each pair of an upper and a lower one with
/// disjoint keys is a half board.
#[derive(Debug, Clone, Copy)]
struct Product {
    upper: Span,
    lower: Span,
}

impl Product {
    fn pairs(self) -> u64 {
        self.upper.range().len() as u64 * self.lower.range().len() as u64
    }
}

/// The products of a slice that are looked at before it is split: enough to tell which diagonal parts it best.
const SAMPLED_PRODUCTS: usize = 1024;

/// Half boards of one side, not built yet. Each is a pair of quarters in exactly one product.
#[derive(Debug, Default)]
pub(super) struct Slice {
    /// The products of the plain half boards, then of the first, the same and the second ones ([`PARTS`]; the module
    /// [`super::case`] says what these words mean). Spans are ranges of a [`Builder`]'s keys.
    products: [Vec<Product>; 4],
    /// Pairs of an upper and a lower quarter: about 2.5 times as many as half boards.
    pub pairs: u64,
}

impl Slice {
    /// Adds a product, unless it is empty.
    fn add(&mut self, part: usize, upper: Span, lower: Span) {
        let product = Product { upper, lower };
        if product.pairs() > 0 {
            self.products[part].push(product);
            self.pairs += product.pairs();
        }
    }
}

/// What every step of building half boards for a subtree needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub case: &'a Case,
    pub stop: &'a Stop,
    /// The rank of the set of the rows above the middle; `None` if the case does not order the sets. A half board is
    /// built if the rank of its upper column set is at most this; if it is equal, the half board ties.
    pub top_rank: Option<u32>,
}

/// Prepares half boards of the row sets of a subtree, on one side of the board.
#[derive(Debug)]
pub(super) struct Builder {
    side: Side,
    uppers: Vec<Upper>,
    /// Index in `uppers` of the rows chosen for half boards.
    current: usize,
    lower: Quarter,
    /// Partial fillings of upper and of lower quarters.
    fillings: [Filling; 2],
}

/// The upper quarters of one set of rows.
#[derive(Debug, Default)]
struct Upper {
    quarter: Quarter,
    /// The quarters that are loaded, by column set: the plain ones, then each of the [`PARTS`].
    groups: [Vec<ColumnGroup>; 4],
}

/// The upper quarters that use one column set, and the position of that set's complement.
#[derive(Debug, Clone, Copy)]
struct ColumnGroup {
    upper: Span,
    complement: u32,
}

impl Builder {
    pub(super) fn new(side: Side) -> Self {
        Self {
            side,
            uppers: Vec::new(),
            current: 0,
            lower: Quarter::default(),
            fillings: Default::default(),
        }
    }

    /// Forgets all rows above the middle.
    pub(super) fn clear(&mut self) {
        self.uppers.clear();
    }

    /// Adds a set of rows above the middle to those that half boards can be made of. Returns the bytes that
    /// its quarters will take.
    pub(super) fn add_top(&mut self, context: Context, rows: u32) -> Result<usize, Stopped> {
        let mut upper = Upper::default();
        context.case.top.measure(rows, &mut upper.quarter, &mut self.fillings[0], context.stop)?;
        let bytes = upper.quarter.all_bytes();
        self.uppers.push(upper);
        Ok(bytes)
    }

    /// Chooses the rows above the middle for the next half boards: those that were added as number `number`, from 0.
    pub(super) fn choose_top(&mut self, number: usize) {
        self.current = number;
    }

    /// Chooses the rows below the middle for the next half boards.
    pub(super) fn set_bottom(&mut self, context: Context, rows: u32) -> Result<(), Stopped> {
        context.case.bottom.measure(rows, &mut self.lower, &mut self.fillings[1], context.stop)
    }

    /// The upper quarters of the rows chosen.
    fn upper(&self) -> &Quarter {
        &self.uppers[self.current].quarter
    }

    /// Cuts the upper column sets into ranges of positions. The quarters of a range have at most `max_keys`
    /// keys, unless they all belong to one column set.
    pub(super) fn ranges(&self, max_keys: usize) -> Vec<Range<usize>> {
        let upper = self.upper();
        let lower = &self.lower;
        let sets = upper.column_sets();
        if upper.max_fillings() + lower.max_fillings() <= max_keys {
            let whole = 0..sets;
            return vec![whole];
        }
        let mut ranges = Vec::new();
        let mut first = 0;
        let mut sum = 0;
        for position in 0..sets {
            // The complements of ascending sets descend, so their positions count from the end.
            let keys = upper.max_fillings_of(position) + lower.max_fillings_of(sets - 1 - position);
            if first < position && sum + keys > max_keys {
                ranges.push(first..position);
                first = position;
                sum = 0;
            }
            sum += keys;
        }
        ranges.push(first..sets);
        ranges
    }

    /// Finds the quarters for one of the [`Builder::ranges`]. Returns the bytes that are allocated for
    /// all quarters.
    pub(super) fn load(&mut self, context: Context, range: &Range<usize>) -> Result<u64, Stopped> {
        let Self { side, uppers, current, lower, fillings: [of_upper, of_lower] } = self;
        let Context { case, stop, .. } = context;
        let upper = &mut uppers[*current];
        // As in `ranges`.
        let sets = upper.quarter.column_sets();
        let opposite = sets - range.end..sets - range.start;
        case.bottom.load(lower, opposite, *side, of_lower, stop)?;
        let is_new = case.top.load(&mut upper.quarter, range.clone(), *side, of_upper, stop)?;
        if is_new {
            upper.group_by_tie(*side, context);
        }
        Ok(self.quarter_bytes() as u64)
    }

    /// Bytes allocated for quarters.
    pub(super) fn quarter_bytes(&self) -> usize {
        self.uppers.iter().map(|upper| upper.quarter.bytes()).sum::<usize>() + self.lower.bytes()
    }

    /// Replaces `slice` by all half boards that the loaded quarters make.
    pub(super) fn all_half_boards(&self, slice: &mut Slice) {
        slice.pairs = 0;
        for (part, groups) in self.uppers[self.current].groups.iter().enumerate() {
            slice.products[part].clear();
            for &ColumnGroup { upper, complement } in groups {
                slice.add(part, upper, self.lower.span(complement as usize));
            }
        }
    }

    /// Splits a slice by a diagonal: the half boards that lack it and those that have it, in one of two quarters.
    /// ```text
    /// U × L  ->  without: U0 × L0    with: U1 × L0, U0 × L1    (no half board has the diagonal in both quarters)
    /// ```
    /// This only reorders quarters within their span, so all slices made before keep their half boards.
    pub(super) fn split(&mut self, slice: &Slice, bit: u64) -> [Slice; 2] {
        let mut slices = <[Slice; 2]>::default();
        let [without, with] = &mut slices;
        let uppers = self.uppers[self.current].quarter.keys_mut();
        let lowers = self.lower.keys_mut();
        for (part, products) in slice.products.iter().enumerate() {
            for &Product { upper, lower } in products {
                let upper = upper.split(uppers, bit);
                let lower = lower.split(lowers, bit);
                without.add(part, upper[0], lower[0]);
                with.add(part, upper[1], lower[0]);
                with.add(part, upper[0], lower[1]);
            }
        }
        slices
    }

    /// For each bit, the estimated number of pairs of a slice that have it, up to a factor, from a sample of about
    /// [`SAMPLED_PRODUCTS`].
    pub(super) fn pairs_with_bits(&self, slice: &Slice) -> [f64; 64] {
        let mut pairs_with_bits = [0.0; 64];
        let step = slice.products.iter().map(Vec::len).sum::<usize>() / SAMPLED_PRODUCTS + 1;
        for (index, product) in slice.products.iter().flatten().step_by(step).enumerate() {
            // Neighbouring keys are similar, so each product is sampled at another place.
            let sample = |span: Span, keys: &[u64]| keys[span.range()][index % span.range().len()];
            let key = sample(product.upper, self.upper().keys())
                | sample(product.lower, self.lower.keys());
            for bit in bits(key) {
                pairs_with_bits[bit.trailing_zeros() as usize] += product.pairs() as f64;
            }
        }
        pairs_with_bits
    }

    /// For each diagonal, the number of open squares on it in the rows of this side.
    fn open_squares(&self, case: &Case) -> [u32; 64] {
        let mut squares = [0; 64];
        for (quarters, quarter) in [(&case.top, self.upper()), (&case.bottom, &self.lower)] {
            quarters.squares.for_each_square(quarter.rows, |key| {
                let key = self.side.key(key);
                (0..64).for_each(|bit| squares[bit] += (key >> bit & 1) as u32);
            });
        }
        squares
    }

    /// All key bits, first the one whose split is likely to remove the most pairs. The order depends on the row set
    /// alone.
    pub(super) fn diagonals(sides: &[Self; 2], case: &Case) -> Vec<u64> {
        let square_pairs = Self::square_pairs(sides, case);
        let mut bits: Vec<usize> = (0..64).collect();
        bits.sort_by_key(|&bit| Reverse(square_pairs[bit]));
        bits.into_iter().map(|bit| 1 << bit).collect()
    }

    /// How many of the [`Builder::diagonals`] have open squares on both sides. They come first.
    pub(super) fn shared_diagonals(sides: &[Self; 2], case: &Case) -> usize {
        Self::square_pairs(sides, case).iter().filter(|&&pairs| pairs > 0).count()
    }

    /// For each diagonal, the number of its open squares on one side times that on the other.
    fn square_pairs(sides: &[Self; 2], case: &Case) -> [u32; 64] {
        let [left, right] = sides.each_ref().map(|builder| builder.open_squares(case));
        array(|bit| left[bit] * right[bit])
    }

    /// Replaces `half` by the half boards of a slice.
    pub(super) fn build<K: Kernel>(&self, kernel: K, slice: &Slice, half: &mut Half) {
        half.keys.clear();
        let uppers = self.upper().keys();
        let lowers = self.lower.keys();
        for (part, products) in slice.products.iter().enumerate() {
            if let Some(tied) = part.checked_sub(FIRST) {
                half.parts[tied] = half.keys.len();
            }
            let lists = products
                .iter()
                .map(|product| [&uppers[product.upper.range()], &lowers[product.lower.range()]]);
            kernel.unions(lists, &mut half.keys);
        }
    }

    /// All bits that occur in the loaded quarters, and so at least those of their half boards.
    pub(super) fn bits_in_use<K: Kernel>(&self, kernel: K) -> u64 {
        kernel.union(self.upper().keys()) | kernel.union(self.lower.keys())
    }

    /// Bytes allocated for partial fillings.
    #[cfg(test)]
    pub(super) fn filling_bytes(&self) -> usize {
        self.fillings.iter().map(Filling::bytes).sum()
    }
}

impl Upper {
    /// Groups the quarters that are loaded by column set and by how they tie.
    fn group_by_tie(&mut self, side: Side, Context { case, top_rank, .. }: Context) {
        self.groups.iter_mut().for_each(Vec::clear);
        let rows = self.quarter.rows;
        let peers = case.subsets.of_size(rows.count_ones());
        for position in self.quarter.loaded() {
            let columns = peers[position];
            let upper = self.quarter.span(position);
            let complement = (peers.len() - 1 - position) as u32;
            if upper.range().is_empty() {
                continue;
            }
            let rank = case.subsets.rank(columns);
            match top_rank.map_or(Ordering::Less, |top_rank| rank.cmp(&top_rank)) {
                Ordering::Less => self.groups[PLAIN].push(ColumnGroup { upper, complement }),
                // C is T: a reflection in the main diagonal gives another half board of this kind.
                Ordering::Equal if columns == rows => {
                    let fillings = case.top.squares.compare_with_mirror_images(rows, side);
                    self.group_by_mirror_image(upper, complement, &fillings);
                }
                Ordering::Equal => {
                    // C is the complement of T. A quarter turn makes a left half board of this kind a right one. One of the two
                    // is to be counted: the left one.
                    let part = if side == Side::Left { FIRST } else { SECOND };
                    self.groups[part].push(ColumnGroup { upper, complement });
                }
                Ordering::Greater => {}
            }
        }
    }

    /// Sorts the keys of the span `all` into first, same and second ones, and adds a group for each. `fillings` has the
    /// same keys, each with how its filling compares to its mirror image.
    fn group_by_mirror_image(&mut self, all: Span, complement: u32, fillings: &[(Ordering, u64)]) {
        let mut keys = self.quarter.keys_mut()[all.range()].iter_mut();
        let mut start = all.start;
        for (part, order) in (FIRST..).zip(PARTS) {
            let of_order = fillings.iter().filter(|(found, _)| *found == order);
            let upper = Span { start, end: start + of_order.clone().count() as u32 };
            of_order.zip(keys.by_ref()).for_each(|((_, key), place)| *place = *key);
            self.groups[part].push(ColumnGroup { upper, complement });
            start = upper.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::case::{Keep, cases};
    use super::super::quarter::Quarters;
    use super::super::subsets::{Sizes, Subsets};
    use super::*;

    /// A slice is used again for the next row set. If `pairs` were not set back to 0, lists would be cut into more and
    /// more slices.
    #[test]
    fn all_half_boards_are_those_of_one_row_set() {
        let subsets = Arc::new(Subsets::new(Sizes::new(10)));
        let case = &cases(&subsets, Keep::All)[0];
        let stop = &Stop::new();
        let context = Context { case, stop, top_rank: None };
        let mut builder = Builder::new(Side::Left);
        let mut all = Slice::default();
        for (top, bottom) in [(0b00111, 0b11000), (0b11001, 0b00110), (0b00011, 0b10110)] {
            builder.clear();
            builder.add_top(context, top).unwrap();
            builder.choose_top(0);
            builder.set_bottom(context, bottom).unwrap();
            for range in builder.ranges(usize::MAX) {
                builder.load(context, &range).unwrap();
            }
            builder.all_half_boards(&mut all);
            let columns = |quarters: &Quarters, rows| {
                let mut found = Vec::new();
                let mut filling = Filling::default();
                let mut add = |columns: u32, _| found.push(columns);
                quarters.squares.for_each_filling(rows, &mut filling, stop, &mut add).unwrap();
                found
            };
            let upper = columns(&case.top, top);
            let lower = columns(&case.bottom, bottom);
            let fits = |upper: &u32| lower.iter().filter(|&l| upper ^ l == subsets.full()).count();
            let pairs: usize = upper.iter().map(fits).sum();
            assert!(pairs > 0);
            assert_eq!(all.pairs, pairs as u64, "rows {top:b} and {bottom:b}");
        }
    }
}
