//! `tallyboard sudoku generate`: random puzzles with one solution.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tallyboard_base::figures::{counted, grouped, with_prefix};
use tallyboard_sudoku::Grid;
use tallyboard_sudoku::generate::{Generator, Requirements, USUAL_CLUES};

use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, UsageError, eprint_line, info, program_name,
};

#[derive(Debug, clap::Args)]
pub struct GenerateArgs {
    /// The number of puzzles
    #[arg(default_value_t = 1)]
    pub count: u64,

    /// Exactly this many clues; 30 unless --minimal is given. With 20 or fewer the search takes long
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(17..=81))]
    pub clues: Option<u64>,

    /// The same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Make minimal puzzles: no clue can be removed (with --symmetric: no pair of clues)
    #[arg(long)]
    pub minimal: bool,

    /// The clues look the same after a half turn
    #[arg(long)]
    pub symmetric: bool,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Puzzles with this many clues or fewer take thousands of attempts, or are never found; the help of `--clues` names
/// the number, too.
const MAX_RARE_CLUES: usize = 20;
/// Minimal puzzles with this many clues or more take thousands of attempts, or are never found.
const MIN_RARE_MINIMAL_CLUES: usize = 29;
/// The interval at which a long search prints its progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// Writes the puzzles asked for.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<ExitStatus> {
    let clues = match flags.clues {
        Some(clues) => Some(clues as usize),
        None => (!flags.minimal).then_some(USUAL_CLUES),
    };
    let requirements = Requirements { clues, minimal: flags.minimal, symmetric: flags.symmetric };
    let generator = Generator::new(requirements, flags.seed).map_err(UsageError::of)?;
    warn_if_rare(requirements, args);
    let interrupt = Interrupt::listen_with_nothing_to_save();
    let output = Output::with_compression_threads(flags.output.as_deref(), args.threads)?;
    let began = Instant::now();
    let mut writer = PuzzleWriter { output, written: 0, wanted: flags.count, last_progress: began };
    let failed =
        generator.generate(flags.count, args.threads, interrupt.stop(), |puzzles, tried| {
            match writer.write(puzzles, tried, args.quiet) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        })?;
    if let Some(error) = failed {
        return Err(error).context("cannot write the puzzles");
    }
    let PuzzleWriter { output, written, .. } = writer;
    if interrupt.signal().is_some() && written < flags.count {
        return output.interrupted(&interrupt, &counted(written, "puzzle"));
    }
    output.finish()?;
    report_speed(flags.count, began, args);
    Ok(ExitStatus::Done)
}

/// Prints how long it took to make `count` puzzles.
pub fn report_speed(count: u64, began: Instant, args: &Args) {
    let seconds = began.elapsed().as_secs_f64();
    let puzzles = counted(count, "puzzle");
    let rate = with_prefix(count as f64 / seconds);
    info(args, format_args!("{puzzles} in {seconds:.3} s, {rate} puzzles/s"));
}

/// Warns if the search may take long.
fn warn_if_rare(requirements: Requirements, args: &Args) {
    let Requirements { clues: Some(clues), minimal, .. } = requirements else { return };
    if clues <= MAX_RARE_CLUES || minimal && clues >= MIN_RARE_MINIMAL_CLUES {
        let which = if minimal { "minimal puzzles" } else { "puzzles" };
        let how = "are rare: one may take from seconds to for ever";
        info(args, format_args!("{}: {which} with {clues} clues {how}", program_name()));
    }
}

/// Writes puzzles as soon as they are found, and prints the progress from time to time.
struct PuzzleWriter {
    output: Output,
    written: u64,
    wanted: u64,
    last_progress: Instant,
}

impl PuzzleWriter {
    /// Writes `puzzles`, which were found in `tried` attempts so far.
    fn write(&mut self, puzzles: &[Grid], tried: u64, quiet: bool) -> std::io::Result<()> {
        let mut lines = Vec::with_capacity(puzzles.len() * (tallyboard_sudoku::CELLS + 1));
        for puzzle in puzzles {
            lines.extend_from_slice(&puzzle.to_bytes());
            lines.push(b'\n');
        }
        self.written += puzzles.len() as u64;
        let is_due = self.last_progress.elapsed() >= PROGRESS_INTERVAL;
        if is_due && !quiet && std::io::stderr().is_terminal() {
            self.last_progress = Instant::now();
            eprint_line(format_args!(
                "{} of {} in {}",
                grouped(self.written),
                counted(self.wanted, "puzzle"),
                counted(tried, "attempt")
            ));
        }
        self.output.write_all(&lines).and_then(|()| self.output.flush())
    }
}
