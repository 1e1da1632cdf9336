//! Writes the rows of a table in any format.

use super::{Kind, Record, Table};
use crate::format::codec::{Run, Shape};
use crate::format::syntax::{Style, Syntax};
use crate::format::text::without_break;
use crate::{BadLine, CELLS, LineError};
use search::Stopped;

/// Writes the rows of a record outside of runs, given the number of its puzzle. May pass on the
/// rows and bad records written so far.
type WriteRecord<'a> = &'a mut dyn FnMut(
    usize,
    &Record,
    &mut Vec<u8>,
    &mut Vec<(BadLine, usize)>,
) -> Result<(), Stopped>;

impl Table {
    /// Writes the rows of `text`, which the table was read from. Returns the bad records, with
    /// their lines within the text, and where the row of each begins.
    pub fn write(
        &self,
        text: &[u8],
        output: &dyn Syntax,
        style: Style,
        rows: &mut Vec<u8>,
        write: WriteRecord,
    ) -> Result<Vec<(BadLine, usize)>, Stopped> {
        let (mut bad, mut puzzle, mut spelled) = (Vec::new(), 0, self.spelled.iter());
        for entry in &self.entries {
            let source = &text[entry.start as usize..entry.end as usize];
            let located = |error: LineError| BadLine { line: entry.line.into(), error };
            match entry.kind {
                Kind::Run { length, at } => {
                    let shape = Shape { length: length.into(), at: at.into() };
                    let run = Run { records: source, shape, first: puzzle, table: &self.nine };
                    self.write_run(run, output, style, rows);
                    puzzle += source.len() / shape.length;
                }
                Kind::Comment => output.keep(source, rows),
                Kind::Bad(error) => {
                    let error = &self.errors[error as usize];
                    bad.push((located(error.clone()), rows.len()));
                    output.bad(source, error, style, rows);
                }
                Kind::Puzzle => {
                    let text = match self.sized.get(puzzle) {
                        Some(grid) => grid.spelled(),
                        None => spelled.next().expect("the text of each puzzle outside of runs"),
                    };
                    let mut digits = [0; CELLS];
                    let record = self.record(puzzle, source, text, &mut digits);
                    if let Some(error) = self.check(puzzle, &record) {
                        bad.push((located(error), rows.len()));
                    }
                    write(puzzle, &record, rows, &mut bad)?;
                    puzzle += 1;
                }
            }
        }
        Ok(bad)
    }

    /// Writes the rows of a run: by vectors where possible, the others one by one.
    fn write_run(&self, mut run: Run, output: &dyn Syntax, style: Style, rows: &mut Vec<u8>) {
        let Shape { length, at } = run.shape;
        // Vectors read answers from `nine` alone.
        let template = output
            .template(&run.records[..length], at, style)
            .filter(|_| self.contents.is_empty() && self.answers.is_empty());
        while !run.records.is_empty() {
            let written = template.map_or(0, |template| self.codec.write(run, &template, rows));
            run.records = &run.records[written * length..];
            run.first += written;
            if let Some((record, rest)) = run.records.split_at_checked(length) {
                let (source, mut digits) = (without_break(record), [0; CELLS]);
                let record = self.record(run.first, source, &record[at..][..CELLS], &mut digits);
                output.write(&record, style, rows);
                (run.records, run.first) = (rest, run.first + 1);
            }
        }
    }

    /// The record of puzzle number `puzzle`, with its solution in `digits`.
    fn record<'a>(
        &'a self,
        puzzle: usize,
        source: &'a [u8],
        spelled: &'a [u8],
        digits: &'a mut [u8; CELLS],
    ) -> Record<'a> {
        let (count, solution) = if let Some((count, solution)) = self.answers.get(puzzle) {
            (*count, solution.as_deref())
        } else {
            // Puzzles may not have been solved.
            let count = self.nine.counts().get(puzzle).copied().unwrap_or(0);
            let found = count > 0 && self.nine.has_solutions();
            if found {
                *digits = self.codec.digits(&self.nine.solution(puzzle));
            }
            (count.into(), found.then_some(digits.as_slice()))
        };
        let width = self.contents.len() / self.nine.len().max(1);
        let contents = self.contents.get(puzzle * width..(puzzle + 1) * width).unwrap_or_default();
        Record { source, puzzle: spelled, count, solution, contents }
    }

    /// What is wrong with the solution that the input states for a puzzle, if anything.
    ///
    /// A solution is right if it solves the puzzle, even if the puzzle has others. If the puzzle has no solution, only
    /// an empty text is right.
    fn check(&self, puzzle: usize, record: &Record) -> Option<LineError> {
        let stated = self.stated.get(puzzle)?.as_slice();
        let found = || self.shortened(record.solution.unwrap_or_default());
        let grid = |text: &[u8]| self.size.parse(text, self.notation).ok();
        let right = match (record.count, record.solution) {
            (0, _) => stated.is_empty(),
            (_, Some(found)) if found == stated => true,
            _ if stated.is_empty() => return Some(LineError::Unstated(found())),
            _ => grid(record.puzzle)
                .zip(grid(stated))
                .is_some_and(|(puzzle, stated)| stated.solves(&puzzle)),
        };
        (!right).then(|| LineError::Disagrees { stated: self.shortened(stated), found: found() })
    }

    /// The text of a solution, for a message.
    fn shortened(&self, cells: &[u8]) -> String {
        match &cells[..cells.len().min(2 * self.size.cells())] {
            b"" => "none".to_owned(),
            cells => String::from_utf8_lossy(cells).into_owned(),
        }
    }
}
