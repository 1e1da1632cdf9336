//! `cluster run PLAN --shard I`: counts one shard, or continues it from its own journal, or solves its piece of a file, and
//! writes its result.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tallyboard_base::clock::Stopwatch;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_scale::topology::Machine;
use tallyboard_search::journal::{Header, Journal, JournalError, Refusal};
use tallyboard_search::shard::{
    FolderResults, Provenance, SealedFile, ShardResult, Work, deal_one, file_name, is_file_name,
    other_work,
};
use tallyboard_search::thread_count;
use tallyboard_sudoku::BadLine;
use tallyboard_sudoku::format::Form;
use tallyboard_sudoku::stream::{Settings, StreamError, Summary, solve_stream};

use super::plan::{CountBody, Piece, PlannedJob, ReadPlan, Sudoku, SudokuBody};
use crate::counting::{Job, PrepareError, Resources, Runner};
use crate::terminal::process::explain;
use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, cannot_read, ensure_apart, eprint_line, info,
};

#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The plan
    pub plan: PathBuf,

    /// Which shard, from 0
    #[arg(long, value_name = "I")]
    pub shard: usize,

    /// The folder for results and journals
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
}

/// Runs one shard. The exit code tells schedulers whether another attempt can help.
pub fn run(flags: &RunArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    run_shard(flags, read, args).or_else(|Failure { error, ending }| match ending {
        ExitStatus::Failed => Err(error),
        ending => {
            explain(&error);
            Ok(ending)
        }
    })
}

fn run_shard(flags: &RunArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus, Failure> {
    let interrupt = Interrupt::listen();
    let plan = read(&flags.plan).map_err(|error| {
        if error.is_damage() { Failure::permanent(error) } else { error.into() }
    })?;
    if flags.shard >= plan.work.shards {
        return Err(Failure::permanent(anyhow!(
            "found shard {}, expected 0 to {}",
            flags.shard,
            plan.work.shards - 1
        )));
    }
    std::fs::create_dir_all(&flags.output).map_err(|error| {
        let output = flags.output.display();
        if flags.output.is_file() {
            anyhow!("{output}: found a file, expected a folder")
        } else {
            anyhow!("cannot make {output}: {error}")
        }
    })?;
    let shard = Shard {
        work: &plan.work,
        number: flags.shard,
        folder: &flags.output,
        args,
        interrupt: &interrupt,
    };
    match &plan.job {
        PlannedJob::Count(job) => count_shard(&**job, &shard),
        PlannedJob::File(job) => solve_piece(job, &shard),
    }
}

/// Why a shard has no result, and how the program therefore ends.
pub struct Failure {
    pub error: Error,
    pub ending: ExitStatus,
}

impl Failure {
    /// A failure that another attempt will not mend: the plan, the program or the journal is wrong.
    pub fn permanent(error: impl Into<Error>) -> Self {
        Self { error: error.into(), ending: ExitStatus::Permanent }
    }
}

/// Another attempt may succeed: a full disk, a network that is away.
impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { error: error.into(), ending: ExitStatus::Failed }
    }
}

/// One shard of a plan, and where its files are.
pub struct Shard<'a> {
    pub work: &'a Work,
    pub number: usize,
    pub folder: &'a Path,
    pub args: &'a Args,
    pub interrupt: &'a Interrupt,
}

impl Shard<'_> {
    /// The path of one of the shard's files.
    pub fn path(&self, suffix: &str) -> PathBuf {
        self.folder.join(file_name(self.number, suffix))
    }

    /// The result of this shard, if it is there and sound. Fails if the file has the result of another plan or shard,
    /// or cannot be read.
    pub fn result<B: Serialize + DeserializeOwned>(&self) -> Result<Option<B>, Failure> {
        let path = self.path("json");
        if !path.try_exists().with_context(|| cannot_read(&path))? {
            return Ok(None);
        }
        let error = match ShardResult::<B>::read(&path) {
            Ok(result) if result.belongs_to(self.work) && result.shard == self.number => {
                return Ok(Some(result.body));
            }
            Ok(_) => return Err(taken_by_another(&path, other_work(&path, self.work).as_deref())),
            Err(error) => error,
        };
        if !error.is_damage() {
            return Err(error.into());
        }
        // A sound result of another plan may look damaged, because its body has other fields.
        if let Some(how) = other_work(&path, self.work) {
            return Err(taken_by_another(&path, Some(&how)));
        }
        eprint_line(format_args!("{error}; counting the shard again"));
        Ok(None)
    }

    /// Writes the result, unless a shard of another plan has written its own there meanwhile.
    pub fn finish<B: Serialize + DeserializeOwned>(
        &self,
        body: B,
        provenance: Option<Provenance>,
    ) -> Result<(), Failure> {
        let path = self.path("json");
        if let Some(how) = other_work(&path, self.work) {
            return Err(taken_by_another(&path, Some(&how)));
        }
        let work = self.work.clone();
        let shard = self.number;
        ShardResult { work, shard, body, provenance }.write(&path)?;
        Ok(())
    }

    /// Prints a message about the shard, unless the user asked for quiet.
    pub fn info(&self, message: &str) {
        info(self.args, format_args!("shard {}: {message}", self.number));
    }
}

