//! `tallyboard sudoku count --journal`: one puzzle with very many solutions, over all cores.

use std::io::{BufRead, BufReader, Write};

use anyhow::{Context, Result, bail, ensure};
use tallyboard::sudoku::{CountOne, Grid, parse_line};

use crate::cli::args::{Args, sudoku::Count};
use crate::cli::ending::Ending;
use crate::cli::io::{self, Output};
use crate::cli::journaled::Counting;
use crate::cli::signals::Interrupt;

/// Counts the one puzzle of the input and writes `puzzle:count`.
pub fn run(flags: &Count, args: &Args) -> Result<Ending> {
    ensure!(flags.limit.is_none(), "a count with --journal has no --limit: it counts everything");
    let grid = only_puzzle(flags)?;
    let mut output = Output::create(flags.files.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let counting = Counting { threads: args.threads, quiet: args.quiet, interrupt: &interrupt };
    let outcome =
        counting.run(&CountOne::new(grid).by(flags.files.solver()?), &flags.journaling)?;
    if let Some(signal) = interrupt.signal().filter(|_| !outcome.complete) {
        return Ok(Ending::Interrupted { signal });
    }
    writeln!(output, "{grid}:{}", outcome.tally.solutions())?;
    output.finish()?;
    Ok(Ending::Done)
}

/// The puzzle of an input that holds exactly one.
fn only_puzzle(flags: &Count) -> Result<Grid> {
    let name = io::name(&flags.files.file);
    let mut found = None;
    for (index, line) in BufReader::new(io::open(&flags.files.file)?).lines().enumerate() {
        let line = line.with_context(|| format!("cannot read {name}"))?;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let grid = parse_line(line.as_bytes()).with_context(|| format!("{name}:{number}"))?;
        if found.replace(grid).is_some() {
            bail!("{name}:{number}: found a second puzzle; a journal belongs to one");
        }
    }
    found.with_context(|| format!("{name}: found no puzzle, expected one"))
}
