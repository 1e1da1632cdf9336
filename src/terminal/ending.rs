//! How a run ends: exit codes, and the printing of errors.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;

use crate::terminal::io::note;
use crate::terminal::os::is_stdout_closed;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything was done.
    Done,
    /// The run went to its end, but something was wrong on the way and has been reported.
    Failed,
    /// A signal ended the run; its number decides the exit code.
    Interrupted { signal: i32 },
    /// A shard was interrupted and can be started again: sysexits' EX_TEMPFAIL.
    Resumable,
    /// A shard will never succeed as it was asked for.
    Permanent,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Done => Self::SUCCESS,
            Ending::Failed => Self::FAILURE,
            // 128 + signal, as shells report it.
            Ending::Interrupted { signal } => Self::from(128 + signal as u8),
            Ending::Resumable => Self::from(75),
            Ending::Permanent => Self::from(42),
        }
    }
}

/// Arguments that clap accepts and the library does not, such as a square off the board.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Prints `error` and its causes on stderr; a closed pipe is a quiet success, for the reader has
/// all that it wanted.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    explain(error);
    if is_stdout_closed() {
        note("tallyboard: standard output is closed");
    }
    // The exit code that clap has for its own errors.
    if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Prints what clap has to say: help and the version on stdout, mistakes on stderr.
pub fn print(message: &clap::Error) -> ExitCode {
    match message.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if !message.use_stderr() => {
            report(&anyhow::Error::new(error).context("cannot write standard output"))
        }
        _ => ExitCode::from(message.exit_code() as u8),
    }
}

/// Prints `error` and its causes on stderr.
pub fn explain(error: &anyhow::Error) {
    let red = AnsiColor::Red.on_default().bold();
    let text = format!("{red}{}:{red:#} {error:#}", crate::terminal::process::program());
    match AutoStream::choice(&std::io::stderr()) {
        ColorChoice::Never => note(strip_str(&text)),
        _ => note(text),
    }
}

/// Whether `error` comes from a reader that has ended.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == ErrorKind::BrokenPipe)
}
