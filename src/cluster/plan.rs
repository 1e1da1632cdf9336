//! `cluster plan …`: the jobs that plans hold, and how they are dealt to shards.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tallyboard_base::figures::{core_estimate, core_time, counted, grouped, memory_size, percent};
use tallyboard_files::compress::Compression;
use tallyboard_files::whole::{WholeFile, is_special};
use tallyboard_search::shard::{MAX_SHARDS, Plan, SealError, SealedFile, Work, deal};
use tallyboard_search::{Costs, Tally, thread_count};
use tallyboard_sudoku::format::{Form, FormOptions};

use crate::counting::{
    Counting, Job, OtherLoad, PATIENCE, PreparedJob, Resources, describe, estimate, shard_mib,
    too_long,
};
use crate::terminal::{Args, ExitStatus, cannot_read, file_to_write, info};

/// The job of a plan, of any program.
pub enum PlannedJob {
    /// All solutions of a problem.
    Count(Box<dyn Job>),
    /// The puzzles of a file.
    File(Sudoku),
}

/// A function that reads a plan: [`read`] for the jobs of one program.
pub type ReadPlan = fn(&Path) -> Result<Plan<PlannedJob>, SealError>;

/// Reads a plan that holds `P`, the type of the jobs that one program writes into its plans.
pub fn read<P>(path: &Path) -> Result<Plan<PlannedJob>, SealError>
where
    P: Serialize + DeserializeOwned + Into<PlannedJob>,
{
    let Plan { job, work, forecast } = Plan::<P>::read(path)?;
    Ok(Plan { job: job.into(), work, forecast })
}

/// The job in plans of a program around one problem: the problem's arguments, under the problem's name.
pub struct ProgramJob<T>(pub T);

impl<T: Counting> From<ProgramJob<T>> for PlannedJob {
    fn from(job: ProgramJob<T>) -> Self {
        Self::Count(Box::new(job.0))
    }
}

impl<T: Counting> Serialize for ProgramJob<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(T::NAME, &self.0)])
    }
}

impl<'de, T: Counting> Deserialize<'de> for ProgramJob<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ProgramJobVisitor(PhantomData))
    }
}

struct ProgramJobVisitor<T>(PhantomData<T>);

impl<'de, T: Counting> Visitor<'de> for ProgramJobVisitor<T> {
    type Value = ProgramJob<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a plan of the problem `{}`", T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ProgramJob<T>, A::Error> {
        match map.next_key::<String>()? {
            Some(name) if name == T::NAME => Ok(ProgramJob(map.next_value()?)),
            other => {
                let found = other.unwrap_or("nothing".to_owned());
                let expected = T::NAME;
                Err(A::Error::custom(format!("found the problem `{found}`, expected `{expected}`")))
            }
        }
    }
}

/// The puzzles of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sudoku {
    pub file: PathBuf,
    /// The number of solutions up to which those of a puzzle are counted.
    pub limit: u64,
    /// One for each shard, in the order of the file.
    pub pieces: Vec<Piece>,
}

/// A range of bytes of a file that consists of whole lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// The offset of its first byte.
    pub start: u64,
    /// The offset behind its last byte.
    pub end: u64,
    /// The number of lines of the file before this piece.
    pub lines_before: u64,
    /// Checksum of the bytes.
    pub crc32: u32,
}

/// What a shard of a count found: every subtree with its subtotal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountBody {
    pub subtotals: Vec<(usize, Tally)>,
}

/// What a shard of sudokus found. Its rows are in a separate file in the folder of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SudokuBody {
    /// The length of the file of rows.
    pub bytes: u64,
    /// The checksum of the file of rows.
    pub crc32: u32,
    /// The number of puzzles with one solution.
    pub unique: u64,
    /// The number of puzzles without a solution.
    pub none: u64,
    /// The number of puzzles with more than one solution.
    pub many: u64,
    /// The number of lines that are no puzzle.
    pub bad: u64,
}

impl Sudoku {
    /// The length of the whole file.
    pub fn bytes(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.end)
    }

    /// The work that results of this job belong to.
    pub fn work(&self) -> Work {
        let mut hasher = crc32fast::Hasher::new();
        for piece in &self.pieces {
            hasher.update(&piece.end.to_le_bytes());
            hasher.update(&piece.crc32.to_le_bytes());
        }
        let bytes = self.bytes();
        Work {
            identity: format!("sudoku file bytes={bytes} limit={} algorithm=1", self.limit),
            shards: self.pieces.len(),
            subtrees: self.pieces.len(),
            // The pieces of the file are the subtrees.
            costs_fingerprint: format!("{:08x}", hasher.finalize()),
        }
    }
}

