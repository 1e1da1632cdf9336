//! `tallyboard sudoku generate`

use std::io::Write;
use std::time::Instant;

use crate::plural::s;
use anyhow::{Context, Result};
use tallyboard::sudoku::generate::{Generator, Wish};

use crate::cli::args::{Args, sudoku::Generate as Flags};
use crate::cli::ending::Ending;
use crate::cli::io::{Output, note};
use crate::cli::number::{grouped, rate};
use crate::cli::signals::Interrupt;

/// Without a wish for minimal puzzles or a number of clues.
const USUAL_CLUES: usize = 30;
/// Puzzles written at a time.
const BATCH: usize = 256;

/// Writes the puzzles asked for.
pub fn run(flags: &Flags, args: &Args) -> Result<Ending> {
    let clues = match flags.clues {
        Some(clues) => Some(clues as usize),
        None => (!flags.minimal).then_some(USUAL_CLUES),
    };
    let wish = Wish { clues, minimal: flags.minimal, symmetric: flags.symmetric };
    let generator = Generator::new(wish, flags.seed);
    let mut output = Output::create(flags.output.as_deref())?;
    let interrupt = Interrupt::listen()?;
    let began = Instant::now();
    let mut lines = Vec::with_capacity(BATCH * 82);
    let mut numbers = 0..flags.count;
    loop {
        for number in numbers.by_ref().take(BATCH) {
            if let Some(signal) = interrupt.signal() {
                note("tallyboard: interrupted");
                return Ok(Ending::Interrupted { signal });
            }
            lines.extend_from_slice(&generator.puzzle(number).to_bytes());
            lines.push(b'\n');
        }
        if lines.is_empty() {
            break;
        }
        output.write_all(&lines).context("cannot write the puzzles")?;
        lines.clear();
    }
    output.finish()?;
    if !args.quiet {
        let seconds = began.elapsed().as_secs_f64();
        note(format_args!(
            "{} puzzle{} in {seconds:.3} s, {}puzzles/s",
            grouped(flags.count),
            s(flags.count),
            rate(flags.count as f64 / seconds)
        ));
    }
    Ok(Ending::Done)
}
