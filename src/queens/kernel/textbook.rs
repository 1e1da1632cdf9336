//! The kernel of the textbooks: one recursive call per queen, three masks.
//!
//! It is the ruler of the benchmarks and an oracle for the tests, so it stays as plain as it is
//! taught: one row a level, the lowest free square first, nothing clever.

use super::KernelName;
use crate::queens::engine::{Counter, Engine, Revision};
use crate::queens::mask::bits;
use crate::search::{Stop, Stopped, Tally};

/// What subtotals of this engine belong to: [`Revision`] says when to raise a number.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// Rows above this one do not poll the stop flag: with fewer than this many rows left a subtree
/// takes milliseconds.
const POLL_ROWS: u32 = 10;

/// A partly filled board: the masks of the squares in the next row that are attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partial {
    /// Columns that hold a queen.
    pub columns: u32,
    /// Squares attacked along diagonals that run down to the left.
    pub left: u32,
    /// Squares attacked along diagonals that run down to the right.
    pub right: u32,
    /// Rows left to fill.
    pub rows: u32,
}

impl Partial {
    /// The empty board of n rows.
    pub fn empty(n: u32) -> Self {
        Self { columns: 0, left: 0, right: 0, rows: n }
    }

    /// The position after a queen on `square` (a single bit) of the next row.
    pub fn place(self, square: u32) -> Self {
        Self {
            columns: self.columns | square,
            left: (self.left | square) << 1,
            right: (self.right | square) >> 1,
            rows: self.rows - 1,
        }
    }

    /// The free squares of the next row on a board with the columns `full`.
    pub fn free(self, full: u32) -> u32 {
        full & !(self.columns | self.left | self.right)
    }
}

/// Counts the ways to fill the remaining rows of `start` on a board with the columns `full`.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn count(start: Partial, full: u32, stop: &Stop) -> Result<u64, Stopped> {
    if start.rows <= POLL_ROWS {
        return Ok(search(start.columns, start.left, start.right, full));
    }
    stop.check()?;
    let mut solutions = 0;
    for square in bits(start.free(full)) {
        solutions += count(start.place(square), full, stop)?;
    }
    Ok(solutions)
}

/// The kernel itself: every row is filled when every column is.
fn search(columns: u32, left: u32, right: u32, full: u32) -> u64 {
    if columns == full {
        return 1;
    }
    let mut solutions = 0;
    let mut free = full & !(columns | left | right);
    while free != 0 {
        let square = free & free.wrapping_neg();
        free ^= square;
        solutions += search(columns | square, (left | square) << 1, (right | square) >> 1, full);
    }
    solutions
}

/// The plain board of n rows, split by its first rows.
#[derive(Debug)]
pub(in crate::queens) struct Textbook {
    full: u32,
    parts: Vec<Part>,
}

/// The solutions that begin with given queens in the first rows.
#[derive(Debug)]
struct Part {
    start: Partial,
    cost: u64,
    /// How many solutions each solution of the part stands for.
    weight: u64,
}

impl Textbook {
    /// Every way to fill the first three rows; of two mirror images only the one whose first queen
    /// stands further to the right, with weight 2.
    pub fn new(n: u32) -> Self {
        let full = u32::MAX >> (32 - n);
        let half = full >> n.div_ceil(2);
        let middle = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
        let mut parts = Vec::new();
        for first in bits(half | middle) {
            let weight = if first == middle { 1 } else { 2 };
            each_start(Partial::empty(n).place(first), 3.min(n) - 1, full, &mut |start| {
                let cost = 1 + u64::from(start.free(full).count_ones());
                parts.push(Part { start, cost, weight });
            });
        }
        Self { full, parts }
    }
}

/// Calls `found` with every way to fill the next `rows` rows.
fn each_start(start: Partial, rows: u32, full: u32, found: &mut impl FnMut(Partial)) {
    if rows == 0 {
        return found(start);
    }
    for square in bits(start.free(full)) {
        each_start(start.place(square), rows - 1, full, found);
    }
}

impl Counter for Textbook {
    fn engine(&self) -> Engine {
        Engine::Textbook
    }

    fn revision(&self) -> Revision {
        REVISION
    }

    fn kernel(&self) -> Option<KernelName> {
        None
    }

    fn costs(&self) -> Vec<u64> {
        self.parts.iter().map(|part| part.cost).collect()
    }

    fn count(&self, number: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Part { start, weight, .. } = self.parts[number];
        let solutions = count(start, self.full, stop)?;
        Ok(Tally::new(u128::from(solutions) * u128::from(weight)))
    }
}
