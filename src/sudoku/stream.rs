//! Files of any length in constant memory: reader → bounded channel of blocks → workers → ordered
//! writer.
//!
//! One worker reads, solves and writes by itself, without a channel or another thread.
//!
//! Every input line gives exactly one output line, in input order, whatever the number of threads.
//! The number of blocks under way is bounded by the number of buffers, which the writer hands back
//! to the reader.

mod alone;
mod canon;
mod convert;
mod error;
mod pace;
mod summary;
mod writer;

use std::io::{Read, Write};
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, bounded};

use super::format::{Blocks, Form, ReadError, lines};
use super::rows::Worker;
use super::sized::Size;
use super::{LineError, Solver};
use crate::search::{Stop, Stopped, thread_count};
pub use canon::canon_stream;
pub use error::{BadLine, StreamError};
use pace::Pace;
pub use summary::Summary;
use writer::write_in_order;

/// Bytes that one block is filled to at most; lines longer than this make their block grow.
const BLOCK_BYTES: usize = 128 << 10;
/// Blocks under way for each worker: one being solved, some waiting to be, and some for one before them
/// that takes longer.
const BLOCKS_PER_WORKER: usize = 6;

/// What is written for a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// `puzzle:count:solution`; the solution is empty if there is none.
    Solution,
    /// The bare solution; an empty line if there is none.
    SolutionOnly,
    /// `puzzle:count`.
    Count,
}

/// How to solve a stream.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Solutions of one puzzle are counted up to this number.
    pub limit: u64,
    /// What is written for a puzzle.
    pub row: Row,
    /// Who solves the puzzles.
    pub solver: Solver,
    /// End at the first bad line.
    pub strict: bool,
    /// Worker threads; 0 takes `RAYON_NUM_THREADS` or else every logical core.
    pub threads: usize,
    /// Raise this flag to end early.
    pub stop: &'a Stop,
}

impl<'a> Settings<'a> {
    /// The usual settings: solutions are shown and proved unique by the fastest solver, on every core,
    /// past bad lines, until `stop` is raised.
    pub fn new(stop: &'a Stop) -> Self {
        let (row, solver) = (Row::Solution, Solver::default());
        Self { limit: 2, row, solver, strict: false, threads: 0, stop }
    }
}

/// Runs its argument, and may note what it likes before and after.
pub type Around<'a> = &'a (dyn Fn(&mut dyn FnMut()) + Sync);

/// How a measured stream differs from a plain one.
#[derive(Default, Clone, Copy)]
pub struct Hooks<'a> {
    /// Bytes that every block is filled to, whatever it takes; lines longer than this make their
    /// block grow.
    pub block_bytes: Option<usize>,
    /// Called by each worker around each block, with the solving of the block as its argument.
    pub around: Option<Around<'a>>,
}

/// Whole lines of the input, and their place in it.
struct Block {
    number: u64,
    text: Vec<u8>,
    /// Memory for the rows.
    rows: Vec<u8>,
}

/// Memory that goes round from block to block, because fresh memory costs page faults. Both keep
/// their old content, which is overwritten.
#[derive(Default)]
struct Buffers {
    text: Vec<u8>,
    rows: Vec<u8>,
}

/// The output for one block.
#[derive(Default)]
struct Solved {
    number: u64,
    /// The input buffer, to be filled again.
    text: Vec<u8>,
    rows: Vec<u8>,
    /// Bad lines, numbered within the block.
    bad: Vec<BadLine>,
    /// Where the row of the first bad line begins.
    first_bad: Option<usize>,
    /// Counts of this block alone.
    summary: Summary,
}

impl Solved {
    /// A row for each line of `block`: comments and empty lines as they are, what `solve` appends for
    /// the others, and those that it gives back as no puzzles refused.
    fn line_by_line(
        block: Block,
        stop: &Stop,
        mut solve: impl FnMut(&mut Self, &[u8]) -> Result<(), LineError>,
    ) -> Result<Self, Stopped> {
        let mut solved = Self { number: block.number, ..Self::default() };
        for line in lines(&block.text) {
            stop.check()?;
            solved.summary.lines += 1;
            if line.is_empty() || line[0] == b'#' {
                solved.rows.extend_from_slice(line);
            } else if let Err(error) = solve(&mut solved, line) {
                solved.refuse(line, error);
            }
            solved.rows.push(b'\n');
        }
        solved.text = block.text;
        Ok(solved)
    }

    /// Writes the line read last as one that is no puzzle.
    fn refuse(&mut self, line: &[u8], error: LineError) {
        self.summary.bad += 1;
        self.bad.push(BadLine { line: self.summary.lines, error });
        self.first_bad.get_or_insert(self.rows.len());
        self.rows.push(b'!');
        self.rows.extend_from_slice(line);
    }
}

