//! `tallyboard cluster run PLAN --shard I`: one shard, again and again until it is done.

use std::path::Path;

use crate::search::shard::InFile;
use anyhow::{Result, anyhow};

use super::job::{Job, JobPlan};
use super::shard::{Failure, Shard};
use super::{queens, sudoku};
use crate::cli::args::{Args, cluster::RunArgs};
use crate::cli::ending::{Ending, explain};
use crate::cli::signals::Interrupt;

/// Does one shard; what went wrong is in the exit code, for schedulers.
pub fn run(flags: &RunArgs, args: &Args) -> Result<Ending> {
    attempt(flags, args).or_else(|Failure { error, ending }| match ending {
        Ending::Failed => Err(error),
        ending => {
            explain(&error);
            Ok(ending)
        }
    })
}

fn attempt(flags: &RunArgs, args: &Args) -> Result<Ending, Failure> {
    let interrupt = Interrupt::listen()?;
    let plan = read(&flags.plan)?;
    if flags.shard >= plan.work.shards {
        return Err(Failure::permanent(anyhow!(
            "found shard {}, expected 0 to {}",
            flags.shard,
            plan.work.shards - 1
        )));
    }
    std::fs::create_dir_all(&flags.output).map_err(|error| match flags.output.is_file() {
        true => anyhow!("{}: found a file, expected a folder", flags.output.display()),
        false => anyhow!("cannot make {}: {error}", flags.output.display()),
    })?;
    let shard = Shard {
        work: &plan.work,
        number: flags.shard,
        folder: &flags.output,
        args,
        interrupt: &interrupt,
    };
    match &plan.job {
        Job::Queens(job) => queens::run(job, &shard),
        Job::Sudoku(job) => sudoku::run(job, &shard),
    }
}

fn read(path: &Path) -> Result<JobPlan, Failure> {
    JobPlan::read(path)
        .map_err(|error| if error.is_damage() { Failure::permanent(error) } else { error.into() })
}
