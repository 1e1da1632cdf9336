//! `tallyboard queens trace`, `tree` and `count -v`: the textbook search from outside.

use std::ffi::OsStr;
use std::io::{self, BufWriter, IsTerminal, Write};

use crate::draw;
use crate::figures::{about, counted, grouped};
use crate::queens::text::append_board;
use crate::queens::trace::{Below, Node, Step, Trace, profile};
use crate::queens::{Board, Square};
use anyhow::{Context, Result};

use crate::cli::args::Args;
use crate::cli::args::place::{TraceArgs, TreeArgs};
use crate::cli::ending::Ending;
use crate::cli::io::{ensure_apart, say};
use crate::cli::pictures;
use crate::cli::problem::board;

/// Moves the cursor home and clears the terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// The largest board whose plain search takes seconds.
const LARGEST_PROFILE: u32 = 14;

/// Prints every step of the backtracking, with the board after it where it has changed.
pub fn run(flags: &TraceArgs, args: &Args) -> Result<Ending> {
    let board = board(flags.n, &flags.squares, args)?;
    print(flags, &board).context("cannot write standard output")?;
    Ok(Ending::Done)
}

fn print(flags: &TraceArgs, board: &Board) -> io::Result<()> {
    let n = flags.n;
    let stdout = std::io::stdout();
    let pause = flags.animate.filter(|_| stdout.is_terminal());
    let clear = clear_on(std::env::var_os("TERM").as_deref());
    let mut output = BufWriter::new(stdout.lock());
    let mut trace = Trace::new(board);
    for number in 1..=flags.steps.unwrap_or(usize::MAX) {
        let solved = picture(&trace, n);
        let Some(step) = trace.next() else { break };
        if pause.is_some() {
            write!(output, "{clear}")?;
        }
        writeln!(output, "{}: {}", grouped(number), describe(step, n))?;
        match step {
            Step::Solution => output.write_all(&solved)?,
            Step::Attacked { .. } | Step::Closed { .. } if pause.is_none() => {}
            _ => output.write_all(&picture(&trace, n))?,
        }
        output.flush()?;
        if let Some(pause) = pause {
            std::thread::sleep(pause);
        }
        if step == Step::Solution && !flags.all {
            break;
        }
    }
    Ok(())
}

/// What clears the terminal of this name: nothing where it would print the code itself.
fn clear_on(terminal: Option<&OsStr>) -> &'static str {
    match terminal {
        Some(name) if name != "dumb" => CLEAR,
        _ => "",
    }
}

/// The board with the queens so far, empty rows included.
fn picture(trace: &Trace, n: u32) -> Vec<u8> {
    let mut text = Vec::new();
    append_board(n as usize, trace.queens().iter().copied(), &mut text);
    text
}

fn describe(step: Step, n: u32) -> String {
    let square = |row, column| Square::from_top(row, column, n);
    match step {
        Step::Closed { row, column } => format!("{} is closed", square(row, column)),
        Step::Attacked { row, column, by, line } => {
            format!("{} is attacked from rank {} along {line}", square(row, column), n - by)
        }
        Step::Placed { row, column } => format!("a queen goes to {}", square(row, column)),
        Step::Solution => "a solution".to_owned(),
        Step::BackFrom { row: 0 } => {
            format!("rank {n} has no more squares: the search is over")
        }
        Step::BackFrom { row } => {
            format!("rank {} has no more squares: back to rank {}", n - row, n - row + 1)
        }
    }
}

/// Lines of text that a tree is cut to: some screens.
const MAX_TREE_LINES: u64 = 200;

/// Draws the search tree, as text when no picture is asked for.
pub fn run_tree(flags: &TreeArgs, args: &Args) -> Result<Ending> {
    ensure_apart(None, flags.pictures.paths())?;
    let board = board(flags.n, &flags.squares, args)?;
    if flags.pictures.wanted() {
        pictures::save(&draw::queens_tree(&board, flags.depth), &flags.pictures)?;
        return Ok(Ending::Done);
    }
    let depth = flags.depth.unwrap_or_else(|| Node::depth_within(&board, MAX_TREE_LINES));
    let root = Node::tree_to(&board, depth.min(flags.n));
    let (shown, Below { nodes, solutions }) = (root.size() as u64, root.below(flags.n));
    let size = counted(1 + nodes, "node");
    if shown == 1 + nodes {
        say(format_args!("{0} x {0}: {size}", flags.n))?;
    } else {
        let (shown, solutions) = (grouped(shown), counted(solutions, "solution"));
        say(format_args!("{0} x {0}: {size}, {solutions}; the first {shown} nodes", flags.n))?;
    }
    print_tree(&root, flags.n, "")?;
    if !args.quiet {
        say("each level puts a queen one rank further down; * solution, x dead end")?;
    }
    Ok(Ending::Done)
}

fn print_tree(node: &Node, n: u32, indent: &str) -> Result<()> {
    for (at, child) in node.children.iter().enumerate() {
        let last = at + 1 == node.children.len();
        let mark = match child.cut {
            Some(Below { nodes, solutions }) => {
                format!(" … {}, {}", counted(nodes, "node"), counted(solutions, "solution"))
            }
            None if child.queens.len() == n as usize => " *".to_owned(),
            None if child.children.is_empty() => " x".to_owned(),
            None => String::new(),
        };
        let row = child.queens.len() as u32 - 1;
        let square = Square::from_top(row, child.queens[row as usize], n);
        say(format_args!("{indent}{} {square}{mark}", if last { "└" } else { "├" }))?;
        print_tree(child, n, &format!("{indent}{}", if last { "  " } else { "│ " }))?;
    }
    Ok(())
}

/// Prints how the search prunes, a line for each rank.
pub fn print_profile(n: u32) -> Result<()> {
    if n > LARGEST_PROFILE {
        return say(format_args!("the search is shown rank by rank up to n = {LARGEST_PROFILE}"));
    }
    let row = |cells: [&str; 6]| {
        let [rank, squares, file, diagonal, nodes, ends] = cells;
        say(format_args!(
            "{rank:>4} {squares:>13} {file:>13} {diagonal:>14} {nodes:>13} {ends:>13}"
        ))
    };
    say("the textbook search without symmetry, from the top rank down:")?;
    row(["rank", "squares", "file taken", "diagonal taken", "nodes", "dead ends"])?;
    let rows = profile(n)?;
    for (rank, it) in (1..=n).rev().zip(&rows) {
        let figures = [it.squares, it.column_taken, it.diagonal_taken, it.nodes, it.dead_ends];
        let [squares, file, diagonal, nodes, ends] = &figures.map(grouped);
        row([&rank.to_string(), squares, file, diagonal, nodes, ends])?;
    }
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let all: f64 = (1..=n).map(|row| f64::from(n).powi(row as i32)).sum();
    say(format_args!(
        "{} of about {} without pruning; {} of the last rank's are the solutions",
        counted(nodes, "node"),
        about(all.log10()),
        grouped(rows.last().map_or(0, |row| row.nodes))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_cannot_move_its_cursor_gets_no_codes() {
        assert_eq!(clear_on(Some(OsStr::new("xterm"))), CLEAR);
        assert_eq!((clear_on(Some(OsStr::new("dumb"))), clear_on(None)), ("", ""));
    }
}
