//! What can be wrong with a stream.

#[cfg(doc)]
use super::Settings;
use crate::sudoku::LineError;

/// A line that is no puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    /// Its number in the input, from 1.
    pub line: u64,
    /// What was found and expected.
    pub error: LineError,
}

/// Why a stream ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The input cannot be read.
    #[error("cannot read the puzzles")]
    Read(#[source] std::io::Error),
    /// A record that does not end.
    #[error("line {0}: found no end of the line within 1 MiB, expected a puzzle")]
    LongLine(u64),
    /// The output cannot be written.
    #[error("cannot write the results")]
    Write(#[source] std::io::Error),
    /// A bad line with [`Settings::strict`].
    #[error(transparent)]
    Bad(#[from] BadLine),
    /// [`Settings::stop`] was raised.
    #[error("stopped before the end of the input")]
    Stopped,
    /// The operating system gave no threads, or a solver panicked.
    #[error(transparent)]
    Search(#[from] crate::search::Error),
}
