//! Flags of `tallyboard scale`.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use queens::MAX_N;
use scale::topology::Pin;
use search::MAX_THREADS;

use super::shared::PictureArgs;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure how counting all solutions of an n × n board scales
    Queens {
        /// Board size, up to 32
        #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
        n: u32,
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
        solver: super::sudoku::SolverArgs,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Measure how any command scales
    // Options that only apply to this program's workers are hidden here, and refused with a reason.
    #[command(mut_arg("weak", |it| it.hide(true)), mut_arg("granularity", |it| it.hide(true)))]
    #[command(mut_arg("pin", |it| it.hide(true)))]
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
    /// Compare measurements, and tell which differences are beyond chance
    Compare(CompareArgs),
}

/// Options of a measured command.
#[derive(Debug, Args)]
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

/// A number of units.
#[cfg_attr(not(unix), expect(dead_code, reason = "for `scale run`, which only Unix has"))]
#[derive(Clone, Debug)]
pub struct Amount {
    pub number: f64,
    pub unit: String,
}

fn amount(text: &str) -> Result<Amount, String> {
    let (number, unit) = text.trim().split_once(' ').unwrap_or((text, ""));
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() && !unit.trim().is_empty() => {
            Ok(Amount { number, unit: unit.trim().to_owned() })
        }
        _ => Err("expected a number above 0 and a unit, such as '5000 requests'".to_owned()),
    }
}

#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// Thread counts; 1 is always added, since speed-ups are relative to it
    #[arg(short = 'P', long, value_name = "T,T…", value_delimiter = ',', conflicts_with = "max")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub points: Vec<u16>,

    /// Measure 1, 2, 4 … threads up to this number; by default up to -j, or else every core
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub max: Option<u16>,

    /// Number of unmeasured rounds at the beginning
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    pub warmup: u16,

    /// Number of rounds, each with one run of every thread count; replaces -m and -M. Six or more give
    /// 95 % intervals
    #[arg(short, long, value_name = "N", conflicts_with_all = ["min_runs", "max_runs"])]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: Option<u16>,

    /// Lower bound on the rounds
    #[arg(short, long, default_value_t = 7, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub min_runs: u16,

    /// Upper bound on the rounds; after the lower bound, rounds end when thread counts have run for 3
    /// seconds on average
    #[arg(short = 'M', long, default_value_t = 30, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub max_runs: u16,

    /// Weak scaling: p times the work with p threads
    #[arg(long)]
    pub weak: bool,

    /// Also measure several numbers of subtrees, with 1 thread and the most threads that have a processor
    /// each, to show what splitting and stealing cost
    #[arg(long, conflicts_with = "weak")]
    pub granularity: bool,

    /// The processors on which workers are kept
    #[arg(long, default_value = "none", value_name = "WHERE", value_parser = places())]
    pub pin: Pin,

    /// Also measure the machine with each number of threads, before the rounds and after them: clock speed,
    /// memory bandwidth, and latency beyond each cache
    #[arg(long)]
    pub machine: bool,

    #[command(flatten)]
    pub report: ReportArgs,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Print one JSON document, with the keys of hyperfine
    #[arg(long, group = "format")]
    pub json: bool,

    /// Print one line of CSV for each thread count
    #[arg(long, group = "format")]
    pub csv: bool,

    /// Print one line of JSON for each run, for Extra-P
    #[arg(long, group = "format")]
    pub extra_p: bool,

    /// Write to this file instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the report as one HTML page with curves and tables
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

impl ReportArgs {
    /// The files to write.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let pages = self.output.iter().chain(&self.html).map(PathBuf::as_path);
        pages.chain(self.pictures.paths())
    }
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// JSON reports; each is compared with the first
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Also write the comparison as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Exit with 1 if a report is slower than the first beyond chance, and by more than this share; for CI
    #[arg(long, value_name = "SHARE%", value_parser = share)]
    pub fail_above: Option<f64>,
}

/// A share in per cent, with the sign or without it. Below 1 the sign is needed: 0.05 may mean 5 %.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 && !text.ends_with('%') => {
            let as_share = 100.0 * share;
            Err(format!("expected a share such as 5%: write {share}% or {as_share}%"))
        }
        Ok(share) if share >= 0.0 && share.is_finite() => Ok(share / 100.0),
        _ => Err("expected a share such as 5%".to_owned()),
    }
}

fn places() -> impl TypedValueParser<Value = Pin> {
    let meaning = |pin| match pin {
        Pin::None => "Any: the system moves workers",
        Pin::Cores => "One worker a core, NUMA node after node, then second hardware threads",
        Pin::Nodes => "One worker a core, NUMA nodes in turn, then second hardware threads",
        Pin::Threads => "All hardware threads of a core before the next core",
    };
    let names = Pin::ALL.map(|pin| PossibleValue::new(pin.name()).help(meaning(pin)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Pin>())
}
