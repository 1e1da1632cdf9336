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

/// What a worker is given, in bytes, unless it cannot do with that or the user says otherwise.
const WORKER: u64 = 512 << 20;

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
    let settings = settings.threads(threads);
    let within = |bytes: Option<u64>| Count::with(board.clone(), settings.memory(bytes));
    let usual = WORKER * thread_count(threads) as u64;
    let counted = match within([Some(asked.unwrap_or(usual)), left].into_iter().flatten().min()) {
        Err(EngineError::Halves(HalvesError::Memory { .. })) if asked.is_none() => within(left),
        Ok(count) if count.passed_over().is_some() && asked.is_none() => within(left),
        counted => counted,
    };
    let count = counted.map_err(|error| match error {
        EngineError::Halves(HalvesError::Memory { .. }) => NoRoom { error, from }.into(),
        other => anyhow::Error::from(other),
    })?;
    let passed_over = count.passed_over().map(|full| format!("{full} (limited by {from})"));
    Ok(Fitting { count, passed_over })
}
