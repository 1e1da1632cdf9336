//! Counts of queens within the memory that there is.

use anyhow::Result;
use tallyboard::memory;
use tallyboard::queens::{Board, Count, EngineError, HalvesError, Settings};
use tallyboard::search::thread_count;

/// What the program itself takes beside a count, in bytes: 7 to 9 MiB were seen, and more with a bar
/// and a journal.
pub const PROGRAM: u64 = 16 << 20;

/// What is left free besides, for whatever else the machine does meanwhile.
const MARGIN: u64 = 48 << 20;

/// An engine asked for by name needs more memory than there is.
#[derive(Debug, thiserror::Error)]
#[error("{error} (limited by {from})")]
pub struct NoRoom {
    error: EngineError,
    from: &'static str,
}

/// A count, and why it is not by the fastest engine, if it is not.
pub struct Fitting {
    pub count: Count,
    pub passed_over: Option<String>,
}

/// The count of `board` as `settings` ask, on `threads` threads, in the memory that `asked` and the
/// machine allow.
///
/// # Errors
/// [`NoRoom`] if the engine asked for does not fit; whatever else [`Count::with`] says.
pub fn fitting(
    board: Board,
    settings: Settings,
    asked: Option<u64>,
    threads: usize,
) -> Result<Fitting> {
    let room = memory::room(thread_count(threads));
    let left = room.map(|room| room.bytes.saturating_sub(PROGRAM + MARGIN));
    let from = match room {
        Some(room) if asked.is_none_or(|asked| left < Some(asked)) => room.limit,
        _ => "--memory",
    };
    let settings = settings.threads(threads).memory(asked.into_iter().chain(left).min());
    let count = Count::with(board, settings).map_err(|error| match error {
        EngineError::Halves(HalvesError::Memory { .. }) => NoRoom { error, from }.into(),
        other => anyhow::Error::from(other),
    })?;
    let passed_over = count.passed_over().map(|full| format!("{full} (limited by {from})"));
    Ok(Fitting { count, passed_over })
}
