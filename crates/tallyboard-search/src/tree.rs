//! Searches that are trees, and what follows for all of them: subtrees, counts up to a limit, leaves in order.
//!
//! The split takes the costliest part first, by estimates from random descents with fixed seeds. Descents estimate the size of a
//! whole search within a factor of about two, but that of a single subtree far less well. So a part with a small estimate is
//! counted at once, with a limit of nodes. It is kept as a subtree only if it needs more.
//!
//! Siblings are kept together where a descent for each of them would take too long: a part is one node, or several siblings. When
//! the steps of the split are used up, siblings are dealt: parts are halved without a look at them, and each half is taken to have
//! half the nodes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use tallyboard_base::idle::Idle;
use tallyboard_base::random::Random;

use crate::{Costs, Error, Halt, NodeBudget, Overflow, Problem, Stop, Stopped, Tally};

/// What is below a node of a [`Tree`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Branches<N> {
    /// The children, in order.
    Children(Vec<N>),
    /// No children, and this count.
    Leaf(u128),
}

/// A search that is a tree. Its [root](Self::root) and the [branches](Self::branches) of a node are enough; a search with a fast
/// kernel also has a [`count`](Self::count) of its own.
///
/// [`Subtrees`] splits it for every core, for journals and for plans; [`Leaves`] are its solutions one by one;
/// [`estimate_leaves`](crate::estimate_leaves) estimates their number.
///
/// A *count* is in the tree's own unit: the number of solutions, unless the tree says otherwise, as one that counts modulo a
/// number does. All counts that a tree returns are in this unit, those of leaves as those of whole subtrees, and nothing but
/// [`sum`](Self::sum) adds them.
///
/// Each worker has a clone. What a tree keeps for speed alone (working memory, counts that it remembers) need not be cloned.
///
/// Words of 0 and 1 without two 1s side by side:
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::{self, Branches, Subtrees, Tree};
///
/// #[derive(Clone)]
/// struct Words {
///     digits: usize,
/// }
///
/// impl Tree for Words {
///     type Node = String;
///
///     fn root(&self) -> String {
///         String::new()
///     }
///
///     fn branches(&mut self, word: &String) -> Branches<String> {
///         if word.len() == self.digits {
///             return Branches::Leaf(1);
///         }
///         let digits = if word.ends_with('1') { &["0"][..] } else { &["0", "1"] };
///         Branches::Children(digits.iter().map(|digit| format!("{word}{digit}")).collect())
///     }
/// }
///
/// assert_eq!(search::count(&Subtrees::new(Words { digits: 10 })?)?, 144);
/// # Ok::<(), search::Error>(())
/// ```
pub trait Tree: Clone + Send + Sync {
    /// A node of the tree.
    type Node: Send + Sync;

    /// The root.
    fn root(&self) -> Self::Node;

    /// The children of a node in order, or the count of a node without children.
    fn branches(&mut self, node: &Self::Node) -> Branches<Self::Node>;

    /// An estimate of the nodes below a node, itself included, from one random descent: it takes a random child at each node,
    /// and adds up the products of the numbers of children on its way.
    fn descend(&mut self, node: &Self::Node, seed: u64) -> u64 {
        let mut random = Random::from_seed(seed);
        let mut nodes = 1_u64;
        let mut width = 1_u64;
        let mut branches = self.branches(node);
        while let Branches::Children(mut children) = branches
            && !children.is_empty()
        {
            width = width.saturating_mul(children.len() as u64);
            nodes = nodes.saturating_add(width);
            let taken = random.below_wide(children.len() as u64) as usize;
            branches = self.branches(&children.swap_remove(taken));
        }
        nodes
    }

    /// The count of a node and all below it. The budget counts each node that is visited, the first one included.
    ///
    /// # Errors
    /// [`Halt`] if the search was stopped, took more nodes than it may, or its count does not fit in 128 bits.
    fn count(&mut self, node: &Self::Node, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let mut sum = 0;
        let mut open = Vec::new();
        budget.count_node()?;
        let mut branches = self.branches(node);
        loop {
            match branches {
                Branches::Leaf(count) => sum = self.sum(sum, count).ok_or(Halt::Overflow)?,
                Branches::Children(children) => open.extend(children.into_iter().rev()),
            }
            let Some(node) = open.pop() else { return Ok(sum) };
            budget.count_node()?;
            branches = self.branches(&node);
        }
    }

