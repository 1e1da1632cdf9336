//! A grid with the candidates of its cells, each fact with the step that established it.

use super::{Conclusion, Contradiction, Deduction, Fact, Flaw};
use crate::trace::sudoku::Entry;
use tallyboard_sudoku::{CELLS, Cell, Grid, House};

/// The next step in a grid.
pub enum NextStep {
    /// The easiest deduction.
    Deduction(Deduction),
    Contradiction(Contradiction),
    /// Every cell is filled.
    Full,
    /// There is no deduction.
    Stuck,
}

/// A grid in the middle of an explanation.
#[derive(Clone)]
pub struct State {
    digits: [u8; CELLS],
    /// The steps that filled the cells; `None` for given and empty ones.
    filled_by: [Option<usize>; CELLS],
    /// The digits that empty cells may have: bit d for digit d.
    candidates: [u16; CELLS],
    /// The steps that struck digits out of cells.
    struck_by: [[Option<usize>; 10]; CELLS],
}

/// All houses in the order in which people look at them: boxes, rows, columns.
fn boxes_first() -> impl Iterator<Item = House> {
    /// Rows and columns, which come first in [`House::all`].
    const LINES: usize = 18;
    House::all().skip(LINES).chain(House::all().take(LINES))
}

impl State {
    /// The state of a puzzle before the first step.
    pub fn new(puzzle: &Grid) -> Self {
        let mut state = Self {
            digits: [0; CELLS],
            filled_by: [None; CELLS],
            candidates: [0b11_1111_1110; CELLS],
            struck_by: [[None; 10]; CELLS],
        };
        for (cell, &digit) in Cell::all().zip(puzzle.cells()) {
            if digit != 0 {
                state.put(cell, digit, None);
            }
        }
        state
    }

    /// The digits that a cell may have: bit d for digit d; none if it is filled.
    pub fn candidates(&self, cell: Cell) -> u16 {
        self.candidates[cell.index()]
    }

    /// Whether an empty cell may have a digit.
    pub fn can_be(&self, cell: Cell, digit: u8) -> bool {
        self.candidates(cell) >> digit & 1 != 0
    }

    /// Applies the conclusion of the step with this number to the grid.
    pub fn apply(&mut self, conclusion: &Conclusion, number: usize) {
        if let Some(Entry { cell, digit }) = conclusion.filled() {
            self.put(cell, digit, Some(number));
        }
        if let Some((cells, digit)) = conclusion.struck() {
            for cell in cells {
                self.candidates[cell.index()] &= !(1 << digit);
                self.struck_by[cell.index()][usize::from(digit)].get_or_insert(number);
            }
        }
    }

    /// Fills a cell. `step` is the number of the step that does so; `None` for a given.
    fn put(&mut self, cell: Cell, digit: u8, step: Option<usize>) {
        self.digits[cell.index()] = digit;
        self.filled_by[cell.index()] = step;
        self.candidates[cell.index()] = 0;
        for peer in cell.peers() {
            self.candidates[peer.index()] &= !(1 << digit);
        }
    }

    fn is_blank(&self, cell: Cell) -> bool {
        self.digits[cell.index()] == 0
    }

    /// The next step: a contradiction before any deduction, naked singles before hidden ones, boxes
    /// before rows and columns, locked candidates last.
    pub fn next(&self) -> NextStep {
        if Cell::all().all(|cell| !self.is_blank(cell)) {
            return NextStep::Full;
        }
        if let Some(contradiction) = self.contradiction() {
            return NextStep::Contradiction(contradiction);
        }
        let single = self.naked_single().or_else(|| self.hidden_single());
        single.or_else(|| self.locked_candidates()).map_or(NextStep::Stuck, NextStep::Deduction)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let mut blanks = Cell::all().filter(|&cell| self.is_blank(cell));
        if let Some(cell) = blanks.find(|&cell| self.candidates(cell) == 0) {
            let because = (1..=9).map(|digit| self.why_not(cell, digit)).collect();
            return Some(Contradiction { flaw: Flaw::NoDigit(cell), because });
        }
        House::all().find_map(|house| {
            let cells = house.cells();
            let possible = cells.fold(0, |possible, cell| {
                possible | self.candidates(cell) | 1 << self.digits[cell.index()]
            });
            let digit = (1..=9).find(|digit| possible >> digit & 1 == 0)?;
            let because = house.cells().map(|cell| self.why_not(cell, digit)).collect();
            Some(Contradiction { flaw: Flaw::NoPlace { house, digit }, because })
        })
    }

