//! A journal: finished subtrees in an append-only file, so that a later run can continue a run that has ended early.
//!
//! ```text
//! tallyboard journal 2                                   what this file is
//! {"identity":…,"part":…,"layout":…,"subtrees":…,…}      the work it belongs to
//! 5d41402a                                               checksum of the lines above
//! record, record, …                                      48 bytes each, one a finished subtree
//! ```
//!
//! *A record is valid if its checksum is right*, at whatever byte it begins. The checksum depends on the header too. A
//! damaged or half-written record is dropped and its subtree counted again; the records after it stay valid. A crash
//! leaves half a record at the end, which is cut off.
//!
//! Records are handed to the operating system in batches, some milliseconds after their subtrees are finished.
//! So a killed process loses the subtrees that its workers are counting, and those that they finished in the
//! last milliseconds. A record begins to be forced to the disk within [`SYNC_INTERVAL`], or when the sync before it ends, if that
//! takes longer; its own sync takes its time, too. So a machine that loses power loses at most the records of these two spans:
//! [`SYNC_INTERVAL`] or one sync, whichever is longer, and one sync more.
//!
//! No time of day is stored or compared.

mod appender;
mod format;
mod table;

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{FinishedSubtree, KnownSubtotals, thread_count};
pub use appender::SYNC_INTERVAL;
use appender::{Appender, Store};
use format::Records;
pub use format::{Contents, Header, Record};
#[doc(hidden)]
pub use table::TableFile;
use tallyboard_files::calls::{Call, fault_point};
use tallyboard_files::whole::{is_lack_of_locks, sync_folder};

/// Reads the journal at `path`, which another process may be writing.
///
/// # Errors
/// If the file cannot be read, is no journal, or its header is damaged.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    read_with(path, Contents::read)
}

/// The header of the journal at `path`. Fails as [`read`] does.
pub fn header(path: &Path) -> Result<Header, JournalError> {
    read_with(path, |file| Ok(Records::begin(file)?.0))
}

/// The subtotals in the journal at `path`. Unlike [`read`], it keeps no records in memory, and it refuses a subtree that is
/// there with two subtotals.
pub fn subtotals(path: &Path) -> Result<KnownSubtotals, JournalError> {
    read_with(path, subtotals_in)
}

fn subtotals_in(file: impl Read) -> Result<KnownSubtotals, Refusal> {
    let mut subtotals = KnownSubtotals::default();
    for record in Records::begin(file)?.1 {
        record?.add_to(&mut subtotals)?;
    }
    Ok(subtotals)
}

/// Opens the file at `path` and returns what `read` makes of it.
fn read_with<T>(
    path: &Path,
    read: impl FnOnce(File) -> Result<T, Refusal>,
) -> Result<T, JournalError> {
    let opened = ensure_file_or_none(path).and_then(|()| Ok(File::open(path)?));
    opened.and_then(read).map_err(JournalError::at(path))
}

/// A journal open for appending, locked against every other process.
///
/// The caller appends what is finished, calls [`sync_if_due`](Self::sync_if_due) several times a
/// second and [`sync`](Self::sync) at the end.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    appender: Appender<File>,
    /// [`Header::salt`].
    salt: u32,
    /// The number of workers, which each record states.
    threads: u32,
    /// Whether the file system keeps other processes out.
    pub locked: bool,
    /// The subtotals that the journal held when it was opened. The caller gives them to the search.
    pub found: Recovery,
}

/// What a journal held when it was opened.
#[non_exhaustive]
#[derive(Debug, Default)]
pub struct Recovery {
    /// Subtotals by subtree.
    pub subtotals: KnownSubtotals,
    /// The number of records that were dropped because their checksum is wrong.
    pub damaged: usize,
    /// The number of bytes of half a record that were cut off the end.
    pub torn: usize,
}

impl Journal {
    /// Begins a journal in a new file, for a run with `threads` workers (0: automatic).
    ///
    /// # Errors
    /// [`Refusal::Exists`] if the file is there, else what the operating system says.
    pub fn create(path: &Path, header: &Header, threads: usize) -> Result<Self, JournalError> {
        let create = || {
            let mut journal = Self::opened(path, header, threads, file_options().create_new(true))?;
            journal.begin(header)?;
            journal.at_its_end()
        };
        create().map_err(JournalError::at(path))
    }

