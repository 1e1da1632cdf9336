//! `tallyboard cluster …`: plans of queens, of covers and of files of sudokus.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tallyboard_queens::Engine;

use crate::cluster::plan::{self, PlanArgs};
use crate::cluster::plan::{PlannedJob, Sudoku, read};
use crate::cluster::{Command, run_planned};
use crate::commands::cover::arguments::{CoverFile, EngineArgs, FileArgs};
use crate::commands::queens::arguments::BoardArgs;
use crate::commands::queens::arguments::{Queens, engines};
use crate::terminal::{Args, ExitStatus, OrAuto};

/// The arguments of `tallyboard cluster plan`.
#[derive(Debug, clap::Args)]
pub struct PlanFlags {
    #[command(subcommand)]
    pub command: PlanCommand,
}

#[derive(Debug, clap::Subcommand)]
pub enum PlanCommand {
    /// Count all solutions on an n × n board
    Queens {
        #[command(flatten)]
        board: BoardArgs,
        /// How to count; auto takes the fastest engine
        #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engines())]
        engine: OrAuto<Engine>,
        #[command(flatten)]
        planning: PlanArgs,
    },
    /// Count all covers of the problem in a file
    Cover {
        #[command(flatten)]
        file: FileArgs,
        #[command(flatten)]
        engine: EngineArgs,
        #[command(flatten)]
        planning: PlanArgs,
    },
    /// Solve a file of sudokus, one a line, each shard a range of its bytes
    Sudoku {
        /// The puzzles, at a path that all machines share
        file: PathBuf,
        /// Stop counting a puzzle's solutions here
        #[arg(long, default_value_t = 2, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
        limit: u64,
        #[command(flatten)]
        planning: PlanArgs,
    },
}

/// The jobs in plans of `tallyboard`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum TallyboardJob {
    Queens(Queens),
    Cover(CoverFile),
    Sudoku(Sudoku),
}

impl From<TallyboardJob> for PlannedJob {
    fn from(job: TallyboardJob) -> Self {
        match job {
            TallyboardJob::Queens(queens) => Self::Count(Box::new(queens)),
            TallyboardJob::Cover(cover) => Self::Count(Box::new(cover)),
            TallyboardJob::Sudoku(sudoku) => Self::File(sudoku),
        }
    }
}

/// Runs one of the cluster commands of `tallyboard`.
pub fn run(command: &Command<PlanFlags>, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Plan(PlanFlags { command: PlanCommand::Queens { board, engine, planning } }) => {
            let engine = engine.map(|engine| engine.to_string());
            let BoardArgs { n, squares } = board;
            let job = Queens { engine, ..Queens::new(*n, &squares.place, &squares.block) };
            plan::plan_count(&job, TallyboardJob::Queens, planning, args)
        }
        Command::Plan(PlanFlags { command: PlanCommand::Cover { file, engine, planning } }) => {
            plan::plan_count(&engine.job(&file.absolute()?)?, TallyboardJob::Cover, planning, args)
        }
        Command::Plan(PlanFlags { command: PlanCommand::Sudoku { file, limit, planning } }) => {
            plan::plan_sudoku(file, *limit, TallyboardJob::Sudoku, planning, args)
        }
        Command::WithPlan(command) => run_planned(command, read::<TallyboardJob>, args),
    }
}
