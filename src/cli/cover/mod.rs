//! `tallyboard cover …`

mod count;
pub mod job;
mod list;

use anyhow::Result;
use base::figures::grouped;
use cover::format::{Input, write};
use cover::{Count, Kind, Settings};
use search::Problem;

use super::args::Args;
use super::args::cover::{Command, ConvertArgs, EngineArgs, ExplainArgs};
use super::ending::{Ending, Usage};
use super::io::{Output, say};
use crate::program::{self, Counting};
use job::{CoverFile, read};

/// Runs one of the cover commands.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Count(flags) => count::run(flags, args),
        Command::List(flags) => list::run(flags),
        Command::Explain(flags) => explain(flags),
        Command::Convert(flags) => convert(flags),
        Command::Sample(flags) => {
            let job = flags.engine.job(&flags.file);
            program::sample::run(&job, flags.engine.memory, &flags.sampling, args)
        }
        Command::Verify(flags) => {
            let engine = EngineArgs { engine: None, kernel: None, memory: None };
            program::verify::run(&engine.job(&flags.file), flags.json, args)
        }
        Command::Show(flags) => program::show::run(flags, CoverFile::NOUN),
    }
}

fn explain(flags: &ExplainArgs) -> Result<Ending> {
    let input = read(&flags.file.file)?;
    let cover = input.cover();
    let secondary = cover.items().iter().filter(|item| item.kind() == Kind::Secondary).count();
    let settings = Settings::new().engine(flags.engine.engine).kernel(flags.engine.kernel);
    let count = Count::with(cover, settings)?;
    let mut lines = Vec::new();
    if let Input::Puzzle(puzzle) = &input {
        let symmetries = puzzle.symmetries().len();
        lines.push(format!("{:>14} symmetries of the drawn {} board", symmetries, puzzle.grid()));
    }
    let primary = cover.items().len() - secondary;
    let removed = count.removed() as u64;
    lines.push(format!("{:>14} items have to be covered", grouped(primary as u64)));
    lines.push(format!("{:>14} items may be covered", grouped(secondary as u64)));
    lines.push(format!("{:>14} options", grouped(cover.len() as u64)));
    lines.push(format!(
        "{:>14} options that were taken out: no cover can have them",
        grouped(removed)
    ));
    lines.push(format!("{:>14} subtrees", grouped(count.split().len() as u64)));
    lines.push(format!("{:>14} engine: {}", count.engine(), count.reason()));
    lines.push(format!("{:>14} kernel", count.kernel()));
    say(lines.join("\n"))?;
    Ok(Ending::Done)
}

fn convert(flags: &ConvertArgs) -> Result<Ending> {
    let input = read(&flags.file.file)?;
    let text = write(input.cover(), flags.to).map_err(|error| Usage(error.to_string()))?;
    Output::create(flags.output.as_deref())?.put(text)?;
    Ok(Ending::Done)
}
