//! Files of any length in constant memory: each worker reads a chunk, solves it, and writes it in its turn.
//!
//! Rows are in input order, whatever the number of threads. The number of chunks under way is bounded. While the input has
//! no more for the moment, the puzzles that were read are solved and their rows written.

mod chunks;
mod outcome;
mod pace;
mod settings;
mod worker;

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use super::BadLine;
pub use super::classes::Classes;
use super::format::{Form, Rows};
use chunks::{Chunk, Chunks, ReadError};
pub use outcome::{StreamError, Summary};
use pace::Pace;
pub use settings::{Around, Settings};
use tallyboard_base::idle::Idle;
use tallyboard_search::{self, ITEMS_PER_WORKER, ordered, thread_count};
use worker::{ChunkResult, Worker};

/// Solves every puzzle of `input`, which is in `form`, and writes a row for every record to `output`.
///
/// Bad records are passed to `report` in order, and written with the mark of the output format. Comments (`#`) are kept, and
/// empty lines in formats of lines. Memory is bounded by the number of threads and the longest record, not by the length of
/// the input. With one thread, no other is started.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::Stop;
/// use tallyboard_sudoku::format::{Form, FormOptions, sniff};
/// use tallyboard_sudoku::stream::{Settings, solve_stream};
///
/// // A file opened by `format::compress::reader`, or whatever can be read.
/// let input: &[u8] =
///     b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
/// let (head, mut input) = sniff(input)?;
/// let form = Form::find(&head, &FormOptions::default())?;
/// let (stop, mut rows) = (Stop::new(), Vec::new());
/// let summary = solve_stream(&form, &mut input, &mut rows, &Settings::new(&stop), &mut |_bad| {})?;
/// assert_eq!((summary.unique, summary.bad), (1, 0));
/// assert!(rows.ends_with(b":1:534678912672195348198342567859761423426853791713924856961537284287419635345286179\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StreamError`] if the stream ended early. Whole rows were written until then; with [`Settings::strict`], all rows before
/// the bad record.
pub fn solve_stream(
    form: &Form,
    input: &mut (dyn Read + Send),
    output: &mut (dyn Write + Send),
    settings: &Settings,
    report: &mut (dyn FnMut(&BadLine) + Send),
) -> Result<Summary, StreamError> {
    let began = Instant::now();
    let threads = thread_count(settings.threads);
    let pace = Pace::new(settings.chunk_bytes);
    let spares = Idle::default();
    let chunks = Chunks::new(input, form, &pace, &spares);
    let summary = Summary { lines: form.lines_before(), threads, ..Summary::default() };
    let max_spares = threads * ITEMS_PER_WORKER;
    let mut writer = Writer { output, settings, report, spares: &spares, max_spares, summary };
    writer.output.write_all(&form.begin(settings.row)).map_err(StreamError::Write)?;
    let failed = ordered(
        chunks,
        threads,
        settings.stop,
        || Worker::new(form, settings),
        |worker, chunk: Result<Chunk, ReadError>, parts| {
            let solved = match chunk {
                Ok(chunk) => {
                    let pass_on = &mut |part| parts.push(Ok(part));
                    Ok(solve_timed(worker, chunk, settings, &pace, pass_on)?)
                }
                Err(error) => Err(error),
            };
            // A push fails only after the writer has failed.
            let _ = parts.push(solved);
            Ok(())
        },
        |solved| match writer.take_next(solved) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                // The input may be waiting, and only the caller's flag makes it give up.
                settings.stop.request();
                ControlFlow::Break(error)
            }
        },
    );
    match failed? {
        Some(error) => return Err(error),
        None if settings.stop.requested() => return Err(StreamError::Stopped),
        None => {}
    }
    Ok(Summary { elapsed: began.elapsed(), ..writer.summary })
}

/// Solves a chunk within [`Settings::around`], and learns from the time that it takes.
fn solve_timed(
    worker: &mut Worker,
    chunk: Chunk,
    settings: &Settings,
    pace: &Pace,
    pass_on: &mut dyn FnMut(ChunkResult) -> ControlFlow<()>,
) -> Result<ChunkResult, tallyboard_search::Stopped> {
    let began = Instant::now();
    let bytes = chunk.text.len();
    // `around` has to call its argument once. If it does not, the chunk counts as stopped.
    let mut chunk = Some(chunk);
    let mut solved = Err(tallyboard_search::Stopped);
    (settings.around)(&mut || {
        if let Some(chunk) = chunk.take() {
            solved = worker.solve(chunk, pass_on);
        }
    });
    pace.learn_from(bytes, began.elapsed());
    solved
}

