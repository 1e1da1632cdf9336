//! All solutions of one grid: one after the other in lexicographic order, or their number.
//!
//! After the singles, the search branches on the first blank cell, its candidates ascending. All cells before it
//! are filled, so solutions with a smaller digit there are smaller.

use std::ops::ControlFlow;

use crate::Grid;
use crate::count::{CountOne, MAX_SOLUTIONS_BEFORE_ESTIMATE};
use crate::single::{GridState, Propagation, solve_up_to};
use tallyboard_search::{NodeBudget, Stop, Stopped};

impl Grid {
    /// Every solution, in lexicographic order, lazily; memory is at most a state for each blank cell.
    ///
    /// ```
    /// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
    /// use tallyboard::sudoku::Grid;
    ///
    /// let empty = Grid::default();
    /// let first: Vec<Grid> = empty.solutions().take(3).collect();
    /// assert!(first.is_sorted_by_key(|solution| *solution.cells()));
    /// assert_eq!(&first[0].to_string()[..12], "123456789456");
    /// ```
    pub fn solutions(&self) -> Solutions {
        Solutions { root: GridState::new(self.cells()), branches: Vec::new() }
    }

    /// The number of all solutions, whatever it is, on every core: up to that of the empty grid, which is
    /// 6,670,903,752,021,072,936,960. Grids with so few clues take seconds, but minutes where dependencies are built
    /// without the optimiser.
    ///
    /// ```
    /// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
    /// use tallyboard::sudoku::Grid;
    ///
    /// let puzzle: Grid =
    ///     "53..7....6..1......98......8...6...34....3..17...2...6.6....28....419..5....8..79".parse()?;
    /// assert_eq!(puzzle.count_solutions()?, 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// With progress, a number of threads or a flag to stop: [`CountOne`].
    ///
    /// # Errors
    /// [`tallyboard_search::Error`] if the system gives no threads.
    pub fn count_solutions(&self) -> Result<u128, tallyboard_search::Error> {
        // A few solutions are found before threads have started.
        let count = solve_up_to(self, MAX_SOLUTIONS_BEFORE_ESTIMATE).count;
        if count < MAX_SOLUTIONS_BEFORE_ESTIMATE {
            return Ok(count.into());
        }
        tallyboard_search::count(&CountOne::new(*self))
    }
}

/// The solutions of a grid, in lexicographic order; made by [`Grid::solutions`].
#[derive(Debug, Clone)]
pub struct Solutions {
    /// The state of the grid itself until it is examined; `None` also if two clues clash.
    root: Option<GridState>,
    /// The states being branched, from the root down.
    branches: Vec<Branch>,
}

/// A state whose first blank cell is being filled.
#[derive(Debug, Clone)]
struct Branch {
    state: GridState,
    cell: usize,
    /// The digits yet to be tried in that cell, a bit each.
    untried: u32,
}

impl Solutions {
    /// The next state in order; `None` at the end.
    fn next_state(&mut self) -> Option<GridState> {
        if let Some(root) = self.root.take() {
            return Some(root);
        }
        while let Some(Branch { state, cell, untried }) = self.branches.last_mut() {
            if *untried != 0 {
                let digit = *untried & untried.wrapping_neg();
                *untried ^= digit;
                return Some(state.child((*cell, digit)));
            }
            self.branches.pop();
        }
        None
    }

    /// Fills the singles of `state`: returns the solution if these solve it, or branches on it if they leave cells blank.
    fn examine(&mut self, mut state: GridState) -> Option<Grid> {
        match state.propagate() {
            Propagation::Dead => None,
            Propagation::Solved => Grid::new(*state.cells()),
            Propagation::Branch(_) => {
                let cell = usize::from(state.blank_cells()[0]);
                let untried = state.candidates(cell);
                self.branches.push(Branch { state, cell, untried });
                None
            }
        }
    }
}

impl Iterator for Solutions {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        loop {
            let state = self.next_state()?;
            if let Some(solution) = self.examine(state) {
                return Some(solution);
            }
        }
    }
}

/// Passes every solution of `grid` to `take`, in lexicographic order, until `take` breaks.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use std::ops::ControlFlow;
/// use {tallyboard_search::Stop, tallyboard_sudoku::{Grid, for_each_solution}};
/// let mut first = Vec::new();
/// for_each_solution(&Grid::default(), &Stop::new(), |solution| {
///     first.push(*solution);
///     if first.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// })?;
/// assert!(first.is_sorted_by_key(|solution| *solution.cells()));
/// assert_eq!(&first[0].cells()[..9], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
/// # Ok::<(), tallyboard::search::Stopped>(())
/// ```
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn for_each_solution(
    grid: &Grid,
    stop: &Stop,
    mut take: impl FnMut(&Grid) -> ControlFlow<()>,
) -> Result<(), Stopped> {
    stop.check()?;
    let mut solutions = grid.solutions();
    let mut states = NodeBudget::unlimited(stop);
    while let Some(state) = solutions.next_state() {
        states.count_node().or(Err(Stopped))?;
        if let Some(solution) = solutions.examine(state)
            && take(&solution).is_break()
        {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grid::test_grids::{MILLION, changed};

    #[test]
    fn solutions_are_all_of_them_and_in_order_and_counted() {
        let puzzle = |number| Generator::for_tests(Some(26), 2).puzzle(number);
        let blank = |cells: &mut [u8; 81], skipped| {
            cells.iter_mut().skip(skipped).step_by(6).for_each(|cell| *cell = 0);
        };
        let mut grids: Vec<Grid> =
            (0..30).map(|at| changed(&puzzle(at), |cells| blank(cells, at as usize))).collect();
        grids.push(Grid::new([1; 81]).unwrap());
        for grid in grids {
            let expected = solve_up_to(&grid, 3000).count;
            let mut found = Vec::new();
            for_each_solution(&grid, &Stop::new(), |solution| {
                let mut both = grid.cells().iter().zip(solution.cells());
                assert!(both.all(|(&c, &s)| c == 0 || c == s));
                assert_eq!(solve_up_to(solution, 2).count, 1);
                found.push(*solution);
                if found.len() == 3000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(found.len() as u64, expected);
            assert!(found.is_sorted_by(|one, other| one.cells() < other.cells()));
            assert!(grid.solutions().take(3000).eq(found));
            assert!(expected == 3000 || grid.count_solutions().unwrap() == expected.into());
        }
        assert_eq!(MILLION.parse::<Grid>().unwrap().count_solutions().unwrap(), 1_082_204);
    }
}
