//! Boards from flags, and the classes of their solutions.

use anyhow::{Context, Result, bail};
use queens::{Board, Classes, SymmetricSolutions, known};

use super::args::{Args, shared::SquareArgs};
use super::ending::Usage;
use super::io::remark;
use super::program;

/// The board that the flags describe. Warns if it obviously has no solution.
pub fn board(n: u32, squares: &SquareArgs, args: &Args) -> Result<Board> {
    let board = silent_board(n, squares)?;
    for warning in warnings(&board) {
        remark(args, format_args!("{}: {warning}", program()));
    }
    Ok(board)
}

/// The board that the flags describe, without warnings.
pub fn silent_board(n: u32, squares: &SquareArgs) -> Result<Board> {
    let board = Board::new(n, &squares.place, &squares.block);
    Ok(board.map_err(|error| Usage(error.to_string()))?)
}

/// Why `board` obviously has no solution, if so.
pub fn warnings(board: &Board) -> Vec<String> {
    let attack = board
        .attack()
        .map(|(one, other)| format!("the queens on {one} and {other} attack each other"));
    let closed = board.placed().iter().find(|it| board.blocked().contains(it));
    let closed = closed.map(|square| format!("the queen on {square} stands on a closed square"));
    attack.into_iter().chain(closed).collect()
}

/// Fails unless the board is plain, which `option` needs.
pub fn ensure_plain(squares: &SquareArgs, option: &str) -> Result<()> {
    if squares.is_plain() {
        return Ok(());
    }
    Err(Usage(format!("{option} needs a board without --place and --block")).into())
}

/// The classes of the plain board's `solutions`, checked against the table.
pub fn classes(n: u32, solutions: u128, fixed: SymmetricSolutions) -> Result<Classes> {
    let classes = Classes::of(n, solutions, fixed).context(
        "WRONG COUNT: the numbers of all and of symmetric solutions contradict each other",
    )?;
    match known::classes(n) {
        Some(expected) if expected != classes.total() => bail!(
            "WRONG COUNT for n = {n}: found {} classes, expected {expected} (OEIS A002562)",
            classes.total()
        ),
        _ => Ok(classes),
    }
}
