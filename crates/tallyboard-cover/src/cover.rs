//! Exact cover problems: items, and options that cover them.

use crate::hash::Names;

/// An exact cover problem. A solution, also called a cover, is a set of options that covers each item as often as it demands.
///
/// A *primary* item is covered exactly once, or as often as [`between`](Self::between) says. A *secondary*
/// item is covered at most once, or by any number of options that give it the same colour. Each option is
/// chosen at most once; equal options count as different ones. An option without a primary item is never chosen.
///
/// An option may give a primary item a *weight*, which is 1 if nothing is said: it then covers the item as often as the weight
/// says, so that bounds of an item are bounds of a sum of weights.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_cover as cover; }
/// use tallyboard::cover::{Count, Cover};
///
/// let mut cover = Cover::new();
/// cover.primary(["a", "b"])?.secondary(["x"])?;
/// cover.option(["a", "x:red"])?.option(["b", "x:red"])?.option(["b", "x:green"])?;
/// assert_eq!(Count::new(&cover)?.total()?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cover {
    items: Vec<Item>,
    item_ids: Names,
    colours: Vec<String>,
    colour_ids: Names,
    entries: Vec<Entry>,
    /// The weights of the first entries; those of all others are 1. So a cover without weights has none here.
    weights: Vec<u32>,
    /// The index in `entries` after the last entry of each option.
    ends: Vec<usize>,
    /// For each item, the last long option in which it was seen, counted from 1.
    seen: Vec<u32>,
}

/// From this number of entries on, an option is long. Up to it, each entry is compared with all entries before it.
const LONG: usize = 16;

/// A mistake in an item or an option.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoverError {
    /// Two items have one name.
    #[error("found the item '{0}' twice, expected a name of its own for each item")]
    SameName(String),
    /// A name that formats cannot write, or that would harm a terminal.
    #[error(
        "found the name {0:?}, expected one or more characters without blanks, control characters, ':' and '|'"
    )]
    Name(String),
    /// An item with a lower bound above its upper bound.
    #[error("found {low}:{high} for the item '{item}', expected a low that is not above the high")]
    Bounds {
        /// The item.
        item: String,
        /// The smallest number of options.
        low: u32,
        /// The largest number of options.
        high: u32,
    },
    /// An option names an unknown item.
    #[error("found '{0}' in an option, expected one of the items")]
    UnknownItem(String),
    /// An option names an item twice.
    #[error("found the item '{0}' twice in an option, expected each item at most once")]
    RepeatedItem(String),
    /// An option gives a colour to a primary item.
    #[error(
        "found the colour '{colour}' on the primary item '{item}', expected colours on secondary items"
    )]
    ColourOnPrimary {
        /// The item.
        item: String,
        /// The colour.
        colour: String,
    },
    /// An option gives a weight to a secondary item.
    #[error(
        "found the weight {weight} on the secondary item '{item}', expected weights on primary items"
    )]
    WeightOnSecondary {
        /// The item.
        item: String,
        /// The weight.
        weight: u32,
    },
    /// A weight that is no number, or none that is allowed. The field is the entry as it was written.
    #[error(
        "found '{0}' in an option, expected a weight from 1 to 4294967295 behind '='; an option that adds nothing leaves the item out"
    )]
    Weight(String),
    /// More items, colours or options than 32 bits can number.
    #[error("found more than 4294967295 {0}, expected fewer")]
    TooMany(&'static str),
}

/// Fails for a name that formats cannot write, or that would harm a terminal.
fn ensure_name(name: &str) -> Result<(), CoverError> {
    // The mark of byte order is left out where a file begins with it.
    let is_wrong = |c: char| c.is_whitespace() || c.is_control() || ":|\u{feff}".contains(c);
    if name.is_empty() || name.contains(is_wrong) {
        return Err(CoverError::Name(name.to_owned()));
    }
    Ok(())
}

impl Cover {
    /// A problem without items and options. Its only solution chooses nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds items that have to be covered exactly once.
    ///
    /// # Errors
    /// [`CoverError`] for a name that is taken, empty or holds a blank, a control character, `:` or `|`.
    pub fn primary<S: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<&mut Self, CoverError> {
        for name in names {
            self.add_item(name.as_ref(), Kind::ONCE)?;
        }
        Ok(self)
    }

