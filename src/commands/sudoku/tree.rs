//! `tallyboard sudoku tree`

use std::path::Path;

use anyhow::{Context, Result, ensure};
use tallyboard_classroom::backtrack::{Fate, Node};
use tallyboard_classroom::draw;
use tallyboard_classroom::trace::sudoku::{Blanks, Entry};
use tallyboard_sudoku::{Grid, solve_up_to};

use crate::games::sudoku::read_nine;
use crate::terminal::{Args, ExitStatus, PictureArgs, eprint_line, io, pictures, print_line};

#[derive(Debug, clap::Args)]
pub struct TreeArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    /// How many empty cells, in reading order, up to 8; the tree has 600 nodes at most
    #[arg(long, default_value_t = 3, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub cells: u8,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// Upper bound on the nodes of a tree that is drawn.
const MAX_NODES: usize = 600;

/// Draws the search tree: into the pictures asked for, or else as text.
pub fn run(flags: &TreeArgs, args: &Args) -> Result<ExitStatus> {
    io::ensure_apart([Path::new(&flags.puzzle)], flags.pictures.paths())?;
    let puzzle = read_nine(&flags.puzzle)?;
    ensure!(puzzle.clues() < 81, "the puzzle has no empty cell, so there is no tree");
    let cell_count = usize::from(flags.cells);
    let root = Node::tree(&Blanks::new(&puzzle), cell_count, MAX_NODES).with_context(|| {
        format!(
            "the tree over {cell_count} cells has more than {MAX_NODES} nodes; try --cells {}",
            cell_count - 1
        )
    })?;
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku_tree(&root), &flags.pictures)?;
    } else {
        print_guesses(&root)?;
        if !args.quiet {
            print_line("r1c3 is the cell in row 1, column 3; * solved, x dead end")?;
        }
    }
    Ok(report_unsolvable(&puzzle))
}

/// Says if a puzzle whose search was shown has no solution. Returns how the command ends.
pub fn report_unsolvable(puzzle: &Grid) -> ExitStatus {
    if solve_up_to(puzzle, 1).count > 0 {
        return ExitStatus::Done;
    }
    eprint_line("no solution: every path ends");
    ExitStatus::Failed
}

/// Prints the entries below `node`, a line each: those for the next cell, and below each those for the cells after it.
fn print_guesses(node: &Node<Entry>) -> Result<()> {
    let level = node.made.len();
    for child in &node.children {
        let mark = match child.fate {
            Fate::Solution => " *",
            Fate::DeadEnd => " x",
            Fate::Open => "",
        };
        let Entry { cell, digit } = child.made[level];
        print_line(format_args!("{}{cell} = {digit}{mark}", "  ".repeat(level)))?;
        print_guesses(child)?;
    }
    Ok(())
}
