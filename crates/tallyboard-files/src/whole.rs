//! Files that appear complete or not at all, even if the machine fails.

use std::fs::{File, Metadata, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::calls::{Call, fault_point};

/// The files that are being written, for [`discard_unfinished`].
static UNFINISHED: Mutex<Vec<PartialFile>> = Mutex::new(Vec::new());

/// A file under its temporary name.
struct PartialFile {
    name: PathBuf,
    /// The file is complete and is being copied over its target, which is incomplete meanwhile.
    is_only_copy: bool,
}

/// A file that is written under a temporary name and gets its own name in [`finish`](Self::finish). If it is dropped
/// before, the file that has this name stays as it was.
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
    /// The target, opened, if its bytes are to be overwritten instead of replacing the file.
    overwritten: Option<File>,
}

impl WholeFile {
    /// A file that will take the name `path`.
    ///
    /// # Errors
    /// If there is no such folder, no file can be made in it, or `path` is a circle of links.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        let old_metadata = target.metadata();
        if is_special(&target) {
            fault_point(Call::Create)?;
            let file = OpenOptions::new().append(true).open(&target)?;
            return Ok(file.into());
        }
        // Looked at first, so that the error of a missing folder is that of the folder, not of the temporary file.
        folder_of(&target).metadata()?;
        let (file, mut temporary) = TemporaryFile::create(temporary_name(&target), target)?;
        if let Ok(old_metadata) = old_metadata {
            file.set_permissions(old_metadata.permissions())?;
            if has_what_new_file_lacks(&temporary.target, &old_metadata, &file.metadata()?) {
                let target = OpenOptions::new().write(true).open(&temporary.target)?;
                temporary.overwritten = Some(target);
            }
        }
        Ok(Self { file, temporary: Some(temporary) })
    }

    /// The file under another handle. What is locked by it stays locked when the file takes its name, until the handle is closed.
    pub fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Forces the file to the disk and gives it its name.
    ///
    /// # Errors
    /// What the operating system says. The file that has the name is then as it was, with two exceptions, which the error
    /// states: a file that had to be overwritten may be incomplete, and the new file may have its name already, but not for
    /// certain after a loss of power.
    pub fn finish(self) -> io::Result<()> {
        let Self { mut file, temporary } = self;
        let Some(mut temporary) = temporary else { return file.flush() };
        fault_point(Call::Sync)?;
        file.sync_all()?;
        if let Some(target) = temporary.overwritten.take() {
            temporary.set_only_copy(true);
            write_over(file, target).map_err(|error| temporary.overwriting_failed(&error))?;
            temporary.set_only_copy(false);
            return Ok(());
        }
        drop(file);
        temporary.take_its_name()?;
        sync_name(&temporary.target)
    }
}

/// Overwrites `target` with the bytes of `file`.
fn write_over(mut file: File, mut target: File) -> io::Result<()> {
    file.rewind()?;
    fault_point(Call::Write)?;
    let length = io::copy(&mut file, &mut target)?;
    fault_point(Call::Cut)?;
    target.set_len(length)?;
    fault_point(Call::Sync)?;
    target.sync_all()
}

impl TemporaryFile {
    /// Creates the file `name`, which is to replace `target`.
    fn create(name: PathBuf, target: PathBuf) -> io::Result<(File, Self)> {
        // Registered before it is created: a signal may come between the two.
        unfinished().push(PartialFile { name: name.clone(), is_only_copy: false });
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        match fault_point(Call::Create).and_then(|()| options.open(&name)) {
            Ok(file) => Ok((file, Self { name, target, overwritten: None })),
            Err(error) => {
                // If there is a file of this name, it is another writer's, so it must not be removed.
                unfinished().retain(|file| file.name != name);
                // Only the kind of the error: its text is about the temporary name, which the user does not know.
                Err(error.kind().into())
            }
        }
    }

    /// Renames the file to its target. After [`discard_unfinished`], which keeps the lock, this never returns: the program
    /// is about to end.
    fn take_its_name(&self) -> io::Result<()> {
        let _lock = unfinished();
        fault_point(Call::Rename)?;
        std::fs::rename(&self.name, &self.target)
    }

    /// Sets [`PartialFile::is_only_copy`]. A failure or a signal leaves the only copy in place.
    fn set_only_copy(&self, is_only_copy: bool) {
        for file in unfinished().iter_mut().filter(|file| file.name == self.name) {
            file.is_only_copy = is_only_copy;
        }
    }

