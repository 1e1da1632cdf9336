//! A table of the ways to fill the last rows of a board, by the columns that they use.
//!
//! A *tail* is a way to fill the last m rows. A search that has filled all rows before them knows which m columns
//! are free and which diagonals run into the last rows. Instead of searching on, it looks up the tails that use
//! these m columns, and tests each with one AND:
//!
//! ```text
//! tail.key & (rising | falling << n) == 0
//! ```
//!
//! Bit c of `rising` is set if a rising diagonal, which moves one column to the left per row, attacks square c of
//! the first tail row. A tail queen t rows below that row, in column c, stands on the diagonal of bit c + t;
//! so bit c + t of the tail's key is set. For falling diagonals it is bit c - t, above the n bits for rising ones.

use tallyboard_base::bits::bits;

use crate::position::{Attacks, full};

/// The ways to fill the last rows of an n x n board, in lexicographic order for each set of columns.
#[derive(Debug)]
pub(super) struct Tails {
    n: u32,
    /// How many rows a tail fills.
    pub rows: u32,
    ranks: Ranks,
    /// The index of the first tail of each set of columns, by the set's rank; then the number of all tails.
    starts: Vec<u32>,
    keys: TailKeys,
    /// The columns of each tail, `COLUMN_BITS` each, the first row lowest.
    columns: Vec<u32>,
}

const COLUMN_BITS: u32 = 5;
/// Upper bound on the rows of a tail: their columns are packed into 32 bits.
const MAX_ROWS: u32 = 6;
/// Upper bound on the number of tails: with larger tables the cache misses cost more than the tables save.
const MAX_TAILS: f64 = 1_500_000.0;

impl Tails {
    pub fn new(n: u32) -> Self {
        let rows = rows_of_tails(n);
        let ranks = Ranks::new(n, rows);
        let mut found = Vec::new();
        fill(n, rows, &mut Vec::new(), Attacks::default(), &mut |tail| {
            found.push((ranks.of(column_set(tail)), key(n, tail), pack(tail)));
        });
        // Stable: the tails of one set stay in lexicographic order.
        found.sort_by_key(|&(rank, ..)| rank);
        // The number of tails of each set, one place to the right, then the sums up to each place.
        let mut starts = vec![0; ranks.sets + 1];
        for &(rank, ..) in &found {
            starts[rank as usize + 1] += 1;
        }
        for rank in 0..ranks.sets {
            starts[rank + 1] += starts[rank];
        }
        let keys = found.iter().map(|&(_, key, _)| key);
        let keys = if 2 * n <= u32::BITS {
            TailKeys::Short(keys.map(|key| key as u32).collect())
        } else {
            TailKeys::Long(keys.collect())
        };
        let columns = found.iter().map(|&(.., columns)| columns).collect();
        Tails { n, rows, ranks, starts, keys, columns }
    }

    /// Calls `found` with the packed columns of each tail that uses the columns without a queen and no attacked
    /// diagonal, given the attacks of the rows `above`.
    #[inline]
    pub fn for_each(&self, above: Attacks, found: impl FnMut(u32)) {
        let (range, attacked) = self.look_up(above);
        let columns = &self.columns[range.clone()];
        match &self.keys {
            TailKeys::Short(keys) => {
                let attacked = attacked as u32;
                scan(&keys[range], columns, |key| key & attacked == 0, found);
            }
            TailKeys::Long(keys) => scan(&keys[range], columns, |key| key & attacked == 0, found),
        }
    }

    /// The number of tails that [`for_each`](Self::for_each) finds.
    #[inline]
    pub fn count(&self, above: Attacks) -> u64 {
        let (range, attacked) = self.look_up(above);
        match &self.keys {
            TailKeys::Short(keys) => {
                let attacked = attacked as u32;
                // Summed in 32 bits, as wide as a key, for vectors.
                let fitting: u32 =
                    keys[range].iter().map(|key| u32::from(key & attacked == 0)).sum();
                fitting.into()
            }
            TailKeys::Long(keys) => {
                keys[range].iter().map(|key| u64::from(key & attacked == 0)).sum()
            }
        }
    }

    /// The indices of the tails that use the columns without a queen, and the bits that a fitting key lacks.
    #[inline]
    fn look_up(&self, above: Attacks) -> (std::ops::Range<usize>, u64) {
        let free = full(self.n) & !above.columns;
        let rank = self.ranks.of(free as u32) as usize;
        let range = self.starts[rank] as usize..self.starts[rank + 1] as usize;
        (range, above.rising | above.falling << self.n)
    }
}