    fn naked_single(&self) -> Option<Deduction> {
        let cell = Cell::all().find(|&cell| self.candidates(cell).is_power_of_two())?;
        let digit = self.candidates(cell).trailing_zeros() as u8;
        let others = (1..=9).filter(|&other| other != digit);
        let because = others.map(|other| self.why_not(cell, other)).collect();
        Some(Deduction { conclusion: Conclusion::NakedSingle(Entry { cell, digit }), because })
    }

    fn hidden_single(&self) -> Option<Deduction> {
        boxes_first().find_map(|house| {
            // The digits with at least one place, and those with at least two.
            let mut once = 0;
            let mut twice = 0;
            for cell in house.cells() {
                twice |= once & self.candidates(cell);
                once |= self.candidates(cell);
            }
            let singles = once & !twice;
            let digit = (1..=9).find(|digit| singles >> digit & 1 != 0)?;
            let cell = house.cells().find(|&cell| self.can_be(cell, digit))?;
            let others = house.cells().filter(|&other| other != cell);
            let because = others.map(|other| self.why_not(other, digit)).collect();
            let conclusion = Conclusion::HiddenSingle(Entry { cell, digit }, house);
            Some(Deduction { conclusion, because })
        })
    }

    fn locked_candidates(&self) -> Option<Deduction> {
        let mut pairs = boxes_first().flat_map(|from| (1..=9).map(move |digit| (from, digit)));
        pairs.find_map(|(from, digit)| self.locked_candidates_of(from, digit))
    }

    /// The locked candidates of a digit in the house `from`, if another house loses the digit by them.
    fn locked_candidates_of(&self, from: House, digit: u8) -> Option<Deduction> {
        let places: Vec<Cell> = from.cells().filter(|&cell| self.can_be(cell, digit)).collect();
        let shared = places.first()?.houses().into_iter().filter(|&house| house != from);
        let mut shared =
            shared.filter(|house| places.iter().all(|place| place.houses().contains(house)));
        shared.find_map(|to| {
            let outside = to.cells().filter(|cell| !cell.houses().contains(&from));
            let struck: Vec<Cell> = outside.filter(|&cell| self.can_be(cell, digit)).collect();
            if struck.is_empty() {
                return None;
            }
            let others = from.cells().filter(|cell| !places.contains(cell));
            let because = others.map(|cell| self.why_not(cell, digit)).collect();
            let places = places.clone();
            let conclusion = Conclusion::LockedCandidates { digit, from, to, places, struck };
            Some(Deduction { conclusion, because })
        })
    }

    /// The fact that a cell has its digit.
    fn digit_of(&self, cell: Cell) -> Fact {
        Fact {
            cell: Some(cell),
            digit: self.digits[cell.index()],
            step: self.filled_by[cell.index()],
        }
    }

    /// Why a cell does not have a digit: its own digit, or the first peer or step that takes the digit from it.
    fn why_not(&self, cell: Cell, digit: u8) -> Fact {
        if !self.is_blank(cell) {
            return self.digit_of(cell);
        }
        let holders = cell.peers().filter(|peer| self.digits[peer.index()] == digit);
        let holders = holders.map(|peer| self.digit_of(peer));
        let struck = self.struck_by[cell.index()][usize::from(digit)];
        let struck = struck.map(|step| Fact { cell: None, digit, step: Some(step) });
        let first = holders.chain(struck).min_by_key(|fact| fact.step);
        first.expect("a digit is taken from a cell by a cell that holds it or by a step")
    }
}
