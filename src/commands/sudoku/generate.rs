//! `tallyboard sudoku generate`: random puzzles with one solution.

use std::path::PathBuf;

use anyhow::Result;
use tallyboard_sudoku::generate::{Generator, Requirements, USUAL_CLUES};

use crate::commands::generate::{self, Take, Wanted};
use crate::terminal::{Args, ExitStatus, Interrupt, UsageError, info, program_name};

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

/// Writes the puzzles asked for.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<ExitStatus> {
    let clues = match flags.clues {
        Some(clues) => Some(clues as usize),
        None => (!flags.minimal).then_some(USUAL_CLUES),
    };
    let requirements = Requirements { clues, minimal: flags.minimal, symmetric: flags.symmetric };
    let generator = Generator::new(requirements, flags.seed).map_err(UsageError::of)?;
    warn_if_rare(requirements, args);
    let interrupt = Interrupt::listen();
    let wanted = Wanted { count: flags.count, name: "puzzle", output: flags.output.as_deref() };
    let make = |take: &mut Take| {
        generator.generate(flags.count, args.threads, interrupt.stop(), |puzzles, tried| {
            let lines = puzzles.iter().flat_map(|puzzle| [&puzzle.to_bytes()[..], b"\n"].concat());
            take(&lines.collect::<Vec<u8>>(), puzzles.len(), tried)
        })
    };
    generate::run(&wanted, &interrupt, args, Box::new(make))
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
