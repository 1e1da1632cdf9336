//! `tallyboard sudoku solve` and `tallyboard sudoku count`: a stream in, a stream out.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use crate::plural::s;
use anyhow::{Context, Result, anyhow};
use tallyboard::sudoku::Solver;
use tallyboard::sudoku::format::{Form, Head, Wanted, sniff};
use tallyboard::sudoku::stream::{
    BadLine, Find, Row, Settings, StreamError, Summary, solve_stream,
};

use crate::cli::args::{Args, sudoku::Files, sudoku::Form as Layout, sudoku::Solve};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{self, Output, ReadSoFar, note, say};
use crate::cli::number::{grouped, rate};
use crate::cli::progress_bar::ReadBar;
use crate::cli::signals::Interrupt;

/// Bad lines that are reported one by one.
const MOST_REPORTED: u64 = 100;

/// Solves the puzzles of a file and prints the summary.
pub fn run(flags: &Solve, args: &Args) -> Result<Ending> {
    let interrupt = &Interrupt::listen_briefly()?;
    let Solve { files, way, limit, solutions_only, check, stats, json } = flags;
    if *json && files.output.as_deref() == Some(Path::new("-")) {
        let found = "--json and -o - would mix the document and the rows: expected a file";
        return Err(Usage(found.to_owned()).into());
    }
    let solver = way.solver()?;
    let (limit, find) = (*limit, Find::Solutions);
    let row = if *solutions_only { Row::SolutionOnly } else { Row::Solution };
    let solve = || {
        let (form, input, read) = open(files, Extras { check: *check, stats: *stats }, interrupt)?;
        let run = Run { form: &form, files, solver, find, row, limit, args, interrupt, read };
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

/// Opens the input of `files` and finds its form; tells how much of it has been read.
pub fn open(
    files: &Files,
    extras: Extras,
    interrupt: &Interrupt,
) -> Result<(Form, Input, Arc<ReadSoFar>)> {
    let name = io::name(&files.file);
    let cannot_read = || format!("cannot read {name}");
    let (input, read) = io::open_listening(&files.file, interrupt)?;
    let (head, input) = sniff(input).with_context(cannot_read)?;
    let Extras { check, stats } = extras;
    let Layout { format, to: output, size } = files.form;
    let wanted = Wanted { format, output, size, check, stats };
    let form = Form::find(&head, &wanted).with_context(cannot_read)?;
    Ok((form, input, read))
}

/// One stream, from its input to its output.
pub struct Run<'a> {
    pub form: &'a Form,
    pub files: &'a Files,
    pub solver: Solver,
    pub find: Find,
    pub row: Row,
    pub limit: u64,
    pub args: &'a Args,
    pub interrupt: &'a Interrupt,
    pub read: Arc<ReadSoFar>,
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
            solver: self.solver,
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
        let quiet = self.args.quiet || io::is_screen(self.files.output.as_deref());
        let bar = &mut ReadBar::new(quiet, &self.read);
        let watched = &mut Watched { output: &mut output, bar };
        let solved = solve_stream(self.form, input, watched, &settings, report);
        if reported > MOST_REPORTED {
            let more = reported - MOST_REPORTED;
            note(format_args!("{name}: {} more bad line{}", grouped(more), s(more)));
        }
        let summary = solved.map_err(|error| explain(error, name))?;
        output.finish()?;
        print(&summary)?;
        let clean = summary.bad + summary.disagreements + summary.unstated == 0;
        Ok(if clean { Ending::Done } else { Ending::Failed })
    }
}

/// An output that shows how much of the input has been worked on.
struct Watched<'a> {
    output: &'a mut Output,
    bar: &'a mut ReadBar,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.output.write(bytes)
    }

    /// Comes after each chunk.
    fn flush(&mut self) -> std::io::Result<()> {
        self.bar.tick();
        self.output.flush()
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
        "compared": summary.compared,
        "disagreements": summary.disagreements,
        "unstated": summary.unstated,
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
    if check {
        let Summary { compared, disagreements: wrong, unstated, .. } = *summary;
        let (s, compared) = (s(compared), grouped(compared));
        let right =
            if wrong == 0 { "all right".into() } else { format!("{} wrong", grouped(wrong)) };
        note(match compared.as_str() {
            "0" => "no stated solution to compare".to_owned(),
            _ => format!("{compared} stated solution{s} compared, {right}"),
        });
        if unstated > 0 {
            note(format_args!("without a stated solution: {}", grouped(unstated)));
        }
    }
    note(format_args!(
        "time {seconds:.3} s, {}puzzles/s, threads {}",
        rate(summary.puzzles() as f64 / seconds),
        summary.threads
    ));
    Ok(())
}
