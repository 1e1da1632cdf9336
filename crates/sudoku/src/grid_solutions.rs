//! All solutions of one grid: one after the other, or their number.

use super::count::{CountOne, MAX_SOLUTIONS_ALONE};
use super::single::state::{Nine, Propagation};
use super::{Grid, solve_up_to};

impl Grid {
    /// Every solution, in lexicographic order, lazily; memory is at most a state for each blank cell.
    ///
    /// ```
    /// use tallyboard::sudoku::Grid;
    ///
    /// let empty = Grid::default();
    /// let first: Vec<Grid> = empty.solutions().take(3).collect();
    /// assert!(first.is_sorted_by_key(|solution| *solution.cells()));
    /// assert_eq!(&first[0].to_string()[..12], "123456789456");
    /// ```
    pub fn solutions(&self) -> Solutions {
        Solutions { next: Nine::new(self.cells()), branches: Vec::new() }
    }

    /// The number of all solutions, whatever it is, on every core: up to that of the empty grid, which is
    /// 6,670,903,752,021,072,936,960. Grids with so few clues take seconds, but minutes where dependencies are built
    /// without the optimiser.
    ///
    /// ```
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
    /// [`search::Error`] if the system gives no threads.
    pub fn count_solutions(&self) -> Result<u128, search::Error> {
        // A few solutions are found before threads have started.
        let few = solve_up_to(self, MAX_SOLUTIONS_ALONE).count;
        if few < MAX_SOLUTIONS_ALONE {
            return Ok(few.into());
        }
        search::count(&CountOne::new(*self))
    }
}

/// The solutions of a grid, in lexicographic order; made by [`Grid::solutions`].
#[derive(Debug, Clone)]
pub struct Solutions {
    /// The state to look at next, unless that is a branch.
    next: Option<Nine>,
    branches: Vec<Branch>,
}

/// A state whose first blank cell is being filled.
#[derive(Debug, Clone)]
struct Branch {
    state: Nine,
    cell: usize,
    /// The digits yet to be tried in that cell, a bit each.
    untried: u32,
}

impl Solutions {
    /// The next state in order; `None` at the end.
    fn next_state(&mut self) -> Option<Nine> {
        if let Some(first) = self.next.take() {
            return Some(first);
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
}

impl Iterator for Solutions {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        loop {
            let mut state = self.next_state()?;
            match state.propagate() {
                Propagation::Dead => {}
                Propagation::Solved => return Grid::new(*state.cells()),
                Propagation::Branch(_) => {
                    let cell = usize::from(state.blank_cells()[0]);
                    let untried = state.candidates(cell);
                    self.branches.push(Branch { state, cell, untried });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_each_solution;
    use std::ops::ControlFlow;

    #[test]
    fn solutions_are_those_of_each_solution_and_counted() {
        let puzzle =
            "5..3..2.9...15.....7.....5.2............2614.8.6..4.3.7...6......................";
        let mut cells = *solve_up_to(&puzzle.parse().unwrap(), 1).first.unwrap().cells();
        cells.iter_mut().step_by(2).for_each(|cell| *cell = 0);
        for grid in [Grid::new(cells).unwrap(), Grid::new([1; 81]).unwrap()] {
            let mut expected = Vec::new();
            for_each_solution(&grid, &search::Stop::new(), |solution| {
                expected.push(*solution);
                ControlFlow::Continue(())
            })
            .unwrap();
            assert!(grid.solutions().eq(expected.iter().copied()));
            assert_eq!(grid.count_solutions().unwrap(), expected.len() as u128);
        }
        assert_eq!(puzzle.parse::<Grid>().unwrap().count_solutions().unwrap(), 1_082_204);
    }
}
