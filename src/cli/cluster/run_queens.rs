//! One shard of a queens count, with a journal of its own.

use anyhow::Error;
use tallyboard::search::journal::{Journal, JournalError, Refusal, read};
use tallyboard::search::shard::{Layout, deal};
use tallyboard::search::{Problem, thread_count};

use super::job::{Queens, QueensBody};
use super::run::{Failure, Shard};
use crate::cli::ending::Ending;
use crate::cli::journaled::{Counting, header};

/// Counts the subtrees of the shard that its journal does not have yet, and writes the result.
pub fn run(job: &Queens, shard: &Shard) -> Result<Ending, Failure> {
    if shard.result::<QueensBody>()?.is_some() {
        shard.say("done already");
        return Ok(Ending::Done);
    }
    let problem = job.problem(shard.args.threads).map_err(Failure::Permanent)?;
    let subtrees = problem.split();
    let layout = Layout::new(&problem, &subtrees);
    shard.work.check(&problem.identity(), &layout).map_err(Failure::permanent)?;
    let ids = deal(layout.costs(), shard.work.shards).swap_remove(shard.number);

    let part = format!("shard {} of {}", shard.number, shard.work.shards);
    let header = header(&problem, &layout, part, Some(&ids));
    let path = shard.path("journal");
    let counting = Counting {
        threads: shard.args.threads,
        quiet: shard.args.quiet,
        interrupt: shard.interrupt,
    };
    let wanted = |id: usize| ids.binary_search(&id).is_ok();
    let mut journal =
        Journal::resume(&path, &header, thread_count(counting.threads), wanted).map_err(refused)?;
    counting.say_what_was_found(&path, &journal);
    let outcome = counting.search(&problem, &subtrees, Some(&ids), Some(&mut journal))?;
    journal.sync()?;
    if !outcome.complete {
        shard.say(&format!(
            "interrupted; {} of {} subtrees are saved, start it again to go on",
            outcome.finished, outcome.subtrees
        ));
        return Ok(Ending::Resumable);
    }
    // What the file has is what counts, not what this process remembers of it.
    let saved = read(&path)?.subtotals().map_err(Failure::permanent)?;
    let subtotals = ids.iter().filter_map(|&id| Some((id, *saved.get(&id)?))).collect::<Vec<_>>();
    if subtotals.len() != ids.len() {
        return Err(Error::msg("the journal lost records while it was written").into());
    }
    shard.finish(QueensBody { subtotals })?;
    // The result holds every subtotal; the journal has served.
    std::fs::remove_file(&path)?;
    shard.say(&format!("done in {:.1} s", outcome.elapsed.as_secs_f64()));
    Ok(Ending::Done)
}

fn refused(error: JournalError) -> Failure {
    match error.reason {
        Refusal::Locked => Failure::Busy(error.into()),
        Refusal::Io(_) => Failure::Passing(error.into()),
        _ => Failure::permanent(Error::msg(format!(
            "{error}; remove the file to count the shard from its beginning"
        ))),
    }
}