    /// Opens the journal at `path` to continue it, or begins it if there is none. `is_ours` tells whether a
    /// subtree is part of the work.
    ///
    /// # Errors
    /// A [`Refusal`] if the journal belongs to other work, is in use or cannot be trusted; the file
    /// is then left as it was.
    pub fn resume(
        path: &Path,
        header: &Header,
        threads: usize,
        is_ours: impl Fn(usize) -> bool,
    ) -> Result<Self, JournalError> {
        let resume = || {
            let mut journal = Self::opened(path, header, threads, file_options().create(true))?;
            journal.load(header, is_ours)?;
            journal.at_its_end()
        };
        resume().map_err(JournalError::at(path))
    }

    /// A journal in the file at `path`, which it opens by `options` and locks.
    fn opened(
        path: &Path,
        header: &Header,
        threads: usize,
        options: &OpenOptions,
    ) -> Result<Self, Refusal> {
        if header.identity.is_empty() {
            return Err(Refusal::Unnamed);
        }
        ensure_file_or_none(path)?;
        fault_point(Call::Create)?;
        Self::with_lock(path, options.open(path)?, header, threads)
    }

    /// A journal in `file`, which it locks.
    fn with_lock(
        path: &Path,
        file: File,
        header: &Header,
        threads: usize,
    ) -> Result<Self, Refusal> {
        let locked = has_lock(file.try_lock())?;
        Ok(Self {
            path: path.to_owned(),
            appender: Appender::new(file),
            salt: header.salt(),
            // At most `MAX_THREADS`, which `thread_count` never exceeds.
            threads: thread_count(threads) as u32,
            locked,
            found: Recovery::default(),
        })
    }

    /// The journal once its header is there: records follow what its file has now.
    fn at_its_end(mut self) -> Result<Self, Refusal> {
        let length = self.appender.store.metadata()?.len();
        self.appender.begin_at(length);
        Ok(self)
    }

    /// Writes the header into the empty file, and forces it to the disk.
    fn begin(&mut self, header: &Header) -> Result<(), Refusal> {
        let file = &mut self.appender.store;
        file.append(&header.encode())?;
        fault_point(Call::Sync)?;
        file.sync_all()?;
        // The name of a new file is on the disk only when its folder is.
        Ok(sync_folder(&self.path)?)
    }

    /// Reads what the file holds, and cuts half a record off its end.
    fn load(&mut self, header: &Header, is_ours: impl Fn(usize) -> bool) -> Result<(), Refusal> {
        let file = &mut self.appender.store;
        if has_incomplete_header(file, &header.encode())? {
            if file.metadata()?.len() > 0 {
                // Without a lock another process may be writing it now.
                if !self.locked {
                    return Err(Refusal::Header);
                }
                fault_point(Call::Cut)?;
                file.set_len(0)?;
            }
            return self.begin(header);
        }
        file.rewind()?;
        let (found_header, mut records) = Records::begin(&*file)?;
        let differences = header.differences(&found_header);
        if !differences.is_empty() {
            return Err(Refusal::OtherWork(differences));
        }
        let mut subtotals = KnownSubtotals::default();
        for record in records.by_ref() {
            let record = record?;
            if !is_ours(record.id) {
                return Err(Refusal::UnknownSubtree(record.id));
            }
            record.add_to(&mut subtotals)?;
        }
        let Records { damaged, torn, .. } = records;
        self.found = Recovery { subtotals, damaged, torn };
        // Without a lock another process may be writing this record now.
        if torn > 0 && self.locked {
            fault_point(Call::Cut)?;
            file.set_len(file.metadata()?.len() - torn as u64)?;
            fault_point(Call::Sync)?;
            file.sync_all()?;
        }
        Ok(())
    }

    /// Appends these finished subtrees with one write.
    ///
    /// # Errors
    /// The operating system's error with the path, most often a full disk. The caller must not append anything after an
    /// error.
    pub fn append_all(&mut self, finished: &[FinishedSubtree]) -> io::Result<()> {
        let encode =
            |subtree: &FinishedSubtree| Record::new(subtree, self.threads).encode(self.salt);
        let bytes = finished.iter().map(encode).collect::<Vec<_>>().concat();
        self.appender.append(&bytes, Instant::now()).map_err(|error| self.with_path(error))
    }

    /// Begins to force all records to the disk if one of them has waited for [`SYNC_INTERVAL`]. A thread of its own waits
    /// for the disk, so that more can be appended meanwhile. The error may be that of the sync before.
    pub fn sync_if_due(&mut self) -> io::Result<()> {
        self.appender.sync_if_due(Instant::now()).map_err(|error| self.with_path(error))
    }

