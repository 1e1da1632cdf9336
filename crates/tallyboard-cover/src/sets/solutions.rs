//! All covers, one after the other.

use super::scout::Scout;
use super::{OptionSets, Walk};
use crate::cover::Cover;
use tallyboard_search::{NodeBudget, Stop};

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
    sets: Option<OptionSets>,
    /// The way from the root to the cover found last.
    walk: Walk,
    /// Finds nodes without covers, which the walk skips.
    scout: Option<Scout>,
    /// Never raised: the walk needs one.
    stop: Stop,
}

impl Solutions {
    /// The covers of `cover`. A cover with 2^32 entries or more is too large: the iterator is then empty, whether the problem
    /// has covers or not. [`Cover::entry_count`] tells.
    pub fn new(cover: &Cover) -> Self {
        Self {
            sets: OptionSets::new(cover),
            walk: Walk::default(),
            scout: Scout::new(cover),
            stop: Stop::new(),
        }
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let sets = self.sets.as_mut()?;
        let found =
            self.walk.next(sets, &mut NodeBudget::unlimited(&self.stop), self.scout.as_mut());
        if !found.expect("nobody raises this flag, and there is no limit") {
            return None;
        }
        let mut chosen = sets.chosen().to_vec();
        chosen.sort_unstable();
        Some(chosen)
    }
}
