//! Superfluous clues: those that a puzzle does not need.
//!
//! A clue is superfluous if the puzzle has the same solutions without it. Then no solution without it has another
//! digit in its cell. Each clue is tried alone, all puzzles of a table together:
//!
//! ```text
//! puzzle with one solution:   is there a second one without the clue?
//! with none:                  is there one without the clue?
//! with several:               is there one with any other digit in place of the clue?
//! ```

use super::batch::{BAND, Planes, planes};
use super::batch::{Puzzles, Solvers};
use super::{CELLS, Grid};
use search::{Stop, Stopped};

/// Puzzles whose clues are tried together. With 25 clues each they fill the vectors, and their grids stay in
/// the cache.
const PUZZLES_AT_ONCE: usize = 64;

/// The superfluous clues of each puzzle, a bit a cell.
pub(super) fn superfluous(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<u128>, Stopped> {
    let mut found = Vec::with_capacity(puzzles.len());
    let mut trials = Trials::default();
    for first in (0..puzzles.len()).step_by(PUZZLES_AT_ONCE) {
        let grids = first..puzzles.len().min(first + PUZZLES_AT_ONCE);
        let grids: Vec<Grid> = grids.map(|puzzle| puzzles.puzzle(puzzle)).collect();
        found.extend(trials.superfluous(&grids, solvers, stop)?);
    }
    Ok(found)
}

/// Grids in which a clue is missing or replaced.
#[derive(Default)]
struct Trials {
    table: Puzzles,
    /// For each grid of the table: the puzzle, the cell, and the number of solutions that the grid
    /// has if the clue is superfluous.
    of: Vec<(usize, usize, u64)>,
}

impl Trials {
    fn superfluous(
        &mut self,
        grids: &[Grid],
        solvers: &mut Solvers,
        stop: &Stop,
    ) -> Result<Vec<u128>, Stopped> {
        self.table.clear();
        grids.iter().for_each(|grid| self.table.push(grid));
        self.table.solve(solvers, 2, stop)?;
        let counts = self.table.counts().to_vec();
        self.table.clear();
        self.of.clear();
        for (puzzle, grid) in grids.iter().enumerate() {
            let planes = planes(grid.cells());
            for cell in (0..CELLS).filter(|&cell| grid.cells()[cell] != 0) {
                self.push(puzzle, &planes, (cell, grid.cells()[cell]), counts[puzzle]);
            }
        }
        self.table.solve(solvers, 2, stop)?;
        let clues = |grid: &Grid| {
            (0..CELLS).filter(|&cell| grid.cells()[cell] != 0).fold(0, |set, cell| set | 1 << cell)
        };
        let mut superfluous: Vec<u128> = grids.iter().map(clues).collect();
        for (&(puzzle, cell, expected), &count) in self.of.iter().zip(self.table.counts()) {
            if count != expected {
                superfluous[puzzle] &= !(1 << cell);
            }
        }
        Ok(superfluous)
    }

    /// Adds the grids that show whether the `clue` in `cell` is superfluous, for a puzzle with
    /// `count` solutions.
    fn push(&mut self, puzzle: usize, planes: &Planes, (cell, clue): (usize, u8), count: u64) {
        let band = cell / BAND;
        let bit = 1 << (cell % BAND);
        let (digits, expected) = if count < 2 { (0..=0, count) } else { (1..=9, 0) };
        let mut other = *planes;
        for digit in digits.filter(|&digit| digit != clue) {
            for (q, plane) in other.iter_mut().enumerate() {
                plane[band] = plane[band] & !bit | if digit >> q & 1 != 0 { bit } else { 0 };
            }
            self.table.reserve(1);
            self.table.push_planes(&other);
            self.of.push((puzzle, cell, expected));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::solve_up_to;

    #[test]
    fn clues_can_go_whose_puzzle_has_as_many_solutions_without_them() {
        let mut puzzles = Puzzles::default();
        let mut kinds = [0; 3];
        for number in 0..150 {
            let mut cells = *Generator::for_tests(Some(28), 4).puzzle(number).cells();
            match number % 3 {
                0 => cells[number as usize % 81] = 1,
                1 => cells.iter_mut().step_by(9).for_each(|cell| *cell = 0),
                _ => {}
            }
            puzzles.push(&Grid::new(cells).unwrap());
        }
        let found = superfluous(&puzzles, &mut Solvers::best(), &Stop::new()).unwrap();
        for (number, &found) in found.iter().enumerate() {
            let puzzle = puzzles.puzzle(number);
            let count = |grid: &Grid| solve_up_to(grid, 5000).count;
            let all = count(&puzzle);
            if all >= 5000 {
                continue;
            }
            kinds[all.min(2) as usize] += u32::from(found != 0);
            for cell in 0..CELLS {
                let mut cells = *puzzle.cells();
                let is_clue = std::mem::take(&mut cells[cell]) != 0;
                let can_go = is_clue && count(&Grid::new(cells).unwrap()) == all;
                assert_eq!(found >> cell & 1 != 0, can_go, "{puzzle} {cell}");
            }
        }
        assert!(kinds.iter().all(|&kind| kind > 5), "{kinds:?}");
    }
}
