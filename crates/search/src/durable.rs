//! Files that appear complete or not at all, even if the machine fails.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use calls::{Call, fault_point};

/// The files that are being written, for [`discard_unfinished`].
static UNFINISHED: Mutex<Vec<PartialFile>> = Mutex::new(Vec::new());

struct PartialFile {
    name: PathBuf,
    /// It is complete and is being copied over its target, which is incomplete meanwhile.
    is_only_copy: bool,
}

/// A file that is written under a temporary name and gets its own name in [`finish`](Self::finish). Dropping
/// it before leaves what has that name as it was.
///
/// * A link stays, and the file that it names is written, whether it exists yet or not.
/// * Devices, pipes and open files (`/dev/stdout`, `/dev/fd`) are appended to directly.
/// * A file with further hard links, another owner or an access list would lose these to a new file. So once
///   the temporary file is complete, its bytes are copied over such a file. If that fails half-way, the
///   temporary file stays, and the error names it.
#[derive(Debug)]
#[must_use = "the file takes its name in `finish`"]
pub struct WholeFile {
    file: File,
    temporary: Option<TemporaryFile>,
}

#[derive(Debug)]
struct TemporaryFile {
    name: PathBuf,
    target: PathBuf,
    /// The target, if its bytes are to be overwritten instead of replacing the file.
    over: Option<File>,
}

impl WholeFile {
    /// A file that will take the name `path`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        let there = target.metadata();
        if is_special(&target) {
            fault_point(Call::Create)?;
            let file = OpenOptions::new().append(true).open(&target)?;
            return Ok(file.into());
        }
        folder_of(&target).metadata()?;
        let name = temporary_name(&target);
        // Registered before it is created: a signal may come between the two.
        unfinished().push(PartialFile { name: name.clone(), is_only_copy: false });
        let mut temporary = TemporaryFile { name, target, over: None };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let file = fault_point(Call::Create).and_then(|()| options.open(&temporary.name));
        // Only the kind of error: it concerns the temporary name, which the user does not know.
        let file = file.map_err(|error| error.kind())?;
        if let Ok(there) = there {
            file.set_permissions(there.permissions())?;
            if would_lose_something(&temporary.target, &there, &file.metadata()?) {
                temporary.over = Some(OpenOptions::new().write(true).open(&temporary.target)?);
            }
        }
        Ok(Self { file, temporary: Some(temporary) })
    }

    /// Forces the file to the disk and gives it its name.
    ///
    /// # Errors
    /// What the operating system says. What has the name is then as it was, unless it had to be overwritten.
    pub fn finish(self) -> io::Result<()> {
        let Self { mut file, temporary } = self;
        let Some(mut temporary) = temporary else { return file.flush() };
        fault_point(Call::Sync)?;
        file.sync_all()?;
        if let Some(over) = temporary.over.take() {
            temporary.keep(true);
            write_over(file, over).map_err(|error| temporary.kept(&error))?;
            temporary.keep(false);
            return Ok(());
        }
        drop(file);
        temporary.take_its_name()?;
        sync_name(&temporary.target)
    }
}

/// Overwrites `over` with the bytes of `file`.
fn write_over(mut file: File, mut over: File) -> io::Result<()> {
    file.rewind()?;
    fault_point(Call::Write)?;
    let length = io::copy(&mut file, &mut over)?;
    fault_point(Call::Cut)?;
    over.set_len(length)?;
    fault_point(Call::Sync)?;
    over.sync_all()
}

impl TemporaryFile {
    /// Renames the file to its target. Waits for ever if the program is ending.
    fn take_its_name(&self) -> io::Result<()> {
        let _unless_discarded = unfinished();
        fault_point(Call::Rename)?;
        std::fs::rename(&self.name, &self.target)
    }

    /// Sets whether a failure or a signal leaves the file in place.
    fn keep(&self, is_only_copy: bool) {
        for it in unfinished().iter_mut().filter(|it| it.name == self.name) {
            it.is_only_copy = is_only_copy;
        }
    }

    /// The error of a failure while the target was overwritten, which names the complete copy.
    fn kept(&self, error: &io::Error) -> io::Error {
        let target = self.target.display();
        let name = self.name.display();
        io::Error::new(error.kind(), format!("{error}; {target} is incomplete, {name} is whole"))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        let at = unfinished.iter().position(|it| it.name == self.name);
        if at.is_some_and(|at| !unfinished.swap_remove(at).is_only_copy) {
            // Ignored: it is gone already if it was renamed.
            let _ = std::fs::remove_file(&self.name);
        }
    }
}

