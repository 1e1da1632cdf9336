//! The engine that merges equal states. Items are covered in a fixed order. A state is the set of forbidden bits that options of
//! later items may have: partial covers with equal states have equally many continuations, so they are counted together.
//!
//! ```text
//! states[first item] = { nothing forbidden: 1 }
//! for item in order:
//!     for (forbidden, count) in states[item]:
//!         for option whose first item in the order is this one, without a forbidden bit:
//!             after = forbidden and what the option forbids
//!             next = the first item that is not covered; if there is none, total += count
//!             states[next][after, without the bits that no option of next or later has] += count
//! ```
//!
//! The bit of an item after `next` is kept even if no later option has it: it tells whether the item is covered.

mod marginals;

pub(crate) use marginals::tally;

use crate::arithmetic::Arithmetic;
use crate::hash::hash_words;
use crate::masks::Encoded;
use tallyboard_base::bits::bits;
use tallyboard_search::{Halt, Stop};

/// The work of adding a state. The unit of work is a test of an option against a state.
const WORK_OF_A_STATE: u64 = 32;
/// The work between two checks of the stop flag and the limits.
const WORK_BETWEEN_CHECKS: u64 = 1 << 16;
/// The count is given up if the tables of states would take more memory, but for the half of one that is just growing.
pub(crate) const MOST_BYTES: usize = 1 << 29;
/// A count with a budget is given up before, if the states of an item will take twice that memory at the rate of those that are
/// done, and it is one of the first items: merging makes the rate lower, but not as soon. A few states tell no rate.
const FEW_BYTES: usize = MOST_BYTES / 16;
const FIRST_PART: usize = 4;
/// The work that each of two orders gets before they are compared for the first time, some milliseconds, and after which only one
/// goes on, half a second.
const FIRST_SHARE: u64 = 1 << 20;
const LAST_SHARE: u64 = 1 << 26;

/// How far a count has come that ended early.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unfinished {
    pub why: Halt,
    /// The work of the whole count, if the items that are left take as much each as those before; `None` if the memory of the
    /// states was still growing.
    pub projected_work: Option<u64>,
}

/// Counts the covers of `encoded` with at most `budget` work: a test of an option against a state is 1.
///
/// # Errors
/// [`Unfinished`] if the count was stopped, would take more work or memory than allowed, or does not fit in 128 bits.
pub(crate) fn count(encoded: &Encoded, budget: u64, stop: &Stop) -> Result<u128, Unfinished> {
    match encoded.words {
        1 => merge::<1>(encoded, budget, stop),
        2 => merge::<2>(encoded, budget, stop),
        3 => merge::<3>(encoded, budget, stop),
        4 => merge::<4>(encoded, budget, stop),
        6 => merge::<6>(encoded, budget, stop),
        _ => merge::<8>(encoded, budget, stop),
    }
}

fn merge<const W: usize>(encoded: &Encoded, budget: u64, stop: &Stop) -> Result<u128, Unfinished> {
    let [likely, other] = Ordered::<W>::both(encoded);
    let mut merges = vec![Merge::new(likely, encoded.arithmetic)];
    // Estimates of states can be far from the truth. With work to spare, both orders are followed until one is behind.
    if budget == u64::MAX {
        merges.push(Merge::new(other, encoded.arithmetic));
    }
    let mut share = FIRST_SHARE;
    loop {
        let until = if merges.len() == 1 { u64::MAX } else { share };
        let mut i = 0;
        while i < merges.len() {
            let limits = Limits { until, budget, most_bytes: MOST_BYTES / merges.len() };
            match merges[i].advance(limits, stop) {
                Ok(Some(covers)) => return Ok(covers),
                Ok(None) => i += 1,
                Err(Unfinished { why: Halt::Limit, .. }) if merges.len() > 1 => {
                    merges.remove(i);
                }
                Err(ended) => return Err(ended),
            }
        }
        if let [first, second] = &merges[..] {
            if second.is_behind(first, share) {
                merges.remove(1);
            } else if first.is_behind(second, share) {
                merges.remove(0);
            }
        }
        share = share.saturating_mul(2);
    }
}

/// How far a [`Merge`] may go.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// It pauses before the first item after so much work.
    until: u64,
    /// It ends with so much work.
    budget: u64,
    most_bytes: usize,
}

/// A count under way.
#[derive(Debug)]
struct Merge<const W: usize> {
    ordered: Ordered<W>,
    arithmetic: Arithmetic,
    /// The states in which each item is the first one that is not covered.
    tables: Vec<Table<W>>,
    /// The items that are done.
    done: usize,
    bytes: usize,
    total: u128,
    work: u64,
    next_check: u64,
    /// The bytes of all states at each item.
    history: Vec<usize>,
}

