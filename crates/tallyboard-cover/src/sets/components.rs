//! The count below a state of the sets, by components: items that no live option connects are counted apart, and the counts are
//! multiplied.
//!
//! ```text
//! count(items):
//!     if the memo has a count for the live options of the items, return it
//!     item = the open one of them with the fewest branches
//!     sum = 0
//!     for branch of item:
//!         take the branch, and then each branch that is the only one of its item
//!         sum += the product of count(component) over the components of the items that are still open
//!         backtrack
//!     return sum
//! ```
//!
//! The key of a component is the union of its live options: a bit for each pair of an item and a colour. An option whose
//! pairs are all in the union is live, because every removal of an option also closes one of its items or one of its colours.
//!
//! With multiplicities an option is also dropped behind its own branch, and with weights it is removed if a sum does not admit it. Then
//! the union does not tell which options are live. The key is the set of live options then, with the bounds of their items.
//!
//! A search for components makes their keys, too. It reads each live option once. Where all items are primary it ends as soon as it
//! has reached all of them: each item that it reached is in the union then, and options have nothing else. So it reads few of many
//! options.
//!
//! Looking for components still takes longer than a node of a plain walk. So its use is measured, as that of the memo of masks is:
//! it pauses where it saves nothing, each time twice as long. Where sums are bounded a node takes so long that there is no pause.

use std::collections::HashMap;

use tallyboard_search::{Halt, NodeBudget};

use super::{Branches, OptionSets};
use crate::arithmetic::Arithmetic;

/// A number of covers; `None` if it does not fit in 128 bits, which is an error only if no factor is 0.
type Total = Option<u128>;

/// What is remembered from one subtree to the next one.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// For each key, its number of covers and the nodes that were visited for it.
    counts: HashMap<Box<[u64]>, (Total, u64)>,
    /// The memory of the keys, in bytes.
    bytes: usize,
    /// For each number of items of a component, the use of looking for components.
    levels: Vec<Level>,
    search: Search,
}

/// The memory of the searches for components.
#[derive(Debug, Default)]
struct Search {
    /// The number of the last search.
    round: u32,
    /// The number of the last search that reached each item.
    items: Vec<u32>,
    options: Vec<u32>,
    /// The items that were reached and whose options are not read yet.
    reached: Vec<u32>,
    /// The bits of the key that is being made: all 0 between two keys.
    union: Vec<u64>,
}

/// Open primary items that live options connect, and the key of their count; without one if looking for components pauses.
struct Component {
    items: Vec<u32>,
    key: Option<Box<[u64]>>,
}

/// A copy of the sets, for another worker, begins without counts.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The most memory of the keys. When they need more, all counts are forgotten.
pub(crate) const MOST_BYTES: usize = 256 << 20;
/// The memory that an entry of the memo takes besides the words of its key.
const BYTES_OF_AN_ENTRY: usize = 96;
/// Searches for components between two measurements.
const TRIES: u32 = 64;
/// The nodes that a search has to save on average.
const NODES_PER_TRY: u64 = 2;
/// The length of the first pause, in searches that are skipped.
const FIRST_PAUSE: u32 = 1 << 8;
/// Pauses do not get longer than this.
const LONGEST_PAUSE: u32 = 1 << 16;

/// The use of looking for components at nodes with one number of open items.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// The searches since the last measurement.
    tries: u32,
    /// The nodes that they saved.
    saved_nodes: u64,
    /// The searches that are still to be skipped.
    pause: u32,
    /// The length of the next pause.
    next_pause: u32,
}

impl Default for Level {
    fn default() -> Self {
        Self { tries: 0, saved_nodes: 0, pause: 0, next_pause: FIRST_PAUSE }
    }
}

impl Level {
    /// Whether this search is to be skipped.
    fn skips(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return true;
        }
        self.tries += 1;
        if self.tries == TRIES {
            if self.saved_nodes < u64::from(TRIES) * NODES_PER_TRY {
                self.pause = self.next_pause;
                self.next_pause = (2 * self.next_pause).min(LONGEST_PAUSE);
            } else {
                self.next_pause = FIRST_PAUSE;
            }
            self.tries = 0;
            self.saved_nodes = 0;
        }
        false
    }
}

