//! A worker of a stream: it turns a chunk of text into rows of results.

use std::mem::take;
use std::ops::{ControlFlow, Range};

use super::chunks::Chunk;
use super::outcome::Summary;
use super::settings::Settings;
use crate::bands::ListJoin;
use crate::batch::Solvers;
use crate::classes::Class;
use crate::columns::{RowUnit, Value};
use crate::count::{CountAdviser, count_without_batch};
use crate::format::{Form, RowOptions, Rows, Table};
use crate::single;
use crate::{Answer, BadLine, LineError};
use search::Stopped;

/// Guesses are counted up to this many solutions of a puzzle, which takes some ten milliseconds.
const MAX_RATED_SOLUTIONS: u64 = 20_000;

/// A solver with its memory, kept from chunk to chunk.
pub(super) struct Worker<'a> {
    form: &'a Form,
    settings: &'a Settings<'a>,
    solvers: Option<Solvers>,
    /// Finds the columns other than counts and solutions.
    columns_solvers: Option<Solvers>,
    table: Table,
    /// Its memory is used for counts.
    lists: ListJoin,
}

/// The result of a chunk, or of a part of one.
pub(super) struct ChunkResult {
    /// The chunk, its rows written.
    pub chunk: Chunk,
    /// Bad lines, numbered within the chunk, each with the place in `rows` where its row begins.
    pub bad: Vec<(BadLine, usize)>,
    /// The numbers of this chunk alone.
    pub summary: Summary,
    /// The class of each puzzle and the place of its row, if only one row of each class is written.
    pub classes: Vec<(Class, Range<usize>)>,
}

impl ChunkResult {
    fn of(mut chunk: Chunk, rows: Rows) -> Self {
        let Rows { text, bad, solutions, truncated, classes } = rows;
        chunk.rows = text;
        let summary = Summary { solutions, truncated, ..summary_of_bad(&bad) };
        Self { chunk, bad, summary, classes }
    }
}

/// The numbers of bad lines and of wrong or missing solutions.
fn summary_of_bad(bad: &[(BadLine, usize)]) -> Summary {
    let mut summary = Summary::default();
    for (BadLine { error, .. }, _) in bad {
        match error {
            LineError::Disagrees { .. } => summary.disagreements += 1,
            LineError::Unstated(_) => summary.unstated += 1,
            _ => summary.bad += 1,
        }
    }
    summary
}

impl<'a> Worker<'a> {
    /// A worker for the chunks of a stream.
    pub fn new(form: &'a Form, settings: &'a Settings<'a>) -> Self {
        let solver = settings.solver;
        let mut table = form.table(solver.instructions());
        table.is_one_by_one = settings.row.unit != RowUnit::Puzzle;
        let columns_solvers =
            settings.row.first_nine_only().map(|_| Solvers::of(solver.instructions()));
        Self {
            form,
            settings,
            solvers: solver.batch_solvers(),
            columns_solvers,
            table,
            lists: ListJoin::default(),
        }
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
        chunk.rows.clear();
        // Enough for plain rows with small counts, so that the rows never move to larger memory.
        chunk.rows.reserve(2 * chunk.text.len() + chunk.text.len() / 16);
        let mut solved = self.write(chunk, pass_on)?;
        let [none, unique, many] = self.table.puzzles_by_solutions();
        let summary = &mut solved.summary;
        summary.lines = self.table.lines();
        summary.unique = unique;
        summary.none = none;
        summary.many = many;
        summary.unsolved = self.table.puzzle_count() - none - unique - many;
        summary.compared = self.table.stated_count();
        Ok(solved)
    }

    /// Writes the rows of `chunk`. The summary has only the bad records, and the solutions that were written as rows.
    fn write(
        &self,
        mut chunk: Chunk,
        pass_on: &mut dyn FnMut(ChunkResult) -> ControlFlow<()>,
    ) -> Result<ChunkResult, Stopped> {
        let Settings { row, limit, stop, .. } = *self.settings;
        let options = RowOptions { row, limit, stop };
        let mut rows = Rows { text: take(&mut chunk.rows), ..Rows::default() };
        let mut pass_part_on = |rows| pass_on(ChunkResult::of(Chunk::default(), rows));
        self.form.write(&chunk.text, &self.table, options, &mut rows, &mut pass_part_on)?;
        Ok(ChunkResult::of(chunk, rows))
    }

