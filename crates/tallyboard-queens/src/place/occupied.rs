//! The columns and diagonals that hold a queen, as bits, for boards of any size. The free squares of a row are read
//! 64 at a time.
//!
//! A board of n has n columns, 2n - 1 rising diagonals (row + column) and 2n - 1 falling ones
//! (column - row + n - 1). In this order, the rising diagonals that cross row r are n neighbouring bits, and so
//! are the falling ones. So for every 64 columns, the free squares of a row take three shifted reads and two ORs:
//!
//! ```text
//! free(r, c) = !columns[c] & !rising[r + c] & !falling[n - 1 - r + c]
//! ```

use super::Line;
use crate::Board;
use tallyboard_base::bits::bits;

/// The lines that hold a queen.
#[derive(Clone, Debug)]
pub(super) struct OccupiedLines {
    pub n: usize,
    /// Bit c for column c. Bits from n on are set, so that no square outside the board looks free.
    columns: Vec<u64>,
    /// Bit row + column for the rising diagonal of a square.
    rising: Vec<u64>,
    /// Bit column - row + n - 1 for the falling diagonal of a square.
    falling: Vec<u64>,
    /// The squares of each row that are not closed; empty if no square of the board is closed. Only boards of up to 64
    /// columns have closed squares.
    open: Vec<u64>,
}

impl OccupiedLines {
    pub fn new(n: u32) -> Self {
        let n = n as usize;
        let mut columns = vec![0; n / 64 + 1];
        columns[n / 64] = u64::MAX << (n % 64);
        // The two spare words let a window at the end read past its last bit.
        let diagonals = vec![0; 2 * n / 64 + 3];
        OccupiedLines {
            n,
            columns,
            rising: diagonals.clone(),
            falling: diagonals,
            open: Vec::new(),
        }
    }

    /// The lines of `board` before any queen is placed. The row of a queen that has to be placed has one open square.
    pub fn on(board: &Board) -> Self {
        OccupiedLines { open: board.open_rows(), ..Self::new(board.n()) }
    }

    /// A line of a square that holds a queen, if there is one.
    pub fn taken(&self, row: u32, column: u32) -> Option<Line> {
        let row = row as usize;
        let column = column as usize;
        if is_set(&self.columns, column) {
            Some(Line::Column)
        } else if is_set(&self.falling, self.n - 1 - row + column) {
            Some(Line::FallingDiagonal)
        } else {
            is_set(&self.rising, row + column).then_some(Line::RisingDiagonal)
        }
    }

    /// Adds a queen, or takes it away again.
    #[inline]
    pub fn toggle(&mut self, row: u32, column: u32) {
        let row = row as usize;
        let column = column as usize;
        flip(&mut self.columns, column);
        flip(&mut self.rising, row + column);
        flip(&mut self.falling, self.n - 1 - row + column);
    }

    /// The column of the first free square of `row`, from column `from` on.
    #[inline]
    pub fn next_free(&self, row: u32, from: u32) -> Option<u32> {
        let mut word = from as usize / 64;
        let mut free = self.free_word(row, word) & (u64::MAX << (from % 64));
        while free == 0 {
            word += 1;
            if word == self.columns.len() {
                return None;
            }
            free = self.free_word(row, word);
        }
        Some((word * 64) as u32 + free.trailing_zeros())
    }

    /// The number of words that [`free_count`](Self::free_count) reads of each kind of line.
    pub fn words_per_row(&self) -> u64 {
        self.columns.len() as u64
    }

    /// How many squares of `row` are free.
    pub fn free_count(&self, row: u32) -> u32 {
        (0..self.columns.len()).map(|word| self.free_word(row, word).count_ones()).sum()
    }

    /// The column of the free square of `row` that has `before` free squares left of it.
    pub fn nth_free(&self, row: u32, mut before: u32) -> Option<u32> {
        for word in 0..self.columns.len() {
            let free = self.free_word(row, word);
            let count = free.count_ones();
            if before < count {
                let square = bits(free).nth(before as usize)?;
                return Some((word * 64) as u32 + square.trailing_zeros());
            }
            before -= count;
        }
        None
    }

    /// The free squares of `row` in columns `64 * word ..`.
    #[inline]
    fn free_word(&self, row: u32, word: usize) -> u64 {
        let row = row as usize;
        let rising = window(&self.rising, row + 64 * word);
        let falling = window(&self.falling, self.n - 1 - row + 64 * word);
        let open = self.open.get(row).copied().unwrap_or(u64::MAX);
        open & !(self.columns[word] | rising | falling)
    }
}

#[inline]
fn is_set(bits: &[u64], index: usize) -> bool {
    bits[index / 64] >> (index % 64) & 1 == 1
}

fn flip(bits: &mut [u64], index: usize) {
    bits[index / 64] ^= 1 << (index % 64);
}

/// 64 bits starting at any bit.
#[inline]
fn window(bits: &[u64], start: usize) -> u64 {
    let word = start / 64;
    let shift = start % 64;
    // Two shifts to the left: a single one by 64, if `shift` is 0, would overflow.
    bits[word] >> shift | bits[word + 1] << 1 << (63 - shift)
}

#[cfg(test)]
mod tests {
    use super::super::Random;
    use super::*;

    #[test]
    fn free_squares_agree_with_the_definition() {
        let mut random = Random::from_seed(5);
        for n in [1, 2, 5, 31, 32, 33, 63, 64, 65, 127, 128, 130] {
            let mut lines = OccupiedLines::new(n);
            let mut queens: Vec<(u32, u32)> = Vec::new();
            for (row, column) in (0..n / 4).map(|row| (row * 3, random.below(n))) {
                let attacked = queens
                    .iter()
                    .any(|&(r, q)| q == column || r.abs_diff(row) == q.abs_diff(column));
                assert_eq!(lines.taken(row, column).is_some(), attacked);
                if !attacked {
                    lines.toggle(row, column);
                    queens.push((row, column));
                }
            }
            for row in 0..n {
                let free: Vec<u32> = (0..n)
                    .filter(|&c| {
                        queens.iter().all(|&(r, q)| q != c && r.abs_diff(row) != q.abs_diff(c))
                    })
                    .collect();
                assert_eq!(lines.free_count(row), free.len() as u32);
                for (rank, &column) in free.iter().enumerate() {
                    assert_eq!(lines.nth_free(row, rank as u32), Some(column));
                }
                assert_eq!(lines.nth_free(row, free.len() as u32), None);
                for from in 0..n {
                    let next = free.iter().copied().find(|&column| column >= from);
                    assert_eq!(lines.next_free(row, from), next);
                }
            }
        }
    }
}