    /// The error if the target could not be overwritten. It names the complete copy.
    fn overwriting_failed(&self, error: &io::Error) -> io::Error {
        let target = self.target.display();
        let name = self.name.display();
        io::Error::new(error.kind(), format!("{error}; {target} is incomplete, {name} is whole"))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        let index = unfinished.iter().position(|file| file.name == self.name);
        if index.is_some_and(|index| !unfinished.swap_remove(index).is_only_copy) {
            // An error is ignored: a file that was renamed has this name no more.
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

/// Removes every unfinished file, for programs that exit at once. Returns the names of those that stay because they are
/// the only complete copy of what was being overwritten. No [`WholeFile`] can be created or finished afterwards.
pub fn discard_unfinished() -> Vec<PathBuf> {
    let mut unfinished = unfinished();
    let mut kept = Vec::new();
    for PartialFile { name, is_only_copy } in unfinished.drain(..) {
        if is_only_copy {
            kept.push(name);
        } else {
            let _ = std::fs::remove_file(name);
        }
    }
    // The lock is kept to the end of the program, so no other thread can create or rename a file.
    std::mem::forget(unfinished);
    kept
}

/// Writes `bytes` to `path` as a [`WholeFile`]. After an error no temporary file is left behind, unless it is the only whole
/// copy of a file that was being overwritten.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// The path that `path` leads to when links are followed; the file need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// Linux follows as many links, and calls more of them a circle.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&path) {
            // A relative link starts in the folder of the link, an absolute one replaces the whole path.
            Ok(link) if !is_descriptor(&path) => path = path.with_file_name("").join(link),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("found a circle of links, expected a file"))
}

/// Whether `path` is a device such as `/dev/null`, a pipe, or stands for an open file. A file must not replace it.
pub fn is_special(path: &Path) -> bool {
    is_descriptor(path) || path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether `path` stands for an open file.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.parent().is_some_and(|folder| {
            folder == Path::new("/dev/fd")
                || (folder.starts_with("/proc") && folder.ends_with("fd"))
        })
}

/// Whether `target` has further hard links, another owner than the `new` file, or an access list. All of these would be
/// lost if the new file took its place. `old` is the metadata of `target`.
#[cfg(unix)]
fn has_what_new_file_lacks(target: &Path, old: &Metadata, new: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let has_attribute = |name| rustix::fs::getxattr(target, name, &mut [0_u8; 0][..]).is_ok();
    old.nlink() > 1
        || (old.uid(), old.gid()) != (new.uid(), new.gid())
        || has_attribute("system.posix_acl_access")
}

#[cfg(not(unix))]
fn has_what_new_file_lacks(_: &Path, _: &Metadata, _: &Metadata) -> bool {
    false
}

/// A temporary name in the folder of `path` that no other writer uses, on this machine or another. A long name is cut, or the
/// temporary one would be longer than file systems allow.
fn temporary_name(path: &Path) -> PathBuf {
    const MOST_CHARS: usize = 50;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(MOST_CHARS).collect();
    let random = RandomState::new().hash_one(std::process::id());
    path.with_file_name(format!(".{name}.{random:016x}"))
}

/// [`sync_folder`] after a file was renamed to `path`. Its error says that the file is complete.
pub fn sync_name(path: &Path) -> io::Result<()> {
    sync_folder(path).map_err(|error| {
        let name = path.display();
        let message =
            format!("{error}; {name} is complete, but a loss of power soon may undo that");
        io::Error::new(error.kind(), message)
    })
}

/// Forces the entry of `path` in its folder to the disk.
///
/// A folder that may be written but not read cannot be opened for this, and some file systems cannot sync folders. Both
/// are no errors: these systems are trusted to keep the entry by themselves, as databases trust them.
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

/// Whether a file system gives `error` to whoever wants a lock because it has no locks. NFS without its daemon says that no lock is
/// left (`ENOLCK`), Lustre and FUSE lack the function, and others do not support the operation.
pub fn is_lack_of_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        if is_one_of(
            error,
            &[Errno::NOLCK, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL],
        ) {
            return true;
        }
    }
    error.kind() == io::ErrorKind::Unsupported
}

/// Whether a file system that cannot sync folders gives `error` for that.
#[cfg(unix)]
fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    is_one_of(error, &[Errno::INVAL, Errno::BADF, Errno::NOTSUP, Errno::NOSYS, Errno::ISDIR])
}

#[cfg(unix)]
fn is_one_of(error: &io::Error, numbers: &[rustix::io::Errno]) -> bool {
    numbers.iter().any(|number| error.raw_os_error() == Some(number.raw_os_error()))
}

#[cfg(not(unix))]
fn is_unsupported(_: &io::Error) -> bool {
    false
}

/// The folder that holds `path`.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|&folder| folder != Path::new("")).unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests;
