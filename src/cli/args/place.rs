//! Flags of the `tallyboard queens` commands that place queens and show them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tallyboard::queens::MAX_N;
use tallyboard::queens::place::{Method, Opening, Order};

use super::queens::Squares;

#[derive(Debug, Args)]
pub struct List {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    #[command(flatten)]
    pub squares: Squares,

    /// Stop after this many
    #[arg(long, value_name = "K")]
    pub limit: Option<u64>,

    /// Leave out this many at the beginning
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub skip: u64,

    /// One solution of each class under rotation and reflection
    #[arg(long)]
    pub fundamental: bool,

    /// How solutions are written
    #[arg(long, value_enum, default_value_t = ListFormat::Board)]
    pub format: ListFormat,

    /// Draw K solutions at random instead: all equally likely up to n = 15, beyond that row by row
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=10_000_000), conflicts_with_all = ["limit", "skip", "fundamental"])]
    pub sample: Option<u32>,

    /// Seed of the sample
    #[arg(long, default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: Pictures,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// Boards with the names of their ranks and files
    Board,
    /// The file of each rank's queen, from 1 for a, from the top rank down
    Vector,
    /// An array of boards, each an array of rows from the top down
    Json,
    /// The same numbers as a vector, under a header that names the ranks
    Csv,
    /// Rows such as 1Q2 from the top down, with slashes between them
    FenLike,
    /// A page of boards
    Svg,
}

/// Where pictures go.
#[derive(Debug, Args)]
pub struct Pictures {
    /// Draw a picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw a picture as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

impl Pictures {
    pub fn wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }
}

#[derive(Debug, Args)]
pub struct One {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub n: u32,

    #[command(flatten)]
    pub squares: Squares,

    /// How to find it; auto is the explicit construction, greedy-repair with --seed, and backtrack with
    /// --place or --block
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    pub method: MethodName,

    /// Seed of the random methods
    #[arg(long)]
    pub seed: Option<u64>,

    #[command(flatten)]
    pub limits: Limits,

    /// las-vegas: rows to fill at random before backtracking
    #[arg(long, value_name = "K")]
    pub k: Option<u32>,

    /// How the solution is written; a board up to n = 40, a vector beyond
    #[arg(long, value_enum)]
    pub format: Option<OneFormat>,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: Pictures,
}

#[derive(Debug, Args)]
pub struct Limits {
    /// Give up after this many steps
    #[arg(long, value_name = "M")]
    pub max_steps: Option<u64>,

    /// Give up after this time: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OneFormat {
    /// A board with the names of its ranks and files
    Board,
    /// The file of each rank's queen, from 1 for a, from the top rank down
    Vector,
    /// One document with these numbers as `columns`, and what they cost
    Json,
    /// The same numbers as a vector, with commas
    Csv,
    /// Rows such as 1Q2 from the top down, with slashes between them
    FenLike,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// The best for the other options
    Auto,
    /// Written down at once, any n
    Explicit,
    /// Backtracking, the row with the fewest free squares first
    Backtrack,
    /// Backtracking from the top row down
    BacktrackTopDown,
    /// Conflict repair: sweeps that move every queen
    Repair,
    /// Swaps of attacked queens, from a careful start
    GreedyRepair,
    /// The same from a random start
    GreedyRepairRandom,
    /// Random rows, then backtracking
    LasVegas,
}

impl One {
    /// The method asked for, with its settings.
    pub fn method(&self) -> Method {
        let (seeded, random_rows) = (self.seed.is_some(), self.k);
        match self.method {
            MethodName::Auto if !self.squares.is_plain() => {
                Method::Backtrack { order: Order::FewestFirst }
            }
            MethodName::Auto if seeded => Method::GreedyRepair { opening: Opening::Careful },
            MethodName::Auto | MethodName::Explicit => Method::Explicit,
            MethodName::Backtrack => Method::Backtrack { order: Order::FewestFirst },
            MethodName::BacktrackTopDown => Method::Backtrack { order: Order::TopDown },
            MethodName::Repair => Method::Repair,
            MethodName::GreedyRepair => Method::GreedyRepair { opening: Opening::Careful },
            MethodName::GreedyRepairRandom => Method::GreedyRepair { opening: Opening::Random },
            MethodName::LasVegas => Method::LasVegas { random_rows },
        }
    }
}

#[derive(Debug, Args)]
pub struct Methods {
    /// Board sizes, with commas
    #[arg(long, value_delimiter = ',', default_values_t = [8, 20, 36, 100, 200, 500, 1000, 10_000, 100_000], value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub sizes: Vec<u32>,

    /// Seeds tried by each random method
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,

    /// Time after which a try counts as failed
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub time_limit: Duration,

    /// Print one JSON document
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print CSV
    #[arg(long)]
    pub csv: bool,

    #[command(flatten)]
    pub pictures: Pictures,
}

#[derive(Debug, Args)]
pub struct Check {
    /// Solutions in any of the formats; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub struct Tree {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..=6))]
    pub n: u32,

    #[command(flatten)]
    pub squares: Squares,

    #[command(flatten)]
    pub pictures: Pictures,
}

#[derive(Debug, Args)]
pub struct Trace {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..=16))]
    pub n: u32,

    #[command(flatten)]
    pub squares: Squares,

    /// Show at most this many steps
    #[arg(long, value_name = "K")]
    pub steps: Option<usize>,

    /// Go on to all solutions instead of stopping at the first
    #[arg(long)]
    pub all: bool,

    /// Draw over the board before, waiting this long: 200ms, 1s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub animate: Option<Duration>,
}

/// Reads `500ms`, `10s`, `2m`, `1h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (value, unit) = text.split_at(at);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("the unit '{unit}' is not known; ms, s, m and h are")),
    };
    let value: f64 =
        value.parse().map_err(|_| format!("found '{text}', expected a time as 10s"))?;
    // A century, so that it can be added to any time of the clock.
    if value * seconds > 36_525.0 * 86_400.0 {
        return Err("found a time of more than a century".to_owned());
    }
    Duration::try_from_secs_f64(value * seconds).map_err(|error| error.to_string())
}
