//! Flags of `tallyboard queens`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use tallyboard::Kernel;
use tallyboard::queens::{Engine, MAX_N, Settings, Square};

use super::journal::Journaling;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all solutions
    Count(Count),
    /// List all solutions in lexicographic order
    List(super::place::List),
    /// Find one solution on a board of any size
    One(super::place::One),
    /// Compare the methods that find one solution
    Methods(super::place::Methods),
    /// Check solutions: valid, or which two queens attack each other
    Check(super::place::Check),
    /// Draw the search tree of a small board
    Tree(super::place::Tree),
    /// Step through the backtracking
    Trace(super::place::Trace),
    /// Estimate the number of solutions, and the time and memory that an exact count takes
    Estimate(Estimate),
    /// Count randomly drawn subtrees exactly: what the whole board has and takes, with intervals
    Sample(Sample),
    /// Count with every engine and kernel and compare their counts
    Verify(Verify),
    /// Show how far the run is that a journal belongs to
    Show(Show),
}

#[derive(Debug, Args)]
pub struct Count {
    /// Board size: n queens on n × n squares
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    /// Show how the textbook search prunes: nodes, attacked squares and dead ends of every rank
    #[arg(short, long, conflicts_with_all = ["json", "quiet", "place", "block", "subtree"])]
    pub verbose: bool,
    #[command(flatten)]
    pub squares: Squares,

    #[command(flatten)]
    pub way: Way,

    /// Count solutions up to rotation and reflection too
    #[arg(long)]
    pub fundamental: bool,

    /// Count the classes of solutions by their symmetry too
    #[arg(long)]
    pub symmetry_classes: bool,

    #[command(flatten)]
    pub journaling: Journaling,

    /// Count this subtree alone (its number, from 0, as `queens show --csv` lists it), of
    /// the engine that it was listed with
    #[arg(long, value_name = "ID", conflicts_with_all = ["journal", "fundamental", "symmetry_classes"])]
    pub subtree: Option<usize>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Squares {
    /// Queens that stand already, as in a1,c2: a1 is at the bottom left as in chess, the file aa comes
    /// after z
    #[arg(long, value_delimiter = ',', value_name = "SQUARES")]
    pub place: Vec<Square>,

    /// Squares where no queen may stand
    #[arg(long, value_delimiter = ',', value_name = "SQUARES")]
    pub block: Vec<Square>,
}

impl Squares {
    /// Whether there are none.
    pub fn is_plain(&self) -> bool {
        self.place.is_empty() && self.block.is_empty()
    }
}

/// How to count.
#[derive(Debug, Clone, Copy, Args)]
pub struct Way {
    /// How to count; auto takes the fastest engine for the board
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engines())]
    pub engine: Choice<Engine>,

    /// The instructions to count with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: Choice<Kernel>,

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and
    /// its limits leave. With less than the fastest engine needs, auto takes another
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

/// A number of bytes: digits, then K, M, G or T for powers of 1024.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let power = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err("expected a number of bytes, or one with K, M, G or T".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| format!("found {digits:?}, expected digits"))?;
    number.checked_mul(1 << (10 * power)).ok_or_else(|| "more than 2^64 bytes".to_owned())
}

impl Way {
    /// As the library takes it, but for the memory.
    pub fn settings(&self) -> Settings {
        Settings::new().engine(self.engine).kernel(self.kernel)
    }
}

/// What the user names; `None` leaves it to the program. An alias, for clap takes a plain `Option`
/// for a flag that may be left out.
pub type Choice<T> = Option<T>;

/// Reads `auto` or the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = Choice<Engine>> {
    let what = |engine| match engine {
        Engine::Halves => "Half boards joined; boards without --place and --block",
        Engine::Blocks => "Batches of nodes; any board",
        _ => "The plain recursion; boards without --place and --block",
    };
    choices(Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(what(engine))))
}

fn kernels() -> impl TypedValueParser<Value = Choice<Kernel>> {
    choices(Kernel::ALL.map(|kernel| PossibleValue::new(kernel.name())))
}

/// Reads `auto` or one of `names`.
pub fn choices<T>(
    names: impl IntoIterator<Item = PossibleValue>,
) -> impl TypedValueParser<Value = Choice<T>>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    let names = std::iter::once(PossibleValue::new("auto")).chain(names);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "auto" => Ok(None),
        name => name.parse().map(Some),
    })
}

#[derive(Debug, Args)]
pub struct Estimate {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub n: u32,

    #[command(flatten)]
    pub squares: Squares,

    /// Random descents in all
    #[arg(long, value_name = "K", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    pub probes: u32,

    #[command(flatten)]
    pub way: Way,

    /// Begins the sequence of random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Sample {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    #[command(flatten)]
    pub way: Way,

    /// Draw for this long: 30s, 10m, 2h. A subtree that has been begun is finished
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = super::place::duration, conflicts_with = "subtrees")]
    pub seconds: Duration,

    /// Draw this many subtrees instead; the result then depends on the seed alone
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub subtrees: Option<u32>,

    /// Begins the sequence of random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print the draws: number,probability,subtotal,seconds. The mean of subtotal / probability is
    /// the estimate, and `queens count N --subtree NUMBER` counts one of them again
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// Board size
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    #[command(flatten)]
    pub squares: Squares,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Show {
    /// The journal, whether its run still goes on or not
    pub journal: PathBuf,

    /// Print every subtotal: subtree,solutions,seconds
    #[arg(long)]
    pub csv: bool,
}
