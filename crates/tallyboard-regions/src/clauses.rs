//! A board as clauses: whether a position has a solution, told by a search that learns from conflicts.
//!
//! The rules hold together in ways that no line shows alone: as many regions as rows within some rows, or shapes that hold too few
//! stars. A search that sees lines alone fails at them again and again, and needs millions of guesses where three or more stars are
//! in a line. Here each failure leaves a clause, and the next position is asked of the same clauses.

use tallyboard_search::clauses::{Clauses, Found, Literal};
use tallyboard_search::{Stop, Stopped};

use crate::board::{Row, full_row};
use crate::position::{Layout, Position, for_each_line};

/// The solutions that [`BoardClauses::complete`] looks for.
const FEW: usize = 64;
/// The solutions that are kept, each of which every question looks at.
const MOST_KNOWN: usize = 1_024;

/// The rules of a board as clauses.
#[derive(Debug, Clone)]
pub struct BoardClauses {
    clauses: Clauses,
    size: usize,
    /// The literal that a cell has a star, row by row.
    cells: Vec<Literal>,
    /// Solutions that were found. The clauses exclude them, so that they are not found again.
    known: Vec<Vec<u32>>,
    /// Whether there are no others.
    is_complete: bool,
}

impl BoardClauses {
    /// The rules of a board with these regions, and what is known of its rows: all positions that are asked of lie within.
    pub fn new(layout: &Layout, rows: &[Row]) -> Self {
        let size = layout.size;
        let mut clauses = Clauses::new();
        let cells: Vec<Literal> = (0..size * size).map(|_| clauses.variable()).collect();
        for cell in 0..size * size {
            let (row, column) = (cell / size, cell % size);
            let beside = [(0, 1), (1, 0), (1, 1), (1, usize::MAX)];
            for (down, right) in beside {
                let (row, column) = (row + down, column.wrapping_add(right));
                if row < size && column < size {
                    clauses.add(&[!cells[cell], !cells[row * size + column]]);
                }
            }
        }
        for_each_line(layout, |line| {
            let on_line = |cell: &usize| line[cell / size] >> (cell % size) & 1 == 1;
            let own: Vec<Literal> =
                (0..size * size).filter(on_line).map(|cell| cells[cell]).collect();
            clauses.exactly(&own, layout.stars as usize);
            true
        });
        let mut board = Self { clauses, size, cells, known: Vec::new(), is_complete: false };
        for literal in board.literals(rows) {
            board.clauses.add(&[literal]);
        }
        board
    }

    /// Looks for all solutions, as long as there are few, by at most so many guesses.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn complete(&mut self, guesses: u64, stop: &Stop) -> Result<(), Stopped> {
        let most = self.guesses().saturating_add(guesses);
        while !self.is_complete && self.known.len() < FEW {
            match self.clauses.solve(&[], most.saturating_sub(self.guesses()), stop)? {
                Found::Model => self.keep_model(),
                Found::None => self.is_complete = true,
                Found::GivenUp => break,
            }
        }
        Ok(())
    }

    /// Whether a position has a solution, if that is known.
    pub fn knows(&self, position: &Position) -> Option<bool> {
        let is_within = |stars: &Vec<u32>| {
            let mut rows = position.rows.iter().zip(stars);
            rows.all(|(row, &stars)| stars & !row.possible == 0 && row.stars & !stars == 0)
        };
        if self.known.iter().any(is_within) {
            return Some(true);
        }
        self.is_complete.then_some(false)
    }

    /// Whether a position has a solution, by at most so many guesses.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn ask(
        &mut self,
        position: &Position,
        guesses: u64,
        stop: &Stop,
    ) -> Result<Found, Stopped> {
        if let Some(has_solution) = self.knows(position) {
            return Ok(if has_solution { Found::Model } else { Found::None });
        }
        let found = self.clauses.solve(&self.literals(&position.rows), guesses, stop)?;
        if found == Found::Model && self.known.len() < MOST_KNOWN {
            self.keep_model();
        }
        Ok(found)
    }

    /// What is known of rows, as literals.
    fn literals(&self, rows: &[Row]) -> Vec<Literal> {
        let size = self.size;
        let mut literals = Vec::with_capacity(size * size);
        // Stars come first: most of the cells that are crossed out follow from them.
        for is_star in [true, false] {
            for row in 0..size {
                let excluded = full_row(size) & !rows[row].possible;
                let cells = if is_star { rows[row].stars } else { excluded };
                for column in (0..size).filter(|column| cells >> column & 1 == 1) {
                    let literal = self.cells[row * size + column];
                    literals.push(if is_star { literal } else { !literal });
                }
            }
        }
        literals
    }

    /// Keeps the latest model, and excludes it from then on.
    fn keep_model(&mut self) {
        let size = self.size;
        let mut stars = vec![0; size];
        let mut other = Vec::new();
        for (cell, &literal) in self.cells.iter().enumerate() {
            if self.clauses.value(literal) {
                stars[cell / size] |= 1 << (cell % size);
                other.push(!literal);
            }
        }
        self.clauses.add(&other);
        self.known.push(stars);
    }

    /// Whether all solutions are known.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The guesses of all questions so far.
    pub fn guesses(&self) -> u64 {
        self.clauses.decisions()
    }
}
