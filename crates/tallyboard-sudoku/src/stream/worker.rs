//! A worker of a stream: it turns a chunk of text into rows of results.

use std::mem::take;
use std::ops::ControlFlow;

use super::chunks::Chunk;
use super::outcome::Summary;
use super::settings::Settings;
use crate::bands::ListJoin;
use crate::batch::Solvers;
use crate::columns::{RowUnit, Value};
use crate::contents;
use crate::count::{CountAdviser, count_without_batch};
use crate::format::{Form, RowOptions, Rows, Table};
use crate::single;
use crate::{Answer, BadLine, LineError, Solver};
use tallyboard_search::Stopped;

/// The search that counts a puzzle's guesses ends at this many of its solutions, which takes some ten milliseconds.
const MAX_RATED_SOLUTIONS: u64 = 20_000;

/// A solver with its memory, kept from chunk to chunk.
pub(super) struct Worker<'a> {
    form: &'a Form,
    settings: &'a Settings<'a>,
    solvers: Solvers,
    table: Table,
    /// Its memory is used for counts.
    lists: ListJoin,
}

/// The result of a chunk, or of a part of one.
pub(super) struct ChunkResult {
    /// The chunk, without its rows; an empty one for a part.
    pub chunk: Chunk,
    pub rows: Rows,
    /// The numbers of this chunk alone.
    pub summary: Summary,
}

impl ChunkResult {
    /// The result that has these rows. Its summary has what was counted with them: the bad records, and the solutions that
    /// were written as rows.
    fn of(chunk: Chunk, rows: Rows) -> Self {
        let Rows { solutions, truncated, .. } = rows;
        let mut summary = Summary { solutions, truncated, ..Summary::default() };
        for (BadLine { error, .. }, _) in &rows.bad {
            match error {
                LineError::Disagrees { .. } => summary.disagreements += 1,
                LineError::Unstated(_) => summary.unstated += 1,
                _ => summary.bad += 1,
            }
        }
        Self { chunk, rows, summary }
    }
}

impl<'a> Worker<'a> {
    pub fn new(form: &'a Form, settings: &'a Settings<'a>) -> Self {
        let solver = settings.solver;
        let mut table = form.table(solver.instructions());
        table.is_one_by_one = settings.row.unit != RowUnit::Puzzle;
        let solvers = Solvers::of(solver.instructions());
        Self { form, settings, solvers, table, lists: ListJoin::default() }
    }

    /// Solves all records of `chunk` and writes their rows. If the rows are long, it passes parts of them on
    /// before it returns.
    pub fn solve(
        &mut self,
        mut chunk: Chunk,
        pass_on: &mut dyn FnMut(ChunkResult) -> ControlFlow<()>,
    ) -> Result<ChunkResult, Stopped> {
        self.table.clear();
        if chunk.is_too_long {
            self.table.add_too_long(&chunk.text);
        } else {
            self.form.read(&chunk.text, &mut self.table);
        }
        self.solve_table()?;
        let mut rows = Rows { text: take(&mut chunk.rows), ..Rows::default() };
        rows.text.clear();
        // Enough for plain rows with small counts, so that the rows never move to larger memory.
        rows.text.reserve(2 * chunk.text.len() + chunk.text.len() / 16);
        let Settings { row, limit, stop, .. } = *self.settings;
        let options = RowOptions { row, limit, stop };
        let mut pass_part_on = |rows| pass_on(ChunkResult::of(Chunk::default(), rows));
        self.form.write(&chunk.text, &self.table, options, &mut rows, &mut pass_part_on)?;
        let mut solved = ChunkResult::of(chunk, rows);
        let [none, unique, many] = self.table.puzzles_by_solutions();
        solved.summary = Summary {
            lines: self.table.lines(),
            unique,
            none,
            many,
            unsolved: self.table.puzzle_count() - none - unique - many,
            compared: self.table.stated_count(),
            ..solved.summary
        };
        Ok(solved)
    }

