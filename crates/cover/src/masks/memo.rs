//! Counts that were found before, by the options that were live.
//!
//! The key is the union of the live options. It has no bit that a chosen option forbids; so an option is live if and
//! only if it is a subset of the union, and the union tells all live options. The items that are open are those of
//! the union, since an open item without a live option ends the search.
//!
//! Remembering costs up to as much as searching. So it is judged for each number of open items: it goes on while a
//! look saves two nodes on average, and pauses otherwise, each time for twice as long.

use super::MAX_WORDS;
use super::bits::copy_words;
use crate::hash::hash_words;

/// What is known of a key.
pub(super) enum Known {
    /// The memo pauses.
    Off,
    /// Nothing.
    Nothing,
    /// The number of covers.
    Count(u128),
}

/// A remembered count, and the nodes that it took; 0 in an empty place.
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    count: u128,
    nodes: u64,
}

/// How the memo does at one number of open items.
#[derive(Debug, Clone, Copy)]
struct Level {
    looks: u32,
    saved: u64,
    /// Looks left out from now on.
    pause: u32,
    next_pause: u32,
}

#[derive(Debug)]
pub(super) struct Memo {
    words: usize,
    keys: Vec<u64>,
    values: Vec<Value>,
    used: usize,
    levels: Vec<Level>,
}

const FIRST_PLACES: usize = 1 << 11;
pub(super) const MOST_BYTES: usize = 64 << 20;
/// Places that a key may stand at, from its hash on.
const REACH: usize = 8;
/// Looks between two judgements.
const LOOKS: u32 = 256;
const NODES_SAVED_BY_A_LOOK: u64 = 2;
const FIRST_PAUSE: u32 = 1 << 11;
const LONGEST_PAUSE: u32 = 1 << 24;

impl Memo {
    pub fn new(words: usize) -> Self {
        let level = Level { looks: 0, saved: 0, pause: 0, next_pause: FIRST_PAUSE };
        Self {
            words,
            keys: Vec::new(),
            values: Vec::new(),
            used: 0,
            levels: vec![level; MAX_WORDS * 64 + 1],
        }
    }

    /// The words of a key.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether the memo pauses at this number of open items. Each call shortens the pause by one look.
    #[inline(always)]
    pub fn skips(&mut self, open: u32) -> bool {
        let level = &mut self.levels[open as usize];
        if level.pause == 0 {
            return false;
        }
        level.pause -= 1;
        true
    }

    /// What is known of `key`.
    pub fn look(&mut self, open: u32, key: &[u64; MAX_WORDS]) -> Known {
        if self.values.is_empty() {
            self.resize(FIRST_PLACES);
        }
        let place = self.find(key);
        let level = &mut self.levels[open as usize];
        level.looks += 1;
        let value = place.map(|place| self.values[place]);
        level.saved += value.map_or(0, |value| value.nodes);
        if level.looks == LOOKS {
            if level.saved < u64::from(LOOKS) * NODES_SAVED_BY_A_LOOK {
                level.pause = level.next_pause;
                level.next_pause = (2 * level.next_pause).min(LONGEST_PAUSE);
            } else {
                level.next_pause = FIRST_PAUSE;
            }
            level.looks = 0;
            level.saved = 0;
        }
        match value {
            Some(value) => Known::Count(value.count),
            None if level.pause > 0 => Known::Off,
            None => Known::Nothing,
        }
    }

    fn find(&self, key: &[u64; MAX_WORDS]) -> Option<usize> {
        let key = &key[..self.words];
        let mask = self.values.len() - 1;
        let first = hash_words(key) as usize;
        for step in 0..REACH {
            let place = (first + step) & mask;
            if self.values[place].nodes == 0 {
                return None;
            }
            if self.keys[place * self.words..][..self.words] == *key {
                return Some(place);
            }
        }
        None
    }

    /// Remembers a count that took `nodes` nodes, at least 1, perhaps in the place of a cheaper one.
    pub fn store(&mut self, key: &[u64], count: u128, nodes: u64) {
        if 2 * self.used >= self.values.len() {
            let bytes = self.words * size_of::<u64>() + size_of::<Value>();
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
            let place = (first + step) & mask;
            if self.values[place].nodes < self.values[cheapest].nodes {
                cheapest = place;
            }
            if self.values[place].nodes == 0 {
                self.used += 1;
                break;
            }
        }
        self.values[cheapest] = value;
        copy_words(&mut self.keys[cheapest * self.words..], &key[..self.words]);
    }

    fn resize(&mut self, places: usize) {
        let keys = std::mem::replace(&mut self.keys, vec![0; places * self.words]);
        let values = std::mem::replace(&mut self.values, vec![Value::default(); places]);
        self.used = 0;
        for (place, value) in values.into_iter().enumerate() {
            if value.nodes > 0 {
                self.insert(&keys[place * self.words..][..self.words], value);
            }
        }
    }
}
