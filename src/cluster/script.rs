//! What the writers of scripts for schedulers share.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tallyboard_search::shard::Plan;

use super::job::{PlannedJob, ReadPlan};
use super::shard::files_of_shards;
use crate::counting::{describe, shard_mib};
use crate::terminal::{ExitStatus, Output, ensure_apart};

/// The arguments of every scheduler's command.
#[derive(Debug, clap::Args)]
pub struct SubmitArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder for results, on a path that all machines share
    #[arg(long, default_value = "results", value_name = "FOLDER")]
    pub results: PathBuf,

    /// Cores for each shard
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: u32,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Reads a value that is put into a script or manifest without quotes.
pub fn word(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.,:/@+".contains(letter);
    match text.chars().find(|&letter| !is_allowed(letter)) {
        None if !text.is_empty() => Ok(text.to_owned()),
        None => Err("found nothing, expected a word".to_owned()),
        Some(letter) => Err(format!("found {letter:?}, expected letters, digits and -_.,:/@+")),
    }
}

/// The plan that a script is for, and the values that go into the script.
pub struct Script {
    pub plan: Plan<PlannedJob>,
    pub program: PathBuf,
    pub plan_path: PathBuf,
    pub results: PathBuf,
    /// Cores for each shard.
    pub cpus: u32,
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("bad path {}", path.display()))
}

impl Script {
    /// Reads the plan. All paths are made absolute, because jobs may start in other folders. Fails if the script would
    /// overwrite what its jobs read, or a path or the plan is unusable.
    fn new(submission: &SubmitArgs, read: ReadPlan) -> Result<Self> {
        let plan = read(&submission.plan)?;
        let mut inputs = files_of_shards(&submission.results)?;
        inputs.push(submission.plan.clone());
        if let PlannedJob::File(job) = &plan.job {
            inputs.push(job.file.clone());
        }
        ensure_apart(inputs.iter().map(PathBuf::as_path), submission.output.as_deref())?;
        Ok(Self {
            plan,
            program: std::env::current_exe().context("cannot tell where this program is")?,
            plan_path: absolute(&submission.plan)?,
            results: absolute(&submission.results)?,
            cpus: submission.cpus,
        })
    }

    /// The comment at the top: what is counted, and which version wrote the script.
    pub fn opening(&self) -> String {
        let identity = describe(&self.plan.work.identity);
        format!("# {identity}\n# Written by tallyboard {}", env!("CARGO_PKG_VERSION"))
    }

    /// The number of the last shard.
    pub fn last(&self) -> usize {
        self.plan.work.shards - 1
    }

    /// The MiB of memory to ask for, for each shard, if the plan has a forecast.
    pub fn memory_mib(&self) -> Option<u64> {
        self.plan.forecast.map(|forecast| shard_mib(&forecast, self.cpus))
    }
}

/// Writes the script that `text` makes to the output that `submission` names.
pub fn write(
    submission: &SubmitArgs,
    read: ReadPlan,
    text: impl FnOnce(&Script) -> Result<String>,
) -> Result<ExitStatus> {
    let text = text(&Script::new(submission, read)?)?;
    Output::create(submission.output.as_deref())?.put(text)?;
    Ok(ExitStatus::Done)
}