impl<const W: usize> Merge<W> {
    fn new(ordered: Ordered<W>, arithmetic: Arithmetic) -> Self {
        let items = ordered.groups.len();
        let mut tables: Vec<Table<W>> = (0..items).map(|_| Table::default()).collect();
        let mut bytes = 0;
        if let Some(first) = tables.first_mut() {
            first.add([0; W], 1, arithmetic);
            bytes = first.bytes();
        }
        // Without an item there is one cover.
        let total = u128::from(items == 0);
        let history = Vec::with_capacity(items);
        Self { ordered, arithmetic, tables, done: 0, bytes, total, work: 0, next_check: 0, history }
    }

    /// Whether this one is given up for `other`: after [`LAST_SHARE`] each, the one that has done fewer items; before, only a merge
    /// that does the same. How the states grow is not to be told earlier.
    fn is_behind(&self, other: &Self, share: u64) -> bool {
        (self.done, self.bytes) == (other.done, other.bytes)
            || share >= LAST_SHARE && (self.done, other.bytes) <= (other.done, self.bytes)
    }

    /// Goes on; returns the covers if all items are done.
    fn advance(&mut self, limits: Limits, stop: &Stop) -> Result<Option<u128>, Unfinished> {
        while self.done < self.tables.len() {
            if self.work >= limits.until {
                return Ok(None);
            }
            self.cover(limits, stop)?;
            self.done += 1;
        }
        Ok(Some(self.total))
    }

    /// Covers the next item in all its states.
    fn cover(&mut self, limits: Limits, stop: &Stop) -> Result<(), Unfinished> {
        let (item, items) = (self.done, self.tables.len());
        let group = &self.ordered.groups[item];
        let states = std::mem::take(&mut self.tables[item]);
        self.history.push(self.bytes);
        self.bytes -= states.bytes();
        for (done, (forbidden, count)) in (1..).zip(states.iter()) {
            self.work += group.len() as u64;
            for option in group {
                if intersects(&option.mask, &forbidden) {
                    continue;
                }
                let mut after = forbidden;
                (0..W).for_each(|i| after[i] |= option.forbidden[i]);
                let next = first_open(&after, items);
                if next == items {
                    self.total = self.arithmetic.add(self.total, count).ok_or(Halt::Overflow)?;
                    continue;
                }
                let kept = &self.ordered.kept[next];
                (0..W).for_each(|i| after[i] &= kept[i]);
                self.bytes += self.tables[next].growth();
                if self.bytes > limits.most_bytes {
                    return Err(Halt::Limit.into());
                }
                if !self.tables[next].add(after, count, self.arithmetic) {
                    return Err(Halt::Overflow.into());
                }
                self.work += WORK_OF_A_STATE;
            }
            if self.work >= self.next_check {
                stop.check().map_err(Halt::from)?;
                self.next_check = self.work + WORK_BETWEEN_CHECKS;
                let is_early = limits.budget < u64::MAX && FIRST_PART * item < items;
                if is_early
                    && self.bytes > FEW_BYTES
                    && self.bytes / done * states.used > 2 * MOST_BYTES
                {
                    return Err(Halt::Limit.into());
                }
                if self.work >= limits.budget {
                    let projected_work = is_level(&self.history, self.bytes)
                        .then(|| self.work.saturating_mul(items as u64) / (item as u64).max(1));
                    return Err(Unfinished { why: Halt::Limit, projected_work });
                }
            }
        }
        Ok(())
    }
}

impl From<Halt> for Unfinished {
    fn from(why: Halt) -> Self {
        Self { why, projected_work: None }
    }
}

/// Whether the states took at least half as much memory as now when three quarters of the items so far were covered.
fn is_level(history: &[usize], bytes: usize) -> bool {
    history
        .get(history.len() * 3 / 4)
        .is_some_and(|&before| history.len() > 8 && bytes <= 2 * before)
}

fn intersects<const W: usize>(a: &[u64; W], b: &[u64; W]) -> bool {
    (0..W).fold(0, |common, i| common | a[i] & b[i]) != 0
}

/// The first item that is not covered; `items` if all are covered. The items are the lowest bits.
fn first_open<const W: usize>(covered: &[u64; W], items: usize) -> usize {
    for (i, word) in covered.iter().enumerate() {
        if *word != u64::MAX {
            return items.min(64 * i + word.trailing_ones() as usize);
        }
    }
    items
}

