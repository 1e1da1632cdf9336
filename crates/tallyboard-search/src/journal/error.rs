//! The errors of journals.

use std::io;
use std::path::{Path, PathBuf};

/// Why a journal cannot be used: the file, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("journal {}: {reason}", path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: Refusal,
}

impl JournalError {
    /// Adds the `path` to a reason.
    pub(super) fn at(path: &Path) -> impl FnOnce(Refusal) -> Self {
        let path = path.to_owned();
        move |reason| Self { path, reason }
    }
}

/// What is wrong with a journal.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The problem has no identity, so nobody could tell its journal from another problem's.
    #[error("found a problem without a name, expected one with `Problem::identity`")]
    Unnamed,
    /// A new journal was asked for, but the file is there.
    #[error("the file exists already")]
    Exists,
    /// The path names a folder.
    #[error("found a folder, expected a file")]
    Folder,
    /// The path names a device or a pipe.
    #[error("found a device or a pipe, expected a file")]
    Device,
    /// The path names a link that leads to no file.
    #[error("found a link that leads to no file: {0}")]
    Link(io::Error),
    /// The open file was removed, or another file has its name now.
    #[error("it was removed or replaced while the count ran")]
    Gone,
    /// The open file is shorter than what was written to it: its length and the length written, in bytes.
    #[error("it was cut while the count ran: found {0} bytes, expected {1}")]
    Cut(u64, u64),
    /// Another process holds the lock.
    #[error("another process is writing it")]
    Locked,
    /// The file is something else.
    #[error("found a file that is no tallyboard journal")]
    NoJournal,
    /// The header is incomplete, or its checksum is wrong.
    #[error("the header is damaged; nothing in the file can be trusted")]
    Header,
    /// The journal belongs to other work.
    #[error("it belongs to other work: {}", .0.join("; "))]
    OtherWork(Vec<String>),
    /// A sound record names a subtree that the work does not have.
    #[error("it holds subtree {0}, which is none of this work")]
    UnknownSubtree(usize),
    /// Two sound records of one subtree have different subtotals.
    #[error("it holds subtree {0} twice, with different subtotals; start a new journal")]
    Contradiction(usize),
    /// The operating system's error.
    #[error(transparent)]
    Io(io::Error),
}

/// The code of Windows for access to a locked part of a file.
const ERROR_LOCK_VIOLATION: i32 = 33;

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists,
            // A lock on Windows is mandatory: even reading a file that another process has locked fails.
            _ if cfg!(windows) && error.raw_os_error() == Some(ERROR_LOCK_VIOLATION) => {
                Self::Locked
            }
            _ => Self::Io(error),
        }
    }
}
