//! The memory of a search: made once for a problem and used for many nodes.

use super::MAX_WORDS;
use super::bits::{Window, copy_words};
use super::encode::Encoded;
use super::memo::Memo;
use crate::arithmetic::Arithmetic;

/// A list of live options in the arena: as many arrays as their masks have words, `stride` apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub begin: usize,
    pub stride: usize,
    pub len: usize,
}

impl List {
    /// The distance of arrays that hold `len` options and are written by whole vectors. An odd number of cache
    /// lines: arrays a power of two apart share one place of the first-level cache, which makes the search three
    /// times as slow.
    #[inline(always)]
    pub fn stride_for(len: usize) -> usize {
        (len.div_ceil(8) | 1) * 8
    }
}

/// A node whose branches are being taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub list: List,
    /// Where the open items stand in the arena.
    pub open_at: usize,
    /// Where the arena is free.
    pub top: usize,
    /// The branches in the list of choices: where they begin, the next one to take, where they end.
    pub begin: usize,
    pub next: usize,
    pub end: usize,
    /// The covers found so far.
    pub found: u128,
    /// The nodes taken before this one.
    pub nodes: u64,
    /// Whether the count is to be remembered. The key then follows the open items.
    pub is_remembered: bool,
}

#[derive(Debug)]
pub(crate) struct Machine {
    pub(super) arena: Vec<u64>,
    /// All options of the problem, live at the root.
    pub(super) root: List,
    pub(super) choices: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    /// How the masks of the search were made narrower, step by step.
    pub(super) windows: Vec<Window>,
    pub(super) memo: Memo,
    pub(super) arithmetic: Arithmetic,
}

impl Machine {
    /// For the problem `encoded`.
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

    /// Where the arena is free after the root.
    pub(super) fn top(&self, words: usize) -> usize {
        self.root.begin + words * self.root.stride
    }

    /// Forgets what a search that ended early has left.
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

    /// `narrow`, a mask as narrow as the masks of the search are now, in the bits of the root: undoes every window, the
    /// last one first.
    pub(super) fn root_bits<const W: usize>(&self, narrow: &[u64; W]) -> [u64; MAX_WORDS] {
        let mut mask = [0; MAX_WORDS];
        copy_words(&mut mask, narrow);
        for window in self.windows.iter().rev() {
            mask = window.expand(&mask);
        }
        mask
    }
}
