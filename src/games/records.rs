//! Files of puzzles of any game to rows: bad records are told and come back marked, several files follow one another, and a summary ends
//! the run.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result};
use tallyboard_base::figures::{counted, grouped, with_prefix};
use tallyboard_search::records::{BadRecord, RecordsError, Summary};
use tallyboard_search::thread_count;

use crate::terminal::{
    Args, BarOutput, ExitStatus, Interrupt, Output, ensure_apart, eprint_line, info, io,
};

/// Upper bound on bad lines of a file that are reported one by one.
const MAX_REPORTED: u64 = 100;

/// Reports the bad lines of a file.
pub struct BadLines<'a> {
    name: &'a str,
    reported: u64,
}

impl<'a> BadLines<'a> {
    /// Those of the file with this name.
    pub fn new(name: &'a str) -> Self {
        Self { name, reported: 0 }
    }

    /// Reports one.
    pub fn report(&mut self, line: u64, mistake: impl std::fmt::Display) {
        self.reported += 1;
        if self.reported <= MAX_REPORTED {
            eprint_line(format_args!("{}:{line}: {mistake}", self.name));
        }
    }

    /// Says how many more there were.
    pub fn finish(self) {
        if self.reported > MAX_REPORTED {
            let more = counted(self.reported - MAX_REPORTED, "more line");
            eprint_line(format_args!("{}: {more} like these", self.name));
        }
    }
}

/// Files whose puzzles are solved to one output.
pub struct Files<'a> {
    pub inputs: &'a [PathBuf],
    pub output: Option<&'a Path>,
    /// What stands above all rows.
    pub header: &'a str,
}

/// Solves the puzzles of an input.
pub type Solve<'a> = dyn FnMut(
        Box<dyn Read + Send>,
        &mut (dyn Write + Send),
        &mut (dyn FnMut(&BadRecord) + Send),
    ) -> Result<Summary, RecordsError>
    + 'a;

/// Writes the rows that `solve` makes of each of `files`. `print` gets the summary of all and the time that they took.
pub fn run(
    files: &Files,
    interrupt: &Interrupt,
    args: &Args,
    solve: &mut Solve,
    print: &mut dyn FnMut(&Summary, Duration),
) -> Result<ExitStatus> {
    ensure_apart(files.inputs.iter().map(PathBuf::as_path), files.output)?;
    let began = Instant::now();
    let mut first = Some(io::open_until(&files.inputs[0], interrupt.shared_stop())?);
    let mut output = Output::with_compression_threads(files.output, args.threads)?;
    output.write_all(files.header.as_bytes()).context("cannot write the results")?;
    // Rows on a terminal show the progress themselves.
    let hides_progress = args.quiet || io::is_screen(files.output);
    let mut sum = Summary::default();
    for path in files.inputs {
        let name = io::name(path);
        let (input, progress) = match first.take() {
            Some(first) => first,
            None => io::open_until(path, interrupt.shared_stop())?,
        };
        let mut bad = BadLines::new(&name);
        let solved = {
            // The block drops `rows`, which removes the bar before anything else is printed.
            let mut rows = BarOutput::new(&mut output, hides_progress, interrupt, progress);
            let report = &mut |record: &BadRecord| bad.report(record.line, &record.mistake);
            solve(input, &mut rows, report).map_err(|error| named(error, &name))
        };
        bad.finish();
        match solved {
            Err(error) if interrupt.has_caused(&error) => {
                return output.interrupted_in(interrupt, "the output");
            }
            solved => sum.merge(&solved?),
        }
    }
    output.finish()?;
    print(&sum, began.elapsed());
    Ok(if sum.bad > 0 { ExitStatus::Failed } else { ExitStatus::Done })
}

/// The error, with the name of the input if the input caused it.
fn named(error: RecordsError, name: &str) -> Error {
    match error {
        RecordsError::Bad(bad) => anyhow::anyhow!("{name}:{}: {}", bad.line, bad.mistake),
        RecordsError::Read(error) => Error::new(error).context(format!("cannot read {name}")),
        other => other.into(),
    }
}

/// Prints the summary of puzzles that were solved up to `limit`, each called `what`.
pub fn print_summary(sum: &Summary, what: &str, limit: u64, elapsed: Duration, args: &Args) {
    let [one, none, several, given_up] =
        [sum.one, sum.none, sum.several, sum.given_up].map(grouped);
    let mut kinds = match limit {
        1 => format!("{one} with a solution, {none} without one"),
        _ => format!("{one} unique, {none} without a solution, {several} with more than one"),
    };
    if sum.given_up > 0 {
        kinds += &format!(", {given_up} given up");
    }
    let seconds = elapsed.as_secs_f64();
    info(
        args,
        format_args!(
            "{}: {kinds}, {}\ntime {seconds:.3} s, {} {what}s/s, threads {}",
            counted(sum.puzzles(), what),
            counted(sum.bad, "bad line"),
            with_prefix(sum.puzzles() as f64 / seconds),
            thread_count(args.threads),
        ),
    );
}
