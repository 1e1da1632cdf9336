//! Splitting a search into subtrees: the costliest first, by estimates from random descents with fixed seeds.
//!
//! Descents find the size of a whole search within a factor of about two, and miss that of a single subtree by far more.
//! So a subtree that looks small is counted then and there, with a limit of nodes; only what is larger than the limit
//! goes on as a subtree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::arithmetic::Arithmetic;
use search::Halt;

/// A search that can be split.
pub(crate) trait Tree {
    /// A node of it.
    type Node;

    /// The children of a node; none if it has no branches. Then the count is its number of covers.
    fn children(&mut self, node: &Self::Node) -> (Vec<Self::Node>, u128);

    /// An estimate of the nodes below, from one random descent.
    fn descend(&mut self, node: &Self::Node, seed: u64) -> u128;

    /// The covers below a node and the nodes that it took, if these are no more than `limit`.
    fn count(&mut self, node: &Self::Node, limit: u64) -> Result<(u128, u64), Halt>;
}

/// The subtrees of a search.
#[derive(Debug)]
pub(crate) struct Split<N> {
    /// The subtrees that are left.
    pub nodes: Vec<N>,
    /// The estimated nodes of each, at least 1.
    pub costs: Vec<u64>,
    /// The covers found while splitting.
    pub found: u128,
    /// The nodes taken for them.
    pub spent: u64,
}

const DESCENTS: u64 = 8;
/// Subtrees that look smaller are counted while splitting.
const SMALL: u64 = 1 << 9;
/// Nodes that such a count may take.
const LIMIT: u64 = 1 << 11;
/// Subtrees are made until they have about as many nodes as this each.
const NODES_OF_A_SUBTREE: u64 = 1 << 15;
/// A search for fewer is not worth splitting.
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
    let target = match nodes / NODES_OF_A_SUBTREE {
        0..FEWEST_SUBTREES => 1,
        subtrees => subtrees.min(MOST_SUBTREES) as usize,
    };
    let mut found = 0_u128;
    let mut spent = 0;
    let mut leaves: Vec<Option<T::Node>> = vec![Some(root)];
    let mut costs = vec![nodes];
    let mut largest = BinaryHeap::from([(nodes, Reverse(0))]);
    while largest.len() < target {
        let Some((_, Reverse(number))) = largest.pop() else { break };
        let Some(node) = leaves[number].take() else { continue };
        let (children, count) = tree.children(&node);
        found = arithmetic.add(found, count).ok_or(Halt::Overflow)?;
        for child in children {
            let cost = estimate(tree, &child, DESCENTS);
            if cost < SMALL {
                match tree.count(&child, LIMIT) {
                    Ok((count, nodes)) => {
                        found =
                            arithmetic.add(found, arithmetic.count(count)).ok_or(Halt::Overflow)?;
                        spent += nodes;
                        continue;
                    }
                    Err(Halt::Limit) => {}
                    Err(halt) => return Err(halt),
                }
            }
            let cost = cost.max(SMALL);
            largest.push((cost, Reverse(leaves.len())));
            leaves.push(Some(child));
            costs.push(cost);
        }
    }
    let mut split = Split { nodes: Vec::new(), costs: Vec::new(), found, spent };
    for (leaf, cost) in leaves.into_iter().zip(costs) {
        if let Some(node) = leaf {
            split.nodes.push(node);
            split.costs.push(cost);
        }
    }
    Ok(split)
}
