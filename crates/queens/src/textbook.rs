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
    /// The rows that a subtree has left to fill.
    rows: u32,
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
    /// Every way to fill the first three rows; of two mirror images only the one whose first queen
    /// stands further to the right, with weight 2.
    pub fn new(n: u32) -> Self {
        let full = full(n);
        let split = n.min(3);
        let half = full >> n.div_ceil(2);
        let middle = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
        let mut subtrees = Vec::new();
        for first in bits(half | middle) {
            let weight = if first == middle { 1 } else { 2 };
            each_start(Attacks::default().place(first), split - 1, full, &mut |attacks| {
                subtrees.push(Subtree { attacks, weight });
            });
        }
        Self { full, rows: n - split, subtrees }
    }
}

/// Calls `found` with every way to fill the next `rows` rows.
fn each_start(attacks: Attacks, rows: u32, full: u64, found: &mut impl FnMut(Attacks)) {
    if rows == 0 {
        return found(attacks);
    }
    for square in bits(attacks.free(full)) {
        each_start(attacks.place(square), rows - 1, full, found);
    }
}

impl Counter for Textbook {
    fn revision(&self) -> Revision {
        REVISION
    }

    fn split(&self) -> Costs {
        Costs::new(
            self.subtrees
                .iter()
                .map(|subtree| 1 + subtree.attacks.free(self.full).count_ones() as u64)
                .collect(),
        )
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Subtree { attacks, weight } = self.subtrees[subtree];
        let solutions = count(attacks, self.rows, self.full, stop)?;
        Ok(Tally::new(u128::from(solutions) * u128::from(weight)))
    }
}
