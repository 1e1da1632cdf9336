//! `tallyboard sudoku …`

pub mod arguments;
mod count;
pub mod draw;
pub mod generate;
pub mod input;
mod solve;
mod trace;

use anyhow::Result;
use arguments::Sudoku;
use tallyboard_sudoku::Solver;

use crate::counting::verify;
use crate::terminal::{Args, ExitStatus, Interrupt};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve every puzzle of a file: `puzzle:count:solution`, in input order
    Solve(solve::SolveArgs),
    /// Count the solutions of every puzzle of a file: `puzzle:count`; of a single puzzle on all cores, with a journal
    Count(count::CountArgs),
    /// Estimate the number of solutions of one puzzle, by random descents or by subtrees drawn and counted exactly
    Estimate(count::EstimateArgs),
    /// Count the solutions of one puzzle by each method and compare
    Verify {
        /// The puzzle: 81 characters, or a file that holds it in any format; `-` is standard input
        puzzle: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Make random puzzles that have exactly one solution, one a line
    Generate(generate::GenerateArgs),
    /// Write every puzzle's canonical form: the least of its images by the 3,359,232 symmetries and all
    /// relabellings
    Canon(solve::CanonArgs),
    /// Write random images of every record, by symmetries and relabellings
    Shuffle(solve::ShuffleArgs),
    /// Draw one puzzle with its solution; givens are bold, in a picture found digits are on a tint
    Draw(draw::DrawArgs),
    /// Draw the search tree over the first empty cells of one puzzle
    Tree(draw::TreeArgs),
    /// Step through the backtracking of one puzzle
    Trace(trace::TraceArgs),
    /// Explain the solution of one puzzle as a person reasons, or why a cell must be what it is
    Explain(trace::ExplainArgs),
}

/// Runs one of the sudoku commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Solve(flags) => until_signal(|signal| solve::solve(flags, args, signal)),
        Command::Draw(flags) => draw::run(flags, args),
        Command::Tree(flags) => draw::run_tree(flags, args),
        Command::Trace(flags) => trace::run(flags, args),
        Command::Explain(flags) => trace::run_explain(flags, args),
        Command::Count(flags) => count::run(flags, args),
        Command::Estimate(flags) => count::estimate(flags, args),
        Command::Verify { puzzle, json } => {
            let puzzle = draw::read(puzzle, "one puzzle")?;
            verify::run(&Sudoku::new(puzzle, None, Solver::default()), *json, args)
        }
        Command::Generate(flags) => generate::run(flags, args),
        Command::Canon(flags) => until_signal(|signal| solve::canon(flags, args, signal)),
        Command::Shuffle(flags) => until_signal(|signal| solve::shuffle(flags, args, signal)),
    }
}

/// Runs a command that has nothing to save when a signal ends it.
fn until_signal(run: impl FnOnce(&Interrupt) -> Result<ExitStatus>) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen_with_nothing_to_save();
    interrupt.ending(run(&interrupt))
}
