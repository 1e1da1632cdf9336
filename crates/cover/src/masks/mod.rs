//! The engine for covers of up to 512 bits: each option is a mask of the items that it covers.
//!
//! It counts covers in which each item is covered once or at most once, with colours, and remembers counts that come
//! again.

mod bits;
mod encode;
mod kernel;
mod machine;
mod memo;
mod split;

pub(crate) use encode::Encoded;
pub(crate) use machine::Machine;
pub(crate) use split::{MaskTree, Node};

use base::cpu::Instructions;
use search::{Halt, Pace};

/// The words of the longest masks.
pub(crate) const MAX_WORDS: usize = 8;

/// A node of the search, as masks of the root's space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start<'a> {
    pub encoded: &'a Encoded,
    /// The items that still have to be covered.
    pub open: &'a [u64],
    /// The bits that no option may have any more.
    pub forbidden: &'a [u64],
}

/// A question about a node.
#[derive(Debug)]
pub(crate) enum Ask<'a> {
    /// How many covers does it have?
    Count,
    /// What are its children? They are appended: the open items of each, then the bits forbidden to it. The answer is
    /// the count of a node without children.
    Branches(&'a mut Vec<u64>),
    /// How many nodes are below it, by a random descent from this seed?
    Descend(u64),
    /// Is there an item that no option could cover, after all forced options are taken? The answer is 0 then.
    IsPossible,
}

/// Answers `ask` about the node `start`.
///
/// # Errors
/// [`Halt`] if the search was stopped, took more nodes than it may or found more than 2^128 covers.
pub(crate) fn run(
    instructions: Instructions,
    machine: &mut Machine,
    start: Start<'_>,
    mut ask: Ask<'_>,
    pace: &mut Pace<'_>,
) -> Result<u128, Halt> {
    kernel::run(instructions, machine, start, &mut ask, pace)
}
