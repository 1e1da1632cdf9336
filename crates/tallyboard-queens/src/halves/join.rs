//! Counting the disjoint pairs of two lists of keys.
//!
//! ```text
//! join(A, B):
//!     if no bit occurs in both lists:    all pairs
//!     if 32 bits or fewer do:            make 32-bit keys of these: *narrow* keys
//!     if a split would cost more:        count every key of B against tables of A, or the reverse
//!     choose the bit that is busiest in both lists
//!     A0, A1 = A without it, A with it   B0, B1 = B without it, B with it
//!     if A is longer:                    join(A0, B) + join(A1, B0)
//!     else:                              join(A, B0) + join(A0, B1)
//! ```
//!
//! In both cases the pairs A1 × B1, which all share the bit, are never tested. Each split removes a
//! fifth to a third of the pairs. With larger n lists are longer, longer lists are split more often, and so a
//! smaller share of their pairs is tested; measured, this outweighs the growing number of pairs for each solution.
//!
//! After a split, one list of each part lacks the bit, so that the bit matters to neither part. Each split therefore
//! leaves fewer bits that matter, until at most 32 do; then the keys become narrow, and only of narrow keys are tables made.

use super::kernel::{FOLDED, Kernel, Key, Lists, TABLE, Table};
use tallyboard_search::{Stop, Stopped};

/// Decides when a join splits its lists and when it counts them by tables. The unit of cost is to count one key against
/// one table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// Keys in a full table, at most [`TABLE`].
    pub keys_per_table: usize,
    /// Cost of making a table.
    pub cost_of_table: usize,
    /// Cost of choosing a bit, and the part of a split's cost that does not grow with its keys.
    pub cost_of_split: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { keys_per_table: TABLE, cost_of_table: 140, cost_of_split: 350 }
    }
}

impl Settings {
    /// The cost of counting `b` keys against tables of `a` keys.
    fn table_cost(&self, a: usize, b: usize) -> usize {
        a.div_ceil(self.keys_per_table) * (self.cost_of_table + b)
    }

    /// The cost of counting two lists of these lengths, either of which may go into tables.
    fn unsplit_cost(&self, a: usize, b: usize) -> usize {
        self.table_cost(a, b).min(self.table_cost(b, a))
    }

    /// Whether splitting lists of these lengths is estimated to cost less than counting them.
    fn is_split_cheaper(&self, a: usize, b: usize) -> bool {
        let long = a.max(b);
        let short = a.min(b);
        // The busiest bit is in a little more than half of the keys of both.
        let with_bit = |keys: usize| keys * 17 / 32;
        let parts = self.unsplit_cost(long - with_bit(long), short)
            + self.unsplit_cost(with_bit(long), short - with_bit(short));
        // Some parts are split again, which costs less than counting them unsplit.
        let parts = parts * 15 / 16;
        // To split the longer list costs 1/8 a key, to filter the shorter one 5/64.
        self.unsplit_cost(a, b) > self.cost_of_split + (8 * long + 5 * short) / 64 + parts
    }
}

/// Lists with fewer keys are read through for the bits that occur in them. Longer ones have nearly all bits that
/// they can have.
pub(super) const READ_THROUGH_BELOW: usize = 4096;

/// Counts pairs, with working memory for all joins of a worker.
#[derive(Debug)]
pub(super) struct Joiner {
    settings: Settings,
    table: Box<Table>,
    /// Free lists for splits, of 64-bit keys and of narrow ones. A split pops a level and pushes it back when it is
    /// done, so each depth gets the lists that it had before, with their memory.
    wide: Vec<Level<u64>>,
    narrow: Vec<Level<u32>>,
    narrowed: [Vec<u32>; 2],
}

/// The lists made by one split.
#[derive(Debug, Default)]
pub(super) struct Level<K> {
    without: Vec<K>,
    with: Vec<K>,
    filtered: Vec<K>,
}

