//! Where input comes from and output goes to: `-`, standard output, and files that appear whole or
//! not at all.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
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

/// Opens `path`; `-` is standard input.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(cannot_read)?;
    if file.metadata().with_context(cannot_read)?.is_dir() {
        anyhow::bail!("cannot read {}: found a folder, expected a file", path.display());
    }
    Ok(Box::new(file))
}

/// Standard output, or a file that takes its name only when it is whole.
pub enum Output {
    Stdout(std::io::Stdout),
    File { temporary: NamedTempFile, target: PathBuf },
}

impl Output {
    /// Output to `target`, or to standard output without one or with `-`.
    pub fn create(target: Option<&Path>) -> Result<Self> {
        let Some(target) = target.filter(|&path| path != Path::new("-")) else {
            return Ok(Self::Stdout(std::io::stdout()));
        };
        let folder = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let temporary = NamedTempFile::new_in(folder)
            .with_context(|| format!("cannot write {}", target.display()))?;
        Ok(Self::File { temporary, target: target.to_owned() })
    }

    /// Puts the finished file in its place.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut stdout) => stdout.flush().context("cannot write standard output"),
            Self::File { temporary, target } => {
                let cannot_write = || format!("cannot write {}", target.display());
                temporary.as_file().sync_all().with_context(cannot_write)?;
                temporary
                    .persist(&target)
                    .map_err(|error| error.error)
                    .with_context(cannot_write)?;
                Ok(())
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::File { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File { temporary, .. } => temporary.flush(),
        }
    }
}
