//! Items, and the entries of options.

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

/// How often an item is covered.
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
