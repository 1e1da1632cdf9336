//! `tallyboard queens …`

pub mod arguments;
mod count;
mod estimate;
mod list;
mod methods;
mod one;
mod trace;

use anyhow::Result;
use arguments::{BoardArgs, Given, Queens};

use crate::counting::verify;
use crate::terminal::{Args, ExitStatus};

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
    Check(list::CheckArgs),
    /// Draw the search tree of a small board
    Tree(trace::TreeArgs),
    /// Step through the backtracking
    Trace(trace::TraceArgs),
    /// Estimate the number of solutions, by random descents or by subtrees drawn and counted exactly, and the
    /// time and memory that an exact count takes
    Estimate(estimate::EstimateArgs),
    /// Count with every engine and kernel and compare their counts
    Verify {
        #[command(flatten)]
        board: BoardArgs,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Runs one of the queens commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Count(flags) => count::run(flags, args),
        Command::List(flags) => list::run(flags, args),
        Command::One(flags) => one::run(flags, args),
        Command::Methods(flags) => methods::run(flags, args),
        Command::Check(flags) => list::check(flags, args),
        Command::Tree(flags) => trace::run_tree(flags, args),
        Command::Trace(flags) => trace::run(flags, args),
        Command::Estimate(flags) => estimate::run(flags, args),
        Command::Verify { board, json } => {
            let Given { n, squares } = board.one(args)?;
            // Only for its warnings: `verify` prints none.
            squares.board_with_warnings(n, args)?;
            let job = Queens::new(n, &squares.place, &squares.block);
            verify::run(&job, *json, args)
        }
    }
}
