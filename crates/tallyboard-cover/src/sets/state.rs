//! The sets of options of all items, and the changes that a choice makes.

mod sums;

use super::components::Memory;
use crate::arithmetic::Arithmetic;
use crate::cover::{Cover, Kind, NO_COLOUR};
use sums::Sums;

/// There is no cover with the options chosen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeadEnd;

/// The branches of a node: one for each option of an item. If the item is covered often enough, a last branch chooses no more
/// options of it.
#[derive(Debug)]
pub(crate) struct Branches {
    item: u32,
    options: Vec<u32>,
    may_end: bool,
}

impl Branches {
    pub fn len(&self) -> usize {
        self.options.len() + usize::from(self.may_end)
    }
}

/// A change that backtracking undoes.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// An option was removed from the set of this item.
    Removed(u32),
    /// The bounds of an item were changed from these.
    Bounds { item: u32, low: u32, high: u32 },
    /// The item was closed.
    Closed(u32),
    /// An option was chosen.
    Chosen,
    /// The bounds of the sum with this number were changed. [`Sums`] has those that it had before.
    Sum(u32),
}

/// An item that an option covers.
#[derive(Debug, Clone, Copy)]
struct Part {
    item: u32,
    colour: u32,
    /// The index of this part in [`OptionSets::sets`], among those of the item.
    place: u32,
}

/// What is added to the branches of an item whose sum is bounded: other items come first.
const LAST: u32 = 1 << 31;

/// The state of an item: its set, and how often it is still to be covered.
#[derive(Debug, Clone, Copy)]
struct ItemState {
    /// The index of the first member in [`OptionSets::sets`].
    begin: u32,
    size: u32,
    low: u32,
    high: u32,
    /// What its number of branches has besides its options and its lower bound: 1, or [`LAST`].
    more_branches: u32,
    is_primary: bool,
    /// Whether the item is covered, so that its set is not kept up to date.
    is_closed: bool,
}

/// The sets of the options of each item that can still be chosen, and the options chosen so far.
#[derive(Debug, Clone)]
pub(crate) struct OptionSets {
    items: Vec<ItemState>,
    primaries: Vec<u32>,
    /// The parts of all options, one option after the other.
    parts: Vec<Part>,
    /// The index in `parts` after the last part of each option.
    ends: Vec<u32>,
    /// The option that each part belongs to.
    owners: Vec<u32>,
    /// The sets of all items, one item after the other. The members are indices in `parts`.
    sets: Vec<u32>,
    /// The changes since the root, which [`undo_to`](Self::undo_to) undoes.
    trail: Vec<Change>,
    chosen: Vec<u32>,
    /// Whether at the root each primary item has at least as many options as it needs. Below, a lack is a [`DeadEnd`].
    is_possible: bool,
    /// Lists of options that are not in use, kept for their memory.
    spare: Vec<Vec<u32>>,
    /// For each part, the number of its item and colour; with multiplicities that of its option.
    codes: Vec<u32>,
    has_multiplicities: bool,
    /// How counts are added up.
    arithmetic: Arithmetic,
    /// The items whose sum of weights is bounded; `None` if there are no weights.
    sums: Option<Box<Sums>>,
    /// What counts remember.
    pub(super) memory: Box<Memory>,
}

/// The steps of a removal from a set, which reads and writes four places, if all parts fit into the cache and if not.
const STEPS_OF_A_REMOVAL: [u64; 2] = [2, 6];
/// The most parts that fit: about a megabyte.
const PARTS_IN_CACHE: usize = 1 << 16;
/// Reads of parts, one after the other, that take as long as a removal.
const READS_OF_A_REMOVAL: u64 = 4;
/// Reads of parts until an item is reached, for an average one of many.
const READS_OF_AN_ITEM: u64 = 8;
/// A count while a plan is made comes to a cover if the way takes less.
const STEPS_OF_A_SHORT_WAY: u64 = 1 << 26;
/// Primary items whose sizes are compared in a step.
const ITEMS_OF_A_STEP: u64 = 4;

