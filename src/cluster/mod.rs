//! `cluster …`: plans, shards, results, and scripts for schedulers.

mod bundle;
mod merge;
pub mod plan;
mod run;
mod schedulers;
mod status;

use anyhow::Result;
use plan::ReadPlan;
use schedulers::Scheduler;

use crate::terminal::{Args, ExitStatus};

/// The commands of every program; `P` has the arguments of `plan`.
#[derive(Debug, clap::Subcommand)]
pub enum Command<P: clap::Args> {
    /// Split a job into shards that cost about the same
    Plan(P),
    #[command(flatten)]
    WithPlan(Box<WithPlan>),
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
    /// Put all subtotals of a count into a folder, to be published
    Bundle(bundle::BundleArgs),
    /// Check a bundle, or a plan and its results: complete, each subtree once, sums right, some subtrees counted again
    Check(bundle::CheckArgs),
    /// `check` of a plan and its results, as it was called before
    #[command(hide = true)]
    Audit(bundle::CheckArgs),
    /// Write a script that submits the shards of a plan: for Slurm, HyperQueue or Kubernetes
    Script(schedulers::ScriptArgs),
    /// `script --for slurm`, as it was called before
    #[command(hide = true)]
    Slurm(schedulers::ScriptArgs),
    /// `script --for hq`, as it was called before
    #[command(hide = true)]
    Hq(schedulers::ScriptArgs),
    /// `script --for k8s`, as it was called before
    #[command(hide = true)]
    K8s(schedulers::ScriptArgs),
}

/// Runs one of the commands for a plan that `read` reads.
pub fn run_planned(command: &WithPlan, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    match command {
        WithPlan::Run(flags) => run::run(flags, read, args),
        WithPlan::Merge(flags) => merge::run(flags, read, args),
        WithPlan::Status(flags) => status::run(flags, read),
        WithPlan::Bundle(flags) => bundle::run(flags, read, args),
        WithPlan::Check(flags) | WithPlan::Audit(flags) => bundle::check(flags, read, args),
        WithPlan::Script(flags) => schedulers::run(flags, None, read),
        WithPlan::Slurm(flags) => schedulers::run(flags, Some(Scheduler::Slurm), read),
        WithPlan::Hq(flags) => schedulers::run(flags, Some(Scheduler::Hq), read),
        WithPlan::K8s(flags) => schedulers::run(flags, Some(Scheduler::K8s), read),
    }
}
