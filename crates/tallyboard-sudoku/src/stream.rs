//! Files of any length in constant memory: each worker reads a chunk, solves it, and writes it in its turn.
//!
//! Rows are in input order, whatever the number of threads. The number of chunks under way is bounded. While the input has
//! no more for the moment, the puzzles that were read are solved and their rows written.

mod chunks;
mod records;

pub use records::with_records;

use std::io::{Read, Write};
use std::mem::take;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::bands::ListJoin;
use crate::batch::Solvers;
use crate::columns::{Class, Row, RowUnit, Value};
use crate::count::{CountAdviser, count_without_batch};
use crate::format::{Form, RowOptions, Rows, Table};
use crate::{Answer, BadLine, LineError, Solver, columns, single};
use chunks::{Chunk, Chunks, Pace, ReadError};
use tallyboard_base::idle::Idle;
use tallyboard_search::{self, ITEMS_PER_WORKER, Stop, Stopped, ordered, thread_count};

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
/// // A file opened by `tallyboard_files::compress::reader`, or whatever can be read.
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
        None if settings.stop.requested() => return Err(Stopped.into()),
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

// How a stream is solved, as its caller wants it.

/// A function that runs its argument once; it may measure how long that takes.
pub type Around<'a> = &'a (dyn Fn(&mut dyn FnMut()) + Sync);

/// How to solve a stream.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Solutions of one puzzle are counted up to this number.
    pub limit: u64,
    /// What is found and written for a puzzle.
    pub row: Row<'a>,
    /// Who solves the puzzles.
    pub solver: Solver,
    /// End at the first bad line.
    pub strict: bool,
    /// Worker threads; 0 takes `RAYON_NUM_THREADS` or else every logical core.
    pub threads: usize,
    /// Bytes of each chunk; by default the length follows the time that chunks take. Longer lines make their
    /// chunk longer.
    pub chunk_bytes: Option<usize>,
    /// Called by each worker around each chunk, with the solving of the chunk as its argument.
    pub around: Around<'a>,
    /// The classes of earlier puzzles, if only one row of each class is written. Several streams may share them.
    pub classes: Option<&'a Mutex<Classes>>,
    /// Raise this flag to end early. The stream raises it, too, when it fails, so that an input which
    /// polls it gives up waiting.
    pub stop: &'a Stop,
}

impl<'a> Settings<'a> {
    /// The usual settings: solutions are shown and proved unique by the fastest solver on every core. Bad lines
    /// are reported, and `stop` ends the stream.
    pub fn new(stop: &'a Stop) -> Self {
        Self {
            classes: None,
            limit: 2,
            row: Row::SOLUTION,
            solver: Solver::default(),
            strict: false,
            threads: 0,
            chunk_bytes: None,
            around: &|solve| solve(),
            stop,
        }
    }
}

// The outcome of a stream: what was counted, or why it ended early.

/// What was counted in a stream.
#[non_exhaustive]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Lines read, comments and empty lines included.
    pub lines: u64,
    /// Puzzles with exactly one solution (or, with a limit of 1, at least one).
    pub unique: u64,
    /// Puzzles without a solution.
    pub none: u64,
    /// Puzzles with more than one solution.
    pub many: u64,
    /// Puzzles that were not solved, because no column needs their solutions.
    pub unsolved: u64,
    /// Lines that are no puzzle.
    pub bad: u64,
    /// Puzzles for which the input states a solution, if these are compared.
    pub compared: u64,
    /// Puzzles for which the input states a wrong solution.
    pub disagreements: u64,
    /// Puzzles with a solution for which the input states none, if these are compared.
    pub unstated: u64,
    /// Puzzles left out because they are images of earlier ones.
    pub repeated: u64,
    /// Solutions written as rows, one each.
    pub solutions: u64,
    /// Puzzles with more solutions than were written: [`Settings::limit`] is smaller.
    pub truncated: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// Worker threads used.
    pub threads: usize,
}

impl Summary {
    /// The number of puzzles.
    pub fn puzzles(&self) -> u64 {
        self.unique + self.none + self.many + self.unsolved
    }

    /// Adds the numbers of another part of the stream, or of another stream that was solved after this one. None can
    /// reach 2^64: each counts what was read or written.
    pub fn merge(&mut self, other: &Self) {
        self.lines += other.lines;
        self.unique += other.unique;
        self.none += other.none;
        self.many += other.many;
        self.unsolved += other.unsolved;
        self.bad += other.bad;
        self.compared += other.compared;
        self.disagreements += other.disagreements;
        self.unstated += other.unstated;
        self.repeated += other.repeated;
        self.solutions += other.solutions;
        self.truncated += other.truncated;
        self.elapsed += other.elapsed;
        self.threads = self.threads.max(other.threads);
    }
}

