//! The engine of the textbooks: one recursive call per queen, three masks.
//!
//! It is the baseline of the benchmarks and an oracle for the tests, so it stays as simple as in textbooks:
//! one row per level, the lowest free square first. Solutions are counted one by one, so a count of 64 bits would
//! take centuries to overflow.

use super::attacks::{Attacks, full};
use base::bits::bits;
use search::{Costs, Counter, Revision, Stop, Stopped, Tally};

/// The version of this engine; [`Revision`] says when to raise a number.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

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
        let left_half = full >> n.div_ceil(2);
        let middle = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
        let mut subtrees = Vec::new();
        for first in bits(left_half | middle) {
            let weight = if first == middle { 1 } else { 2 };
            for_each_filling(Attacks::default().place(first), filled - 1, full, &mut |attacks| {
                subtrees.push(Subtree { attacks, weight });
            });
        }
        Self { full, rows_left: n - filled, subtrees }
    }
}

/// Calls `found` with the attacks on the row after the next `rows` rows, for every way to fill these.
fn for_each_filling(attacks: Attacks, rows: u32, full: u64, found: &mut impl FnMut(Attacks)) {
    if rows == 0 {
        return found(attacks);
    }
    for square in bits(attacks.free(full)) {
        for_each_filling(attacks.place(square), rows - 1, full, found);
    }
}

impl Counter for Textbook {
    fn revision(&self) -> Revision {
        REVISION
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
