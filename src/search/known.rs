//! Subtotals of the subtrees that are finished, in eight bytes each.

use std::collections::{BTreeMap, HashMap};

use super::{Overflow, Tally};

/// Subtrees per block. Smaller blocks need a larger tree over them; larger ones waste more memory where a
/// shard has one subtree in thousands.
const BLOCK: usize = 128;
/// Stands for a subtotal that is not known, or that is in [`Known::large`].
const ABSENT: u64 = u64::MAX;

/// Subtotals by subtree, as an earlier run has left them.
///
/// ```
/// use tallyboard::search::{Known, Tally};
///
/// let known = Known::from_iter([(7, Tally::new(92u64)), (9, Tally::new(u128::MAX))]);
/// assert_eq!(known.get(7), Some(Tally::new(92u64)));
/// assert_eq!((known.get(8), known.len(), known.last()), (None, 2, Some(9)));
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Known {
    /// Subtotals by block, where block i has the subtrees from i * `BLOCK` on.
    blocks: BTreeMap<usize, Box<[u64; BLOCK]>>,
    /// Subtotals of `u64::MAX` and above; in the blocks they are `ABSENT`.
    large: HashMap<usize, Tally>,
    len: usize,
}

impl Known {
    /// The subtotal of `subtree`, if it is known.
    pub fn get(&self, subtree: usize) -> Option<Tally> {
        match self.blocks.get(&(subtree / BLOCK))?[subtree % BLOCK] {
            ABSENT => self.large.get(&subtree).copied(),
            small => Some(Tally::new(small)),
        }
    }

    /// Enters the subtotal of `subtree` unless one is known already, which it returns.
    pub fn insert(&mut self, subtree: usize, tally: Tally) -> Option<Tally> {
        let before = self.get(subtree);
        if before.is_none() {
            let small = u64::try_from(tally.solutions()).unwrap_or(ABSENT);
            let empty = || [ABSENT; BLOCK].into();
            self.blocks.entry(subtree / BLOCK).or_insert_with(empty)[subtree % BLOCK] = small;
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
        (0..BLOCK).rev().map(|place| block * BLOCK + place).find(|&it| self.get(it).is_some())
    }

    /// The sum of all subtotals.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn total(&self) -> Result<Tally, Overflow> {
        let small = self.blocks.values().flat_map(|block| block.iter());
        let small = small.filter(|&&small| small != ABSENT).map(|&small| Tally::new(small));
        small.chain(self.large.values().copied()).try_fold(Tally::default(), Tally::merge)
    }
}

impl FromIterator<(usize, Tally)> for Known {
    fn from_iter<T: IntoIterator<Item = (usize, Tally)>>(subtotals: T) -> Self {
        let mut known = Self::default();
        for (subtree, tally) in subtotals {
            known.insert(subtree, tally);
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
        let (mut known, mut plain) = (Known::default(), BTreeMap::new());
        // Some blocks are full and others hold one subtree; each comes twice, with another subtotal.
        let subtrees = (0..300).chain([1 << 40, usize::MAX]).rev();
        for (at, subtree) in subtrees.clone().chain(subtrees).enumerate() {
            let tally = Tally::new(values[at % values.len()]);
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
        assert!(!known.is_empty() && Known::default().is_empty());
    }
}