/// Why a stream ended early.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The input cannot be read.
    #[error("cannot read the puzzles")]
    Read(#[source] std::io::Error),
    /// A line that does not end.
    #[error("line {0}: found no end of the line within 256 MiB, expected a puzzle")]
    LongLine(u64),
    /// The output cannot be written.
    #[error("cannot write the results")]
    Write(#[source] std::io::Error),
    /// A bad line with [`Settings::strict`].
    #[error(transparent)]
    Bad(#[from] BadLine),
    /// [`Settings::stop`] was raised.
    #[error("stopped before the end of the input")]
    Stopped(#[from] Stopped),
    /// The operating system gave no threads, or a solver panicked.
    #[error(transparent)]
    Search(#[from] tallyboard_search::Error),
}

// A worker of a stream: it turns a chunk of text into rows of results.

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
        let is_defined = |value| matches!(value, Value::Count | Value::Solution | Value::Clues);
        table.refuses_marks = table.is_one_by_one
            || settings.row.columns.iter().any(|column| !is_defined(column.value));
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
        if row.needs_solutions() || form.is_checked() {
            table.solve_marks(limit, stop)?;
            table.ensure_solutions().unwrap_or_else(|error| error.raise());
        }
        let limit = limit.min(MAX_RATED_SOLUTIONS);
        table.contents = columns::find(row, &table.nine, solvers, limit, stop)?;
        Ok(())
    }
}

// A set of classes of grids. The grids of a class are images of each other.
/// A set of classes: open addressing with linear probing.
#[derive(Debug, Default)]
pub struct Classes {
    places: Vec<Class>,
    len: usize,
}

/// A place without a class.
const FREE: Class = [0; 3];
/// Places of the first table.
const MIN_PLACES: usize = 1 << 12;

impl Classes {
    /// Adds a class. Returns whether it is new.
    pub(crate) fn insert(&mut self, class: Class) -> bool {
        // At a load of four fifths, a new class probes 13 places on average. The table grows by a
        // quarter, so a class takes 15 to 19 bytes.
        if self.len * 5 >= self.places.len() * 4 {
            let places = vec![FREE; MIN_PLACES.max(self.places.len() / 4 * 5)];
            let smaller = std::mem::replace(&mut self.places, places);
            for class in smaller.into_iter().filter(|&class| class != FREE) {
                let place = self.place(class);
                self.places[place] = class;
            }
        }
        let place = self.place(class);
        let is_new = self.places[place] == FREE;
        self.places[place] = class;
        self.len += usize::from(is_new);
        is_new
    }

    /// The place of a class, or the free place where it belongs.
    fn place(&self, class: Class) -> usize {
        let [low, high, _] = class.map(u128::from);
        let mut place = (((high << 32 | low) * self.places.len() as u128) >> 64) as usize;
        while self.places[place] != FREE && self.places[place] != class {
            place = if place + 1 == self.places.len() { 0 } else { place + 1 };
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Row, RowUnit};
    use crate::format::{FormOptions, Format};
    use crate::generate::Generator;
    use crate::grid::test_grids::THOUSANDS;
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

#[cfg(test)]
mod outcome_tests {
    use super::*;

    /// Numbers of which none is another one, and all grow with `part`.
    fn summary(part: u64) -> Summary {
        Summary {
            lines: part,
            unique: 2 * part,
            none: 3 * part,
            many: 4 * part,
            unsolved: 5 * part,
            bad: 6 * part,
            compared: 7 * part,
            disagreements: 8 * part,
            unstated: 9 * part,
            repeated: 10 * part,
            solutions: 11 * part,
            truncated: 12 * part,
            elapsed: Duration::from_secs(13 * part),
            threads: 3,
        }
    }

    #[test]
    fn every_number_of_two_summaries_is_added_up() {
        let mut sum = Summary::default();
        sum.merge(&summary(1));
        sum.merge(&summary(100));
        assert_eq!(sum, summary(101));
        assert_eq!(sum.puzzles(), 14 * 101);
    }
}

#[cfg(test)]
mod worker_tests {
    use super::*;
    use crate::Grid;
    use crate::batch::FirstLimit;
    use crate::columns::Row;
    use crate::grid::test_grids::{PAIRS, THOUSANDS, UNIQUE};
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

#[cfg(test)]
mod classes_tests {
    use super::*;
    use std::collections::HashSet;
    use tallyboard_base::random::Random;

    #[test]
    fn a_class_is_new_once() {
        let mut classes = Classes::default();
        let mut expected = HashSet::new();
        let random = &mut Random::from_seed(2);
        for _ in 0..100_000 {
            let number = random.below(60_000).wrapping_mul(2_654_435_761);
            let class = [number.wrapping_mul(number | 1), number, 1];
            assert_eq!(classes.insert(class), expected.insert(class));
        }
        assert!(expected.len() > 40_000 && classes.len == expected.len());
        let bytes = classes.places.len() * size_of::<Class>();
        assert!(bytes < 19 * classes.len, "{bytes} bytes for {} classes", classes.len);
    }
}
