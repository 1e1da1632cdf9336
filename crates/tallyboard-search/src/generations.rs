//! Knuth's estimate of the number of leaves of a tree, by generations of nodes.
//!
//! Knuth's random descent takes one child at every node. It estimates the number of leaves as the product of the numbers of
//! children on its way, or as 0 if it ends without a leaf; the expectation of that is the number of leaves. But few descents come
//! to a leaf, and a few of those outweigh all others, so the mean of some hundred is mostly too low.
//!
//! Here a *generation* of nodes descends together. If all its children are too many to keep, the estimate keeps evenly spaced
//! ones from a random start, and raises their weight. Every child is kept with equal probability, so the estimate is unbiased; if
//! all are kept it is exact. Several independent estimates are made; their scatter gives the interval.

use tallyboard_base::random::Random;
use tallyboard_base::statistics::{Estimate, LogMean};

use crate::{Branches, Tree};

/// The logarithm of 0.
const LN_ZERO: f64 = f64::NEG_INFINITY;

/// The least number of independent estimates that give an interval.
const MIN_ESTIMATES: u64 = 10;

/// The most children that one estimate keeps at each step; if more descents are wanted, there are more estimates.
const MAX_WIDTH: u64 = 4096;

/// No interval is given if half its width (a difference of logarithms) is above this: one estimate or two then outweigh the
/// others.
const MAX_LN_ERROR: f64 = 1.0;

/// A node that was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entered<O> {
    /// A leaf; 0 leaves for a dead end.
    Leaves(u128),
    /// A node that has been opened, and the number of its children.
    Open(O, u64),
}

/// One of several independent estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// The logarithm of the estimated number of leaves.
    pub ln: f64,
    /// Whether all children of all generations were kept: the number is exact then.
    pub exact: bool,
}

/// One generation of an estimate. A node has the weight of its parent times `children / kept`, and the root the weight 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Generation {
    /// The leaves of each node that has some.
    pub leaves: Vec<u128>,
    /// The children of all nodes; 0 in the last generation.
    pub children: u64,
    /// How many of the children are nodes of the next generation.
    pub kept: u64,
}

/// Draws an estimate of the leaves below `root` that keeps at most `width` nodes of each generation. `enter` enters a node, and
/// `child` makes the child of an open node with a number from 0. It is called with ascending numbers.
pub fn draw<N, O>(
    root: N,
    width: u64,
    random: &mut Random,
    enter: impl FnMut(N) -> Entered<O>,
    child: impl FnMut(&mut O, u64) -> N,
) -> Drawn {
    let generations = draw_generations(root, width, random, enter, child);
    let exact = generations.iter().all(|generation| generation.kept == generation.children);
    // The logarithm of the weight that each node of a generation has; those of the leaves found.
    let mut ln_weight = 0.0;
    let mut ln_leaves = Vec::new();
    for Generation { leaves, children, kept } in generations {
        ln_leaves.extend(leaves.into_iter().map(|leaves| ln_weight + (leaves as f64).ln()));
        // The last generation has no children, and no leaves come after it.
        ln_weight += (children as f64 / kept as f64).ln();
    }
    Drawn { ln: ln_of_sum(&ln_leaves), exact }
}

/// The generations of an estimate that [`draw`] draws, for sums that take no logarithms, which differ between platforms in
/// their last bit.
pub fn draw_generations<N, O>(
    root: N,
    width: u64,
    random: &mut Random,
    mut enter: impl FnMut(N) -> Entered<O>,
    mut child: impl FnMut(&mut O, u64) -> N,
) -> Vec<Generation> {
    let mut nodes = vec![root];
    let mut generations = Vec::new();
    loop {
        let mut open = Vec::new();
        let mut generation = Generation::default();
        for node in nodes.drain(..) {
            match enter(node) {
                Entered::Leaves(0) => {}
                Entered::Leaves(leaves) => generation.leaves.push(leaves),
                Entered::Open(node, count) => {
                    generation.children += count;
                    open.push((node, count));
                }
            }
        }
        let children = generation.children;
        let kept = children.min(width);
        generations.push(Generation { kept, ..generation });
        if children == 0 {
            return generations;
        }
        let mut numbers = random.evenly(kept, children).peekable();
        // The number of the first child of `node`: children are numbered through all nodes.
        let mut begin = 0;
        for (node, count) in &mut open {
            let end = begin + *count;
            while let Some(number) = numbers.next_if(|&number| number < end) {
                nodes.push(child(node, number - begin));
            }
            begin = end;
        }
    }
}

/// The logarithm of the sum of numbers given as `logarithms`.
fn ln_of_sum(logarithms: &[f64]) -> f64 {
    let largest = logarithms.iter().copied().fold(LN_ZERO, f64::max);
    match largest {
        LN_ZERO => LN_ZERO,
        largest => largest + logarithms.iter().map(|ln| (ln - largest).exp()).sum::<f64>().ln(),
    }
}

