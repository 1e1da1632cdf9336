//! The states of an item and their counts.

use crate::arithmetic::Arithmetic;
use crate::hash::hash_words;

/// A hash table of states with linear probing. An entry with a count of 0 is empty.
#[derive(Debug, Default)]
pub(super) struct Table<const W: usize> {
    entries: Vec<([u64; W], u128)>,
    used: usize,
}

/// The entries of the smallest table.
const FEWEST_ENTRIES: usize = 16;

impl<const W: usize> Table<W> {
    /// Adds `count`, which is not 0, to the count of `state`. `arithmetic` adds the two. Returns whether the sum fits in
    /// 128 bits.
    pub fn add(&mut self, state: [u64; W], count: u128, arithmetic: Arithmetic) -> bool {
        if 4 * self.used >= 3 * self.entries.len() {
            self.grow();
        }
        let mask = self.entries.len() - 1;
        let mut index = hash_words(&state) as usize & mask;
        loop {
            let (key, sum) = &mut self.entries[index];
            if *sum == 0 {
                *key = state;
                *sum = count;
                self.used += 1;
                return true;
            }
            if *key == state {
                let added = arithmetic.add(*sum, count);
                *sum = added.unwrap_or(*sum);
                return added.is_some();
            }
            index = (index + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let larger = (2 * self.entries.len()).max(FEWEST_ENTRIES);
        let entries = std::mem::replace(&mut self.entries, vec![([0; W], 0); larger]);
        self.used = 0;
        for (state, count) in entries.into_iter().filter(|entry| entry.1 > 0) {
            // Each state is there once, so the arithmetic is not used.
            self.add(state, count, Arithmetic::default());
        }
    }

    /// The states and their counts.
    pub fn iter(&self) -> impl Iterator<Item = ([u64; W], u128)> {
        self.entries.iter().filter(|entry| entry.1 > 0).copied()
    }

    /// The memory of the entries.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<([u64; W], u128)>()
    }
}
