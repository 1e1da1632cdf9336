//! The solutions of a 9 × 9 grid in lexicographic order.
//!
//! After the singles, the search branches on the first blank cell, its candidates ascending. All cells before it
//! are filled, so solutions with a smaller digit there are smaller. Memory is at most one state for each blank
//! cell.

use std::ops::ControlFlow;

use super::POLL_INTERVAL;
use super::state::{Nine, Propagation};
use crate::Grid;
use base::bits::bits;
use search::{Stop, Stopped};

/// Passes every solution of `grid` to `take`, in lexicographic order, until `take` breaks.
///
/// ```
/// use std::ops::ControlFlow;
/// use tallyboard::unstable::{search::Stop, sudoku::{Grid, for_each_solution}};
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
    match Nine::new(grid.cells()) {
        Some(state) => below(state, stop, &mut 0, &mut take).map(|_| ()),
        None => Ok(()),
    }
}

/// The solutions below `state`.
fn below(
    mut state: Nine,
    stop: &Stop,
    branchings: &mut u32,
    take: &mut impl FnMut(&Grid) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Stopped> {
    match state.propagate() {
        Propagation::Dead => return Ok(ControlFlow::Continue(())),
        Propagation::Solved => return Ok(take(&Grid::new(*state.cells()).expect("digits"))),
        Propagation::Branch(_) => {}
    }
    *branchings = branchings.wrapping_add(1);
    if branchings.is_multiple_of(POLL_INTERVAL) {
        stop.check()?;
    }
    let cell = usize::from(state.blank_cells()[0]);
    for bit in bits(state.candidates(cell)) {
        if below(state.child((cell, bit)), stop, branchings, take)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::solve_up_to;

    #[test]
    fn solutions_are_all_of_them_and_in_order() {
        for number in 0..30 {
            let mut cells = *Generator::for_tests(Some(26), 2).puzzle(number).cells();
            cells.iter_mut().skip(number as usize).step_by(6).for_each(|cell| *cell = 0);
            let grid = Grid::new(cells).unwrap();
            let expected = solve_up_to(&grid, 3000).count;
            let mut found = Vec::new();
            for_each_solution(&grid, &Stop::new(), |solution| {
                assert!(cells.iter().zip(solution.cells()).all(|(&c, &s)| c == 0 || c == s));
                assert_eq!(solve_up_to(solution, 2).count, 1);
                found.push(*solution.cells());
                if found.len() == 3000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(found.len() as u64, expected);
            assert!(found.is_sorted_by(|one, other| one < other));
        }
    }
}
