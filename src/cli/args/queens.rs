//! Flags of `tallyboard queens`.

use std::time::Duration;

use base::Kernel;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, Subcommand};
use queens::Engine;

use super::shared::{BoardArgs, OrAuto, SquareArgs, bytes, choices, duration, kernels};
use crate::cli::queens::job::Queens;
use crate::program;

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
    /// Count randomly drawn subtrees exactly, and estimate the whole count and its time from them
    Sample(SampleArgs),
    /// Count with every engine and kernel and compare their counts
    Verify(VerifyArgs),
    /// Show the progress of a count from its journal
    Show(program::show::ShowArgs),
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

    /// Count solutions up to rotation and reflection too; up to n = 14 they are counted anyway
    #[arg(long, conflicts_with = "subtree")]
    pub fundamental: bool,

    /// Count the classes of solutions by their symmetry too
    #[arg(long, conflicts_with = "subtree")]
    pub symmetry_classes: bool,

    #[command(flatten)]
    pub counting: program::count::CountFlags,
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

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and its
    /// limits leave. If the fastest engine needs more, auto takes another
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

impl EngineArgs {
    /// The count of a board by this engine and kernel.
    pub fn job(&self, n: u32, squares: &SquareArgs) -> Queens {
        let mut job = Queens::new(n, &squares.place, &squares.block);
        (job.engine, job.kernel) = (self.engine.map(|engine| engine.to_string()), self.kernel);
        job
    }
}

/// Reads `auto` or the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let what = |engine| match engine {
        Engine::Halves => "Half boards joined; boards without --place and --block",
        Engine::Blocks => "Batches of nodes; any board",
        _ => "The textbook recursion; boards without --place and --block",
    };
    choices(
        "auto".into(),
        Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(what(engine))),
    )
}

#[derive(Debug, Args)]
pub struct EstimateArgs {
    /// Board size, up to 1000; the time and memory of a count are estimated up to 32
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    /// Random descents in all, for the number of solutions; at least 100
    #[arg(long, value_name = "K", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    pub probes: u32,

    /// The longest time to count drawn subtrees, from which the time of an exact count is estimated; ten
    /// seconds are too short for that from about n = 24 on
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub seconds: Duration,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Seed of the random numbers
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

    #[command(flatten)]
    pub sampling: program::sample::SampleFlags,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