    /// Adds an item that has to be covered at least `low` and at most `high` times: the weights of its options in a cover have
    /// such a sum.
    ///
    /// # Errors
    /// [`CoverError`] as for [`primary`](Self::primary), and if `low` is above `high`.
    pub fn between(&mut self, name: &str, low: u32, high: u32) -> Result<&mut Self, CoverError> {
        self.add_item(name, Kind::Primary { low, high })?;
        Ok(self)
    }

    /// Adds items that may be covered once, or several times in one colour.
    ///
    /// # Errors
    /// [`CoverError`] as for [`primary`](Self::primary).
    pub fn secondary<S: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<&mut Self, CoverError> {
        for name in names {
            self.add_item(name.as_ref(), Kind::Secondary)?;
        }
        Ok(self)
    }

    /// Adds an option that covers these items, each written `item`, `item:colour` or `item=weight`.
    ///
    /// # Errors
    /// [`CoverError`] for an item that is unknown or repeated, for a colour on a primary item, and for a weight on a secondary
    /// one or that is not from 1 to 2^32 - 1. The option is not added then.
    pub fn option<S: AsRef<str>>(
        &mut self,
        entries: impl IntoIterator<Item = S>,
    ) -> Result<&mut Self, CoverError> {
        self.add_entries(entries, |cover, text| {
            let text = text.as_ref();
            let (item, colour) = match text.split_once(':') {
                None => (text, None),
                Some((item, colour)) => (item, Some(colour)),
            };
            cover.push_named(item, colour)
        })
    }

    /// Adds an option by the numbers of its items and colours.
    ///
    /// # Errors
    /// [`CoverError`] as for [`option`](Self::option).
    ///
    /// # Panics
    /// If there is no such item.
    #[doc(hidden)]
    pub fn add_option(
        &mut self,
        entries: impl IntoIterator<Item = Entry>,
    ) -> Result<&mut Self, CoverError> {
        self.add_entries(entries, Self::push)
    }

    /// Adds an option by the numbers of its items and colours, and the weight of each entry.
    ///
    /// # Errors
    /// [`CoverError`] as for [`option`](Self::option).
    ///
    /// # Panics
    /// If there is no such item.
    pub(crate) fn add_weighted_option(
        &mut self,
        entries: impl IntoIterator<Item = (Entry, u32)>,
    ) -> Result<&mut Self, CoverError> {
        self.add_entries(entries, |cover, (entry, weight)| cover.push_weighted(entry, weight))
    }

    /// Adds an option of entries that `push` adds; none if there is an error.
    fn add_entries<E>(
        &mut self,
        entries: impl IntoIterator<Item = E>,
        push: impl Fn(&mut Self, E) -> Result<(), CoverError>,
    ) -> Result<&mut Self, CoverError> {
        let begin = self.entries.len();
        for entry in entries {
            if let Err(error) = push(self, entry) {
                self.entries.truncate(begin);
                self.weights.truncate(begin);
                return Err(error);
            }
        }
        self.end_option()?;
        Ok(self)
    }

    /// Adds items named by the numbers from 1 to `number`, each to be covered once.
    pub(crate) fn add_numbered(&mut self, number: usize) -> Result<(), CoverError> {
        for name in 1..=number {
            self.add_item(&name.to_string(), Kind::ONCE)?;
        }
        Ok(())
    }

    /// Adds an item and returns its number.
    ///
    /// # Errors
    /// [`CoverError`] as for [`between`](Self::between).
    #[doc(hidden)]
    pub fn add_item(&mut self, name: &str, kind: Kind) -> Result<ItemId, CoverError> {
        ensure_name(name)?;
        if let Kind::Primary { low, high } = kind
            && low > high
        {
            return Err(CoverError::Bounds { item: name.to_owned(), low, high });
        }
        let id = u32::try_from(self.items.len()).map_err(|_| CoverError::TooMany("items"))?;
        if self.item(name).is_some() {
            return Err(CoverError::SameName(name.to_owned()));
        }
        self.item_ids.insert(name, id);
        self.items.push(Item { name: name.to_owned(), kind });
        Ok(id)
    }

    /// The number of the colour `name`, a new one if there was none.
    ///
    /// # Errors
    /// [`CoverError::Name`] for an empty name and one with a blank, a control character, `:` or `|`.
    #[doc(hidden)]
    pub fn colour(&mut self, name: &str) -> Result<u32, CoverError> {
        if let Some(id) = self.colour_ids.get(name, |id| self.colour_name(id)) {
            return Ok(id);
        }
        ensure_name(name)?;
        self.colours.push(name.to_owned());
        let id = u32::try_from(self.colours.len()).map_err(|_| CoverError::TooMany("colours"))?;
        self.colour_ids.insert(name, id);
        Ok(id)
    }

