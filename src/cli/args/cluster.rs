//! Flags of `tallyboard cluster`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use queens::Engine;

use super::queens::engines;
use super::shared::{BoardArgs, OrAuto, duration};

/// The commands of every program; `P` has the arguments of `plan`.
#[derive(Debug, Subcommand)]
pub enum Command<P: Args> {
    /// Split a job into shards that cost about the same
    Plan(P),
    #[command(flatten)]
    OfPlan(OfPlan),
}

/// The commands that take a plan.
#[derive(Debug, Subcommand)]
pub enum OfPlan {
    /// Do one shard of a plan on all cores; exit code 0: done, 75: interrupted, start it again, 42: will
    /// never succeed
    Run(RunArgs),
    /// Join the results of all shards
    Merge(MergeArgs),
    /// Show which shards are done, the progress of the others, and how much time is left
    Status(StatusArgs),
    /// Count some subtrees of a finished plan again by another method, and say what that proves
    Audit(AuditArgs),
    /// Put all subtotals of a count into a folder, to be published
    Bundle(BundleArgs),
    /// Check a bundle: complete, each subtree once, sums right, a sum that a count can have
    Check(CheckArgs),
    /// Write a Slurm job array for a plan
    Slurm(SlurmArgs),
    /// Write a HyperQueue submission for a plan
    Hq(SubmitArgs),
    /// Write a Kubernetes Indexed Job for a plan
    K8s(KubernetesArgs),
}

/// The arguments of `tallyboard cluster plan`.
#[derive(Debug, Args)]
pub struct PlanFlags {
    #[command(subcommand)]
    pub command: PlanCommand,
}

#[derive(Debug, Subcommand)]
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
    /// Solve a file of sudokus, one a line, each shard a range of its bytes
    Sudoku {
        /// The puzzles, at a path that all machines share
        file: PathBuf,
        /// Stop counting a puzzle's solutions here
        #[arg(long, default_value_t = 2, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
        limit: u64,
        #[command(flatten)]
        planning: PlanArgs,
    },
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The number of shards, usually some hundreds, each a job for a scheduler
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub shards: u32,

    /// The plan; `-` is standard output
    #[arg(short, long, value_name = "PLAN")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The plan
    pub plan: PathBuf,

    /// Which shard, from 0
    #[arg(long, value_name = "I")]
    pub shard: usize,

    /// The folder for results and journals
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results
    pub results: PathBuf,

    /// Print only the shards without a result, in the form that schedulers take (`0,3-5`)
    #[arg(long)]
    pub missing: bool,

    /// Count this many subtrees again, drawn at random, with the simplest kernel, and compare
    #[arg(long, value_name = "N", conflicts_with = "missing", value_parser = clap::value_parser!(u32).range(1..))]
    pub recount: Option<u32>,

    /// Where the joined rows of a sudoku plan go; standard output by default
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Print one JSON document (counts only)
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results and journals
    pub results: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results
    pub results: PathBuf,

    #[command(flatten)]
    pub draw: DrawArgs,
}

/// Which subtrees are counted again.
#[derive(Debug, Args)]
pub struct DrawArgs {
    /// The share of all subtrees to draw with equal chance, from 0 to 1; an audit draws at least one. As many
    /// again are drawn with chances proportional to their solutions
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = share)]
    pub share: f64,

    /// Begin no further subtrees after this long: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub seconds: Option<Duration>,

    /// If a subtree has more solutions than this, recount only a piece of it that has no more. One core
    /// recounts some ten million solutions a second
    #[arg(long, value_name = "SOLUTIONS", default_value_t = 500_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub piece: u64,

    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BundleArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results
    pub results: PathBuf,

    /// The folder to make
    #[arg(short, long, value_name = "BUNDLE")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The folder that `cluster bundle` made
    pub bundle: PathBuf,

    #[command(flatten)]
    pub draw: DrawArgs,
}

/// The arguments of every scheduler's command.
#[derive(Debug, Args)]
pub struct SubmitArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder for results, on a path that all machines share
    #[arg(long, default_value = "results", value_name = "FOLDER")]
    pub results: PathBuf,

    /// Cores for each shard
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: u32,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SlurmArgs {
    #[command(flatten)]
    pub submission: SubmitArgs,

    /// Time limit of a shard; one that reaches it is queued again and continues where it stopped
    #[arg(long, default_value = "24:00:00", value_parser = word)]
    pub time: String,

    /// Partition
    #[arg(long, value_parser = word)]
    pub partition: Option<String>,

    /// Memory for each shard, as Slurm takes it (`4G`); the plan's forecast by default
    #[arg(long, value_parser = word)]
    pub mem: Option<String>,
}

#[derive(Debug, Args)]
pub struct KubernetesArgs {
    #[command(flatten)]
    pub submission: SubmitArgs,

    /// A container image with tallyboard on its PATH
    #[arg(long, value_parser = word)]
    pub image: String,

    /// The claim of the volume that holds plan and results, mounted at /work
    #[arg(long, default_value = "tallyboard", value_parser = word)]
    pub claim: String,

    /// Pods at a time
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub parallelism: u32,
}

/// Reads a share, a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("found '{text}', expected a number from 0 to 1"))
}

/// Reads a value that is put into a script or manifest without quotes.
fn word(text: &str) -> Result<String, String> {
    let fine = |letter: char| letter.is_ascii_alphanumeric() || "-_.,:/@+".contains(letter);
    match text.chars().find(|&letter| !fine(letter)) {
        None if !text.is_empty() => Ok(text.to_owned()),
        None => Err("found nothing, expected a word".to_owned()),
        Some(letter) => Err(format!("found {letter:?}, expected letters, digits and -_.,:/@+")),
    }
}
