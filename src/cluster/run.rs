//! `cluster run PLAN --shard I`: runs one shard, or continues it.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use super::job::{PlannedJob, ReadPlan};
use super::shard::{Failure, Shard};
use super::{count, sudoku};
use crate::terminal::process::explain;
use crate::terminal::{Args, ExitStatus, Interrupt};

#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The plan
    pub plan: PathBuf,

    /// Which shard, from 0
    #[arg(long, value_name = "I")]
    pub shard: usize,

    /// The folder for results and journals
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
}

/// Runs one shard. The exit code tells schedulers whether another attempt can help.
pub fn run(flags: &RunArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    run_shard(flags, read, args).or_else(|Failure { error, ending }| match ending {
        ExitStatus::Failed => Err(error),
        ending => {
            explain(&error);
            Ok(ending)
        }
    })
}

fn run_shard(flags: &RunArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus, Failure> {
    let interrupt = Interrupt::listen();
    let plan = read(&flags.plan).map_err(|error| {
        if error.is_damage() { Failure::permanent(error) } else { error.into() }
    })?;
    if flags.shard >= plan.work.shards {
        return Err(Failure::permanent(anyhow!(
            "found shard {}, expected 0 to {}",
            flags.shard,
            plan.work.shards - 1
        )));
    }
    std::fs::create_dir_all(&flags.output).map_err(|error| {
        let output = flags.output.display();
        if flags.output.is_file() {
            anyhow!("{output}: found a file, expected a folder")
        } else {
            anyhow!("cannot make {output}: {error}")
        }
    })?;
    let shard = Shard {
        work: &plan.work,
        number: flags.shard,
        folder: &flags.output,
        args,
        interrupt: &interrupt,
    };
    match &plan.job {
        PlannedJob::Count(job) => count::run(&**job, &shard),
        PlannedJob::File(job) => sudoku::run(job, &shard),
    }
}