/// The states of all items, whose sets are empty but have their places, and the number of parts. `usable` tells which options can be
/// chosen.
fn item_states(cover: &Cover, usable: &[bool]) -> (Vec<ItemState>, usize) {
    let mut items: Vec<ItemState> = Vec::with_capacity(cover.items().len());
    for item in cover.items() {
        let (is_primary, low, high, more_branches) = match item.kind() {
            kind if cover.has_weights() && sums::is_sum(kind) => (true, 0, u32::MAX, LAST),
            Kind::Primary { low, high } => (true, low, high, 1),
            Kind::Secondary => (false, 0, 1, 1),
        };
        let (begin, size, is_closed) = (0, 0, false);
        items.push(ItemState { begin, size, low, high, more_branches, is_primary, is_closed });
    }
    for (option, entries) in cover.options().enumerate() {
        if usable[option] {
            entries.iter().for_each(|entry| items[entry.item as usize].size += 1);
        }
    }
    // The sizes give each set its place; `add_part` fills the sets.
    let mut begin = 0;
    for item in &mut items {
        item.begin = begin;
        begin += item.size;
        item.size = 0;
    }
    (items, begin as usize)
}

impl OptionSets {
    /// The state in which nothing is chosen; `None` if the cover has more entries than 32 bits can number.
    pub fn new(cover: &Cover) -> Option<Self> {
        u32::try_from(cover.entry_count()).ok()?;
        let usable: Vec<bool> = (0..cover.len()).map(|option| cover.can_choose(option)).collect();
        let (items, part_count) = item_states(cover, &usable);
        let mut sets = Self {
            primaries: (0..items.len() as u32)
                .filter(|&item| items[item as usize].is_primary)
                .collect(),
            items,
            parts: Vec::with_capacity(part_count),
            ends: Vec::with_capacity(cover.len()),
            owners: Vec::with_capacity(part_count),
            sets: vec![0; part_count],
            trail: Vec::new(),
            chosen: Vec::new(),
            is_possible: true,
            spare: Vec::new(),
            codes: Vec::new(),
            has_multiplicities: cover.has_multiplicities() || cover.has_weights(),
            arithmetic: Arithmetic::default(),
            sums: None,
            memory: Box::default(),
        };
        for (option, entries) in cover.options().enumerate() {
            if usable[option] {
                entries
                    .iter()
                    .for_each(|entry| sets.add_part(option as u32, entry.item, entry.colour));
            }
            sets.ends.push(sets.parts.len() as u32);
        }
        sets.is_possible = sets.items.iter().all(|item| item.size >= item.low);
        if cover.has_weights() {
            sets.sums = Some(Sums::new(cover, &sets).into());
            sets.is_possible &= sets.settle().is_ok();
            // What cannot be chosen at the root is never chosen.
            sets.trail.clear();
            sets.sums.as_mut().expect("they are there").forget_changes();
        }
        sets.number_codes();
        Some(sets)
    }

    /// The same state, whose counts are added up in this way.
    pub fn counting(self, arithmetic: Arithmetic) -> Self {
        Self { arithmetic, ..self }
    }

