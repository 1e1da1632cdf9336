//! Where input comes from and output goes to: `-`, standard output, and files that appear whole or
//! not at all.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::{Context, Result, bail, ensure};
use base::durable::{WholeFile, folder_of, is_special};
use search::Stop;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use sudoku::format::compress::{self, Compression, Encoder};

use super::args::Args;
use super::ending::Usage;
use super::{os, signals};

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The message if reading `path` has failed.
pub fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", name(path))
}

/// Prints `text` and a line break on standard output, with colours as the user wants them.
///
/// Unlike `println!` it reports a closed pipe or a full disk as an error.
pub fn say(text: impl Display) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    let say = || writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    signals::while_writing(say).context("cannot write standard output")
}

/// Prints `text` and a line break on standard error. A run of days may outlive its terminal, so a closed
/// standard error is not an error. If nobody reads it, a signal ends the wait.
pub fn note(text: impl Display) {
    os::write_stderr(format!("{text}\n").as_bytes(), signals::has_patience);
}

/// [`note`], unless the user wants quiet.
pub fn remark(args: &Args, text: impl Display) {
    if !args.quiet {
        note(text);
    }
}

/// Prints one JSON document on standard output.
pub fn say_json(document: &impl Serialize) -> Result<()> {
    say(serde_json::to_string(document)?)
}

/// A count as fields of a report, to be flattened: `solutions`, and `solutions_text` as [`number_fields`] adds it.
pub fn solutions_fields<S: Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    number_fields(["solutions", "solutions_text"], Some(*count), serializer)
}

/// The known count likewise, as `known` and `known_text`; null where none is known.
pub fn known_fields<S: Serializer>(count: &Option<u128>, serializer: S) -> Result<S::Ok, S::Error> {
    number_fields(["known", "known_text"], *count, serializer)
}

/// A number by the first of `names`, and its digits as text by the second where readers that parse numbers as
/// doubles would lose some.
fn number_fields<S: Serializer>(
    names: [&str; 2],
    number: Option<u128>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = number.filter(|&it| it > 1 << f64::MANTISSA_DIGITS).map(|it| it.to_string());
    let mut fields = serializer.serialize_map(None)?;
    fields.serialize_entry(names[0], &number)?;
    if let Some(text) = text {
        fields.serialize_entry(names[1], &text)?;
    }
    fields.end()
}

/// Opens `path`, uncompressed if it is gzip or zstd; `-` is standard input.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    Ok(open_until(path, Arc::default())?.0)
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
            note("tallyboard: reads what you type; Ctrl-D ends it");
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

/// Fails if an output is also an input, or is named twice.
///
/// # Errors
/// [`Usage`], which names the file.
pub fn ensure_apart<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<FileId> = inputs.into_iter().filter_map(FileId::of).collect();
    let mut before: Vec<FileId> = Vec::new();
    for output in outputs.into_iter().filter_map(FileId::of) {
        let path = output.path.display();
        if inputs.contains(&output) {
            bail!(Usage(format!("{path} is read here: expected another name to write to")));
        }
        if before.contains(&output) {
            bail!(Usage(format!("{path} is named for two outputs: expected a file for each")));
        }
        before.push(output);
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
pub struct Output(Encoder<Target>);

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
            Some(path) => Ok((Compression::of_path(path)?, WholeFile::create(path)?)),
            None => Ok((Compression::None, os::stdout()?.into())),
        };
        // Opening a named pipe waits until its reader has opened it.
        let may_wait = path.is_none_or(is_special);
        let opened: io::Result<_> = if may_wait { signals::while_writing(open) } else { open() };
        let (compression, file) = opened.with_context(|| format!("cannot write {name}"))?;
        let target = Target { file, name, may_wait };
        Ok(Self(Encoder::new(target, compression, threads).context("cannot compress")?))
    }

    /// Writes `bytes` as the whole output.
    pub fn put(mut self, bytes: impl AsRef<[u8]>) -> Result<()> {
        self.write_all(bytes.as_ref()).context("cannot write the results")?;
        self.finish()
    }

    /// Puts the finished file in its place.
    pub fn finish(self) -> Result<()> {
        let Target { file, name, .. } = self.0.finish().context("cannot write the results")?;
        file.finish().with_context(|| format!("cannot write {name}"))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
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
        let written = if self.may_wait { signals::while_writing(write) } else { write() };
        written.map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.named(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Report {
        #[serde(flatten, serialize_with = "solutions_fields")]
        solutions: u128,
        #[serde(flatten, serialize_with = "known_fields")]
        known: Option<u128>,
    }

    fn json(solutions: u128, known: Option<u128>) -> String {
        serde_json::to_string(&Report { solutions, known }).unwrap()
    }

    #[test]
    fn numbers_beyond_doubles_are_also_text() {
        let exact = 1 << 53;
        assert_eq!(json(exact, None), r#"{"solutions":9007199254740992,"known":null}"#);
        assert_eq!(
            json(exact + 1, Some(exact)),
            r#"{"solutions":9007199254740993,"solutions_text":"9007199254740993","known":9007199254740992}"#
        );
        assert_eq!(
            json(0, Some(u128::MAX)),
            format!(r#"{{"solutions":0,"known":{0},"known_text":"{0}"}}"#, u128::MAX)
        );
    }
}
