//! Where input comes from and output goes to: `-`, standard output, and files that appear whole or
//! not at all.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, bail};
use tallyboard_base::bound::MAX_WHOLE_BYTES;
use tallyboard_base::figures::memory_limit;
use tallyboard_files::compress::{self, Compression, Encoder};
use tallyboard_files::whole::{WholeFile, folder_of, is_special};
use tallyboard_search::shard::is_plan_or_result;
use tallyboard_search::{Stop, thread_count};

use crate::terminal::args::{ExitStatus, UsageError};
use crate::terminal::os;
use crate::terminal::print::{eprint_line, program_name, while_writing};
use crate::terminal::signals::Interrupt;

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    match typed(path) {
        _ if path == Path::new("-") => "<stdin>".to_owned(),
        Some(text) if is_link(text) => "<link>".to_owned(),
        Some(_) => "<argument>".to_owned(),
        None => path.display().to_string(),
    }
}

/// Tells a puzzle that was given in place of a file from the name of one.
static IS_PUZZLE: OnceLock<fn(&str) -> bool> = OnceLock::new();

/// Takes texts for their own content, in place of the name of a file, which are puzzles by `is_puzzle`.
pub fn take_puzzles(is_puzzle: fn(&str) -> bool) {
    let _ = IS_PUZZLE.set(is_puzzle);
}

/// The text that was given in place of a file: a link, into which editors of puzzles put the whole puzzle, or the puzzle itself.
pub fn typed(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let is_puzzle = || IS_PUZZLE.get().is_some_and(|is_puzzle| is_puzzle(text));
    // To ask for a file is cheaper than to read its name as a puzzle.
    (!path.exists() && (is_link(text) || is_puzzle())).then_some(text)
}

fn is_link(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// The beginning of a message that `path` cannot be read.
pub fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", name(path))
}

/// Opens `path` for reading; `-` is standard input, and a link or a puzzle is its own text. Input in gzip or zstd is uncompressed.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    Ok(open_until(path, Arc::default())?.0)
}

/// All bytes of `path`, as [`open`] gives them. Fails if they are more than [`MAX_WHOLE_BYTES`]: `expected` says what may be read.
pub fn read(path: &Path, expected: &str) -> Result<Vec<u8>> {
    read_at_most(path, MAX_WHOLE_BYTES, expected)
}

/// [`read`] for a file of one puzzle.
pub fn read_puzzle(path: &Path) -> Result<Vec<u8>> {
    read(path, "one puzzle")
}

/// [`read`] for text in UTF-8.
pub fn read_text(path: &Path, expected: &str) -> Result<String> {
    let text = String::from_utf8(read(path, expected)?);
    text.map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8")
    })
    .with_context(|| cannot_read(path))
}

fn read_at_most(path: &Path, max_bytes: usize, expected: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = open(path)?.take(max_bytes as u64 + 1);
    input.read_to_end(&mut bytes).with_context(|| cannot_read(path))?;
    if bytes.len() > max_bytes {
        bail!(too_long(path, max_bytes, expected));
    }
    Ok(bytes)
}

fn too_long(path: &Path, max_bytes: usize, expected: &str) -> UsageError {
    let limit = memory_limit(max_bytes as u64);
    UsageError(format!("{}: found more than {limit}, expected {expected}", name(path)))
}

/// An input of which the beginning was read to see what it is.
struct Ahead {
    path: PathBuf,
    beginning: Vec<u8>,
    /// What follows the beginning; `None` at the end of the stream, which can be opened again and again then.
    rest: Option<File>,
}

static AHEAD: Mutex<Option<Ahead>> = Mutex::new(None);

/// The first bytes of `path`, at most `most` of them, uncompressed. The next [`open`] gives them once more, of the same file, and of
/// standard input and pipes too.
pub fn look_ahead(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    if typed(path).is_some() {
        open(path)?.take(most).read_to_end(&mut text)?;
        return Ok(text);
    }
    if path != Path::new("-") && !is_special(path) {
        let file = File::open(path).with_context(|| cannot_read(path))?;
        let mut again = file.try_clone().with_context(|| cannot_read(path))?;
        keep_ahead(path, Vec::new(), Some(file));
        open(path)?.take(most).read_to_end(&mut text).with_context(|| cannot_read(path))?;
        again.rewind().with_context(|| cannot_read(path))?;
        keep_ahead(path, Vec::new(), Some(again));
        return Ok(text);
    }
    let (mut beginning, rest) = open_ahead(path)?;
    let wanted = most.saturating_sub(beginning.len() as u64);
    let rest = match rest {
        Some(mut file) => {
            let read = (&mut file).take(wanted).read_to_end(&mut beginning);
            let read = read.with_context(|| cannot_read(path))?;
            (read as u64 == wanted).then_some(file)
        }
        None => None,
    };
    let input =
        compress::reader(io::Cursor::new(beginning.clone())).with_context(|| cannot_read(path))?;
    // Compressed data are cut in the middle here. Whoever reads them whole is told of damage.
    let _ = input.take(most).read_to_end(&mut text);
    keep_ahead(path, beginning, rest);
    Ok(text)
}

