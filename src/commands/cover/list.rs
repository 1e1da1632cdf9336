//! `tallyboard cover list`

use std::io::Write;

use anyhow::Result;
use cover::Solutions;
use cover::format::Input;

use super::job::{FileArgs, read};
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::io::Output;

#[derive(Debug, clap::Args)]
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

/// Prints covers: a drawn puzzle as its board, other problems as the options of each.
pub fn run(flags: &ListArgs) -> Result<ExitStatus> {
    let input = read(&flags.file.file)?;
    let limit =
        flags.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let mut output = Output::create(None)?;
    for (number, solution) in Solutions::new(input.cover()).take(limit).enumerate() {
        let options = || solution.iter().map(|&option| input.cover().option_text(option as usize));
        if flags.json {
            let options: Vec<String> = options().collect();
            writeln!(output, "{}", serde_json::to_string(&options)?)?;
            continue;
        }
        if number > 0 {
            writeln!(output)?;
        }
        match &input {
            Input::Puzzle(puzzle) => output.write_all(puzzle.draw(&solution).as_bytes())?,
            Input::Cover(_) => {
                for option in options() {
                    writeln!(output, "{option}")?;
                }
            }
        }
    }
    output.finish()?;
    Ok(ExitStatus::Done)
}
