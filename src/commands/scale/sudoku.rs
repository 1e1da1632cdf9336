//! `tallyboard scale sudoku FILE`: measures a file of sudokus.

use std::io::{Read, empty, sink};
use std::path::Path;
use std::thread::Builder;

use anyhow::{Context, Result, bail, ensure};
use tallyboard_base::figures::counted;
use tallyboard_scale::measure::{Run, Setting};
use tallyboard_scale::report::THREADS;
use tallyboard_scale::timer::RunTimer;
use tallyboard_search::start_scoped;
use tallyboard_sudoku::format::{Form, FormOptions, OnePuzzle, Row};
use tallyboard_sudoku::stream::{Settings, Summary, solve_stream};
use tallyboard_sudoku::{CountOne, Solver};

use crate::counting::KnownCount;
use crate::scaling::measurement::{Measurement, Task, Workload, compare_with_first};
use crate::terminal::{ExitStatus, UsageError, eprint_line, io};

/// Measures solving the puzzles of `file`, or, if `count`, counting their solutions. The file is read before all runs.
pub fn measure(
    file: &Path,
    count: bool,
    solver: Solver,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let name = io::name(file);
    if file == Path::new("-") {
        let found = "found -, expected a file: each run reads all of it";
        bail!(UsageError::of(found));
    }
    let mut text = io::read(file, "a part of it, as by `head`: each run reads all")?;
    ensure!(!text.is_empty(), "{name} is empty: expected one puzzle a line");
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    let form = Form::find(&text, &FormOptions::default()).with_context(|| name.clone())?;
    if measurement.flags.weak && !form.is_plain() {
        let why = "expected one puzzle a line; files of other formats cannot be repeated";
        bail!(UsageError(format!("--weak: {name}: {why}")));
    }
    let kernel = match solver {
        Solver::Batch(kernel) => format!("batch ({kernel})"),
        Solver::Single => "single".to_owned(),
    };
    let options = match solver {
        _ if solver == Solver::default() => String::new(),
        Solver::Batch(kernel) => format!(" --kernel {kernel}"),
        Solver::Single => " --engine single".to_owned(),
    };
    let workload = Workload {
        problem: format!("sudoku {}{name}", if count { "--count " } else { "" }),
        command: format!(
            "tallyboard sudoku {} {name}{options} -j {THREADS}",
            if count { "count" } else { "solve" }
        ),
        kernel,
        unit: Some("puzzles".to_owned()),
        parameters: Vec::new(),
    };
    let single = OnePuzzle::find(&form, &text);
    match single.as_ref().and_then(OnePuzzle::nine) {
        Some(&grid) if count => {
            let problem = CountOne::with(grid, None, solver);
            let unit = Some("solutions".to_owned());
            let workload = Workload { unit, ..workload };
            super::count::measure(&problem, KnownCount::default(), workload, measurement)
        }
        _ => measure_stream(&text, &form, count, solver, workload, measurement),
    }
}

/// Measures the puzzles of a file, chunk by chunk.
fn measure_stream(
    text: &[u8],
    form: &Form,
    count: bool,
    solver: Solver,
    workload: Workload,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let mut expected = None;
    let name = workload.problem.clone();
    measurement.measure(workload, |task| {
        let (mut run, summary) = run_stream(text, form, count, solver, task)?;
        if task.stop.requested() {
            return Ok(run);
        }
        let puzzles = summary.puzzles();
        ensure!(puzzles > 0, "{name} holds no puzzle: expected 81 characters a line");
        // Weak scaling reads the file several times over.
        let times = task.setting.work as u64;
        let found = [summary.unique, summary.none, summary.many, summary.bad].map(|it| it / times);
        let [.., bad] = found;
        if expected.is_none() && bad > 0 {
            eprint_line(format_args!("{name}: {}", counted(bad, "bad line")));
        }
        if let Err(expected) = compare_with_first(&mut expected, found) {
            bail!(
                "{} found {found:?} puzzles with one, no and many solutions and bad lines, expected {expected:?}",
                counted(task.setting.threads, "thread")
            );
        }
        run.amount = Some(puzzles as f64);
        Ok(run)
    })
}

/// Number of chunks of a large file: on eight threads, those that are done first wait for the last chunk for a twenty-fifth of the
/// time or so. `sudoku solve` adapts the size of chunks to their time, which would differ between runs.
const CHUNKS_OF_A_FILE: usize = 200;
/// Lower bound on a chunk: two hundred puzzles. Handing over a chunk takes much less time than solving them.
const MIN_CHUNK_BYTES: usize = 16 << 10;

/// One run over `text`, repeated as the setting asks, with each chunk timed; and what it found.
fn run_stream(
    text: &[u8],
    form: &Form,
    count: bool,
    solver: Solver,
    task: Task,
) -> Result<(Run, Summary)> {
    let Setting { threads, work, .. } = *task.setting;
    let timer = RunTimer::start(threads, task.places);
    let around = |chunk: &mut dyn FnMut()| timer.time_piece(chunk);
    let chunk_bytes = (text.len() / CHUNKS_OF_A_FILE).max(MIN_CHUNK_BYTES);
    let (limit, row) = if count { (u64::MAX, Row::COUNT) } else { (2, Row::SOLUTION) };
    let settings = Settings {
        limit,
        row,
        solver,
        threads,
        chunk_bytes: Some(chunk_bytes),
        around: &around,
        ..Settings::new(task.stop)
    };
    let mut input: Box<dyn Read + Send> = Box::new(empty());
    for _ in 0..work as usize {
        input = Box::new(input.chain(text));
    }
    // On a separate thread: a single worker runs on the calling thread, which would then stay pinned.
    let summary = std::thread::scope(|scope| {
        let solve = || solve_stream(form, &mut input, &mut sink(), &settings, &mut |_| {});
        let solver = start_scoped(Builder::new(), scope, solve);
        let solver = solver.context("cannot start a thread for the run")?;
        let solved = solver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        anyhow::Ok(solved?)
    })?;
    Ok((timer.finish(), summary))
}