fn keep_ahead(path: &Path, beginning: Vec<u8>, rest: Option<File>) {
    let ahead = Ahead { path: path.to_owned(), beginning, rest };
    *AHEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(ahead);
}

/// Opens `path`: what was read ahead of it, and the file with what follows, if anything does. A stream that was read to its end
/// stays for the next call; what was read ahead of any other is given once.
fn open_ahead(path: &Path) -> Result<(Vec<u8>, Option<File>)> {
    let mut ahead = AHEAD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stream) = ahead.as_mut().filter(|stream| stream.path == path) {
        return Ok(match stream.rest.take() {
            None => (stream.beginning.clone(), None),
            rest => (ahead.take().map(|stream| stream.beginning).unwrap_or_default(), rest),
        });
    }
    let file = if path != Path::new("-") {
        File::open(path)
    } else {
        if io::stdin().is_terminal() {
            eprint_line(format_args!("{}: reads what you type; Ctrl-D ends it", program_name()));
        }
        os::stdin()
    };
    Ok((Vec::new(), Some(file.with_context(|| cannot_read(path))?)))
}

/// How much of an input has been read, in bytes of the file, which may be compressed.
#[derive(Default)]
pub struct ReadProgress {
    bytes: AtomicU64,
    /// The length of the file; 0 if it has none, as a pipe.
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
    if let Some(text) = typed(path) {
        let progress = ReadProgress { bytes: AtomicU64::new(0), length: text.len() as u64 };
        return Ok((Box::new(io::Cursor::new(text.to_owned())), Arc::new(progress)));
    }
    let cannot_read = || cannot_read(path);
    let (beginning, file) = open_ahead(path)?;
    let mut input = InterruptibleInput {
        beginning: io::Cursor::new(beginning),
        file,
        stop,
        progress: Arc::default(),
    };
    if let Some(file) = &mut input.file {
        let metadata = file.metadata().with_context(cannot_read)?;
        if metadata.is_dir() {
            let found = "found a folder, expected a file";
            let error = io::Error::new(io::ErrorKind::IsADirectory, found);
            return Err(error).with_context(cannot_read);
        }
        #[cfg(feature = "parquet")]
        if metadata.is_file()
            && let Some(text) = tallyboard_parquet::csv_of(file).with_context(cannot_read)?
        {
            // How much of the file a row takes is not known.
            let progress = Arc::new(ReadProgress { bytes: AtomicU64::new(0), length: 0 });
            return Ok((Box::new(Table { text, stop: input.stop }), progress));
        }
        input.progress =
            Arc::new(ReadProgress { bytes: AtomicU64::new(0), length: metadata.len() });
    }
    let progress = Arc::clone(&input.progress);
    Ok((compress::reader(input).with_context(cannot_read)?, progress))
}

/// Fails if an output is also an input, or is named twice, or if standard input is to be read twice. The [`UsageError`]
/// names the file.
pub fn ensure_apart<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    ensure_read_once(inputs.iter().copied())?;
    let inputs: Vec<FileId> = inputs.into_iter().filter_map(FileId::of).collect();
    let mut earlier_outputs: Vec<FileId> = Vec::new();
    for output in outputs.into_iter().filter_map(FileId::of) {
        let path = output.path.display();
        if inputs.contains(&output) {
            bail!(UsageError(format!("{path} is read here: expected another name to write to")));
        }
        if earlier_outputs.contains(&output) {
            bail!(UsageError(format!("{path} is named for two outputs: expected a file for each")));
        }
        earlier_outputs.push(output);
    }
    Ok(())
}

/// Fails if standard input is named for two inputs.
pub fn ensure_read_once<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    if inputs.into_iter().filter(|&path| path == Path::new("-")).nth(1).is_some() {
        let found = "found - for two inputs, expected it once: standard input can be read once";
        bail!(UsageError::of(found));
    }
    Ok(())
}

/// The identity of a file, whichever of its names is used.
struct FileId {
    path: PathBuf,
    /// The path with links resolved.
    resolved: PathBuf,
    /// Device and inode, if the file exists.
    number: Option<(u64, u64)>,
}

impl FileId {
    /// The identity of the file at `path`; `None` for standard input and output, devices and pipes.
    fn of(path: &Path) -> Option<Self> {
        if path == Path::new("-") || is_special(path) {
            return None;
        }
        // Of a file that does not exist yet, only the folder can be resolved.
        let resolve_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
        let resolved = path.canonicalize().ok().or_else(resolve_folder);
        let resolved = resolved.unwrap_or_else(|| path.to_owned());
        Some(Self { path: path.to_owned(), number: device_and_inode(path), resolved })
    }
}