    /// About the steps of a descent from the root, of a few nanoseconds each; 0, as by default, if none takes long. The estimate
    /// and the split of a tree have a budget of steps, so that they end soon even if each descent takes long.
    fn steps_of_a_descent(&self) -> u64 {
        0
    }

    /// About the steps of a node of a [`count`](Self::count) near the root; 0, as by default, if none takes long.
    fn steps_of_a_node(&self) -> u64 {
        0
    }

    /// The sum of two counts; `None` if it does not fit in 128 bits.
    fn sum(&self, a: u128, b: u128) -> Option<u128> {
        a.checked_add(b)
    }

    /// Names the problem and the version of its algorithm, as [`Problem::identity`] does but for the layout, which
    /// [`Subtrees`] adds. A change of the order of children, or of what an estimate is, raises the version, too. By default a tree
    /// has no name, an empty text, and neither has its [`Subtrees`]: journals, plans and shards refuse it.
    fn identity(&self) -> String {
        String::new()
    }
}

/// How a tree is split.
#[derive(Debug, Clone, Copy)]
pub struct Splitting {
    /// The search is split until each subtree has about as many nodes as this.
    pub nodes_of_a_subtree: u64,
    /// A search with fewer subtrees is not worth splitting.
    pub fewest_subtrees: u64,
    /// The most subtrees, but for the siblings of the last one.
    pub most_subtrees: u64,
    /// Random descents that are averaged to estimate the nodes of a part.
    pub descents: u64,
    /// A part with fewer estimated nodes is counted while the search is split.
    pub few_nodes: u64,
    /// The most nodes of such a count.
    pub most_nodes_counted_at_once: u64,
    /// The most steps of the split, as [`Tree::steps_of_a_descent`] has them. Then the parts that it has are dealt.
    pub most_steps: u64,
}

impl Default for Splitting {
    fn default() -> Self {
        Self {
            nodes_of_a_subtree: 1 << 15,
            fewest_subtrees: 4,
            most_subtrees: 20_000,
            descents: 8,
            few_nodes: 1 << 9,
            most_nodes_counted_at_once: 1 << 11,
            most_steps: 1 << 26,
        }
    }
}

/// The fewest and the most random descents that estimate the nodes of a whole search.
pub const DESCENTS: RangeInclusive<u64> = 32..=1024;
/// Nodes that take as long as a descent.
const NODES_OF_A_DESCENT: u64 = 128;
/// The descents of [`estimated_nodes`] may take one part in so many of the search's time, if they are more than the fewest.
const ESTIMATE_PART: u64 = 100;
/// The descents of the children of a node may take one part in so many of the time of the search below it, if they are more than
/// those of two parts.
const SPLIT_PART: u64 = 4;
/// Parts are dealt until there are so many, and may take one part in so many of the steps of the split for that.
const MOST_DEALT: usize = 1 << 10;
const DEALING_PART: u64 = 4;
/// The most steps of [`estimated_nodes`].
const MOST_ESTIMATE_STEPS: u64 = 1 << 26;
/// The number of [`Subtrees`]' own layout. Raise it when the same tree is split in another way.
const LAYOUT: u32 = 2;

/// The estimated nodes of a search, at least 1. The estimate of the fewest `descents`, which is rough, tells how many are worth
/// their time. There are fewer if each takes long.
pub fn estimated_nodes<T: Tree>(tree: &mut T, descents: RangeInclusive<u64>) -> u64 {
    let affordable = (MOST_ESTIMATE_STEPS / tree.steps_of_a_descent().max(1)).max(1);
    let (fewest, most) = descents.into_inner();
    let (fewest, most) = (fewest.min(affordable), most.min(affordable));
    let root = [tree.root()];
    let few = estimate(tree, &root, fewest);
    let worth_their_time = few / (ESTIMATE_PART * NODES_OF_A_DESCENT);
    match worth_their_time.clamp(fewest, most) {
        descents if descents == fewest => few,
        descents => estimate(tree, &root, descents),
    }
}

/// The estimated nodes of a part, at least 1, by descents from evenly spaced ones of its siblings.
fn estimate<T: Tree>(tree: &mut T, part: &[T::Node], descents: u64) -> u64 {
    let siblings = part.len() as u64;
    let mut sum = 0_u128;
    for seed in 0..descents {
        let nodes = tree.descend(&part[(seed * siblings / descents) as usize], seed);
        sum += u128::from(nodes) * u128::from(siblings);
    }
    u64::try_from(sum / u128::from(descents)).unwrap_or(u64::MAX).max(1)
}

