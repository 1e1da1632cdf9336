//! The answers to the puzzles of a table, from any solver.

use super::Table;
use crate::search::{Stop, Stopped};
use crate::sudoku::Grid;
use crate::sudoku::batch::{FirstLimit, Solvers};
use crate::sudoku::columns::{self, Row};
use crate::sudoku::count::{Advice, count_as_advised};

impl Table {
    /// Counts all solutions of the 9 × 9 puzzles, by [`count_as_advised`].
    pub fn count_all(
        &mut self,
        engine: &mut Solvers,
        limit: FirstLimit,
        advise: impl FnMut(&Grid, u64) -> Result<Advice, Stopped>,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        let counted = count_as_advised(&mut self.nine, engine, limit, advise, stop)?;
        if !counted.is_empty() {
            let counts = self.nine.counts().iter();
            self.answers.extend(counts.map(|&count| (count.into(), None)));
            counted.into_iter().for_each(|(puzzle, all)| self.answers[puzzle].0 = all);
        }
        Ok(())
    }

    /// Has `solve` find the number of solutions and the first of them for one 9 × 9 puzzle after the
    /// other.
    pub fn solve_each(
        &mut self,
        mut solve: impl FnMut(&Grid) -> Result<(u128, Option<Grid>), Stopped>,
    ) -> Result<(), Stopped> {
        for puzzle in 0..self.nine.len() {
            let (count, first) = solve(&self.nine.puzzle(puzzle))?;
            self.answers.push((count, first.map(|grid| grid.to_bytes().to_vec())));
        }
        Ok(())
    }

    /// Solves the puzzles of other sizes up to `limit`.
    pub fn solve_sized(&mut self, limit: u64, stop: &Stop) -> Result<(), Stopped> {
        for grid in &self.sized {
            let (count, first) = grid.solve(limit, stop)?;
            self.answers.push((count.into(), first.map(|first| first.spelled().to_vec())));
        }
        Ok(())
    }

    /// Finds what the columns of `row` hold besides counts and solutions.
    pub fn find_cells(
        &mut self,
        row: Row,
        engine: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.contents = columns::find(row, &self.nine, engine, limit, stop)?;
        Ok(())
    }

    /// The number of puzzles.
    pub fn puzzles(&self) -> u64 {
        (self.nine.len() + self.sized.len()) as u64
    }

    /// Records that the one puzzle has `count` solutions, of which none is shown.
    pub fn answer_only(&mut self, count: u128) {
        self.answers.push((count, None));
    }

    /// The numbers of puzzles with no solution, with one, and with more.
    pub fn sums(&self) -> [u64; 3] {
        let mut sums = [0; 3];
        if self.answers.is_empty() {
            let counts = self.nine.counts();
            let of = |number| counts.iter().filter(|&&count| count == number).count() as u64;
            let (none, one) = (of(0), of(1));
            return [none, one, counts.len() as u64 - none - one];
        }
        for (count, _) in &self.answers {
            sums[(*count).min(2) as usize] += 1;
        }
        sums
    }
}
