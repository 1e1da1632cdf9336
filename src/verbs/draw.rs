//! `draw`: a puzzle as a picture, or as text for a terminal.

use anyhow::Result;
use tallyboard_search::Stop;

use super::{Source, Verb};
use crate::games::{FileArgs, Puzzle, ensure_solution};
use crate::terminal::{
    Args, ExitStatus, Interrupt, PictureArgs, ensure_apart, eprint_line, info, pictures, print_line,
};

#[derive(Debug, clap::Args)]
pub struct Draw {
    #[command(flatten)]
    file: FileArgs,

    /// Draw the solution too (of several, the first); a sudoku and a cover are always drawn with theirs
    #[arg(long)]
    solution: bool,

    #[command(flatten)]
    pictures: PictureArgs,
}

impl Verb for Draw {
    const NAME: &'static str = "draw";
    const ABOUT: &'static str =
        "Draw the puzzle as text, SVG or PNG, with its solution if asked for";
    const EXAMPLE: &'static str =
        "tallyboard draw killer.txt --svg killer.svg            # a picture, of any game\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_apart([&*self.file.file], self.pictures.paths())?;
        let puzzle = source.read(args)?;
        puzzle.warnings().iter().for_each(|warning| info(args, warning));
        let interrupt = Interrupt::listen_with_nothing_to_save();
        match self.draw(&*puzzle, interrupt.stop(), args) {
            Err(error) if interrupt.has_caused(&error) => {
                Ok(interrupt.report_interruption("; no picture is written"))
            }
            ending => ending,
        }
    }
}

impl Draw {
    /// Draws the puzzle. Nothing is written if `stop` is raised before its solution is found.
    fn draw(&self, puzzle: &dyn Puzzle, stop: &Stop, args: &Args) -> Result<ExitStatus> {
        let mut ending = ExitStatus::Done;
        let mut first = None;
        if self.solution || puzzle.is_drawn_solved() {
            let found = puzzle.solve(2, stop)?;
            if let Some(solution) = &found.first {
                ensure_solution(puzzle, solution)?;
            }
            ending = report_solutions(found.count, args);
            first = found.first;
        }
        if self.pictures.wanted() {
            pictures::save(&puzzle.picture(first.as_deref())?, &self.pictures)?;
        } else {
            print_line(puzzle.text(first.as_deref()))?;
        }
        Ok(ending)
    }
}

/// Says if a drawn puzzle has no solution, or more than one: `count` is their number, up to 2. Returns how the command
/// ends.
fn report_solutions(count: u64, args: &Args) -> ExitStatus {
    if count == 0 {
        eprint_line("no solution: the puzzle is shown as it is");
        return ExitStatus::Failed;
    }
    if count > 1 {
        info(args, "more than one solution: the first is shown");
    }
    ExitStatus::Done
}
