//! `tallyboard sudoku canon`

use crate::plural::s;
use anyhow::Result;
use tallyboard::sudoku::Solver;
use tallyboard::sudoku::stream::{Find, Row};

use super::solve::{self, Run};
use crate::cli::args::{
    Args,
    sudoku::{Canon as Flags, Files},
};
use crate::cli::ending::Ending;
use crate::cli::io::note;
use crate::cli::number::{grouped, rate};
use crate::cli::signals::Interrupt;

/// Writes the canonical form of every puzzle in its place.
pub fn run(flags: &Flags, args: &Args) -> Result<Ending> {
    let interrupt = &Interrupt::listen_briefly()?;
    interrupt.ending(canon(&flags.files, args, interrupt))
}

fn canon(files: &Files, args: &Args, interrupt: &Interrupt) -> Result<Ending> {
    let (form, input, read) = solve::open(files, solve::Extras::default(), interrupt)?;
    anyhow::ensure!(
        form.size() == tallyboard::sudoku::sized::Size::Nine,
        "canonical forms are of 9 × 9 grids; found {}",
        form.size()
    );
    let (find, row) = (Find::Canonical, Row::SolutionOnly);
    let solver = Solver::default();
    let run = Run { form: &form, files, solver, find, row, limit: 1, args, interrupt, read };
    run.stream(input, |summary| {
        if args.quiet {
            return Ok(());
        }
        let seconds = summary.elapsed.as_secs_f64();
        let puzzles = summary.puzzles();
        note(format_args!(
            "{} puzzle{}, {} bad line{}; time {seconds:.3} s, {}puzzles/s, threads {}",
            grouped(puzzles),
            s(puzzles),
            grouped(summary.bad),
            s(summary.bad),
            rate(puzzles as f64 / seconds),
            summary.threads
        ));
        Ok(())
    })
}
