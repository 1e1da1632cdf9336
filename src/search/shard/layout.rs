//! How a problem splits: what each subtree costs, and a fingerprint of it all.

use crate::search::Problem;

/// The costs of all subtrees of a problem, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    costs: Vec<u64>,
}

impl Layout {
    /// The layout of `problem`, which has split into `subtrees`.
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
