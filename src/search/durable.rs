//! Files that are whole or not there, whatever happens to the machine.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to `path` so that the name holds either what was there before or all of `bytes`,
/// even if the power fails: a file beside it, forced to the disk, takes the name. Devices and pipes
/// are written to as they are.
///
/// # Errors
/// What the operating system says; nothing is left behind then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let beside = beside(path);
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&beside, path)?;
        sync_folder(path)
    })();
    if written.is_err() {
        // The first error is the one to tell; the file may never have been there.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Whether `path` is there and neither a file nor a folder: a device such as `/dev/null`, a pipe. Its
/// name must not be given to a file.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// A name in the same folder that no other writer uses, on this machine or another.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let random = RandomState::new().hash_one(std::process::id());
    path.with_file_name(format!(".{name}.{random:016x}"))
}

/// Forces the entry of `path` in its folder to the disk.
///
/// # Errors
/// What the operating system says.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