    /// Adds an item, perhaps with a colour or a weight, to the option that is being read. A name with `=` in it is the name of an
    /// item if there is such an item.
    #[inline]
    pub(crate) fn push_named(
        &mut self,
        item: &str,
        colour: Option<&str>,
    ) -> Result<(), CoverError> {
        let Some(item) = self.item(item) else { return self.push_with_weight(item, colour) };
        let colour = match colour {
            None => NO_COLOUR,
            Some(name) => self.colour(name)?,
        };
        self.push(Entry { item, colour })
    }

    /// Adds what is written `item=weight`.
    #[inline(never)]
    fn push_with_weight(&mut self, text: &str, colour: Option<&str>) -> Result<(), CoverError> {
        let unknown = || CoverError::UnknownItem(text.to_owned());
        let (item, weight) = text.rsplit_once('=').ok_or_else(unknown)?;
        let item = self.item(item).ok_or_else(unknown)?;
        let is_number = weight.bytes().all(|byte| byte.is_ascii_digit());
        let weight: u32 = match weight.parse() {
            Ok(weight @ 1..) if is_number && colour.is_none() => weight,
            _ => return Err(CoverError::Weight(text.to_owned())),
        };
        self.push_weighted(Entry { item, colour: NO_COLOUR }, weight)
    }

    /// Adds an entry with a weight to the option that is being read.
    fn push_weighted(&mut self, entry: Entry, weight: u32) -> Result<(), CoverError> {
        let Item { name, kind } = &self.items[entry.item as usize];
        if weight != 1 && *kind == Kind::Secondary {
            return Err(CoverError::WeightOnSecondary { item: name.clone(), weight });
        }
        if weight == 0 {
            return Err(CoverError::Weight(format!("{name}=0")));
        }
        self.push(entry)?;
        self.set_last_weight(weight);
        Ok(())
    }

    /// Gives the entry that was added last its weight.
    fn set_last_weight(&mut self, weight: u32) {
        if weight != 1 {
            self.weights.resize(self.entries.len() - 1, 1);
            self.weights.push(weight);
        }
    }

    /// Adds an entry to the option that is being read.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) -> Result<(), CoverError> {
        let item = &self.items[entry.item as usize];
        if entry.colour != NO_COLOUR && item.kind != Kind::Secondary {
            let colour = self.colour_name(entry.colour).to_owned();
            return Err(CoverError::ColourOnPrimary { item: item.name.clone(), colour });
        }
        let begin = self.ends.last().copied().unwrap_or(0);
        let before = &self.entries[begin..];
        let is_repeated = if before.len() < LONG {
            before.iter().any(|other| other.item == entry.item)
        } else {
            self.is_repeated_in_long_option(entry.item)
        };
        if is_repeated {
            return Err(CoverError::RepeatedItem(self.items[entry.item as usize].name.clone()));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Whether the option that is being read, which is long, covers the item already.
    #[cold]
    #[inline(never)]
    fn is_repeated_in_long_option(&mut self, item: ItemId) -> bool {
        let begin = self.ends.last().copied().unwrap_or(0);
        let before = &self.entries[begin..];
        // An option that failed leaves its number in `seen`, and the next option has the same number. So an item that has this
        // number in `seen` is searched for in the entries.
        let option = self.ends.len() as u32 + 1;
        self.seen.resize(self.items.len(), 0);
        if before.len() == LONG {
            before.iter().for_each(|entry| self.seen[entry.item as usize] = option);
        }
        let was_seen = std::mem::replace(&mut self.seen[item as usize], option) == option;
        was_seen && before.iter().any(|other| other.item == item)
    }

    /// Ends the option that is being read.
    pub(crate) fn end_option(&mut self) -> Result<(), CoverError> {
        if self.ends.len() >= u32::MAX as usize - 1 {
            return Err(CoverError::TooMany("options"));
        }
        self.ends.push(self.entries.len());
        Ok(())
    }

    /// The items, in the order in which they were added.
    #[doc(hidden)]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The item called `name`.
    #[doc(hidden)]
    pub fn item(&self, name: &str) -> Option<ItemId> {
        self.item_ids.get(name, |id| self.items[id as usize].name.as_str())
    }

    /// The item called `name` if it is in its first slot, or [`UNKNOWN`](crate::hash::UNKNOWN).
    #[inline]
    pub(crate) fn item_from_first_slot(&self, name: &str) -> ItemId {
        self.item_ids.get_from_first_slot(name)
    }

    /// The number of options.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no option.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of entries of all options together.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The entries of the option with this number.
    ///
    /// # Panics
    /// If there is no such option.
    #[doc(hidden)]
    pub fn entries(&self, option: usize) -> &[Entry] {
        let begin = if option == 0 { 0 } else { self.ends[option - 1] };
        &self.entries[begin..self.ends[option]]
    }

    /// The weights of the entries of the option with this number, in their order.
    ///
    /// # Panics
    /// If there is no such option.
    #[doc(hidden)]
    pub fn weights(&self, option: usize) -> impl Iterator<Item = u32> + Clone {
        let begin = if option == 0 { 0 } else { self.ends[option - 1] };
        (begin..self.ends[option]).map(|at| self.weights.get(at).copied().unwrap_or(1))
    }

    /// The entries of an option, each with its weight.
    ///
    /// # Panics
    /// If there is no such option.
    pub(crate) fn weighted(&self, option: usize) -> impl Iterator<Item = (Entry, u32)> + Clone {
        self.entries(option).iter().copied().zip(self.weights(option))
    }

    /// Whether some entry has another weight than 1.
    pub fn has_weights(&self) -> bool {
        !self.weights.is_empty()
    }

    /// The entries of all options, in their order.
    #[doc(hidden)]
    pub fn options(&self) -> impl Iterator<Item = &[Entry]> {
        (0..self.len()).map(|option| self.entries(option))
    }

    /// The name of a colour; empty for [`NO_COLOUR`].
    ///
    /// # Panics
    /// If there is no such colour.
    #[doc(hidden)]
    pub fn colour_name(&self, colour: u32) -> &str {
        match colour.checked_sub(1) {
            None => "",
            Some(index) => &self.colours[index as usize],
        }
    }

    /// An option as text: its entries, with blanks between them.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn option_text(&self, option: usize) -> String {
        self.text(self.weighted(option))
    }

