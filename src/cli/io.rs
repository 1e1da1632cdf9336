//! Where input comes from and output goes to: `-`, standard output, and files that appear whole or
//! not at all.

use std::fmt::Display;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tallyboard::search::durable::is_special;
use tallyboard::sudoku::format::compress::{self, Compression, Encoder};
use tempfile::NamedTempFile;

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Prints `text` and a line break on standard output, with colours as the user wants them.
///
/// Unlike `println!` it reports a closed pipe or a full disk as an error.
pub fn say(text: impl Display) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush()).context("cannot write standard output")
}

/// Prints `text` and a line break on standard error. A run that lasts for days outlives the terminal
/// it was started from, so nothing happens if standard error is gone.
pub fn note(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Opens `path`, uncompressed if it is gzip or zstd; `-` is standard input.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return compress::reader(std::io::stdin()).context("cannot read <stdin>");
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(cannot_read)?;
    if file.metadata().with_context(cannot_read)?.is_dir() {
        anyhow::bail!("cannot read {}: found a folder, expected a file", path.display());
    }
    compress::reader(file).with_context(cannot_read)
}

/// Standard output, or a file that takes its name only when it is whole; compressed if the file's
/// suffix says so.
pub struct Output(Encoder<Target>);

enum Target {
    Stdout(std::io::Stdout),
    /// A device or a named pipe: it can be written to, but its name must stay its own.
    Special {
        file: File,
        path: PathBuf,
    },
    File {
        temporary: NamedTempFile,
        path: PathBuf,
    },
}

impl Output {
    /// Output to `path`, or to standard output without one or with `-`.
    pub fn create(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|&path| path != Path::new("-")) else {
            return Self::new(Target::Stdout(std::io::stdout()), Compression::None);
        };
        let cannot_write = || format!("cannot write {}", path.display());
        let target = if is_special(path) {
            let file = OpenOptions::new().write(true).open(path).with_context(cannot_write)?;
            Target::Special { file, path: path.to_owned() }
        } else {
            // A link keeps pointing to the file that it names.
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let temporary = temporary_beside(&path).with_context(cannot_write)?;
            Target::File { temporary, path }
        };
        Self::new(target, Compression::of_path(path))
    }

    fn new(target: Target, compression: Compression) -> Result<Self> {
        Ok(Self(Encoder::new(target, compression).context("cannot compress")?))
    }

    /// Puts the finished file in its place.
    pub fn finish(self) -> Result<()> {
        match self.0.finish().context("cannot write the results")? {
            Target::Stdout(mut stdout) => stdout.flush().context("cannot write standard output"),
            Target::Special { mut file, path } => {
                file.flush().with_context(|| format!("cannot write {}", path.display()))
            }
            Target::File { temporary, path } => {
                let cannot_write = || format!("cannot write {}", path.display());
                temporary.as_file().sync_all().with_context(cannot_write)?;
                temporary.persist(&path).map_err(|error| error.error).with_context(cannot_write)?;
                Ok(())
            }
        }
    }
}

/// The mode of a new file, before the user's mask: a temporary file would be the owner's alone.
fn readable() -> Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// A file for the time being in the folder of `path`, with the rights that `path` has or that any
/// new file gets.
fn temporary_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let rights = std::fs::metadata(path).map(|there| there.permissions());
    // A missing folder is told as the operating system does; other errors would name the temporary
    // file, which nobody has asked for.
    folder.metadata()?;
    let temporary = tempfile::Builder::new()
        .permissions(readable())
        .tempfile_in(folder)
        .map_err(|error| error.kind())?;
    if let Ok(rights) = rights {
        temporary.as_file().set_permissions(rights)?;
    }
    Ok(temporary)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Special { file, .. } => file.write(bytes),
            Self::File { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Special { file, .. } => file.flush(),
            Self::File { temporary, .. } => temporary.flush(),
        }
    }
}
