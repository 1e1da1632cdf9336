//! `cluster run PLAN --shard I`: counts one shard, or continues it from its own journal, and writes its result.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tallyboard_base::clock::Stopwatch;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_scale::topology::Machine;
use tallyboard_search::journal::{Header, Journal, JournalError, Refusal};
use tallyboard_search::shard::{
    Plan, Provenance, SealedFile, ShardResult, Work, deal_one, file_name, is_file_name, other_work,
};
use tallyboard_search::thread_count;

use super::plan::{CountBody, ReadPlan};
use crate::counting::{Counting, KERNEL, Resources, may_pass, report_found};
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
    let interrupt = Interrupt::listen();
    let plan = read(&flags.plan);
    if let Ok(Plan { work: Work { shards, .. }, .. }) = plan
        && flags.shard >= shards
    {
        // A mistake in the command, with its own exit code.
        let (found, last) = (flags.shard, shards - 1);
        bail!(UsageError(format!("found shard {found}, expected 0 to {last}")));
    }
    let counted = plan.map_err(Error::from).and_then(|Plan { job, work, .. }| {
        make_folder(&flags.output)?;
        let (number, folder) = (flags.shard, &*flags.output);
        count_shard(&*job, &Shard { work: &work, number, folder, args, interrupt: &interrupt })
    });
    counted.or_else(|error| match ending(&error) {
        ExitStatus::Failed => Err(error),
        ending => {
            explain(&error);
            Ok(ending)
        }
    })
}

/// How a shard ends that has failed with `error`. What does not pass will come again: the plan, the program or a file is wrong.
fn ending(error: &Error) -> ExitStatus {
    let is_locked = |error: &JournalError| matches!(error.reason, Refusal::Locked);
    match may_pass(error.as_ref()) {
        // Another process is counting this shard.
        true if error.downcast_ref().is_some_and(is_locked) => ExitStatus::Resumable,
        true => ExitStatus::Failed,
        false => ExitStatus::Permanent,
    }
}

/// Makes the folder for results, if it is not there.
fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).with_context(|| match path.is_file() {
        true => format!("{}: found a file, expected a folder", path.display()),
        false => format!("cannot make {}", path.display()),
    })
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
    pub fn result<B: Serialize + DeserializeOwned>(&self) -> Result<Option<B>> {
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
            bail!(error);
        }
        // A sound result of another plan may look damaged, because its body has other fields.
        if let Some(how) = other_work(&path, self.work) {
            return Err(taken_by_another(&path, Some(&how)));
        }
        eprint_line(format_args!("{error}; counting the shard again"));
        Ok(None)
    }

    /// Writes the result, unless the file has one of another plan or shard. That is looked at before it is written: of two that
    /// write in the same moment, the last result stays.
    pub fn finish<B: Serialize + DeserializeOwned>(
        &self,
        body: B,
        provenance: Option<Provenance>,
    ) -> Result<()> {
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
/// differs in the work; if nothing does, it is the result of another shard of the same plan.
fn taken_by_another(path: &Path, how: Option<&str>) -> Error {
    anyhow!(
        "{}: found a result of another plan, shard or version; use a folder for each plan ({})",
        path.display(),
        how.unwrap_or("its shard has another number")
    )
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
pub fn count_shard(job: &dyn Counting, shard: &Shard) -> Result<ExitStatus> {
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
    let prepared = job.prepare(&resources)?;
    shard.work.check(&prepared.identity, &prepared.costs)?;
    let ids = deal_one(&prepared.costs, shard.work.shards, shard.number);

    let part = format!("shard {} of {}", shard.number, shard.work.shards);
    // Of the shard's subtree numbers the header holds only a checksum. `is_ours` lets the journal refuse a record of any other
    // subtree.
    let header = Header::new(&*prepared.problem, &prepared.costs, part, Some(&ids));
    let is_ours = |id: usize| ids.binary_search(&id).is_ok();
    let mut journal = Journal::resume(&path, &header, thread_count(shard.args.threads), is_ours)
        .map_err(advise)?;
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
    let saved = journal.subtotals().map_err(advise)?;
    let subtotals: Option<Vec<_>> = ids.iter().map(|&id| Some((id, saved.get(id)?))).collect();
    let lost = || io::Error::other("the journal lost records while it was written");
    let subtotals = subtotals.ok_or_else(lost)?;
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

/// Adds advice to the error of a journal that will not be readable the next time either.
fn advise(error: JournalError) -> Error {
    if may_pass(&error) {
        return error.into();
    }
    anyhow!("{error}; remove the file to count the shard from its beginning")
}
