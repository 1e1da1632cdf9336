//! Where input comes from and output goes to: `-`, standard output, and files that appear whole or
//! not at all.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, Result, bail, ensure};
use base::figures::memory_limit;
use search::Stop;
use search::durable::{WholeFile, folder_of, is_special};
use search::shard::is_plan_or_result;
use sudoku::format::compress::{self, Compression, Encoder};

use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::name::program_name;
use crate::terminal::os;
use crate::terminal::print::eprint_line;
use crate::terminal::signals::Interrupt;
use crate::terminal::waiting::while_writing;

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The message if reading `path` has failed.
pub fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", name(path))
}

/// Opens `path`, uncompressed if it is gzip or zstd; `-` is standard input.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    Ok(open_until(path, Arc::default())?.0)
}

/// All bytes of `path`, as [`open`] gives them.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).with_context(|| cannot_read(path))?;
    Ok(bytes)
}

/// Bytes that a file of one puzzle may have.
const LONGEST_PUZZLE: u64 = 256 << 20;

/// [`read`] for a file of one puzzle: one that is longer, such as `/dev/zero`, would take all memory.
pub fn read_puzzle(path: &Path) -> Result<Vec<u8>> {
    read_at_most(path, LONGEST_PUZZLE)
}

fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut bytes).with_context(|| cannot_read(path))?;
    if bytes.len() as u64 > most {
        let most = memory_limit(most);
        bail!(UsageError(format!("{}: found more than {most}, expected one puzzle", name(path))));
    }
    Ok(bytes)
}

/// How much of an input has been read, in bytes of the file.
pub struct ReadProgress {
    bytes: AtomicU64,
    length: u64,
}

impl ReadProgress {
    /// The bytes read, and the length of the file if it has one.
    pub fn now(&self) -> (u64, Option<u64>) {
        (self.bytes.load(Relaxed), Some(self.length).filter(|&length| length > 0))
    }
}

/// An input, and the count of the bytes read from it.
pub type TrackedInput = (Box<dyn Read + Send>, Arc<ReadProgress>);

/// [`open`] for input whose reads fail once `stop` is raised, even while they wait.
pub fn open_until(path: &Path, stop: Arc<Stop>) -> Result<TrackedInput> {
    let cannot_read = || cannot_read(path);
    let input = if path != Path::new("-") {
        File::open(path)
    } else {
        if io::stdin().is_terminal() {
            eprint_line(format_args!("{}: reads what you type; Ctrl-D ends it", program_name()));
        }
        os::stdin()
    };
    let input = input.with_context(cannot_read)?;
    let metadata = input.metadata().with_context(cannot_read)?;
    ensure!(!metadata.is_dir(), "{}: found a folder, expected a file", cannot_read());
    let read = Arc::new(ReadProgress { bytes: AtomicU64::new(0), length: metadata.len() });
    let input = Interruptible { input, stop, progress: Arc::clone(&read) };
    Ok((compress::reader(input).with_context(cannot_read)?, read))
}

/// Fails if an output is also an input, or is named twice, or if standard input is to be read twice.
///
/// # Errors
/// [`UsageError`], which names the file.
pub fn ensure_apart<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    ensure_read_once(inputs.iter().copied())?;
    let inputs: Vec<FileId> = inputs.into_iter().filter_map(FileId::of).collect();
    let mut before: Vec<FileId> = Vec::new();
    for output in outputs.into_iter().filter_map(FileId::of) {
        let path = output.path.display();
        if inputs.contains(&output) {
            bail!(UsageError(format!("{path} is read here: expected another name to write to")));
        }
        if before.contains(&output) {
            bail!(UsageError(format!("{path} is named for two outputs: expected a file for each")));
        }
        before.push(output);
    }
    Ok(())
}

/// Fails if standard input is named for two inputs.
///
/// # Errors
/// [`UsageError`].
pub fn ensure_read_once<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    if inputs.into_iter().filter(|&path| path == Path::new("-")).nth(1).is_some() {
        let found = "found - for two inputs, expected it once: standard input can be read once";
        bail!(UsageError(found.to_owned()));
    }
    Ok(())
}

/// The identity of a file, whichever of its names is used.
struct FileId {
    path: PathBuf,
    /// The path with links resolved.
    real: PathBuf,
    /// Device and inode, if the file exists.
    number: Option<(u64, u64)>,
}

impl FileId {
    /// `None` for what is no file: standard input and output, devices and pipes.
    fn of(path: &Path) -> Option<Self> {
        if path == Path::new("-") || is_special(path) {
            return None;
        }
        let there = path.canonicalize();
        let new = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
        let real = there.ok().or_else(new).unwrap_or_else(|| path.to_owned());
        Some(Self { path: path.to_owned(), number: number_of(path), real })
    }
}

impl PartialEq for FileId {
    fn eq(&self, other: &Self) -> bool {
        self.real == other.real || (self.number.is_some() && self.number == other.number)
    }
}