    /// Numbers the codes in the order of the items, so that the codes of neighbouring items are near each other.
    fn number_codes(&mut self) {
        if self.has_multiplicities {
            self.codes = self.owners.clone();
            return;
        }
        let mut pairs: Vec<(u32, u32)> =
            self.parts.iter().map(|part| (part.item, part.colour)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let code = |part: &Part| {
            let found = pairs.binary_search(&(part.item, part.colour));
            found.expect("it is one of the pairs") as u32
        };
        self.codes = self.parts.iter().map(code).collect();
    }

    fn add_part(&mut self, option: u32, item: u32, colour: u32) {
        let state = &mut self.items[item as usize];
        let place = state.begin + state.size;
        state.size += 1;
        self.sets[place as usize] = self.parts.len() as u32;
        self.parts.push(Part { item, colour, place });
        self.owners.push(option);
    }

    /// An estimate of the memory of a worker, in bytes.
    pub fn memory(&self) -> u64 {
        const NUMBER: usize = size_of::<u32>();
        // An estimate: a change for each part and each option, and two for each item. Items that are covered several times take more.
        let changes = self.parts.len() + self.ends.len() + 2 * self.items.len();
        let of_items = self.items.len() * (size_of::<ItemState>() + NUMBER);
        let of_options = self.ends.len() * NUMBER;
        let of_parts = self.parts.len() * (size_of::<Part>() + 3 * NUMBER);
        let lists = of_items + of_options + of_parts + changes * size_of::<Change>();
        (lists + super::components::MOST_BYTES) as u64
    }

    /// About the number of options of a cover, at least 1.
    fn depth(&self) -> u64 {
        (self.primaries.len() as u64 / self.parts_of_one()).max(1)
    }

    /// The parts of an average option, at least 1.
    fn parts_of_one(&self) -> u64 {
        (self.parts.len() / self.ends.len().max(1)).max(1) as u64
    }

    fn steps_of_a_removal(&self) -> u64 {
        STEPS_OF_A_REMOVAL[usize::from(self.parts.len() > PARTS_IN_CACHE)]
    }

    /// An estimate of the steps from the root to a cover, which removes each option from all sets, and at each node looks at the
    /// sizes of the primary items.
    pub fn steps_of_a_descent(&self) -> u64 {
        let comparisons = self.primaries.len() as u64 * self.depth();
        self.steps_of_a_removal() * self.parts.len() as u64 + comparisons / ITEMS_OF_A_STEP
    }

    /// An estimate of the steps of a node of a count. To find components, a node reads the parts of all live options, or where all
    /// items are primary those of so many options that they have all items. On the way to a cover, a choice removes one in so many
    /// options as the square of
    /// [`parts_of_one`](Self::parts_of_one) is of all items. This is an average over that way, if it is short enough to be gone.
    pub fn steps_of_a_node(&self) -> u64 {
        let (parts, of_one) = (self.parts.len() as u64, self.parts_of_one());
        let reach = READS_OF_AN_ITEM * self.primaries.len() as u64;
        let reads = if self.is_plain() { reach.min(2 * parts) } else { 2 * parts };
        let at_root = self.steps_of_a_removal() * reads / READS_OF_A_REMOVAL;
        let levels = (1 + self.primaries.len() as u64 / (of_one * of_one)).min(self.depth());
        let is_short = at_root.saturating_mul(levels) < STEPS_OF_A_SHORT_WAY;
        let search = if is_short { at_root * levels / self.depth() } else { at_root };
        self.steps_of_a_descent() / self.depth() + search
    }

    pub fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// The options chosen so far.
    pub fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// The length of the trail, to which [`undo_to`](Self::undo_to) can go back.
    pub fn trail(&self) -> usize {
        self.trail.len()
    }

    /// The branches of the item with the fewest; `None` if every item is covered and no option can be chosen.
    pub fn branches(&mut self) -> Option<Branches> {
        let item = self.item_with_fewest_branches(&self.primaries)?;
        Some(self.branches_of(item))
    }

    /// [`branches`](Self::branches) among some primary items.
    pub fn branches_among(&mut self, items: &[u32]) -> Option<Branches> {
        let item = self.item_with_fewest_branches(items)?;
        Some(self.branches_of(item))
    }

    /// The only branch of one of the items that have a single one.
    pub fn forced_among(&mut self, items: &[u32]) -> Option<Branches> {
        let is_forced = |&&item: &&u32| self.is_open(item) && self.branch_count(item) == 1;
        let item = *items.iter().find(is_forced)?;
        Some(self.branches_of(item))
    }

    /// The number of branches of an open item. A branch drops the options of the branches before it. If `low` options are needed,
    /// the last `low - 1` branches have too few left: they end at once and are not counted here. An item that needs none has one
    /// more branch, in which no option is chosen.
    fn branch_count(&self, item: u32) -> u32 {
        let state = &self.items[item as usize];
        state.size - state.low + state.more_branches
    }

    fn item_with_fewest_branches(&self, items: &[u32]) -> Option<u32> {
        let mut fewest = u32::MAX;
        let mut best_item = None;
        for &item in items.iter().filter(|&&item| self.is_open(item)) {
            let branches = self.branch_count(item);
            if branches < fewest {
                fewest = branches;
                best_item = Some(item);
                if fewest == 1 {
                    break;
                }
            }
        }
        best_item
    }

    fn branches_of(&mut self, item: u32) -> Branches {
        let mut options = self.spare.pop().unwrap_or_default();
        options.clear();
        options.extend(self.live_options(item));
        // The order in the set depends on earlier branches. Sorted, the order of branches depends on the node alone.
        options.sort_unstable();
        let may_end = match &self.sums {
            Some(sums) if self.items[item as usize].more_branches == LAST => {
                sums.bounds(item).0 == 0
            }
            _ => self.items[item as usize].low == 0,
        };
        Branches { item, options, may_end }
    }

    /// How counts are added up.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    pub fn item_count(&self) -> usize {
        self.items.len()
    }

