//! The engine for every cover: colours, multiplicities and any number of items.
//!
//! Each item has the set of the options that cover it and can still be chosen (a sparse set). A set is an array whose first
//! `size` entries are its members. To remove an option, it is swapped with the last member, and `size` is decreased. To
//! backtrack, `size` is increased again: the options that were removed last are right behind the members.
//!
//! ```text
//! count:
//!     item = the open primary item with the fewest branches; if there is none, return 1
//!     for option in the item's set, in the order of their numbers:
//!         choose option: cover its items, drop the options that clash with it
//!         count
//!         backtrack
//!         if the item may be covered again: drop option, so that no set of options is chosen in two orders
//!     if the item is covered often enough: drop its other options, count, backtrack
//! ```

mod components;
mod few;
mod scout;
mod split;
mod state;
mod walk;

use crate::cover::Cover;
pub(crate) use components::count;
pub(crate) use split::{Path, SetTree};
use state::Branches;
pub(crate) use state::OptionSets;
use tallyboard_search::Stop;
pub(crate) use walk::Finder;
use walk::Walk;

// All covers, one after the other.

/// The covers of a problem, in an order that depends on the problem alone. Each is the ascending list of the
/// numbers of its options.
///
/// The iterator takes about ten times the memory of the cover, and up to 64 MiB for counts that it remembers to rule out
/// nodes without covers.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_cover as cover; }
/// use tallyboard::cover::{Cover, Solutions};
///
/// let mut cover = Cover::new();
/// cover.primary(["a", "b"])?;
/// cover.option(["a"])?.option(["b"])?.option(["a", "b"])?;
/// let found: Vec<Vec<u32>> = Solutions::new(&cover).collect();
/// assert_eq!(found, [vec![0, 1], vec![2]]);
/// # Ok::<(), tallyboard::cover::CoverError>(())
/// ```
#[derive(Debug)]
pub struct Solutions {
    /// `None` if the cover has too many entries.
    finder: Option<Finder>,
    /// The way from the root to the cover found last.
    walk: Walk,
    /// Never raised: the walk needs one.
    stop: Stop,
}

impl Solutions {
    /// The covers of `cover`. A cover with 2^32 entries or more is too large: the iterator is then empty, whether the problem
    /// has covers or not. [`Cover::entry_count`] tells.
    pub fn new(cover: &Cover) -> Self {
        Self { finder: Finder::new(cover), walk: Walk::default(), stop: Stop::new() }
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let found = self.finder.as_mut()?.next(&mut self.walk, &self.stop);
        let mut chosen = found.expect("nobody raises this flag")?.to_vec();
        chosen.sort_unstable();
        Some(chosen)
    }
}
