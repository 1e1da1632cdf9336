//! All solutions of a board, one after the other.
//!
//! The order is that of a search in which each guess comes with the star first. Where this search fails for long, the clauses of
//! the board tell which of its positions have a solution, and the others are left out: that changes no order.

use tallyboard_search::clauses::Found;
use tallyboard_search::{Stop, Stopped};

use crate::board::{Board, Row};
use crate::clauses::BoardClauses;
use crate::position::{Layout, Position, Verdict};

/// The solutions of a board, each a set of columns for each row, in an order that depends on the board alone.
///
/// ```
/// use tallyboard_regions::{Board, Solutions};
///
/// let board = Board::new(&[0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3], 1)?;
/// let all: Vec<Vec<u32>> = Solutions::new(&board).collect();
/// assert_eq!(all, [[0b0010, 0b1000, 0b0001, 0b0100]]);
/// # Ok::<(), tallyboard_regions::BoardError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solutions(Search);

/// Dead ends one after the other before the clauses are asked.
pub const PATIENCE: u64 = 50;

impl Solutions {
    /// The solutions of `board`.
    pub fn new(board: &Board) -> Self {
        Self::with_patience(board, PATIENCE)
    }

    /// [`new`](Self::new), but the clauses are asked after so many dead ends one after the other.
    #[doc(hidden)]
    pub fn with_patience(board: &Board, patience: u64) -> Self {
        Self(Search::new(Layout::new(board), vec![Position::new(board)], patience))
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        match self.0.next(u64::MAX, &Stop::new()) {
            Ok(Step::Solution(stars)) => Some(stars),
            _ => None,
        }
    }
}

/// What a search came to.
#[derive(Debug)]
pub enum Step {
    /// The next solution: the stars of each row.
    Solution(Vec<u32>),
    /// There are no more.
    End,
    /// The next guess would be one too many.
    GivenUp,
}

/// A search from one position.
#[derive(Debug, Clone)]
pub struct Search {
    layout: Layout,
    /// What is left to be searched, the next last.
    open: Vec<Position>,
    /// Dead ends since the last solution.
    failures: u64,
    /// The dead ends after which the clauses are asked.
    patience: u64,
    /// The clauses of the board, once they were needed.
    pub clauses: Option<BoardClauses>,
    guesses: u64,
}

impl Search {
    /// A search below these positions, the last one first. It asks the clauses after so many dead ends one after the other.
    pub fn new(layout: Layout, open: Vec<Position>, patience: u64) -> Self {
        Self { layout, open, failures: 0, patience, clauses: None, guesses: 0 }
    }

    /// Searches for the next solution, while there are at most so many guesses in all.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn next(&mut self, most_guesses: u64, stop: &Stop) -> Result<Step, Stopped> {
        while let Some(mut position) = self.open.pop() {
            stop.check()?;
            let verdict = position.deduce(&self.layout);
            if verdict != Verdict::Dead && self.failures >= self.patience {
                match self.ask(&position, most_guesses, stop)? {
                    Found::Model => {}
                    Found::None => continue,
                    Found::GivenUp => return Ok(Step::GivenUp),
                }
            }
            match verdict {
                Verdict::Dead => self.failures += 1,
                Verdict::Solved => {
                    self.failures = 0;
                    return Ok(Step::Solution(position.stars()));
                }
                Verdict::Open if self.guesses() >= most_guesses => return Ok(Step::GivenUp),
                Verdict::Open => {
                    self.guesses += 1;
                    let [with, without] = position.branch(&self.layout);
                    self.open.extend([without, with]);
                }
            }
        }
        Ok(Step::End)
    }

    /// Asks the clauses whether a position has a solution, and at first for all solutions.
    fn ask(
        &mut self,
        position: &Position,
        most_guesses: u64,
        stop: &Stop,
    ) -> Result<Found, Stopped> {
        let left = |clauses: &BoardClauses| {
            most_guesses.saturating_sub(self.guesses.saturating_add(clauses.guesses()))
        };
        let clauses = match &mut self.clauses {
            Some(clauses) => clauses,
            none => {
                let rows = hull(position, &self.open);
                let clauses = none.insert(BoardClauses::new(&self.layout, &rows));
                clauses.complete(left(clauses), stop)?;
                clauses
            }
        };
        clauses.ask(position, left(clauses), stop)
    }

    /// The cells that were tried so far because nothing else was left, here and in the clauses.
    pub fn guesses(&self) -> u64 {
        self.guesses + self.clauses.as_ref().map_or(0, BoardClauses::guesses)
    }
}

/// What holds for a position and all others: the cells that may have a star in any, and those that have one in each.
fn hull(position: &Position, others: &[Position]) -> Box<[Row]> {
    let mut rows = position.rows.clone();
    for other in others {
        for (row, other) in rows.iter_mut().zip(&other.rows) {
            row.possible |= other.possible;
            row.stars &= other.stars;
        }
    }
    rows
}