// The order of the items, on which the number of states depends most.

/// An option, with the bits of items in the order in which they are covered.
#[derive(Debug, Clone, Copy)]
struct OrderedOption<const W: usize> {
    pub mask: [u64; W],
    /// The bits that later options must not have.
    pub forbidden: [u64; W],
}

/// A problem whose items are covered in the order of their bits.
#[derive(Debug)]
struct Ordered<const W: usize> {
    /// For each item, the options whose first item it is.
    pub groups: Vec<Vec<OrderedOption<W>>>,
    /// For each item, the bits of a state in which it is the first item that is not covered. Other bits make no difference.
    pub kept: Vec<[u64; W]>,
    /// For each item, the numbers of the masks of its options.
    pub numbers: Vec<Vec<usize>>,
}

impl<const W: usize> Ordered<W> {
    /// The items as they are and in a greedy order, first the one that has fewer estimated states.
    pub fn both(encoded: &Encoded) -> [Self; 2] {
        let items: Vec<usize> = (0..64 * W).filter(|&bit| has(&encoded.open, bit)).collect();
        let greedy = Self::in_order(encoded, &greedy::<W>(encoded, &items));
        let given = Self::in_order(encoded, &items);
        if greedy.estimated_states() < given.estimated_states() {
            [greedy, given]
        } else {
            [given, greedy]
        }
    }

    fn in_order(encoded: &Encoded, order: &[usize]) -> Self {
        // The new place of each bit. The items have the lowest bits before and after, so the other bits stay in their places.
        let mut new_places: Vec<usize> = (0..64 * W).collect();
        order.iter().enumerate().for_each(|(place, &item)| new_places[item] = place);
        let mut groups = vec![Vec::new(); order.len()];
        let mut numbers = vec![Vec::new(); order.len()];
        for (number, mask) in encoded.masks.chunks_exact(W).enumerate() {
            let forbidden = encoded.forbidden(mask);
            let option = OrderedOption {
                mask: permuted(mask, &new_places),
                forbidden: permuted(&forbidden, &new_places),
            };
            let first = (0..order.len()).find(|&item| has(&option.mask, item));
            // Each option has an item.
            if let Some(first) = first {
                groups[first].push(option);
                numbers[first].push(number);
            }
        }
        // A state keeps the bits of later options, and those of all items. The bits of items before the first one that is not
        // covered are set in all states, so they make no further states.
        let mut later = [0; W];
        (0..order.len()).for_each(|item| later[item / 64] |= 1 << (item % 64));
        let mut kept = vec![[0; W]; order.len()];
        for item in (0..order.len()).rev() {
            for option in &groups[item] {
                (0..W).for_each(|i| later[i] |= option.mask[i]);
            }
            kept[item] = later;
        }
        Self { groups, kept, numbers }
    }

    /// An upper estimate of the number of states: for each item 2^n, where n is the number of bits that earlier options can set
    /// and that its states keep.
    fn estimated_states(&self) -> f64 {
        let mut before = [0; W];
        let mut states = 0.0;
        // The earlier items, whose bits are set in all states of an item.
        let mut earlier = 0.0;
        for (group, kept) in self.groups.iter().zip(&self.kept) {
            let width: u32 = (0..W).map(|i| (before[i] & kept[i]).count_ones()).sum();
            states += (f64::from(width) - earlier).exp2();
            earlier += 1.0;
            for option in group {
                (0..W).for_each(|i| before[i] |= option.forbidden[i]);
            }
        }
        states
    }
}

fn has(mask: &[u64], bit: usize) -> bool {
    mask[bit / 64] >> (bit % 64) & 1 == 1
}

/// `mask` with each bit in its new place.
fn permuted<const W: usize>(mask: &[u64], new_places: &[usize]) -> [u64; W] {
    let mut permuted = [0; W];
    for (i, &word) in mask.iter().enumerate() {
        for bit in bits(word) {
            let place = new_places[64 * i + bit.trailing_zeros() as usize];
            permuted[place / 64] |= 1 << (place % 64);
        }
    }
    permuted
}

