//! Why a journal cannot be used.

use std::path::PathBuf;

/// Why a journal cannot be used: the file, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("journal {}: {reason}", path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: Refusal,
}

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A new journal was asked for, but the file is there.
    #[error("the file exists already")]
    Exists,
    /// Another process holds the lock.
    #[error("another process is writing it")]
    Locked,
    /// The file is something else.
    #[error("found a file that is no tallyboard journal")]
    NoJournal,
    /// The header is incomplete or its checksum does not fit.
    #[error("the header is damaged; nothing in the file can be trusted")]
    Header,
    /// The journal belongs to other work.
    #[error("it belongs to other work: {}", .0.join("; "))]
    Other(Vec<String>),
    /// A sound record names a subtree that the work does not have.
    #[error("it holds subtree {0}, which is none of this work")]
    Stranger(usize),
    /// Two sound records of one subtree have different subtotals.
    #[error("it holds subtree {0} twice, with different subtotals; start a new journal")]
    Contradiction(usize),
    /// The operating system's word.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
