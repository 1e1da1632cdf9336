//! `tallyboard sudoku generate`: random puzzles with one solution.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::figures::{counted, grouped, rate};
use sudoku::Grid;
use sudoku::generate::{Generator, Requirements};

use crate::cli::args::{Args, sudoku::GenerateArgs};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{Output, note, remark};
use crate::cli::signals::Interrupt;

/// Clues of a puzzle by default.
const USUAL_CLUES: usize = 30;
/// Puzzles with this many clues or fewer take thousands of attempts, or are never found.
const RARE: usize = 20;
/// Minimal puzzles with this many clues or more take thousands of attempts, or are never found.
const RARE_MINIMAL: usize = 29;
/// The interval at which a long search prints its progress.
const NEWS: Duration = Duration::from_secs(5);

/// Writes the puzzles asked for.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<Ending> {
    let clues = match flags.clues {
        Some(clues) => Some(clues as usize),
        None => (!flags.minimal).then_some(USUAL_CLUES),
    };
    let wish = Requirements { clues, minimal: flags.minimal, symmetric: flags.symmetric };
    let generator = Generator::new(wish, flags.seed).map_err(|error| Usage(error.to_string()))?;
    warn(wish, args);
    let interrupt = Interrupt::listen_briefly()?;
    let mut output = Output::on_threads(flags.output.as_deref(), args.threads)?;
    let began = Instant::now();
    let mut written = OutputState { told: began, count: 0, wanted: flags.count, quiet: args.quiet };
    let failed =
        generator.generate(flags.count, args.threads, interrupt.stop(), |puzzles, tried| {
            match written.write(puzzles, tried, &mut output) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        })?;
    if let Some(error) = failed {
        return Err(error).context("cannot write the puzzles");
    }
    if interrupt.signal().is_some() && written.count < flags.count {
        return Ok(interrupt.interrupted(""));
    }
    output.finish()?;
    let (puzzles, seconds) = (counted(flags.count, "puzzle"), began.elapsed().as_secs_f64());
    let rate = rate(flags.count as f64 / seconds);
    remark(args, format_args!("{puzzles} in {seconds:.3} s, {rate}puzzles/s"));
    Ok(Ending::Done)
}

/// Warns if the search may take long.
fn warn(wish: Requirements, args: &Args) {
    let Requirements { clues: Some(clues), minimal, .. } = wish else { return };
    if clues <= RARE || minimal && clues >= RARE_MINIMAL {
        let which = if minimal { "minimal puzzles" } else { "puzzles" };
        let how = "are rare: one may take from seconds to for ever";
        remark(args, format_args!("tallyboard: {which} with {clues} clues {how}"));
    }
}

/// How many puzzles have been written, and when progress was printed.
struct OutputState {
    /// When progress was last printed.
    told: Instant,
    count: u64,
    wanted: u64,
    quiet: bool,
}

impl OutputState {
    fn write(&mut self, puzzles: &[Grid], tried: u64, output: &mut Output) -> std::io::Result<()> {
        let mut lines = Vec::with_capacity(puzzles.len() * 82);
        for puzzle in puzzles {
            lines.extend_from_slice(&puzzle.to_bytes());
            lines.push(b'\n');
        }
        self.count += puzzles.len() as u64;
        if self.told.elapsed() >= NEWS && !self.quiet && std::io::stderr().is_terminal() {
            self.told = Instant::now();
            note(format_args!(
                "{} of {} in {}",
                grouped(self.count),
                counted(self.wanted, "puzzle"),
                counted(tried, "attempt")
            ));
        }
        output.write_all(&lines).and_then(|()| output.flush())
    }
}
