//! The search over masks as a tree that can be split into subtrees.

use super::kernel::look;
use super::{Encoded, Question, StartNode, Workspace, count};
use crate::splitting::Tree;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{Halt, NodeBudget};

/// A node: the open items, then the bits that options must not have.
pub(crate) type Node = Vec<u64>;

/// The tree of a problem.
pub(crate) struct MaskTree<'a> {
    pub encoded: &'a Encoded,
    pub instructions: Instructions,
    pub workspace: Workspace,
}

impl Encoded {
    /// The node in which nothing is chosen.
    pub fn root(&self) -> Node {
        let mut root = self.open.clone();
        root.resize(2 * self.words, 0);
        root
    }

    /// An estimate of the tests of eight words against a mask that [`reduce`](Self::reduce) makes.
    pub fn reduction_work(&self) -> u64 {
        let options = self.len() as u64;
        options * (options * self.words as u64 / 8 + WORK_OF_ENTERING)
    }

    /// Removes options that no cover can have, because each of them leaves some item without options. Returns their number.
    pub fn reduce(&mut self, instructions: Instructions) -> usize {
        let mut removed = 0;
        // Removed options make others impossible, fewer in each round.
        for _ in 0..MOST_ROUNDS {
            let mut workspace = Workspace::new(self);
            let before = self.len();
            let mut kept = Vec::with_capacity(self.masks.len());
            for mask in self.masks.chunks_exact(self.words) {
                let mut node = self.root();
                self.choose(&mut node, mask);
                let start = StartNode::new(self, &node);
                if look(instructions, &mut workspace, start, Question::IsPossible) != 0 {
                    kept.extend_from_slice(mask);
                }
            }
            self.masks = kept;
            let removed_now = before - self.len();
            removed += removed_now;
            if removed_now < before / FEW_PART {
                break;
            }
        }
        removed
    }
}

/// The most rounds of [`Encoded::reduce`].
const MOST_ROUNDS: usize = 4;
/// If a round removes fewer than one in so many options, another round is not worth its time.
const FEW_PART: usize = 64;
/// The work of entering a node besides the tests. The unit is a test of eight words.
const WORK_OF_ENTERING: u64 = 100;

impl<'a> MaskTree<'a> {
    /// The tree of a problem, with memory of its own.
    pub fn new(encoded: &'a Encoded, instructions: Instructions) -> Self {
        Self { encoded, instructions, workspace: Workspace::new(encoded) }
    }

    fn look(&mut self, node: &Node, question: Question<'_>) -> u128 {
        let start = StartNode::new(self.encoded, node);
        look(self.instructions, &mut self.workspace, start, question)
    }
}

impl Tree for MaskTree<'_> {
    type Node = Node;

    fn children(&mut self, node: &Node) -> (Vec<Node>, u128) {
        let mut children = Vec::new();
        let count = self.look(node, Question::Children(&mut children));
        let children = children.chunks_exact(2 * self.encoded.words).map(<[u64]>::to_vec).collect();
        (children, count)
    }

    fn descend(&mut self, node: &Node, seed: u64) -> u128 {
        let mixed = crate::hash::hash_words(node) ^ crate::hash::mix(seed);
        self.look(node, Question::Descend(mixed))
    }

    fn count(&mut self, node: &Node, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        let start = StartNode::new(self.encoded, node);
        count(self.instructions, &mut self.workspace, start, budget)
    }
}
