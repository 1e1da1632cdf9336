//! A backtracker for one grid: 9-bit candidate masks for rows, columns and boxes.
//!
//! Every row, column and box keeps a mask of the digits it still needs; the candidates of a cell
//! are the digits that its three houses all need. Naked singles are filled until none is left,
//! then the search branches on the cell with the fewest candidates, smallest digit first.

use crate::search::{Stop, Stopped};
use crate::sudoku::{Answer, CELLS, Grid};

const ALL_DIGITS: u16 = 0x1ff;

/// How many branchings pass between two looks at the stop flag.
const POLL_INTERVAL: u32 = 1 << 12;

/// A partly filled grid.
#[derive(Clone)]
pub struct State {
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    cells: [u8; CELLS],
    /// The blank cells; those from `filled` on are still blank.
    order: [u8; CELLS],
    blanks: usize,
}

/// What the search does with a solution: whether it goes on.
pub trait Sink {
    /// Takes a solution; false ends the search.
    fn found(&mut self, solution: &Grid) -> bool;
}

impl State {
    /// The state of `grid` before the search; `None` if two givens clash, so that the grid has no
    /// solution.
    pub fn new(grid: &Grid) -> Option<Self> {
        let mut state = Self {
            rows: [ALL_DIGITS; 9],
            columns: [ALL_DIGITS; 9],
            boxes: [ALL_DIGITS; 9],
            cells: [0; CELLS],
            order: [0; CELLS],
            blanks: 0,
        };
        for (index, &digit) in grid.cells().iter().enumerate() {
            if digit == 0 {
                state.order[state.blanks] = index as u8;
                state.blanks += 1;
            } else {
                let bit = 1 << (digit - 1);
                if state.candidates(index) & bit == 0 {
                    return None;
                }
                state.put(index, bit);
            }
        }
        Some(state)
    }

    fn candidates(&self, cell: usize) -> u16 {
        self.rows[cell / 9] & self.columns[cell % 9] & self.boxes[box_of(cell)]
    }

    fn put(&mut self, cell: usize, bit: u16) {
        self.rows[cell / 9] ^= bit;
        self.columns[cell % 9] ^= bit;
        self.boxes[box_of(cell)] ^= bit;
        self.cells[cell] = bit.trailing_zeros() as u8 + 1;
    }

    fn fill(&mut self, position: usize, bit: u16) {
        let cell = self.order[position];
        self.blanks -= 1;
        self.order[position] = self.order[self.blanks];
        self.put(cell.into(), bit);
    }

    /// Fills naked singles until there are none.
    pub fn propagate(&mut self) -> Step {
        'again: loop {
            let mut fewest = Choice { position: 0, candidates: 0, count: u32::MAX };
            for position in 0..self.blanks {
                let candidates = self.candidates(self.order[position].into());
                match candidates.count_ones() {
                    0 => return Step::Dead,
                    1 => {
                        self.fill(position, candidates);
                        continue 'again;
                    }
                    count if count < fewest.count => {
                        fewest = Choice { position, candidates, count };
                    }
                    _ => {}
                }
            }
            return if self.blanks == 0 { Step::Solved } else { Step::Branch(fewest) };
        }
    }

    /// The states that follow from each candidate of a branching cell, smallest digit first.
    pub fn children(&self, choice: Choice) -> impl Iterator<Item = Self> + '_ {
        (0..9).map(|digit| 1 << digit).filter(move |bit| choice.candidates & bit != 0).map(
            move |bit| {
                let mut child = self.clone();
                child.fill(choice.position, bit);
                child
            },
        )
    }

    /// The grid as it is filled so far.
    pub fn grid(&self) -> Grid {
        Grid::new(self.cells).expect("every cell is a digit")
    }

    /// The number of blank cells.
    pub fn blanks(&self) -> usize {
        self.blanks
    }
}

/// What is left after the naked singles.
pub enum Step {
    /// A cell has no candidate.
    Dead,
    /// Every cell is filled.
    Solved,
    /// The cell with the fewest candidates.
    Branch(Choice),
}

/// A cell to branch on.
#[derive(Clone, Copy)]
pub struct Choice {
    position: usize,
    candidates: u16,
    count: u32,
}

fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// Solves `grid`, counting up to `limit` solutions.
pub fn solve(grid: &Grid, limit: u64) -> Answer {
    let mut answer = Answer::default();
    let Some(state) = State::new(grid) else { return answer };
    if limit > 0 {
        // Nobody raises this flag, and a search that was not stopped has nothing to report.
        let _ = search(state, &mut FirstOf { answer: &mut answer, limit }, &Stop::new());
    }
    answer
}

struct FirstOf<'a> {
    answer: &'a mut Answer,
    limit: u64,
}

impl Sink for FirstOf<'_> {
    fn found(&mut self, solution: &Grid) -> bool {
        self.answer.first.get_or_insert(*solution);
        self.answer.count += 1;
        self.answer.count < self.limit
    }
}

/// Hands every solution below `state` to `sink`, until it wants no more.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn search(state: State, sink: &mut impl Sink, stop: &Stop) -> Result<(), Stopped> {
    let mut branchings = 0;
    descend(state, sink, stop, &mut branchings).map(|_| ())
}

fn descend(
    mut state: State,
    sink: &mut impl Sink,
    stop: &Stop,
    branchings: &mut u32,
) -> Result<bool, Stopped> {
    let choice = match state.propagate() {
        Step::Dead => return Ok(true),
        Step::Solved => return Ok(sink.found(&state.grid())),
        Step::Branch(choice) => choice,
    };
    *branchings += 1;
    if branchings.is_multiple_of(POLL_INTERVAL) {
        stop.check()?;
    }
    for child in state.children(choice) {
        if !descend(child, sink, stop, branchings)? {
            return Ok(false);
        }
    }
    Ok(true)
}
