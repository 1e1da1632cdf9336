//! `tallyboard sudoku solve` and `tallyboard sudoku count`: a stream in, a stream out.

use anyhow::{Result, anyhow};
use tallyboard::sudoku::stream::{Row, Settings, StreamError, Summary, solve_stream};

use crate::cli::args::{Args, sudoku::Files};
use crate::cli::ending::Ending;
use crate::cli::io::{self, Output};
use crate::cli::number::{grouped, rate};
use crate::cli::signals::Interrupt;

/// Solves the puzzles of `files` and prints the summary.
pub fn run(files: &Files, row: Row, limit: u64, args: &Args) -> Result<Ending> {
    let input = io::open(&files.file)?;
    let name = io::name(&files.file);
    let mut output = Output::create(files.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let settings = Settings {
        limit,
        row,
        solver: files.solver()?,
        strict: files.strict,
        threads: args.threads,
        stop: interrupt.stop(),
    };
    let summary = match solve_stream(input, &mut output, &settings, &mut |bad| {
        eprintln!("{name}:{}: {}", bad.line, bad.error);
    }) {
        Ok(summary) => summary,
        Err(StreamError::Stopped) => {
            eprintln!("tallyboard: interrupted");
            let signal = interrupt.signal().unwrap_or(signal_hook::consts::SIGINT);
            return Ok(Ending::Interrupted { signal });
        }
        Err(StreamError::Bad(bad)) => return Err(anyhow!("{name}:{}: {}", bad.line, bad.error)),
        Err(error @ StreamError::Read(_)) => return Err(anyhow::Error::new(error).context(name)),
        Err(error) => return Err(error.into()),
    };
    output.finish()?;
    if !args.quiet {
        print(&summary, limit);
    }
    Ok(if summary.bad == 0 { Ending::Done } else { Ending::Failed })
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
    eprintln!(
        "time {seconds:.3} s, {}puzzles/s, threads {}",
        rate(summary.puzzles() as f64 / seconds),
        summary.threads
    );
}
