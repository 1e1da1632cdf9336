//! `tallyboard queens …`

mod check;
pub mod count;
mod estimate;
mod list;
mod methods;
mod one;
mod profile;
mod sample;
mod show;
mod subtree;
mod trace;
mod tree;
mod verify;

use anyhow::Result;

use super::args::{Args, queens::Command};
use super::ending::Ending;

/// Runs one of the queens commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Count(count) => count::run(count, args),
        Command::List(flags) => list::run(flags, args),
        Command::One(flags) => one::run(flags, args),
        Command::Methods(flags) => methods::run(flags, args),
        Command::Check(flags) => check::run(flags, args),
        Command::Tree(flags) => tree::run(flags, args),
        Command::Trace(flags) => trace::run(flags, args),
        Command::Estimate(estimate) => estimate::run(estimate, args),
        Command::Sample(flags) => sample::run(flags, args),
        Command::Verify(verify) => verify::run(verify, args),
        Command::Show(flags) => show::run(flags),
    }
}