impl From<File> for WholeFile {
    /// A file that is open already, to be written as it is.
    fn from(file: File) -> Self {
        Self { file, temporary: None }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        fault_point(Call::Write)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PartialFile>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every unfinished file, for programs that exit at once. Returns the names of those that stay
/// because they are the only complete copy of what was being overwritten. No [`WholeFile`] can be created or
/// finished afterwards.
pub fn discard_unfinished() -> Vec<PathBuf> {
    let mut unfinished = unfinished();
    let (kept, discarded): (Vec<_>, Vec<_>) = unfinished.drain(..).partition(|it| it.is_only_copy);
    // The lock is kept to the end of the program, so no other thread can create or rename a file.
    std::mem::forget(unfinished);
    for it in discarded {
        let _ = std::fs::remove_file(it.name);
    }
    kept.into_iter().map(|it| it.name).collect()
}

/// Writes `bytes` to `path` as a [`WholeFile`].
///
/// # Errors
/// What the operating system says; nothing is left behind then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// The path that `path` leads to when links are followed; the file need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // Linux follows as many links.
    for _ in 0..40 {
        match std::fs::read_link(&path) {
            Ok(link) if !is_descriptor(&path) => path = path.with_file_name("").join(link),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("found a circle of links, expected a file"))
}

/// Whether `path` is a device such as `/dev/null`, a pipe, or stands for an open file. A file must not
/// replace it.
pub fn is_special(path: &Path) -> bool {
    is_descriptor(path) || path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// Whether `path` stands for an open file.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.parent().is_some_and(|folder| {
            folder == Path::new("/dev/fd")
                || (folder.starts_with("/proc") && folder.ends_with("fd"))
        })
}

/// Whether `target` has hard links, another owner or an access list, which a new file in its place would
/// lose.
#[cfg(unix)]
fn would_lose_something(target: &Path, there: &std::fs::Metadata, new: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let listed = |name| rustix::fs::getxattr(target, name, &mut [0_u8; 0][..]).is_ok();
    there.nlink() > 1
        || (there.uid(), there.gid()) != (new.uid(), new.gid())
        || listed("system.posix_acl_access")
}

#[cfg(not(unix))]
fn would_lose_something(_: &Path, _: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    false
}

/// A temporary name in the folder of `path` that no other writer uses, on this machine or another.
fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let random = RandomState::new().hash_one(std::process::id());
    path.with_file_name(format!(".{name}.{random:016x}"))
}

/// [`sync_folder`] after `path` was renamed, with an error that says so.
pub(crate) fn sync_name(path: &Path) -> io::Result<()> {
    sync_folder(path).map_err(|error| {
        let name = path.display();
        let message =
            format!("{error}; {name} is complete, but a loss of power soon may undo that");
        io::Error::new(error.kind(), message)
    })
}

/// Forces the entry of `path` in its folder to the disk, as far as the folder lets it: one that may be written
/// but not read cannot be opened for it, and some file systems cannot sync folders. They are trusted to keep
/// the entry by themselves, as databases trust them.
///
/// # Errors
/// What else the operating system says, such as a disk that fails.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let opened = fault_point(Call::OpenFolder).and_then(|()| File::open(folder_of(path)));
    let folder = match opened {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(error) => return Err(error),
    };
    match fault_point(Call::SyncFolder).and_then(|()| folder.sync_all()) {
        Err(error) if is_unsupported(&error) => Ok(()),
        synced => synced,
    }
}

/// Whether a file system that cannot sync folders gives `error` for that.
#[cfg(unix)]
fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let cannot = [Errno::INVAL, Errno::BADF, Errno::NOTSUP, Errno::NOSYS, Errno::ISDIR];
    cannot.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

#[cfg(not(unix))]
fn is_unsupported(_: &io::Error) -> bool {
    false
}

/// The folder that holds `path`.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|&folder| folder != Path::new("")).unwrap_or(Path::new("."))
}

/// The calls that decide what a crash leaves. Each asks [`may`](calls::may) before; so tests see their order,
/// and can make any of them fail.
pub(crate) mod calls {
    use std::io;

    /// A call to the operating system.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Call {
        /// Creates a file, or opens one to write it.
        Create,
        Write,
        /// Changes a file's length.
        Cut,
        /// Forces a file to the disk.
        Sync,
        Rename,
        OpenFolder,
        SyncFolder,
    }

    /// Whether a call may be made; only a test fails it.
    #[cfg(not(test))]
    #[inline]
    pub(crate) fn fault_point(_: Call) -> io::Result<()> {
        Ok(())
    }

    #[cfg(test)]
    pub(crate) use in_tests::{failing, fault_point};

    #[cfg(test)]
    mod in_tests {
        use std::cell::RefCell;

        use super::*;

        /// The calls of this thread since [`failing`] began, the one that fails, and its error.
        struct Log {
            calls: Vec<Call>,
            fails: usize,
            error: fn() -> io::Error,
        }

        thread_local! {
            static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
        }

        pub(crate) fn fault_point(call: Call) -> io::Result<()> {
            LOG.with_borrow_mut(|log| {
                let Some(log) = log else { return Ok(()) };
                log.calls.push(call);
                if log.calls.len() - 1 == log.fails { Err((log.error)()) } else { Ok(()) }
            })
        }

        /// What `act` gives if its call number `fails`, from 0, ends with `error`, and all calls that it made.
        pub(crate) fn failing<T>(
            fails: usize,
            error: fn() -> io::Error,
            act: impl FnOnce() -> T,
        ) -> (T, Vec<Call>) {
            LOG.set(Some(Log { calls: Vec::new(), fails, error }));
            let result = act();
            (result, LOG.take().unwrap().calls)
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
