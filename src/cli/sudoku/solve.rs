//! `tallyboard sudoku solve` and `tallyboard sudoku count`: a stream in, a stream out.

use std::io::Read;

use anyhow::{Context, Result, anyhow};
use tallyboard::sudoku::format::{Form, Head, Wanted, sniff};
use tallyboard::sudoku::stream::{Row, Settings, StreamError, Summary, solve_stream_as};

use crate::cli::args::{Args, sudoku::Files};
use crate::cli::ending::Ending;
use crate::cli::io::{self, Output};
use crate::cli::number::{grouped, rate};
use crate::cli::signals::Interrupt;

/// Solves the puzzles of `files` and prints the summary.
pub fn run(files: &Files, row: Row, limit: u64, check: bool, args: &Args) -> Result<Ending> {
    let name = io::name(&files.file);
    let (form, input) = open(files, check)?;
    solve(&form, input, &name, files, row, limit, args)
}

/// Opens the input of `files` and finds its form.
pub fn open(files: &Files, check: bool) -> Result<(Form, Head<Box<dyn Read + Send>>)> {
    let name = io::name(&files.file);
    let cannot_read = || format!("cannot read {name}");
    let (head, input) = sniff(io::open(&files.file)?).with_context(cannot_read)?;
    let flags = &files.form;
    let wanted = Wanted { format: flags.format, output: flags.to, size: flags.size, check };
    let form = Form::find(&head, &wanted).with_context(cannot_read)?;
    Ok((form, input))
}
/// Solves `input`, which is called `name`, and prints the summary.
pub fn solve(
    form: &Form,
    input: impl Read + Send,
    name: &str,
    files: &Files,
    row: Row,
    limit: u64,
    args: &Args,
) -> Result<Ending> {
    let mut output = Output::create(files.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let settings = Settings {
        limit,
        row,
        strict: files.strict,
        threads: args.threads,
        stop: interrupt.stop(),
    };
    let summary = match solve_stream_as(form, input, &mut output, &settings, &mut |bad| {
        eprintln!("{name}:{}: {}", bad.line, bad.error);
    }) {
        Ok(summary) => summary,
        Err(StreamError::Stopped) => {
            eprintln!("tallyboard: interrupted");
            let signal = interrupt.signal().unwrap_or(signal_hook::consts::SIGINT);
            return Ok(Ending::Interrupted { signal });
        }
        Err(StreamError::Bad(bad)) => return Err(anyhow!("{name}:{}: {}", bad.line, bad.error)),
        Err(error @ (StreamError::Read(_) | StreamError::LongLine(_))) => {
            return Err(anyhow::Error::new(error).context(name.to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    output.finish()?;
    if !args.quiet {
        print(&summary, limit);
    }
    let clean = summary.bad == 0 && summary.disagreements == 0;
    Ok(if clean { Ending::Done } else { Ending::Failed })
}

fn print(summary: &Summary, limit: u64) {
    let seconds = summary.elapsed.as_secs_f64();
    eprintln!(
        "{} puzzles: {} {}, {} without a solution, {} with more than one, {} bad lines",
        grouped(summary.puzzles()),
        grouped(summary.unique),
        if limit == 1 { "solved (uniqueness not asked)" } else { "unique" },
        grouped(summary.none),
        grouped(summary.many),
        grouped(summary.bad),
    );
    if summary.disagreements > 0 {
        eprintln!("{} stated solutions are not one", grouped(summary.disagreements));
    }
    eprintln!(
        "time {seconds:.3} s, {}puzzles/s, threads {}",
        rate(summary.puzzles() as f64 / seconds),
        summary.threads
    );
}