/// Solves every puzzle of `input`, one a line, and writes one row a line to `output`.
///
/// Bad lines are handed to `report` in order and written as `!` followed by the line; comments
/// (`#`) and empty lines are copied. Memory is bounded by the number of threads and the longest
/// line, not by the length of the input.
///
/// # Errors
/// [`StreamError`] tells why the stream ended early; what was written until then is whole lines, and
/// with [`Settings::strict`] all rows before the bad line.
pub fn solve_stream(
    input: impl Read + Send,
    output: &mut dyn Write,
    settings: &Settings,
    report: &mut dyn FnMut(&BadLine),
) -> Result<Summary, StreamError> {
    solve_stream_as(&Form::LINES, input, output, settings, report)
}

/// [`solve_stream`] with `hooks` for those who measure it.
///
/// # Errors
/// As [`solve_stream`].
pub fn solve_stream_with(
    input: impl Read + Send,
    output: &mut dyn Write,
    settings: &Settings,
    report: &mut dyn FnMut(&BadLine),
    hooks: &Hooks,
) -> Result<Summary, StreamError> {
    let job = Job { form: &Form::LINES, task: solve_block, settings, hooks };
    run(&job, input, output, report)
}

/// Like [`solve_stream`], for input and output in any [`Form`].
///
/// # Errors
/// As for [`solve_stream`].
pub fn solve_stream_as(
    form: &Form,
    input: impl Read + Send,
    output: &mut dyn Write,
    settings: &Settings,
    report: &mut dyn FnMut(&BadLine),
) -> Result<Summary, StreamError> {
    let hooks = &Hooks::default();
    run(&Job { form, task: solve_block, settings, hooks }, input, output, report)
}

/// Turns a block of plain lines into rows.
type Task = fn(Block, &mut Worker, &Settings) -> Result<Solved, Stopped>;

/// What is done with the blocks of a stream.
struct Job<'a> {
    form: &'a Form,
    /// Turns a block of plain lines into rows.
    task: Task,
    settings: &'a Settings<'a>,
    hooks: &'a Hooks<'a>,
}

impl Job<'_> {
    fn solve(&self, block: Block, worker: &mut Worker) -> Result<Solved, Stopped> {
        if self.form.is_plain() {
            (self.task)(block, worker, self.settings)
        } else if self.form.size() == Size::Nine {
            convert::convert_block(block, worker, self)
        } else {
            convert::solve_sized_block(block, self.form.size(), self.settings)
        }
    }

    fn watched(
        &self,
        around: Around,
        block: Block,
        worker: &mut Worker,
    ) -> Result<Solved, Stopped> {
        let (mut block, mut solved) = (Some(block), Err(Stopped));
        around(&mut || {
            if let Some(block) = block.take() {
                solved = self.solve(block, worker);
            }
        });
        solved
    }
}

fn run(
    job: &Job,
    input: impl Read + Send,
    output: &mut dyn Write,
    report: &mut dyn FnMut(&BadLine),
) -> Result<Summary, StreamError> {
    let Job { form, settings, hooks, .. } = *job;
    let began = Instant::now();
    let threads = thread_count(settings.threads);
    if threads == 1 && hooks.around.is_none() {
        let mut summary = alone::run_alone(job, input, output, report)?;
        if settings.stop.requested() {
            return Err(StreamError::Stopped);
        }
        (summary.elapsed, summary.threads) = (began.elapsed(), 1);
        return Ok(summary);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|_| StreamError::Threads(threads))?;
    let buffers = threads * BLOCKS_PER_WORKER;
    let (free_out, free_in) = bounded(buffers);
    for _ in 0..buffers {
        free_out.send(Buffers::default()).expect("the channel holds every buffer");
    }
    let (blocks_out, blocks_in) = bounded::<Block>(buffers);
    let (solved_out, solved_in) = bounded::<Solved>(buffers);
    let pace = &Pace::new(hooks.block_bytes, BLOCK_BYTES);

    let mut summary = std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            read_blocks(Blocks::new(input, form, pace.bytes()), pace, &free_in, &blocks_out)
        });
        let pool = &pool;
        scope.spawn(move || pool.broadcast(|_| work(&blocks_in, &solved_out, job, pace)));
        output.write_all(&form.preamble(settings.row)).map_err(StreamError::Write)?;
        let written = write_in_order(&solved_in, free_out, output, settings, report);
        // Hanging up makes the workers and the reader end early when the writer has failed.
        drop(solved_in);
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let summary = written?;
        read.map_err(|error| read_error(error, &summary))?;
        Ok::<_, StreamError>(summary)
    })?;
    if settings.stop.requested() {
        return Err(StreamError::Stopped);
    }
    summary.elapsed = began.elapsed();
    summary.threads = threads;
    Ok(summary)
}

