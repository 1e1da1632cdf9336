//! `tallyboard queens tree`

use anyhow::Result;
use tallyboard::draw;
use tallyboard::queens::trace::Node;

use crate::cli::args::{Args, place::Tree};
use crate::cli::ending::Ending;
use crate::cli::io::say;
use crate::cli::pictures;

/// Draws the search tree, as text when no picture is asked for.
pub fn run(flags: &Tree, args: &Args) -> Result<Ending> {
    if flags.pictures.wanted() {
        pictures::save(&draw::queens_tree(flags.n), &flags.pictures)?;
        return Ok(Ending::Done);
    }
    let root = Node::tree(flags.n);
    say(format_args!("{0} x {0}: {1} nodes", flags.n, root.size()))?;
    print(&root, flags.n as usize, "")?;
    if !args.quiet {
        say("numbers are columns, one row deeper each level; * solution, x dead end")?;
    }
    Ok(Ending::Done)
}

fn print(node: &Node, n: usize, indent: &str) -> Result<()> {
    for (at, child) in node.children.iter().enumerate() {
        let last = at + 1 == node.children.len();
        let mark = match child.queens.len() {
            rows if rows == n => " *",
            _ if child.children.is_empty() => " x",
            _ => "",
        };
        let column = child.queens.last().map_or(0, |column| column + 1);
        say(format_args!("{indent}{} {column}{mark}", if last { "└" } else { "├" }))?;
        print(child, n, &format!("{indent}{}", if last { "  " } else { "│ " }))?;
    }
    Ok(())
}