/// The count of all siblings of a part.
fn count_part<T: Tree>(
    tree: &mut T,
    part: &[T::Node],
    budget: &mut NodeBudget<'_>,
) -> Result<u128, Halt> {
    let mut sum = 0;
    for node in part {
        let count = tree.count(node, budget)?;
        sum = tree.sum(sum, count).ok_or(Halt::Overflow)?;
    }
    Ok(sum)
}

/// A tree that was split: a [`Problem`]. The first subtree has what was counted while the tree was split.
#[derive(Debug)]
pub struct Subtrees<T: Tree> {
    tree: T,
    /// Clones that no worker uses.
    idle: Idle<T>,
    counted_at_split: u128,
    nodes_at_split: u64,
    /// The siblings of each further subtree.
    parts: Vec<Vec<T::Node>>,
    /// Their estimated nodes, at least 1 each.
    costs: Vec<u64>,
    is_cut_short: bool,
}

impl<T: Tree> Subtrees<T> {
    /// Splits a tree as it is usual.
    ///
    /// # Errors
    /// [`Overflow`] if what is counted meanwhile does not fit in 128 bits.
    pub fn new(mut tree: T) -> Result<Self, Overflow> {
        let nodes = estimated_nodes(&mut tree, DESCENTS);
        Self::with(tree, nodes, &Splitting::default())
    }

    /// Splits a tree with about `nodes` nodes. The identity does not hold `nodes` and `splitting`: whoever computes or chooses
    /// them in another way raises the version in [`Tree::identity`].
    ///
    /// # Errors
    /// [`Overflow`] if what is counted meanwhile does not fit in 128 bits.
    pub fn with(mut tree: T, nodes: u64, splitting: &Splitting) -> Result<Self, Overflow> {
        let wanted = match nodes / splitting.nodes_of_a_subtree {
            few if few < splitting.fewest_subtrees => 1,
            subtrees => subtrees.min(splitting.most_subtrees) as usize,
        };
        let mut parts = Parts::new(&mut tree, splitting);
        let root = vec![parts.tree.root()];
        parts.add(root, nodes)?;
        while parts.costliest.len() < wanted && parts.steps > 0 && parts.split_costliest()? {}
        let wanted = wanted.min(MOST_DEALT);
        let is_cut_short = parts.steps == 0 && parts.costliest.len() < wanted;
        if is_cut_short {
            parts.deal(wanted)?;
        }
        let Parts { counted, nodes, all, .. } = parts;
        let (parts, costs) = all.into_iter().flatten().unzip();
        Ok(Self {
            tree,
            idle: Idle::default(),
            counted_at_split: counted,
            nodes_at_split: nodes,
            parts,
            costs,
            is_cut_short,
        })
    }

    /// The tree.
    pub fn tree(&self) -> &T {
        &self.tree
    }

    /// The nodes that were visited while the tree was split, those of counts that were given up included.
    pub fn nodes_at_split(&self) -> u64 {
        self.nodes_at_split
    }

    /// Whether the steps of the split were used up, so that subtrees were dealt and their costs are guesses.
    pub fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// The count of a subtree, in the unit of the [`Tree`].
    ///
    /// # Errors
    /// As [`Tree::count`].
    ///
    /// # Panics
    /// If there is no such subtree.
    pub fn count_subtree(&self, subtree: usize, budget: &mut NodeBudget) -> Result<u128, Halt> {
        let Some(number) = subtree.checked_sub(1) else { return Ok(self.counted_at_split) };
        let mut tree = self.idle.take().unwrap_or_else(|| self.tree.clone());
        let count = count_part(&mut tree, &self.parts[number], budget);
        self.idle.put(tree);
        count
    }
}

impl<T: Tree> Problem for Subtrees<T> {
    fn subtrees(&self) -> usize {
        1 + self.parts.len()
    }

    fn split(&self) -> Costs {
        // The first subtree is counted already. With the nodes of the split as its cost, the costs add up to about those of the
        // whole search.
        let mut costs = vec![self.nodes_at_split];
        costs.extend(&self.costs);
        Costs::new(costs)
    }

    /// # Panics
    /// If there is no such subtree. A count that does not fit in 128 bits is [raised](Error::raise).
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        match self.count_subtree(subtree, &mut NodeBudget::unlimited(stop)) {
            Ok(count) => Ok(Tally::new(count)),
            Err(Halt::Overflow) => Error::from(Overflow).raise(),
            Err(Halt::Stopped) => Err(Stopped),
            Err(Halt::Limit) => unreachable!("this budget has no limit"),
        }
    }

    fn identity(&self) -> String {
        match self.tree.identity() {
            identity if identity.is_empty() => identity,
            identity => format!("{identity} layout={LAYOUT}"),
        }
    }
}

