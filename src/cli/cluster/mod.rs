//! `tallyboard cluster …`: plans, shards, results, and what schedulers need. The scheduling itself
//! is left to those who do it already.

mod hyperqueue;
mod job;
mod kubernetes;
mod merge;
mod plan;
mod queens;
mod recount;
mod run;
mod script;
mod shard;
mod slurm;
mod sudoku;

use anyhow::Result;

use super::args::{Args, cluster::Command};
use super::ending::Ending;

/// Runs one of the cluster commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Plan(command) => plan::run(command, args),
        Command::Run(flags) => run::run(flags, args),
        Command::Merge(flags) => merge::run(flags, args),
        Command::Slurm(flags) => script::write(&flags.submission, |it| Ok(slurm::text(it, flags))),
        Command::Hq(flags) => script::write(flags, |it| Ok(hyperqueue::text(it))),
        Command::K8s(flags) => script::write(&flags.submission, |it| kubernetes::text(it, flags)),
    }
}
