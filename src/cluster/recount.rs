//! `cluster merge --recount`: counts some subtrees again and compares.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use anyhow::{Result, bail};
use search::shard::Work;
use search::{Options, Tally, run_split};
use serde::Serialize;

use crate::counting::job::{Details, Job, PreparedJob};
use crate::counting::resources::Resources;
use crate::counting::watch::Subtotals;
use crate::terminal::args::Args;
use crate::terminal::signals::Interrupt;

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
        (args, interrupt): (&Args, &Interrupt),
    ) -> Result<Option<Self>> {
        let it = trusted(job, work, args)?;
        let only = draw(it.costs.len(), number as usize);
        let options = Options::new().stop(interrupt.stop()).only(&only[..]);
        let mut again = Subtotals::new(args.quiet, interrupt);
        if !run_split(&*it.problem, &it.costs, &options, &mut again)?.complete {
            return Ok(None);
        }
        for (id, found) in again.tallies {
            let merged = subtotals.get(&id).copied().unwrap_or_default();
            if found != merged {
                bail!(
                    "WRONG COUNT: subtree {id} of {} has {} in its result and {} counted again{}; see \
                     which is right with `count … --subtree {id}`",
                    it.identity,
                    merged.solutions(),
                    found.solutions(),
                    with(&it.details)
                );
            }
        }
        let share = it.costs.sum(Some(&only)) as f64 / it.costs.sum(None) as f64;
        Ok(Some(Self { subtrees: only.len(), share, details: it.details }))
    }
}

/// The last detail as text, ` with kernel portable`, or nothing. Methods of one identity differ in it alone.
pub fn with(details: &Details) -> String {
    let last = details.0.last();
    last.map_or(String::new(), |(name, value)| format!(" with {name} {value}"))
}

/// The problem of `work`, by the first of its methods that can count it here.
fn trusted(job: &dyn Job, work: &Work, args: &Args) -> Result<PreparedJob> {
    let settings = Resources::here(args.threads, None).of_shards(work.shards);
    for method in job.methods() {
        if let Ok(it) = method.prepare(&settings)
            && it.identity == work.identity
        {
            return Ok(it);
        }
    }
    Ok(job.with_method_of(&work.identity).prepare(&settings)?)
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