/// The siblings of a part, and its cost.
type Part<N> = (Vec<N>, u64);

/// A tree while it is split.
struct Parts<'a, T: Tree> {
    tree: &'a mut T,
    splitting: &'a Splitting,
    /// The steps that the split may still take, and those of a descent and of a node.
    steps: u64,
    steps_of_a_descent: u64,
    steps_of_a_node: u64,
    /// What was counted so far.
    counted: u128,
    /// The nodes that the split has visited.
    nodes: u64,
    /// Each part, until it is split.
    all: Vec<Option<Part<T::Node>>>,
    /// The cost and the number of each part that is not split. Of equal costs the earlier part comes first, so that the subtrees
    /// depend on the problem alone.
    costliest: BinaryHeap<(u64, Reverse<usize>)>,
}

impl<'a, T: Tree> Parts<'a, T> {
    fn new(tree: &'a mut T, splitting: &'a Splitting) -> Self {
        let costliest = BinaryHeap::new();
        Self {
            steps: splitting.most_steps,
            steps_of_a_descent: tree.steps_of_a_descent(),
            steps_of_a_node: tree.steps_of_a_node(),
            tree,
            splitting,
            counted: 0,
            nodes: 0,
            all: Vec::new(),
            costliest,
        }
    }

    /// Takes the costliest part out: its siblings, or the children of its only node, and its cost. Nothing is left of a leaf,
    /// which is counted: no siblings come back. `None` if there is no part.
    fn open_costliest(&mut self) -> Result<Option<Part<T::Node>>, Overflow> {
        let Some((cost, Reverse(number))) = self.costliest.pop() else { return Ok(None) };
        let (mut siblings, _) = self.all[number].take().expect("a part is split once");
        if let [node] = &siblings[..] {
            self.nodes += 1;
            siblings = match self.tree.branches(node) {
                Branches::Children(children) => children,
                Branches::Leaf(count) => {
                    self.add_to_count(count)?;
                    Vec::new()
                }
            };
        }
        Ok(Some((siblings, cost)))
    }

    /// Halves the costliest part without a look at the halves, until there are `wanted` parts or the steps are used up.
    fn deal(&mut self, wanted: usize) -> Result<(), Overflow> {
        // A look at a node of a part takes a way from the root to it: a descent at most.
        let looks = self.splitting.most_steps / DEALING_PART / self.steps_of_a_descent.max(1);
        let most_nodes = self.nodes + looks;
        while self.costliest.len() < wanted
            && let Some(&(_, Reverse(number))) = self.costliest.peek()
        {
            let needs_a_look = self.all[number].as_ref().is_some_and(|part| part.0.len() == 1);
            if needs_a_look && self.nodes >= most_nodes {
                break;
            }
            let Some((siblings, cost)) = self.open_costliest()? else { break };
            let all = siblings.len() as u64;
            for half in dealt(siblings, 2) {
                let nodes = cost.div_ceil(all).saturating_mul(half.len() as u64);
                self.keep(half, nodes);
            }
        }
        Ok(())
    }

    /// Deals the siblings of the costliest part, or the children of its only node, to parts: to as many as are worth the time of
    /// their descents and have steps left for these, but to two at least. Returns whether there was a part.
    fn split_costliest(&mut self) -> Result<bool, Overflow> {
        let Some((siblings, cost)) = self.open_costliest()? else { return Ok(false) };
        let descents = self.splitting.descents;
        let steps_of_a_part = descents.saturating_mul(self.steps_of_a_descent);
        let affordable = self.steps / steps_of_a_part.max(1);
        let worth_their_time = cost / (SPLIT_PART * NODES_OF_A_DESCENT * descents);
        let most = usize::try_from(worth_their_time.min(affordable)).unwrap_or(usize::MAX).max(2);
        for part in dealt(siblings, most) {
            let nodes = estimate(self.tree, &part, descents);
            self.steps = self.steps.saturating_sub(steps_of_a_part);
            self.add(part, nodes)?;
        }
        Ok(true)
    }