/// A component whose branches are being taken.
struct Frame {
    /// Its open primary items.
    items: Vec<u32>,
    /// The key under which its count will be remembered.
    key: Option<Box<[u64]>>,
    branches: Branches,
    /// The number of the next branch.
    next: usize,
    /// The covers of the branches before.
    sum: Total,
    /// The covers of those components of the current branch that are counted.
    product: Total,
    /// The components of the current branch that are left.
    left: Vec<Component>,
    /// The length of the trail at the node itself.
    trail_of_node: usize,
    /// The length of the trail before the current branch.
    trail_of_branch: usize,
    /// The nodes visited up to this one.
    nodes: u64,
}

/// The number of covers below the current state, as the arithmetic of the sets has it.
///
/// # Errors
/// [`Halt`] if the count was stopped, took more nodes than it may or does not fit in 128 bits.
pub(crate) fn count(sets: &mut OptionSets, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
    budget.count_node()?;
    if !sets.is_possible() {
        return Ok(0);
    }
    let mut memory = std::mem::take(&mut sets.memory);
    memory.search.items.resize(sets.item_count(), 0);
    memory.search.options.resize(sets.option_count(), 0);
    let found = Counter { sets, budget, memory: &mut memory, frames: Vec::new() }.run();
    sets.memory = memory;
    found?.ok_or(Halt::Overflow)
}

struct Counter<'a, 'b> {
    sets: &'a mut OptionSets,
    budget: &'a mut NodeBudget<'b>,
    memory: &'a mut Memory,
    frames: Vec<Frame>,
}

impl Counter<'_, '_> {
    fn run(&mut self) -> Result<Total, Halt> {
        let arithmetic = self.sets.arithmetic();
        let root = self.sets.open_items();
        let mut product = Some(1);
        for component in self.components(&root) {
            let found = self.count_component(component)?;
            product = multiply(arithmetic, product, found);
            if product == Some(0) {
                break;
            }
        }
        Ok(product)
    }

