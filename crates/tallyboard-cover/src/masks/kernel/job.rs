//! The input of a search: a node, and the rules of its masks.

use crate::masks::bits::copy_words;
use crate::masks::workspace::{List, Workspace};
use crate::masks::{MAX_WORDS, StartNode};

/// A search below one node. As many words of each array are used as the masks have.
pub struct Job<'a> {
    pub workspace: &'a mut Workspace,
    pub list: List,
    pub open: [u64; MAX_WORDS],
    pub forbidden: [u64; MAX_WORDS],
    pub plain: [u64; MAX_WORDS],
    pub pairs: [u64; MAX_WORDS],
    pub is_coloured: bool,
    pub top: usize,
}

impl<'a> Job<'a> {
    /// The search below a node with the masks of the root.
    pub fn at(start: StartNode<'_>, workspace: &'a mut Workspace) -> Self {
        workspace.clear();
        Self {
            list: workspace.root,
            open: padded(start.open),
            forbidden: padded(start.forbidden),
            plain: padded(&start.encoded.plain),
            pairs: padded(&start.encoded.pairs),
            is_coloured: start.encoded.is_coloured,
            top: workspace.top(start.open.len()),
            workspace,
        }
    }
}

/// The words of a mask, followed by zeros.
fn padded(mask: &[u64]) -> [u64; MAX_WORDS] {
    let mut words = [0; MAX_WORDS];
    copy_words(&mut words, mask);
    words
}
