//! The sets of options of all items, and how choices change them.

use crate::cover::Cover;
use crate::item::{Kind, NO_COLOUR};

/// No more options can be chosen that would make a cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeadEnd;

/// The branches of a node: an option of the item each, and one without any more, if the item is covered often
/// enough.
#[derive(Debug)]
pub(crate) struct Branch {
    item: u32,
    options: Vec<u32>,
    may_end: bool,
}

impl Branch {
    pub fn len(&self) -> usize {
        self.options.len() + usize::from(self.may_end)
    }
}

/// A change that going back undoes.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// An option left the set of this item.
    Left(u32),
    /// The item had these bounds.
    Bounds { item: u32, low: u32, high: u32 },
    /// The item was closed.
    Closed(u32),
    /// An option was chosen.
    Chosen,
}

/// An option's part in an item: where the item's set holds it.
#[derive(Debug, Clone, Copy)]
struct Part {
    item: u32,
    colour: u32,
    /// The place in the item's set.
    place: u32,
}

/// An item: its set, which begins at `begin`, and how often it is still to be covered.
#[derive(Debug, Clone, Copy)]
struct State {
    begin: u32,
    size: u32,
    low: u32,
    high: u32,
    is_primary: bool,
    /// Whether changes of the set no longer matter: the item is covered.
    is_closed: bool,
}

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    items: Vec<State>,
    primaries: Vec<u32>,
    parts: Vec<Part>,
    /// Where the parts of each option end.
    ends: Vec<u32>,
    /// The option that each part belongs to.
    owners: Vec<u32>,
    /// The sets: numbers of parts.
    sets: Vec<u32>,
    trail: Vec<Change>,
    chosen: Vec<u32>,
    /// Whether each primary item that no option covers needs none.
    is_possible: bool,
    spare: Vec<Vec<u32>>,
}

impl Clone for Branch {
    fn clone(&self) -> Self {
        Self { item: self.item, options: self.options.clone(), may_end: self.may_end }
    }
}

impl Cells {
    /// The state in which nothing is chosen; `None` if the cover has more entries than 32 bits can number.
    pub fn new(cover: &Cover) -> Option<Self> {
        u32::try_from(cover.entry_count()).ok()?;
        let mut items: Vec<State> =
            cover.items().iter().map(|item| State::new(item.kind())).collect();
        let usable: Vec<bool> = (0..cover.len()).map(|option| cover.can_choose(option)).collect();
        for (option, entries) in cover.options().enumerate() {
            if usable[option] {
                entries.iter().for_each(|entry| items[entry.item as usize].size += 1);
            }
        }
        let mut begin = 0;
        for item in &mut items {
            item.begin = begin;
            begin += item.size;
            item.size = 0;
        }
        let mut cells = Self {
            primaries: (0..items.len() as u32)
                .filter(|&item| items[item as usize].is_primary)
                .collect(),
            items,
            parts: Vec::with_capacity(begin as usize),
            ends: Vec::with_capacity(cover.len()),
            owners: Vec::with_capacity(begin as usize),
            sets: vec![0; begin as usize],
            trail: Vec::new(),
            chosen: Vec::new(),
            is_possible: true,
            spare: Vec::new(),
        };
        for (option, entries) in cover.options().enumerate() {
            if usable[option] {
                entries
                    .iter()
                    .for_each(|entry| cells.add_part(option as u32, entry.item, entry.colour));
            }
            cells.ends.push(cells.parts.len() as u32);
        }
        cells.is_possible = cells.items.iter().all(|item| item.size >= item.low);
        Some(cells)
    }

    fn add_part(&mut self, option: u32, item: u32, colour: u32) {
        let state = &mut self.items[item as usize];
        let place = state.begin + state.size;
        state.size += 1;
        self.sets[place as usize] = self.parts.len() as u32;
        self.parts.push(Part { item, colour, place });
        self.owners.push(option);
    }

    /// About the memory of a worker, in bytes.
    pub fn memory(&self) -> u64 {
        // The trail holds a change for each part at most, and two for each item.
        let changes = self.parts.len() + 2 * self.items.len();
        (self.parts.len() * (size_of::<Part>() + 8) + changes * size_of::<Change>()) as u64
    }

    pub fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// The options chosen so far.
    pub fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    pub fn trail(&self) -> usize {
        self.trail.len()
    }