    /// The covers of a component of the current state.
    fn count_component(&mut self, component: Component) -> Result<Total, Halt> {
        let arithmetic = self.sets.arithmetic();
        let mut finished = self.enter(component);
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Ok(finished.expect("a count without frames is finished"));
            };
            if let Some(found) = finished.take() {
                frame.product = multiply(arithmetic, frame.product, found);
            }
            if frame.product != Some(0)
                && let Some(component) = frame.left.pop()
            {
                finished = self.enter(component);
                continue;
            }
            frame.sum = add(arithmetic, frame.sum, frame.product);
            frame.product = Some(0);
            frame.left.clear();
            self.sets.undo_to(frame.trail_of_branch);
            if frame.next < frame.branches.len() {
                self.take_next_branch()?;
            } else {
                finished = Some(self.close_frame());
            }
        }
    }

    /// The count of a component that the memo has or that has no branches; otherwise `None`, and a frame is opened.
    fn enter(&mut self, component: Component) -> Option<Total> {
        let Component { items, mut key } = component;
        if !self.sets.has_sums() && self.level(items.len()).skips() {
            key = None;
        }
        if let Some(key) = &key
            && let Some(&(count, nodes)) = self.memory.counts.get(key)
        {
            self.level(items.len()).saved_nodes += nodes;
            return Some(count);
        }
        let Some(branches) = self.sets.branches_among(&items) else { return Some(Some(1)) };
        let trail = self.sets.trail();
        self.frames.push(Frame {
            items,
            key,
            branches,
            next: 0,
            sum: Some(0),
            product: Some(0),
            left: Vec::new(),
            trail_of_node: trail,
            trail_of_branch: trail,
            nodes: self.budget.nodes(),
        });
        None
    }

    /// Takes the next branch of the last frame, and finds the components that it leaves.
    fn take_next_branch(&mut self) -> Result<(), Halt> {
        let mut frame = self.frames.pop().expect("the caller looked at it");
        let number = frame.next;
        frame.next += 1;
        if number > 0 && self.sets.drop_taken(&frame.branches, number - 1).is_err() {
            // Too few options are left for the item, and no later branch has more.
            frame.next = frame.branches.len();
            frame.trail_of_branch = self.sets.trail();
            self.frames.push(frame);
            return Ok(());
        }
        frame.trail_of_branch = self.sets.trail();
        self.budget.count_node()?;
        if self.sets.take(&frame.branches, number).is_ok() && self.take_forced(&frame.items)? {
            frame.product = Some(1);
            frame.left = self.components(&frame.items);
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Takes the only branch of items that have one, until each has several. Returns whether that led to no dead end.
    fn take_forced(&mut self, items: &[u32]) -> Result<bool, Halt> {
        while let Some(forced) = self.sets.forced_among(items) {
            self.budget.count_node()?;
            let is_alive = self.sets.take(&forced, 0).is_ok();
            self.sets.recycle(Some(forced));
            if !is_alive {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn close_frame(&mut self) -> Total {
        let frame = self.frames.pop().expect("the caller looked at it");
        self.sets.undo_to(frame.trail_of_node);
        self.sets.recycle(Some(frame.branches));
        if let Some(key) = frame.key {
            let bytes = size_of_val(&*key) + BYTES_OF_AN_ENTRY;
            self.memory.bytes += bytes;
            if self.memory.bytes > MOST_BYTES {
                self.memory.counts.clear();
                self.memory.bytes = bytes;
            }
            let nodes = self.budget.nodes() - frame.nodes + 1;
            self.memory.counts.insert(key, (frame.sum, nodes));
        }
        frame.sum
    }

    /// The use of looking for components at nodes with so many open items.
    fn level(&mut self, items: usize) -> &mut Level {
        let levels = &mut self.memory.levels;
        if levels.len() <= items {
            levels.resize(items + 1, Level::default());
        }
        &mut levels[items]
    }

    /// The components of these items, as far as they are open, the one with the fewest items last. If looking for components
    /// pauses, all are one.
    fn components(&mut self, items: &[u32]) -> Vec<Component> {
        let open: Vec<u32> =
            items.iter().copied().filter(|&item| self.sets.is_open(item)).collect();
        if open.is_empty() {
            return Vec::new();
        }
        if self.level(open.len()).pause > 0 {
            return vec![Component { items: open, key: None }];
        }
        let search = &mut self.memory.search;
        search.begin();
        let mut left = open.len();
        let mut components = Vec::new();
        for &first in open.iter().rev() {
            if search.items[first as usize] != search.round {
                let component = search.component(self.sets, first, left);
                left -= component.items.len();
                components.push(component);
            }
        }
        if components.len() > 1 {
            // Counted apart, each component costs its own nodes and not those of all the others below each of its covers.
            self.level(open.len()).saved_nodes += components.len() as u64;
            components.sort_by_key(|component| std::cmp::Reverse(component.items.len()));
        }
        components
    }
}

impl Search {
    fn begin(&mut self) {
        if self.round == u32::MAX {
            self.items.fill(0);
            self.options.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// The component of an item, which this search has not reached, among `left` open primary items that it has not reached.
    fn component(&mut self, sets: &OptionSets, first: u32, left: usize) -> Component {
        let round = self.round;
        let (mut begin, mut end) = (usize::MAX, 0);
        let mut items = vec![first];
        self.items[first as usize] = round;
        self.reached.clear();
        self.reached.push(first);
        'search: while let Some(item) = self.reached.pop() {
            for option in sets.live_options(item) {
                let mark = &mut self.options[option as usize];
                if *mark == round {
                    continue;
                }
                *mark = round;
                for (item, code) in sets.items_and_codes(option) {
                    let word = code as usize / 64;
                    if self.union.len() <= word {
                        self.union.resize(word + 1, 0);
                    }
                    self.union[word] |= 1 << (code % 64);
                    begin = begin.min(word);
                    end = end.max(word + 1);
                    if self.items[item as usize] == round || sets.is_closed(item) {
                        continue;
                    }
                    self.items[item as usize] = round;
                    self.reached.push(item);
                    if sets.is_primary(item) {
                        items.push(item);
                    }
                }
                if items.len() == left && sets.is_plain() {
                    break 'search;
                }
            }
        }
        items.sort_unstable();
        let mut key = Vec::with_capacity(1 + end - begin);
        key.push((begin as u64) << 32 | end as u64);
        key.extend_from_slice(&self.union[begin..end]);
        self.union[begin..end].fill(0);
        sets.push_bounds(&items, &mut key);
        Component { items, key: Some(key.into_boxed_slice()) }
    }
}

fn add(arithmetic: Arithmetic, a: Total, b: Total) -> Total {
    arithmetic.add(a?, b?)
}

fn multiply(arithmetic: Arithmetic, a: Total, b: Total) -> Total {
    if a == Some(0) || b == Some(0) {
        return Some(0);
    }
    arithmetic.multiply(a?, b?)
}
