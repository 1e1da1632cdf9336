//! `cluster …`: plans, shards, results, and scripts for schedulers.

mod audit;
mod bundle;
mod check;
mod count;
mod hyperqueue;
pub mod job;
mod kubernetes;
mod merge;
pub mod plan;
mod recount;
mod run;
mod script;
mod shard;
mod slurm;
mod status;
mod sudoku;

use anyhow::Result;

use super::args::Args;
use super::args::cluster::{Command, OfPlan, PlanCommand, PlanFlags};
use super::ending::Ending;
use super::queens::job::Queens;
use job::{ReadPlan, TallyboardJob};

/// Runs one of the cluster commands of `tallyboard`.
pub fn run_ours(command: &Command<PlanFlags>, args: &Args) -> Result<Ending> {
    match command {
        Command::Plan(PlanFlags { command: PlanCommand::Queens { board, engine, planning } }) => {
            let mut job = Queens::new(board.n, &board.squares.place, &board.squares.block);
            job.engine = engine.map(|engine| engine.to_string());
            plan::count(&job, TallyboardJob::Queens, planning, args)
        }
        Command::Plan(PlanFlags { command: PlanCommand::Sudoku { file, limit, planning } }) => {
            plan::sudoku(file, *limit, planning, args)
        }
        Command::OfPlan(command) => run(command, job::read::<TallyboardJob>, args),
    }
}

/// Runs one of the commands for a plan that `read` reads.
pub fn run(command: &OfPlan, read: ReadPlan, args: &Args) -> Result<Ending> {
    match command {
        OfPlan::Run(flags) => run::run(flags, read, args),
        OfPlan::Merge(flags) => merge::run(flags, read, args),
        OfPlan::Status(flags) => status::run(flags, read),
        OfPlan::Audit(flags) => audit::run(flags, read, args),
        OfPlan::Bundle(flags) => bundle::run(flags, read, args),
        OfPlan::Check(flags) => check::run(flags, read, args),
        OfPlan::Slurm(flags) => {
            script::write(&flags.submission, read, |it| Ok(slurm::text(it, flags)))
        }
        OfPlan::Hq(flags) => script::write(flags, read, |it| Ok(hyperqueue::text(it))),
        OfPlan::K8s(flags) => {
            script::write(&flags.submission, read, |it| kubernetes::text(it, flags))
        }
    }
}
