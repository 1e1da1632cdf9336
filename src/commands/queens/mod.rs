//! `tallyboard queens …`

pub mod arguments;
mod count;
mod estimate;
mod list;
mod methods;
mod one;
mod trace;

use anyhow::Result;
use arguments::BoardArgs;
use tallyboard_queens::Square;

use crate::counting::verify;
use crate::games::Tallying;
use crate::terminal::{Args, ExitStatus, ensure_apart};
use crate::verbs::tally::TableFlags;
use crate::verbs::tree::{Level, commands};

/// The commands of queens.
pub static COMMANDS: Level = Level {
    game: None,
    first: &commands! {
        "count" count::CountArgs: "Count all solutions" => |flags, call| count::run(flags, call.args);
        "list" list::ListArgs: "List all solutions in lexicographic order" => |flags, call| list::run(flags, call.args);
        "one" one::OneArgs: "Find one solution on a board of any size" => |flags, call| one::run(flags, call.args);
        "methods" methods::MethodsArgs: "Compare the methods that find one solution" => |flags, call| methods::run(flags, call.args);
        "check" list::CheckArgs: "Check solutions: valid, or which two queens attack each other" => |flags, call| list::check(flags, call.args);
        "tree" trace::TreeArgs: "Draw the search tree of a small board" => |flags, call| trace::run_tree(flags, call.args);
        "trace" trace::TraceArgs: "Step through the backtracking" => |flags, call| trace::run(flags, call.args);
        "estimate" estimate::EstimateArgs: "Estimate the number of solutions, by random descents or by subtrees drawn and counted exactly, and the time and memory that an exact count takes" => |flags, call| estimate::run(flags, call.args);
        "tally" TallyArgs: "Count the solutions that have a queen on each square" => |flags, call| run_tally(flags, call.args);
        "verify" VerifyArgs: "Count in every way the program knows, and compare" => |flags, call| run_verify(flags, call.args);
    },
    verbs: &[],
    last: &[],
};

#[derive(Debug, clap::Args)]
struct TallyArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    table: TableFlags,
}

#[derive(Debug, clap::Args)]
struct VerifyArgs {
    #[command(flatten)]
    board: BoardArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn run_tally(flags: &TallyArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart(flags.board.board.file(), flags.table.outputs())?;
    let (n, squares) = flags.board.one(args)?.flat()?;
    let board = squares.board_with_warnings(n, args)?;
    let name = move |cell: usize| {
        let cell = cell as u32;
        Square::from_top(cell / n, cell % n, n).to_string()
    };
    flags.table.run(Tallying::of_squares(board.tally(), n as usize, name), args)
}

fn run_verify(flags: &VerifyArgs, args: &Args) -> Result<ExitStatus> {
    let given = flags.board.one(args)?;
    // Only for its warnings: `verify` prints none.
    given.squares.board_with_warnings(given.n, args)?;
    verify::run(&given.job(), flags.json, args)
}
