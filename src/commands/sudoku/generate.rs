//! `tallyboard sudoku generate`: random puzzles with one solution.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::figures::{counted, grouped, with_prefix};
use sudoku::Grid;
use sudoku::generate::{Generator, Requirements, USUAL_CLUES};

use crate::terminal::args::Args;
use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::io::Output;
use crate::terminal::name::program_name;
use crate::terminal::print::{eprint_line, info};
use crate::terminal::signals::Interrupt;

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
const RARE: usize = 20;
/// Minimal puzzles with this many clues or more take thousands of attempts, or are never found.
const RARE_MINIMAL: usize = 29;
/// The interval at which a long search prints its progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// Writes the puzzles asked for.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<ExitStatus> {
    let clues = match flags.clues {
        Some(clues) => Some(clues as usize),
        None => (!flags.minimal).then_some(USUAL_CLUES),
    };
    let requirements = Requirements { clues, minimal: flags.minimal, symmetric: flags.symmetric };
    let generator =
        Generator::new(requirements, flags.seed).map_err(|error| UsageError(error.to_string()))?;
    warn(requirements, args);
    let interrupt = Interrupt::listen_briefly()?;
    let mut output = Output::on_threads(flags.output.as_deref(), args.threads)?;
    let began = Instant::now();
    let mut written =
        OutputState { last_progress: began, count: 0, wanted: flags.count, quiet: args.quiet };
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
        let made = counted(written.count, "puzzle");
        return output.interrupted(&interrupt, &made);
    }
    output.finish()?;
    let seconds = began.elapsed().as_secs_f64();
    let puzzles = counted(flags.count, "puzzle");
    let rate = with_prefix(flags.count as f64 / seconds);
    info(args, format_args!("{puzzles} in {seconds:.3} s, {rate} puzzles/s"));
    Ok(ExitStatus::Done)
}

/// Warns if the search may take long.
fn warn(requirements: Requirements, args: &Args) {
    let Requirements { clues: Some(clues), minimal, .. } = requirements else { return };
    if clues <= RARE || minimal && clues >= RARE_MINIMAL {
        let which = if minimal { "minimal puzzles" } else { "puzzles" };
        let how = "are rare: one may take from seconds to for ever";
        info(args, format_args!("{}: {which} with {clues} clues {how}", program_name()));
    }
}

/// How many puzzles have been written, and when progress was printed.
struct OutputState {
    /// When progress was last printed.
    last_progress: Instant,
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
        let is_due = self.last_progress.elapsed() >= PROGRESS_INTERVAL;
        if is_due && !self.quiet && std::io::stderr().is_terminal() {
            self.last_progress = Instant::now();
            eprint_line(format_args!(
                "{} of {} in {}",
                grouped(self.count),
                counted(self.wanted, "puzzle"),
                counted(tried, "attempt")
            ));
        }
        output.write_all(&lines).and_then(|()| output.flush())
    }
}
