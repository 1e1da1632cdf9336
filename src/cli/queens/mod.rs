//! `tallyboard queens …`

mod check;
mod count;
mod estimate;
pub mod job;
mod list;
mod methods;
mod one;
mod trace;

use anyhow::Result;

use crate::program::{self, Counting};

use super::args::{Args, queens::Command, shared::BoardArgs};
use super::ending::Ending;
use super::problem::board;
use job::Queens;

/// Runs one of the queens commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
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
            program::sample::run(&job, flags.engine.memory, &flags.sampling, args)
        }
        Command::Verify(flags) => {
            let BoardArgs { n, squares } = &flags.board;
            board(*n, squares, args)?;
            let job = Queens::new(*n, &squares.place, &squares.block);
            program::verify::run(&job, flags.json, args)
        }
        Command::Show(flags) => program::show::run(flags, Queens::NOUN),
    }
}