    /// Finds what the columns hold for every puzzle of the table.
    fn solve_table(&mut self) -> Result<(), Stopped> {
        let Settings { limit, row, solver, stop, .. } = *self.settings;
        let Self { form, solvers, table, lists, .. } = self;
        // A limit of 2 shows whether there are several solutions; writing finds them one by one.
        let limit = if row.unit == RowUnit::Solution { 2 } else { limit };
        // All solutions are counted and none is shown, so that bands may be joined.
        let is_counted = limit == u64::MAX && !row.has(Value::Solution) && !form.is_checked();
        match solver {
            _ if !row.needs_solutions() && !form.is_checked() => stop.check()?,
            _ if !table.is_nine() => table.solve_sized(limit, stop)?,
            Solver::Batch(_) if is_counted => {
                let instructions = solver.instructions();
                let mut adviser = CountAdviser { instructions, stop, lists };
                let counts = adviser.count(&mut table.nine, solvers)?;
                table.set_counts(counts);
            }
            Solver::Single if is_counted => {
                table.solve_each(|grid| Ok((count_without_batch(*grid, stop)?, None)))?;
            }
            Solver::Batch(_) => table.nine.solve(solvers, limit, stop)?,
            Solver::Single => table.solve_each(|grid| {
                let Answer { count, first } = single::solve_or_stop(grid, limit, stop)?;
                Ok((count.into(), first))
            })?,
        }
        let limit = limit.min(MAX_RATED_SOLUTIONS);
        table.contents = contents::find(row, &table.nine, solvers, limit, stop)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::batch::FirstLimit;
    use crate::columns::Row;
    use crate::test_grids::{PAIRS, THOUSANDS, UNIQUE};
    use tallyboard_base::cpu::Instructions;
    use tallyboard_search::Stop;

    #[test]
    fn each_puzzle_is_counted_up_to_its_limits_among_its_neighbours() {
        let first_row = format!("123456789{}", ".".repeat(72));
        let two_rows = format!("123456789456789123{}", ".".repeat(63));
        for instructions in Instructions::all() {
            let mut solvers = Solvers::of(instructions);
            let form = Form::lines();
            let mut table = form.table(instructions);
            // For more than one vector.
            let lines = [UNIQUE, &first_row, PAIRS, THOUSANDS, &two_rows, UNIQUE];
            let text = lines.map(|line| format!("{line}\n")).concat().repeat(7);
            form.read(text.as_bytes(), &mut table);
            let mut counts = Vec::new();
            let mut raised = 0;
            let next_limit = |puzzle, grid: &Grid, found| {
                assert!(found >= 100, "{found}");
                if grid.to_string() == THOUSANDS {
                    // The limit is raised twice.
                    raised += 1;
                    return if found < 5000 { 5000 } else { u64::MAX };
                }
                assert_ne!(grid.to_string(), PAIRS);
                counts.push((puzzle, (grid.clues() as u128) << 70));
                0
            };
            let stop = Stop::new();
            let limit = FirstLimit::same(100);
            table.nine.count_while(&mut solvers, limit, next_limit, &stop).unwrap();
            assert_eq!((counts.len(), raised), (14, 14), "{instructions:?}");
            table.set_counts(counts);
            let mut rows = Rows::default();
            let options = RowOptions { row: Row::COUNT, limit: 2, stop: &stop };
            let pass_on = &mut |_| panic!("the rows are short");
            form.write(text.as_bytes(), &table, options, &mut rows, pass_on).unwrap();
            let counts = [1, 9 << 70, 4, 12_462, 18 << 70, 1].repeat(7);
            let expected =
                text.lines().zip(counts).map(|(line, count): (_, u128)| format!("{line}:{count}"));
            let rows = String::from_utf8(rows.text).unwrap();
            assert!(rows.lines().eq(expected), "{instructions:?}: {rows}");
        }
    }
}
