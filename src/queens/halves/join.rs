//! Counting the disjoint pairs of two lists of half boards.
//!
//! ```text
//! join(A, B):
//!     if A fits into one table:          count every key of B against the table
//!     choose the diagonal that is busiest in both lists
//!     A0, A1 = A without it, A with it   B0, B1 = B without it, B with it
//!     if A is longer:                    join(A0, B) + join(A1, B0)
//!     else:                              join(A, B0) + join(A0, B1)
//! ```
//!
//! Either way the pairs A1 × B1 are never looked at. Each diagonal sieves out a fifth to a third of
//! the pairs, and the longer the lists, the more diagonals sieve: that is why the cost of a solution
//! does not grow with n.
//!
//! Left and right keys name the same diagonal by different bits: bit j of a left key is bit
//! `mirror - j` of a right key.

use super::kernel::{Kernel, LANE, LANES, SAMPLES, Table};
use crate::search::{Stop, Stopped};

/// The half boards of one row set, those that tie with a symmetric image apart.
#[derive(Debug, Default)]
pub(super) struct Half {
    pub plain: Vec<u64>,
    pub tied: Vec<u64>,
}

impl Half {
    pub(super) fn clear(&mut self) {
        self.plain.clear();
        self.tied.clear();
    }

    fn keys(&self, any: u64) -> Keys<'_> {
        Keys { plain: &self.plain, tied: &self.tied, any }
    }
}

/// Disjoint pairs, by whether the left and the right half board is tied: `[left][right]`.
pub(super) type Pairs = [[u64; 2]; 2];

/// Working memory of a join.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    table: Box<Table>,
    levels: Vec<Level>,
}

/// The lists made by one split.
#[derive(Debug, Default)]
struct Level {
    without: Half,
    with: Half,
    filtered: Half,
}

impl Joiner {
    /// Counts the disjoint pairs of `left` and `right`.
    pub(super) fn count<K: Kernel>(
        &mut self,
        kernel: K,
        mirror: u32,
        left: &Half,
        right: &Half,
        stop: &Stop,
    ) -> Result<Pairs, Stopped> {
        let keys = |half: &Half| kernel.any(&half.plain) | kernel.any(&half.tied);
        let (left, right) = (left.keys(keys(left)), right.keys(keys(right)));
        let mut join = Join { kernel, mirror, stop, joiner: self, pairs: Pairs::default() };
        // The longer list goes into tables: more splits, so more is sieved out.
        if left.len() >= right.len() {
            join.split(left, right, 0)?;
            return Ok(join.pairs);
        }
        join.split(right, left, 0)?;
        let [[neither, left], [right, both]] = join.pairs;
        Ok([[neither, right], [left, both]])
    }
}

/// A list of keys and the bits that may occur in it.
#[derive(Clone, Copy)]
struct Keys<'a> {
    plain: &'a [u64],
    tied: &'a [u64],
    any: u64,
}

impl Keys<'_> {
    fn len(self) -> usize {
        self.plain.len() + self.tied.len()
    }

    /// The number of lanes that the keys take in a table; a lane holds keys of one kind.
    fn lanes(self) -> usize {
        self.plain.len().div_ceil(LANE) + self.tied.len().div_ceil(LANE)
    }

    /// Some of the keys, to look at the whole list through.
    fn sample(&self) -> &[u64] {
        if self.plain.is_empty() { self.tied } else { self.plain }
    }
}

/// One join under way.
struct Join<'a, K> {
    kernel: K,
    mirror: u32,
    stop: &'a Stop,
    joiner: &'a mut Joiner,
    pairs: Pairs,
}