/// Writes the columns of a tail into the last rows.
#[inline]
pub(super) fn unpack(mut packed: u32, columns: &mut [u8]) {
    for column in columns {
        *column = (packed & ((1 << COLUMN_BITS) - 1)) as u8;
        packed >>= COLUMN_BITS;
    }
}

/// The keys of all tails, of 2n bits each. Up to n = 16 they are short, so that a vector register holds twice as many.
#[derive(Debug)]
enum TailKeys {
    Short(Vec<u32>),
    Long(Vec<u64>),
}

/// Calls `found` with the columns of each tail whose key `fits`.
#[inline]
fn scan<K: Copy>(
    keys: &[K],
    columns: &[u32],
    fits: impl Fn(K) -> bool,
    mut found: impl FnMut(u32),
) {
    let (blocks, last_keys) = keys.as_chunks::<8>();
    let (column_blocks, last_columns) = columns.as_chunks::<8>();
    for (block, columns) in blocks.iter().zip(column_blocks) {
        // In most blocks no key fits, so all eight are tested at once with vectors.
        if block.iter().fold(false, |any, &key| any | fits(key)) {
            for (&key, &columns) in block.iter().zip(columns) {
                if fits(key) {
                    found(columns);
                }
            }
        }
    }
    for (&key, &columns) in last_keys.iter().zip(last_columns) {
        if fits(key) {
            found(columns);
        }
    }
}

/// The number of rows in a tail: the largest with an estimate of at most [`MAX_TAILS`] tails, and at most half of
/// the board.
fn rows_of_tails(n: u32) -> u32 {
    let mut descending = (0..=MAX_ROWS.min(n / 2)).rev();
    descending.find(|&rows| estimated_tails(n, rows) <= MAX_TAILS).unwrap_or(0)
}

/// About how many ways there are to fill `rows` rows: each queen above takes about 2.6 squares of a row, fewer than
/// three, since diagonals leave the board and lines meet.
fn estimated_tails(n: u32, rows: u32) -> f64 {
    (0..rows).map(|row| (f64::from(n) - 2.6 * f64::from(row)).max(1.0)).product()
}

/// Calls `found` with every way to fill `rows` rows, in lexicographic order.
fn fill(n: u32, rows: u32, tail: &mut Vec<u32>, attacks: Attacks, found: &mut impl FnMut(&[u32])) {
    if tail.len() == rows as usize {
        return found(tail);
    }
    for square in bits(attacks.free(full(n))) {
        tail.push(square.trailing_zeros());
        fill(n, rows, tail, attacks.place(square), found);
        tail.pop();
    }
}

/// The columns of a tail, a bit each.
fn column_set(tail: &[u32]) -> u32 {
    tail.iter().fold(0, |set, column| set | 1 << column)
}

/// The columns of a tail in one number, for [`unpack`].
fn pack(tail: &[u32]) -> u32 {
    tail.iter().rev().fold(0, |packed, column| packed << COLUMN_BITS | column)
}

/// The bits of the diagonals that a tail uses and that reach its first row on the board.
fn key(n: u32, tail: &[u32]) -> u64 {
    (0u32..).zip(tail).fold(0, |key, (row, &column)| {
        let rising = if column + row < n { 1 << (column + row) } else { 0 };
        let falling = if column >= row { 1 << (n + column - row) } else { 0 };
        key | rising | falling
    })
}

/// Numbers the sets of m columns without gaps. The *rank* of a set is the sum of C(c_i, i), where c_i is its
/// i-th smallest column, from i = 1. It is the sum of two table entries, for the low and the high half of the columns.
#[derive(Debug)]
struct Ranks {
    /// The number of columns in the low half.
    half: u32,
    /// What the low half adds to a rank, by its set.
    low: Vec<u32>,
    /// What the high half adds, by the number of members in the low half and then by the high half's set.
    high: Vec<u32>,
    /// The number of sets.
    sets: usize,
}

impl Ranks {
    fn new(n: u32, members: u32) -> Self {
        let half = n.div_ceil(2);
        let sets_of_half = 1 << half;
        let low = (0..sets_of_half).map(|set| rank_in_half(set, 0, 0)).collect();
        let mut high = Vec::new();
        for below in 0..=members {
            high.extend((0..sets_of_half).map(|set: u32| {
                // Together the halves have no more than `members`: the other entries are never read.
                if below + set.count_ones() <= members { rank_in_half(set, half, below) } else { 0 }
            }));
        }
        Ranks { half, low, high, sets: binomial(n, members) as usize }
    }

    #[inline]
    fn of(&self, set: u32) -> u32 {
        let low = set & ((1 << self.half) - 1);
        let high = set >> self.half;
        let high_index = (low.count_ones() << self.half) + high;
        self.low[low as usize] + self.high[high_index as usize]
    }
}

