//! The answers to the puzzles of a table, from any solver.

use super::Table;
use crate::search::{Stop, Stopped};
use crate::sudoku::Grid;
use crate::sudoku::batch::{Rating, Solvers};

impl Table {
    /// Counts all solutions of the 9 × 9 puzzles; those with `many` or more one after the other by
    /// `count`.
    pub fn count_all(
        &mut self,
        engine: &mut Solvers,
        many: u64,
        mut count: impl FnMut(&Grid) -> Result<u128, Stopped>,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.nine.count_up_to(engine, many, stop)?;
        if self.nine.counts().iter().all(|&found| found < many) {
            return Ok(());
        }
        for puzzle in 0..self.nine.len() {
            let all = match self.nine.count(puzzle) {
                found if found < many => found.into(),
                _ => count(&self.nine.puzzle(puzzle))?,
            };
            self.answers.push((all, None));
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

    /// Finds out how each 9 × 9 puzzle is solved up to `limit`.
    pub fn find_ratings(&mut self, limit: u64, stop: &Stop) -> Result<(), Stopped> {
        for puzzle in 0..self.nine.len() {
            self.ratings.push(Rating::of(&self.nine.puzzle(puzzle), limit, stop)?);
        }
        Ok(())
    }

    /// The one puzzle has `count` solutions, of which none is shown.
    pub fn answer_only(&mut self, count: u128) {
        self.answers.push((count, None));
    }

    /// The numbers of solutions, as none, one and more.
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
