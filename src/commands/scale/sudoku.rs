//! `tallyboard scale sudoku FILE`: measures a file of sudokus.

use std::io::{Read, empty, sink};
use std::path::Path;
use std::thread::Builder;

use anyhow::{Context, Result, bail, ensure};
use base::figures::counted;
use scale::measure::{Run, Setting};
use scale::report::THREADS;
use scale::timer::RunTimer;
use search::{Problem, start_scoped};
use sudoku::format::{Form, FormOptions, OnePuzzle, Row};
use sudoku::stream::{Settings, Summary, solve_stream};
use sudoku::{CountOne, Solver};

use crate::counting::answer::KnownCount;
use crate::scaling::measurement::{Measurement, Workload, compare_with_first};
use crate::scaling::task::Task;
use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::io;
use crate::terminal::print::eprint_line;

/// Measures solving the puzzles of `file`, or counting their solutions; it is read once beforehand.
pub fn measure(
    file: &Path,
    count: bool,
    solver: Solver,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let name = io::name(file);
    if file == Path::new("-") {
        let found = "found -, expected a file: each run reads all of it";
        return Err(UsageError(found.to_owned()).into());
    }
    let mut text = io::read(file)?;
    ensure!(!text.is_empty(), "{name} is empty: expected one puzzle a line");
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    let form = Form::find(&text, &FormOptions::default()).with_context(|| name.clone())?;
    if measurement.flags.weak && !form.is_plain() {
        let why = "expected one puzzle a line; files of other formats cannot be repeated";
        return Err(UsageError(format!("--weak: {name}: {why}")).into());
    }
    let (kernel, options) = match solver {
        Solver::Batch(kernel) if solver == Solver::default() => (format!("batch ({kernel})"), ""),
        Solver::Batch(kernel) => (format!("batch ({kernel})"), &*format!(" --kernel {kernel}")),
        Solver::Single => ("single".to_owned(), " --engine single"),
    };
    let workload = Workload {
        problem: format!("sudoku {}{name}", if count { "--count " } else { "" }),
        command: format!(
            "tallyboard sudoku {} {name}{options} -j {THREADS}",
            if count { "count" } else { "solve" }
        ),
        kernel,
        finest: Some(text.iter().filter(|&&byte| byte == b'\n').count()),
        unit: Some("puzzles".to_owned()),
        parameters: Vec::new(),
    };
    match OnePuzzle::find(&form, &text).as_ref().and_then(OnePuzzle::nine).filter(|_| count) {
        Some(&grid) => {
            let problem = CountOne::with(grid, None, solver);
            let finest = Some(problem.split().len());
            let unit = Some("solutions".to_owned());
            let workload = Workload { finest, unit, ..workload };
            super::count::measure(&problem, KnownCount::default(), workload, measurement)
        }
        None => stream(&text, &form, (count, solver), workload, measurement),
    }
}

/// Measures the puzzles of a file, chunk by chunk.
fn stream(
    text: &[u8],
    form: &Form,
    how: (bool, Solver),
    workload: Workload,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let mut expected = None;
    let name = workload.problem.clone();
    measurement.measure(workload, |task| {
        let (mut run, found) = once(text, form, how, task)?;
        if task.stop.requested() {
            return Ok(run);
        }
        let times = task.setting.work as u64;
        let every = found.puzzles();
        ensure!(every > 0, "{name} holds no puzzle: expected 81 characters a line");
        let found =
            [found.unique / times, found.none / times, found.many / times, found.bad / times];
        if expected.is_none() && found[3] > 0 {
            eprint_line(format_args!("{name}: {}", counted(found[3], "bad line")));
        }
        if let Err(expected) = compare_with_first(&mut expected, found) {
            bail!(
                "{} found {found:?} puzzles with one, no and many solutions and bad lines, expected {expected:?}",
                counted(task.setting.threads, "thread")
            );
        }
        run.amount = Some(every as f64);
        Ok(run)
    })
}

/// Number of chunks of a file by default. `sudoku solve` adapts the size of chunks to their time, which would differ
/// between runs.
const DEFAULT_PIECES: usize = 200;
/// Lower bound on a chunk by default: two hundred puzzles. Handing over a chunk takes much less time than solving them.
const MIN_PIECE_BYTES: usize = 16 << 10;

/// One run over `text`, repeated as the setting asks, with each chunk timed; and what it found.
fn once(
    text: &[u8],
    form: &Form,
    (count, solver): (bool, Solver),
    task: Task,
) -> Result<(Run, Summary)> {
    let Setting { threads, work, subtrees, .. } = *task.setting;
    let timer = RunTimer::start(threads, task.places);
    let around = |chunk: &mut dyn FnMut()| timer.time_piece(chunk);
    let default = (text.len() / DEFAULT_PIECES).max(MIN_PIECE_BYTES);
    let chunk_bytes = Some(subtrees.map_or(default, |pieces| text.len().div_ceil(pieces)));
    let (limit, row) = if count { (u64::MAX, Row::COUNT) } else { (2, Row::SOLUTION) };
    let settings = Settings {
        limit,
        row,
        solver,
        threads,
        chunk_bytes,
        around: &around,
        ..Settings::new(task.stop)
    };
    let input = (0..work as usize)
        .fold(Box::new(empty()) as Box<dyn Read + Send>, |before, _| Box::new(before.chain(text)));
    // On a separate thread: a single worker runs on the calling thread, which would then stay pinned.
    let found = std::thread::scope(|scope| {
        let solve = || solve_stream(form, input, &mut sink(), &settings, &mut |_| {});
        let solver = start_scoped(Builder::new(), scope, solve);
        let solver = solver.context("cannot start a thread for the run")?;
        let solved = solver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        anyhow::Ok(solved?)
    })?;
    Ok((timer.finish(), found))
}
