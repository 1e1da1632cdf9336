//! The search over masks as a tree that can be split into subtrees.

use std::sync::Arc;

use super::kernel::look;
use super::{Encoded, Question, StartNode, Workspace, count};
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{Branches, Halt, NodeBudget, Tree};

/// A node: the open items, then the bits that options must not have.
pub(crate) type Node = Vec<u64>;

/// The tree of a problem. Its counts are those of [`Arithmetic`](crate::arithmetic::Arithmetic).
#[derive(Debug)]
pub(crate) struct MaskTree {
    pub encoded: Arc<Encoded>,
    instructions: Instructions,
    workspace: Workspace,
}

impl Encoded {
    /// The node in which nothing is chosen.
    pub fn root(&self) -> Node {
        let mut root = self.open.clone();
        root.resize(2 * self.words, 0);
        root
    }

    /// An estimate of the tests of eight words against a mask that [`MaskTree::reduce`] makes.
    pub fn reduction_work(&self) -> u64 {
        let options = self.len() as u64;
        options * (options * self.words as u64 / 8 + WORK_OF_ENTERING)
    }

    fn shape(&self) -> Shape {
        let count =
            |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let options = (self.len() as u64).max(1);
        let bits = count(&self.open).max(1);
        // The bits of an average option.
        let bits_of_one = (count(&self.masks) / options).max(1);
        let depth = (bits / bits_of_one).max(1);
        // An option clashes with one in so many options: as many as the sum of the geometric series has full lists.
        let levels = (bits / (bits_of_one * bits_of_one)).clamp(1, depth);
        Shape { tests: (self.masks.len() as u64).div_ceil(8), depth, levels }
    }
}

/// What a descent through a problem is like.
struct Shape {
    /// The tests of eight words for all options.
    tests: u64,
    /// About the number of options of a cover.
    depth: u64,
    /// The tests of a descent below the root, as a multiple of those at the root.
    levels: u64,
}

/// Looking ahead pays if it drops two options of so many. One of eight (Langford's pairs, queens) and three of ten (MacMahon's
/// squares) take 7 to 15 % more time, half of them and more (polyominoes) 11 to 22 % less.
const TWO_DROPPED_OF: u64 = 5;
/// The most rounds of [`MaskTree::reduce`].
const MOST_ROUNDS: usize = 4;
/// If a round removes fewer than one in so many options, another round is not worth its time.
const FEW_PART: usize = 64;
/// The work of entering a node besides the tests. The unit is a test of eight words.
const WORK_OF_ENTERING: u64 = 100;

impl MaskTree {
    /// The tree of a problem, with memory of its own.
    pub fn new(encoded: Arc<Encoded>, instructions: Instructions) -> Self {
        Self { workspace: Workspace::new(&encoded), encoded, instructions }
    }

    /// Decides from the search so far whether looking ahead pays. The nodes of this search are the same with all kernels. Returns
    /// the part of all nodes that a search then visits, about.
    pub fn settle_looking_ahead(&mut self) -> f64 {
        let (dropped, all) = (self.workspace.dropped, self.workspace.looked_at);
        let pays = TWO_DROPPED_OF * dropped >= 2 * all;
        Arc::make_mut(&mut self.encoded).looks_ahead = pays;
        self.workspace.looks_ahead = pays;
        if pays && all > 0 { (all - dropped) as f64 / all as f64 } else { 1.0 }
    }

    /// Removes options that no cover can have, because each of them leaves some item without options. Returns their number.
    pub fn reduce(&mut self) -> usize {
        let mut removed = 0;
        // Removed options make others impossible, fewer in each round.
        for _ in 0..MOST_ROUNDS {
            let before = self.encoded.len();
            let mut kept = Vec::with_capacity(self.encoded.masks.len());
            let encoded = Arc::clone(&self.encoded);
            for mask in encoded.masks.chunks_exact(encoded.words) {
                let mut node = encoded.root();
                encoded.choose(&mut node, mask);
                if self.look(&node, Question::IsPossible) != 0 {
                    kept.extend_from_slice(mask);
                }
            }
            // With the only owner, nothing is copied.
            drop(encoded);
            Arc::make_mut(&mut self.encoded).masks = kept;
            self.workspace = Workspace::new(&self.encoded);
            let removed_now = before - self.encoded.len();
            removed += removed_now;
            if removed_now < before / FEW_PART {
                break;
            }
        }
        removed
    }

    fn look(&mut self, node: &Node, question: Question<'_>) -> u128 {
        let start = StartNode::new(&self.encoded, node);
        look(self.instructions, &mut self.workspace, start, question)
    }
}

/// Without the counts that the workspace remembers.
impl Clone for MaskTree {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.encoded), self.instructions)
    }
}

impl Tree for MaskTree {
    type Node = Node;

    fn root(&self) -> Node {
        self.encoded.root()
    }

    fn branches(&mut self, node: &Node) -> Branches<Node> {
        let mut children = Vec::new();
        let count = self.look(node, Question::Children(&mut children));
        if children.is_empty() {
            return Branches::Leaf(count);
        }
        let children = children.chunks_exact(2 * self.encoded.words);
        Branches::Children(children.map(<[u64]>::to_vec).collect())
    }

    fn descend(&mut self, node: &Node, seed: u64) -> u64 {
        let mixed = crate::hash::hash_words(node) ^ crate::hash::mix(seed);
        u64::try_from(self.look(node, Question::Descend(mixed))).unwrap_or(u64::MAX)
    }

    fn count(&mut self, node: &Node, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let start = StartNode::new(&self.encoded, node);
        count(self.instructions, &mut self.workspace, start, budget)
    }

    /// A step is a test of eight words. The root tests all options, and so does each node below it, which has fewer: all of them
    /// but those that clash with an option of an average size.
    fn steps_of_a_descent(&self) -> u64 {
        let Shape { tests, depth, levels } = self.encoded.shape();
        tests.saturating_mul(1 + levels) + WORK_OF_ENTERING * depth
    }

    fn steps_of_a_node(&self) -> u64 {
        self.steps_of_a_descent() / self.encoded.shape().depth
    }

    fn sum(&self, a: u128, b: u128) -> Option<u128> {
        self.encoded.arithmetic.add(a, b)
    }
}
