//! Counting a board as a [`Problem`]: the first placements become subtrees.

use std::fmt;

use super::kernel::textbook::{self, Start};
use super::{Board, BoardError};
use crate::search::{Problem, Stop, Stopped, Tally};

/// How a board is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The recursive bitmask backtracker of the textbooks: the ruler.
    Textbook,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Textbook => "textbook",
        })
    }
}

/// The exact count of all solutions of a board.
#[derive(Debug, Clone)]
pub struct Count {
    board: Board,
    engine: Engine,
}

/// The solutions that begin with given queens in the first rows.
#[derive(Debug, Clone)]
pub struct Subtree {
    start: Start,
    /// How many solutions each solution of the subtree stands for.
    weight: u64,
}

impl Count {
    /// Counts `board` with the fastest engine for it.
    ///
    /// # Errors
    /// None at present: every board has an engine.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        Ok(Self { board, engine: Engine::Textbook })
    }

    /// The engine that counts.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The name of the kernel that runs on this machine.
    pub fn kernel(&self) -> &'static str {
        "portable"
    }

    /// The board that is counted.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Problem for Count {
    type Subtree = Subtree;

    fn identity(&self) -> String {
        format!("queens n={} engine={} layout=1", self.board.n(), self.engine)
    }

    /// Every way to fill the first three rows; of two mirror images only the one whose first queen
    /// stands further to the right, with weight 2.
    fn split(&self) -> Vec<Subtree> {
        let (n, full) = (self.board.n(), self.board.full());
        let half = full >> n.div_ceil(2);
        let middle = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
        let mut subtrees = Vec::new();
        for first in textbook::bits(half | middle) {
            let weight = if first == middle { 1 } else { 2 };
            extend(Start::empty(n).place(first), full, 3.min(n) - 1, &mut |start| {
                subtrees.push(Subtree { start, weight });
            });
        }
        subtrees
    }

    fn cost(&self, subtree: &Subtree) -> u64 {
        1 + u64::from(subtree.start.free(self.board.full()).count_ones())
    }

    fn count(&self, subtree: &Subtree, stop: &Stop) -> Result<Tally, Stopped> {
        let solutions = textbook::count(subtree.start, self.board.full(), stop)?;
        Ok(Tally::new(u128::from(solutions) * u128::from(subtree.weight)))
    }
}

/// Calls `found` with every way to fill the next `rows` rows.
fn extend(start: Start, full: u32, rows: u32, found: &mut impl FnMut(Start)) {
    if rows == 0 {
        return found(start);
    }
    for square in textbook::bits(start.free(full)) {
        extend(start.place(square), full, rows - 1, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::known;
    use crate::search::{Options, Silent, run};

    #[test]
    fn counts_small_boards_on_any_number_of_threads() {
        for n in 1..=11 {
            for threads in [1, 2, 3, 8] {
                let problem = Count::new(Board::plain(n).unwrap()).unwrap();
                let options = Options { threads, ..Options::default() };
                let outcome = run(&problem, &options, &mut Silent).unwrap();
                assert_eq!(Some(outcome.tally.solutions()), known::solutions(n), "n = {n}");
                assert!(outcome.complete);
            }
        }
    }
}
