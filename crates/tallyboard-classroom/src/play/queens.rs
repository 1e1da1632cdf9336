//! How pages show the search for queens.

use super::{BoardLook, Play, Playable, StepLook};
use crate::backtrack::{Step, Steps};
use crate::trace::queens::{Obstacle, Rows};
use tallyboard_base::figures::{about, counted, grouped};
use tallyboard_picture::picture;
use tallyboard_queens::place::Line;
use tallyboard_queens::{Board, Square};

/// The number of a square in reading order.
fn cell(n: u32, square: Square) -> usize {
    ((n - 1 - square.rank()) * n + square.file()) as usize
}

/// The numbers of those `squares` that a queen on `from` attacks.
fn attacked(n: u32, from: Square, squares: &[Square]) -> Vec<usize> {
    let attacked = squares.iter().filter(|&&to| from != to && from.shares_a_line(to));
    attacked.map(|&to| cell(n, to)).collect()
}

impl Playable<Square, Obstacle> for Rows {
    fn board(&self) -> BoardLook {
        let n = self.n();
        let squares: Vec<Square> =
            (0..n * n).map(|cell| Square::from_top(cell / n, cell % n, n)).collect();
        let closed = squares.iter().filter(|&&square| !self.is_open(square));
        let side = n as usize;
        BoardLook {
            cell_names: squares.iter().map(Square::to_string).collect(),
            row_names: (1..=n).rev().map(|rank| rank.to_string()).collect(),
            column_names: (0..n).map(|file| Square::new(file, 0).file_name()).collect(),
            mark_path: Some(picture::QUEEN.to_owned()),
            is_checkered: true,
            closed: closed.map(|&square| cell(n, square)).collect(),
            rules_out: squares.iter().map(|&from| attacked(n, from, &squares)).collect(),
            ..BoardLook::new(side, side, ["queen"])
        }
    }

    fn look(&self, step: &Step<Square, Obstacle>) -> StepLook {
        let n = self.n();
        let (phrase, square) = match *step {
            Step::Refused { tried, why: Obstacle::Attacked { by, line } } => {
                let phrase = match line {
                    Line::Column => "{cell} is attacked from {by} along a file",
                    Line::FallingDiagonal => {
                        "{cell} is attacked from {by} along a falling diagonal"
                    }
                    Line::RisingDiagonal => "{cell} is attacked from {by} along a rising diagonal",
                };
                let look = StepLook { by: vec![cell(n, by)], ..phrase.into() };
                return StepLook { cell: Some(cell(n, tried)), ..look };
            }
            Step::Refused { tried, .. } => ("{cell} is closed", tried),
            Step::Made(square) => ("a queen goes to {cell}", square),
            Step::Back { undone, .. } => ("back: the queen leaves {cell}", undone),
            Step::DeadEnd(Obstacle::NoSquare { rank }) => {
                let phrase = format!("rank {rank} has no free square: a dead end").into();
                let row = (n - rank) as usize * n as usize;
                let area = (row..row + n as usize).collect();
                return StepLook { phrase, area, ..StepLook::default() };
            }
            Step::DeadEnd(_) => return "a dead end".into(),
            Step::Solution => return "a solution".into(),
            Step::Over => return "every square has been tried: the search is over".into(),
        };
        StepLook { cell: Some(cell(n, square)), mark: Some(0), ..phrase.into() }
    }
}

/// A play of the first `most_steps` steps of the search for all ways to fill a board.
pub fn queens(board: &Board, most_steps: usize) -> Play {
    let rows = Rows::new(board);
    let mut play = Play::new("Search", &rows, Steps::new(rows.clone()), most_steps);
    play.note(pruning_note(&rows, &play));
    play
}

/// The note on how many nodes pruning saves.
fn pruning_note(rows: &Rows, play: &Play) -> String {
    let unpruned = rows.unpruned_nodes();
    let without_pruning = format!(
        "Without pruning it would put a queen on every square of each rank in turn, whatever attacks \
         it, and look at full boards only: {}.",
        counted(unpruned, "node")
    );
    let Some(whole) = play.whole else {
        return format!("The whole search is too long to be counted here. {without_pruning}");
    };
    let nodes = counted(whole.nodes, "node");
    let ratio = unpruned as f64 / whole.nodes.max(1) as f64;
    let times = if ratio < 10.0 {
        format!("{ratio:.1}")
    } else if ratio < 1e12 {
        grouped(ratio.round() as u64)
    } else {
        about(ratio.log10())
    };
    format!(
        "The search tries {nodes}, because it never goes on from an attacked square. {without_pruning} That is {times} times as many."
    )
}
