//! `tallyboard sudoku trace`: the steps of the search.

use std::path::Path;

use anstyle::Style;
use anyhow::{Result, bail};
use tallyboard_classroom::explain::{ExplainError, Explanation};
use tallyboard_classroom::play::{self, Page};
use tallyboard_classroom::trace::sudoku::{Blanks, Entry};
use tallyboard_sudoku::Grid;
use tallyboard_sudoku::sized::SizedGrid;

use super::tree::report_unsolvable;
use crate::commands::trace::{self, TraceFlags};
use crate::games::sudoku::{lines, read_nine};
use crate::terminal::{Args, ExitStatus, ensure_apart};
use crate::verbs::explain::save_page;

#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    #[command(flatten)]
    pub trace: TraceFlags,
}

/// Prints the search, or writes a page that plays it.
pub fn run(flags: &TraceArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart([Path::new(&flags.puzzle)], flags.trace.html.as_deref())?;
    let puzzle = read_nine(&flags.puzzle)?;
    if let Some(clash) = ExplainError::clash(&puzzle) {
        bail!(clash);
    }
    match &flags.trace.html {
        Some(file) => {
            let mut plays = vec![play::sudoku(&puzzle, flags.trace.page_steps())];
            // A puzzle with several solutions has a search but no explanation.
            plays.extend(Explanation::of(&puzzle).ok().as_ref().map(play::reasons));
            save_page(&Page::new("A sudoku, searched step by step", plays), file, args)?;
        }
        None => {
            let picture = |made: &[Entry]| picture(&puzzle, made);
            let search = Blanks::new(&puzzle);
            trace::print(search, &flags.trace, picture, args)?
        }
    }
    Ok(report_unsolvable(&puzzle))
}

/// The puzzle with the entries `made` filled in, as text.
fn picture(puzzle: &Grid, made: &[Entry]) -> Vec<u8> {
    let mut cells = *puzzle.cells();
    for entry in made {
        cells[entry.cell.index()] = entry.digit;
    }
    let shown = SizedGrid::from(&Grid::new(cells).expect("digits from 1 to 9"));
    // Givens look like entries, so no style sets them off. A digit is one character wide.
    let given_style = Style::new();
    let width = 1;
    (lines(&shown, &shown, width, given_style).join("\n") + "\n").into()
}
