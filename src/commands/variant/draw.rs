//! `tallyboard variant draw`: a picture of a puzzle and of its rules.

use anyhow::{Result, bail};
use tallyboard_classroom::draw;
use tallyboard_variants::Solver;

use super::{FileArgs, ensure_solution};
use crate::commands::sudoku::draw::report_solutions;
use crate::terminal::{
    Args, ExitStatus, Interrupt, PictureArgs, UsageError, ensure_apart, pictures,
};

#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Fill the blanks with the solution (of several, the first)
    #[arg(long)]
    pub solution: bool,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// Draws the puzzle, with its solution if that is asked for.
pub fn run(flags: &DrawArgs, args: &Args) -> Result<ExitStatus> {
    if !flags.pictures.wanted() {
        bail!(UsageError::of("found no picture to draw, expected --svg FILE or --png FILE"));
    }
    ensure_apart([&*flags.file.file], flags.pictures.paths())?;
    let puzzle = flags.file.read()?;
    if !flags.solution {
        pictures::save(&draw::variant(&puzzle, None), &flags.pictures)?;
        return Ok(ExitStatus::Done);
    }
    let interrupt = Interrupt::listen();
    let found = Solver::new(puzzle.rules()).solve_or_stop(&puzzle, 2, interrupt.stop());
    let Ok(answer) = found else {
        return Ok(interrupt.report_interruption("; no picture is written"));
    };
    if let Some(values) = &answer.first {
        ensure_solution(&puzzle, values)?;
    }
    pictures::save(&draw::variant(&puzzle, answer.first.as_deref()), &flags.pictures)?;
    Ok(report_solutions(answer.count, args))
}