impl<K> Level<K> {
    /// Bytes allocated.
    fn bytes(&self) -> usize {
        let keys = self.without.capacity() + self.with.capacity() + self.filtered.capacity();
        keys * size_of::<K>()
    }
}

impl Joiner {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            table: Box::default(),
            wide: Vec::new(),
            narrow: Vec::new(),
            narrowed: Default::default(),
        }
    }

    /// Bytes allocated for lists.
    pub(super) fn bytes(&self) -> usize {
        let narrowed: usize = self.narrowed.iter().map(Vec::capacity).sum();
        self.wide.iter().map(Level::bytes).sum::<usize>()
            + self.narrow.iter().map(Level::bytes).sum::<usize>()
            + narrowed * size_of::<u32>()
    }

    /// Frees all lists.
    pub(super) fn free(&mut self) {
        (self.wide, self.narrow, self.narrowed) = Default::default();
    }

    /// The number of pairs of a key of `left` and a key of `right` without a common bit. `common` has at least
    /// the bits that occur in both lists.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(super) fn disjoint_pairs<I: Kernel>(
        &mut self,
        kernel: I,
        left: &[u64],
        right: &[u64],
        common: u64,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        if left.is_empty() || right.is_empty() {
            return Ok(0);
        }
        let union = |keys: &[u64]| {
            if keys.len() < READ_THROUGH_BELOW { kernel.union(keys) } else { common }
        };
        let left = Keys { keys: left, union: union(left) };
        let right = Keys { keys: right, union: union(right) };
        Join { kernel, stop, joiner: self }.count(left, right)
    }
}

/// A list of keys and the bits that may occur in it.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a, K> {
    keys: &'a [K],
    union: u64,
}

impl<K: Copy> Keys<'_, K> {
    fn len(self) -> usize {
        self.keys.len()
    }
}

/// A width of keys: 64 bits, or 32 for narrow ones.
pub(super) trait Width: Key {
    /// Free lists for splits of keys of this width.
    fn levels(joiner: &mut Joiner) -> &mut Vec<Level<Self>>;

    /// Counts the pairs without a split of keys of this width, if that is faster: wide keys go on as narrow ones, narrow
    /// ones into tables. Else `None`.
    fn count_beyond<I: Kernel>(
        join: &mut Join<I>,
        a: Keys<Self>,
        b: Keys<Self>,
    ) -> Option<Result<u64, Stopped>>;
}

impl Width for u64 {
    fn levels(joiner: &mut Joiner) -> &mut Vec<Level<u64>> {
        &mut joiner.wide
    }

    /// Counts them as narrow keys, if at most 32 bits matter.
    fn count_beyond<I: Kernel>(
        join: &mut Join<I>,
        a: Keys<u64>,
        b: Keys<u64>,
    ) -> Option<Result<u64, Stopped>> {
        let relevant = a.union & b.union;
        (relevant.count_ones() <= u32::BITS).then(|| {
            let mut narrowed = std::mem::take(&mut join.joiner.narrowed);
            let can_fold = relevant & !FOLDED == 0;
            for (list, keys) in [a, b].iter().zip(&mut narrowed) {
                if can_fold {
                    join.kernel.fold(list.keys, relevant, keys);
                } else {
                    join.kernel.narrow(list.keys, relevant, keys);
                }
            }
            // `fold` puts the high word's 16 bits above those of the low word; `narrow` moves all bits to the low end.
            let union = if can_fold {
                (relevant | relevant >> 16) & 0xffff_ffff
            } else {
                (1 << relevant.count_ones()) - 1
            };
            let [narrow_a, narrow_b] = narrowed.each_ref().map(|keys| Keys { keys, union });
            let result = join.count::<u32>(narrow_a, narrow_b);
            join.joiner.narrowed = narrowed;
            result
        })
    }
}

impl Width for u32 {
    fn levels(joiner: &mut Joiner) -> &mut Vec<Level<u32>> {
        &mut joiner.narrow
    }

