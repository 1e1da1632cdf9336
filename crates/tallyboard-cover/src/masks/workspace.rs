//! The memory of a search: allocated once for a problem, and used for many subtrees.

use super::MAX_WORDS;
use super::bits::{Window, copy_words};
use super::encode::Encoded;
use super::memo::Memo;
use crate::arithmetic::Arithmetic;

/// A list of live options in the arena. There is an array for each word of their masks; the arrays begin `stride` words apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub begin: usize,
    pub stride: usize,
    pub len: usize,
}

impl List {
    /// The stride of arrays that hold `len` options and are written in whole vectors of at most eight words. It is an odd number
    /// of cache lines of eight words: arrays a power of two apart would share a set of the first-level cache, which makes the
    /// search three times as slow.
    #[inline(always)]
    pub fn stride_for(len: usize) -> usize {
        (len.div_ceil(8) | 1) * 8
    }
}

/// A node whose branches are being taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub list: List,
    /// The index of the open items in the arena.
    pub open_at: usize,
    /// The index from which the arena is free.
    pub top: usize,
    /// The indices in the list of choices of the first branch, of the next one, and after the last one.
    pub begin: usize,
    pub next: usize,
    pub end: usize,
    /// The covers found so far.
    pub found: u128,
    /// The nodes visited up to this one.
    pub nodes: u64,
    /// Whether the memo is to remember the count. If so, the key follows the open items in the arena.
    pub is_remembered: bool,
}

/// The memory of a search.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The lists, open items and keys of the nodes of a path, one after the other.
    pub(super) arena: Vec<u64>,
    /// The list of all options of the problem.
    pub(super) root: List,
    /// The branches of all frames, as options of their lists.
    pub(super) choices: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    /// The windows through which masks were packed into fewer words, one after the other.
    pub(super) windows: Vec<Window>,
    pub(super) memo: Memo,
    pub(super) arithmetic: Arithmetic,
}

impl Workspace {
    /// The memory of searches of the problem `encoded`.
    pub fn new(encoded: &Encoded) -> Self {
        let len = encoded.len();
        let words = encoded.words;
        let stride = List::stride_for(len);
        let mut arena = vec![0; words * stride + 1024];
        for option in 0..len {
            for word in 0..words {
                arena[word * stride + option] = encoded.masks[option * words + word];
            }
        }
        Self {
            arena,
            root: List { begin: 0, stride, len },
            choices: Vec::new(),
            frames: Vec::new(),
            windows: Vec::new(),
            memo: Memo::new(words),
            arithmetic: encoded.arithmetic,
        }
    }

    /// The index from which the arena is free after the root.
    pub(super) fn top(&self, words: usize) -> usize {
        self.root.begin + words * self.root.stride
    }

    /// Removes what a search that ended early has left.
    pub(super) fn clear(&mut self) {
        self.choices.clear();
        self.frames.clear();
        self.windows.clear();
    }

    /// Makes the arena at least `len` words long.
    #[inline(always)]
    pub(super) fn reserve(&mut self, len: usize) {
        if self.arena.len() < len {
            self.grow(len);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) {
        self.arena.resize(len.max(2 * self.arena.len()), 0);
    }

    /// A mask with the bits of the current windows, converted to those of the root: every window is undone, the last one first.
    pub(super) fn root_bits<const W: usize>(&self, narrow: &[u64; W]) -> [u64; MAX_WORDS] {
        let mut mask = [0; MAX_WORDS];
        copy_words(&mut mask, narrow);
        for window in self.windows.iter().rev() {
            mask = window.expand(&mask);
        }
        mask
    }
}