/// A greedy order: each next item is one whose options have the fewest bits that no option of the items before has. Of several
/// items, it is the one that such an option covered first.
fn greedy<const W: usize>(encoded: &Encoded, items: &[usize]) -> Vec<usize> {
    // The bits that some option of each item has.
    let mut reach = vec![[0_u64; W]; 64 * W];
    for mask in encoded.masks.chunks_exact(W) {
        for &item in items.iter().filter(|&&item| has(mask, item)) {
            (0..W).for_each(|i| reach[item][i] |= mask[i]);
        }
    }
    let mut reached = [0_u64; W];
    // For each item, the step at which it was reached.
    let mut reached_at = vec![usize::MAX; 64 * W];
    let mut left: Vec<usize> = items.to_vec();
    let mut order = Vec::with_capacity(items.len());
    loop {
        let new_bits = |item: usize| -> u32 {
            (0..W).map(|i| (reach[item][i] & !reached[i]).count_ones()).sum()
        };
        let best = (0..left.len())
            .min_by_key(|&place| (new_bits(left[place]), reached_at[left[place]], left[place]));
        let Some(best) = best else { break };
        let item = left.remove(best);
        (0..W).for_each(|i| reached[i] |= reach[item][i]);
        for &other in &left {
            if has(&reached, other) && reached_at[other] == usize::MAX {
                reached_at[other] = order.len();
            }
        }
        order.push(item);
    }
    order
}

// The states of an item and their counts.

/// A hash table of states with linear probing. An entry with a count of 0 is empty.
#[derive(Debug, Default, Clone)]
struct Table<const W: usize> {
    entries: Vec<([u64; W], u128)>,
    used: usize,
}

/// The entries of the smallest table.
const FEWEST_ENTRIES: usize = 16;

impl<const W: usize> Table<W> {
    /// Adds `count`, which is not 0, to the count of `state`. `arithmetic` adds the two. Returns whether the sum fits in
    /// 128 bits.
    pub fn add(&mut self, state: [u64; W], count: u128, arithmetic: Arithmetic) -> bool {
        if self.growth() > 0 {
            self.grow();
        }
        let mask = self.entries.len() - 1;
        let mut index = hash_words(&state) as usize & mask;
        loop {
            let (key, sum) = &mut self.entries[index];
            if *sum == 0 {
                *key = state;
                *sum = count;
                self.used += 1;
                return true;
            }
            if *key == state {
                let added = arithmetic.add(*sum, count);
                *sum = added.unwrap_or(*sum);
                return added.is_some();
            }
            index = (index + 1) & mask;
        }
    }

    /// The memory by which the next state makes the table larger.
    pub fn growth(&self) -> usize {
        let is_full = 4 * self.used >= 3 * self.entries.len();
        if is_full {
            self.entries.len().max(FEWEST_ENTRIES) * size_of::<([u64; W], u128)>()
        } else {
            0
        }
    }

    fn grow(&mut self) {
        let larger = (2 * self.entries.len()).max(FEWEST_ENTRIES);
        let entries = std::mem::replace(&mut self.entries, vec![([0; W], 0); larger]);
        self.used = 0;
        for (state, count) in entries.into_iter().filter(|entry| entry.1 > 0) {
            // Each state is there once, so the arithmetic is not used.
            self.add(state, count, Arithmetic::default());
        }
    }

    /// The states and their counts.
    pub fn iter(&self) -> impl Iterator<Item = ([u64; W], u128)> {
        self.entries.iter().filter(|entry| entry.1 > 0).copied()
    }

    /// The memory of the entries.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<([u64; W], u128)>()
    }
}

#[cfg(test)]
mod tests {
    use crate::cover::Cover;
    use crate::{Count, Engine, Settings};

    /// Tilings of a square by V-shaped tiles: a corner and two arms of equal lengths, to the left and upwards. The items are in
    /// the order of the diagonals in which both ends of a tile lie.
    fn vees(n: usize) -> Cover {
        let name = |(x, y): (usize, usize)| format!("{x},{y}");
        let mut cells: Vec<_> = (0..n * n).map(|cell| (cell % n, cell / n)).collect();
        cells.sort_by_key(|&(x, y)| (n + x - y, x));
        let mut cover = Cover::new();
        cover.primary(cells.iter().copied().map(name)).unwrap();
        for (x, y) in cells {
            for arm in 0..n - x.max(y) {
                let left = (0..arm).map(|i| (x + i, y));
                let up = (0..=arm).map(|i| (x + arm, y + i));
                cover.option(left.chain(up).map(name)).unwrap();
            }
        }
        cover
    }

    /// The greedy order is estimated to have fewer states, but has too many for the memory: 12,000 in the given order, and
    /// millions in the greedy one. The count is that of benches/records/tilings/recount.c.
    #[test]
    fn the_better_order_counts_whatever_was_estimated() {
        let settings = Settings::new().engine(Some(Engine::Frontier));
        let count = Count::with(&vees(12), settings).unwrap();
        assert_eq!(count.total(), Ok(3_042_688_701_839_256_277_256));
    }
}
