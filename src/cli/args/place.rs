//! Flags of the `tallyboard queens` commands that place queens and show them.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use queens::place::{Method, Opening, Order};

use super::shared::{BoardArgs, OrAuto, PictureArgs, SquareArgs, TraceFlags, choices, duration};

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Stop after this many
    #[arg(long, value_name = "K")]
    pub limit: Option<u64>,

    /// Leave out this many at the beginning
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub skip: u64,

    /// One solution of each class under rotation and reflection
    #[arg(long)]
    pub fundamental: bool,

    /// How solutions are written; by default as boards. With --svg or --png they are written only if this or
    /// --output is given
    #[arg(long, value_enum)]
    pub format: Option<ListFormat>,

    /// Draw K solutions at random instead: all equally likely up to n = 15; on larger boards row by row
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=10_000_000), conflicts_with_all = ["limit", "skip", "fundamental"])]
    pub sample: Option<u32>,

    /// Seed of the sample
    #[arg(long, default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
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
    /// A page of up to 400 boards
    Svg,
}

#[derive(Debug, Args)]
pub struct OneArgs {
    /// Board size, up to 4,294,967,295, for pictures up to 200
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    /// How to find it; auto is the explicit construction, greedy-repair with --seed, and backtrack with
    /// --place or --block
    #[arg(long, default_value = "auto", value_name = "METHOD", value_parser = methods())]
    pub method: OrAuto<Method>,

    /// Seed of the random methods
    #[arg(long)]
    pub seed: Option<u64>,

    /// Give up after this many steps
    #[arg(long, value_name = "M")]
    pub max_steps: Option<u64>,

    /// Give up after this time: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,

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
    pub pictures: PictureArgs,
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

/// Reads `auto` or the name of a method.
fn methods() -> impl TypedValueParser<Value = OrAuto<Method>> {
    let auto = PossibleValue::new("auto").help("The best for the other options");
    let what = |method| match method {
        Method::Explicit => "Written down at once, any n",
        Method::Backtrack { order: Order::FewestFirst } => {
            "Backtracking, the row with the fewest free squares first"
        }
        Method::Backtrack { order: Order::TopDown } => "Backtracking from the top row down",
        Method::LasVegas { .. } => "Random rows, then backtracking",
        Method::Repair => "Conflict repair: sweeps that move every queen",
        Method::GreedyRepair { opening: Opening::Careful } => {
            "Swaps of attacked queens, from a careful start"
        }
        Method::GreedyRepair { opening: Opening::Random } => {
            "Swaps of attacked queens, from a random start"
        }
    };
    let value = |method: Method| PossibleValue::new(method.name()).help(what(method));
    choices(auto, Method::named().map(value))
}

impl OneArgs {
    /// The method asked for, with its settings.
    pub fn method(&self) -> Method {
        match &self.method {
            Some(Method::LasVegas { .. }) => Method::LasVegas { random_rows: self.k },
            Some(method) => *method,
            None if !self.squares.is_plain() => Method::Backtrack { order: Order::FewestFirst },
            None if self.seed.is_some() => Method::GreedyRepair { opening: Opening::Careful },
            None => Method::Explicit,
        }
    }
}

#[derive(Debug, Args)]
pub struct MethodsArgs {
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
    pub pictures: PictureArgs,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Solutions in any of the formats, vectors with a 0 counted from 0; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub struct TreeArgs {
    /// Board size, up to 14
    #[arg(value_parser = clap::value_parser!(u32).range(1..=14))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    /// Show the first D ranks only, and the number of nodes below; by default as many ranks as fit on a
    /// screen
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, Args)]
pub struct TraceArgs {
    /// Board size, up to 16
    #[arg(value_parser = clap::value_parser!(u32).range(1..=16))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    #[command(flatten)]
    pub trace: TraceFlags,
}
