//! The engines that count boards, by name.

use std::fmt;
use std::str::FromStr;

use crate::named::{UnknownName, find};

/// How a board is counted.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The half-board join: plain boards with at least two squares a side.
    Halves,
    /// The block backtracker: every board.
    Blocks,
    /// The recursive bitmask backtracker of the textbooks, the ruler: plain boards.
    Textbook,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Halves, Self::Blocks, Self::Textbook];

    /// Its name, as [`FromStr`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Halves => "halves",
            Self::Blocks => "blocks",
            Self::Textbook => "textbook",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        find(&Self::ALL, name)
    }
}
