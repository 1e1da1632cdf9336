//! The engine for covers of up to 512 bits: each option is a mask of the items that it covers.
//!
//! It counts covers in which each item is covered once or at most once, with colours. It remembers the counts of nodes, which
//! other nodes may have again.

mod bits;
mod encode;
mod kernel;
mod memo;
mod split;
mod workspace;

pub(crate) use encode::Encoded;
pub(crate) use kernel::count;
pub(crate) use split::MaskTree;
use split::Node;
pub(crate) use workspace::Workspace;

/// The words of the longest masks.
pub(crate) const MAX_WORDS: usize = 8;

/// The node at which a search starts. Its masks have the bits of the root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartNode<'a> {
    pub encoded: &'a Encoded,
    /// The items that still have to be covered.
    pub open: &'a [u64],
    /// The bits that no option may have any more.
    pub forbidden: &'a [u64],
}

impl<'a> StartNode<'a> {
    pub fn new(encoded: &'a Encoded, node: &'a Node) -> Self {
        let (open, forbidden) = node.split_at(encoded.words);
        Self { encoded, open, forbidden }
    }
}

/// A question about a node that is answered without counting its covers.
#[derive(Debug)]
pub(crate) enum Question<'a> {
    /// The children of the node, which are appended: the open items of each, then the bits forbidden to it. The answer is the
    /// number of covers of a node without children.
    Children(&'a mut Vec<u64>),
    /// An estimate of the nodes below it, by a random descent with this seed.
    Descend(u64),
    /// Whether each item has an option after all forced options are taken. The answer is 0 if not.
    IsPossible,
}
