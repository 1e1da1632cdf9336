//! `cluster merge --recount`: counts some subtrees again and compares.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use anyhow::{Result, bail};
use serde::Serialize;
use tallyboard_search::shard::Work;
use tallyboard_search::{Options, Tally, run_split};

use crate::counting::{Details, Job, PreparedJob, Resources, Subtotals, share_done};
use crate::terminal::{Args, Interrupt};

/// The report of a recount in which all agreed.
#[derive(Debug, Serialize)]
pub struct Recount {
    pub subtrees: usize,
    /// Their share of the work, by cost.
    pub share: f64,
    #[serde(flatten)]
    pub details: Details,
}

impl Recount {
    /// Counts `number` of the subtrees again, drawn at random, by the most trusted method; `None` if a
    /// signal came first.
    pub fn run(
        job: &dyn Job,
        work: &Work,
        subtotals: &BTreeMap<usize, Tally>,
        number: u32,
        args: &Args,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>> {
        let prepared = prepare_trusted(job, work, args)?;
        let PreparedJob { problem, costs, identity, details, .. } = prepared;
        let drawn = draw(costs.len(), number as usize);
        let options = Options::new().stop(interrupt.stop()).only(&drawn[..]);
        let mut recounted = Subtotals::new(args.quiet, interrupt);
        if !run_split(&*problem, &costs, &options, &mut recounted)?.complete {
            return Ok(None);
        }
        for (id, found) in recounted.tallies {
            let merged = subtotals.get(&id).copied().unwrap_or_default();
            if found != merged {
                bail!(
                    "WRONG COUNT: subtree {id} of {} has {} in its result and {} counted again{}; see \
                     which is right with `count … --subtree {id}`",
                    identity,
                    merged.solutions(),
                    found.solutions(),
                    with_last_detail(&details)
                );
            }
        }
        let share = share_done(costs.sum(Some(&drawn)), costs.sum(None));
        Ok(Some(Self { subtrees: drawn.len(), share, details }))
    }
}

/// The last detail as text, ` with kernel portable`, or nothing. Methods of one identity differ in this detail alone.
pub fn with_last_detail(details: &Details) -> String {
    let last = details.0.last();
    last.map_or(String::new(), |(name, value)| format!(" with {name} {value}"))
}

/// The problem of `work`, by the most trusted of the methods with its identity that can count it here.
fn prepare_trusted(job: &dyn Job, work: &Work, args: &Args) -> Result<PreparedJob> {
    let resources = Resources::here(args.threads, None).of_shards(work.shards);
    // The most trusted method comes first.
    for method in job.methods() {
        if let Ok(prepared) = method.prepare(&resources)
            && prepared.identity == work.identity
        {
            return Ok(prepared);
        }
    }
    Ok(job.with_method_of(&work.identity).prepare(&resources)?)
}

/// Draws `number` different numbers below `total`, or all if there are no more. Every run draws others.
fn draw(total: usize, number: usize) -> Vec<usize> {
    let random = RandomState::new();
    let mut drawn = HashSet::new();
    // Floyd's algorithm: it holds no more than the numbers drawn.
    for last in total.saturating_sub(number)..total {
        let id = (random.hash_one(last) % (last as u64 + 1)) as usize;
        if !drawn.insert(id) {
            drawn.insert(last);
        }
    }
    drawn.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_names_each_subtree_once_at_most_and_all_alike() {
        for (total, number, expected) in [(10, 3, 3), (10, 10, 10), (10, 99, 10), (0, 5, 0)] {
            let mut drawn = draw(total, number);
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), expected);
            assert!(drawn.iter().all(|&id| id < total));
        }
        assert_ne!(draw(1000, 10), draw(1000, 10));
        let mut times = [0; 5];
        (0..1000).flat_map(|_| draw(5, 2)).for_each(|id| times[id] += 1);
        assert!(times.iter().all(|times| (300..500).contains(times)), "{times:?}");
    }
}