    pub fn option_count(&self) -> usize {
        self.ends.len()
    }

    /// Whether all items are primary and none is covered several times.
    pub fn is_plain(&self) -> bool {
        !self.has_multiplicities && self.primaries.len() == self.items.len()
    }

    pub fn is_primary(&self, item: u32) -> bool {
        self.items[item as usize].is_primary
    }

    /// Whether there are items with weights.
    pub fn has_sums(&self) -> bool {
        self.sums.is_some()
    }

    /// Whether some option of the item can still be chosen for it.
    pub fn is_open(&self, item: u32) -> bool {
        let state = &self.items[item as usize];
        !state.is_closed && state.size > 0
    }

    /// The primary items that are open.
    pub fn open_items(&self) -> Vec<u32> {
        self.primaries.iter().copied().filter(|&item| self.is_open(item)).collect()
    }

    /// Whether the item is covered, so that no choice is left for it.
    pub fn is_closed(&self, item: u32) -> bool {
        self.items[item as usize].is_closed
    }

    /// The options of an item that is not closed which can still be chosen.
    pub fn live_options(&self, item: u32) -> impl Iterator<Item = u32> {
        self.members(item).iter().map(|&part| self.owners[part as usize])
    }

    /// The set of an item: the indices of its parts.
    fn members(&self, item: u32) -> &[u32] {
        let state = &self.items[item as usize];
        &self.sets[state.begin as usize..(state.begin + state.size) as usize]
    }

    /// Whether these options, which ascend, are the chosen ones and others that can still be chosen.
    pub fn leaves(&self, options: &[u32]) -> bool {
        self.chosen.iter().all(|option| options.binary_search(option).is_ok())
            && options
                .iter()
                .filter(|option| !self.chosen.contains(option))
                .all(|&option| self.is_live(option))
    }

    /// Whether an option that is not chosen can still be chosen.
    fn is_live(&self, option: u32) -> bool {
        self.parts_of(option).all(|part| {
            let Part { item, place, .. } = self.parts[part];
            let state = &self.items[item as usize];
            state.is_closed || place < state.begin + state.size
        })
    }

    /// The items of an option, each with the code of its part.
    pub fn items_and_codes(&self, option: u32) -> impl Iterator<Item = (u32, u32)> {
        let parts = self.parts_of(option);
        let codes = &self.codes[parts.clone()];
        self.parts[parts].iter().zip(codes).map(|(part, &code)| (part.item, code))
    }

