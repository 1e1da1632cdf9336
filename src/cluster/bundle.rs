//! `cluster bundle PLAN RESULTS`: puts all subtotals of a count into a folder, to be published.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tallyboard_base::figures::counted;
use tallyboard_search::shard::{Bundle, collect};

use super::job::{CountBody, PlannedJob, ReadPlan};
use super::merge::ensure_complete;
use crate::counting::Job;
use crate::terminal::{Args, ExitStatus, UsageError, cannot_read, info, print_line};

#[derive(Debug, clap::Args)]
pub struct BundleArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results
    pub results: PathBuf,

    /// The folder to make
    #[arg(short, long, value_name = "BUNDLE")]
    pub output: PathBuf,
}

/// Writes the bundle of a whole count.
pub fn run(flags: &BundleArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    let WholeCount { bundle, job, plan_file } = read_whole(&flags.plan, &flags.results, read)?;
    let solutions = job.total(bundle.solutions()?)?;
    let fingerprint = bundle.write(&plan_file, &flags.output)?;
    let without_provenance =
        bundle.shards.iter().filter(|shard| shard.provenance.is_none()).count();
    if without_provenance > 0 {
        let results = counted(without_provenance, "result");
        info(args, format_args!("{results} of an older version: who counted is unknown"));
    }
    info(
        args,
        format_args!(
            "{}: {}, {}, {}; publish this fingerprint, the SHA-256 of its SHA256SUMS:",
            flags.output.display(),
            counted(bundle.work.shards, "shard"),
            counted(bundle.work.subtrees, "subtree"),
            counted(solutions, job.noun())
        ),
    );
    print_line(fingerprint)?;
    Ok(ExitStatus::Done)
}

/// The plan and the results of a whole count.
pub struct WholeCount {
    pub bundle: Bundle,
    job: Box<dyn Job>,
    /// The bytes of the plan's file.
    plan_file: Vec<u8>,
}

/// Reads a plan and all of its results. Fails if shards are missing, results are of another plan, or a subtree is
/// missing or there twice.
pub fn read_whole(plan_path: &Path, results: &Path, read: ReadPlan) -> Result<WholeCount> {
    let plan = read(plan_path)?;
    let PlannedJob::Count(job) = plan.job else {
        bail!(UsageError::of("expected the plan of a count; this is a sudoku plan"));
    };
    let plan_file = std::fs::read(plan_path).with_context(|| cannot_read(plan_path))?;
    let collected = collect::<CountBody>(results, &plan.work)?;
    ensure_complete(&collected, &plan.work)?;
    let bundle = Bundle::new(&plan.work, &collected, |body| &body.subtotals)?;
    Ok(WholeCount { bundle, job, plan_file })
}
