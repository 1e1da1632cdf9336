//! `cluster run PLAN --shard I`: counts one shard, or continues it from its own journal, and writes its result.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tallyboard_base::clock::Stopwatch;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_scale::topology::Machine;
use tallyboard_search::journal::{Header, Journal, JournalError, Refusal};
use tallyboard_search::shard::{
    Provenance, SealedFile, ShardResult, Work, deal_one, file_name, is_file_name, other_work,
};
use tallyboard_search::thread_count;

use super::plan::{CountBody, ReadPlan};
use crate::counting::{Counting, KERNEL, PrepareError, Resources, report_found};
use crate::terminal::process::explain;
use crate::terminal::{Args, ExitStatus, Interrupt, UsageError, cannot_read, eprint_line, info};

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
        if error.is_damage() { Failure::from(error) } else { Failure::passing(error) }
    })?;
    if flags.shard >= plan.work.shards {
        // A mistake in the command, with its own exit code.
        return Err(Failure::passing(UsageError(format!(
            "found shard {}, expected 0 to {}",
            flags.shard,
            plan.work.shards - 1
        ))));
    }
    std::fs::create_dir_all(&flags.output).map_err(|error| {
        let output = flags.output.display();
        Failure::passing(if flags.output.is_file() {
            anyhow!("{output}: found a file, expected a folder")
        } else {
            anyhow!("cannot make {output}: {error}")
        })
    })?;
    let shard = Shard {
        work: &plan.work,
        number: flags.shard,
        folder: &flags.output,
        args,
        interrupt: &interrupt,
    };
    count_shard(&*plan.job, &shard)
}

/// Why a shard has no result, and how the program therefore ends.
pub struct Failure {
    pub error: Error,
    pub ending: ExitStatus,
}

impl Failure {
    /// A failure that another attempt may mend.
    fn passing(error: impl Into<Error>) -> Self {
        Self { error: error.into(), ending: ExitStatus::Failed }
    }
}

/// Another attempt may succeed if the system refused something: a full disk, a network that is away. After any other
/// error it will not: the plan, the program or the journal is wrong.
impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        let is_of_system = error.chain().any(|cause| cause.is::<io::Error>());
        let ending = if is_of_system { ExitStatus::Failed } else { ExitStatus::Permanent };
        Self { error, ending }
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
            return Err(Failure::passing(error));
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
        ShardResult { work, shard, body, provenance }.write(&path).map_err(Failure::passing)?;
        Ok(())
    }

    /// Prints a message about the shard, unless the user asked for quiet.
    pub fn info(&self, message: &str) {
        info(self.args, format_args!("shard {}: {message}", self.number));
    }
}

/// The failure of a shard whose file for the result, at `path`, holds the result of another plan or shard. `how` says what
/// differs in the work; if nothing does, it is the result of another shard of the same plan.
fn taken_by_another(path: &Path, how: Option<&str>) -> Failure {
    Failure::from(anyhow!(
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
pub fn count_shard(job: &dyn Counting, shard: &Shard) -> Result<ExitStatus, Failure> {
    let path = shard.path("journal");
    if shard.result::<CountBody>()?.is_some() {
        // The journal is still there if a run was killed right after it wrote the result.
        remove_journal(&path)?;
        shard.info("done already");
        return Ok(ExitStatus::Done);
    }
    let with_method = job.with_method_of(&shard.work.identity);
    let job = with_method.as_deref().unwrap_or(job);
    let resources = Resources::here(shard.args.threads, None).of_shards(shard.work.shards);
    let prepared = job.prepare(&resources).map_err(prepare_failure)?;
    shard.work.check(&prepared.identity, &prepared.costs)?;
    let ids = deal_one(&prepared.costs, shard.work.shards, shard.number);

    let part = format!("shard {} of {}", shard.number, shard.work.shards);
    // Of the shard's subtree numbers the header holds only a checksum. `is_ours` lets the journal refuse a record of any other
    // subtree.
    let header = Header::new(&*prepared.problem, &prepared.costs, part, Some(&ids));
    let is_ours = |id: usize| ids.binary_search(&id).is_ok();
    let mut journal = Journal::resume(&path, &header, thread_count(shard.args.threads), is_ours)
        .map_err(journal_failure)?;
    report_found(&path, &journal, shard.args);
    let resumed = journal.found.subtotals.len();
    let watch = Stopwatch::start();
    let outcome = prepared.search(Some(&ids), Some(&mut journal), shard.args, shard.interrupt)?;
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
    let subtotals = subtotals.ok_or_else(|| {
        Failure::passing(Error::msg("the journal lost records while it was written"))
    })?;
    let kernel = prepared.details.0.iter().find(|(name, _)| *name == KERNEL);
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
        PrepareError::NoRoom(error) => Failure::passing(error),
        PrepareError::Failed(error) => error.into(),
    }
}

/// The failure of a journal that cannot be used.
fn journal_failure(error: JournalError) -> Failure {
    match error.reason {
        // Another process is counting this shard.
        Refusal::Locked => Failure { error: error.into(), ending: ExitStatus::Resumable },
        Refusal::Io(_) => Failure::passing(error),
        _ => Error::msg(format!("{error}; remove the file to count the shard from its beginning"))
            .into(),
    }
}
