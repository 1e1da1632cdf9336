//! Counting the disjoint pairs of two lists of keys.
//!
//! ```text
//! join(A, B):
//!     if A fits into one table:          count every key of B against the table
//!     choose the bit that is busiest in both lists
//!     A0, A1 = A without it, A with it   B0, B1 = B without it, B with it
//!     if A is longer:                    join(A0, B) + join(A1, B0)
//!     else:                              join(A, B0) + join(A0, B1)
//! ```
//!
//! Either way the pairs A1 × B1 are never looked at. Each bit sieves out a fifth to a third of the
//! pairs, and the longer the lists, the more bits sieve: that is why the cost of a solution does not
//! grow with n.

use super::kernel::{Kernel, SAMPLES, TABLE, Table};
use crate::search::{Stop, Stopped};

/// When to split lists, when to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// The most keys to put into a table, at most [`TABLE`].
    pub table: usize,
    /// Pairs that a table tests in the time that a split takes for a key and the choice of a bit
    /// for `choice` keys.
    pub pairs: usize,
    pub choice: usize,
}

impl Default for Settings {
    fn default() -> Self {
        // A table tests about 150 pairs in a cycle; a split costs half a cycle for each key, and a
        // thousand to choose the bit, and saves a fifth of the pairs.
        Self { table: TABLE, pairs: 400, choice: 2000 }
    }
}

impl Settings {
    /// Whether splitting lists of these lengths takes less time than it saves.
    fn worth_sieving(&self, a: usize, b: usize) -> bool {
        a * b > self.pairs * (self.choice + a + b)
    }
}

/// Counts pairs, with working memory for all joins of a worker.
#[derive(Debug)]
pub(super) struct Joiner {
    settings: Settings,
    table: Box<Table>,
    levels: Vec<Level>,
}

/// The lists made by one split.
#[derive(Debug, Default)]
struct Level {
    without: Vec<u64>,
    with: Vec<u64>,
    filtered: Vec<u64>,
}

impl Joiner {
    pub(super) fn new(settings: Settings) -> Self {
        Self { settings, table: Box::default(), levels: Vec::new() }
    }

    /// How many pairs of a key of `left` and a key of `right` have no bit in common.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub(super) fn disjoint_pairs<K: Kernel>(
        &mut self,
        kernel: K,
        left: &[u64],
        right: &[u64],
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        if left.is_empty() || right.is_empty() {
            return Ok(0);
        }
        let keys = |keys| Keys { keys, any: kernel.any(keys) };
        let (left, right) = (keys(left), keys(right));
        // The longer list goes into tables: more splits, so more is sieved out.
        let (a, b) = if left.len() >= right.len() { (left, right) } else { (right, left) };
        Join { kernel, stop, joiner: self }.split(a, b, 0)
    }
}

/// A list of keys and the bits that may occur in it.
#[derive(Clone, Copy)]
struct Keys<'a> {
    keys: &'a [u64],
    any: u64,
}

impl Keys<'_> {
    fn len(self) -> usize {
        self.keys.len()
    }
}

/// One join under way.
struct Join<'a, K> {
    kernel: K,
    stop: &'a Stop,
    joiner: &'a mut Joiner,
}

impl<K: Kernel> Join<'_, K> {
    fn split(&mut self, a: Keys, b: Keys, depth: usize) -> Result<u64, Stopped> {
        if a.len() == 0 || b.len() == 0 {
            return Ok(0);
        }
        let Settings { table, .. } = self.joiner.settings;
        if a.len() <= table {
            return Ok(self.tabulate(a, b));
        }
        self.stop.check()?;
        let worth = self.joiner.settings.worth_sieving(a.len(), b.len());
        match if worth { self.busiest(a, b) } else { None } {
            Some(bit) => self.sieve(a, b, 1 << bit, depth),
            None => a.keys.chunks(table).try_fold(0, |sum, keys| {
                self.stop.check()?;
                Ok(sum + self.tabulate(Keys { keys, ..a }, b))
            }),
        }
    }

    /// Splits one list by a bit, and spares the part that has it those keys of the other list that
    /// have it too.
    fn sieve(&mut self, a: Keys, b: Keys, bit: u64, depth: usize) -> Result<u64, Stopped> {
        if self.joiner.levels.len() == depth {
            self.joiner.levels.push(Level::default());
        }
        let mut level = std::mem::take(&mut self.joiner.levels[depth]);
        let Level { without, with, filtered } = &mut level;
        let (long, short) = if b.len() > a.len() { (b, a) } else { (a, b) };
        let any = self.kernel.split(long.keys, bit, without, with);
        let without = Keys { keys: without, any: any[0] };
        let with = Keys { keys: with, any: any[1] };
        let any = self.kernel.filter(short.keys, bit, filtered);
        let filtered = Keys { keys: filtered, any };
        let [first, second] = if b.len() > a.len() {
            [(a, without), (filtered, with)]
        } else {
            [(without, b), (with, filtered)]
        };
        let result = self
            .split(first.0, first.1, depth + 1)
            .and_then(|sum| Ok(sum + self.split(second.0, second.1, depth + 1)?));
        self.joiner.levels[depth] = level;
        result
    }

    /// The bit that removes most pairs, judged by samples.
    fn busiest(&mut self, a: Keys, b: Keys) -> Option<u32> {
        let [in_a, in_b] = self.kernel.busy(a.keys, b.keys, &mut self.joiner.table);
        let removed = |bit: u32| u32::from(in_a[bit as usize]) * u32::from(in_b[bit as usize]);
        // A bit that all of `a` have would not split it.
        let splits = |bit: &u32| (1..SAMPLES).contains(&in_a[*bit as usize]);
        let best = (0..u64::BITS).filter(splits).max_by_key(|&bit| removed(bit))?;
        (removed(best) > 0).then_some(best)
    }

    /// Counts the keys of `b` against a table of the keys of `a`.
    fn tabulate(&mut self, a: Keys, b: Keys) -> u64 {
        let relevant = a.any & b.any;
        let table = &mut self.joiner.table;
        self.kernel.tabulate(table, a.keys, relevant);
        self.kernel.count(table, b.keys, relevant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::halves::kernel::{for_every_kernel, with_kernel};

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

    /// So small that lists of a hundred keys are split, and to the end.
    const SMALL: [Settings; 3] = [
        Settings { table: 3, pairs: 0, choice: 0 },
        Settings { table: 70, pairs: 10, choice: 20 },
        Settings { table: TABLE, pairs: 100, choice: 100 },
    ];

    #[test]
    fn every_kernel_counts_the_disjoint_pairs() {
        let sizes = [(0, 0), (0, 3), (5, 0), (1, 1), (900, 35), (30, 2500), (700, 600)];
        for (seed, (a, b)) in (1..).zip(sizes) {
            // With one bit in use, nothing splits a list.
            for bits in [64, 41, 20, 1] {
                let (left, right) = (keys(seed, bits, a), keys(seed + 50, bits, b));
                let expected = Ok(naive(&left, &right));
                for_every_kernel(|kernel| {
                    for settings in SMALL.into_iter().chain([Settings::default()]) {
                        let mut joiner = Joiner::new(settings);
                        let pairs = with_kernel!(kernel, k => {
                            joiner.disjoint_pairs(k, &left, &right, &Stop::new())
                        });
                        assert_eq!(pairs, expected, "{kernel:?}, {settings:?}, {bits} bits");
                    }
                });
            }
        }
    }
}