    /// Finds what the columns hold for every puzzle of the table.
    fn solve_table(&mut self) -> Result<(), Stopped> {
        let Settings { limit, row, solver, stop, .. } = *self.settings;
        let table = &mut self.table;
        // A limit of 2 shows whether there are several solutions; writing finds them one by one.
        let limit = if row.unit == RowUnit::Solution { 2 } else { limit };
        // All solutions are counted and none is shown, so that bands may be joined.
        let is_counted = limit == u64::MAX && !row.has(Value::Solution) && !self.form.is_checked();
        match &mut self.solvers {
            _ if !row.needs_solutions() && !self.form.is_checked() => stop.check()?,
            _ if !table.is_nine() => table.solve_sized(limit, stop)?,
            Some(solvers) if is_counted => {
                let mut adviser = CountAdviser {
                    instructions: solver.instructions(),
                    stop,
                    lists: &mut self.lists,
                };
                let counts = adviser.count(&mut table.nine, solvers)?;
                table.set_counts(counts);
            }
            None if is_counted => {
                table.solve_each(|grid| Ok((count_without_batch(*grid, stop)?, None)))?;
            }
            Some(solvers) => table.nine.solve(solvers, limit, stop)?,
            None => table.solve_each(|grid| {
                let Answer { count, first } = single::solve_or_stop(grid, limit, stop)?;
                Ok((count.into(), first))
            })?,
        }
        match &mut self.columns_solvers {
            Some(solvers) => {
                table.find_contents(row, solvers, limit.min(MAX_RATED_SOLUTIONS), stop)
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::batch::FirstLimit;
    use crate::columns::Row;
    use crate::count::{Advice, count_as_advised};
    use base::cpu::Instructions;
    use search::Stop;

    #[test]
    fn each_puzzle_is_counted_as_advised_among_its_neighbours() {
        let first_row = format!("123456789{}", ".".repeat(72));
        let two_rows = format!("123456789456789123{}", ".".repeat(63));
        let unique =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let pairs =
            "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";
        // 12,462 solutions; the limit is raised twice.
        let thousands =
            ".7...1....5.8.2.......3.....6..9.4.........8.......3...465....3..7.4.2.1...9.....";
        let all_of_thousands = single::solve_up_to(&thousands.parse().unwrap(), u64::MAX).count;
        assert!(all_of_thousands > 10_000, "{all_of_thousands}");
        for instructions in Instructions::all() {
            let mut solvers = Solvers::of(instructions);
            let form = Form::lines();
            let mut table = form.table(instructions);
            // For more than one vector.
            let lines = [unique, &first_row, pairs, thousands, &two_rows, unique];
            let text = lines.map(|line| format!("{line}\n")).concat().repeat(7);
            form.read(text.as_bytes(), &mut table);
            let mut asked = 0_u128;
            let mut raised = 0;
            let limit = FirstLimit::same(100);
            let advise = |grid: &Grid, found| {
                assert!(found >= 100, "{found}");
                if grid.to_string() == thousands {
                    raised += 1;
                    return Ok(Advice::SearchTo(if found < 5000 { 5000 } else { u64::MAX }));
                }
                assert_ne!(grid.to_string(), pairs);
                asked += 1;
                Ok(Advice::Counted((grid.clues() as u128) << 70))
            };
            let stop = Stop::new();
            let counts = count_as_advised(&mut table.nine, &mut solvers, limit, advise, &stop);
            table.set_counts(counts.unwrap());
            assert_eq!((asked, raised), (14, 14), "{instructions:?}");
            let mut rows = Rows::default();
            let options = RowOptions { row: Row::COUNT, limit: 2, stop: &stop };
            let pass_on = &mut |_| panic!("the rows are short");
            form.write(text.as_bytes(), &table, options, &mut rows, pass_on).unwrap();
            let counts = [1, 9 << 70, 4, all_of_thousands.into(), 18 << 70, 1].repeat(7);
            let expected =
                text.lines().zip(counts).map(|(line, count): (_, u128)| format!("{line}:{count}"));
            let rows = String::from_utf8(rows.text).unwrap();
            assert!(rows.lines().eq(expected), "{instructions:?}: {rows}");
        }
    }

    #[test]
    fn a_stop_while_advice_is_given_ends_the_count() {
        let form = Form::lines();
        let mut table = form.table(Instructions::best());
        form.read(format!("{}\n", ".".repeat(81)).as_bytes(), &mut table);
        let advise = |_: &Grid, _| Err(Stopped);
        let limit = FirstLimit::same(100);
        let solvers = &mut Solvers::best();
        let stop = Stop::new();
        assert!(count_as_advised(&mut table.nine, solvers, limit, advise, &stop).is_err());
    }
}
