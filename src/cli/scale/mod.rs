//! `tallyboard scale …`

mod compare;
mod plan;
mod queens;
mod sudoku;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use tallyboard::scale::report::{Report, csv, extrap, html, pictures, table};

use super::args::Args;
use super::args::scale::{self as args, Command};
use super::ending::Ending;
use super::io::Output;

/// Measures one of the jobs, or compares two measurements.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Queens { n, measuring } => {
            write(&queens::measure(*n, measuring, args)?, &measuring.report)?;
        }
        Command::Sudoku { file, measuring } => {
            write(&sudoku::measure(file, measuring, args)?, &measuring.report)?;
        }
        Command::Compare(command) => compare::run(command)?,
    }
    Ok(Ending::Done)
}

/// Writes the report in every form asked for; the pages first, so that a closed pipe on standard
/// output loses none.
fn write(report: &Report, forms: &args::Report) -> Result<()> {
    if let Some(file) = &forms.html {
        put(Some(file), &html::render(report))?;
    }
    if let Some(file) = &forms.svg {
        put(Some(file), &pictures::speedup(report).standalone())?;
    }
    let text = if forms.json {
        report.to_json()? + "\n"
    } else if forms.csv {
        csv::render(report)
    } else if forms.extra_p {
        extrap::render(report)
    } else {
        table::render(report)
    };
    put(forms.output.as_deref(), &text)
}

/// Writes `text` to `file`, or to standard output.
fn put(file: Option<&Path>, text: &str) -> Result<()> {
    let mut output = Output::create(file)?;
    output.write_all(text.as_bytes()).context("cannot write the report")?;
    output.finish()
}