impl PlannedJob {
    /// A short name for scripts: `queens-22`.
    pub fn label(&self) -> String {
        match self {
            Self::Count(job) => job.label(),
            Self::File(_) => "sudoku".to_owned(),
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// The number of shards, usually some hundreds, each a job for a scheduler
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_SHARDS as i64))]
    pub shards: u32,

    /// The plan; `-` is standard output
    #[arg(short, long, value_name = "PLAN", value_parser = file_to_write())]
    pub output: PathBuf,
}

/// Plans the count of `job`; `wrap` makes the type that plans hold of it.
pub fn plan_count<T: Counting, P: Serialize + DeserializeOwned>(
    job: &T,
    wrap: fn(T) -> P,
    planning: &PlanArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let threads = thread_count(args.threads);
    let shards = planning.shards as usize;
    let prepared = Job::prepare(job, &Resources::unlimited(threads).of_shards(shards))?;
    prepared.print_remarks(args);
    let work = work_of(&prepared, shards)?;
    // The plan names the method: another machine, or this one later, might choose another.
    let job = Counting::with_method_of(job, &work.identity);
    let count = Some((&job as &dyn Job, &prepared));
    write(wrap(job.clone()), work, count, planning, args)
}

/// Plans to solve the puzzles of `file`, counting the solutions of each up to `limit`; `wrap` makes the type that plans
/// hold of the job.
pub fn plan_sudoku<P: Serialize + DeserializeOwned>(
    file: &Path,
    limit: u64,
    wrap: fn(Sudoku) -> P,
    planning: &PlanArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let job = pieces_of(file, limit, planning)?;
    let work = job.work();
    write(wrap(job), work, None, planning, args)
}

/// Writes a plan and prints a summary. The plan of a count contains a forecast, which is made from `count`.
fn write<P: Serialize + DeserializeOwned>(
    job: P,
    work: Work,
    count: Option<(&dyn Job, &PreparedJob)>,
    planning: &PlanArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let is_stdout = planning.output == Path::new("-");
    let path = if is_stdout { Path::new("/dev/stdout") } else { &planning.output };
    ensure_free(path, &job, &work)?;
    // Created before the forecast, which takes a while, so that a path that cannot be written fails at once.
    let cannot_write = || format!("cannot write {}", path.display());
    let mut file = WholeFile::create(path).with_context(cannot_write)?;
    let mut forecast = None;
    if let Some((job, prepared)) = count {
        info(args, balance(&prepared.costs, work.shards));
        let others = OtherLoad::watch();
        forecast = Some(estimate::of_plan(job, prepared, args.threads, work.shards)?);
        others.warn(args);
    }
    let plan = Plan { job, work, forecast };
    file.write_all(&plan.encode()?).with_context(cannot_write)?;
    file.finish().with_context(cannot_write)?;
    info(args, report(&plan, path));
    Ok(ExitStatus::Done)
}

/// Fails if `path` holds a plan of other work: without that plan, its results can no longer be merged.
fn ensure_free<P: Serialize + DeserializeOwned>(path: &Path, job: &P, work: &Work) -> Result<()> {
    if is_special(path) || !path.try_exists().with_context(|| cannot_read(path))? {
        return Ok(());
    }
    let json = |job: &P| serde_json::to_value(job).context("the plan has no JSON form");
    match Plan::<P>::read(path) {
        Ok(found) if found.work == *work && json(&found.job)? == json(job)? => Ok(()),
        Ok(found) => bail!(
            "{} holds another plan ({} in {} shards), whose results would no longer merge: name another \
             file, or remove this one",
            path.display(),
            describe(&found.work.identity),
            found.work.shards
        ),
        Err(error) => Err(error).context("found a file that is no plan, expected a free name"),
    }
}

/// The work of a count in `shards` shards.
fn work_of(prepared: &PreparedJob, shards: usize) -> Result<Work> {
    let subtrees = prepared.costs.len();
    ensure!(
        shards <= subtrees.max(1),
        "found {shards} shards, expected at most {subtrees}: the count has no more subtrees"
    );
    Ok(Work::new(&prepared.identity, shards, &prepared.costs))
}