#[cfg(unix)]
fn number_of(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|there| (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn number_of(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Whether output to `path` goes to a terminal.
pub fn is_screen(path: Option<&Path>) -> bool {
    path.is_none_or(|path| path == Path::new("-")) && io::stdout().is_terminal()
}

/// An input whose reads fail once a flag is raised, even while they wait.
struct Interruptible {
    input: File,
    stop: Arc<Stop>,
    progress: Arc<ReadProgress>,
}

impl Interruptible {
    /// Reads; `None` if no input comes within a moment, so that the caller can check the flag.
    fn read_soon(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        if os::has_input(&self.input)? { self.input.read(buffer).map(Some) } else { Ok(None) }
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.stop.check().map_err(io::Error::other)?;
            match self.read_soon(buffer) {
                Ok(Some(read)) => {
                    self.progress.bytes.fetch_add(read as u64, Relaxed);
                    return Ok(read);
                }
                Ok(None) => {}
                // A signal that ends nothing, such as the one that asks for progress.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Standard output, or a [`WholeFile`], compressed if its suffix says so.
pub struct Output {
    encoder: Encoder<Target>,
    /// The file that is there only if the output is finished.
    whole_file: Option<PathBuf>,
}

/// Where bytes go, by the name that the user gave.
struct Target {
    file: WholeFile,
    name: String,
    /// Whether writing may wait for a reader, as with a pipe.
    may_wait: bool,
}

impl Output {
    /// Output to `path`, or to standard output without one or with `-`.
    pub fn create(path: Option<&Path>) -> Result<Self> {
        Self::on_threads(path, 1)
    }

    /// [`Output::create`] for long output, which `threads` threads (0: automatic) compress if the suffix of
    /// `path` says so.
    pub fn on_threads(path: Option<&Path>, threads: usize) -> Result<Self> {
        let path = path.filter(|&path| path != Path::new("-"));
        let name = path.map_or("standard output".into(), |path| path.display().to_string());
        let open = || match path {
            // Not left to the end, when a file would have to take the folder's place.
            Some(path) if path.is_dir() => {
                Err(io::Error::other("found a folder, expected a file: name one in it"))
            }
            Some(path) if is_plan_or_result(path) => Err(io::Error::other(
                "it holds a plan or a result of a cluster: name another file, or remove this one",
            )),
            Some(path) => Ok((
                Compression::of_path(path)?,
                WholeFile::create(path).map_err(|error| advise_of_folder(path, error))?,
            )),
            None => Ok((Compression::None, os::stdout()?.into())),
        };
        let whole_file = path.filter(|path| !is_special(path)).map(Path::to_owned);
        // Opening a named pipe waits until its reader has opened it.
        let may_wait = whole_file.is_none();
        let opened: io::Result<_> = if may_wait { while_writing(open) } else { open() };
        let (compression, file) = opened.with_context(|| format!("cannot write {name}"))?;
        let target = Target { file, name, may_wait };
        let encoder = Encoder::new(target, compression, threads).context("cannot compress")?;
        Ok(Self { encoder, whole_file })
    }

    /// Writes `bytes` as the whole output.
    pub fn put(mut self, bytes: impl AsRef<[u8]>) -> Result<()> {
        self.write_all(bytes.as_ref()).context("cannot write the results")?;
        self.finish()
    }

    /// Puts the finished file in its place.
    pub fn finish(self) -> Result<()> {
        let Target { file, name, .. } =
            self.encoder.finish().context("cannot write the results")?;
        file.finish().with_context(|| format!("cannot write {name}"))
    }

    /// As [`interrupted`](Self::interrupted), of a run that does not know how much it has made of `what`, such as `the list`.
    pub fn interrupted_in(mut self, interrupt: &Interrupt, what: &str) -> Result<ExitStatus> {
        let ending = match &self.whole_file {
            Some(path) => format!("; {} is not written", path.display()),
            None => {
                self.flush()?;
                format!("; {what} is not whole")
            }
        };
        Ok(interrupt.report_interruption(&ending))
    }

    /// Ends the output of a run that a signal has stopped: a file is not written, everything else has what came before.
    /// Says so, with the number of what was `made`, such as `3 rows`, and returns how the run ends.
    pub fn interrupted(mut self, interrupt: &Interrupt, made: &str) -> Result<ExitStatus> {
        let what = match &self.whole_file {
            Some(path) => format!("; {made} made, {} is not written", path.display()),
            None => {
                self.flush()?;
                format!("; {made} written")
            }
        };
        Ok(interrupt.report_interruption(&what))
    }
}

/// Says what to do if a file may be written and its folder not, in which a new file is to take its place.
fn advise_of_folder(path: &Path, error: io::Error) -> io::Error {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let is_folder_closed = matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem);
    if !is_folder_closed || File::options().append(true).open(path).is_err() {
        return error;
    }
    let advice = "its folder takes no new file, which becomes it once it is whole; to write over it as rows come, \
                  leave out -o and redirect the output";
    io::Error::new(error.kind(), format!("{error}: {advice} (> {})", path.display()))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encoder.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

impl Target {
    /// `error` with the name of the output.
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.name))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut write = || self.file.write(bytes);
        let written = if self.may_wait { while_writing(write) } else { write() };
        written.map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.named(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_as_long_as_may_be_and_no_longer() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "1234").unwrap();
        assert_eq!(read_at_most(file.path(), 4).unwrap(), b"1234");
        let message = read_at_most(file.path(), 3).unwrap_err().to_string();
        assert!(message.ends_with("found more than 3 bytes, expected one puzzle"), "{message}");
    }

    #[test]
    fn a_file_that_may_be_written_in_a_folder_that_may_not_is_advised_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let advice = || advise_of_folder(&path, io::ErrorKind::PermissionDenied.into()).to_string();
        assert_eq!(advice(), "permission denied");
        std::fs::write(&path, "").unwrap();
        assert!(advice().ends_with(&format!("redirect the output (> {})", path.display())));
        let full = advise_of_folder(&path, io::ErrorKind::StorageFull.into());
        assert_eq!(full.to_string(), "no storage space");
    }
}
