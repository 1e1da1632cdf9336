//! From flags to a board and its count, within the memory that there is.

use crate::figures::mebibytes;
use crate::memory;
use crate::queens::{Board, Classes, Count, EngineError, Fixed, HalvesError, Settings, known};
use crate::search::thread_count;
use anyhow::{Context, Result, bail};

use super::args::queens::EngineArgs;
use super::args::{Args, shared::SquareArgs};
use super::ending::Usage;
use super::io::remark;

/// What the program itself takes beside a count, in bytes: 7 to 9 MiB were seen, and more with a bar
/// and a journal.
pub const PROGRAM: u64 = 16 << 20;

/// What is left free besides, for whatever else the machine does meanwhile.
const MARGIN: u64 = 48 << 20;

/// Memory worth a note before it is taken, in bytes.
const NOTABLE: u64 = 500_000_000;

/// The board that the flags describe. Says so if no solution can come of it.
pub fn board(n: u32, squares: &SquareArgs, args: &Args) -> Result<Board> {
    let board = Board::new(n, &squares.place, &squares.block);
    let board = board.map_err(|error| Usage(error.to_string()))?;
    if let Some((one, other)) = board.attack() {
        let attack = format!("the queens on {one} and {other} attack each other");
        remark(args, format_args!("tallyboard: {attack}"));
    }
    if let Some(square) = board.placed().iter().find(|it| board.blocked().contains(it)) {
        remark(args, format_args!("tallyboard: the queen on {square} stands on a closed square"));
    }
    Ok(board)
}

/// That the board is plain, which `option` needs.
pub fn ensure_plain(squares: &SquareArgs, option: &str) -> Result<()> {
    if squares.is_plain() {
        return Ok(());
    }
    Err(Usage(format!("{option} needs a board without --place and --block")).into())
}

/// The count of `board` as asked for, with the memory that there is: less than the fastest engine needs
/// is said, less than the engine asked for needs is an error.
pub fn problem(board: Board, engine: &EngineArgs, args: &Args) -> Result<Count> {
    let (count, from) = fitting(board, engine.settings(), engine.memory, args.threads)?;
    if let Some(full) = count.passed_over() {
        let full = format!("{full} (limited by {from})");
        remark(args, format_args!("tallyboard: {full}; counting with the engine blocks"));
    }
    Ok(count)
}

/// Says beforehand that a count takes much memory.
pub fn note_memory(problem: &Count, args: &Args) {
    if problem.memory() > NOTABLE {
        let memory = mebibytes(problem.memory());
        remark(args, format_args!("tallyboard: takes up to {memory} of memory"));
    }
}

/// An engine asked for by name needs more memory than there is.
#[derive(Debug, thiserror::Error)]
#[error(
    "{error} (limited by {from}): use fewer threads, or the engine blocks, which needs next to none"
)]
pub struct NoRoom {
    error: EngineError,
    from: &'static str,
}

/// The count of `board` as `settings` ask, on `threads` threads, in the memory that `asked` and the
/// machine allow, and what limits that.
///
/// # Errors
/// [`NoRoom`] if the engine asked for does not fit; whatever else [`Count::with`] says.
pub fn fitting(
    board: Board,
    settings: Settings,
    asked: Option<u64>,
    threads: usize,
) -> Result<(Count, &'static str)> {
    let room = memory::room(thread_count(threads));
    let left = room.map(|room| room.bytes.saturating_sub(PROGRAM + MARGIN));
    let from = match room {
        Some(room) if asked.is_none_or(|asked| left < Some(asked)) => room.limit,
        _ => "--memory",
    };
    let settings = settings.threads(threads).memory(asked).room(left);
    let count = Count::with(board, settings).map_err(|error| match error {
        EngineError::Halves(HalvesError::Memory { .. }) => {
            anyhow::Error::from(NoRoom { error, from })
        }
        other => Usage(other.to_string()).into(),
    })?;
    Ok((count, from))
}

/// The classes of the plain board's `solutions`, checked against the table.
pub fn classes(n: u32, solutions: u128, fixed: Fixed) -> Result<Classes> {
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

/// How a count compares with the table.
pub fn agreement(known: Option<u128>) -> &'static str {
    match known {
        Some(_) => "agrees with the known count (OEIS A000170)",
        None => "no known count to compare with",
    }
}
