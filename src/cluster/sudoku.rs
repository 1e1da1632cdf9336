//! Shards of a sudoku file. A shard is a range of bytes; its rows go to a file in the folder of its result.
//! The merge joins the rows of all shards in the order of the file.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use crc32fast::Hasher;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_search::shard::{FolderResults, file_name};
use tallyboard_sudoku::BadLine;
use tallyboard_sudoku::format::Form;
use tallyboard_sudoku::stream::{Settings, StreamError, Summary, solve_stream};

use super::plan::{Piece, Sudoku, SudokuBody};
use super::run::{Failure, Shard, files_of_shards};
use crate::terminal::{Args, ExitStatus, Output, cannot_read, ensure_apart, eprint_line, info};

/// Solves the shard's puzzles. A shard takes minutes, so an interrupted one starts from the beginning.
pub fn run(job: &Sudoku, shard: &Shard) -> Result<ExitStatus, Failure> {
    if job.work() != *shard.work {
        return Err(Failure::permanent(anyhow!("the plan's pieces are not those of its work")));
    }
    let rows = shard.path("rows");
    if let Some(done) = shard.result::<SudokuBody>()? {
        if is_sound(&rows, &done) {
            shard.info("done already");
            return Ok(ExitStatus::Done);
        }
        eprint_line(format_args!(
            "{}: the rows are damaged; solving the shard again",
            rows.display()
        ));
    }
    let Some((body, summary)) = solve(job, shard, &rows)? else {
        shard.info("interrupted; start it again");
        return Ok(ExitStatus::Resumable);
    };
    shard.finish(body, None)?;
    let puzzles = counted(summary.puzzles(), "puzzle");
    let seconds = summary.elapsed.as_secs_f64();
    shard.info(&format!("{puzzles} in {seconds:.1} s"));
    Ok(ExitStatus::Done)
}

/// Solves the shard's puzzles into the file `rows`; `None` if a signal came first.
fn solve(
    job: &Sudoku,
    shard: &Shard,
    rows: &Path,
) -> Result<Option<(SudokuBody, Summary)>, Failure> {
    let piece = &job.pieces[shard.number];
    let mut input = ChecksumStream::new(piece_of(job, piece)?);
    let mut output = ChecksumStream::new(BufWriter::new(Output::create(Some(rows))?));
    let settings = Settings {
        limit: job.limit,
        threads: shard.args.threads,
        ..Settings::new(shard.interrupt.stop())
    };
    let mut report_bad = |bad_line: &BadLine| {
        let line = piece.lines_before + bad_line.line;
        eprint_line(format_args!("{}:{line}: {}", job.file.display(), bad_line.error));
    };
    let solved = solve_stream(&Form::lines(), &mut input, &mut output, &settings, &mut report_bad);
    let summary = match solved {
        Ok(summary) => summary,
        Err(StreamError::Stopped) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if (input.bytes, input.hasher.finalize()) != (piece.end - piece.start, piece.crc32) {
        return Err(changed(job, "the checksum of this piece is another"));
    }
    let bytes = output.bytes;
    let crc32 = output.hasher.finalize();
    output.inner.into_inner().map_err(|error| Error::from(error.into_error()))?.finish()?;
    let Summary { unique, none, many, bad, .. } = summary;
    Ok(Some((SudokuBody { bytes, crc32, unique, none, many, bad }, summary)))
}

/// A reader of `piece` of the job's file.
fn piece_of(job: &Sudoku, piece: &Piece) -> Result<io::Take<File>, Failure> {
    let (reader, found) = open(job, piece).with_context(|| cannot_read(&job.file))?;
    // Bytes after the last piece are in no checksum, so the length is compared too.
    let expected = job.bytes();
    if found != expected {
        let expected = counted(expected, "byte");
        return Err(changed(job, &format!("it had {expected}, now {}", grouped(found))));
    }
    Ok(reader)
}

/// A reader of `piece` of the job's file, and the length of the whole file.
fn open(job: &Sudoku, piece: &Piece) -> io::Result<(io::Take<File>, u64)> {
    let mut file = File::open(&job.file)?;
    file.seek(SeekFrom::Start(piece.start))?;
    let length = file.metadata()?.len();
    Ok((file.take(piece.end - piece.start), length))
}

/// The failure of a file that is not the one that was planned; `how` says what differs.
fn changed(job: &Sudoku, how: &str) -> Failure {
    Failure::permanent(anyhow!("{} has changed since the plan was made: {how}", job.file.display()))
}

/// Whether the file at `rows` has the length and the checksum that `body` states.
fn is_sound(rows: &Path, body: &SudokuBody) -> bool {
    let Ok(file) = File::open(rows) else { return false };
    let mut file = ChecksumStream::new(file);
    io::copy(&mut file, &mut io::sink()).is_ok()
        && (file.bytes, file.hasher.finalize()) == (body.bytes, body.crc32)
}

/// Moves shards whose rows are missing or damaged from the collected results to the missing ones.
pub fn drop_unsound(collected: &mut FolderResults<SudokuBody>, folder: &Path) {
    let FolderResults { bodies, missing, damaged, .. } = collected;
    for (&shard, body) in &*bodies {
        let rows = folder.join(file_name(shard, "rows"));
        if !is_sound(&rows, body) {
            damaged.push(format!("{}: the rows are damaged or not there", rows.display()));
            missing.push(shard);
        }
    }
    missing.sort_unstable();
    bodies.retain(|shard, _| missing.binary_search(shard).is_err());
}

/// Writes the rows of all shards in `folder`, one after the other, to `output`, which must not be the file at `plan`.
pub fn join(
    job: &Sudoku,
    plan: &Path,
    folder: &Path,
    collected: &FolderResults<SudokuBody>,
    output: Option<&Path>,
    args: &Args,
) -> Result<ExitStatus> {
    let results = files_of_shards(folder)?;
    let inputs = results.iter().map(PathBuf::as_path).chain([plan, &job.file]);
    ensure_apart(inputs, output)?;
    let mut output = Output::with_compression_threads(output, args.threads)?;
    for &shard in collected.bodies.keys() {
        let rows = folder.join(file_name(shard, "rows"));
        let mut file = File::open(&rows).with_context(|| cannot_read(&rows))?;
        io::copy(&mut file, &mut output).context("cannot write the rows")?;
    }
    output.finish()?;
    let total = |count: fn(&SudokuBody) -> u64| collected.bodies.values().map(count).sum::<u64>();
    let bad = total(|body| body.bad);
    let unique = counted(total(|body| body.unique), "puzzle");
    let [none, many] = [total(|body| body.none), total(|body| body.many)].map(grouped);
    let counts = format!("{unique} with one solution, {none} without, {many} with more than one");
    info(args, format_args!("{counts}, {}", counted(bad, "bad line")));
    Ok(if bad == 0 { ExitStatus::Done } else { ExitStatus::Failed })
}

/// Counts the bytes that pass through, and computes their checksum.
struct ChecksumStream<T> {
    inner: T,
    bytes: u64,
    hasher: Hasher,
}

impl<T> ChecksumStream<T> {
    fn new(inner: T) -> Self {
        Self { inner, bytes: 0, hasher: Hasher::new() }
    }

    fn add(&mut self, passed: &[u8]) {
        self.bytes += passed.len() as u64;
        self.hasher.update(passed);
    }
}

impl<T: Read> Read for ChecksumStream<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.add(&buffer[..length]);
        Ok(length)
    }
}

impl<T: Write> Write for ChecksumStream<T> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(buffer)?;
        self.add(&buffer[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
