//! A board as clauses: whether a position has a solution, told by a search that learns from conflicts.
//!
//! The rules hold together in ways that no line shows alone: as many regions as rows within some rows, or shapes that hold too few
//! stars. A search that sees lines alone fails at them again and again, and needs millions of guesses where three or more stars are
//! in a line. Here each failure leaves a clause, and the next position is asked of the same clauses. They also count what no clause
//! of cells tells soon: squares of two by two cells, which have at most one star, in two lines next to each other and in regions.

use std::collections::BTreeMap;

use tallyboard_search::clauses::{Clauses, Found, Literal};
use tallyboard_search::{Stop, Stopped};

use crate::board::{Row, full_row};
use crate::position::{Layout, Position};

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
        let Writer { clauses, cells, size, .. } = Writer::of(layout);
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

/// The clauses of a board that are being made.
struct Writer {
    clauses: Clauses,
    size: usize,
    stars: usize,
    cells: Vec<Literal>,
}

impl Writer {
    /// All rules of a board with these regions.
    fn of(layout: &Layout) -> Self {
        let (size, stars) = (layout.size, layout.stars as usize);
        let mut clauses = Clauses::new();
        let cells = (0..size * size).map(|_| clauses.variable()).collect();
        let mut writer = Self { clauses, size, stars, cells };
        writer.add_neighbours();
        let cells = &writer.cells;
        let rows: Vec<Vec<Literal>> = cells.chunks(size).map(<[Literal]>::to_vec).collect();
        let column = |column: usize| rows.iter().map(|row| row[column]).collect();
        let columns: Vec<Vec<Literal>> = (0..size).map(column).collect();
        writer.add_lines(&rows);
        writer.add_lines(&columns);
        for region in 0..size {
            writer.add_region(layout.region(region));
        }
        writer
    }

    /// Stars do not touch.
    fn add_neighbours(&mut self) {
        let size = self.size;
        for cell in 0..size * size {
            let (row, column) = (cell / size, cell % size);
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, usize::MAX)] {
                let (row, column) = (row + down, column.wrapping_add(right));
                if row < size && column < size {
                    self.clauses.add(&[!self.cells[cell], !self.cells[row * size + column]]);
                }
            }
        }
    }

    /// All rows, or all columns. Two next to each other are a line, too, of pairs of cells with at most one star each, of which no
    /// two touching ones have one: where lines have many stars, there is hardly a pair to spare.
    fn add_lines(&mut self, lines: &[Vec<Literal>]) {
        for line in lines {
            self.clauses.exactly_apart(line, self.stars);
        }
        if self.stars == 1 {
            return;
        }
        for two in lines.windows(2) {
            let pairs = two[0].iter().zip(&two[1]);
            let pairs: Vec<Literal> = pairs.map(|(&a, &b)| self.any(&[a, b])).collect();
            for touching in pairs.windows(2) {
                self.clauses.add(&[!touching[0], !touching[1]]);
            }
            self.clauses.exactly_apart(&pairs, 2 * self.stars);
        }
    }

    /// The cells of a region, a set of columns for each row. Where it has several stars, these are counted by squares of two by two
    /// cells, which have at most one each, for each of the four ways to cut the board into such squares.
    fn add_region(&mut self, region: &[u32]) {
        let size = self.size;
        let is_within = |cell: &usize| region[cell / size] >> (cell % size) & 1 == 1;
        let cells: Vec<usize> = (0..size * size).filter(is_within).collect();
        if self.stars == 1 {
            let literals: Vec<Literal> = cells.iter().map(|&cell| self.cells[cell]).collect();
            return self.clauses.exactly(&literals, 1);
        }
        for (down, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut squares: BTreeMap<(usize, usize), Vec<Literal>> = BTreeMap::new();
            for &cell in &cells {
                let square = ((cell / size + down) / 2, (cell % size + right) / 2);
                squares.entry(square).or_default().push(self.cells[cell]);
            }
            let squares: Vec<Literal> = squares.values().map(|square| self.any(square)).collect();
            self.clauses.exactly(&squares, self.stars);
        }
    }

    /// A literal that is true if and only if one of these is.
    fn any(&mut self, literals: &[Literal]) -> Literal {
        if let &[literal] = literals {
            return literal;
        }
        let any = self.clauses.variable();
        for &literal in literals {
            self.clauses.add(&[any, !literal]);
        }
        let clause: Vec<Literal> = literals.iter().copied().chain([!any]).collect();
        self.clauses.add(&clause);
        any
    }
}
