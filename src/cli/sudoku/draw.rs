//! `tallyboard sudoku draw` and `tallyboard sudoku tree`

use anyhow::{Result, ensure};
use tallyboard::draw;
use tallyboard::sudoku::trace::Guess;
use tallyboard::sudoku::{Grid, solve};

use crate::cli::args::sudoku::{Draw, Tree};
use crate::cli::ending::Ending;
use crate::cli::io::{note, say};
use crate::cli::pictures;

/// Trees with more nodes than this are no picture to look at.
const MOST_NODES: usize = 600;

/// Draws the puzzle with its first solution, as text when no picture is asked for.
pub fn run(flags: &Draw) -> Result<Ending> {
    let answer = solve(&flags.puzzle, 2);
    let solution = answer.first.as_ref();
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku(&flags.puzzle, solution), &flags.pictures)?;
    } else {
        say(text(solution.unwrap_or(&flags.puzzle)).trim_end())?;
    }
    match answer.count {
        0 => note("no solution: the puzzle is shown as it is"),
        1 => {}
        _ => note("more than one solution: the first is shown"),
    }
    Ok(if answer.count == 0 { Ending::Failed } else { Ending::Done })
}

/// Draws the tree, as text when no picture is asked for.
pub fn run_tree(flags: &Tree) -> Result<Ending> {
    let root = Guess::tree(&flags.puzzle, flags.cells.into());
    let nodes = root.size();
    ensure!(nodes <= MOST_NODES, "the tree has {nodes} nodes, more than {MOST_NODES}; try --cells");
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku_tree(&root), &flags.pictures)?;
    } else {
        print(&root, 0)?;
    }
    Ok(Ending::Done)
}

fn print(guess: &Guess, level: usize) -> Result<()> {
    for child in &guess.children {
        let mark = match child {
            Guess { solved: true, .. } => " *",
            Guess { dead: true, .. } => " x",
            _ => "",
        };
        let digit = child.digit.map_or(String::new(), |digit| digit.to_string());
        say(format_args!("{}{digit}{mark}", "  ".repeat(level)))?;
        print(child, level + 1)?;
    }
    Ok(())
}

/// Nine lines, boxes set apart.
fn text(grid: &Grid) -> String {
    let mut text = String::new();
    for (index, byte) in grid.to_bytes().into_iter().enumerate() {
        text.push(char::from(byte));
        text.push_str(match index + 1 {
            end if end % 27 == 0 => "\n\n",
            end if end % 9 == 0 => "\n",
            end if end % 3 == 0 => "  ",
            _ => " ",
        });
    }
    text
}
