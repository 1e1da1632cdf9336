//! `tallyboard cover …`

mod count;

use anyhow::Result;

use crate::games::Covers;
use crate::terminal::{Args, ExitStatus};
use crate::verbs::{Below, Call};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Count all covers
    Count(count::CountArgs),
    #[command(flatten)]
    Verb(Call<Below<Covers>>),
}

/// Runs one of the cover commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Count(flags) => count::run(flags, args),
        Command::Verb(call) => call.run(args),
    }
}
