//! How a run ends: exit codes, and the errors that decide them.

use std::io::ErrorKind;
use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Everything was done.
    Done,
    /// The run went to its end, but something was wrong, which has been reported.
    Failed,
    /// A signal ended the run; its number decides the exit code.
    Interrupted { signal: i32 },
    /// A shard was interrupted and can be started again: sysexits' EX_TEMPFAIL.
    Resumable,
    /// A shard will never succeed as it was asked for.
    Permanent,
}

impl From<ExitStatus> for ExitCode {
    fn from(ending: ExitStatus) -> Self {
        match ending {
            ExitStatus::Done => Self::SUCCESS,
            ExitStatus::Failed => Self::FAILURE,
            // 128 + signal, as shells report it.
            ExitStatus::Interrupted { signal } => Self::from(128 + signal as u8),
            ExitStatus::Resumable => Self::from(75),
            ExitStatus::Permanent => Self::from(42),
        }
    }
}

/// Arguments that clap accepts and the library does not, such as a square off the board.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl UsageError {
    /// With a text, or with that of an error of the library.
    pub fn of(error: impl ToString) -> Self {
        Self(error.to_string())
    }
}

/// Whether `error` says that the reader of a pipe has ended.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == ErrorKind::BrokenPipe)
}