impl PartialEq for FileId {
    fn eq(&self, other: &Self) -> bool {
        self.resolved == other.resolved || (self.number.is_some() && self.number == other.number)
    }
}

#[cfg(unix)]
fn device_and_inode(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn device_and_inode(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Whether output to `path` goes to a terminal.
pub fn is_screen(path: Option<&Path>) -> bool {
    path.is_none_or(|path| path == Path::new("-")) && io::stdout().is_terminal()
}

/// An input whose reads fail once a flag is raised, even while they wait.
struct InterruptibleInput {
    /// What was read ahead.
    beginning: io::Cursor<Vec<u8>>,
    /// What follows; `None` if nothing does.
    file: Option<File>,
    stop: Arc<Stop>,
    progress: Arc<ReadProgress>,
}

impl InterruptibleInput {
    /// Reads; `None` if no input comes within a moment, so that the caller can check the flag.
    fn read_soon(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let read = self.beginning.read(buffer)?;
        match &mut self.file {
            Some(file) if read == 0 => {
                if os::has_input(file)? {
                    file.read(buffer).map(Some)
                } else {
                    Ok(None)
                }
            }
            _ => Ok(Some(read)),
        }
    }
}

impl Read for InterruptibleInput {
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

/// The text of a table, whose reads fail once a flag is raised.
#[cfg(feature = "parquet")]
struct Table<R> {
    text: R,
    stop: Arc<Stop>,
}

#[cfg(feature = "parquet")]
impl<R: Read> Read for Table<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stop.check().map_err(io::Error::other)?;
        self.text.read(buffer)
    }
}

/// Standard output, or a [`WholeFile`], compressed if its suffix says so.
pub struct Output {
    encoder: Encoder<Target>,
    /// The path, if a file is to appear there once the output is finished. `None` for pipes, devices and standard output,
    /// which get their bytes at once.
    whole_file: Option<PathBuf>,
}

/// The file that bytes go to.
struct Target {
    file: WholeFile,
    /// Its name in messages.
    name: String,
    /// Whether writing may wait for a reader, as with a pipe.
    may_wait: bool,
}

impl Output {
    /// Output to `path`; `None` and `-` stand for standard output.
    pub fn create(path: Option<&Path>) -> Result<Self> {
        Self::with_compression_threads(path, 1)
    }

    /// [`Output::create`] for long output: if the suffix of `path` asks for compression, `threads` threads (0: automatic)
    /// compress it.
    pub fn with_compression_threads(path: Option<&Path>, threads: usize) -> Result<Self> {
        let path = path.filter(|&path| path != Path::new("-"));
        let name = path.map_or("standard output".into(), |path| path.display().to_string());
        let open = || match path {
            // Refused here, since a long run would fail at its end, when the file cannot take the folder's name.
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
        let threads = thread_count(threads);
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

    /// As [`interrupted`](Self::interrupted), for a run that does not count what it writes. `whole` is what the output
    /// would be if it were whole, such as `the list`.
    pub fn interrupted_in(self, interrupt: &Interrupt, whole: &str) -> Result<ExitStatus> {
        self.end_early(interrupt, "", &format!("{whole} is not whole"))
    }

    /// Ends the output of a run that a signal has stopped. A file is not written; any other output keeps the bytes that it
    /// got. Prints this with the number of results `made`, such as `3 rows`, and returns how the run ends.
    pub fn interrupted(self, interrupt: &Interrupt, made: &str) -> Result<ExitStatus> {
        self.end_early(interrupt, &format!("{made} made, "), &format!("{made} written"))
    }

    /// Prints that the file is not written, after `lost`, or flushes any other output and prints `kept`.
    fn end_early(mut self, interrupt: &Interrupt, lost: &str, kept: &str) -> Result<ExitStatus> {
        let details = match &self.whole_file {
            Some(path) => format!("; {lost}{} is not written", path.display()),
            None => {
                self.flush()?;
                format!("; {kept}")
            }
        };
        Ok(interrupt.report_interruption(&details))
    }
}

/// Adds advice to the error of creating a file, if the file at `path` may be written but its folder may not. A new file,
/// which takes its place once it is whole, cannot be made then.
fn advise_of_folder(path: &Path, error: io::Error) -> io::Error {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let is_folder_closed = matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem);
    let is_file_open = || File::options().append(true).open(path).is_ok();
    if !is_folder_closed || !is_file_open() {
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
        assert_eq!(read_at_most(file.path(), 4, "one puzzle").unwrap(), b"1234");
        let message = read_at_most(file.path(), 3, "one puzzle").unwrap_err().to_string();
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
