//! `tallyboard queens …`

pub mod board;
mod check;
mod count;
mod estimate;
pub mod job;
mod list;
mod methods;
mod one;
mod trace;

use anyhow::Result;
use board::BoardArgs;
use job::{EngineArgs, Queens};

use crate::commands::noun_of;
use crate::counting::sample::{self, SampleFlags};
use crate::counting::show::{self, ShowArgs};
use crate::counting::verify;
use crate::terminal::args::Args;
use crate::terminal::exit_status::ExitStatus;

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Count all solutions
    Count(count::CountArgs),
    /// List all solutions in lexicographic order
    List(list::ListArgs),
    /// Find one solution on a board of any size
    One(one::OneArgs),
    /// Compare the methods that find one solution
    Methods(methods::MethodsArgs),
    /// Check solutions: valid, or which two queens attack each other
    Check(check::CheckArgs),
    /// Draw the search tree of a small board
    Tree(trace::TreeArgs),
    /// Step through the backtracking
    Trace(trace::TraceArgs),
    /// Estimate the number of solutions, and the time and memory that an exact count takes
    Estimate(estimate::EstimateArgs),
    /// Count randomly drawn subtrees exactly, and estimate the whole count and its time from them
    Sample(SampleArgs),
    /// Count with every engine and kernel and compare their counts
    Verify(VerifyArgs),
    /// Show the progress of a count from its journal
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
pub struct SampleArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub sampling: SampleFlags,
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Runs one of the queens commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Count(flags) => count::run(flags, args),
        Command::List(flags) => list::run(flags, args),
        Command::One(flags) => one::run(flags, args),
        Command::Methods(flags) => methods::run(flags, args),
        Command::Check(flags) => check::run(flags, args),
        Command::Tree(flags) => trace::run_tree(flags, args),
        Command::Trace(flags) => trace::run(flags, args),
        Command::Estimate(flags) => estimate::run(flags, args),
        Command::Sample(flags) => {
            let job = flags.engine.job(flags.board.n, &flags.board.squares);
            sample::run(&job, flags.engine.memory, &flags.sampling, args)
        }
        Command::Verify(flags) => {
            let BoardArgs { n, squares } = &flags.board;
            // Only for its warnings: `verify` prints none.
            squares.board_with_warnings(*n, args)?;
            let job = Queens::new(*n, &squares.place, &squares.block);
            verify::run(&job, flags.json, args)
        }
        Command::Show(flags) => show::run(flags, noun_of),
    }
}
