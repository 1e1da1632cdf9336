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

mod format;

use std::collections::HashMap;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::durable::sync_folder;
use super::{Finished, Tally};
pub use format::{Contents, Header, Record};

/// Reads the journal at `path`, which another process may be writing.
///
/// # Errors
/// If the file cannot be read, is no journal, or its header is damaged.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let refuse = |reason| JournalError { path: path.to_owned(), reason };
    ensure_file_or_none(path).map_err(refuse)?;
    let bytes = std::fs::read(path).map_err(|error| refuse(error.into()))?;
    Contents::decode(&bytes).map_err(refuse)
}

/// The longest time that a finished subtree waits to be forced to the disk.
pub const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// A journal open for appending, locked against every other process.
///
/// The caller appends what is finished, calls [`sync_if_due`](Self::sync_if_due) several times a
/// second and [`sync`](Self::sync) at the end.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    salt: u32,
    threads: u32,
    /// When the oldest record that may not be on the disk was appended.
    unsynced_since: Option<Instant>,
    /// Whether the file system keeps other processes out.
    pub locked: bool,
    /// What was in the journal when it was opened; a search may take the subtotals.
    pub found: Recovered,
}

/// What was in the journal when it was opened.
#[non_exhaustive]
#[derive(Debug, Default)]
pub struct Recovered {
    /// Subtotals by subtree.
    pub subtotals: HashMap<usize, Tally>,
    /// Records that were dropped because their checksum did not fit.
    pub damaged: usize,
    /// Bytes of a half-written record that were cut off the end.
    pub torn: usize,
}

impl Journal {
    /// Begins a journal in a new file, for a run with `threads` workers.
    ///
    /// # Errors
    /// [`Refusal::Exists`] if the file is there, else what the operating system says.
    pub fn create(path: &Path, header: &Header, threads: usize) -> Result<Self, JournalError> {
        Self::open(path, header, threads, OpenOptions::new().create_new(true), Self::begin)
    }

    /// Takes up the journal at `path`, or begins it if there is none. `wanted` tells the subtrees
    /// of the work.
    ///
    /// # Errors
    /// A [`Refusal`] if the journal belongs to other work, is in use or cannot be trusted; the file
    /// is then left as it was.
    pub fn resume(
        path: &Path,
        header: &Header,
        threads: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self, JournalError> {
        let take_up = |journal: &mut Self, header: &Header| journal.take_up(header, wanted);
        Self::open(path, header, threads, OpenOptions::new().read(true).create(true), take_up)
    }

    fn open(
        path: &Path,
        header: &Header,
        threads: usize,
        how: &mut OpenOptions,
        start: impl FnOnce(&mut Self, &Header) -> Result<(), Refusal>,
    ) -> Result<Self, JournalError> {
        let open = || {
            ensure_file_or_none(path)?;
            let mut journal = Self::lock(path, how.append(true).open(path)?, header, threads)?;
            start(&mut journal, header)?;
            Ok(journal)
        };
        open().map_err(|reason| JournalError { path: path.to_owned(), reason })
    }

    fn lock(path: &Path, file: File, header: &Header, threads: usize) -> Result<Self, Refusal> {
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(Refusal::Locked),
            // Some network file systems have no locks. A second writer would then only waste work:
            // records are appended whole, and two of one subtree agree.
            Err(TryLockError::Error(_)) => false,
        };
        Ok(Self {
            path: path.to_owned(),
            file,
            salt: header.salt(),
            threads: u32::try_from(threads).unwrap_or(u32::MAX),
            unsynced_since: None,
            locked,
            found: Recovered::default(),
        })
    }

    fn begin(&mut self, header: &Header) -> Result<(), Refusal> {
        self.file.write_all(&header.encode())?;
        self.file.sync_all()?;
        // The name of a new file is on the disk only when its folder is.
        Ok(sync_folder(&self.path)?)
    }

