//! `tallyboard cover …`

pub mod arguments;
mod count;
mod list;

use std::path::{Path, PathBuf};

use anyhow::Result;
use arguments::{EngineArgs, FileArgs, read_generators, read_symmetric};
use clap::builder::TypedValueParser;
use tallyboard_base::figures::grouped;
use tallyboard_cover::format::{Format, Input, write, write_symmetries};
use tallyboard_cover::picture::Grid;
use tallyboard_cover::{Count, CountError, Item, Kind, Settings};
use tallyboard_search::Problem;

use crate::counting::{SampleFlags, estimate, verify};
use crate::terminal::{
    Args, ExitStatus, Output, UsageError, ensure_apart, info, named, print_line, showing,
};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Count all covers
    Count(count::CountArgs),
    /// List covers, in an order that depends on the file alone
    List(list::ListArgs),
    /// Say what was read, what can never be chosen, and how it would be counted
    Explain {
        #[command(flatten)]
        file: FileArgs,
        #[command(flatten)]
        engine: EngineArgs,
    },
    /// Write the problem in another format
    Convert {
        #[command(flatten)]
        file: FileArgs,
        /// The format to write
        #[arg(long, value_name = "FORMAT", value_parser = formats())]
        to: Format,
        /// Write to this file; `-` is standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Estimate the count and its time from randomly drawn subtrees, which are counted exactly
    Estimate {
        #[command(flatten)]
        file: FileArgs,
        #[command(flatten)]
        engine: EngineArgs,
        #[command(flatten)]
        sampling: SampleFlags,
    },
    /// Count with every engine and kernel and compare their counts
    Verify {
        #[command(flatten)]
        file: FileArgs,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Reads the name of a format that can be written.
fn formats() -> impl TypedValueParser<Value = Format> {
    named(Format::WRITTEN.map(Format::name))
}

/// Runs one of the cover commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Count(flags) => count::run(flags, args),
        Command::List(flags) => list::run(flags, args),
        Command::Explain { file, engine } => explain(file, engine, args),
        Command::Convert { file, to, output } => convert(file, *to, output.as_deref(), args),
        Command::Estimate { file, engine, sampling } => {
            estimate::run(&engine.job(file)?, engine.memory, sampling, args)
        }
        Command::Verify { file, json } => {
            let engine = EngineArgs { engine: None, kernel: None, memory: None };
            verify::run(&engine.job(file)?, *json, args)
        }
    }
}

/// A modulus for plans of problems whose covers 128 bits cannot count.
const A_PRIME: u64 = 1_000_000_007;

/// Prints what was read, what can never be chosen, and how the problem would be counted.
fn explain(file: &FileArgs, engine: &EngineArgs, args: &Args) -> Result<ExitStatus> {
    let (input, group) = read_symmetric(file)?;
    let cover = input.cover();
    let secondary = cover.items().iter().filter(|item| item.kind() == Kind::Secondary).count();
    let primary = cover.items().len() - secondary;
    let settings = Settings::new().engine(engine.engine).kernel(engine.kernel);
    let mut lines = Vec::new();
    let planned =
        |settings| showing("planning the search", args.quiet, || Count::with(cover, settings));
    let count = match planned(settings)? {
        // The count may be known once the plan is made, but this is no count.
        Err(CountError::Overflow) => {
            lines.push(format!(
                "{:>14} 2^128 - 1 covers: --modulo M counts the remainder",
                "more than"
            ));
            planned(settings.modulo(A_PRIME))??
        }
        count => count?,
    };
    if let Some(group) = group {
        let source = match &input {
            Input::Puzzle(puzzle) => format!("of the drawn {} board", puzzle.grid()),
            Input::Cover(_) => "made by those that the file names".to_owned(),
        };
        lines.push(count_line(group.order(), ["symmetry", "symmetries"], &source));
    }
    let items = ["item", "items"];
    let options = ["option", "options"];
    let needed = if primary == 1 { "has to be covered" } else { "have to be covered" };
    lines.push(count_line(primary as u64, items, needed));
    lines.push(count_line(secondary as u64, items, "may be covered"));
    lines.push(count_line(cover.len() as u64, options, ""));
    let removed = count.removed() as u64;
    let why_removed = if removed == 1 {
        "that was taken out: no cover can have it"
    } else {
        "that were taken out: no cover can have them"
    };
    lines.push(count_line(removed, options, why_removed));
    lines.push(count_line(count.split().len() as u64, ["subtree", "subtrees"], ""));
    lines.push(format!("{:>14} engine: {}", count.engine(), count.reason()));
    lines.push(format!("{:>14} kernel", count.kernel()));
    lines.extend(input.remarks());
    lines.extend(input.warnings());
    lines.extend(count.remarks());
    print_line(lines.join("\n"))?;
    Ok(ExitStatus::Done)
}

/// A line that says how many of something there are: the number, the noun for one or for several, and a remark.
fn count_line(count: u64, [one, several]: [&str; 2], remark: &str) -> String {
    let noun = if count == 1 { one } else { several };
    format!("{:>14} {noun} {remark}", grouped(count)).trim_end().to_owned()
}

/// Writes the problem in another format, and says what of it that format cannot hold.
fn convert(file: &FileArgs, to: Format, output: Option<&Path>, args: &Args) -> Result<ExitStatus> {
    ensure_apart([&*file.file], output)?;
    let (input, symmetries) = read_generators(file)?;
    let cover = input.cover();
    let text = write(cover, to).map_err(UsageError::of)?;
    let symmetry_lines = match to {
        Format::Knuth => write_symmetries(cover, &symmetries),
        _ => None,
    };
    // The first symmetry of a drawn puzzle changes nothing.
    let is_symmetric = match input {
        Input::Puzzle(_) => symmetries.len() > 1,
        Input::Cover(_) => !symmetries.is_empty(),
    };
    let has_lost_symmetries = is_symmetric && symmetry_lines.is_none();
    Output::create(output)?.put(symmetry_lines.unwrap_or_default() + &text)?;
    let lost = losses(&input, has_lost_symmetries, to);
    if !lost.is_empty() {
        info(args, format_args!("lost in the {to} format: {}", lost.join(", ")));
    }
    Ok(ExitStatus::Done)
}

/// What a file in the format `to` lacks of `input`.
fn losses(input: &Input, has_lost_symmetries: bool, to: Format) -> Vec<String> {
    let mut lost = Vec::new();
    if let Input::Puzzle(puzzle) = input {
        lost.push(match puzzle.grid() {
            Grid::Square | Grid::Cube => "the drawing".to_owned(),
            grid => format!("the drawing and its {grid} grid"),
        });
    }
    if has_lost_symmetries {
        lost.push("the symmetries".to_owned());
    }
    // Formats besides these two number the items from 1, or have none.
    let is_number = |(item, number): (&Item, usize)| item.name() == number.to_string();
    if !matches!(to, Format::Knuth | Format::Brackets)
        && !input.cover().items().iter().zip(1..).all(is_number)
    {
        lost.push("the names of the items".to_owned());
    }
    lost
}