/// Takes the results of chunks in order, writes their rows and reports their bad lines.
struct Writer<'a> {
    output: &'a mut (dyn Write + Send),
    settings: &'a Settings<'a>,
    report: &'a mut (dyn FnMut(&BadLine) + Send),
    /// Chunks that have been written, to be filled again.
    spares: &'a Idle<Chunk>,
    /// Upper bound on the number of spares. It is needed because each part of a chunk comes back as a chunk.
    max_spares: usize,
    /// The sum over all chunks written.
    summary: Summary,
}

impl Writer<'_> {
    /// Takes the rows of puzzles whose class is known already out of a chunk, and moves the places of its bad lines to match.
    fn drop_repeated(&mut self, Rows { text, bad, classes, .. }: &mut Rows) {
        let Some(seen) = self.settings.classes else { return };
        let mut seen = seen.lock().expect("nobody panics holding it");
        let mut kept = Vec::new();
        // Where the last row ended, and how many bytes were dropped before.
        let mut end = 0;
        let mut dropped = 0;
        let mut bad = bad.iter_mut().peekable();
        for (class, row) in classes.drain(..) {
            while let Some((_, at)) = bad.next_if(|(_, at)| *at <= row.start) {
                *at -= dropped;
            }
            kept.extend_from_slice(&text[end..row.start]);
            if seen.insert(class) {
                kept.extend_from_slice(&text[row.clone()]);
            } else {
                self.summary.repeated += 1;
                dropped += row.len();
            }
            end = row.end;
        }
        bad.for_each(|(_, at)| *at -= dropped);
        kept.extend_from_slice(&text[end..]);
        *text = kept;
    }

    /// Writes the rows of the next chunk, and reports its bad lines. The argument may be the reason why the input ended early.
    fn take_next(&mut self, solved: Result<ChunkResult, ReadError>) -> Result<(), StreamError> {
        let ChunkResult { mut chunk, mut rows, summary } = solved.map_err(|error| match error {
            ReadError::Input(error) => StreamError::Read(error),
            ReadError::Endless => StreamError::LongLine(self.summary.lines + 1),
        })?;
        if !rows.classes.is_empty() {
            self.drop_repeated(&mut rows);
        }
        for (BadLine { line, error }, row_begin) in rows.bad {
            let bad = BadLine { line: self.summary.lines + line, error };
            if self.settings.strict {
                self.output.write_all(&rows.text[..row_begin]).map_err(StreamError::Write)?;
                return Err(bad.into());
            }
            (self.report)(&bad);
        }
        let written = self.output.write_all(&rows.text).and_then(|()| self.output.flush());
        written.map_err(StreamError::Write)?;
        self.summary.merge(&summary);
        chunk.rows = rows.text;
        self.spares.put_below(chunk, self.max_spares);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Row, RowUnit};
    use crate::format::{FormOptions, Format};
    use crate::generate::Generator;
    use crate::test_grids::THOUSANDS;
    use std::sync::Mutex;
    use std::time::Duration;
    use tallyboard_search::Stop;

    #[test]
    fn a_panicking_solver_ends_the_run_with_its_message() {
        let input = format!("{}\n", ".".repeat(81)).repeat(1000);
        for threads in [1, 3] {
            let stop = Stop::new();
            let around = |_: &mut dyn FnMut()| panic!("a broken solver");
            let settings = Settings { threads, around: &around, ..Settings::new(&stop) };
            let mut output = Vec::new();
            // Goes on for ever unless the run gives up.
            let input = &mut input.as_bytes().chain(std::io::repeat(b'\n'));
            let ended = solve_stream(&Form::lines(), input, &mut output, &settings, &mut |_| {});
            let error = ended.unwrap_err();
            assert!(error.to_string().ends_with("panicked: a broken solver"), "{error}");
            assert_eq!(output, b"");
        }
    }

    /// Rows, everything reported and all numbers of a run on one thread.
    fn run_as_chunks_of(
        chunk_bytes: usize,
        form: &Form,
        input: &str,
        row: Row,
        strict: bool,
    ) -> (Vec<u8>, Vec<BadLine>, String) {
        let stop = Stop::new();
        let classes = Mutex::new(Classes::default());
        let settings = Settings {
            row,
            strict,
            limit: u64::MAX,
            threads: 1,
            chunk_bytes: Some(chunk_bytes),
            classes: (row.unit == RowUnit::Class).then_some(&classes),
            ..Settings::new(&stop)
        };
        let mut rows = Vec::new();
        let mut bad = Vec::new();
        let report = &mut |line: &BadLine| bad.push(line.clone());
        let ended = solve_stream(form, &mut input.as_bytes(), &mut rows, &settings, report);
        let ended = ended.map(|summary| Summary { elapsed: Duration::ZERO, ..summary });
        (rows, bad, format!("{ended:?}"))
    }

    /// Each puzzle, and after every third an image of the first one and of itself. Bad lines come early, late and between
    /// rows that are dropped.
    fn records_with_images(puzzles: &[String]) -> Vec<String> {
        let turned = |puzzle: &String| puzzle.chars().rev().collect::<String>();
        let mut records = Vec::new();
        for (at, puzzle) in puzzles.iter().enumerate() {
            records.push(puzzle.clone());
            if at % 3 == 2 {
                records.extend([turned(&puzzles[0]), turned(puzzle)]);
            }
            if [2, 20, 38].contains(&at) {
                records.push("what".to_owned());
                records.push(puzzle.clone());
            }
        }
        records
    }

    /// Once the rows of a chunk are long, they leave in parts. What refers to rows (classes, bad lines, numbers) must
    /// go with them: the result is that of chunks of one record.
    #[test]
    fn rows_passed_on_in_parts_are_those_of_a_record_at_a_time() {
        let generator = Generator::for_tests(Some(30), 1);
        let puzzles: Vec<String> =
            (0..40).map(|number| generator.puzzle(number).to_string()).collect();
        let records = records_with_images(&puzzles);
        let long = "x".repeat(30_000);
        let lines: String = records.iter().map(|puzzle| format!("{puzzle} {long}\n")).collect();
        let csv: String = records.iter().map(|puzzle| format!("{puzzle},{long}\n")).collect();
        let csv = format!("puzzle,note\n{csv}");
        let names: Vec<String> = (0..400).map(|at| format!("{at:0>90}")).collect();
        let wide: String =
            records.iter().map(|puzzle| format!("{puzzle}{}\n", ",".repeat(400))).collect();
        let wide = format!("puzzle,{}\n{wide}", names.join(","));
        // The rows of its solutions have some 2 MiB.
        let many = format!("{THOUSANDS}\nwhat\n{THOUSANDS}\n{}\nwhat\n", puzzles[0]);
        let unique = Row { unit: RowUnit::Class, ..Row::RECORD };
        let images = Row { unit: RowUnit::Image { times: 3, seed: 1 }, ..Row::RECORD };
        for (input, output, row) in [
            (&lines, None, unique),
            (&csv, None, unique),
            (&csv, Some(Format::Jsonl), unique),
            (&wide, Some(Format::Jsonl), unique),
            (&lines, None, images),
            (&many, None, Row::SOLUTIONS),
        ] {
            let wanted = FormOptions { output, ..FormOptions::default() };
            let form = Form::find(&input.as_bytes()[..input.len().min(100_000)], &wanted).unwrap();
            for strict in [false, true] {
                let expected = run_as_chunks_of(1, &form, input, row, strict);
                let found = run_as_chunks_of(1 << 20, &form, input, row, strict);
                let rows = [&expected, &found]
                    .map(|(rows, ..)| String::from_utf8_lossy(rows).lines().count());
                assert!(found.0 == expected.0, "{output:?} {:?} {strict}: {rows:?} rows", row.unit);
                assert_eq!((found.1, found.2), (expected.1, expected.2));
                assert!(strict || found.0.len() > 1 << 20, "not long enough to leave in parts");
            }
        }
    }
}
