//! `tallyboard cover …`

mod count;
mod draw;
pub mod job;
mod list;

use std::path::PathBuf;

use anyhow::Result;
use base::figures::grouped;
use clap::builder::TypedValueParser;
use cover::format::{Format, Input, write, write_symmetries};
use cover::picture::Grid;
use cover::{Count, Item, Kind, Settings};
use job::{EngineArgs, FileArgs, read_generators, read_symmetric};
use search::Problem;

use crate::commands::noun_of;
use crate::counting::sample::{self, SampleFlags};
use crate::counting::show::{self, ShowArgs};
use crate::counting::verify;
use crate::terminal::args::Args;
use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::io::{Output, ensure_apart};
use crate::terminal::print::{info, print_line};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Count all covers
    Count(count::CountArgs),
    /// List covers, in an order that depends on the file alone
    List(list::ListArgs),
    /// Say what was read, what can never be chosen, and how it would be counted
    Explain(ExplainArgs),
    /// Write the problem in another format
    Convert(ConvertArgs),
    /// Count randomly drawn subtrees exactly, and estimate the whole count and its time from them
    #[command(visible_alias = "estimate")]
    Sample(SampleArgs),
    /// Count with every engine and kernel and compare their counts
    Verify(VerifyArgs),
    /// Show the progress of a count from its journal
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Debug, clap::Args)]
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

#[derive(Debug, clap::Args)]
pub struct SampleArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub sampling: SampleFlags,
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Runs one of the cover commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Count(flags) => count::run(flags, args),
        Command::List(flags) => list::run(flags, args),
        Command::Explain(flags) => explain(flags),
        Command::Convert(flags) => convert(flags, args),
        Command::Sample(flags) => {
            let job = flags.engine.job(&flags.file)?;
            sample::run(&job, flags.engine.memory, &flags.sampling, args)
        }
        Command::Verify(flags) => {
            let engine = EngineArgs { engine: None, kernel: None, memory: None };
            verify::run(&engine.job(&flags.file)?, flags.json, args)
        }
        Command::Show(flags) => show::run(flags, noun_of),
    }
}

fn explain(flags: &ExplainArgs) -> Result<ExitStatus> {
    let (input, group) = read_symmetric(&flags.file.file)?;
    let cover = input.cover();
    let secondary = cover.items().iter().filter(|item| item.kind() == Kind::Secondary).count();
    let settings = Settings::new().engine(flags.engine.engine).kernel(flags.engine.kernel);
    let count = Count::with(cover, settings)?;
    let mut lines = Vec::new();
    if let Some(group) = group {
        let whose = match &input {
            Input::Puzzle(puzzle) => format!("of the drawn {} board", puzzle.grid()),
            Input::Cover(_) => "made by those that the file names".to_owned(),
        };
        lines.push(figure(group.order(), ["symmetry", "symmetries"], &whose));
    }
    let items = ["item", "items"];
    let options = ["option", "options"];
    let primary = cover.items().len() - secondary;
    let needed = if primary == 1 { "has to be covered" } else { "have to be covered" };
    lines.push(figure(primary as u64, items, needed));
    lines.push(figure(secondary as u64, items, "may be covered"));
    lines.push(figure(cover.len() as u64, options, ""));
    let removed = count.removed() as u64;
    let taken_out = if removed == 1 {
        "that was taken out: no cover can have it"
    } else {
        "that were taken out: no cover can have them"
    };
    lines.push(figure(removed, options, taken_out));
    lines.push(figure(count.split().len() as u64, ["subtree", "subtrees"], ""));
    lines.push(format!("{:>14} engine: {}", count.engine(), count.reason()));
    lines.push(format!("{:>14} kernel", count.kernel()));
    lines.extend(input.remarks());
    print_line(lines.join("\n"))?;
    Ok(ExitStatus::Done)
}

/// A line that says how many of something there are.
fn figure(count: u64, [one, many]: [&str; 2], what: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{:>14} {noun} {what}", grouped(count)).trim_end().to_owned()
}

fn convert(flags: &ConvertArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart([&*flags.file.file], flags.output.as_deref())?;
    let (input, symmetries) = read_generators(&flags.file.file)?;
    let cover = input.cover();
    let text = write(cover, flags.to).map_err(|error| UsageError(error.to_string()))?;
    let lines = match flags.to {
        Format::Knuth => write_symmetries(cover, &symmetries),
        _ => None,
    };
    let mut lost = Vec::new();
    // The first symmetry of a drawn puzzle changes nothing.
    let mut symmetries = &*symmetries;
    if let Input::Puzzle(puzzle) = &input {
        lost.push(match puzzle.grid() {
            Grid::Square | Grid::Cube => "the drawing".to_owned(),
            grid => format!("the drawing and its {grid} grid"),
        });
        symmetries = symmetries.get(1..).unwrap_or_default();
    }
    if lines.is_none() && !symmetries.is_empty() {
        lost.push("the symmetries".to_owned());
    }
    let is_number = |(item, number): (&Item, usize)| item.name() == number.to_string();
    if flags.to != Format::Knuth && !cover.items().iter().zip(1..).all(is_number) {
        lost.push("the names of the items".to_owned());
    }
    Output::create(flags.output.as_deref())?.put(lines.unwrap_or_default() + &text)?;
    if !lost.is_empty() {
        info(args, format_args!("lost in the {} format: {}", flags.to, lost.join(", ")));
    }
    Ok(ExitStatus::Done)
}
