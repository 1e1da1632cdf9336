//! `tallyboard sudoku draw` and `tallyboard sudoku tree`

use std::io::Read;
use std::path::Path;

use crate::draw;
use crate::sudoku::format::{Form, OnePuzzle, Wanted};
use crate::sudoku::trace::{Guess, blanks};
use crate::sudoku::{Grid, solve};
use anstyle::Style;
use anyhow::{Context, Error, Result, anyhow, ensure};

use crate::cli::args::Args;
use crate::cli::args::sudoku::{DrawArgs, TreeArgs};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{self, note, say};
use crate::cli::pictures;

/// Trees with more nodes than this are no picture to look at.
const MOST_NODES: usize = 600;

/// Draws the puzzle with its first solution, as text when no picture is asked for.
pub fn run(flags: &DrawArgs) -> Result<Ending> {
    io::ensure_apart([Path::new(&flags.puzzle)], flags.pictures.paths())?;
    let puzzle = read(&flags.puzzle)?;
    let answer = solve(&puzzle, 2);
    let solution = answer.first.as_ref();
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku(&puzzle, solution), &flags.pictures)?;
    } else {
        say(text(&puzzle, solution.unwrap_or(&puzzle)).trim_end())?;
    }
    match answer.count {
        0 => note("no solution: the puzzle is shown as it is"),
        1 => {}
        _ => note("more than one solution: the first is shown"),
    }
    Ok(if answer.count == 0 { Ending::Failed } else { Ending::Done })
}

/// Draws the tree, as text when no picture is asked for.
pub fn run_tree(flags: &TreeArgs, args: &Args) -> Result<Ending> {
    io::ensure_apart([Path::new(&flags.puzzle)], flags.pictures.paths())?;
    let puzzle = read(&flags.puzzle)?;
    ensure!(puzzle.clues() < 81, "the puzzle has no empty cell, so there is no tree");
    let cells = usize::from(flags.cells);
    let root = Guess::tree(&puzzle, cells, MOST_NODES).with_context(|| {
        format!(
            "the tree over {cells} cells has more than {MOST_NODES} nodes; try --cells {}",
            cells - 1
        )
    })?;
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku_tree(&puzzle, &root), &flags.pictures)?;
    } else {
        let cells: Vec<String> = blanks(&puzzle).take(flags.cells.into()).collect();
        print(&root, &cells, 0)?;
        if !args.quiet {
            say("r1c3 is the cell in row 1, column 3; * solved, x dead end")?;
        }
    }
    if solve(&puzzle, 1).count == 0 {
        note("no solution: every path ends");
        return Ok(Ending::Failed);
    }
    Ok(Ending::Done)
}

/// The puzzle that `text` is, or else the one in the file of that name.
fn read(text: &str) -> Result<Grid> {
    let error = match text.parse::<Grid>() {
        Ok(puzzle) => return Ok(puzzle),
        Err(error) => error,
    };
    let path = Path::new(text);
    if path != Path::new("-") && !path.exists() {
        let found = format!("found neither a puzzle ({error}) nor a file in '{text}'");
        return Err(Usage(found).into());
    }
    let mut bytes = Vec::new();
    io::open(path)?.read_to_end(&mut bytes)?;
    let form = Form::find(&bytes, &Wanted::default())?;
    let single = OnePuzzle::find(&form, &bytes);
    let grid = single.as_ref().and_then(OnePuzzle::nine).copied();
    grid.ok_or_else(|| no_single(&form, &bytes, &io::name(path), "one 9 × 9 puzzle"))
}

/// Why `text`, which is called `name`, is not what is `expected`.
pub fn no_single(form: &Form, text: &[u8], name: &str, expected: &str) -> Error {
    match OnePuzzle::first_bad(form, text) {
        Some(bad) => anyhow!("{name}:{}: {}", bad.line, bad.error),
        None => anyhow!("{name}: found no puzzle or several, or another size, expected {expected}"),
    }
}

fn print(guess: &Guess, cells: &[String], level: usize) -> Result<()> {
    for child in &guess.children {
        let mark = match child {
            Guess { solved: true, .. } => " *",
            Guess { dead: true, .. } => " x",
            _ => "",
        };
        let digit = child.digit.map_or(String::new(), |digit| digit.to_string());
        say(format_args!("{}{} = {digit}{mark}", "  ".repeat(level), cells[level]))?;
        print(child, cells, level + 1)?;
    }
    Ok(())
}

/// Nine lines, boxes set apart, the digits of `puzzle` bold where the terminal can.
fn text(puzzle: &Grid, shown: &Grid) -> String {
    let mut text = String::new();
    let bold = Style::new().bold();
    for (index, byte) in shown.to_bytes().into_iter().enumerate() {
        let cell = char::from(byte);
        text += &match puzzle.cells()[index] {
            0 => cell.to_string(),
            _ => format!("{bold}{cell}{bold:#}"),
        };
        text.push_str(match index + 1 {
            end if end % 27 == 0 => "\n\n",
            end if end % 9 == 0 => "\n",
            end if end % 3 == 0 => "  ",
            _ => " ",
        });
    }
    text
}
