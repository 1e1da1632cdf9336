//! `tallyboard sudoku solve` and `tallyboard sudoku count`: a stream in, a stream out.

use std::io::{Read, Write};

use crate::plural::s;
use anyhow::{Context, Result, anyhow};
use tallyboard::sudoku::format::{Form, Head, Wanted, sniff};
use tallyboard::sudoku::stream::{BadLine, Row, Settings, StreamError, Summary, solve_stream_as};

use crate::cli::args::{Args, sudoku::Files, sudoku::Form as Layout, sudoku::Solve};
use crate::cli::ending::Ending;
use crate::cli::io::{self, Output, note};
use crate::cli::number::{grouped, rate};
use crate::cli::signals::Interrupt;

/// Solves the puzzles of a file and prints the summary.
pub fn run(flags: &Solve, args: &Args) -> Result<Ending> {
    let Solve { files, limit, solutions_only, check, stats } = flags;
    let limit = *limit;
    let row = if *solutions_only { Row::SolutionOnly } else { Row::Solution };
    let (form, input) = open(files, Extras { check: *check, stats: *stats })?;
    let run = Run { form: &form, files, row, limit, args };
    run.stream(input, solve_stream_as, |summary| print(summary, limit))
}

/// What is done with each puzzle besides solving it.
#[derive(Default)]
pub struct Extras {
    /// Compare with the stated solutions.
    pub check: bool,
    /// Tell how it is solved.
    pub stats: bool,
}

/// Opens the input of `files` and finds its form.
pub fn open(files: &Files, extras: Extras) -> Result<(Form, Head<Box<dyn Read + Send>>)> {
    let name = io::name(&files.file);
    let cannot_read = || format!("cannot read {name}");
    let (head, input) = sniff(io::open(&files.file)?).with_context(cannot_read)?;
    let Extras { check, stats } = extras;
    let Layout { format, to: output, size } = files.form;
    let wanted = Wanted { format, output, size, check, stats };
    let form = Form::find(&head, &wanted).with_context(cannot_read)?;
    Ok((form, input))
}
/// One stream, from its input to its output.
pub struct Run<'a> {
    pub form: &'a Form,
    pub files: &'a Files,
    pub row: Row,
    pub limit: u64,
    pub args: &'a Args,
}

impl Run<'_> {
    /// Runs `stream` on `input` and has the summary printed.
    pub fn stream<I, S>(&self, input: I, stream: S, print: impl FnOnce(&Summary)) -> Result<Ending>
    where
        S: FnOnce(
            &Form,
            I,
            &mut dyn Write,
            &Settings,
            &mut dyn FnMut(&BadLine),
        ) -> Result<Summary, StreamError>,
    {
        let name = io::name(&self.files.file);
        let mut output = Output::create(self.files.output.as_deref())?;
        let interrupt = Interrupt::listen()?;
        let settings = Settings {
            limit: self.limit,
            row: self.row,
            solver: self.files.solver()?,
            strict: self.files.strict,
            threads: self.args.threads,
            stop: interrupt.stop(),
        };
        let report = &mut |bad: &BadLine| note(format_args!("{name}:{}: {}", bad.line, bad.error));
        let summary = match stream(self.form, input, &mut output, &settings, report) {
            Ok(summary) => summary,
            Err(StreamError::Stopped) => {
                note("tallyboard: interrupted");
                let signal = interrupt.signal().unwrap_or(signal_hook::consts::SIGINT);
                return Ok(Ending::Interrupted { signal });
            }
            Err(error) => return Err(explain(error, name)),
        };
        output.finish()?;
        if !self.args.quiet {
            print(&summary);
        }
        let clean = summary.bad == 0 && summary.disagreements == 0;
        Ok(if clean { Ending::Done } else { Ending::Failed })
    }
}

/// The error with the name of the input where the input is to blame.
fn explain(error: StreamError, name: String) -> anyhow::Error {
    match error {
        StreamError::Bad(bad) => anyhow!("{name}:{}: {}", bad.line, bad.error),
        StreamError::Read(_) | StreamError::LongLine(_) => anyhow::Error::new(error).context(name),
        other => other.into(),
    }
}

/// Prints what a stream held.
pub fn print(summary: &Summary, limit: u64) {
    let seconds = summary.elapsed.as_secs_f64();
    note(format_args!(
        "{} puzzle{}: {} {}, {} without a solution, {} with more than one, {} bad line{}",
        grouped(summary.puzzles()),
        s(summary.puzzles()),
        grouped(summary.unique),
        if limit == 1 { "solved (uniqueness not asked)" } else { "unique" },
        grouped(summary.none),
        grouped(summary.many),
        grouped(summary.bad),
        s(summary.bad),
    ));
    if summary.disagreements > 0 {
        let wrong = summary.disagreements;
        note(format_args!("stated solutions that are not one: {}", grouped(wrong)));
    }
    note(format_args!(
        "time {seconds:.3} s, {}puzzles/s, threads {}",
        rate(summary.puzzles() as f64 / seconds),
        summary.threads
    ));
}
