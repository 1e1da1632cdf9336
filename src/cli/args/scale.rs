//! Flags of `tallyboard scale`.

use std::path::{Path, PathBuf};

use crate::queens::MAX_N;
use crate::scale::topology::Pin;
use crate::search::MAX_THREADS;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::shared::PictureArgs;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all solutions of an n × n board with 1, 2, 4 … threads
    Queens {
        /// Board size, up to 32
        #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
        n: u32,
        #[command(flatten)]
        measuring: MeasureArgs,
    },
    /// Solve a sudoku file with 1, 2, 4 … threads
    Sudoku {
        /// The puzzles, in any format that `sudoku solve` reads; --weak takes one a line
        file: PathBuf,
        /// Count all solutions, as `sudoku count` does, instead of proving that there is one
        #[arg(long)]
        count: bool,
        #[command(flatten)]
        solver: super::sudoku::SolverArgs,
        #[command(flatten)]
        measuring: MeasureArgs,
    },
    /// Run any command with 1, 2, 4 … threads, in shuffled rounds
    // Options about this program's own workers are hidden here; given, they are refused with a reason.
    #[command(mut_arg("weak", |it| it.hide(true)), mut_arg("granularity", |it| it.hide(true)))]
    #[command(mut_arg("pin", |it| it.hide(true)))]
    Run {
        /// The command; `{threads}` in it stands for the number of threads. Assignments in front, as in
        /// `OMP_NUM_THREADS={threads} ./a.out`, set variables of its environment
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
        #[command(flatten)]
        around: CommandArgs,
        #[command(flatten)]
        measuring: MeasureArgs,
    },
    /// Compare measurements, and say which differences are beyond chance
    Compare(CompareArgs),
}

/// What is run around a measured command.
#[derive(Debug, Args)]
pub struct CommandArgs {
    /// Run this shell command before each run, unmeasured; `{threads}` in it stands for the number of threads
    #[arg(long, value_name = "COMMAND")]
    pub prepare: Option<String>,

    /// Run this shell command once for each thread count, and value of --parameter, before all rounds
    #[arg(long, value_name = "COMMAND")]
    pub setup: Option<String>,

    /// Run this shell command once for each thread count, and value of --parameter, after all rounds, also if
    /// they end early
    #[arg(long, value_name = "COMMAND")]
    pub cleanup: Option<String>,

    /// Go on measuring if the command fails, and warn
    #[arg(short, long)]
    pub ignore_failure: bool,

    /// Measure each of these values of a second parameter in every round; `{NAME}` stands for it
    #[arg(long, num_args = 2, value_names = ["NAME", "V,V…"])]
    pub parameter: Vec<String>,

    /// What one run does, such as '5000 requests': the report then has a column of requests/s
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
        _ => Err("expected a number and a unit, such as '5000 requests'".to_owned()),
    }
}

#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// Thread counts; 1 is always measured too, to compare the others with
    #[arg(short = 'P', long, value_name = "T,T…", value_delimiter = ',', conflicts_with = "max")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub points: Vec<u16>,

    /// The highest thread count of 1, 2, 4 …; by default -j, or else every core
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub max: Option<u16>,

    /// Unmeasured rounds at the beginning
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    pub warmup: u16,

    /// Rounds, each with one run of every thread count; replaces -m and -M. Six or more give 95 %
    /// intervals
    #[arg(short, long, value_name = "N", conflicts_with_all = ["min_runs", "max_runs"])]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: Option<u16>,

    /// The fewest rounds
    #[arg(short, long, default_value_t = 7, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub min_runs: u16,

    /// The most rounds; past the fewest, rounds end once thread counts have run for 3 seconds on average
    #[arg(short = 'M', long, default_value_t = 30, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub max_runs: u16,

    /// Weak scaling: as many times the work as there are threads
    #[arg(long)]
    pub weak: bool,

    /// Also run the highest thread count with few to many subtrees, to show what splitting and stealing cost
    #[arg(long, conflicts_with = "weak")]
    pub granularity: bool,

    /// Where workers are placed
    #[arg(long, default_value = "none", value_name = "WHERE", value_parser = places())]
    pub pin: Pin,

    /// Also measure what the machine gives each number of threads, before the rounds and after them: clock,
    /// memory's bandwidth, and latency beyond each cache
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

    /// Write the table or document here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write one self-contained page with curves and tables
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
    /// JSON of measurements; the first is what the others are compared with
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Also write one self-contained page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Exit with 1 if another is slower than the first beyond chance, and by more than this share: for CI
    #[arg(long, value_name = "SHARE%", value_parser = share)]
    pub fail_above: Option<f64>,
}

/// A share in per cent, with the sign or without. Below 1 the sign is needed: 0.05 may be meant as 5 %.
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
        Pin::None => "Wherever the system likes",
        Pin::Cores => "One worker a core, node after node, then their second threads",
        Pin::Nodes => "One worker a core, on each NUMA node in turn, then their second threads",
        Pin::Threads => "All hardware threads of a core before the next core",
    };
    let names = Pin::ALL.map(|pin| PossibleValue::new(pin.name()).help(meaning(pin)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Pin>())
}