    /// Counts them by tables, if another split would cost more time than it saves.
    fn count_beyond<I: Kernel>(
        join: &mut Join<I>,
        a: Keys<u32>,
        b: Keys<u32>,
    ) -> Option<Result<u64, Stopped>> {
        let settings = join.joiner.settings;
        (!settings.is_split_cheaper(a.len(), b.len())).then(|| {
            let b_in_tables =
                settings.table_cost(b.len(), a.len()) < settings.table_cost(a.len(), b.len());
            let (tabulated, counted) = if b_in_tables { (b, a) } else { (a, b) };
            tabulated.keys.chunks(settings.keys_per_table).try_fold(0, |sum, keys| {
                join.stop.check()?;
                Ok(sum + join.count_by_table(Keys { keys, ..tabulated }, counted))
            })
        })
    }
}

/// One join under way.
pub(super) struct Join<'a, I> {
    kernel: I,
    stop: &'a Stop,
    joiner: &'a mut Joiner,
}

impl<I: Kernel> Join<'_, I> {
    /// Counts the disjoint pairs of two lists, by splits or without.
    fn count<K: Width>(&mut self, a: Keys<K>, b: Keys<K>) -> Result<u64, Stopped>
    where
        I: Lists<K>,
    {
        if a.len() == 0 || b.len() == 0 {
            return Ok(0);
        }
        if a.union & b.union == 0 {
            // Cannot overflow: `MAX_LIST_BYTES` keeps the sum of all parts below 2^62.
            return Ok(a.len() as u64 * b.len() as u64);
        }
        if let Some(result) = K::count_beyond(self, a, b) {
            return result;
        }
        self.stop.check()?;
        let bit = self.busiest_bit(a, b);
        self.split_and_count(a, b, bit)
    }

    /// Splits the longer list by a bit. Joins its part with the bit with the keys of the other list that lack the
    /// bit, and its part without the bit with the whole other list.
    fn split_and_count<K: Width>(
        &mut self,
        a: Keys<K>,
        b: Keys<K>,
        bit: u32,
    ) -> Result<u64, Stopped>
    where
        I: Lists<K>,
    {
        let mut level = K::levels(self.joiner).pop().unwrap_or_default();
        let Level { without, with, filtered } = &mut level;
        let (long, short) = if b.len() > a.len() { (b, a) } else { (a, b) };
        let union = self.kernel.split(long.keys, bit, without, with);
        let without = Keys { keys: without, union: union[0] };
        let with = Keys { keys: with, union: union[1] };
        let union = self.kernel.filter(short.keys, bit, filtered);
        let filtered = Keys { keys: filtered, union };
        let [first, second] = if b.len() > a.len() {
            [(a, without), (filtered, with)]
        } else {
            [(without, b), (with, filtered)]
        };
        let result =
            self.count(first.0, first.1).and_then(|sum| Ok(sum + self.count(second.0, second.1)?));
        K::levels(self.joiner).push(level);
        result
    }

    /// The bit whose split is estimated to remove most pairs, from samples of both lists.
    fn busiest_bit<K: Key>(&mut self, a: Keys<K>, b: Keys<K>) -> u32
    where
        I: Lists<K>,
    {
        let [in_a, in_b] = self.kernel.bit_frequencies(a.keys, b.keys, &mut self.joiner.table);
        let removed = |bit: u32| u32::from(in_a[bit as usize]) * u32::from(in_b[bit as usize]);
        let relevant = a.union & b.union;
        // Only bits that matter may be chosen: the split makes its bit matter to neither part, and so the recursion ends.
        let bits = (0..u64::BITS).filter(|bit| relevant >> bit & 1 == 1);
        bits.max_by_key(|&bit| removed(bit)).expect("some bit matters")
    }

    /// Counts the keys of `b` against a table of the keys of `a`.
    fn count_by_table(&mut self, a: Keys<u32>, b: Keys<u32>) -> u64 {
        let relevant = (a.union & b.union) as u32;
        let table = &mut self.joiner.table;
        self.kernel.tabulate(table, a.keys, relevant);
        self.kernel.count(table, b.keys, relevant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halves::kernel::{for_every_kernel, with_kernel};

    /// Reproducible keys with four of the lowest `bits` bits set, or fewer.
    fn keys(seed: u64, bits: u64, len: usize) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut key = || (0..4).fold(0, |key, _| key | 1 << (next() % bits));
        (0..len).map(|_| key()).collect()
    }

    fn naive(left: &[u64], right: &[u64]) -> u64 {
        left.iter().map(|l| right.iter().filter(|&r| l & r == 0).count() as u64).sum()
    }

    /// Costs so low that lists of a hundred keys are split, and as often as possible.
    const SMALL: [Settings; 3] = [
        Settings { keys_per_table: 3, cost_of_table: 0, cost_of_split: 0 },
        Settings { keys_per_table: 70, cost_of_table: 10, cost_of_split: 5 },
        Settings { keys_per_table: TABLE, cost_of_table: 0, cost_of_split: 1 },
    ];

    #[test]
    fn every_kernel_counts_the_disjoint_pairs() {
        let sizes = [
            (0, 0),
            (0, 3),
            (5, 0),
            (1, 1),
            (600, 35),
            (30, 1100),
            (210, 190),
            (READ_THROUGH_BELOW, 40),
        ];
        for (seed, (a, b)) in (1..).zip(sizes) {
            // With one bit in use, a split leaves each list whole or empties it.
            for bits in [64, 41, 20, 1] {
                let left = keys(seed, bits, a);
                let right = keys(seed + 50, bits, b);
                let expected = Ok(naive(&left, &right));
                for_every_kernel(|kernel| {
                    for settings in SMALL.into_iter().chain([Settings::default()]) {
                        let mut joiner = Joiner::new(settings);
                        let pairs = with_kernel!(kernel, k => {
                            let union = |keys: &[u64]| k.union(keys);
                            [u64::MAX, union(&left) & union(&right)].map(|common| {
                                joiner.disjoint_pairs(k, &left, &right, common, &Stop::new())
                            })
                        });
                        assert_eq!(pairs, [expected; 2], "{kernel:?}, {settings:?}, {bits} bits");
                    }
                });
            }
        }
    }

    #[test]
    fn lists_are_split_where_that_saves_more_than_it_costs() {
        let sizes = [
            (512, 512),
            (512, 2_000),
            (1_000_000, 100),
            // Unsplit 2 * (140 + 600) = 1,480 for two tables; split 350 + 121 for the bit and 1,089 for the parts.
            (600, 600),
            // Unsplit 5,040 for six tables; split 350 + 429 for the bit and 3,987 for the parts.
            (3_000, 700),
            (700, 3_000),
            (3_000, 3_000),
            (0, 0),
        ];
        let split = sizes.map(|(a, b)| Settings::default().is_split_cheaper(a, b));
        assert_eq!(split, [false, false, false, false, true, true, true, false]);
    }

    #[test]
    fn the_list_that_fills_tables_better_goes_into_them() {
        let settings = Settings { keys_per_table: 100, cost_of_table: 10, cost_of_split: 0 };
        // Two tables for 50 keys each, or one for 101.
        assert_eq!([settings.table_cost(101, 50), settings.table_cost(50, 101)], [120, 111]);
        assert_eq!([settings.unsplit_cost(101, 50), settings.unsplit_cost(50, 101)], [111; 2]);
    }

    #[test]
    fn the_bytes_of_a_joiner_are_those_of_its_lists() {
        let mut joiner = Joiner::new(Settings::default());
        assert_eq!(joiner.bytes(), 0);
        joiner.wide.push(Level { without: vec![0; 1], with: vec![0; 2], filtered: vec![0; 4] });
        joiner.narrow.push(Level { without: vec![0; 8], with: vec![0; 16], filtered: vec![0; 32] });
        joiner.narrowed = [vec![0; 64], vec![0; 128]];
        assert_eq!(joiner.bytes(), 8 * 7 + 4 * (56 + 192));
        joiner.free();
        assert_eq!(joiner.bytes(), 0);
    }
}
