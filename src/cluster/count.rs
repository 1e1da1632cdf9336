//! One shard of a count, with its own journal.

use std::io;
use std::path::Path;

use anyhow::Error;
use tallyboard_base::clock::Stopwatch;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_scale::topology::Machine;
use tallyboard_search::journal::{Header, Journal, JournalError, Refusal};
use tallyboard_search::shard::{Provenance, deal_one};
use tallyboard_search::thread_count;

use super::job::CountBody;
use super::shard::{Failure, Shard};
use crate::counting::{Job, PrepareError, Resources, Runner};
use crate::terminal::ExitStatus;

/// Counts the subtrees of the shard that its journal does not have yet, and writes the result.
pub fn run(job: &dyn Job, shard: &Shard) -> Result<ExitStatus, Failure> {
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
