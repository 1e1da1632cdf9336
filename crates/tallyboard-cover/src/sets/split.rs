//! The search over sets as a tree that can be split into subtrees.

use super::{OptionSets, count};
use crate::hash::mix;
use crate::splitting::Tree;
use tallyboard_search::{Halt, NodeBudget};

/// A node: the number of the branch taken at each node above it.
pub(crate) type Path = Vec<u32>;

impl Tree for OptionSets {
    type Node = Path;

    fn children(&mut self, path: &Path) -> (Vec<Path>, u128) {
        let is_possible = self.follow(path);
        let branches = if is_possible { self.branches() } else { None };
        self.undo_to(0);
        let Some(branches) = branches else { return (Vec::new(), u128::from(is_possible)) };
        let numbers = 0..branches.len() as u32;
        let children = numbers.map(|number| [&path[..], &[number]].concat()).collect();
        self.recycle(Some(branches));
        (children, 0)
    }

    fn descend(&mut self, path: &Path, seed: u64) -> u128 {
        let mut random = path.iter().fold(seed, |hash, &number| mix(hash ^ u64::from(number)));
        // The estimated nodes at the current depth, and at all depths so far.
        let mut width = 1_u128;
        let mut nodes = 1_u128;
        let mut is_possible = self.follow(path);
        while is_possible {
            let Some(branches) = self.branches() else { break };
            random = mix(random);
            // A 64-bit random number times the number of branches, divided by 2^64: the number of a branch.
            let number = ((u128::from(random) * branches.len() as u128) >> 64) as usize;
            width = width.saturating_mul(branches.len() as u128);
            nodes = nodes.saturating_add(width);
            is_possible = self.go_to(&branches, number);
            self.recycle(Some(branches));
        }
        self.undo_to(0);
        nodes
    }

    fn count(&mut self, path: &Path, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let found = if self.follow(path) { count(self, budget) } else { Ok(0) };
        self.undo_to(0);
        found
    }
}