    /// An option with these entries and weights as text.
    pub(crate) fn text(&self, entries: impl IntoIterator<Item = (Entry, u32)>) -> String {
        let mut text = String::new();
        for (entry, weight) in entries {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&self.items[entry.item as usize].name);
            if entry.colour != NO_COLOUR {
                text.push(':');
                text.push_str(self.colour_name(entry.colour));
            }
            if weight != 1 {
                text.push_str(&format!("={weight}"));
            }
        }
        text
    }

    /// Whether an option can be chosen at all: it covers a primary item, and no item more often than it may be covered.
    pub(crate) fn can_choose(&self, option: usize) -> bool {
        let mut has_primary = false;
        for (entry, weight) in self.weighted(option) {
            match self.items[entry.item as usize].kind {
                Kind::Primary { high, .. } if weight > high => return false,
                Kind::Primary { .. } => has_primary = true,
                Kind::Secondary => {}
            }
        }
        has_primary
    }

    /// The options that can be chosen at all.
    pub(crate) fn usable_options(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&option| self.can_choose(option))
    }

    /// The same options without these items.
    pub(crate) fn without(&self, is_left_out: &[bool]) -> Self {
        let (colours, colour_ids) = (self.colours.clone(), self.colour_ids.clone());
        let mut rest = Self { colours, colour_ids, ..Self::default() };
        let mut numbers = Vec::with_capacity(self.items.len());
        for (item, is_left_out) in self.items.iter().zip(is_left_out) {
            numbers.push(rest.items.len() as u32);
            if !is_left_out {
                rest.item_ids.insert(&item.name, rest.items.len() as u32);
                rest.items.push(item.clone());
            }
        }
        for option in 0..self.len() {
            for (entry, weight) in self.weighted(option) {
                if is_left_out[entry.item as usize] {
                    continue;
                }
                rest.entries.push(Entry { item: numbers[entry.item as usize], ..entry });
                rest.set_last_weight(weight);
            }
            rest.ends.push(rest.entries.len());
        }
        rest
    }

    /// Whether an item asks for more than one option.
    pub fn has_multiplicities(&self) -> bool {
        self.items.iter().any(|item| matches!(item.kind, Kind::Primary { high: 2.., .. }))
    }
}

