//! All covers, one after the other.

use super::scout::Scout;
use super::{Cells, Walk};
use crate::cover::Cover;
use search::{Pace, Stop};

/// The covers of a problem, in an order that depends on the problem alone. Each is the ascending list of the
/// numbers of its options.
///
/// The memory is some ten times that of the cover, and up to 64 MiB of counts that are remembered, of nodes that are
/// looked at before the walk enters them.
///
/// ```
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
    cells: Option<Cells>,
    walk: Walk,
    scout: Option<Scout>,
    stop: Stop,
}

impl Solutions {
    /// The covers of `cover`. A cover of more than 2^32 entries has none.
    pub fn new(cover: &Cover) -> Self {
        Self {
            cells: Cells::new(cover),
            walk: Walk::new(),
            scout: Scout::new(cover),
            stop: Stop::new(),
        }
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let cells = self.cells.as_mut()?;
        let next = self.walk.next(cells, &mut Pace::new(&self.stop), self.scout.as_mut());
        // Nobody raises the flag, and there is no limit.
        next.ok()??;
        let mut chosen = cells.chosen().to_vec();
        chosen.sort_unstable();
        Some(chosen)
    }
}