/// What the members of `set` add to a rank. Bit 0 of `set` is column `first`, and there are `below` smaller members.
fn rank_in_half(set: u32, first: u32, below: u32) -> u32 {
    let columns = bits(set).map(u32::trailing_zeros);
    columns.zip(below + 1..).map(|(column, i)| binomial(column + first, i)).sum()
}

fn binomial(n: u32, k: u32) -> u32 {
    if k > n { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

// The ways to fill the first rows of a board, in order. As prefixes they split the list of solutions into ordered,
// independent parts.

/// Every way to fill the first rows without an attack, in lexicographic order: the column of each row's queen, from 0.
/// Constant memory.
#[derive(Clone, Debug)]
pub struct Prefixes {
    /// The open squares of every row of the board.
    open: Vec<u64>,
    /// The number of rows to fill.
    rows: usize,
    /// The rows reached, from the top: the attacks on each one, and its squares still to be tried.
    levels: Vec<(Attacks, u64)>,
    /// The columns of the queens; those of the rows that are not filled mean nothing.
    pub(super) columns: Vec<u8>,
}

impl Prefixes {
    /// The prefixes of `rows` rows of a board with these `open` squares.
    pub(crate) fn new(open: Vec<u64>, rows: usize) -> Self {
        let columns = vec![0; open.len()];
        let levels = vec![(Attacks::default(), open[0])];
        Self { open, rows, levels, columns }
    }

    /// The prefixes of as many rows as `first` has, from `first` on. It must be one of them.
    pub(super) fn starting_at(open: Vec<u64>, first: &[u8]) -> Self {
        let mut prefixes = Self::new(open, first.len());
        first.iter().for_each(|&column| prefixes.place(column.into()));
        prefixes
    }

    /// The attacks of the next prefix on the row after it. The first of [`columns`](Self::columns) are then its own.
    pub(super) fn step(&mut self) -> Option<Attacks> {
        loop {
            let row = self.levels.len().checked_sub(1)?;
            let (attacks, untried) = self.levels[row];
            if row == self.rows {
                self.levels.pop();
                return Some(attacks);
            }
            if untried == 0 {
                // Every square of this row has been tried: back to the row above.
                self.levels.pop();
            } else {
                self.place(untried.trailing_zeros());
            }
        }
    }

    /// Places a queen in the last row reached. The squares left of it, and its own, are not tried again.
    fn place(&mut self, column: u32) {
        let row = self.levels.len() - 1;
        let (attacks, untried) = &mut self.levels[row];
        *untried &= u64::MAX << column << 1;
        let below = attacks.place(1 << column);
        self.columns[row] = column as u8;
        self.levels.push((below, self.open.get(row + 1).map_or(0, |&open| below.free(open))));
    }
}

impl Iterator for Prefixes {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.step().map(|_| self.columns[..self.rows].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_without_gaps() {
        for (n, members) in [(1, 0), (5, 2), (8, 4), (11, 5), (32, 3)] {
            let ranks = Ranks::new(n, members);
            let mut seen = vec![false; ranks.sets];
            for set in (0..1u64 << n.min(20)).filter(|set| set.count_ones() == members) {
                let rank = ranks.of(set as u32) as usize;
                assert!(!std::mem::replace(&mut seen[rank], true), "n = {n}, set {set:b}");
            }
            assert!(n > 20 || seen.iter().all(|&seen| seen), "n = {n}");
        }
    }

    #[test]
    fn the_tables_stay_small() {
        for n in 1..=32 {
            assert!(rows_of_tails(n) <= n / 2);
        }
        assert_eq!(rows_of_tails(8), 4);
        assert!(Tails::new(20).columns.len() < 3_000_000);
    }
}

#[cfg(test)]
mod prefix_tests {
    use super::*;
    use crate::Board;

    fn prefixes(n: u32, rows: usize) -> Prefixes {
        Prefixes::new(Board::new(n).unwrap().open_rows(), rows)
    }

    #[test]
    fn the_first_two_rows_of_four() {
        let prefixes: Vec<Vec<u8>> = prefixes(4, 2).collect();
        assert_eq!(prefixes, [[0, 2], [0, 3], [1, 3], [2, 0], [3, 0], [3, 1]]);
    }

    #[test]
    fn prefixes_can_start_at_any_of_them() {
        let open = Board::new(7).unwrap().open_rows();
        let all: Vec<Vec<u8>> = prefixes(7, 3).collect();
        for (index, first) in all.iter().enumerate() {
            assert!(Prefixes::starting_at(open.clone(), first).eq(all[index..].iter().cloned()));
        }
    }
}
