//! `tallyboard sudoku trace` and `explain`: the steps of the search, and those of a person who reasons.

use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::{Context, Result, bail};
use tallyboard_base::figures::counted;
use tallyboard_classroom::explain::{
    Conclusion, Deduction, ExplainError, Explanation, Step, sentence,
};
use tallyboard_classroom::play::{self, Page};
use tallyboard_classroom::trace::sudoku::{Blanks, Entry};
use tallyboard_search::{Error, Stop};
use tallyboard_sudoku::sized::SizedGrid;
use tallyboard_sudoku::{Cell, Grid};

use super::draw::{lines, read_nine, report_unsolvable, text};
use crate::commands::trace::{self, DEFAULT_PAGE_STEPS, TraceFlags};
use crate::terminal::{
    Args, ExitStatus, UsageError, ensure_apart, eprint_line, file_to_write, print_line,
};

#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    #[command(flatten)]
    pub trace: TraceFlags,
}

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    /// Show the next deduction only
    #[arg(long, conflicts_with = "html")]
    pub hint: bool,

    /// Explain only why this cell must be what it is: r4c5 is in row 4, column 5
    #[arg(long, value_name = "CELL")]
    pub cell: Option<Cell>,

    /// Write a page that plays the deductions, and the search, in a browser. It is one file, which needs
    /// no network
    #[arg(long, value_name = "FILE", value_parser = file_to_write())]
    pub html: Option<PathBuf>,
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
            trace::save_page(&Page::new("A sudoku, searched step by step", plays), file, args)?;
        }
        None => {
            let picture = |made: &[Entry]| picture(&puzzle, made);
            let search = Blanks::new(&puzzle);
            trace::print(search, &flags.trace, picture, args)?
        }
    }
    Ok(report_unsolvable(&puzzle))
}

/// Prints the deductions, or writes a page that plays them.
pub fn run_explain(flags: &ExplainArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart([Path::new(&flags.puzzle)], flags.html.as_deref())?;
    let puzzle = read_nine(&flags.puzzle)?;
    let explanation = explanation(&puzzle, flags.cell)?;
    if let Some(file) = &flags.html {
        let title = match flags.cell {
            Some(cell) => format!("Why {cell} is {}", last_digit(&explanation)),
            None => "A sudoku, reason by reason".to_owned(),
        };
        let plays = vec![play::reasons(&explanation), play::sudoku(&puzzle, DEFAULT_PAGE_STEPS)];
        trace::save_page(&Page::new(title, plays), file, args)?;
    } else if flags.hint {
        print_line(hint(&explanation))?;
    } else {
        print_steps(&explanation)?;
        if !args.quiet && flags.cell.is_none() {
            print_line(summary(&explanation))?;
        }
    }
    if explanation.counts().solutions == 0 && flags.cell.is_none() {
        eprint_line("no solution: the deductions end in a contradiction");
        return Ok(ExitStatus::Failed);
    }
    Ok(ExitStatus::Done)
}

/// The explanation of a puzzle, or of one of its cells.
fn explanation(puzzle: &Grid, cell: Option<Cell>) -> Result<Explanation> {
    let explanation = Explanation::of(puzzle)?;
    if explanation.counts().solutions > 0 {
        let filled = explanation.filled();
        Error::ensure_right(puzzle.is_solved_by(&filled), || filled.to_string())?;
    }
    let Some(cell) = cell else { return Ok(explanation) };
    let given = puzzle.cells()[cell.index()];
    if given != 0 {
        bail!(UsageError(format!("{cell} is given, it is {given}: expected an empty cell")));
    }
    explanation.why(cell).context("the puzzle has no solution, so no digit follows from it")
}

/// The digit of the cell that the explanation fills last.
fn last_digit(explanation: &Explanation) -> u8 {
    let last = explanation.steps().iter().rev().find_map(|step| match step {
        Step::Made(deduction) => deduction.conclusion.filled(),
        _ => None,
    });
    last.map_or(0, |entry| entry.digit)
}

/// The next deduction, as text.
fn hint(explanation: &Explanation) -> String {
    let steps = explanation.steps();
    match explanation.hint() {
        Some(Step::Made(Deduction {
            conclusion: Conclusion::Refutation(Entry { cell, digit }),
            because,
        })) => {
            // The last reason is the step that takes the supposition back. No deduction comes before the supposition, so all
            // steps before that one lead to the contradiction.
            let step_back = because.last().and_then(|fact| fact.step).unwrap_or(1);
            let length = counted(step_back as u64 - 1, "step");
            format!(
                "{cell} cannot be {digit}: supposing it leads to a contradiction in {length}, which \
                 are told without --hint"
            )
        }
        Some(step) => sentence(step),
        // Without a deduction, the first step says how the puzzle ends.
        None => sentence(&steps[0]),
    }
}

/// Prints the numbered steps, those inside a supposition indented, and the solution.
fn print_steps(explanation: &Explanation) -> Result<()> {
    let steps = explanation.steps();
    let width = steps.len().to_string().len();
    for (number, (step, depth)) in (1..).zip(steps.iter().zip(explanation.depths())) {
        print_line(format_args!("{number:>width$}. {}{}", "  ".repeat(depth), sentence(step)))?;
    }
    if explanation.counts().solutions > 0 {
        let puzzle = SizedGrid::from(explanation.puzzle());
        let (_, solution) = puzzle.solve(1, &Stop::new())?;
        print_line(format_args!("\n{}\n", text(&puzzle, solution.as_ref())))?;
    }
    Ok(())
}

/// The number of steps of each kind, as text. A refutation belongs to its supposition.
fn summary(explanation: &Explanation) -> String {
    let [mut naked, mut hidden, mut locked, mut supposed] = [0_u64; 4];
    for step in explanation.steps() {
        let Step::Made(deduction) = step else { continue };
        match deduction.conclusion {
            Conclusion::NakedSingle(_) => naked += 1,
            Conclusion::HiddenSingle(..) => hidden += 1,
            Conclusion::LockedCandidates { .. } => locked += 1,
            Conclusion::Supposition(_) => supposed += 1,
            Conclusion::Refutation(_) => {}
        }
    }
    let kinds = [
        (naked, "naked single"),
        (hidden, "hidden single"),
        (locked, "locked candidate"),
        (supposed, "failed supposition"),
    ];
    let found = kinds.into_iter().filter(|(count, _)| *count > 0);
    let found: Vec<String> = found.map(|(count, name)| counted(count, name)).collect();
    let steps = counted(explanation.steps().len() as u64, "step");
    if found.is_empty() { steps } else { format!("{steps}: {}", found.join(", ")) }
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
