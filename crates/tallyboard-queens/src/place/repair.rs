//! Conflict repair in its simplest form: sweeps over the board move each queen to a best square.

use std::collections::HashSet;

use super::budget::{Budget, LimitReached};
use super::{Placement, Random};

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
