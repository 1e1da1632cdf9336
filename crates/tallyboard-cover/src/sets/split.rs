//! The search over sets as a tree that can be split into subtrees.

use super::{OptionSets, count};
use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::hash::mix;
use tallyboard_search::{Branches, Halt, NodeBudget, Tree};

/// A node: the number of the branch taken at each node above it.
pub(crate) type Path = Vec<u32>;

/// The tree of a problem. Its counts are those of [`Arithmetic`].
#[derive(Debug, Clone)]
pub(crate) struct SetTree {
    /// The sets, always back in the state of the root.
    pub sets: OptionSets,
}

impl SetTree {
    /// The tree of `cover`; `None` if it has more entries than 32 bits can number.
    pub fn new(cover: &Cover, arithmetic: Arithmetic) -> Option<Self> {
        Some(Self { sets: OptionSets::new(cover)?.counting(arithmetic) })
    }
}

impl Tree for SetTree {
    type Node = Path;

    fn root(&self) -> Path {
        Path::new()
    }

    fn branches(&mut self, path: &Path) -> Branches<Path> {
        let sets = &mut self.sets;
        let is_possible = sets.follow(path);
        let branches = if is_possible { sets.branches() } else { None };
        sets.undo_to(0);
        let Some(branches) = branches else { return Branches::Leaf(u128::from(is_possible)) };
        let numbers = 0..branches.len() as u32;
        let children = numbers.map(|number| [&path[..], &[number]].concat()).collect();
        sets.recycle(Some(branches));
        Branches::Children(children)
    }

    fn descend(&mut self, path: &Path, seed: u64) -> u64 {
        let sets = &mut self.sets;
        let mut random = path.iter().fold(seed, |hash, &number| mix(hash ^ u64::from(number)));
        // The estimated nodes at the current depth, and at all depths so far.
        let mut width = 1_u64;
        let mut nodes = 1_u64;
        let mut is_possible = sets.follow(path);
        while is_possible {
            let Some(branches) = sets.branches() else { break };
            random = mix(random);
            // A 64-bit random number times the number of branches, divided by 2^64: the number of a branch.
            let number = ((u128::from(random) * branches.len() as u128) >> 64) as usize;
            width = width.saturating_mul(branches.len() as u64);
            nodes = nodes.saturating_add(width);
            is_possible = sets.go_to(&branches, number);
            sets.recycle(Some(branches));
        }
        sets.undo_to(0);
        nodes
    }

    fn count(&mut self, path: &Path, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let sets = &mut self.sets;
        let found = if sets.follow(path) { count(sets, budget) } else { Ok(0) };
        sets.undo_to(0);
        found
    }

    fn steps_of_a_descent(&self) -> u64 {
        self.sets.steps_of_a_descent()
    }

    fn steps_of_a_node(&self) -> u64 {
        self.sets.steps_of_a_node()
    }

    fn sum(&self, a: u128, b: u128) -> Option<u128> {
        self.sets.arithmetic().add(a, b)
    }
}
