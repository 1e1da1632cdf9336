//! `tallyboard scale …`: measures how queens, covers, sudokus or any command scale, and fits laws to times of other tools.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tallyboard_scale::points::{ReadOptions, Unit};
use tallyboard_scale::report::{Scaling, THREADS};

use crate::commands::queens::arguments::Queens;
use crate::commands::sudoku::input::SolverArgs;
use crate::games::cover::CoverFile;
use crate::games::{FileArgs, MethodArgs};
use crate::scaling::count;
use crate::scaling::measurement::{MeasureArgs, Measurement};
use crate::scaling::reports::{CompareArgs, Outputs, ReportArgs, compare, read};
use crate::terminal::{Args, ExitStatus, io, named};
use tallyboard_queens::MAX_N;

#[cfg(unix)]
mod command;
mod sudoku;

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
        method: MethodArgs,
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
    #[command(mut_arg("weak", |arg| arg.hide(true)), mut_arg("pin", |arg| arg.hide(true)))]
    Run {
        /// The command, with `{threads}` where it takes the number of threads. Assignments before the
        /// command, as in `OMP_NUM_THREADS={threads} ./a.out`, set environment variables. Behind the word
        /// --versus stands another command, measured in the same rounds and compared with the first
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
        #[command(flatten)]
        command_flags: CommandArgs,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Show a report that was saved with --json, in any form
    Show(ShowArgs),
    /// Fit the laws of scaling to times that another tool measured
    Fit(FitArgs),
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
            count::run(&job, None, &problem, command, flags, args)
        }
        Command::Cover { file, method, flags } => {
            let name = io::name(&file.file);
            let problem = format!("cover {name}");
            let MethodArgs { engine, kernel, memory } = method;
            let mut options =
                engine.as_ref().map_or(String::new(), |engine| format!(" --engine {engine}"));
            options += &kernel.map_or(String::new(), |kernel| format!(" --kernel {kernel}"));
            let command = format!("tallyboard cover count {name}{options} -j {THREADS}");
            let job = CoverFile::new(file, method.method())?;
            count::run(&job, *memory, &problem, command, flags, args)
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
        Command::Show(ShowArgs { file, report }) => {
            write_reports(file, &ReadOptions::default(), report, args)
        }
        Command::Fit(flags) => fit(flags, args),
        Command::Compare(flags) => compare(flags, args),
    }
}

#[derive(Debug, clap::Args)]
pub struct CommandArgs {
    /// Run this shell command before each run, unmeasured; `{threads}` is replaced in it too
    #[arg(long, value_name = "COMMAND")]
    pub prepare: Option<String>,

    /// Run this shell command before all rounds, once for each thread count and value of --parameter
    #[arg(long, value_name = "COMMAND")]
    pub setup: Option<String>,

    /// Run this shell command after all rounds, once for each thread count and value of --parameter, even
    /// if the rounds end early
    #[arg(long, value_name = "COMMAND")]
    pub cleanup: Option<String>,

    /// Continue if the command fails; the report warns of failed runs
    #[arg(short, long)]
    pub ignore_failure: bool,

    /// Also measure each of these values of a second parameter, with `{NAME}` where the command takes it
    #[arg(long, num_args = 2, value_names = ["NAME", "V,V…"])]
    pub parameter: Vec<String>,

    /// Amount of work in one run, such as '5000 requests': the report then has a column of requests/s
    #[arg(long, value_name = "N UNIT", value_parser = amount)]
    pub amount: Option<Amount>,
}

/// An amount of work: so many of a unit, such as requests.
#[cfg_attr(not(unix), expect(dead_code, reason = "for `scale run`, which only Unix has"))]
#[derive(Clone, Debug)]
pub struct Amount {
    pub number: f64,
    pub unit: String,
}

/// Reads a number above 0 and a unit.
fn amount(text: &str) -> Result<Amount, String> {
    let (number, unit) = text.trim().split_once(' ').unwrap_or((text, ""));
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() && !unit.trim().is_empty() => {
            Ok(Amount { number, unit: unit.trim().to_owned() })
        }
        _ => Err("expected a number above 0 and a unit, such as '5000 requests'".to_owned()),
    }
}

#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The output of `scale … --json`
    file: PathBuf,

    #[command(flatten)]
    report: ReportArgs,
}

#[derive(Debug, clap::Args)]
pub struct FitArgs {
    /// Thread counts and times: a table (CSV, Markdown, blanks), lines of a log, or the file or the output of a
    /// tool: hyperfine, Google Benchmark, criterion, divan, go test, JMH, pytest-benchmark, pyperf,
    /// BenchmarkDotNet, sysbench, likwid-bench, NAS; or criterion's folder; or a report
    pub file: PathBuf,

    /// The column or parameter with the thread counts; by default the one called threads, jobs, workers …
    #[arg(long, value_name = "NAME")]
    pub threads_column: Option<String>,

    /// The column of a CSV with the times; by default the one called median, mean, time, seconds …
    #[arg(long, value_name = "NAME")]
    pub time_column: Option<String>,

    /// The column with rates, such as operations per second, of which the higher is faster
    #[arg(long, value_name = "NAME", conflicts_with = "time_column")]
    pub rate_column: Option<String>,

    /// The column of a CSV whose values tell several curves apart
    #[arg(long, value_name = "NAME")]
    pub curve: Option<String>,

    /// The unit of the times in a CSV; by default the one that the file names, or else seconds
    #[arg(long, value_name = "UNIT", value_parser = named::<Unit>(Unit::ALL.map(Unit::name)))]
    pub unit: Option<Unit>,

    /// The times are those of p times the work with p threads
    #[arg(long, conflicts_with = "strong")]
    pub weak: bool,

    /// The times are those of equal work with every number of threads
    #[arg(long)]
    pub strong: bool,

    /// The number of threads to which speed-ups are relative, without those of fewer; by default the fewest
    #[arg(long, value_name = "T")]
    pub baseline: Option<usize>,

    #[command(flatten)]
    pub report: ReportArgs,
}

/// Writes the reports of the curves in a file.
fn fit(flags: &FitArgs, args: &Args) -> Result<ExitStatus> {
    let choice = ReadOptions {
        threads: flags.threads_column.clone(),
        time: flags.time_column.clone(),
        curve: flags.curve.clone(),
        unit: flags.unit,
        rate: flags.rate_column.clone(),
        scaling: match (flags.weak, flags.strong) {
            (true, _) => Some(Scaling::Weak),
            (_, true) => Some(Scaling::Strong),
            _ => None,
        },
        baseline: flags.baseline,
    };
    write_reports(&flags.file, &choice, &flags.report, args)
}

/// Writes the reports in `file`, read as `choice` says, in the forms asked for.
fn write_reports(
    file: &Path,
    choice: &ReadOptions,
    forms: &ReportArgs,
    args: &Args,
) -> Result<ExitStatus> {
    io::ensure_apart([file], forms.paths())?;
    let reports = read(file, choice)?;
    Outputs::create(forms)?.write(reports)?;
    forms.print_written(args);
    Ok(ExitStatus::Done)
}
