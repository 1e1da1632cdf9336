//! `cluster …`: plans, shards, results, and scripts for schedulers.

mod bundle;
mod merge;
pub mod plan;
mod run;
mod schedulers;
mod status;

use anyhow::Result;
use plan::ReadPlan;

use crate::terminal::{Args, ExitStatus};

/// The commands of every program; `P` has the arguments of `plan`.
#[derive(Debug, clap::Subcommand)]
pub enum Command<P: clap::Args> {
    /// Split a job into shards that cost about the same
    Plan(P),
    #[command(flatten)]
    WithPlan(WithPlan),
}

/// The commands that take a plan.
#[derive(Debug, clap::Subcommand)]
pub enum WithPlan {
    /// Do one shard of a plan on all cores; exit code 0: done, 75: interrupted, start it again, 42: will
    /// never succeed
    Run(run::RunArgs),
    /// Join the results of all shards
    Merge(merge::MergeArgs),
    /// Show which shards are done, the progress of the others, and how much time is left
    Status(status::StatusArgs),
    /// Count some subtrees of a finished plan again by another method, and say what that proves
    Audit(bundle::AuditArgs),
    /// Put all subtotals of a count into a folder, to be published
    Bundle(bundle::BundleArgs),
    /// Check a bundle: complete, each subtree once, sums right, a sum that a count can have
    Check(bundle::CheckArgs),
    /// Write a Slurm job array for a plan
    Slurm(schedulers::SlurmArgs),
    /// Write a HyperQueue submission for a plan
    Hq(schedulers::SubmitArgs),
    /// Write a Kubernetes Indexed Job for a plan
    K8s(schedulers::KubernetesArgs),
}

/// Runs one of the commands for a plan that `read` reads.
pub fn run_planned(command: &WithPlan, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    match command {
        WithPlan::Run(flags) => run::run(flags, read, args),
        WithPlan::Merge(flags) => merge::run(flags, read, args),
        WithPlan::Status(flags) => status::run(flags, read),
        WithPlan::Audit(flags) => bundle::audit(flags, read, args),
        WithPlan::Bundle(flags) => bundle::run(flags, read, args),
        WithPlan::Check(flags) => bundle::check(flags, read, args),
        WithPlan::Slurm(flags) => schedulers::write(&flags.submission, read, |script| {
            Ok(schedulers::slurm_text(script, flags))
        }),
        WithPlan::Hq(flags) => {
            schedulers::write(flags, read, |script| Ok(schedulers::hyperqueue_text(script)))
        }
        WithPlan::K8s(flags) => schedulers::write(&flags.submission, read, |script| {
            schedulers::kubernetes_text(script, flags)
        }),
    }
}
