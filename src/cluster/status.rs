//! `cluster status PLAN RESULTS`: which shards are done, the progress of the others, and the time left.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tallyboard_base::figures::{counted, grouped, percent, thread_time};
use tallyboard_search::journal::{JournalError, Refusal, read as read_journal};
use tallyboard_search::shard::{Plan, Work, file_name, ranges};

use super::merge::collect_if_any;
use super::plan::{CountBody, Planned, ReadPlan};
use crate::counting::{describe, share_done};
use crate::terminal::{ExitStatus, eprint_line, print_report};

#[derive(Debug, clap::Args)]
pub struct StatusArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results and journals
    pub results: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Prints the status, from the plan, results and journals alone: nothing is counted.
pub fn run(flags: &StatusArgs, read: ReadPlan) -> Result<ExitStatus> {
    let plan = read(&flags.plan)?;
    let collected = collect_if_any::<CountBody>(&flags.results, &plan.work)?;
    collected.damaged.iter().for_each(eprint_line);
    if !flags.results.is_dir() {
        let folder = flags.results.display();
        eprint_line(format_args!(
            "{folder}: no such folder: no shard has begun, or the folder has another name"
        ));
    }
    let status = Status::new(&plan, collected.missing, &flags.results)?;
    print_report(&status, flags.json)?;
    Ok(ExitStatus::Done)
}

/// A shard that has a journal and no result.
#[derive(Debug, Serialize)]
struct UnfinishedShard {
    shard: usize,
    /// The finished share of its work, by cost.
    share: f64,
    #[serde(skip)]
    cost: u64,
    #[serde(skip)]
    cost_done: u64,
    #[serde(skip)]
    busy_seconds: f64,
}

impl UnfinishedShard {
    /// A shard of this `cost`. `finished` has the cost and the time of each finished subtree.
    fn new(shard: usize, cost: u64, finished: impl Iterator<Item = (u64, Duration)>) -> Self {
        let mut cost_done = 0u64;
        let mut busy_seconds = 0.0;
        for (cost, busy) in finished {
            cost_done = cost_done.saturating_add(cost);
            busy_seconds += busy.as_secs_f64();
        }
        // A journal that states more was made by another version or by hand.
        let cost_done = cost_done.min(cost);
        Self { shard, share: share_done(cost_done, cost), cost, cost_done, busy_seconds }
    }
}

#[derive(Debug, Serialize)]
struct Status {
    #[serde(skip)]
    title: String,
    shards: usize,
    done: usize,
    begun: Vec<UnfinishedShard>,
    /// Numbers of the shards that have neither a result nor a journal, as schedulers take them.
    waiting: String,
    #[serde(skip)]
    shards_waiting: usize,
    /// The finished share of all work, by cost.
    share: f64,
    /// Thread seconds that the remaining work takes at the pace so far, or by the plan's forecast if no unfinished shard has a
    /// finished subtree; null if neither is known.
    thread_seconds_left: Option<f64>,
    /// Whether that is by the plan's forecast.
    #[serde(skip)]
    is_forecast: bool,
}

impl Status {
    fn new(plan: &Plan<Planned>, missing: Vec<usize>, folder: &Path) -> Result<Self> {
        let shards = plan.work.shards;
        let done = shards - missing.len();
        let mut begun = Vec::new();
        let mut waiting = Vec::new();
        for shard in missing {
            match begun_shard(folder, &plan.work, shard)? {
                Some(unfinished) => begun.push(unfinished),
                None => waiting.push(shard),
            }
        }
        // Shards cost about the same, so each counts as one.
        let finished = done as f64 + begun.iter().map(|shard| shard.share).sum::<f64>();
        let share = finished / shards as f64;
        let core_hours = plan.forecast.and_then(|forecast| forecast.core_hours);
        let by_forecast = core_hours.map(|hours| hours.estimate * 3600.0 * (1.0 - share));
        let by_journals = seconds_left_by_journals(&begun, waiting.len());
        Ok(Self {
            title: describe(&plan.work.identity),
            shards,
            done,
            begun,
            shards_waiting: waiting.len(),
            waiting: ranges(&waiting),
            share,
            thread_seconds_left: by_journals.or(by_forecast),
            is_forecast: by_journals.is_none(),
        })
    }
}