/// Why the input ended early, after what `before` sums up.
fn read_error(error: ReadError, before: &Summary) -> StreamError {
    match error {
        ReadError::Input(error) => StreamError::Read(error),
        ReadError::Endless => StreamError::LongLine(before.lines + 1),
    }
}

/// Cuts the input into blocks of whole records.
fn read_blocks(
    mut input: Blocks<impl Read>,
    pace: &Pace,
    free: &Receiver<Buffers>,
    blocks: &Sender<Block>,
) -> Result<(), ReadError> {
    for number in 0.. {
        let Ok(Buffers { text, rows }) = free.recv() else { return Ok(()) };
        input.fill_to(pace.bytes());
        let Some(text) = input.next(text)? else { return Ok(()) };
        if blocks.send(Block { number, text, rows }).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// One worker: solves blocks until there are none.
fn work(blocks: &Receiver<Block>, solved: &Sender<Solved>, job: &Job, pace: &Pace) {
    let mut worker = Worker::new(job.settings.solver);
    for block in blocks {
        if job.settings.stop.requested() {
            return;
        }
        let (began, bytes) = (Instant::now(), block.text.len());
        let rows = match job.hooks.around {
            Some(around) => job.watched(around, block, &mut worker),
            None => job.solve(block, &mut worker),
        };
        let Ok(rows) = rows else { return };
        pace.note(bytes, began.elapsed());
        if solved.send(rows).is_err() {
            return;
        }
    }
}

fn solve_block(
    mut block: Block,
    worker: &mut Worker,
    settings: &Settings,
) -> Result<Solved, Stopped> {
    block.rows.clear();
    let rows = worker.solve(&block.text, block.rows, settings)?;
    Ok(Solved {
        number: block.number,
        text: block.text,
        rows: rows.text,
        bad: rows.bad,
        first_bad: rows.first_bad,
        summary: rows.summary,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(input: &str, threads: usize) -> (String, Summary, Vec<BadLine>) {
        let stop = Stop::new();
        let settings = Settings { threads, ..Settings::new(&stop) };
        let (mut output, mut bad) = (Vec::new(), Vec::new());
        let summary = solve_stream(input.as_bytes(), &mut output, &settings, &mut |line| {
            bad.push(line.clone());
        });
        (String::from_utf8(output).unwrap(), summary.unwrap(), bad)
    }

    #[test]
    fn every_line_has_its_row() {
        let empty = ".".repeat(81);
        let input = format!("# a comment\n{empty}\r\n\nwhat\n11{}", ".".repeat(79));
        for threads in [1, 3] {
            let (output, summary, bad) = run(&input, threads);
            let rows: Vec<&str> = output.lines().collect();
            assert_eq!(rows.len(), 5);
            assert_eq!(rows[0], "# a comment");
            assert!(rows[1].starts_with(&format!("{empty}:2:")));
            assert_eq!(rows[2], "");
            assert_eq!(rows[3], "!what");
            assert_eq!(rows[4], format!("11{}:0:", ".".repeat(79)));
            assert_eq!((summary.many, summary.none, summary.bad), (1, 1, 1));
            assert_eq!(bad[0].line, 4);
        }
    }

    #[test]
    fn a_strict_run_writes_all_rows_before_the_first_bad_line() {
        let puzzle = format!("{}\n", ".".repeat(81));
        let input = format!("# so\n{}what\n{puzzle}what\n", puzzle.repeat(3000));
        let stop = Stop::new();
        for threads in [1, 3] {
            let settings = Settings { threads, strict: true, ..Settings::new(&stop) };
            let mut output = Vec::new();
            let found =
                solve_stream(input.as_bytes(), &mut output, &settings, &mut |_| unreachable!());
            assert!(matches!(found, Err(StreamError::Bad(BadLine { line: 3002, .. }))));
            assert_eq!(output.iter().filter(|&&byte| byte == b'\n').count(), 3001);
            assert!(output.starts_with(b"# so\n...") && output.ends_with(b"\n"));
        }
    }

    #[test]
    fn long_inputs_keep_their_order() {
        let line = |n: usize| format!("{n:06}\n");
        let input: String = (0..50_000).map(line).collect();
        let expected: String = (0..50_000).map(|n| format!("!{}", line(n))).collect();
        assert_eq!(run(&input, 4).0, expected);
    }
}
