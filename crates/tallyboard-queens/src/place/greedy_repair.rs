//! Greedy repair: swaps the columns of an attacked queen and another queen if that lowers the number of attacks.
//!
//! The columns always are a permutation, so only diagonals matter. The numbers of queens on the
//! diagonals tell in O(1) what a swap would change. Attacked queens wait in a queue, the most
//! attacked first. For the queen taken from it, random partners are tried until a swap lowers the
//! number of attacks. After Sosic and Gu, *Efficient local search with conflict minimization* (IEEE
//! TKDE 6, 1994).

use super::budget::{Budget, LimitReached};
use super::{Placement, Random};

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