    /// With multiplicities, appends the bounds of these items, which ascend, to a key.
    pub fn push_bounds(&self, items: &[u32], key: &mut Vec<u64>) {
        if !self.has_multiplicities {
            return;
        }
        for &item in items {
            let state = &self.items[item as usize];
            match &self.sums {
                Some(sums) if state.more_branches == LAST => {
                    let (low, high) = sums.bounds(item);
                    key.extend([u64::from(item), low, high]);
                }
                Some(_) => {}
                None => {
                    key.extend([
                        u64::from(item),
                        u64::from(state.low) << 32 | u64::from(state.high),
                    ]);
                }
            }
        }
    }

    /// Keeps the memory of branches for later ones.
    pub fn recycle(&mut self, branches: Option<Branches>) {
        self.spare.extend(branches.map(|branches| branches.options));
    }

    /// Takes the branch with this number.
    pub fn take(&mut self, branches: &Branches, number: usize) -> Result<(), DeadEnd> {
        match branches.options.get(number) {
            Some(&option) => self.choose(option)?,
            None => self.close(branches.item)?,
        }
        self.settle()
    }

    /// Removes the option of the branch with this number, which was undone last, so that the later branches of an item that is
    /// covered several times do not choose it again.
    pub fn drop_taken(&mut self, branches: &Branches, number: usize) -> Result<(), DeadEnd> {
        // An item that is covered once excludes the option by itself.
        if self.items[branches.item as usize].high == 1 {
            return Ok(());
        }
        self.remove(branches.options[number])?;
        self.settle()
    }

    /// Goes to the child with this number, as a walk would. Returns whether there may be covers below.
    pub fn go_to(&mut self, branches: &Branches, number: usize) -> bool {
        (0..number).all(|earlier| self.drop_taken(branches, earlier).is_ok())
            && self.take(branches, number).is_ok()
    }

    /// Follows a path down from the root. Returns whether there may be covers below.
    pub fn follow(&mut self, path: &[u32]) -> bool {
        for &number in path {
            let Some(branches) = self.branches() else { return false };
            let is_possible = self.go_to(&branches, number as usize);
            self.recycle(Some(branches));
            if !is_possible {
                return false;
            }
        }
        self.is_possible
    }

    /// Chooses an option that is in the sets of its items.
    fn choose(&mut self, option: u32) -> Result<(), DeadEnd> {
        self.trail.push(Change::Chosen);
        self.chosen.push(option);
        // The bounds change first: an item that this option covers needs one option less, before the option is removed.
        let parts = self.parts_of(option);
        for part in parts.clone() {
            let item = self.parts[part].item;
            let state = &mut self.items[item as usize];
            if state.is_primary {
                self.trail.push(Change::Bounds { item, low: state.low, high: state.high });
                state.low = state.low.saturating_sub(1);
                state.high -= 1;
            }
        }
        self.remove(option)?;
        for part in parts {
            let Part { item, colour, .. } = self.parts[part];
            let state = self.items[item as usize];
            if state.is_closed {
                continue;
            }
            if state.is_primary {
                if state.high == 0 {
                    self.close(item)?;
                }
            } else if colour == NO_COLOUR {
                self.close(item)?;
            } else {
                self.purify(item, colour)?;
            }
        }
        self.add_to_sums(option);
        Ok(())
    }

    /// The indices in `parts` of the parts of an option.
    fn parts_of(&self, option: u32) -> std::ops::Range<usize> {
        let begin = if option == 0 { 0 } else { self.ends[option as usize - 1] };
        begin as usize..self.ends[option as usize] as usize
    }

    /// Covers `item`: removes all options of it.
    fn close(&mut self, item: u32) -> Result<(), DeadEnd> {
        self.mark_closed(item);
        let state = self.items[item as usize];
        // `remove` leaves the set of a closed item as it is.
        for place in state.begin..state.begin + state.size {
            let option = self.owners[self.sets[place as usize] as usize];
            self.remove(option)?;
        }
        Ok(())
    }

    /// Covers `item` with a colour: removes the options that give it another colour or none.
    fn purify(&mut self, item: u32, colour: u32) -> Result<(), DeadEnd> {
        self.mark_closed(item);
        let state = self.items[item as usize];
        for place in state.begin..state.begin + state.size {
            let part = self.sets[place as usize] as usize;
            if self.parts[part].colour != colour {
                self.remove(self.owners[part])?;
            }
        }
        Ok(())
    }

