//! Splitting a search into subtrees: the costliest first, by estimates from random descents with fixed seeds.
//!
//! Descents estimate the size of a whole search within a factor of about two, but that of a single subtree far less well. So
//! a subtree with a small estimate is counted at once, with a limit of nodes. It is kept as a subtree only if it needs more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::arithmetic::Arithmetic;
use tallyboard_search::{Halt, NodeBudget, Stop};

/// A search that can be split.
pub(crate) trait Tree {
    /// A node of the tree.
    type Node;

    /// The children of a node, and 0; for a node without branches no children, and its number of covers.
    fn children(&mut self, node: &Self::Node) -> (Vec<Self::Node>, u128);

    /// An estimate of the nodes below a node, from one random descent.
    fn descend(&mut self, node: &Self::Node, seed: u64) -> u128;

    /// The covers below a node.
    ///
    /// # Errors
    /// [`Halt`] if the search was stopped, took more nodes than it may or found more than 2^128 covers.
    fn count(&mut self, node: &Self::Node, budget: &mut NodeBudget<'_>) -> Result<u128, Halt>;

    /// The covers below a node and the nodes visited; [`Halt::Limit`] after `limit` nodes.
    fn count_some(&mut self, node: &Self::Node, limit: u64) -> Result<(u128, u64), Halt> {
        let stop = Stop::new();
        let mut budget = NodeBudget::limited(&stop, limit);
        let found = self.count(node, &mut budget)?;
        Ok((found, budget.nodes()))
    }
}

/// The subtrees of a search.
#[derive(Debug)]
pub(crate) struct Split<N> {
    /// The root of each subtree that is left.
    pub roots: Vec<N>,
    /// The estimated nodes of each of them, at least 1.
    pub costs: Vec<u64>,
    /// The covers found while splitting.
    pub covers: u128,
    /// The nodes visited to count them.
    pub nodes: u64,
}

/// Random descents that are averaged to estimate the nodes of a subtree.
const DESCENTS: u64 = 8;
/// A subtree with fewer estimated nodes is counted while the search is split.
const FEW_NODES: u64 = 1 << 9;
/// The most nodes of such a count.
const MOST_NODES_COUNTED_AT_ONCE: u64 = 1 << 11;
/// The search is split until each subtree has about as many nodes as this.
const NODES_OF_A_SUBTREE: u64 = 1 << 15;
/// A search with fewer subtrees is not worth splitting.
const FEWEST_SUBTREES: u64 = 4;
const MOST_SUBTREES: u64 = 20_000;

/// The estimated nodes below `node`.
pub(crate) fn estimate<T: Tree>(tree: &mut T, node: &T::Node, descents: u64) -> u64 {
    let mut sum = 0_u128;
    for seed in 0..descents {
        sum = sum.saturating_add(tree.descend(node, seed));
    }
    u64::try_from(sum / u128::from(descents)).unwrap_or(u64::MAX).max(1)
}

/// Splits the search below `root`, which has about `nodes` nodes.
///
/// # Errors
/// [`Halt::Overflow`] if the covers found meanwhile do not fit in 128 bits.
pub(crate) fn split<T: Tree>(
    tree: &mut T,
    root: T::Node,
    nodes: u64,
    arithmetic: Arithmetic,
) -> Result<Split<T::Node>, Halt> {
    let wanted = match nodes / NODES_OF_A_SUBTREE {
        0..FEWEST_SUBTREES => 1,
        subtrees => subtrees.min(MOST_SUBTREES) as usize,
    };
    let mut split = Split { roots: Vec::new(), costs: Vec::new(), covers: 0, nodes: 0 };
    // Each leaf and its cost, until the leaf is split.
    let mut leaves = vec![Some((root, nodes))];
    // The cost and the number of each leaf. Of equal costs the earlier one comes first, so that the subtrees depend on the
    // problem alone.
    let mut costliest = BinaryHeap::from([(nodes, Reverse(0))]);
    while costliest.len() < wanted {
        let Some((_, Reverse(number))) = costliest.pop() else { break };
        let Some((node, _)) = leaves[number].take() else { continue };
        let (children, covers) = tree.children(&node);
        split.covers = arithmetic.add(split.covers, covers).ok_or(Halt::Overflow)?;
        for child in children {
            let cost = estimate(tree, &child, DESCENTS);
            if cost < FEW_NODES {
                match tree.count_some(&child, MOST_NODES_COUNTED_AT_ONCE) {
                    Ok((covers, nodes)) => {
                        let sum = arithmetic.add(split.covers, arithmetic.count(covers));
                        split.covers = sum.ok_or(Halt::Overflow)?;
                        split.nodes += nodes;
                        continue;
                    }
                    Err(Halt::Limit) => {}
                    Err(halt) => return Err(halt),
                }
            }
            let cost = cost.max(FEW_NODES);
            costliest.push((cost, Reverse(leaves.len())));
            leaves.push(Some((child, cost)));
        }
    }
    (split.roots, split.costs) = leaves.into_iter().flatten().unzip();
    Ok(split)
}