    /// The branches at this state; `None` if every item is covered and no option can be chosen any more.
    pub fn branch(&mut self) -> Option<Branch> {
        let mut best = u32::MAX;
        let mut best_item = None;
        for &item in &self.primaries {
            let state = &self.items[item as usize];
            if state.is_closed || state.size == 0 {
                continue;
            }
            let branches = if state.low == 0 { state.size + 1 } else { state.size - state.low + 1 };
            if branches < best {
                best = branches;
                best_item = Some(item);
                if best == 1 {
                    break;
                }
            }
        }
        let item = best_item?;
        let state = self.items[item as usize];
        let mut options = self.spare.pop().unwrap_or_default();
        options.clear();
        let set = &self.sets[state.begin as usize..(state.begin + state.size) as usize];
        options.extend(set.iter().map(|&part| self.owners[part as usize]));
        // The order of the set depends on what happened before; that of the numbers does not.
        options.sort_unstable();
        Some(Branch { item, options, may_end: state.low == 0 })
    }

    /// Keeps the memory of a branch for another one.
    pub fn recycle(&mut self, branch: Option<Branch>) {
        self.spare.extend(branch.map(|branch| branch.options));
    }

    /// Takes the branch with this number.
    pub fn take(&mut self, branch: &Branch, number: usize) -> Result<(), DeadEnd> {
        match branch.options.get(number) {
            Some(&option) => self.choose(option),
            None => self.close(branch.item),
        }
    }

    /// Before the branch after `number` is taken: an item that is covered several times is covered by the
    /// options of later branches only.
    pub fn drop_earlier(&mut self, branch: &Branch, number: usize) -> Result<(), DeadEnd> {
        if self.items[branch.item as usize].high == 1 {
            return Ok(());
        }
        self.remove(branch.options[number])
    }

    /// Goes to the child with this number, as a walk would. Returns whether there may be covers below.
    pub fn go_to(&mut self, branch: &Branch, number: usize) -> bool {
        let dropped = (0..number).all(|earlier| self.drop_earlier(branch, earlier).is_ok());
        dropped && self.take(branch, number).is_ok()
    }

    /// Follows a path down from the root. Returns whether there may be covers below.
    pub fn follow(&mut self, path: &[u32]) -> bool {
        for &number in path {
            let Some(branch) = self.branch() else { return false };
            let is_possible = self.go_to(&branch, number as usize);
            self.recycle(Some(branch));
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
        // First the bounds: an item is not short of options if this one covers it.
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
        Ok(())
    }

    fn parts_of(&self, option: u32) -> std::ops::Range<usize> {
        let begin = if option == 0 { 0 } else { self.ends[option as usize - 1] };
        begin as usize..self.ends[option as usize] as usize
    }

    /// Drops all options of `item`.
    fn close(&mut self, item: u32) -> Result<(), DeadEnd> {
        self.mark_closed(item);
        let state = self.items[item as usize];
        for place in state.begin..state.begin + state.size {
            let option = self.owners[self.sets[place as usize] as usize];
            self.remove(option)?;
        }
        Ok(())
    }

    /// Drops the options that give `item` another colour or none.
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

    /// Takes an option out of the sets of its items that are open, so that it cannot be chosen any more.
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
                // The other sets are still changed, so that an option is in all of its sets or in none.
                result = Err(DeadEnd);
            }
            let moved = self.sets[last as usize];
            self.sets[last as usize] = part as u32;
            self.sets[place as usize] = moved;
            self.parts[moved as usize].place = place;
            self.parts[part].place = last;
            self.trail.push(Change::Left(item));
        }
        result
    }

    /// Goes back to the state in which the trail had this length.
    pub fn undo_to(&mut self, length: usize) {
        while self.trail.len() > length {
            match self.trail.pop() {
                Some(Change::Left(item)) => self.items[item as usize].size += 1,
                Some(Change::Bounds { item, low, high }) => {
                    self.items[item as usize].low = low;
                    self.items[item as usize].high = high;
                }
                Some(Change::Closed(item)) => self.items[item as usize].is_closed = false,
                Some(Change::Chosen) => {
                    self.chosen.pop();
                }
                None => {}
            }
        }
    }
}

impl State {
    fn new(kind: Kind) -> Self {
        let (low, high) = match kind {
            Kind::Primary { low, high } => (low, high),
            Kind::Secondary => (0, 1),
        };
        Self { begin: 0, size: 0, low, high, is_primary: kind != Kind::Secondary, is_closed: false }
    }
}