impl Cover {
    /// Whether `chosen`, the numbers of options, is a solution: each option at most once, every primary item covered as
    /// often as it wants, where a weight counts as so many times, every secondary item once or in one colour. No code of a search
    /// takes part.
    pub fn is_solved_by(&self, chosen: &[u32]) -> bool {
        let mut in_order = chosen.to_vec();
        in_order.sort_unstable();
        if !in_order.is_sorted_by(|a, b| a < b) {
            return false;
        }
        let mut covered = vec![0_u64; self.items.len()];
        let mut colours = vec![None; self.items.len()];
        for option in in_order {
            if option as usize >= self.len() {
                return false;
            }
            for (Entry { item, colour }, weight) in self.weighted(option as usize) {
                let item = item as usize;
                // Without a colour an option excludes every other.
                if self.items[item].kind == Kind::Secondary
                    && covered[item] > 0
                    && (colour == NO_COLOUR || colours[item] != Some(colour))
                {
                    return false;
                }
                covered[item] += u64::from(weight);
                colours[item] = Some(colour);
            }
        }
        self.items.iter().zip(covered).all(|(item, covered)| match item.kind {
            Kind::Primary { low, high } => (low.into()..=high.into()).contains(&covered),
            Kind::Secondary => true,
        })
    }
}

// Items, and the entries of options.

/// The number of an item, from 0, in the order in which they were added.
pub type ItemId = u32;

/// The colour of an entry that has none.
pub const NO_COLOUR: u32 = 0;

/// An item: something that the chosen options have to cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// How often an item is covered: the sum of the weights of the options that cover it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By at least `low` and at most `high` of the chosen options.
    Primary {
        /// The smallest number of options.
        low: u32,
        /// The largest number of options.
        high: u32,
    },
    /// By at most one option, or by any number of options that give it the same colour.
    Secondary,
}

impl Kind {
    /// Exactly once.
    pub const ONCE: Self = Self::Primary { low: 1, high: 1 };
}

impl Item {
    /// The name of the item.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How often the item is covered.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

/// A part of an option: an item that it covers, and the colour that it gives to this item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// The item.
    pub item: ItemId,
    /// The number of the colour, or [`NO_COLOUR`].
    pub colour: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All choices of options, each judged by a count of how often it covers what.
    #[test]
    fn solutions_are_told_from_other_choices() {
        let mut cover = Cover::new();
        cover.primary(["a"]).unwrap().between("b", 1, 2).unwrap().secondary(["x"]).unwrap();
        for option in [&["a", "b"][..], &["b", "x"], &["b", "x:1"], &["b", "x:1"], &["a", "x:2"]] {
            cover.option(option.iter().copied()).unwrap();
        }
        let right: Vec<Vec<u32>> = (0..1_u32 << 5)
            .map(|set| (0..5).filter(|option| set >> option & 1 == 1).collect())
            .filter(|chosen: &Vec<u32>| cover.is_solved_by(chosen))
            .collect();
        // `a` once and `b` once or twice; `x` without a colour once, and in two colours never.
        assert_eq!(right, [vec![0], vec![0, 1], vec![0, 2], vec![0, 3]]);
        assert!(cover.is_solved_by(&[2, 0]) && !cover.is_solved_by(&[0, 0]));
        assert!(!cover.is_solved_by(&[5]) && !cover.is_solved_by(&[]));
        cover.option(["a"]).unwrap();
        assert!(cover.is_solved_by(&[5, 2, 3]), "one colour, twice");
    }

    #[test]
    fn mistakes_in_items_and_options_are_errors() {
        let mut cover = Cover::new();
        cover.primary(["a", "b"]).unwrap().secondary(["x"]).unwrap();
        let found = |result: Result<&mut Cover, CoverError>| result.unwrap_err().to_string();
        assert!(found(cover.primary(["a b"])).starts_with("found the name \"a b\""));
        assert!(found(cover.primary([""])).starts_with("found the name \"\""));
        assert!(found(cover.between("c", 3, 2)).starts_with("found 3:2 for the item 'c'"));
        assert!(found(cover.option(["a", "x", "a"])).starts_with("found the item 'a' twice in an"));
        assert!(found(cover.option(["x:"])).starts_with("found the name \"\""));
        assert!(cover.is_empty() && cover.entry_count() == 0);
        cover.option(["a", "x"]).unwrap();
        cover.option(["x:red", "a"]).unwrap();
        assert_eq!((cover.len(), cover.option_text(1)), (2, "x:red a".to_owned()));
    }
}
