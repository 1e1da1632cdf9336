//! The answers to the puzzles of a table, from any solver.

use super::Table;
use crate::Grid;
use crate::batch::Solvers;
use crate::columns::Row;
use crate::contents;
use search::{Stop, Stopped};

impl Table {
    /// Replaces the counts of some 9 × 9 puzzles.
    pub fn set_counts(&mut self, counts: Vec<(usize, u128)>) {
        if counts.is_empty() {
            return;
        }
        let all = self.nine.counts().iter();
        self.answers.extend(all.map(|&count| (count.into(), None)));
        for (puzzle, count) in counts {
            self.answers[puzzle].0 = count;
        }
    }

    /// Answers the 9 × 9 puzzles one after the other by `solve`: the number of solutions, and the first of them.
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
            self.answers.push((count.into(), first.map(|first| first.source_text().to_vec())));
        }
        Ok(())
    }

    /// Finds what the columns of `row` hold besides counts and solutions.
    pub fn find_contents(
        &mut self,
        row: Row,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.contents = contents::find(row, &self.nine, solvers, limit, stop)?;
        Ok(())
    }

    /// The number of puzzles.
    pub fn puzzle_count(&self) -> u64 {
        (self.nine.len() + self.sized.len()) as u64
    }

    /// Records that the one puzzle has `count` solutions, of which none is shown.
    pub fn answer_only(&mut self, count: u128) {
        self.answers.push((count, None));
    }

    /// The numbers of puzzles with no solution, with one, and with more.
    pub fn puzzles_by_solutions(&self) -> [u64; 3] {
        let mut puzzles = [0; 3];
        if self.answers.is_empty() {
            for &count in self.nine.counts() {
                puzzles[count.min(2) as usize] += 1;
            }
        }
        for (count, _) in &self.answers {
            puzzles[(*count).min(2) as usize] += 1;
        }
        puzzles
    }
}
