//! A compact map from finished subtrees to their subtotals: eight bytes each.

use std::collections::{BTreeMap, HashMap};

use super::{Overflow, Tally};

/// The number of subtrees in a block. Smaller blocks need a larger tree over them. Larger blocks waste more memory if a
/// shard has only one subtree in thousands.
const SUBTREES_PER_BLOCK: usize = 128;
/// The entry of a subtree whose subtotal is not known, or is in [`KnownSubtotals::large`].
const ABSENT: u64 = u64::MAX;

/// The subtotals that an earlier run has counted, by subtree.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct KnownSubtotals {
    /// Subtotals by block, where block i has the subtrees from i * `SUBTREES_PER_BLOCK` on.
    blocks: BTreeMap<usize, Box<[u64; SUBTREES_PER_BLOCK]>>,
    /// Subtotals of `u64::MAX` and above; in the blocks they are `ABSENT`.
    large: HashMap<usize, Tally>,
    len: usize,
}

impl KnownSubtotals {
    /// The subtotal of `subtree`, if it is known.
    pub fn get(&self, subtree: usize) -> Option<Tally> {
        match self.blocks.get(&(subtree / SUBTREES_PER_BLOCK))?[subtree % SUBTREES_PER_BLOCK] {
            ABSENT => self.large.get(&subtree).copied(),
            small => Some(Tally::new(small)),
        }
    }

    /// Adds the subtotal of `subtree`. If one is known already, returns it and changes nothing.
    pub fn insert(&mut self, subtree: usize, tally: Tally) -> Option<Tally> {
        let before = self.get(subtree);
        if before.is_none() {
            let small = u64::try_from(tally.solutions()).unwrap_or(ABSENT);
            let empty = || [ABSENT; SUBTREES_PER_BLOCK].into();
            let block = self.blocks.entry(subtree / SUBTREES_PER_BLOCK).or_insert_with(empty);
            block[subtree % SUBTREES_PER_BLOCK] = small;
            if small == ABSENT {
                self.large.insert(subtree, tally);
            }
            self.len += 1;
        }
        before
    }

    /// The number of subtrees that are known.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The largest number of a subtree that is known.
    pub fn last(&self) -> Option<usize> {
        let (&block, _) = self.blocks.last_key_value()?;
        let mut subtrees = (0..SUBTREES_PER_BLOCK).map(|index| block * SUBTREES_PER_BLOCK + index);
        subtrees.rfind(|&subtree| self.get(subtree).is_some())
    }

    /// The sum of all subtotals.
    pub fn total(&self) -> Result<Tally, Overflow> {
        let entries = self.blocks.values().flat_map(|block| block.iter().copied());
        let small = entries.filter(|&entry| entry != ABSENT).map(Tally::new);
        small.chain(self.large.values().copied()).try_fold(Tally::default(), Tally::merge)
    }
}

impl FromIterator<(usize, Tally)> for KnownSubtotals {
    /// # Panics
    /// If a subtree comes twice with different subtotals: one of them is wrong.
    fn from_iter<T: IntoIterator<Item = (usize, Tally)>>(subtotals: T) -> Self {
        let mut known = Self::default();
        for (subtree, tally) in subtotals {
            let before = known.insert(subtree, tally).unwrap_or(tally);
            assert_eq!(before, tally, "subtree {subtree} has two subtotals");
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map_whatever_the_subtotals_are() {
        let largest = u128::from(u64::MAX);
        let values = [0, 5_000_000_000, largest - 1, largest, largest + 1, 1 << 100];
        let mut known = KnownSubtotals::default();
        let mut plain = BTreeMap::new();
        // Some blocks are full and others hold one subtree; each comes twice, with another subtotal.
        let subtrees = (0..300).chain([1 << 40, usize::MAX]).rev();
        for (turn, subtree) in subtrees.clone().chain(subtrees).enumerate() {
            let tally = Tally::new(values[turn % values.len()]);
            assert_eq!(known.insert(subtree, tally), plain.get(&subtree).copied());
            plain.entry(subtree).or_insert(tally);
            assert_eq!(known.len(), plain.len());
            assert_eq!(known.last(), plain.keys().next_back().copied());
        }
        for subtree in (0..600).chain([1 << 40, (1 << 40) + 1, usize::MAX - 1, usize::MAX]) {
            assert_eq!(known.get(subtree), plain.get(&subtree).copied(), "{subtree}");
        }
        let sum = plain.values().try_fold(Tally::default(), |sum, &tally| sum.merge(tally));
        assert_eq!(known.total(), sum);
        assert_eq!(known, plain.into_iter().collect());
        assert!(!known.is_empty() && KnownSubtotals::default().is_empty());
    }

    #[test]
    #[should_panic(expected = "subtree 3 has two subtotals")]
    fn subtotals_that_contradict_each_other_are_not_hidden() {
        let [one, two] = [1_u64, 2].map(Tally::new);
        assert_eq!(KnownSubtotals::from_iter([(3, one), (4, two), (3, one)]).len(), 2);
        let _ = KnownSubtotals::from_iter([(3, one), (4, two), (3, two)]);
    }
}