/// The progress of `shard` by its journal, if it has one.
fn begun_shard(folder: &Path, work: &Work, shard: usize) -> Result<Option<UnfinishedShard>> {
    let path = folder.join(file_name(shard, "journal"));
    let contents = match read_journal(&path) {
        Ok(contents) => contents,
        Err(JournalError { reason: Refusal::Io(_), .. }) if !path.exists() => return Ok(None),
        // The header of a journal that was just begun may be incomplete.
        Err(error) => {
            eprint_line(error);
            return Ok(None);
        }
    };
    if contents.header.identity != work.identity {
        let found = describe(&contents.header.identity);
        eprint_line(format_args!("{}: found a journal of other work, {found}", path.display()));
        return Ok(None);
    }
    let records = contents.finished();
    let finished = records.iter().map(|record| (record.cost, record.busy));
    Ok(Some(UnfinishedShard::new(shard, contents.header.cost, finished)))
}

/// Thread seconds that the remaining work takes at the pace of the subtrees in journals; `None` if no subtree is finished.
fn seconds_left_by_journals(begun: &[UnfinishedShard], waiting: usize) -> Option<f64> {
    let mut cost = 0.0;
    let mut cost_done = 0.0;
    let mut busy_seconds = 0.0;
    for shard in begun {
        cost += shard.cost as f64;
        cost_done += shard.cost_done as f64;
        busy_seconds += shard.busy_seconds;
    }
    // The shards that wait cost as much as the mean of those begun.
    let cost_waiting = cost / begun.len() as f64 * waiting as f64;
    let cost_left = cost - cost_done + cost_waiting;
    (cost_done > 0.0).then(|| busy_seconds / cost_done * cost_left)
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{}: {} of {} done, {} begun, {} waiting",
            self.title,
            grouped(self.done),
            counted(self.shards, "shard"),
            grouped(self.begun.len()),
            grouped(self.shards_waiting)
        )?;
        for UnfinishedShard { shard, share, .. } in &self.begun {
            writeln!(f, "shard {shard}: {}", percent(*share))?;
        }
        if !self.waiting.is_empty() {
            writeln!(f, "waiting: {}", self.waiting)?;
        }
        let left = match self.thread_seconds_left {
            _ if self.done == self.shards => "nothing left but to merge".to_owned(),
            Some(seconds) if self.is_forecast => {
                format!("{} left by the plan's forecast", thread_time(seconds))
            }
            Some(seconds) => format!("{} left at the pace until now", thread_time(seconds)),
            None => "time left unknown".to_owned(),
        };
        write!(f, "{} of the work, {left}", percent(self.share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(cost: u64, finished: &[u64]) -> UnfinishedShard {
        UnfinishedShard::new(0, cost, finished.iter().map(|&cost| (cost, Duration::from_secs(2))))
    }

    #[test]
    fn the_remaining_time_is_forecast_at_the_pace_until_now() {
        // 30 of 40 cost 6 s, and two shards wait, of 40 each.
        let half = begun(40, &[20, 5, 5]);
        assert_eq!((half.share, half.cost_done, half.busy_seconds), (0.75, 30, 6.0));
        assert_eq!(seconds_left_by_journals(&[half], 2), Some(0.2 * 90.0));
        assert_eq!(seconds_left_by_journals(&[begun(40, &[])], 2), None);
        assert_eq!(begun(0, &[]).share, 1.0);
    }

    #[test]
    fn a_journal_that_states_more_than_the_whole_is_done_and_no_more() {
        let more = begun(40, &[50, u64::MAX]);
        assert_eq!((more.share, more.cost_done), (1.0, 40));
        assert_eq!(seconds_left_by_journals(&[more], 0), Some(0.0));
        let most = [begun(u64::MAX, &[u64::MAX - 1]), begun(u64::MAX, &[])];
        assert!(seconds_left_by_journals(&most, 1).unwrap() > 0.0);
    }
}
