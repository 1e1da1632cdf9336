//! `tallyboard variant generate`

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use tallyboard_base::figures::counted;
use tallyboard_search::Stopped;
use tallyboard_sudoku::generate::USUAL_CLUES;
use tallyboard_variants::{Error, Generator, Puzzle, Rule, Size};

use crate::commands::generate::{self, Take, Wanted};
use crate::games::FileArgs;
use crate::games::variant::read_one;
use crate::terminal::{Args, ExitStatus, Interrupt, Output, UsageError, ensure_apart, io};

#[derive(Debug, clap::Args)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// The number of puzzles
    #[arg(default_value_t = 1)]
    pub count: u64,

    /// At least this many givens; 30 at size 9, and as many for each cell at others, unless --minimal is given
    // The 30 is `USUAL_CLUES` of the crate.
    #[arg(long, value_name = "K")]
    pub clues: Option<usize>,

    /// As few givens as are found by leaving out one after the other
    #[arg(long, conflicts_with = "clues")]
    pub minimal: bool,

    /// Make a killer: cages of up to this many cells in place of givens. It is written whole, in the text form
    #[arg(long, value_name = "CELLS", conflicts_with_all = ["clues", "minimal"])]
    pub cages: Option<usize>,

    /// The same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Writes the puzzles asked for: givens as lines, or a killer as a file of its own.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart([&*flags.file.file], flags.output.as_deref())?;
    let puzzle = read_one(&flags.file)?;
    check_cages(flags, &puzzle)?;
    check_no_givens(flags, &puzzle)?;
    check_sizes(flags, puzzle.size())?;
    let interrupt = Interrupt::listen();
    let wanted = Wanted { count: flags.count, name: "puzzle", output: flags.output.as_deref() };
    let generator =
        match Generator::new_or_stop(Arc::clone(puzzle.rules()), flags.seed, interrupt.stop()) {
            Ok(generator) => generator,
            Err(Error::Stopped(Stopped)) => {
                return Output::create(wanted.output)?.interrupted(&interrupt, "0 puzzles");
            }
            Err(error) => return Err(UsageError::of(error).into()),
        };
    // As many for each cell as `sudoku generate` leaves.
    let default_clues = puzzle.size().cells() * USUAL_CLUES / tallyboard_sudoku::CELLS;
    let min_givens = if flags.minimal { 0 } else { flags.clues.unwrap_or(default_clues) };
    let generator = generator.givens(min_givens);
    let GenerateArgs { count, cages, .. } = *flags;
    let make = |take: &mut Take| {
        generator.generate(count, cages, args.threads, interrupt.stop(), |puzzles, tried| {
            // A killer is a file of its own.
            let text = |puzzle: &Puzzle| match cages {
                Some(_) => tallyboard_variants::write(puzzle),
                None => puzzle.line() + "\n",
            };
            take(puzzles.iter().map(text).collect::<String>().as_bytes(), puzzles.len(), tried)
        })
    };
    generate::run(&wanted, &interrupt, args, Box::new(make))
}

/// Refuses numbers of cells that no grid of this size can have.
fn check_sizes(flags: &GenerateArgs, size: Size) -> Result<(), UsageError> {
    if let Some(max_cage) = flags.cages.filter(|cells| !(1..=size.side()).contains(cells)) {
        let side = size.side();
        return Err(UsageError(format!(
            "--cages: found {max_cage}, expected 1 to {side} cells: no value stands in a cage twice"
        )));
    }
    if let Some(clues) = flags.clues.filter(|&clues| clues > size.cells()) {
        let cells = size.cells();
        return Err(UsageError(format!(
            "--clues: found {clues}, expected at most {cells}, the cells of a grid"
        )));
    }
    Ok(())
}

/// Refuses a file that gives values: new puzzles have givens of their own, and none of the file's.
fn check_no_givens(flags: &GenerateArgs, puzzle: &Puzzle) -> Result<(), UsageError> {
    let givens = puzzle.givens().iter().filter(|&&given| given > 0).count();
    let found = match givens {
        0 if puzzle.has_pencil_marks() => "candidates".to_owned(),
        0 => return Ok(()),
        givens => counted(givens, "given"),
    };
    let name = io::name(&flags.file.file);
    let expected = "expected rules alone: new puzzles have givens of their own";
    Err(UsageError(format!("{name}: found {found}, {expected}")))
}

/// Refuses `--cages` if the rules have cages already, or if more than one puzzle is asked for.
fn check_cages(flags: &GenerateArgs, puzzle: &Puzzle) -> Result<(), UsageError> {
    if flags.cages.is_none() {
        return Ok(());
    }
    if puzzle.rules().rules().iter().any(|rule| matches!(rule, Rule::Cage { .. })) {
        let message = "--cages: found cages in the rules, expected rules without cages";
        return Err(UsageError::of(message));
    }
    if flags.count != 1 {
        let message = format!(
            "--cages: found {} to make, expected 1: a file holds one set of rules, and --seed makes another",
            counted(flags.count, "puzzle")
        );
        return Err(UsageError(message));
    }
    Ok(())
}