    fn take_up(&mut self, header: &Header, wanted: impl Fn(usize) -> bool) -> Result<(), Refusal> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        let begun = header.encode();
        let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        if written < begun.len() && begun.starts_with(&bytes[..written]) {
            // An earlier run ended while it began this very journal. Where the power failed, zeros may
            // stand for what did not reach the disk; records come only after a header that did.
            self.file.set_len(0)?;
            return self.begin(header);
        }
        let contents = Contents::decode(&bytes)?;
        let differences = header.differences(&contents.header);
        if !differences.is_empty() {
            return Err(Refusal::Other(differences));
        }
        if let Some(stranger) = contents.records.iter().find(|record| !wanted(record.id)) {
            return Err(Refusal::Stranger(stranger.id));
        }
        self.found = Recovered {
            subtotals: contents.subtotals()?,
            damaged: contents.damaged,
            torn: contents.torn,
        };
        if contents.torn > 0 {
            self.file.set_len((bytes.len() - contents.torn) as u64)?;
            self.file.sync_all()?;
        }
        Ok(())
    }

    /// Appends a finished subtree.
    ///
    /// # Errors
    /// What the operating system says, with the path; a disk that is full above all. Nothing more
    /// may be appended after an error.
    pub fn append(&mut self, finished: &Finished) -> io::Result<()> {
        let bytes = Record::new(finished, self.threads).encode(self.salt);
        self.file.write_all(&bytes).map_err(|error| self.explain(error))?;
        self.unsynced_since.get_or_insert_with(Instant::now);
        Ok(())
    }

    /// Forces what was appended to the disk if the oldest of it has waited for [`SYNC_INTERVAL`].
    ///
    /// # Errors
    /// As for [`append`](Self::append).
    pub fn sync_if_due(&mut self) -> io::Result<()> {
        match self.unsynced_since {
            Some(since) if since.elapsed() >= SYNC_INTERVAL => self.sync(),
            _ => Ok(()),
        }
    }

    /// Forces what was appended to the disk.
    ///
    /// # Errors
    /// As for [`append`](Self::append).
    pub fn sync(&mut self) -> io::Result<()> {
        if self.unsynced_since.is_some() {
            self.file.sync_data().map_err(|error| self.explain(error))?;
            self.unsynced_since = None;
        }
        Ok(())
    }

    /// That the file still has its name, under which another run will look for it.
    ///
    /// # Errors
    /// [`Refusal::Gone`], or what the operating system says of the open file.
    pub fn ensure_in_place(&self) -> Result<(), JournalError> {
        let there = std::fs::metadata(&self.path).ok();
        let reason = match self.file.metadata() {
            Ok(ours) if there.is_some_and(|there| is_one_file(&ours, &there)) => return Ok(()),
            Ok(_) => Refusal::Gone,
            Err(error) => error.into(),
        };
        Err(JournalError { path: self.path.clone(), reason })
    }

    fn explain(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("journal {}: {error}", self.path.display()))
    }
}

impl Drop for Journal {
    /// Gives the lock back at once. Left to the closing of the file it would stay for as long as a
    /// child process that was just being started still had the file open.
    fn drop(&mut self) {
        // There may have been no lock; either way the file is closed next.
        let _ = self.file.unlock();
    }
}

/// That a journal can have the name `path`. A pipe or a device would keep nothing, or wait for ever.
fn ensure_file_or_none(path: &Path) -> Result<(), Refusal> {
    match path.metadata() {
        Ok(there) if there.is_dir() => Err(Refusal::Folder),
        Ok(there) if !there.is_file() => Err(Refusal::Device),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn is_one_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_one_file(_: &Metadata, _: &Metadata) -> bool {
    true
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
    /// The path names a folder.
    #[error("found a folder, expected a file")]
    Folder,
    /// The path names a device or a pipe.
    #[error("found a device or a pipe, expected a file")]
    Device,
    /// The file that was open was removed, or another one has its name.
    #[error("it was removed or replaced while the count ran")]
    Gone,
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
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists,
            _ => Self::Io(error),
        }
    }
}