/// How evenly the work is dealt to shards, in words.
fn balance(costs: &Costs, shards: usize) -> String {
    let shard_costs = deal(costs, shards).into_iter().map(|ids| costs.sum(Some(&ids)));
    let longest = shard_costs.max().unwrap_or(0) as f64;
    let mean = costs.sum(None) as f64 / shards as f64;
    let excess = if mean > 0.0 { longest / mean - 1.0 } else { 0.0 };
    format!("the longest shard costs {} more than the mean", percent(excess))
}

/// Cuts `file` at ends of lines into pieces of about equally many bytes.
fn pieces_of(file: &Path, limit: u64, planning: &PlanArgs) -> Result<Sudoku> {
    let cannot_read = || cannot_read(file);
    let path = file.canonicalize().with_context(cannot_read)?;
    ensure!(path.to_str().is_some(), "{}: a plan holds paths in UTF-8 only", path.display());
    let opened = File::open(&path).with_context(cannot_read)?;
    let bytes = opened.metadata().with_context(cannot_read)?.len();
    let mut reader = BufReader::with_capacity(1 << 20, opened);
    let head = reader.fill_buf().with_context(cannot_read)?;
    ensure!(
        Compression::of_head(head).is_ok_and(|found| found == Compression::None),
        "{}: found a compressed file; a byte range of it means nothing",
        file.display()
    );
    let form = Form::find(head, &FormOptions::default()).with_context(cannot_read)?;
    ensure!(
        form.is_plain(),
        "{}: found another format or size, expected 9 × 9 puzzles one a line, of which any piece can \
         be solved by itself; tallyboard sudoku solve --to lines makes them",
        file.display()
    );
    let pieces = cut(reader, bytes, u64::from(planning.shards)).with_context(cannot_read)?;
    Ok(Sudoku { file: path, limit, pieces })
}

/// Cuts the `bytes` bytes of `reader` into a piece for each of `shards` shards. A piece ends with the line that reaches its
/// share of the bytes.
fn cut(mut reader: impl BufRead, bytes: u64, shards: u64) -> std::io::Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut line = Vec::new();
    let mut end = 0;
    let mut lines = 0;
    for shard in 1..=shards {
        let start = end;
        let lines_before = lines;
        let target = (u128::from(bytes) * u128::from(shard) / u128::from(shards)) as u64;
        let mut hasher = crc32fast::Hasher::new();
        // The last piece ends where the file ends, which may have grown meanwhile.
        while end < target || shard == shards {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                break;
            }
            hasher.update(&line);
            end += length;
            lines += 1;
        }
        pieces.push(Piece { start, end, lines_before, crc32: hasher.finalize() });
    }
    Ok(pieces)
}

/// The plan as text for people.
fn report<P>(plan: &Plan<P>, path: &Path) -> String {
    let work = &plan.work;
    let mut text = format!(
        "{}: {} in {} (0 to {}), {}",
        path.display(),
        describe(&work.identity),
        counted(work.shards, "shard"),
        grouped(work.shards - 1),
        counted(work.subtrees, "subtree")
    );
    if let Some(forecast) = plan.forecast {
        let seconds = |hours: f64| hours * 3600.0;
        text += &match forecast.core_hours {
            Some(hours) => format!(
                "\nexpected: {} in all, {} a shard, on cores like this one",
                core_estimate(seconds(hours.estimate), seconds(hours.low), seconds(hours.high)),
                core_time(seconds(hours.estimate / work.shards as f64))
            ),
            None => format!("\n{}", too_long(PATIENCE)),
        };
        text += &format!(
            "\nmemory to ask a scheduler for: {} a shard with one core, {} for each further core; a shard itself \
             takes up to {}",
            memory_size(shard_mib(&forecast, 1) << 20),
            memory_size(forecast.memory_bytes_per_worker),
            memory_size(forecast.memory_bytes)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_lines_that_cover_the_file() {
        let text: String = (0..100).map(|n| format!("{}\n", "x".repeat(n % 17))).collect();
        for shards in [1, 2, 7, 100, 300] {
            let pieces = cut(text.as_bytes(), text.len() as u64, shards).unwrap();
            assert_eq!(pieces.len() as u64, shards);
            let mut end = 0;
            for piece in &pieces {
                assert_eq!(piece.start, end);
                let before = &text.as_bytes()[..end as usize];
                assert!(before.is_empty() || before.ends_with(b"\n"));
                let lines = before.iter().filter(|&&byte| byte == b'\n').count();
                assert_eq!(piece.lines_before, lines as u64);
                end = piece.end;
            }
            assert_eq!(end, text.len() as u64);
        }
    }
}