    /// Counts a part with few nodes, and keeps another.
    fn add(&mut self, part: Vec<T::Node>, nodes: u64) -> Result<(), Overflow> {
        if nodes < self.splitting.few_nodes {
            let stop = Stop::new();
            let affordable = self.steps / self.steps_of_a_node.max(1);
            let limit = self.splitting.most_nodes_counted_at_once.min(affordable);
            let mut budget = NodeBudget::limited(&stop, limit);
            let count = count_part(self.tree, &part, &mut budget);
            self.nodes += budget.nodes();
            // Each sibling is counted from the root: the way from there to it takes as many steps as a descent at most.
            let steps_of_ways = self.steps_of_a_descent.saturating_mul(part.len() as u64);
            let steps = budget.nodes().saturating_mul(self.steps_of_a_node);
            self.steps = self.steps.saturating_sub(steps.saturating_add(steps_of_ways));
            match count {
                Ok(count) => return self.add_to_count(count),
                Err(Halt::Overflow) => return Err(Overflow),
                Err(Halt::Limit | Halt::Stopped) => {}
            }
        }
        self.keep(part, nodes);
        Ok(())
    }

    /// Keeps a part with about so many nodes, to be split or to be a subtree.
    fn keep(&mut self, part: Vec<T::Node>, nodes: u64) {
        let cost = nodes.max(self.splitting.few_nodes);
        self.costliest.push((cost, Reverse(self.all.len())));
        self.all.push(Some((part, cost)));
    }

    fn add_to_count(&mut self, count: u128) -> Result<(), Overflow> {
        self.counted = self.tree.sum(self.counted, count).ok_or(Overflow)?;
        Ok(())
    }
}

/// These siblings in at most so many parts. Neighbours are often alike, so they go to different parts.
fn dealt<N>(siblings: Vec<N>, most: usize) -> Vec<Vec<N>> {
    let mut parts: Vec<Vec<N>> = Vec::new();
    parts.resize_with(most.min(siblings.len()), Vec::new);
    for (number, node) in siblings.into_iter().enumerate() {
        parts[number % most].push(node);
    }
    parts
}

/// The leaves of a tree with a count that is not 0, in order.
#[derive(Debug)]
pub struct Leaves<T: Tree> {
    tree: T,
    /// The nodes that are to be visited, the next one last.
    open: Vec<T::Node>,
}

impl<T: Tree> Leaves<T> {
    /// The leaves of `tree`.
    pub fn new(tree: T) -> Self {
        let open = vec![tree.root()];
        Self { tree, open }
    }

    /// The next leaf and its count; `None` if there is none left.
    ///
    /// # Errors
    /// [`Halt`] if the search was stopped or took more nodes than it may. It goes on from there with another budget.
    pub fn next(&mut self, budget: &mut NodeBudget<'_>) -> Result<Option<(T::Node, u128)>, Halt> {
        while let Some(node) = self.open.pop() {
            if let Err(halt) = budget.count_node() {
                self.open.push(node);
                return Err(halt);
            }
            match self.tree.branches(&node) {
                Branches::Leaf(0) => {}
                Branches::Leaf(count) => return Ok(Some((node, count))),
                Branches::Children(children) => self.open.extend(children.into_iter().rev()),
            }
        }
        Ok(None)
    }

