//! How much memory a count takes, before it starts.

use super::cost::Costs;
use super::quarter::Sizes;

/// Quarters are kept between row sets only if everything together stays below this.
pub(super) const MOST_KEPT: u64 = 3 << 30;

/// Bytes of a key.
const KEY: f64 = 8.0;
/// Lists and parts of lists that a worker holds at once, in units of the longest list: the two
/// halves with their reserve, and what a join splits off.
const LISTS: f64 = 16.0;
/// Table, stack and bookkeeping of a worker.
const FIXED: f64 = 1e6;

/// Upper estimates in bytes for one board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    /// The quarters, if they are kept.
    kept: f64,
    /// The lists of one worker.
    worker: f64,
}

impl Needs {
    pub(super) fn new(sizes: Sizes, costs: &Costs) -> Self {
        let quarters = costs.all_quarters() * KEY;
        // Top and bottom quarters are kept, and for odd boards those beside each place of a queen
        // on the middle column, which closes half of them.
        let corners = if sizes.n.is_multiple_of(2) { 2.0 } else { f64::from(sizes.h) + 1.0 };
        let longest = costs.longest_half();
        Self { kept: corners * quarters, worker: longest * KEY * LISTS + FIXED }
    }

    /// All bytes, for this many workers.
    pub(super) fn total(&self, threads: usize, keep: bool) -> u64 {
        let kept = if keep { self.kept } else { 0.0 };
        (kept + self.worker * threads as f64) as u64
    }
}
