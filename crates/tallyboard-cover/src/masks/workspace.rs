//! The memory of a search: allocated once for a problem, and used for many subtrees.

use super::bits::{Window, copy_words};
use super::{Encoded, Ladders, MAX_WORDS, Visits};
use crate::arithmetic::Arithmetic;
use crate::hash::hash_words;

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
    /// The ladders of the root, and those behind each window; none if the problem has none.
    pub(super) ladders: Vec<Ladders>,
    pub(super) memo: Memo,
    pub(super) arithmetic: Arithmetic,
    /// As [`Encoded::looks_ahead`]; the options of branches so far, and how many of them were left out for it.
    pub(super) looks_ahead: bool,
    pub(super) looked_at: u64,
    pub(super) dropped: u64,
    /// Takes the covers, if they are more than counted.
    pub visits: Option<Visits>,
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
            ladders: Vec::from_iter(encoded.ladders),
            memo: Memo::new(words),
            arithmetic: encoded.arithmetic,
            looks_ahead: encoded.looks_ahead,
            looked_at: 0,
            dropped: 0,
            visits: None,
        }
    }

    /// Visits the cover to which the frames lead.
    #[cold]
    #[inline(never)]
    pub(super) fn visit(&mut self) {
        if let Some(visits) = &mut self.visits {
            visits.cover(&self.frames, &self.choices);
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
        self.ladders.truncate(1);
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

// A memo of the counts of nodes. A bit is *forbidden* at a node if no option may have it any more (see
// [`StartNode`](super::StartNode)). An option is *live* if it has no forbidden bit.
//
// The key of a node is the union of its live options, without the rungs of ladders that are not open. It has no forbidden bit, so
// an option is live if and only if the union has all of its bits that belong to no ladder, and the lowest rungs: the key determines
// the live options. It also determines the open items that are covered once, which are those in the union because an open item
// without a live option ends the search, and the open rungs of items with a live option; the others make no difference.
//
// The memo can cost as much time as the search. So its use is measured for each number of open items. It goes on while a look-up
// saves two nodes on average. Otherwise it pauses, each time twice as long.

/// The result of a look-up.
pub(super) enum LookUp {
    /// The count of the key is unknown, and a pause begins: it need not be stored.
    Paused,
    /// The count of the key is unknown.
    Unknown,
    /// The number of covers.
    Count(u128),
}

/// A remembered count, and the nodes visited for it: at least 1, and 0 in an empty slot.
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    count: u128,
    nodes: u64,
}

/// The use of the memo at nodes with one number of open items.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// The look-ups since the last measurement.
    look_ups: u32,
    /// The nodes that they saved.
    saved_nodes: u64,
    /// The look-ups that are still to be skipped.
    pause: u32,
    /// The length of the next pause.
    next_pause: u32,
}

#[derive(Debug)]
pub(super) struct Memo {
    words_per_key: usize,
    /// The keys of the slots, one after the other.
    keys: Vec<u64>,
    values: Vec<Value>,
    /// The number of slots that are not empty.
    used: usize,
    /// For each number of open items, the use of the memo.
    levels: Vec<Level>,
}

const FEWEST_SLOTS: usize = 1 << 11;
pub(super) const MOST_BYTES: usize = 64 << 20;
/// The slots in which a key may be, from that of its hash on.
const REACH: usize = 8;
/// Look-ups between two measurements.
const LOOK_UPS: u32 = 256;
/// The nodes that a look-up has to save on average.
const NODES_PER_LOOK_UP: u64 = 2;
/// The lengths of pauses, in look-ups.
const FIRST_PAUSE: u32 = 1 << 11;
const LONGEST_PAUSE: u32 = 1 << 24;

impl Memo {
    pub fn new(words_per_key: usize) -> Self {
        let level = Level { look_ups: 0, saved_nodes: 0, pause: 0, next_pause: FIRST_PAUSE };
        Self {
            words_per_key,
            keys: Vec::new(),
            values: Vec::new(),
            used: 0,
            levels: vec![level; MAX_WORDS * 64 + 1],
        }
    }

    pub fn words_per_key(&self) -> usize {
        self.words_per_key
    }

    /// Whether the memo pauses at this number of open items. Each call shortens the pause by one look-up.
    #[inline(always)]
    pub fn skips(&mut self, open: u32) -> bool {
        let level = &mut self.levels[open as usize];
        if level.pause == 0 {
            return false;
        }
        level.pause -= 1;
        true
    }

    /// Looks up the count of `key`, at a node with this number of open items.
    pub fn look_up(&mut self, open: u32, key: &[u64; MAX_WORDS]) -> LookUp {
        if self.values.is_empty() {
            self.resize(FEWEST_SLOTS);
        }
        let slot = self.find(key);
        let level = &mut self.levels[open as usize];
        level.look_ups += 1;
        let value = slot.map(|slot| self.values[slot]);
        level.saved_nodes += value.map_or(0, |value| value.nodes);
        if level.look_ups == LOOK_UPS {
            if level.saved_nodes < u64::from(LOOK_UPS) * NODES_PER_LOOK_UP {
                level.pause = level.next_pause;
                level.next_pause = (2 * level.next_pause).min(LONGEST_PAUSE);
            } else {
                level.next_pause = FIRST_PAUSE;
            }
            level.look_ups = 0;
            level.saved_nodes = 0;
        }
        match value {
            Some(value) => LookUp::Count(value.count),
            None if level.pause > 0 => LookUp::Paused,
            None => LookUp::Unknown,
        }
    }

    fn find(&self, key: &[u64; MAX_WORDS]) -> Option<usize> {
        let key = &key[..self.words_per_key];
        let mask = self.values.len() - 1;
        let first = hash_words(key) as usize;
        for step in 0..REACH {
            let slot = (first + step) & mask;
            if self.values[slot].nodes == 0 {
                return None;
            }
            if self.keys[slot * self.words_per_key..][..self.words_per_key] == *key {
                return Some(slot);
            }
        }
        None
    }

    /// Remembers a count for which `nodes` nodes were visited, at least 1. If all slots in reach are taken, it replaces the
    /// count with the fewest nodes, even if its own has fewer still.
    pub fn store(&mut self, key: &[u64], count: u128, nodes: u64) {
        if 2 * self.used >= self.values.len() {
            let bytes = self.words_per_key * size_of::<u64>() + size_of::<Value>();
            if 2 * self.values.len() * bytes <= MOST_BYTES {
                self.resize(2 * self.values.len());
            }
        }
        self.insert(key, Value { count, nodes });
    }

    fn insert(&mut self, key: &[u64], value: Value) {
        let mask = self.values.len() - 1;
        let first = hash_words(key) as usize;
        let mut cheapest = first & mask;
        for step in 0..REACH {
            let slot = (first + step) & mask;
            if self.values[slot].nodes < self.values[cheapest].nodes {
                cheapest = slot;
            }
            if self.values[slot].nodes == 0 {
                self.used += 1;
                break;
            }
        }
        self.values[cheapest] = value;
        copy_words(&mut self.keys[cheapest * self.words_per_key..], &key[..self.words_per_key]);
    }

    fn resize(&mut self, slots: usize) {
        let keys = std::mem::replace(&mut self.keys, vec![0; slots * self.words_per_key]);
        let values = std::mem::replace(&mut self.values, vec![Value::default(); slots]);
        self.used = 0;
        for (slot, value) in values.into_iter().enumerate() {
            if value.nodes > 0 {
                self.insert(&keys[slot * self.words_per_key..][..self.words_per_key], value);
            }
        }
    }
}
