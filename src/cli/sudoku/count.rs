//! `tallyboard sudoku count`: many puzzles as a stream, a single one with all cores, progress, time
//! left, and a journal if one is asked for.

use std::io::{Read, Write};

use crate::plural::s;
use anyhow::{Context, Result, bail};
use tallyboard::search::Outcome;
use tallyboard::sudoku::estimate::{Estimate, estimate};
use tallyboard::sudoku::format::{Form, Kind};
use tallyboard::sudoku::sized::Size;
use tallyboard::sudoku::stream::{Row, solve_stream_as};
use tallyboard::sudoku::{CountOne, Grid, Method};

use super::solve::{self, Extras, Run};
use crate::cli::args::{Args, sudoku::Count as Flags};
use crate::cli::ending::Ending;
use crate::cli::io::{self, Output, note};
use crate::cli::journaled::Counting;
use crate::cli::number::grouped;
use crate::cli::signals::Interrupt;

/// Inputs up to this long are looked at whole, to see whether they hold a single puzzle.
const SINGLE_BYTES: u64 = 16 << 10;

/// Counts the solutions of every puzzle of the input.
pub fn run(flags: &Flags, args: &Args) -> Result<Ending> {
    let name = io::name(&flags.files.file);
    let (form, mut input) = solve::open(&flags.files, Extras { stats: flags.stats, check: false })?;
    let mut head = Vec::new();
    let cannot_read = || format!("cannot read {name}");
    input.by_ref().take(SINGLE_BYTES).read_to_end(&mut head).with_context(cannot_read)?;
    let single =
        (head.len() < SINGLE_BYTES as usize).then(|| single_puzzle(&form, &head)).flatten();
    match single {
        Some(grid) if flags.estimate => show_estimate(&grid, flags),
        _ if flags.estimate => bail!("{name}: --estimate expects a single 9 × 9 puzzle"),
        Some(grid) if flags.limit.is_none() && !form.stats() => {
            count_one(grid, &form, &head, flags, args)
        }
        _ if flags.journaling.journal.is_some() => {
            bail!("{name}: --journal expects a single 9 × 9 puzzle")
        }
        _ if flags.method.asked().is_some() => {
            bail!("{name}: --method expects a single 9 × 9 puzzle")
        }
        _ => {
            let whole = std::io::Cursor::new(head).chain(input);
            let limit = flags.limit.unwrap_or(u64::MAX);
            let run = Run { form: &form, files: &flags.files, row: Row::Count, limit, args };
            run.stream(whole, solve_stream_as, |summary| solve::print(summary, limit))
        }
    }
}

/// The puzzle of an input that holds just one and no bad lines.
fn single_puzzle(form: &Form, text: &[u8]) -> Option<Grid> {
    if form.size() != Size::Nine {
        return None;
    }
    let batch = form.read(text, true);
    let bad = batch.entries.iter().any(|entry| matches!(entry.kind, Kind::Bad(_)));
    let line = batch.plain.strip_suffix(b"\n").filter(|_| !bad)?;
    std::str::from_utf8(line).ok()?.parse().ok()
}

/// Counts the solutions of `grid`, which is the one puzzle of `text`.
fn count_one(grid: Grid, form: &Form, text: &[u8], flags: &Flags, args: &Args) -> Result<Ending> {
    let mut output = Output::create(flags.files.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let counting = Counting { threads: args.threads, quiet: args.quiet, interrupt: &interrupt };
    let problem = CountOne::choose(grid, flags.method.asked(), flags.files.solver()?);
    let outcome = counting.run(&problem, &flags.journaling)?;
    if let Some(signal) = interrupt.signal().filter(|_| !outcome.complete) {
        let found = outcome.tally.solutions();
        note(format_args!("{} solution{} counted so far", grouped(found), s(found)));
        return Ok(Ending::Interrupted { signal });
    }
    let rows = rows(form, text, outcome.tally.solutions());
    output.write_all(&rows).context("cannot write the results")?;
    output.finish()?;
    if !args.quiet {
        print(&outcome, problem.method());
    }
    Ok(Ending::Done)
}

/// What a stream would write for `text`, whose one puzzle has `count` solutions.
fn rows(form: &Form, text: &[u8], count: u128) -> Vec<u8> {
    let batch = form.read(text, true);
    let puzzle = batch.plain.strip_suffix(b"\n").unwrap_or(&batch.plain);
    let solved = [puzzle, format!(":{count}").as_bytes()].concat();
    let mut rows = form.preamble(Row::Count);
    form.write(&batch, &solved, Row::Count, &mut rows, &mut |_, _, _| {});
    rows
}

fn print(outcome: &Outcome, method: Method) {
    let how = match method {
        Method::Enumeration => "every one found",
        Method::Join => "bands joined",
    };
    note(format_args!(
        "{} solution{} in {:.3} s, threads {}, {how}",
        grouped(outcome.tally.solutions()),
        s(outcome.tally.solutions()),
        outcome.elapsed.as_secs_f64(),
        outcome.threads
    ));
}

fn show_estimate(grid: &Grid, flags: &Flags) -> Result<Ending> {
    let Estimate { mean, low, high, probes } = estimate(grid, flags.probes, flags.seed);
    let mut output = Output::create(flags.files.output.as_deref())?;
    writeln!(output, "{grid}:{mean:.3e} ({low:.3e} to {high:.3e})")
        .context("cannot write the results")?;
    output.finish()?;
    note(format_args!("{} probe{}, 95 % interval", grouped(probes), s(probes)));
    Ok(Ending::Done)
}
