//! `tallyboard queens …`

mod check;
mod count;
mod estimate;
mod list;
mod methods;
mod one;
mod sample;
mod show;
mod trace;
mod verify;

use anyhow::Result;

use super::args::{Args, queens::Command};
use super::ending::Ending;

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
        Command::Sample(flags) => sample::run(flags, args),
        Command::Verify(flags) => verify::run(flags, args),
        Command::Show(flags) => show::run(flags),
    }
}
