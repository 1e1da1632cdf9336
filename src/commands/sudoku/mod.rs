//! `tallyboard sudoku …`

mod count;
pub mod generate;
pub mod input;
mod solve;
mod trace;
mod tree;

use anyhow::Result;

use crate::games::Sudokus;
use crate::terminal::{Args, ExitStatus, Interrupt};
use crate::verbs::{Below, Call};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve every puzzle of a file: `puzzle:count:solution`, in input order
    Solve(solve::SolveArgs),
    /// Count the solutions of every puzzle of a file: `puzzle:count`; of a single puzzle on all cores, with a journal
    Count(count::CountArgs),
    /// Estimate the number of solutions of one puzzle, by random descents or by subtrees drawn and counted exactly
    Estimate(count::EstimateArgs),
    /// Make random puzzles that have exactly one solution, one a line
    Generate(generate::GenerateArgs),
    /// Write every puzzle's canonical form: the least of its images by the 3,359,232 symmetries and all
    /// relabellings
    Canon(solve::CanonArgs),
    /// Write random images of every record, by symmetries and relabellings
    Shuffle(solve::ShuffleArgs),
    /// Draw the search tree over the first empty cells of one puzzle
    Tree(tree::TreeArgs),
    /// Step through the backtracking of one puzzle
    Trace(trace::TraceArgs),
    #[command(flatten)]
    Verb(Call<Below<Sudokus>>),
}

/// Runs one of the sudoku commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Solve(flags) => until_signal(|signal| solve::solve(flags, args, signal)),
        Command::Tree(flags) => tree::run(flags, args),
        Command::Trace(flags) => trace::run(flags, args),
        Command::Verb(call) => call.run(args),
        Command::Count(flags) => count::run(flags, args),
        Command::Estimate(flags) => count::estimate(flags, args),
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
