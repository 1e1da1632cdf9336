//! Boards from flags, and the classes of their solutions.

use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use tallyboard_queens::{Board, Classes, MAX_N, Square, SymmetricSolutions, known};

use crate::terminal::{Args, UsageError, info, program_name};

/// The squares of a board that are not free.
#[derive(Debug, clap::Args)]
pub struct SquareArgs {
    /// Queens that stand already, as in a1,c2: a1 is at the bottom left as in chess, the file aa comes
    /// after z
    #[arg(long, value_delimiter = ',', value_name = "SQUARES", value_parser = square)]
    pub place: Vec<Square>,

    /// Squares where no queen may stand
    #[arg(long, value_delimiter = ',', value_name = "SQUARES", value_parser = square)]
    pub block: Vec<Square>,
}

/// A board to count on.
#[derive(Debug, clap::Args)]
pub struct BoardArgs {
    /// Board size: n queens on n × n squares, up to 32
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,
}

/// Reads a square, with blanks about it as in `"a1, c2"`.
fn square(text: &str) -> Result<Square, <Square as FromStr>::Err> {
    text.trim().parse()
}

impl SquareArgs {
    /// Whether there are none.
    pub fn is_plain(&self) -> bool {
        self.place.is_empty() && self.block.is_empty()
    }

    /// The board of n rows with these squares.
    pub fn board(&self, n: u32) -> Result<Board> {
        let board = Board::with(n, &self.place, &self.block);
        Ok(board.map_err(UsageError::of)?)
    }

    /// As [`board`](Self::board), with a warning if the board obviously has no solution.
    pub fn board_with_warnings(&self, n: u32, args: &Args) -> Result<Board> {
        let board = self.board(n)?;
        for warning in warnings(&board) {
            info(args, format_args!("{}: {warning}", program_name()));
        }
        Ok(board)
    }

    /// Fails unless there are none, which `option` needs.
    pub fn ensure_plain(&self, option: &str) -> Result<()> {
        if self.is_plain() {
            return Ok(());
        }
        Err(UsageError(format!("{option} needs a board without --place and --block")).into())
    }
}

/// Why `board` obviously has no solution, if so.
pub fn warnings(board: &Board) -> Vec<String> {
    let attack = board
        .attack()
        .map(|(one, other)| format!("the queens on {one} and {other} attack each other"));
    let closed = board.placed().iter().find(|square| board.blocked().contains(square));
    let closed = closed.map(|square| format!("the queen on {square} stands on a closed square"));
    attack.into_iter().chain(closed).collect()
}

/// The classes of the plain board's `solutions`, checked against the known number of classes.
pub fn checked_classes(n: u32, solutions: u128, symmetric: SymmetricSolutions) -> Result<Classes> {
    let classes = Classes::of(n, solutions, symmetric).context(
        "WRONG COUNT: the numbers of all and of symmetric solutions contradict each other",
    )?;
    if let Some(expected) = known::classes(n) {
        ensure!(
            classes.total() == expected,
            "WRONG COUNT for n = {n}: found {} classes, expected {expected} (OEIS A002562)",
            classes.total()
        );
    }
    Ok(classes)
}
