//! `tallyboard cover count`

use anyhow::{Result, anyhow};
use base::figures::grouped;
use cover::Count;
use cover::format::Input;
use cover::picture::Puzzle;
use search::{Problem, Stop};

use super::job::{CoverFile, EngineArgs, FileArgs, TOO_MANY, read};
use crate::counting::count::{self, CountFlags};
use crate::counting::problem::Fact;
use crate::terminal::args::Args;
use crate::terminal::exit_status::{ExitStatus, UsageError};

#[derive(Debug, clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Count covers up to the symmetries of the board too; for drawn puzzles
    #[arg(long, conflicts_with = "subtree")]
    pub fundamental: bool,

    /// Count the remainder by M, for problems with more than 2^128 - 1 covers
    #[arg(long, value_name = "M", conflicts_with = "fundamental", value_parser = clap::value_parser!(u64).range(2..))]
    pub modulo: Option<u64>,

    #[command(flatten)]
    pub counting: CountFlags,
}

/// Counts, checks the result against the count in the file's head and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let job = CoverFile { modulo: flags.modulo, ..flags.engine.job(&flags.file)? };
    let puzzle = if flags.fundamental { Some(drawn(flags)?) } else { None };
    let counted = count::run(&job, flags.engine.memory, &flags.counting, args, &|covers, stop| {
        let Some(puzzle) = &puzzle else { return Ok((Vec::new(), None)) };
        let Some(classes) = up_to_symmetry(puzzle, covers, stop)? else {
            return Ok((Vec::new(), None));
        };
        let text = format!("{} up to the board's symmetry", grouped(classes));
        let value = serde_json::to_value(classes)?;
        let fact = Fact { key: "fundamental", value, text };
        Ok((vec![fact], Some(classes.to_string())))
    });
    counted.map_err(|error| match error.chain().any(is_overflow) {
        true => UsageError(TOO_MANY.to_owned()).into(),
        false => error,
    })
}

fn is_overflow(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<search::Overflow>()
        || matches!(error.downcast_ref(), Some(search::Error::Overflow(_)))
}

/// The puzzle, whose board has symmetries.
fn drawn(flags: &CountArgs) -> Result<Puzzle> {
    match read(&flags.file.file)? {
        Input::Puzzle(puzzle) => Ok(*puzzle),
        Input::Cover(_) => {
            let message = "--fundamental needs a drawn puzzle: a list of options has no board";
            Err(UsageError(message.to_owned()).into())
        }
    }
}

/// The number of covers up to symmetry; `None` once `stop` is raised.
fn up_to_symmetry(puzzle: &Puzzle, covers: u128, stop: &Stop) -> Result<Option<u128>> {
    // The first symmetry leaves each cover as it is.
    let mut unchanged = vec![covers];
    for symmetry in puzzle.symmetries().iter().skip(1) {
        let quotient = puzzle.quotient(symmetry)?;
        let count = Count::new(&quotient)?;
        let mut covers = 0_u128;
        for subtree in 0..count.split().len() {
            let Ok(found) = count.count(subtree, stop) else { return Ok(None) };
            covers = covers.checked_add(found.solutions()).ok_or(search::Overflow)?;
        }
        unchanged.push(covers);
    }
    let classes = Puzzle::up_to_symmetry(&unchanged);
    classes
        .map(Some)
        .ok_or_else(|| anyhow!("WRONG COUNT: it is no sum over the board's symmetries"))
}