    /// Forces all records to the disk, and waits for that.
    pub fn sync(&mut self) -> io::Result<()> {
        self.appender.sync().map_err(|error| self.with_path(error))
    }

    /// Whether there are records that no sync covers, not even one that still runs.
    #[doc(hidden)]
    pub fn has_unsynced(&self) -> bool {
        self.appender.has_unsynced()
    }

    /// Whether all records are on the disk.
    #[doc(hidden)]
    pub fn is_on_disk(&self) -> bool {
        self.appender.is_on_disk()
    }

    /// Appends a finished subtree as if that had happened `ago` earlier.
    #[doc(hidden)]
    pub fn append_before(&mut self, finished: &FinishedSubtree, ago: std::time::Duration) {
        let bytes = Record::new(finished, self.threads).encode(self.salt);
        self.appender.append(&bytes, Instant::now() - ago).unwrap();
    }

    /// The subtotals that the file holds now. On Windows the function [`subtotals`] cannot read them: while the file is
    /// locked, not even the same process may read it by another handle.
    pub fn subtotals(&mut self) -> Result<KnownSubtotals, JournalError> {
        let file = &mut self.appender.store;
        let rewound = file.rewind().map_err(Refusal::from);
        let subtotals = rewound.and_then(|()| subtotals_in(&*file));
        subtotals.map_err(JournalError::at(&self.path))
    }

    /// Fails if the file has lost its name or bytes: a later run would not find all that was written.
    ///
    /// # Errors
    /// [`Refusal::Gone`] or [`Refusal::Cut`], or what the operating system says of the open file.
    pub fn ensure_in_place(&self) -> Result<(), JournalError> {
        let check = || {
            let open_file = self.appender.store.metadata()?;
            let named_file = std::fs::metadata(&self.path);
            if !named_file.is_ok_and(|named_file| is_same_file(&open_file, &named_file)) {
                return Err(Refusal::Gone);
            }
            if open_file.len() < self.appender.end {
                return Err(Refusal::Cut(open_file.len(), self.appender.end));
            }
            Ok(())
        };
        check().map_err(JournalError::at(&self.path))
    }

    /// `error` with the path of the journal.
    fn with_path(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("journal {}: {error}", self.path.display()))
    }
}

impl Drop for Journal {
    /// Releases the lock at once. Closing the file alone would not: a child process that is just being
    /// started may still have the file open.
    fn drop(&mut self) {
        // An error is ignored: there may be no lock, and the file is closed next.
        let _ = self.appender.store.unlock();
    }
}

/// The options that open a journal to read it and to append to it.
fn file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    if cfg!(windows) {
        // On Windows `append` alone gives neither the right to cut the file nor the right to lock it. `Store` seeks the end
        // before each write.
        options.write(true);
    } else {
        // Where there are no locks, two processes that append overwrite nothing.
        options.append(true);
    }
    options
}

/// Whether the lock that was attempted keeps other processes out.
fn has_lock(attempt: Result<(), TryLockError>) -> Result<bool, Refusal> {
    match attempt {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(Refusal::Locked),
        // Some network file systems have no locks. A second writer then only wastes work: records are
        // found at any byte offset, and two records of one subtree agree.
        Err(TryLockError::Error(error)) if is_lack_of_locks(&error) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Whether an earlier run ended before it had written the whole `header`. After a power failure, zeros may stand in place
/// of bytes that did not reach the disk. A run writes records only once the header is on the disk, so a file that is longer
/// than the header is something else, even one of zeros.
fn has_incomplete_header(file: &mut File, header: &[u8]) -> io::Result<bool> {
    if file.metadata()?.len() > header.len() as u64 {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    Ok(written < header.len() && header.starts_with(&bytes[..written]))
}

/// Fails if something that is no file is at `path`. A pipe or a device would keep nothing, or block.
fn ensure_file_or_none(path: &Path) -> Result<(), Refusal> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Err(Refusal::Folder),
        Ok(found) if !found.is_file() => Err(Refusal::Device),
        // Creating a file here would fail with "exists", opening one with "not found": neither tells of the link.
        Err(error) if path.is_symlink() => Err(Refusal::Link(error)),
        _ => Ok(()),
    }
}

/// Whether both are the metadata of one file.
#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Always true: the standard library has no numbers of files on this system.
#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
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
    /// The file is the [table](TableFile) of a tally.
    #[error("found the table of a tally, expected the journal of a count")]
    Table,
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

#[cfg(test)]
mod tests;
