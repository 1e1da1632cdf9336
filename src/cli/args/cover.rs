//! Flags of `tallyboard cover`.

use std::path::PathBuf;

use base::Kernel;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, Subcommand};
use cover::Engine;
use cover::format::Format;

use super::shared::{OrAuto, bytes, choices, kernels};
use crate::cli::cover::job::CoverFile;
use crate::program;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all covers
    Count(CountArgs),
    /// List covers, in an order that depends on the file alone
    List(ListArgs),
    /// Say what was read, what can never be chosen, and how it would be counted
    Explain(ExplainArgs),
    /// Write the problem in another format
    Convert(ConvertArgs),
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
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Count covers up to the symmetries of the board too; for drawn puzzles
    #[arg(long, conflicts_with = "subtree")]
    pub fundamental: bool,

    #[command(flatten)]
    pub counting: program::count::CountFlags,
}

/// The problem.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// The problem: a drawn puzzle, or options in Knuth's format, .ec or a matrix of 0 and 1; `-` is
    /// standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// How to count.
#[derive(Debug, Clone, Copy, Args)]
pub struct EngineArgs {
    /// How to count; auto takes the fastest engine for the problem
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engines())]
    pub engine: OrAuto<Engine>,

    /// The instructions to count with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and its
    /// limits leave
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

impl EngineArgs {
    /// The count of a file by this engine and kernel.
    pub fn job(&self, file: &FileArgs) -> CoverFile {
        let engine = self.engine.map(|engine| engine.to_string());
        CoverFile { file: file.file.clone(), engine, kernel: self.kernel }
    }
}

/// Reads `auto` or the name of an engine.
fn engines() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let what = |engine| match engine {
        Engine::Masks => "A search over masks; up to 512 bits, no multiplicities",
        Engine::Frontier => "Items in a fixed order, equal states merged; as for masks",
        Engine::Sets => "A search over sets of options; any problem",
    };
    choices(
        "auto".into(),
        Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(what(engine))),
    )
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// List no more than this many
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    /// Print a JSON document a line: the options of a cover
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub to: Format,

    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Reads the name of a format that can be written.
fn formats() -> impl TypedValueParser<Value = Format> {
    let written = Format::ALL.into_iter().filter(|&format| format != Format::Picture);
    clap::builder::PossibleValuesParser::new(written.map(Format::name))
        .try_map(|name| name.parse::<Format>())
}

#[derive(Debug, Args)]
pub struct SampleArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub sampling: program::sample::SampleFlags,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
