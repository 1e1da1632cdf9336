//! `tallyboard queens …`

mod count;
mod estimate;
mod show;
mod subtree;
mod verify;

use anyhow::Result;

use super::args::{Args, queens::Command};
use super::ending::Ending;

/// Runs one of the queens commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Count(count) => count::run(count, args),
        Command::Estimate(estimate) => estimate::run(estimate, args),
        Command::Verify(verify) => verify::run(verify, args),
        Command::Show(flags) => show::run(flags),
    }
}