    fn mark_closed(&mut self, item: u32) {
        self.items[item as usize].is_closed = true;
        self.trail.push(Change::Closed(item));
    }

    /// Removes an option from the sets of its items that are not closed, so that it cannot be chosen any more.
    fn remove(&mut self, option: u32) -> Result<(), DeadEnd> {
        let mut result = Ok(());
        for part in self.parts_of(option) {
            let Part { item, place, .. } = self.parts[part];
            let state = &mut self.items[item as usize];
            if state.is_closed {
                continue;
            }
            state.size -= 1;
            let last = state.begin + state.size;
            if state.size < state.low {
                // The other sets still change, so that each option is in all of its sets or in none.
                result = Err(DeadEnd);
            }
            let moved = self.sets[last as usize];
            self.sets[last as usize] = part as u32;
            self.sets[place as usize] = moved;
            self.parts[moved as usize].place = place;
            self.parts[part].place = last;
            self.trail.push(Change::Removed(item));
        }
        result
    }

    /// Backtracks to the state in which the trail had this length.
    pub fn undo_to(&mut self, length: usize) {
        while self.trail.len() > length {
            match self.trail.pop() {
                Some(Change::Removed(item)) => self.items[item as usize].size += 1,
                Some(Change::Bounds { item, low, high }) => {
                    self.items[item as usize].low = low;
                    self.items[item as usize].high = high;
                }
                Some(Change::Closed(item)) => self.items[item as usize].is_closed = false,
                Some(Change::Sum(sum)) => {
                    self.sums.as_mut().expect("a sum was changed").undo(sum);
                }
                Some(Change::Chosen) => {
                    self.chosen.pop();
                }
                None => {}
            }
        }
        if let Some(sums) = &mut self.sums {
            sums.settled = sums.settled.min(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dominoes of a board with so many rows and columns.
    fn dominoes(rows: usize, columns: usize) -> Cover {
        let name = |row: usize, column: usize| format!("{row},{column}");
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let mut cover = Cover::new();
        cover.primary(cells.clone().map(|(row, column)| name(row, column))).unwrap();
        for (row, column) in cells {
            for (down, right) in [(row, column + 1), (row + 1, column)] {
                if down < rows && right < columns {
                    cover.option([name(row, column), name(down, right)]).unwrap();
                }
            }
        }
        cover
    }

    /// The bytes of all lists of a worker, but for what it remembers, and of the most changes on a way to a cover.
    fn held(sets: &mut OptionSets) -> usize {
        fn bytes<T>(list: &[T]) -> usize {
            size_of_val(list)
        }
        let mut most = 0;
        while let Some(branches) = sets.branches() {
            if !sets.go_to(&branches, 0) {
                break;
            }
            most = most.max(bytes(&sets.trail));
        }
        let lists = [
            bytes(&sets.items),
            bytes(&sets.primaries),
            bytes(&sets.parts),
            bytes(&sets.ends),
            bytes(&sets.owners),
            bytes(&sets.sets),
            bytes(&sets.codes),
        ];
        sets.undo_to(0);
        lists.iter().sum::<usize>() + most
    }

    /// What a worker states are its lists and the most that it may remember.
    #[test]
    fn a_worker_states_what_it_holds() {
        for (rows, columns) in [(1, 2), (6, 6), (20, 30)] {
            let cover = dominoes(rows, columns);
            let mut sets = OptionSets::new(&cover).unwrap();
            let stated = sets.memory();
            let remembered = super::super::components::MOST_BYTES as u64;
            let (of_lists, held) = (stated - remembered, held(&mut sets) as u64);
            assert!(
                held <= of_lists && of_lists <= 2 * held,
                "{rows} × {columns}: {held}, {of_lists}"
            );
        }
    }
}
