//! `tallyboard cluster …`: plans of queens, of covers and of sudokus.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tallyboard_queens::Engine;
use tallyboard_sudoku::Solver;

use crate::cluster::plan::{self, PlanArgs, Planned, read};
use crate::cluster::{Command, run_planned};
use crate::commands::queens::arguments::{BoardArgs, Queens, engines};
use crate::games::cover::CoverFile;
use crate::games::sudoku::{self, Sudoku, methods};
use crate::games::{FileArgs, Method, MethodArgs};
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
        method: MethodArgs,
        /// Count the remainder by M, for problems with more than 2^128 - 1 covers
        #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(2..=u64::MAX))]
        modulo: Option<u64>,
        #[command(flatten)]
        planning: PlanArgs,
    },
    /// Count all solutions of one sudoku
    Sudoku {
        /// The puzzle: 81 characters, or a file that holds it in any format
        puzzle: String,
        /// How to count; auto takes what an estimate of the work finds cheaper
        #[arg(long, default_value = "auto", value_name = "METHOD", value_parser = methods())]
        method: OrAuto<tallyboard_sudoku::Engine>,
        #[command(flatten)]
        planning: PlanArgs,
    },
}

/// The jobs in plans of `tallyboard`. Each variant's name in lower case is the [`name`](crate::counting::Counting::name) of its
/// type, under which `plan` stores it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum TallyboardJob {
    Queens(Queens),
    Cover(CoverFile),
    Sudoku(Sudoku),
}

impl From<TallyboardJob> for Planned {
    fn from(job: TallyboardJob) -> Self {
        match job {
            TallyboardJob::Queens(queens) => Box::new(queens),
            TallyboardJob::Cover(cover) => Box::new(cover),
            TallyboardJob::Sudoku(sudoku) => Box::new(sudoku),
        }
    }
}

/// Runs one of the cluster commands of `tallyboard`.
pub fn run(command: &Command<PlanFlags>, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Plan(PlanFlags { command: PlanCommand::Queens { board, engine, planning } }) => {
            let engine = engine.map(|engine| engine.to_string());
            let job = Queens { engine, ..board.one(args)?.job() };
            plan::plan::<TallyboardJob>(&job, planning, args)
        }
        Command::Plan(PlanFlags {
            command: PlanCommand::Cover { file, method, modulo, planning },
        }) => {
            let memory = method.memory;
            let method = Method { modulo: *modulo, ..method.method() };
            let job = CoverFile::new(&file.absolute()?, method)?;
            if memory.is_some() {
                plan::ensure_fits(&job, memory, planning)?;
            }
            plan::plan::<TallyboardJob>(&job, planning, args)
        }
        Command::Plan(PlanFlags { command: PlanCommand::Sudoku { puzzle, method, planning } }) => {
            let puzzle = sudoku::read(puzzle, "one puzzle")?;
            plan::plan::<TallyboardJob>(
                &Sudoku::new(puzzle, *method, Solver::default()),
                planning,
                args,
            )
        }
        Command::WithPlan(command) => run_planned(command, read::<TallyboardJob>, args),
    }
}
