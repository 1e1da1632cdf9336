//! `tallyboard queens trace`, `tree` and `count -v`: the steps, the tree and the profile of the textbook
//! search.

use anyhow::Result;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_classroom::backtrack::{Descendants, Fate, Node};
use tallyboard_classroom::draw;
use tallyboard_classroom::play::{self, Page};
use tallyboard_classroom::trace::queens::{Rows, depth_within, profile};
use tallyboard_queens::text::append_board;
use tallyboard_queens::{Board, Square};

use super::arguments::SquareArgs;
use crate::commands::trace::{self, TraceFlags};
use crate::terminal::{Args, ExitStatus, PictureArgs, ensure_apart, pictures, print_line};
use crate::verbs::explain::save_page;

#[derive(Debug, clap::Args)]
pub struct TreeArgs {
    /// Board size, up to 14
    #[arg(value_parser = clap::value_parser!(u32).range(1..=14))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    /// Show the first D ranks only, and the number of nodes below; by default as many ranks as fit on a few
    /// screens
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// Board size, up to 16
    #[arg(value_parser = clap::value_parser!(u32).range(1..=16))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    #[command(flatten)]
    pub trace: TraceFlags,
}

/// The largest n with a profile: the textbook search, which uses no symmetry, takes seconds there.
const LARGEST_PROFILE: u32 = 14;

/// Prints the steps of the backtracking, or writes a page that plays them.
pub fn run(flags: &TraceArgs, args: &Args) -> Result<ExitStatus> {
    let board = flags.squares.board_with_warnings(flags.n, args)?;
    if let Some(file) = &flags.trace.html {
        let title = format!("{}, searched step by step", counted(flags.n, "queen"));
        let play = play::queens(&board, flags.trace.page_steps());
        save_page(&Page::new(title, vec![play]), file, args)?;
        return Ok(ExitStatus::Done);
    }
    let picture = |placed: &[Square]| {
        let mut text = Vec::new();
        append_board(flags.n as usize, placed.iter().map(|square| square.file()), &mut text);
        text
    };
    trace::print(Rows::new(&board), &flags.trace, picture, args)?;
    Ok(ExitStatus::Done)
}

/// Upper bound on the lines of a tree that is printed as text: a few screens.
const MAX_TREE_LINES: u64 = 200;

/// Draws the search tree: into the pictures asked for, or else as text.
pub fn run_tree(flags: &TreeArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart(None, flags.pictures.paths())?;
    let board = flags.squares.board_with_warnings(flags.n, args)?;
    if flags.pictures.wanted() {
        pictures::save(&draw::queens_tree(&board, flags.depth), &flags.pictures)?;
        return Ok(ExitStatus::Done);
    }
    let depth = flags.depth.unwrap_or_else(|| depth_within(&board, MAX_TREE_LINES));
    let root = Node::of_board(&board, depth.min(flags.n));
    // The empty board is no node: `count -v` has none for it either.
    let shown = root.size() as u64 - 1;
    let Descendants { nodes, solutions } = root.below();
    let mut title = format!("{0} x {0}: {1}", flags.n, counted(nodes, "node"));
    if shown < nodes {
        let solutions = counted(solutions, "solution");
        title += &format!(", {solutions}; the first {} nodes", grouped(shown));
    }
    print_line(title)?;
    print_tree(&root, "")?;
    if !args.quiet {
        print_line("each level puts a queen one rank further down; * solution, x dead end")?;
    }
    Ok(ExitStatus::Done)
}

/// Prints the nodes below `node`, a line each, with a mark of what becomes of it.
fn print_tree(node: &Node<Square>, indent: &str) -> Result<()> {
    for (at, child) in node.children.iter().enumerate() {
        let is_last = at + 1 == node.children.len();
        let mark = match (child.fate, child.cut) {
            (Fate::Solution, _) => " *".to_owned(),
            (Fate::DeadEnd, _) => " x".to_owned(),
            (Fate::Open, Some(Descendants { nodes, solutions })) => {
                format!(" … {}, {}", counted(nodes, "node"), counted(solutions, "solution"))
            }
            (Fate::Open, None) => String::new(),
        };
        let square = child.made[child.made.len() - 1];
        print_line(format_args!("{indent}{} {square}{mark}", if is_last { "└" } else { "├" }))?;
        print_tree(child, &format!("{indent}{}", if is_last { "  " } else { "│ " }))?;
    }
    Ok(())
}

/// Prints a line of the table of [`print_profile`].
fn print_row(cells: [&str; 6]) -> Result<()> {
    let [rank, squares, file, diagonal, nodes, ends] = cells;
    print_line(format_args!(
        "{rank:>4} {squares:>13} {file:>13} {diagonal:>14} {nodes:>13} {ends:>13}"
    ))
}

/// Prints how the search prunes, a line for each rank.
pub fn print_profile(n: u32) -> Result<()> {
    if n > LARGEST_PROFILE {
        return print_line(format_args!(
            "the search is shown rank by rank up to n = {LARGEST_PROFILE}"
        ));
    }
    print_line("the textbook search without symmetry, from the top rank down:")?;
    print_row(["rank", "squares", "file taken", "diagonal taken", "nodes", "dead ends"])?;
    let rows = profile(n)?;
    for (rank, row) in (1..=n).rev().zip(&rows) {
        let cells = [row.squares, row.column_taken, row.diagonal_taken, row.nodes, row.dead_ends];
        let [squares, file, diagonal, nodes, ends] = &cells.map(grouped);
        print_row([&rank.to_string(), squares, file, diagonal, nodes, ends])?;
    }
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let unpruned = Rows::new(&Board::new(n)?).unpruned_nodes();
    print_line(format_args!(
        "{} of {} without pruning; the {} of the last rank are the solutions",
        counted(nodes, "node"),
        grouped(unpruned),
        grouped(rows.last().map_or(0, |row| row.nodes))
    ))
}
