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
use tallyboard_queens::Square;

use crate::counting::verify;
use crate::games::Tallying;
use crate::terminal::{Args, ExitStatus};
use crate::verbs::tally::TableFlags;

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
    /// Count, in one pass, the solutions with a queen on each square
    Tally {
        #[command(flatten)]
        board: BoardArgs,
        #[command(flatten)]
        table: TableFlags,
    },
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
        Command::Tally { board, table } => {
            let Given { n, squares } = board.one(args)?;
            let board = squares.board_with_warnings(n, args)?;
            let name = |cell: usize| {
                let cell = cell as u32;
                Square::from_top(cell / n, cell % n, n).to_string()
            };
            table.run(Tallying::of_squares(board.tally(), n as usize, name), args)
        }
        Command::Verify { board, json } => {
            let Given { n, squares } = board.one(args)?;
            // Only for its warnings: `verify` prints none.
            squares.board_with_warnings(n, args)?;
            let job = Queens::new(n, &squares.place, &squares.block);
            verify::run(&job, *json, args)
        }
    }
}
