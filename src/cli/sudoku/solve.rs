//! `tallyboard sudoku solve` and `tallyboard sudoku count`: a stream in, a stream out.

use std::io::Read;

use crate::plural::s;
use anyhow::{Context, Result, anyhow};
use tallyboard::sudoku::format::{Form, Head, Wanted, sniff};
use tallyboard::sudoku::stream::{
    BadLine, Find, Row, Settings, StreamError, Summary, solve_stream,
};

use crate::cli::args::{Args, sudoku::Files, sudoku::Form as Layout, sudoku::Solve};
use crate::cli::ending::Ending;
use crate::cli::io::{self, Output, note, say};
use crate::cli::number::{grouped, rate};
use crate::cli::signals::Interrupt;

/// Bad lines that are reported one by one.
const MOST_REPORTED: u64 = 100;

/// Solves the puzzles of a file and prints the summary.
pub fn run(flags: &Solve, args: &Args) -> Result<Ending> {
    let interrupt = &Interrupt::listen_briefly()?;
    let Solve { files, limit, solutions_only, check, stats, json } = flags;
    let (limit, find) = (*limit, Find::Solutions);
    let row = if *solutions_only { Row::SolutionOnly } else { Row::Solution };
    let solve = || {
        let (form, input) = open(files, Extras { check: *check, stats: *stats }, interrupt)?;
        let run = Run { form: &form, files, find, row, limit, args, interrupt };
        run.stream(input, |summary| {
            if *json { say(document(summary)) } else { print(summary, limit, *check, args) }
        })
    };
    interrupt.ending(solve())
}

/// What is done with each puzzle besides solving it.
#[derive(Default)]
pub struct Extras {
    /// Compare with the stated solutions.
    pub check: bool,
    /// Tell how it is solved.
    pub stats: bool,
}

/// An input whose first bytes have been looked at.
pub type Input = Head<Box<dyn Read + Send>>;

/// Opens the input of `files` and finds its form.
pub fn open(files: &Files, extras: Extras, interrupt: &Interrupt) -> Result<(Form, Input)> {
    let name = io::name(&files.file);
    let cannot_read = || format!("cannot read {name}");
    let (head, input) =
        sniff(io::open_listening(&files.file, interrupt)?).with_context(cannot_read)?;
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
    pub find: Find,
    pub row: Row,
    pub limit: u64,
    pub args: &'a Args,
    pub interrupt: &'a Interrupt,
}

impl Run<'_> {
    /// Solves `input` and has the summary printed.
    pub fn stream(
        &self,
        input: impl Read + Send,
        print: impl FnOnce(&Summary) -> Result<()>,
    ) -> Result<Ending> {
        let name = io::name(&self.files.file);
        let mut output = Output::create(self.files.output.as_deref())?;
        let settings = Settings {
            find: self.find,
            limit: self.limit,
            row: self.row,
            solver: self.files.way.solver()?,
            strict: self.files.strict,
            threads: self.args.threads,
            ..Settings::new(self.interrupt.stop())
        };
        let mut reported = 0;
        let report = &mut |bad: &BadLine| {
            reported += 1;
            if reported <= MOST_REPORTED {
                note(format_args!("{name}:{}: {}", bad.line, bad.error));
            }
        };
        let solved = solve_stream(self.form, input, &mut output, &settings, report);
        if reported > MOST_REPORTED {
            let more = reported - MOST_REPORTED;
            note(format_args!("{name}: {} more bad line{}", grouped(more), s(more)));
        }
        let summary = solved.map_err(|error| explain(error, name))?;
        output.finish()?;
        print(&summary)?;
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

/// What a stream held, for programs.
fn document(summary: &Summary) -> impl std::fmt::Display {
    serde_json::json!({
        "puzzles": summary.puzzles(),
        "unique": summary.unique,
        "none": summary.none,
        "many": summary.many,
        "bad": summary.bad,
        "disagreements": summary.disagreements,
        "seconds": summary.elapsed.as_secs_f64(),
        "threads": summary.threads,
    })
}

/// Prints what a stream held.
pub fn print(summary: &Summary, limit: u64, check: bool, args: &Args) -> Result<()> {
    if args.quiet {
        return Ok(());
    }
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
    } else if check {
        note("all stated solutions are right");
    }
    note(format_args!(
        "time {seconds:.3} s, {}puzzles/s, threads {}",
        rate(summary.puzzles() as f64 / seconds),
        summary.threads
    ));
    Ok(())
}
