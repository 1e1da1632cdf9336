//! The search over sets as a tree that can be split into subtrees.

use super::{OptionSets, count};
use crate::hash::mix;
use crate::splitting::Tree;
use search::{Halt, NodeBudget, Stop};

/// A node: the number of the branch taken at each node above it.
pub(crate) type Path = Vec<u32>;

/// The tree of a problem.
pub(crate) struct SetTree {
    pub sets: OptionSets,
}

impl SetTree {
    /// The covers below a node.
    ///
    /// # Errors
    /// [`Halt`] as of [`count`].
    pub fn count_within(&mut self, path: &Path, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let found = if self.sets.follow(path) { count(&mut self.sets, budget) } else { Ok(0) };
        self.sets.undo_to(0);
        found
    }
}

impl Tree for SetTree {
    type Node = Path;

    fn children(&mut self, path: &Path) -> (Vec<Path>, u128) {
        let is_possible = self.sets.follow(path);
        let branches = if is_possible { self.sets.branches() } else { None };
        self.sets.undo_to(0);
        let Some(branches) = branches else { return (Vec::new(), u128::from(is_possible)) };
        let numbers = 0..branches.len() as u32;
        let children = numbers.map(|number| [&path[..], &[number]].concat()).collect();
        self.sets.recycle(Some(branches));
        (children, 0)
    }

    fn descend(&mut self, path: &Path, seed: u64) -> u128 {
        let mut random = path.iter().fold(seed, |hash, &number| mix(hash ^ u64::from(number)));
        // The estimated nodes at the current depth, and at all depths so far.
        let mut width = 1_u128;
        let mut nodes = 1_u128;
        let mut is_possible = self.sets.follow(path);
        while is_possible {
            let Some(branches) = self.sets.branches() else { break };
            random = mix(random);
            // A 64-bit random number times the number of branches, divided by 2^64: the number of a branch.
            let number = ((u128::from(random) * branches.len() as u128) >> 64) as usize;
            width = width.saturating_mul(branches.len() as u128);
            nodes = nodes.saturating_add(width);
            is_possible = self.sets.go_to(&branches, number);
            self.sets.recycle(Some(branches));
        }
        self.sets.undo_to(0);
        nodes
    }

    fn count(&mut self, path: &Path, limit: u64) -> Result<(u128, u64), Halt> {
        let stop = Stop::new();
        let mut budget = NodeBudget::limited(&stop, limit);
        let found = self.count_within(path, &mut budget)?;
        Ok((found, budget.nodes()))
    }
}
