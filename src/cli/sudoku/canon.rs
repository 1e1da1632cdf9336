//! `tallyboard sudoku canon`

use crate::plural::s;
use anyhow::Result;
use tallyboard::sudoku::stream::{Row, canon_stream};

use super::solve::{self, Run};
use crate::cli::args::{Args, sudoku::Canon as Flags};
use crate::cli::ending::Ending;
use crate::cli::io::note;
use crate::cli::number::{grouped, rate};

/// Writes the canonical form of every puzzle in its place.
pub fn run(flags: &Flags, args: &Args) -> Result<Ending> {
    let files = &flags.files;
    let (form, input) = solve::open(files, solve::Extras::default())?;
    anyhow::ensure!(
        form.size() == tallyboard::sudoku::sized::Size::Nine,
        "canonical forms are of 9 × 9 grids; found {}",
        form.size()
    );
    let run = Run { form: &form, files, row: Row::SolutionOnly, limit: 1, args };
    run.stream(input, canon_stream, |summary| {
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
    })
}
