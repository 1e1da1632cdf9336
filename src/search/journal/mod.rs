//! Finished subtrees in an append-only file, so that a run survives whatever ends it.
//!
//! ```text
//! tallyboard journal 2                                   what this file is
//! {"identity":…,"part":…,"layout":…,"subtrees":…,…}      the work it belongs to
//! 5d41402a                                               checksum of the lines above
//! record, record, …                                      48 bytes each, one a finished subtree
//! ```
//!
//! The rule that everything follows from: *a record counts only if its checksum fits this very
//! header.* Records have one length, so a damaged one does not hide those behind it; it is dropped,
//! and its subtree is counted again. What a crash has left half-written at the end is cut off.
//!
//! A record is handed to the operating system as soon as its subtree is finished, so a killed process
//! loses only the subtrees in its workers' hands; it is forced to the disk within
//! [`SYNC_INTERVAL`], so a machine that loses power forgets no more than that.
//! No time of day is stored or compared.

mod file;
mod format;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Tally;
pub use file::{Found, Journal, SYNC_INTERVAL};
use format::LENGTH;
pub use format::{Header, Record};

/// What a journal holds.
#[non_exhaustive]
#[derive(Debug, Clone)]
pub struct Contents {
    /// The work it belongs to.
    pub header: Header,
    /// The sound records, in the order in which they were written.
    pub records: Vec<Record>,
    /// Records whose checksum does not fit; their subtrees are to be counted again.
    pub damaged: usize,
    /// Bytes at the end that are less than a record: the trace of a crash.
    pub torn: usize,
}

/// Reads the journal at `path`, which another process may be writing.
///
/// # Errors
/// If the file cannot be read, is no journal, or its header is damaged.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let refuse = |reason| JournalError { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|error| refuse(error.into()))?;
    Contents::decode(&bytes).map_err(refuse)
}

impl Contents {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        let (header, start) = Header::decode(bytes)?;
        let salt = header.salt();
        let (records, torn) = bytes[start..].as_chunks::<LENGTH>();
        let sound: Vec<Record> =
            records.iter().filter_map(|bytes| Record::decode(bytes, salt)).collect();
        Ok(Self { header, damaged: records.len() - sound.len(), records: sound, torn: torn.len() })
    }

    /// The subtotals by subtree; a subtree may be there twice if the subtotals agree.
    ///
    /// # Errors
    /// [`Refusal::Contradiction`] if they do not.
    pub fn subtotals(&self) -> Result<HashMap<usize, Tally>, Refusal> {
        let mut subtotals = HashMap::with_capacity(self.records.len());
        for record in &self.records {
            let before = subtotals.insert(record.id, record.tally);
            if before.is_some_and(|before| before != record.tally) {
                return Err(Refusal::Contradiction(record.id));
            }
        }
        Ok(subtotals)
    }
}

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
#[non_exhaustive]
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
