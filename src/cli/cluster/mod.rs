//! `tallyboard cluster …`: plans, shards, results, and what schedulers need. The scheduling itself
//! is left to those who do it already.

mod forecast;
mod hyperqueue;
mod job;
mod kubernetes;
mod merge;
mod merge_sudoku;
mod plan;
mod recount;
mod run;
mod run_queens;
mod run_sudoku;
mod script;
mod slurm;

use anyhow::Result;

use super::args::{Args, cluster::Command};
use super::ending::Ending;

/// Runs one of the cluster commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Plan(command) => plan::run(command, args),
        Command::Run(flags) => run::run(flags, args),
        Command::Merge(flags) => merge::run(flags, args),
        Command::Slurm(flags) => slurm::run(flags),
        Command::Hq(flags) => hyperqueue::run(flags),
        Command::K8s(flags) => kubernetes::run(flags),
    }
}