/// Estimates a number of leaves from `descents` random descents in all, reproducibly by `seed`. `draw` draws one of the
/// independent estimates, which keeps at most so many nodes.
///
/// Where leaves are few, most descents end dead: an exact count is cheaper there. There is no interval where too few descents
/// came to a leaf, or some of them outweigh the others.
pub fn estimate_by(
    descents: u64,
    seed: u64,
    mut draw: impl FnMut(u64, &mut Random) -> Drawn,
) -> Estimate {
    let mut random = Random::from_seed(seed);
    // Without a descent there is no estimate.
    let count = MIN_ESTIMATES.max(descents.div_ceil(MAX_WIDTH)).min(descents);
    let drawn: Vec<Drawn> = (0..count).map(|_| draw(descents / count, &mut random)).collect();
    match drawn.first() {
        Some(first) if drawn.iter().all(|drawn| drawn.exact) => Estimate::exactly(first.ln),
        _ => mean(&drawn),
    }
}

/// The mean of independent estimates.
fn mean(drawn: &[Drawn]) -> Estimate {
    let logarithms: Vec<f64> = drawn.iter().map(|drawn| drawn.ln).collect();
    let Some(LogMean { ln, error }) = LogMean::of(&logarithms) else {
        return Estimate::about(LN_ZERO, None);
    };
    // The estimates have a long upper tail: their logarithms are nearly normal, but a mean of few estimates is still too
    // low. Without the square, the count of sudokus lay above the interval in 6 % of the estimates by 100 descents.
    let is_reliable = drawn.len() as u64 >= MIN_ESTIMATES && error <= MAX_LN_ERROR;
    let interval = is_reliable.then_some((ln - error, ln + error + error * error));
    Estimate::about(ln, interval)
}

/// Estimates the sum of the counts of all leaves of a tree, as [`estimate_by`] does.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::{Branches, Tree, estimate_leaves};
///
/// /// Orders of some numbers of which none follows its predecessor.
/// #[derive(Clone)]
/// struct Orders(u32);
///
/// impl Tree for Orders {
///     type Node = Vec<u32>;
///
///     fn root(&self) -> Vec<u32> {
///         Vec::new()
///     }
///
///     fn branches(&mut self, order: &Vec<u32>) -> Branches<Vec<u32>> {
///         if order.len() == self.0 as usize {
///             return Branches::Leaf(1);
///         }
///         let follows = |number: u32| order.last().is_some_and(|&last| last + 1 == number);
///         let next = (0..self.0).filter(|&number| !order.contains(&number) && !follows(number));
///         Branches::Children(next.map(|number| [&order[..], &[number]].concat()).collect())
///     }
/// }
///
/// let estimate = estimate_leaves(&mut Orders(12), 5_000, 1);
/// let ratio = estimate.ln.exp() / 190_899_411.0;
/// assert!((0.9..1.1).contains(&ratio), "{ratio}");
/// ```
pub fn estimate_leaves<T: Tree>(tree: &mut T, descents: u64, seed: u64) -> Estimate {
    estimate_by(descents, seed, |width, random| {
        let root = tree.root();
        let enter = |node: T::Node| match tree.branches(&node) {
            Branches::Leaf(count) => Entered::Leaves(count),
            Branches::Children(children) => {
                let count = children.len() as u64;
                Entered::Open(children.into_iter().enumerate(), count)
            }
        };
        draw(root, width, random, enter, |children, number| {
            let child = children.find(|(index, _)| *index as u64 == number);
            child.expect("ascending numbers of children").1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_reaches_further_up_than_down_and_not_too_far() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        let samples: Vec<f64> = (0..10).map(|at| f64::from(at % 2) / 10.0).collect();
        let LogMean { ln, error } = LogMean::of(&samples).unwrap();
        let mean_of = |logarithms: &[f64]| {
            let drawn = logarithms.iter().map(|&ln| Drawn { ln, exact: false });
            mean(&drawn.collect::<Vec<_>>())
        };
        let found = mean_of(&samples);
        let (low, high) = found.interval.unwrap();
        near(found.ln, ln);
        near(low, ln - error);
        near(high, ln + error + error * error);
        let scattered: Vec<f64> = (0..10).map(f64::from).collect();
        assert_eq!(mean_of(&scattered).interval, None);
        assert_eq!(mean_of(&samples[1..]).interval, None);
    }

    #[test]
    fn sums_of_logarithms_do_not_overflow() {
        assert!((ln_of_sum(&[5_000.0, 5_000.0]) - 5_000.0 - 2f64.ln()).abs() < 1e-9);
        assert_eq!(ln_of_sum(&[]), LN_ZERO);
    }
}
