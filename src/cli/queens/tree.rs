//! `tallyboard queens tree`

use anyhow::Result;
use tallyboard::draw;
use tallyboard::queens::Square;
use tallyboard::queens::trace::Node;

use crate::cli::args::{Args, place::Tree};
use crate::cli::ending::Ending;
use crate::cli::io::say;
use crate::cli::pictures;
use crate::plural::s;

use super::count::board;

/// Draws the search tree, as text when no picture is asked for.
pub fn run(flags: &Tree, args: &Args) -> Result<Ending> {
    let board = board(flags.n, &flags.squares, args)?;
    if flags.pictures.wanted() {
        pictures::save(&draw::queens_tree(&board), &flags.pictures)?;
        return Ok(Ending::Done);
    }
    let root = Node::tree(&board);
    let nodes = root.size();
    say(format_args!("{0} x {0}: {nodes} node{1}", flags.n, s(nodes)))?;
    print(&root, flags.n, "")?;
    if !args.quiet {
        say("each level puts a queen one rank further down; * solution, x dead end")?;
    }
    Ok(Ending::Done)
}

fn print(node: &Node, n: u32, indent: &str) -> Result<()> {
    for (at, child) in node.children.iter().enumerate() {
        let last = at + 1 == node.children.len();
        let mark = match child.queens.len() {
            rows if rows == n as usize => " *",
            _ if child.children.is_empty() => " x",
            _ => "",
        };
        let row = child.queens.len() as u32 - 1;
        let square = Square::from_top(row, child.queens[row as usize], n);
        say(format_args!("{indent}{} {square}{mark}", if last { "└" } else { "├" }))?;
        print(child, n, &format!("{indent}{}", if last { "  " } else { "│ " }))?;
    }
    Ok(())
}