    /// The count of the leaves that are left, up to `limit`. The search ends at the leaf that reaches the limit.
    ///
    /// # Errors
    /// As [`next`](Self::next), or [`Halt::Overflow`].
    pub fn count_up_to(mut self, limit: u128, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let mut sum = 0;
        while sum < limit
            && let Some((_, count)) = self.next(budget)?
        {
            sum = self.tree.sum(sum, count).ok_or(Halt::Overflow)?;
        }
        Ok(sum.min(limit))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::{count, estimate_leaves};

    /// A random tree: a node is its depth and a number, of which its children are made.
    #[derive(Clone, Default)]
    struct RandomTree {
        seed: u64,
        /// The children of the root; 0 for a random number as elsewhere.
        wide: usize,
        /// Counts are added up modulo this; 0 for exact sums.
        modulus: u128,
    }

    type Node = (u32, u64);

    impl RandomTree {
        /// The children of a node, or its count.
        fn below(&self, &(depth, number): &Node) -> Branches<Node> {
            let mut random = Random::from_seed(self.seed ^ number);
            let is_leaf = depth > 0 && random.below(6) < depth;
            let children = match random.below(5) {
                _ if is_leaf => return Branches::Leaf(random.below(3).into()),
                _ if depth == 0 && self.wide > 0 => self.wide,
                children => children as usize + usize::from(depth == 0),
            };
            Branches::Children((0..children).map(|_| (depth + 1, random.bits())).collect())
        }

        /// The count of each leaf, and of the nodes before it and itself, by plain recursion. `nodes` has the number of all
        /// nodes then.
        fn walk(&self, node: &Node, nodes: &mut u64, leaves: &mut Vec<(u128, u64)>) {
            *nodes += 1;
            match self.below(node) {
                Branches::Leaf(count) => leaves.push((count, *nodes)),
                Branches::Children(children) => {
                    children.iter().for_each(|child| self.walk(child, nodes, leaves));
                }
            }
        }

        /// The leaves as [`walk`](Self::walk) finds them, the sum of their counts, and the number of nodes.
        fn walked(&self) -> (Vec<(u128, u64)>, u128, u64) {
            let mut leaves = Vec::new();
            let mut nodes = 0;
            self.walk(&self.root(), &mut nodes, &mut leaves);
            let total = leaves.iter().map(|(count, _)| count).sum();
            (leaves, total, nodes)
        }
    }

    impl Tree for RandomTree {
        type Node = Node;

        fn root(&self) -> Node {
            (0, self.seed)
        }

        fn branches(&mut self, node: &Node) -> Branches<Node> {
            self.below(node)
        }

        fn sum(&self, a: u128, b: u128) -> Option<u128> {
            let sum = a.checked_add(b)?;
            Some(if self.modulus > 0 { sum % self.modulus } else { sum })
        }

        fn identity(&self) -> String {
            if self.wide > 0 { String::new() } else { format!("random seed={}", self.seed) }
        }
    }

    /// Splits into many small subtrees; some parts are counted at once, and some need more nodes than that takes.
    const FINE: Splitting = Splitting {
        nodes_of_a_subtree: 4,
        fewest_subtrees: 2,
        most_subtrees: 30,
        descents: 2,
        few_nodes: 8,
        most_nodes_counted_at_once: 10,
        most_steps: u64::MAX,
    };

    fn split(tree: &RandomTree, splitting: &Splitting) -> Subtrees<RandomTree> {
        let nodes = estimated_nodes(&mut tree.clone(), DESCENTS);
        Subtrees::with(tree.clone(), nodes, splitting).unwrap()
    }

    #[test]
    fn subtrees_have_all_that_a_walk_finds() {
        let mut most_subtrees = 0;
        for seed in 0..300 {
            let wide = if seed % 3 == 0 { 100 } else { 0 };
            let tree = RandomTree { seed, wide, ..RandomTree::default() };
            let (_, total, nodes) = tree.walked();
            let subtrees = split(&tree, &FINE);
            assert_eq!(count(&subtrees).unwrap(), total, "{seed}");
            let costs = subtrees.split();
            assert_eq!(costs.len(), subtrees.subtrees(), "{seed}");
            assert_eq!(costs, split(&tree, &FINE).split(), "{seed}");
            // Each node is visited while the tree is split, or once in the subtrees; some of those are tried twice.
            let stop = Stop::new();
            let mut budget = NodeBudget::unlimited(&stop);
            for subtree in 0..subtrees.subtrees() {
                subtrees.count_subtree(subtree, &mut budget).unwrap();
            }
            let visited = subtrees.nodes_at_split() + budget.nodes();
            assert!(nodes <= visited && budget.nodes() <= nodes, "{seed}: {visited}, {nodes}");
            most_subtrees = most_subtrees.max(costs.len());
        }
        assert!((25..60).contains(&most_subtrees), "{most_subtrees}");
    }

    #[test]
    fn a_small_tree_is_counted_while_it_is_split() {
        for seed in 0..50 {
            let tree = RandomTree { seed, ..RandomTree::default() };
            let (_, total, nodes) = tree.walked();
            let subtrees = split(&tree, &Splitting::default());
            assert!(nodes < 2_000, "{nodes}");
            assert_eq!((subtrees.subtrees(), subtrees.nodes_at_split()), (1, nodes), "{seed}");
            let stop = Stop::new();
            let mut budget = NodeBudget::limited(&stop, 0);
            assert_eq!(subtrees.count_subtree(0, &mut budget), Ok(total), "{seed}");
        }
    }

    /// A tree that counts its descents, each of which takes so many steps.
    #[derive(Clone)]
    struct Watched(RandomTree, Arc<AtomicU64>, u64);

    impl Tree for Watched {
        type Node = Node;

        fn root(&self) -> Node {
            self.0.root()
        }

        fn branches(&mut self, node: &Node) -> Branches<Node> {
            self.0.branches(node)
        }

        fn descend(&mut self, node: &Node, seed: u64) -> u64 {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.descend(node, seed)
        }

        fn steps_of_a_descent(&self) -> u64 {
            self.2
        }
    }

    /// Descents for each child of a wide node took eight times as long as the whole search.
    #[test]
    fn siblings_share_descents_where_there_are_many() {
        let tree = RandomTree { seed: 7, wide: 20_000, ..RandomTree::default() };
        let (_, total, nodes) = tree.walked();
        assert!((100_000..400_000).contains(&nodes), "{nodes}");
        let watched = Watched(tree, Arc::default(), 0);
        let splitting = Splitting { nodes_of_a_subtree: 1 << 13, ..Splitting::default() };
        let subtrees = Subtrees::with(watched.clone(), nodes, &splitting).unwrap();
        assert_eq!(count(&subtrees).unwrap(), total);
        assert!((10..100).contains(&subtrees.subtrees()), "{}", subtrees.subtrees());
        let descents = watched.1.load(Ordering::Relaxed);
        let most = nodes / NODES_OF_A_DESCENT / SPLIT_PART;
        assert!((most / 2..=most).contains(&descents), "{descents}, {most}");
        // What each part has is known well enough to balance the work.
        let costs = subtrees.split();
        let estimated = costs.sum(None) as f64 / nodes as f64;
        assert!((0.8..1.2).contains(&estimated), "{estimated}");
    }

    #[test]
    fn a_split_goes_on_without_descents_when_its_steps_are_used_up() {
        let tree = RandomTree { seed: 7, wide: 20_000, ..RandomTree::default() };
        let (_, total, nodes) = tree.walked();
        let splitting = Splitting { nodes_of_a_subtree: 1 << 10, ..Splitting::default() };
        let splitting = Splitting { most_steps: 100_000, few_nodes: 0, ..splitting };
        let wanted = (nodes >> 10) as usize;
        // A whole split has some thousand descents.
        for (steps, is_cut_short) in
            [(0, false), (1, false), (1_000, true), (10_000, true), (1_000_000, true)]
        {
            let watched = Watched(tree.clone(), Arc::default(), steps);
            let subtrees = Subtrees::with(watched.clone(), nodes, &splitting).unwrap();
            assert_eq!(subtrees.is_cut_short(), is_cut_short, "{steps}");
            assert_eq!(count(&subtrees).unwrap(), total, "{steps}");
            assert!((wanted..2 * wanted).contains(&(subtrees.subtrees() - 1)), "{steps}");
            // However they were made, the parts have about all nodes.
            let estimated = subtrees.split().sum(None) as f64 / nodes as f64;
            assert!((0.7..1.3).contains(&estimated), "{steps}: {estimated}");
            // The two parts of a first split are made in any case.
            let descents = watched.1.load(Ordering::Relaxed);
            let most = u64::checked_div(100_000, steps)
                .map_or(u64::MAX, |affordable| affordable + 2 * splitting.descents);
            assert!(descents <= most, "{steps}: {descents}");
        }
    }

    #[test]
    fn an_estimate_has_fewer_descents_where_each_takes_long() {
        let tree = RandomTree { seed: 7, wide: 200, ..RandomTree::default() };
        for (steps, expected) in [(0, 40), (MOST_ESTIMATE_STEPS / 40, 40), (MOST_ESTIMATE_STEPS, 1)]
        {
            let mut watched = Watched(tree.clone(), Arc::default(), steps);
            estimated_nodes(&mut watched, 40..=40);
            assert_eq!(watched.1.load(Ordering::Relaxed), expected, "{steps}");
        }
    }

    #[test]
    fn counts_are_in_the_unit_of_the_tree() {
        for seed in (0..100).step_by(3) {
            let tree = RandomTree { seed, wide: 50, modulus: 5 };
            let (_, total, _) = RandomTree { modulus: 0, ..tree.clone() }.walked();
            let subtrees = split(&tree, &FINE);
            let stop = Stop::new();
            let budget = &mut NodeBudget::unlimited(&stop);
            let subtotals =
                (0..subtrees.subtrees()).map(|it| subtrees.count_subtree(it, budget).unwrap());
            let sum = subtotals.inspect(|subtotal| assert!(*subtotal < 5)).sum::<u128>();
            assert_eq!(sum % 5, total % 5, "{seed}");
        }
    }

    #[test]
    fn a_limit_ends_the_count_at_the_leaf_that_reaches_it() {
        for seed in 0..40 {
            let tree = RandomTree { seed, ..RandomTree::default() };
            let (leaves, total, nodes) = tree.walked();
            let stop = Stop::new();
            let mut sums = leaves.iter().scan(0, |sum, (count, visited)| {
                *sum += count;
                Some((*sum, *visited))
            });
            let mut reached = (0, 0);
            for limit in 0..total + 3 {
                while reached.0 < limit {
                    reached = sums.next().unwrap_or((u128::MAX, nodes));
                }
                let mut budget = NodeBudget::unlimited(&stop);
                let found = Leaves::new(tree.clone()).count_up_to(limit, &mut budget);
                assert_eq!((found, budget.nodes()), (Ok(limit.min(total)), reached.1), "{seed}");
            }
            // A budget that ends the search before does not lose a leaf.
            let mut rest = Leaves::new(tree.clone());
            let mut found = Vec::new();
            loop {
                match rest.next(&mut NodeBudget::limited(&stop, 1)) {
                    Ok(Some((_, count))) => found.push(count),
                    Ok(None) => break,
                    Err(halt) => assert_eq!(halt, Halt::Limit),
                }
            }
            let all = leaves.iter().map(|(count, _)| *count).filter(|&count| count > 0);
            assert!(found.into_iter().eq(all), "{seed}");
        }
    }

    #[test]
    fn descents_and_estimates_are_right_on_average() {
        for seed in 0..6 {
            let mut tree = RandomTree { seed, wide: 10, ..RandomTree::default() };
            let (_, total, nodes) = tree.walked();
            let root = tree.root();
            let sum: u64 = (0..5_000).map(|seed| tree.descend(&root, seed)).sum();
            let ratio = sum as f64 / 5_000.0 / nodes as f64;
            assert!((ratio - 1.0).abs() < 0.1, "{seed}: {ratio} of {nodes}");
            let estimates = (0..300).map(|seed| estimate_leaves(&mut tree, 100, seed).ln.exp());
            let ratio = estimates.sum::<f64>() / 300.0 / total as f64;
            assert!((ratio - 1.0).abs() < 0.05, "{seed}: {ratio} of {total}");
            let whole = estimate_leaves(&mut tree, 1_000_000, 1);
            assert!(whole.exact && (whole.ln - (total as f64).ln()).abs() < 1e-9, "{whole:?}");
        }
    }

    /// A tree of depth 2 whose leaves all have this count.
    #[derive(Debug, Clone)]
    struct Equal(u128);

    impl Tree for Equal {
        type Node = u32;

        fn root(&self) -> u32 {
            0
        }

        fn branches(&mut self, depth: &u32) -> Branches<u32> {
            if *depth == 2 {
                Branches::Leaf(self.0)
            } else {
                Branches::Children(vec![depth + 1; 3])
            }
        }
    }

    #[test]
    fn what_a_tree_has_by_default_is_right() {
        let mut tree = Equal(5);
        let stop = Stop::new();
        for limit in 0..=13 {
            let mut budget = NodeBudget::limited(&stop, limit);
            let expected = if limit == 13 { Ok(45) } else { Err(Halt::Limit) };
            assert_eq!(tree.count(&0, &mut budget), expected);
            assert_eq!(budget.nodes(), limit);
        }
        assert_eq!([0, 1, 2].map(|depth| tree.descend(&depth, 9)), [13, 4, 1]);
        assert_eq!(Subtrees::new(tree).unwrap().identity(), "");
        let named = RandomTree { seed: 4, ..RandomTree::default() };
        assert_eq!(split(&named, &FINE).identity(), "random seed=4 layout=2");
    }

    #[test]
    fn counts_of_more_than_128_bits_are_errors() {
        let mut tree = Equal(u128::MAX / 9);
        let stop = Stop::new();
        let budget = &mut NodeBudget::unlimited(&stop);
        assert_eq!(tree.count(&0, budget), Ok(u128::MAX / 9 * 9));
        let mut tree = Equal(u128::MAX / 8);
        assert_eq!(tree.count(&0, budget), Err(Halt::Overflow));
        assert_eq!(Leaves::new(tree.clone()).count_up_to(u128::MAX, budget), Err(Halt::Overflow));
        assert_eq!(Subtrees::new(tree.clone()).unwrap_err(), Overflow);
        // Kept as one subtree, whose count raises the error.
        let whole = Splitting { few_nodes: 0, ..Splitting::default() };
        let subtrees = Subtrees::with(tree, 100, &whole).unwrap();
        assert!(matches!(count(&subtrees), Err(Error::Overflow(_))), "{:?}", count(&subtrees));
    }
}
