//! What every engine is to a count: it splits a board into subtrees that know how to be counted.

use std::fmt;
use std::str::FromStr;

use super::kernel::KernelName;
use crate::search::{Stop, Stopped, Tally};

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
        UnknownName::find(&Self::ALL, name)
    }
}

/// A name that no engine or kernel has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found '{found}', expected {}", expected.join(", "))]
pub struct UnknownName {
    found: String,
    expected: Vec<String>,
}

impl UnknownName {
    /// The one of `all` that is called `name`.
    pub(super) fn find<T: Copy + fmt::Display>(all: &[T], name: &str) -> Result<T, Self> {
        let found = all.iter().find(|item| item.to_string() == name);
        found.copied().ok_or_else(|| Self {
            found: name.to_owned(),
            expected: all.iter().map(ToString::to_string).collect(),
        })
    }
}

/// What journals and results of an engine belong to, for as long as neither number is raised,
/// whatever the version of the program. `tests/suite/golden.rs` fails if one should have been.
#[derive(Debug, Clone, Copy)]
pub(super) struct Revision {
    /// Raise it when a subtree's subtotal changes, above all when a wrong one is mended.
    pub algorithm: u32,
    /// Raise it when the board splits into other subtrees, or these get other numbers or costs.
    pub layout: u32,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "algorithm={} layout={}", self.algorithm, self.layout)
    }
}

/// An engine with a board to count. It is called once for a whole subtree, so through a pointer.
pub(super) trait Counter: fmt::Debug + Send + Sync {
    /// Which engine it is.
    fn engine(&self) -> Engine;

    /// What its subtotals belong to.
    fn revision(&self) -> Revision;

    /// The kernel that runs on this machine; `None` for an engine that has but one way to count.
    fn kernel(&self) -> Option<KernelName>;

    /// An upper estimate of the memory that its lists take, in bytes: the backtrackers keep none
    /// worth mentioning.
    fn memory(&self) -> u64 {
        0
    }

    /// The relative costs of the subtrees, in an order that depends on the board and the [`Revision`]
    /// alone.
    fn costs(&self) -> Vec<u64>;

    /// Counts the solutions that the subtree in place `number` of [`costs`](Self::costs) stands for.
    fn count(&self, number: usize, stop: &Stop) -> Result<Tally, Stopped>;
}

/// An independent part of a count, by its number.
#[derive(Debug, Clone, Copy)]
pub struct Subtree {
    pub(super) number: usize,
    pub(super) cost: u64,
}
