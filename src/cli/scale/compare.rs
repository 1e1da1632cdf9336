//! `tallyboard scale compare A.json B.json`

use std::path::Path;

use anyhow::{Context, Result};
use tallyboard::scale::compare::Comparison;
use tallyboard::scale::report::Report;

use crate::cli::args::scale::Compare;
use crate::cli::io;

/// Prints the comparison.
pub fn run(command: &Compare) -> Result<()> {
    let comparison = Comparison::of(&read(&command.first)?, &read(&command.second)?);
    let text = if command.json {
        serde_json::to_string_pretty(&comparison)? + "\n"
    } else {
        comparison.table((&io::name(&command.first), &io::name(&command.second)))
    };
    super::print(None, &text)
}

fn read(path: &Path) -> Result<Report> {
    let name = io::name(path);
    let text =
        std::io::read_to_string(io::open(path)?).with_context(|| format!("cannot read {name}"))?;
    Report::from_json(&text)
        .with_context(|| format!("{name} is no measurement: expected what `scale … --json` prints"))
}
