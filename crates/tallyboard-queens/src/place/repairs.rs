//! Greedy repair: swaps the columns of an attacked queen and another queen if that lowers the number of attacks.
//!
//! The columns always are a permutation, so only diagonals matter. The numbers of queens on the
//! diagonals tell in O(1) what a swap would change. Attacked queens wait in a queue, the most
//! attacked first. For the queen taken from it, random partners are tried until a swap lowers the
//! number of attacks. After Sosic and Gu, *Efficient local search with conflict minimization* (IEEE
//! TKDE 6, 1994).

use std::collections::HashSet;

use tallyboard_base::bits::bits;

use super::{Line, Placement, Random};
use crate::Board;
use crate::place::budget::{Budget, LimitReached};

/// The board that greedy repair begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Row by row, a queen in a random free column where it is not attacked; about three columns are tried per row on
    /// average. The last few dozen rows are filled regardless of attacks. So few queens are attacked. This is Sosic and
    /// Gu's linear-time start.
    Careful,
    /// Any permutation: nearly half of the queens are attacked.
    Random,
}

/// A solution by swapping columns. The board must have a solution, otherwise this never ends. n is at most 2^31.
pub(super) fn greedy_repair(
    n: u32,
    opening: Opening,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Placement, LimitReached> {
    if n == 0 {
        return Ok(Placement::new(Vec::new()));
    }
    let mut board = Permutation::new(n);
    loop {
        let mut queue = match opening {
            Opening::Careful => board.start_carefully(random, budget)?,
            Opening::Random => board.fill_at_random(0, random),
        };
        if board.repair(&mut queue, random, budget)? {
            return Ok(Placement::new(board.columns));
        }
        budget.count_restart()?;
        board.clear();
    }
}

/// A board whose columns are a permutation, and the number of queens on each diagonal.
///
/// These numbers fit in a byte: on random boards a diagonal holds at most about a dozen queens, and no swap
/// adds attacks.
struct Permutation {
    columns: Vec<u32>,
    rising: Vec<u8>,
    falling: Vec<u8>,
}

/// The rows of attacked queens in four classes: one, two, three, and four or more attacks. Of two queens that attack
/// each other, at least one is in the queue. Entries may be out of date and are checked when they are taken.
#[derive(Default)]
struct Queue([Vec<u32>; 4]);

impl Queue {
    fn push(&mut self, row: u32, attacks: u32) {
        if attacks > 0 {
            self.0[attacks.min(4) as usize - 1].push(row);
        }
    }

    /// A row of the class with the most attacks.
    fn pop(&mut self) -> Option<u32> {
        self.0.iter_mut().rev().find_map(Vec::pop)
    }
}

impl Permutation {
    fn new(n: u32) -> Self {
        let diagonals = vec![0; 2 * n as usize];
        Permutation { columns: (0..n).collect(), rising: diagonals.clone(), falling: diagonals }
    }

    fn clear(&mut self) {
        self.rising.fill(0);
        self.falling.fill(0);
    }

    /// The indices of a square's rising and falling diagonal.
    fn diagonals(&self, row: u32, column: u32) -> (usize, usize) {
        let row = row as usize;
        let column = column as usize;
        (row + column, row + self.columns.len() - column)
    }

    /// Fills the board for [`Opening::Careful`]; it has no queens yet. Returns the attacked ones.
    fn start_carefully(
        &mut self,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Queue, LimitReached> {
        let n = self.columns.len() as u32;
        // As in the article: after 3.08 n tries, the remaining rows hardly find a free square.
        let mut tries_left = u64::from(n) * 308 / 100;
        let mut row = 0;
        while row < n && tries_left > 0 {
            tries_left -= 1;
            budget.count_step()?;
            // The columns of this row and the ones below it are those that are still free.
            let other = row + random.below(n - row);
            let column = self.columns[other as usize];
            let (rising, falling) = self.diagonals(row, column);
            if self.rising[rising] | self.falling[falling] == 0 {
                self.rising[rising] = 1;
                self.falling[falling] = 1;
                self.columns.swap(row as usize, other as usize);
                row += 1;
            }
        }
        // The queens above this row do not attack each other: each attack is on a queen from this row on.
        Ok(self.fill_at_random(row, random))
    }

    /// Fills the rows from `first` on regardless of attacks. Returns the attacked queens in them.
    fn fill_at_random(&mut self, first: u32, random: &mut Random) -> Queue {
        random.shuffle(&mut self.columns[first as usize..]);
        let rows = first..self.columns.len() as u32;
        for row in rows.clone() {
            self.add(row, self.columns[row as usize]);
        }
        let mut queue = Queue::default();
        for row in rows {
            queue.push(row, self.attacks(row));
        }
        queue
    }

    /// Swaps until no queen is attacked. Returns false if it has tried so many swaps in vain that none seems to help.
    fn repair(
        &mut self,
        queue: &mut Queue,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<bool, LimitReached> {
        let n = self.columns.len() as u32;
        let max_failed_swaps = 100 + 10 * u64::from(n);
        let mut failed_swaps = 0;
        while let Some(row) = queue.pop() {
            if self.attacks(row) == 0 {
                continue;
            }
            let other = loop {
                budget.count_step()?;
                let other = random.below(n);
                if self.swap_if_better(row, other) {
                    break other;
                }
                failed_swaps += 1;
                if failed_swaps > max_failed_swaps {
                    return Ok(false);
                }
            };
            failed_swaps = 0;
            queue.push(row, self.attacks(row));
            queue.push(other, self.attacks(other));
        }
        Ok(true)
    }

    /// The number of other queens on the diagonals of this row's queen, including those behind other queens.
    fn attacks(&self, row: u32) -> u32 {
        let (rising, falling) = self.diagonals(row, self.columns[row as usize]);
        u32::from(self.rising[rising]) + u32::from(self.falling[falling]) - 2
    }

    /// Swaps the columns of two rows if that lowers the number of attacks.
    fn swap_if_better(&mut self, row: u32, other: u32) -> bool {
        if row == other {
            return false;
        }
        let a = self.columns[row as usize];
        let b = self.columns[other as usize];
        let attacks_before = self.remove(row, a) + self.remove(other, b);
        let attacks_after = self.add(row, b) + self.add(other, a);
        if attacks_after < attacks_before {
            self.columns.swap(row as usize, other as usize);
            return true;
        }
        self.remove(row, b);
        self.remove(other, a);
        self.add(row, a);
        self.add(other, b);
        false
    }

    /// Adds a queen. Returns the number of other queens on its diagonals.
    fn add(&mut self, row: u32, column: u32) -> u32 {
        let (rising, falling) = self.diagonals(row, column);
        let others = u32::from(self.rising[rising]) + u32::from(self.falling[falling]);
        self.rising[rising] += 1;
        self.falling[falling] += 1;
        others
    }

    /// Removes a queen. Returns the number of other queens on its diagonals.
    fn remove(&mut self, row: u32, column: u32) -> u32 {
        let (rising, falling) = self.diagonals(row, column);
        self.rising[rising] -= 1;
        self.falling[falling] -= 1;
        u32::from(self.rising[rising]) + u32::from(self.falling[falling])
    }
}

// Conflict repair in its simplest form: sweeps over the board move each queen to a best square.

/// A solution by repairing a random board. The board must have a solution, otherwise this never ends.
///
/// A sweep moves every queen, row by row, to a square of its row with the fewest attackers, to a
/// random one if there are several. If a sweep ends in the same board as an earlier one, the search
/// starts again from another random board.
pub(super) fn repair(
    n: u32,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Placement, LimitReached> {
    loop {
        let mut board = CountedBoard::at_random(n, random);
        let mut fingerprints = HashSet::new();
        loop {
            if !board.is_attacked() {
                return Ok(Placement::new(board.columns));
            }
            if !fingerprints.insert(board.fingerprint()) {
                break;
            }
            for row in 0..n as usize {
                budget.count_step()?;
                // The row is read for the fewest attackers, and again for the squares that have as few.
                budget.count_reads(2 * u64::from(n))?;
                board.move_to_best(row, random);
            }
        }
        budget.count_restart()?;
    }
}

/// A board with a queen in each row, and the number of queens on each other line.
struct CountedBoard {
    /// The column of each row's queen.
    columns: Vec<u32>,
    /// The number of queens in each column.
    in_column: Vec<u32>,
    /// The number of queens on each rising diagonal, by row + column.
    rising: Vec<u32>,
    /// The number of queens on each falling diagonal, by n + row - column.
    falling: Vec<u32>,
    /// Working memory of [`move_to_best`](Self::move_to_best): the columns of a row with the fewest attackers.
    best: Vec<u32>,
}

impl CountedBoard {
    fn at_random(n: u32, random: &mut Random) -> Self {
        let len = n as usize;
        let mut board = CountedBoard {
            columns: (0..n).map(|_| random.below(n)).collect(),
            in_column: vec![0; len],
            rising: vec![0; 2 * len],
            falling: vec![0; 2 * len],
            best: Vec::new(),
        };
        for row in 0..len {
            board.add(row);
        }
        board
    }

    /// The counts of the three lines that the queen of `row` is on.
    fn counts_of_lines(&mut self, row: usize) -> [&mut u32; 3] {
        let column = self.columns[row] as usize;
        let falling = row + self.columns.len() - column;
        [&mut self.in_column[column], &mut self.rising[row + column], &mut self.falling[falling]]
    }

    fn add(&mut self, row: usize) {
        self.counts_of_lines(row).into_iter().for_each(|count| *count += 1);
    }

    fn remove(&mut self, row: usize) {
        self.counts_of_lines(row).into_iter().for_each(|count| *count -= 1);
    }

    fn move_to_best(&mut self, row: usize, random: &mut Random) {
        self.remove(row);
        let n = self.columns.len();
        // The diagonals of the row's squares: rising ones from left to right, falling ones from right to left.
        let rising = &self.rising[row..row + n];
        let falling = &self.falling[row + 1..=row + n];
        let attackers =
            |column: usize| self.in_column[column] + rising[column] + falling[n - 1 - column];
        let fewest = (0..n).map(attackers).min().unwrap_or(0);
        self.best.clear();
        self.best.extend((0..n as u32).filter(|&column| attackers(column as usize) == fewest));
        self.columns[row] = self.best[random.below(self.best.len() as u32) as usize];
        self.add(row);
    }

    fn is_attacked(&self) -> bool {
        [&self.in_column, &self.rising, &self.falling].into_iter().flatten().any(|&count| count > 1)
    }

    /// A hash of the whole board. Two boards with equal hashes only cause a needless restart.
    fn fingerprint(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.columns.hash(&mut hasher);
        hasher.finish()
    }
}

// The columns and diagonals that hold a queen, as bits, for boards of any size. The free squares of a row are read
// 64 at a time.
//
// A board of n has n columns, 2n - 1 rising diagonals (row + column) and 2n - 1 falling ones
// (column - row + n - 1). In this order, the rising diagonals that cross row r are n neighbouring bits, and so
// are the falling ones. So for every 64 columns, the free squares of a row take three shifted reads and two ORs:
//
// ```text
// free(r, c) = !columns[c] & !rising[r + c] & !falling[n - 1 - r + c]
// ```

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
mod occupied_tests {
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
