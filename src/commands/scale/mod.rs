//! `tallyboard scale …`: measures how queens, covers, sudokus or any command scale.

#[cfg(unix)]
mod command;
mod command_args;
mod fit;
mod sudoku;

use std::path::PathBuf;

use anyhow::Result;
use command_args::CommandArgs;
use tallyboard_queens::MAX_N;
use tallyboard_scale::report::THREADS;

use crate::commands::cover::arguments::{EngineArgs, FileArgs};
use crate::commands::queens::arguments::Queens;
use crate::commands::sudoku::input::SolverArgs;
use crate::scaling::count;
use crate::scaling::measurement::{MeasureArgs, Measurement};
use crate::scaling::reports::{CompareArgs, compare};
use crate::terminal::{Args, ExitStatus, io};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Measure how counting all solutions of an n × n board scales
    Queens {
        /// Board size, up to 32
        #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
        n: u32,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Measure how counting all covers of the problem in a file scales
    Cover {
        #[command(flatten)]
        file: FileArgs,
        #[command(flatten)]
        engine: EngineArgs,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Measure how solving a file of sudokus scales
    Sudoku {
        /// The puzzles, in any format that `sudoku solve` reads; with --weak one puzzle a line
        file: PathBuf,
        /// Count all solutions, as `sudoku count` does, instead of solving
        #[arg(long)]
        count: bool,
        #[command(flatten)]
        solver: SolverArgs,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Measure how any command scales
    // Options that only apply to this program's workers are hidden here, and refused with a reason.
    #[command(mut_arg("weak", |arg| arg.hide(true)), mut_arg("granularity", |arg| arg.hide(true)))]
    #[command(mut_arg("pin", |arg| arg.hide(true)))]
    Run {
        /// The command, with `{threads}` where it takes the number of threads. Assignments before the
        /// command, as in `OMP_NUM_THREADS={threads} ./a.out`, set environment variables
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
        #[command(flatten)]
        command_flags: CommandArgs,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Fit the laws of scaling to times that another tool measured
    Fit(fit::FitArgs),
    /// Compare measurements, and tell which differences are beyond chance
    Compare(CompareArgs),
}

/// Runs one of the scale commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Queens { n, flags } => {
            let job = Queens::new(*n, &[], &[]);
            let problem = format!("queens {n}");
            let command = format!("tallyboard queens count {n} -j {THREADS}");
            count::run(&job, &problem, command, flags, args)
        }
        Command::Cover { file, engine: engine_args, flags } => {
            let name = io::name(&file.file);
            let problem = format!("cover {name}");
            let EngineArgs { engine, kernel, .. } = engine_args;
            let mut options = engine.map_or(String::new(), |engine| format!(" --engine {engine}"));
            options += &kernel.map_or(String::new(), |kernel| format!(" --kernel {kernel}"));
            let command = format!("tallyboard cover count {name}{options} -j {THREADS}");
            count::run(&engine_args.job(file)?, &problem, command, flags, args)
        }
        Command::Sudoku { file, count, solver, flags } => {
            let solver = solver.solver()?;
            io::ensure_apart([&**file], flags.report.paths())?;
            sudoku::measure(file, *count, solver, Measurement::begin(flags, args)?)
        }
        #[cfg(unix)]
        Command::Run { command, command_flags, flags } => {
            command::measure(command, command_flags, Measurement::begin(flags, args)?)
        }
        #[cfg(not(unix))]
        Command::Run { .. } => {
            anyhow::bail!(
                "scale run ends what the command starts by its process group: only Unix has these"
            )
        }
        Command::Fit(flags) => fit::run(flags, args),
        Command::Compare(command) => compare(command, args),
    }
}
