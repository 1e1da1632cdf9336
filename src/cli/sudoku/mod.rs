//! `tallyboard sudoku …`

mod count;
mod draw;
mod generate;
mod solve;
mod trace;

use anyhow::Result;

use super::args::{Args, sudoku::Command};
use super::ending::Ending;

/// Runs one of the sudoku commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Solve(flags) => solve::run(flags, args),
        Command::Draw(flags) => draw::run(flags),
        Command::Tree(flags) => draw::run_tree(flags, args),
        Command::Trace(flags) => trace::run(flags, args),
        Command::Explain(flags) => trace::run_explain(flags, args),
        Command::Count(flags) => count::run(flags, args),
        Command::Generate(flags) => generate::run(flags, args),
        Command::Canon(flags) => solve::run_canon(flags, args),
        Command::Shuffle(flags) => solve::run_shuffle(flags, args),
    }
}