impl<K: Kernel> Join<'_, K> {
    fn split(&mut self, a: Keys, b: Keys, depth: usize) -> Result<(), Stopped> {
        if a.len() == 0 || b.len() == 0 {
            return Ok(());
        }
        if a.lanes() <= LANES {
            self.tabulate(a, b);
            return Ok(());
        }
        self.stop.check()?;
        let bit = if worth_sieving(a.len(), b.len()) { self.busiest(a, b) } else { None };
        match bit {
            Some(bit) => self.sieve(a, b, bit, depth),
            None => self.cut(a, b),
        }
    }

    /// Splits one list by the diagonal `bit` of the keys of `a`, and spares the part that has it
    /// those keys of the other list that have it too.
    fn sieve(&mut self, a: Keys, b: Keys, bit: u32, depth: usize) -> Result<(), Stopped> {
        if self.joiner.levels.len() == depth {
            self.joiner.levels.push(Level::default());
        }
        let mut level = std::mem::take(&mut self.joiner.levels[depth]);
        let Level { without, with, filtered } = &mut level;
        let (bit_a, bit_b) = (1 << bit, 1 << (self.mirror - bit));
        let result = if b.len() > a.len() {
            let [without, with] = self.split_list(b, bit_b, without, with);
            let filtered = self.filter_list(a, bit_a, filtered);
            self.split(a, without, depth + 1).and_then(|()| self.split(filtered, with, depth + 1))
        } else {
            let [without, with] = self.split_list(a, bit_a, without, with);
            let filtered = self.filter_list(b, bit_b, filtered);
            self.split(without, b, depth + 1).and_then(|()| self.split(with, filtered, depth + 1))
        };
        self.joiner.levels[depth] = level;
        result
    }

    fn split_list<'a>(
        &self,
        keys: Keys,
        bit: u64,
        without: &'a mut Half,
        with: &'a mut Half,
    ) -> [Keys<'a>; 2] {
        let plain = self.kernel.split(keys.plain, bit, &mut without.plain, &mut with.plain);
        let tied = self.kernel.split(keys.tied, bit, &mut without.tied, &mut with.tied);
        [without.keys(plain[0] | tied[0]), with.keys(plain[1] | tied[1])]
    }

    fn filter_list<'a>(&self, keys: Keys, bit: u64, without: &'a mut Half) -> Keys<'a> {
        let any = self.kernel.filter(keys.plain, bit, &mut without.plain)
            | self.kernel.filter(keys.tied, bit, &mut without.tied);
        without.keys(any)
    }

    /// Cuts `a` into tables as it is.
    fn cut(&mut self, a: Keys, b: Keys) -> Result<(), Stopped> {
        let [plain, tied] = [a.plain, a.tied].map(|keys| keys.chunks(LANES * LANE));
        for plain in plain {
            self.stop.check()?;
            self.tabulate(Keys { plain, tied: &[], ..a }, b);
        }
        for tied in tied {
            self.stop.check()?;
            self.tabulate(Keys { plain: &[], tied, ..a }, b);
        }
        Ok(())
    }

    /// The diagonal that removes most pairs, as a bit of the keys of `a`, judged by samples.
    fn busiest(&mut self, a: Keys, b: Keys) -> Option<u32> {
        let [in_a, in_b] = self.kernel.busy(a.sample(), b.sample(), &mut self.joiner.table);
        let removed = |bit: u32| {
            u32::from(in_a[bit as usize]) * u32::from(in_b[(self.mirror - bit) as usize])
        };
        // A bit that all of `a` have would not split it.
        let splits = |bit: &u32| (1..SAMPLES).contains(&in_a[*bit as usize]);
        let best = (0..=self.mirror).filter(splits).max_by_key(|&bit| removed(bit))?;
        (removed(best) > 0).then_some(best)
    }

    /// Counts the keys of `b` against a table of the keys of `a`.
    fn tabulate(&mut self, a: Keys, b: Keys) {
        let relevant = a.any & mirrored(b.any, self.mirror);
        let table = &mut self.joiner.table;
        self.kernel.tabulate(table, a.plain, a.tied, relevant);
        let tied_lane = a.plain.len().div_ceil(LANE);
        for (tied_b, keys) in [b.plain, b.tied].into_iter().enumerate() {
            if keys.is_empty() {
                continue;
            }
            let counts = self.kernel.count(table, keys, mirrored(relevant, self.mirror));
            let (plain, tied) = counts.split_at(tied_lane);
            self.pairs[0][tied_b] += plain.iter().sum::<u64>();
            self.pairs[1][tied_b] += tied.iter().sum::<u64>();
        }
    }
}

/// Whether splitting lists of these lengths takes less time than it saves.
///
/// A split saves a fifth of the pairs, of which a table tests about 150 in a cycle; it costs half a
/// cycle for each key, and a thousand to choose the diagonal.
fn worth_sieving(a: usize, b: usize) -> bool {
    a * b > 800 * (1000 + (a + b) / 2)
}

/// Moves every bit j to `mirror - j`.
fn mirrored(key: u64, mirror: u32) -> u64 {
    key.reverse_bits() >> (63 - mirror)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::halves::kernel::{for_every_kernel, with_kernel};

    const MIRROR: u32 = 40;

    /// Reproducible keys with four of the lowest `bits` bits set, or fewer.
    fn half(seed: u64, bits: u64, plain: usize, tied: usize) -> Half {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut keys = |len: usize| {
            let mut key = || (0..4).fold(0, |key, _| key | 1 << (next() % bits));
            (0..len).map(|_| key()).collect()
        };
        Half { plain: keys(plain), tied: keys(tied) }
    }

    fn naive(left: &Half, right: &Half) -> Pairs {
        let count = |left: &[u64], right: &[u64]| {
            let disjoint = |l: u64| {
                let l = mirrored(l, MIRROR);
                right.iter().filter(|&&r| l & r == 0).count() as u64
            };
            left.iter().map(|&l| disjoint(l)).sum()
        };
        [&left.plain, &left.tied]
            .map(|left| [&right.plain, &right.tied].map(|right| count(left, right)))
    }

    #[test]
    fn every_kernel_counts_the_disjoint_pairs() {
        let sizes =
            [(0, 0, 0, 0), (0, 3, 5, 0), (900, 0, 30, 5), (30, 5, 2500, 90), (3, 700, 600, 1)];
        for_every_kernel(|kernel| {
            let mut joiner = Joiner::default();
            for (seed, (a, b, c, d)) in (1..).zip(sizes) {
                // With one bit in use, nothing splits a list.
                for bits in [41, 20, 1] {
                    let (left, right) = (half(seed, bits, a, b), half(seed + 50, bits, c, d));
                    let stop = Stop::new();
                    let pairs = with_kernel!(kernel, k => {
                        joiner.count(k, MIRROR, &left, &right, &stop)
                    });
                    assert_eq!(pairs, Ok(naive(&left, &right)), "{kernel:?}, {bits} bits");
                }
            }
        });
    }

    #[test]
    fn keys_mirror_back() {
        assert_eq!(mirrored(1, MIRROR), 1 << MIRROR);
        assert_eq!(mirrored(mirrored(0x123_4567, MIRROR), MIRROR), 0x123_4567);
    }
}
