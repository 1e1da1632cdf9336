//! How a problem splits into subtrees, and which of them a shard counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::search::Problem;

/// The costs of all subtrees of a problem, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    costs: Vec<u64>,
}

impl Split {
    /// How `problem` has split into `subtrees`.
    pub fn new<P: Problem>(problem: &P, subtrees: &[P::Subtree]) -> Self {
        Self { costs: subtrees.iter().map(|subtree| problem.cost(subtree).max(1)).collect() }
    }

    /// The relative cost of each subtree.
    pub fn costs(&self) -> &[u64] {
        &self.costs
    }

    /// The cost of the subtrees with the numbers `ids`, or of all.
    pub fn cost(&self, ids: Option<&[usize]>) -> u64 {
        match ids {
            Some(ids) => ids.iter().map(|&id| self.costs[id]).sum(),
            None => self.costs.iter().sum(),
        }
    }

    /// A checksum over the costs. Two machines that agree on it deal the same shards.
    pub fn fingerprint(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        for cost in &self.costs {
            hasher.update(&cost.to_le_bytes());
        }
        format!("{:08x}", hasher.finalize())
    }
}

/// The subtrees of every shard, in ascending order.
///
/// Longest first, each goes to the shard that has least so far. Shards then cost the same up to one
/// short subtree, and each gets long and short ones from the whole range, so that errors in the
/// costs even out too. The deal depends on nothing but `costs` and `shards`.
///
/// ```
/// use tallyboard::search::shard::deal;
/// assert_eq!(deal(&[9, 1, 5, 5], 2), [vec![0, 1], vec![2, 3]]);
/// ```
pub fn deal(costs: &[u64], shards: usize) -> Vec<Vec<usize>> {
    let mut longest_first: Vec<usize> = (0..costs.len()).collect();
    longest_first.sort_by_key(|&id| (Reverse(costs[id]), id));
    let mut lightest: BinaryHeap<Reverse<(u64, usize)>> =
        (0..shards).map(|shard| Reverse((0, shard))).collect();
    let mut dealt = vec![Vec::new(); shards];
    for id in longest_first {
        let Some(mut top) = lightest.peek_mut() else { break };
        let Reverse((load, shard)) = &mut *top;
        dealt[*shard].push(id);
        *load = load.saturating_add(costs[id]);
    }
    for subtrees in &mut dealt {
        subtrees.sort_unstable();
    }
    dealt
}

/// Ascending numbers as schedulers write them: `0,3-5,9`.
///
/// ```
/// use tallyboard::search::shard::ranges;
/// assert_eq!(ranges(&[0, 3, 4, 5, 9]), "0,3-5,9");
/// ```
pub fn ranges(numbers: &[usize]) -> String {
    numbers
        .chunk_by(|&a, &b| a + 1 == b)
        .map(|run| match run {
            [only] => only.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_subtree_is_dealt_once(
            costs in prop::collection::vec(1_u64..10_000, 0..300),
            shards in 1_usize..40,
        ) {
            let mut all = deal(&costs, shards).concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..costs.len()).collect::<Vec<_>>());
        }

        #[test]
        fn shards_differ_by_one_subtree_at_most(
            costs in prop::collection::vec(1_u64..10_000, 1..300),
            shards in 1_usize..40,
        ) {
            let loads: Vec<u64> = deal(&costs, shards)
                .iter()
                .map(|ids| ids.iter().map(|&id| costs[id]).sum())
                .collect();
            let spread = loads.iter().max().unwrap() - loads.iter().min().unwrap();
            prop_assert!(spread <= *costs.iter().max().unwrap());
        }
    }
}
