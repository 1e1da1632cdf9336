//! Flags of `tallyboard queens`.

use std::path::PathBuf;
use std::time::Duration;

use crate::Kernel;
use crate::queens::{Engine, Settings};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, Subcommand};

use super::shared::{
    BoardArgs, JournalArgs, OrAuto, SquareArgs, bytes, choices, duration, kernels,
};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all solutions
    Count(CountArgs),
    /// List all solutions in lexicographic order
    List(super::place::ListArgs),
    /// Find one solution on a board of any size
    One(super::place::OneArgs),
    /// Compare the methods that find one solution
    Methods(super::place::MethodsArgs),
    /// Check solutions: valid, or which two queens attack each other
    Check(super::place::CheckArgs),
    /// Draw the search tree of a small board
    Tree(super::place::TreeArgs),
    /// Step through the backtracking
    Trace(super::place::TraceArgs),
    /// Estimate the number of solutions, and the time and memory that an exact count takes
    Estimate(EstimateArgs),
    /// Count randomly drawn subtrees exactly: what the whole board has and takes, with intervals
    Sample(SampleArgs),
    /// Count with every engine and kernel and compare their counts
    Verify(VerifyArgs),
    /// Show how far the run is that a journal belongs to
    Show(ShowArgs),
}

#[derive(Debug, Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Show how the textbook search prunes: nodes, attacked squares and dead ends of every rank,
    /// up to n = 14
    #[arg(short, long, conflicts_with_all = ["json", "quiet", "place", "block", "subtree"])]
    pub verbose: bool,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Count solutions up to rotation and reflection too; up to n = 14 that is told anyway
    #[arg(long)]
    pub fundamental: bool,

    /// Count the classes of solutions by their symmetry too
    #[arg(long)]
    pub symmetry_classes: bool,

    #[command(flatten)]
    pub journaling: JournalArgs,

    /// Count this subtree alone (its number, from 0, as `queens show --csv` lists it), of
    /// the engine that it was listed with
    #[arg(long, value_name = "ID", conflicts_with_all = ["journal", "resume", "fundamental", "symmetry_classes"])]
    pub subtree: Option<usize>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// How to count.
#[derive(Debug, Clone, Copy, Args)]
pub struct EngineArgs {
    /// How to count; auto takes the fastest engine for the board
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engines())]
    pub engine: OrAuto<Engine>,

    /// The instructions to count with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and
    /// its limits leave. With less than the fastest engine needs, auto takes another
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

impl EngineArgs {
    /// As the library takes it, but for the memory.
    pub fn settings(&self) -> Settings {
        Settings::new().engine(self.engine).kernel(self.kernel)
    }
}

/// Reads `auto` or the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let what = |engine| match engine {
        Engine::Halves => "Half boards joined; boards without --place and --block",
        Engine::Blocks => "Batches of nodes; any board",
        _ => "The plain recursion; boards without --place and --block",
    };
    choices(
        "auto".into(),
        Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(what(engine))),
    )
}

#[derive(Debug, Args)]
pub struct EstimateArgs {
    /// Board size, up to 1000; what a count takes is told up to 32
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    /// Random descents in all, for the number of solutions; at least 100
    #[arg(long, value_name = "K", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    pub probes: u32,

    /// The longest time to count drawn subtrees for, which tells what an exact count takes: too short
    /// for that from about n = 24 on
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub seconds: Duration,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Begins the sequence of random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct SampleArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Draw for this long: 30s, 10m, 2h. A subtree that has been begun is finished
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, conflicts_with = "subtrees")]
    pub seconds: Duration,

    /// Draw this many subtrees instead, an odd number rounded up, for they are drawn in pairs; an
    /// estimate takes 8 at least. The result then depends on the seed alone
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
pub struct VerifyArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The journal, whether its run still goes on or not
    pub journal: PathBuf,

    /// Print every subtotal: subtree,solutions,seconds
    #[arg(long)]
    pub csv: bool,
}
