//! A backtracker for one grid of any box size: it fills singles, then branches, depth first.
//!
//! It solves single grids and grids of sizes other than 9 × 9, and tests compare the faster engines with it. It branches as
//! [`State::propagate`] says, and takes cells and digits in ascending order. This order decides which of several solutions
//! it finds first.

pub mod state;

use crate::Grid;
use state::{GridState, Propagation, State};
use tallyboard_search::{NodeBudget, Stop, Stopped};

/// The answer for one grid: the number of solutions found, and the first of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer {
    /// Solutions found; the search ended when this reached the limit.
    pub count: u64,
    /// The first solution found, if there is one.
    pub first: Option<Grid>,
}

/// Solves `grid`: counts its solutions up to `limit` and keeps the first one found. The time grows with the number of solutions
/// found. To count all solutions of an open grid, use [`CountOne`](crate::CountOne).
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, solve_up_to};
/// let empty = Grid::default();
/// assert_eq!(solve_up_to(&empty, 2).count, 2);
/// ```
pub fn solve_up_to(grid: &Grid, limit: u64) -> Answer {
    solve_or_stop(grid, limit, &Stop::new()).expect("nobody raises this flag")
}

/// As [`solve_up_to`], with a stop flag.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn solve_or_stop(grid: &Grid, limit: u64, stop: &Stop) -> Result<Answer, Stopped> {
    let (count, first) = solve_any::<9, 81>(grid.cells(), limit, stop)?;
    Ok(Answer { count, first: first.and_then(Grid::new) })
}

/// Solves a grid of any box size (0 is a blank): the number of solutions up to `limit`, and the first one found.
pub fn solve_any<const SIDE: usize, const CELLS: usize>(
    grid: &[u8; CELLS],
    limit: u64,
    stop: &Stop,
) -> Result<(u64, Option<[u8; CELLS]>), Stopped> {
    stop.check()?;
    let branchings = NodeBudget::unlimited(stop);
    let mut descent = Descent { count: 0, first: None, limit, branchings };
    if let Some(state) = State::<SIDE, CELLS>::new(grid)
        && limit > 0
    {
        descent.search(state)?;
    }
    Ok((descent.count, descent.first))
}

/// `grid` with all singles filled in; `None` if that solves it or shows that it has no solution.
pub fn with_singles(grid: &Grid) -> Option<Grid> {
    let mut state = GridState::new(grid.cells())?;
    match state.propagate() {
        Propagation::Branch(_) => Grid::new(*state.cells()),
        Propagation::Dead | Propagation::Solved => None,
    }
}

/// A search, the number of solutions found so far, and the first of them.
struct Descent<'a, const CELLS: usize> {
    count: u64,
    first: Option<[u8; CELLS]>,
    limit: u64,
    branchings: NodeBudget<'a>,
}

impl<const CELLS: usize> Descent<'_, CELLS> {
    /// Counts the solutions of `state` until the limit is reached.
    fn search<const SIDE: usize>(&mut self, mut state: State<SIDE, CELLS>) -> Result<(), Stopped> {
        let choice = match state.propagate() {
            Propagation::Dead => return Ok(()),
            Propagation::Solved => {
                self.first.get_or_insert(*state.cells());
                self.count += 1;
                return Ok(());
            }
            Propagation::Branch(choice) => choice,
        };
        self.branchings.count_node().or(Err(Stopped))?;
        for alternative in choice.alternatives() {
            self.search(state.child(alternative))?;
            if self.count == self.limit {
                break;
            }
        }
        Ok(())
    }
}
