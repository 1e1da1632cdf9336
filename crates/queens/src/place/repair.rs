//! Conflict repair in its simplest form: sweeps over the board move each queen to a best square.

use std::collections::HashSet;

use super::budget::{Budget, LimitReached};
use super::{Placement, Random};

/// A solution by repairing a random board. The board must have a solution, otherwise this never ends.
///
/// A sweep moves every queen, row by row, to a square of its row with the fewest attackers, to a
/// random one if there are several. If a sweep ends in a board that was seen before, the search
/// starts again from another random board.
pub(super) fn repair(
    n: u32,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Placement, LimitReached> {
    loop {
        let mut attackers = Attackers::at_random(n, random);
        let mut seen = HashSet::new();
        while attackers.is_attacked() {
            if !seen.insert(attackers.fingerprint()) {
                break;
            }
            for row in 0..n as usize {
                budget.step()?;
                budget.work(2 * u64::from(n))?;
                attackers.move_to_best(row, random);
            }
        }
        if !attackers.is_attacked() {
            return Ok(Placement::new(attackers.columns));
        }
        budget.restart()?;
    }
}

/// The queens, and the number of queens on each line.
struct Attackers {
    columns: Vec<u32>,
    in_column: Vec<u32>,
    rising: Vec<u32>,
    falling: Vec<u32>,
    /// The squares of a row with the fewest attackers; kept to save an allocation for each move.
    best: Vec<u32>,
}

impl Attackers {
    fn at_random(n: u32, random: &mut Random) -> Self {
        let len = n as usize;
        let mut attackers = Attackers {
            columns: (0..n).map(|_| random.below(n)).collect(),
            in_column: vec![0; len],
            rising: vec![0; 2 * len],
            falling: vec![0; 2 * len],
            best: Vec::new(),
        };
        for row in 0..len {
            attackers.count(row, 1);
        }
        attackers
    }

    /// Adds (1) or removes (`u32::MAX`, which wraps to -1) the queen of a row.
    fn count(&mut self, row: usize, change: u32) {
        let column = self.columns[row] as usize;
        let falling = row + self.columns.len() - column;
        for count in [
            &mut self.in_column[column],
            &mut self.rising[row + column],
            &mut self.falling[falling],
        ] {
            *count = count.wrapping_add(change);
        }
    }

    fn move_to_best(&mut self, row: usize, random: &mut Random) {
        self.count(row, u32::MAX);
        let n = self.columns.len();
        let rising = &self.rising[row..row + n];
        let falling = &self.falling[row + 1..=row + n];
        let attackers =
            |column: usize| self.in_column[column] + rising[column] + falling[n - 1 - column];
        let least = (0..n).map(attackers).min().unwrap_or(0);
        self.best.clear();
        self.best.extend((0..n as u32).filter(|&column| attackers(column as usize) == least));
        self.columns[row] = self.best[random.below(self.best.len() as u32) as usize];
        self.count(row, 1);
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