/// The failure of a shard whose file for the result, at `path`, holds the result of another plan or shard. `how` says what
/// differs in the work, if anything does.
fn taken_by_another(path: &Path, how: Option<&str>) -> Failure {
    Failure::permanent(anyhow!(
        "{}: found a result of another plan, shard or version; use a folder for each plan ({})",
        path.display(),
        how.unwrap_or("its shard has another number")
    ))
}

/// The files that shards have left in `folder`; none if there is no such folder. Fails if the folder cannot be read.
pub fn files_of_shards(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| cannot_read(folder))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| cannot_read(folder))?;
        if is_file_name(&entry.file_name()) {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Counts the subtrees of the shard that its journal does not have yet, and writes the result.
pub fn count_shard(job: &dyn Job, shard: &Shard) -> Result<ExitStatus, Failure> {
    let path = shard.path("journal");
    if shard.result::<CountBody>()?.is_some() {
        // The journal is still there if a run was killed right after it wrote the result.
        remove_journal(&path)?;
        shard.info("done already");
        return Ok(ExitStatus::Done);
    }
    let job = job.with_method_of(&shard.work.identity);
    let resources = Resources::here(shard.args.threads, None).of_shards(shard.work.shards);
    let prepared = job.prepare(&resources).map_err(prepare_failure)?;
    shard.work.check(&prepared.identity, &prepared.costs).map_err(Failure::permanent)?;
    let ids = deal_one(&prepared.costs, shard.work.shards, shard.number);

    let part = format!("shard {} of {}", shard.number, shard.work.shards);
    // The header has a checksum of the numbers alone. The journal takes the numbers, too, to refuse those of other shards.
    let header = Header::new(&*prepared.problem, &prepared.costs, part, Some(&ids));
    let runner = Runner { args: shard.args, interrupt: shard.interrupt };
    let is_ours = |id: usize| ids.binary_search(&id).is_ok();
    let mut journal = Journal::resume(&path, &header, thread_count(shard.args.threads), is_ours)
        .map_err(journal_failure)?;
    runner.report_found(&path, &journal);
    let resumed = journal.found.subtotals.len();
    let watch = Stopwatch::start();
    let outcome = runner.search(&prepared, Some(&ids), Some(&mut journal))?;
    if !outcome.complete {
        shard.info(&format!(
            "interrupted; {} of {} saved, start it again to go on",
            grouped(outcome.finished),
            counted(outcome.subtrees, "subtree")
        ));
        return Ok(ExitStatus::Resumable);
    }
    // Subtotals are read back from the journal's file, so that lost records are noticed.
    let saved = journal.subtotals().map_err(journal_failure)?;
    let subtotals: Option<Vec<_>> = ids.iter().map(|&id| Some((id, saved.get(id)?))).collect();
    let subtotals =
        subtotals.ok_or_else(|| Error::msg("the journal lost records while it was written"))?;
    let kernel = prepared.details.0.iter().find(|(name, _)| *name == "kernel");
    let kernel_name = kernel.map(|(_, name)| name.clone());
    let provenance = Provenance::here(kernel_name, Machine::here().cpu, watch.stop(), resumed);
    shard.finish(CountBody { subtotals }, Some(provenance))?;
    remove_journal(&path)?;
    shard.info(&format!("done in {:.1} s", outcome.elapsed.as_secs_f64()));
    Ok(ExitStatus::Done)
}

/// Removes the journal of a shard whose result is written, if it is still there.
fn remove_journal(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The failure of a problem that cannot be counted here. A lack of memory is not permanent: another machine may have more,
/// or this one later.
fn prepare_failure(error: PrepareError) -> Failure {
    match error {
        PrepareError::NoRoom(error) => error.into(),
        PrepareError::Failed(error) => Failure::permanent(error),
    }
}

/// The failure of a journal that cannot be used.
fn journal_failure(error: JournalError) -> Failure {
    match error.reason {
        // Another process is counting this shard.
        Refusal::Locked => Failure { error: error.into(), ending: ExitStatus::Resumable },
        Refusal::Io(_) => error.into(),
        _ => Failure::permanent(Error::msg(format!(
            "{error}; remove the file to count the shard from its beginning"
        ))),
    }
}

/// Solves the shard's puzzles. A shard takes minutes, so an interrupted one starts from the beginning.
pub fn solve_piece(job: &Sudoku, shard: &Shard) -> Result<ExitStatus, Failure> {
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
        Err(StreamError::Stopped(_)) => return Ok(None),
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
pub fn join_rows(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_shards_are_found_and_a_folder_that_is_not_there_has_none() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plan.json"), "").unwrap();
        let result = folder.path().join("shard-00000.json");
        std::fs::write(&result, "").unwrap();
        assert_eq!(files_of_shards(folder.path()).unwrap(), [result]);
        assert!(files_of_shards(&folder.path().join("none")).unwrap().is_empty());
    }

    /// Other systems do not tell a path through a file from a path that is not there.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_read_is_an_error_and_not_a_missing_result() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = files_of_shards(file.path()).unwrap_err();
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        let work = Work {
            identity: "six".to_owned(),
            shards: 1,
            subtrees: 1,
            costs_fingerprint: String::new(),
        };
        let shard = Shard {
            work: &work,
            number: 0,
            folder: file.path(),
            args: &Args::default(),
            interrupt: &Interrupt::default(),
        };
        let Err(Failure { error, ending }) = shard.result::<u8>() else {
            panic!("a path through a file was taken for a result that is not there")
        };
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        assert_eq!(ending, ExitStatus::Failed);
    }
}
