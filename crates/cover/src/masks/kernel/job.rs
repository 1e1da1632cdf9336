//! What a search begins with: a node, and the rules of its masks.

use crate::masks::bits::copy_words;
use crate::masks::machine::{List, Machine};
use crate::masks::{MAX_WORDS, Start};

/// A search below one node. Of each array as many words are used as the masks have.
pub struct Job<'a> {
    pub machine: &'a mut Machine,
    pub list: List,
    pub open: [u64; MAX_WORDS],
    pub forbidden: [u64; MAX_WORDS],
    pub plain: [u64; MAX_WORDS],
    pub pairs: [u64; MAX_WORDS],
    pub is_coloured: bool,
    pub top: usize,
}

impl<'a> Job<'a> {
    /// The search below a node of the root's space.
    pub fn at(start: Start<'_>, machine: &'a mut Machine) -> Self {
        machine.clear();
        Self {
            list: machine.root,
            open: padded(start.open),
            forbidden: padded(start.forbidden),
            plain: padded(&start.encoded.plain),
            pairs: padded(&start.encoded.pairs),
            is_coloured: start.encoded.is_coloured,
            top: machine.top(start.open.len()),
            machine,
        }
    }
}

/// The words of a mask, and zeros behind them.
fn padded(mask: &[u64]) -> [u64; MAX_WORDS] {
    let mut words = [0; MAX_WORDS];
    copy_words(&mut words, mask);
    words
}
