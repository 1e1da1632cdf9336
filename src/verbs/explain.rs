//! `explain`: the solution step by step, as a person reasons.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tallyboard_classroom::play::Page;

use super::{Source, Verb};
use crate::games::{Explanation, FileArgs};
use crate::terminal::{
    Args, ExitStatus, Output, ensure_apart, eprint_line, file_to_write, info, print_line,
};

#[derive(Debug, clap::Args)]
pub struct Explain {
    #[command(flatten)]
    file: FileArgs,

    /// Show the next step only
    #[arg(long, conflicts_with_all = ["html", "json"])]
    hint: bool,

    /// Explain only why this cell must be what it is: r4c5 is in row 4, column 5 (sudokus and variants)
    #[arg(long, value_name = "CELL")]
    cell: Option<String>,

    /// Print JSON instead of sentences: a document a step and one for the end, or one for all (regions)
    #[arg(long)]
    json: bool,

    /// Write a page that plays the steps, and the search, in a browser (sudokus). It is one file, which needs
    /// no network
    #[arg(long, value_name = "FILE", value_parser = file_to_write(), conflicts_with = "json")]
    html: Option<PathBuf>,
}

impl Verb for Explain {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain the solution by the steps that people use";
    const EXAMPLE: &'static str =
        "tallyboard explain killer.txt                          # step by step, as people solve\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_apart([&*self.file.file], self.html.as_deref())?;
        let puzzle = source.read(args)?;
        let cell = self.cell.as_deref();
        let explanation = puzzle.explain(cell)?;
        if let Some(file) = &self.html {
            save_page(&puzzle.lesson(cell)?, file, args)?;
        } else if self.json {
            explanation.json.iter().try_for_each(print_line)?;
        } else if self.hint {
            print_line(&explanation.hint)?;
        } else {
            print_steps(&explanation, args)?;
        }
        if let Some(failure) = explanation.failure {
            eprint_line(failure);
            return Ok(ExitStatus::Failed);
        }
        Ok(ExitStatus::Done)
    }
}

/// Prints the numbered steps, those under a supposition indented, and how they end.
fn print_steps(explanation: &Explanation, args: &Args) -> Result<()> {
    let width = explanation.steps.len().to_string().len();
    for (number, (depth, text)) in (1..).zip(&explanation.steps) {
        print_line(format_args!("{number:>width$}. {}{text}", "  ".repeat(*depth)))?;
    }
    explanation.end.iter().try_for_each(print_line)?;
    match &explanation.summary {
        Some(summary) if !args.quiet => print_line(summary),
        _ => Ok(()),
    }
}

/// Writes a page, and prints its notes.
pub fn save_page(page: &Page, file: &Path, args: &Args) -> Result<()> {
    Output::create(Some(file))?.put(page.html())?;
    for note in page.notes() {
        info(args, note);
    }
    info(args, format_args!("Open {} in a browser to play it.", file.display()));
    Ok(())
}
