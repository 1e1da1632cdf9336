//! The engine of the textbooks: one recursive call per queen, three masks.
//!
//! It is the baseline of the benchmarks and an oracle for the tests, so it stays as simple as in textbooks:
//! one row per level, the lowest free square first. Solutions are counted one by one, so a count of 64 bits would
//! take centuries to overflow.

use super::position::{Attacks, full};
use super::solutions::Prefixes;
use tallyboard_base::bits::bits;
use tallyboard_search::{Costs, Problem, Revision, Stop, Stopped, Tally};

/// The version of this engine; [`Revision`] says when to raise a number.
pub(super) const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// With at most this many rows left, the stop flag is not polled: they take milliseconds.
const UNPOLLED_ROWS: u32 = 10;
/// The number of first rows that subtrees have filled.
const SPLIT_ROWS: u32 = 3;

/// Counts the ways to fill the last `rows` rows of a board with the columns `full`, and polls the stop flag.
fn count(attacks: Attacks, rows: u32, full: u64, stop: &Stop) -> Result<u64, Stopped> {
    if rows <= UNPOLLED_ROWS {
        let Attacks { columns, falling, rising } = attacks;
        return Ok(count_unpolled(columns as u32, falling as u32, rising as u32, full as u32));
    }
    stop.check()?;
    let mut solutions = 0;
    for square in bits(attacks.free(full)) {
        solutions += count(attacks.place(square), rows - 1, full, stop)?;
    }
    Ok(solutions)
}

/// The recursion of the textbooks, which ends when every column is taken.
fn count_unpolled(columns: u32, falling: u32, rising: u32, full: u32) -> u64 {
    if columns == full {
        return 1;
    }
    let mut solutions = 0;
    let mut free = full & !(columns | falling | rising);
    while free != 0 {
        let square = free & free.wrapping_neg();
        free ^= square;
        solutions +=
            count_unpolled(columns | square, (falling | square) << 1, (rising | square) >> 1, full);
    }
    solutions
}

/// The plain board of n rows, split by its first rows.
#[derive(Debug)]
pub(super) struct Textbook {
    full: u64,
    /// The number of rows that a subtree has left to fill.
    rows_left: u32,
    subtrees: Vec<Subtree>,
}

/// The solutions that begin with given queens in the first rows.
#[derive(Debug)]
struct Subtree {
    attacks: Attacks,
    /// The number of images that each solution of the subtree stands for, itself included.
    weight: u64,
}

impl Textbook {
    /// Every way to fill the first rows. Of two mirror images only the one whose first queen stands further to the
    /// left is taken, with weight 2.
    pub fn new(n: u32) -> Self {
        let full = full(n);
        let filled = n.min(SPLIT_ROWS);
        let prefixes = Prefixes::new(vec![full; n as usize], filled as usize);
        let further_left = prefixes.take_while(|prefix| 2 * u32::from(prefix[0]) < n);
        let subtrees = further_left.map(|prefix| {
            let columns = prefix.iter().map(|&column| u32::from(column));
            let is_middle = 2 * u32::from(prefix[0]) + 1 == n;
            Subtree { attacks: Attacks::of(columns), weight: if is_middle { 1 } else { 2 } }
        });
        Self { full, rows_left: n - filled, subtrees: subtrees.collect() }
    }
}

impl Problem for Textbook {
    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn split(&self) -> Costs {
        // The more free squares the next row has, the longer a subtree takes.
        let cost = |subtree: &Subtree| 1 + u64::from(subtree.attacks.free(self.full).count_ones());
        Costs::new(self.subtrees.iter().map(cost).collect())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Subtree { attacks, weight } = self.subtrees[subtree];
        let solutions = count(attacks, self.rows_left, self.full, stop)?;
        Ok(Tally::new(u128::from(solutions) * u128::from(weight)))
    }
}
