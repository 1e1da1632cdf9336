//! A backtracker for one grid of any box size: singles, then a branching, depth first.
//!
//! It is the independent check of the faster engines, and the solver for single grids and for
//! sizes other than 9 × 9. Which solution of several is found first follows from the order of
//! [`State::propagate`]'s branchings, digits and places ascending.

use super::state::{State, Step};
use crate::search::{Stop, Stopped};
use crate::sudoku::{Answer, Grid};

/// How many branchings pass between two looks at the stop flag.
const POLL_INTERVAL: u32 = 1 << 12;

/// What the search does with a solution: whether it goes on.
pub trait Sink {
    /// Takes the cells of a solution; false ends the search.
    fn found(&mut self, solution: &[u8]) -> bool;
}

/// Solves `grid`, counting up to `limit` solutions.
pub fn solve(grid: &Grid, limit: u64) -> Answer {
    // Nobody raises this flag.
    solve_or_stop(grid, limit, &Stop::new()).unwrap_or_default()
}

/// [`solve`] until `stop` is raised.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn solve_or_stop(grid: &Grid, limit: u64, stop: &Stop) -> Result<Answer, Stopped> {
    let (count, first) = solve_cells::<9, 81>(grid.cells(), limit, stop)?;
    Ok(Answer { count, first: first.and_then(Grid::new) })
}

/// Solves a grid of any box size (0 is a blank): the number of solutions up to `limit`, and the
/// first one found.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn solve_cells<const SIDE: usize, const CELLS: usize>(
    grid: &[u8; CELLS],
    limit: u64,
    stop: &Stop,
) -> Result<(u64, Option<[u8; CELLS]>), Stopped> {
    let mut found = FirstOf { count: 0, first: None, limit };
    stop.check()?;
    if let Some(state) = State::<SIDE, CELLS>::new(grid)
        && limit > 0
    {
        search(state, &mut found, stop)?;
    }
    Ok((found.count, found.first))
}

struct FirstOf<const CELLS: usize> {
    count: u64,
    first: Option<[u8; CELLS]>,
    limit: u64,
}

impl<const CELLS: usize> Sink for FirstOf<CELLS> {
    fn found(&mut self, solution: &[u8]) -> bool {
        self.first = self.first.or_else(|| solution.try_into().ok());
        self.count += 1;
        self.count < self.limit
    }
}

/// Hands every solution below `state` to `sink`, until it wants no more.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn search<const SIDE: usize, const CELLS: usize>(
    state: State<SIDE, CELLS>,
    sink: &mut impl Sink,
    stop: &Stop,
) -> Result<(), Stopped> {
    descend(state, sink, stop, &mut 0).map(|_| ())
}

fn descend<const SIDE: usize, const CELLS: usize>(
    mut state: State<SIDE, CELLS>,
    sink: &mut impl Sink,
    stop: &Stop,
    branchings: &mut u32,
) -> Result<bool, Stopped> {
    let choice = match state.propagate() {
        Step::Dead => return Ok(true),
        Step::Solved => return Ok(sink.found(state.cells())),
        Step::Branch(choice) => choice,
    };
    *branchings = branchings.wrapping_add(1);
    if branchings.is_multiple_of(POLL_INTERVAL) {
        stop.check()?;
    }
    for step in choice.moves() {
        if !descend(state.child(step), sink, stop, branchings)? {
            return Ok(false);
        }
    }
    Ok(true)
}
