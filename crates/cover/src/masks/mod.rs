//! The engine for covers of up to 512 bits: each option is a mask of the items that it covers.
//!
//! It counts covers in which each item is covered once or at most once, with colours, and remembers counts that come
//! again.

mod bits;
mod encode;
mod kernel;
mod machine;
mod memo;
mod split;

pub(crate) use encode::Encoded;
pub(crate) use kernel::count;
pub(crate) use machine::Machine;
pub(crate) use split::{MaskTree, Node};

/// The words of the longest masks.
pub(crate) const MAX_WORDS: usize = 8;

/// A node of the search, as masks of the root's space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start<'a> {
    pub encoded: &'a Encoded,
    /// The items that still have to be covered.
    pub open: &'a [u64],
    /// The bits that no option may have any more.
    pub forbidden: &'a [u64],
}

impl<'a> Start<'a> {
    pub fn new(encoded: &'a Encoded, node: &'a Node) -> Self {
        let (open, forbidden) = node.split_at(encoded.words);
        Self { encoded, open, forbidden }
    }
}

/// A question about a node, other than for its count.
#[derive(Debug)]
pub(crate) enum Question<'a> {
    /// What are its children? They are appended: the open items of each, then the bits forbidden to it. The answer is
    /// the count of a node without children.
    Branches(&'a mut Vec<u64>),
    /// How many nodes are below it, by a random descent from this seed?
    Descend(u64),
    /// Is there an item that no option could cover, after all forced options are taken? The answer is 0 then.
    IsPossible,
}
