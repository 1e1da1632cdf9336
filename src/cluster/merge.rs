//! `cluster merge PLAN RESULTS`: joins all results, or lists the missing ones; with `--recount` it counts some subtrees again.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_search::shard::{FolderResults, MergeError, Work, collect, ranges, sum};
use tallyboard_search::{Options, Tally, run_split, value};

use super::plan::{CountBody, ReadPlan};
use crate::counting::{Answer, Counting, Details, Resources, Run, Subtotals, share_done};
use crate::terminal::{
    Args, ExitStatus, Interrupt, eprint_line, print_line, print_report, program_name,
};

#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results
    pub results: PathBuf,

    /// Print only the shards without a result, in the form that schedulers take (`0,3-5`)
    #[arg(long)]
    pub missing: bool,

    /// Count this many subtrees again, drawn at random, with the simplest kernel, and compare
    #[arg(long, value_name = "N", conflicts_with = "missing", value_parser = clap::value_parser!(u32).range(1..))]
    pub recount: Option<u32>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Reads the results in `folder`; there are none if the folder is not there.
pub fn collect_if_any<B>(folder: &Path, work: &Work) -> Result<FolderResults<B>, MergeError>
where
    B: Serialize + DeserializeOwned + PartialEq,
{
    if folder.exists() {
        return collect(folder, work);
    }
    let missing = (0..work.shards).collect();
    let (bodies, provenance, damaged) = Default::default();
    Ok(FolderResults { bodies, provenance, missing, damaged })
}

/// Reads the results that `flags` name. The folder may only be absent if the missing shards are to be listed.
fn collect_for<B>(flags: &MergeArgs, work: &Work) -> Result<FolderResults<B>, MergeError>
where
    B: Serialize + DeserializeOwned + PartialEq,
{
    let collect = if flags.missing { collect_if_any } else { collect };
    collect(&flags.results, work)
}

/// Joins the results, or lists the missing shards.
pub fn run(flags: &MergeArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    let plan = read(&flags.plan)?;
    let collected = collect_for::<CountBody>(flags, &plan.work)?;
    if flags.missing {
        collected.damaged.iter().for_each(eprint_line);
        return print_missing(&collected.missing);
    }
    ensure_complete(&collected, &plan.work)?;
    join(&*plan.job, &plan.work, &collected, flags, args)
}

fn print_missing(missing: &[usize]) -> Result<ExitStatus> {
    if missing.is_empty() {
        eprint_line(format_args!("{}: every shard has its result", program_name()));
    } else {
        print_line(ranges(missing))?;
    }
    Ok(ExitStatus::Done)
}

/// Fails if shards have no sound result. Prints what is wrong with damaged results.
pub fn ensure_complete<B>(collected: &FolderResults<B>, work: &Work) -> Result<()> {
    collected.damaged.iter().for_each(eprint_line);
    let missing = collected.missing.len();
    if missing > 0 {
        bail!(
            "{} of {} {} no result: {}; `cluster run` each, `cluster status` tells how far they are",
            grouped(missing),
            counted(work.shards, "shard"),
            if missing == 1 { "has" } else { "have" },
            ranges(&collected.missing)
        );
    }
    Ok(())
}

#[derive(Debug, Serialize)]
struct Report {
    problem: &'static str,
    #[serde(flatten)]
    arguments: Value,
    #[serde(flatten)]
    answer: Answer,
    shards: usize,
    subtrees: usize,
    #[serde(skip)]
    engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recounted: Option<Recount>,
}

/// Adds up the subtotals, checks the sum and prints it.
fn join(
    job: &dyn Counting,
    work: &Work,
    collected: &FolderResults<CountBody>,
    flags: &MergeArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let with_method = job.with_method_of(&work.identity);
    let prepared = with_method.as_deref().unwrap_or(job).prepare(&Resources::unlimited(1))?;
    work.check(&prepared.identity, &prepared.costs)?;
    let subtotals = || collected.bodies.values().flat_map(|body| &body.subtotals);
    let known = job.known_count();
    let mut answer = prepared.answer(sum(work, subtotals())?, known)?;
    let interrupt = Interrupt::listen();
    // A sum is not printed before it is checked.
    let report_interruption =
        || Ok(interrupt.report_interruption(" before the sum was checked; the results stay"));
    let mut recounted = None;
    if let Some(number) = flags.recount {
        let subtotals = subtotals().copied().collect();
        recounted = Recount::run(job, work, &subtotals, number, args, &interrupt)?;
        if recounted.is_none() {
            return report_interruption();
        }
    }
    // A sum that agrees with the known count needs no test by divisibility and the like, unless a recount is asked for.
    if known.count.is_none() || recounted.is_some() {
        answer.facts = job.facts(answer.solutions, interrupt.stop())?;
        if interrupt.signal().is_some() {
            return report_interruption();
        }
    }
    let report = Report {
        problem: job.name(),
        arguments: job.unreported(&Details::default())?,
        answer,
        shards: work.shards,
        subtrees: work.subtrees,
        engine: value(&work.identity, "engine").map(str::to_owned),
        recounted,
    };
    if args.quiet && !flags.json {
        print_line(report.answer.solutions)?;
    } else {
        print_report(&report, flags.json)?;
    }
    Ok(ExitStatus::Done)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.answer.headline())?;
        let shards = self.shards;
        let subtrees = self.subtrees;
        let engine = self.engine.as_ref().map(|engine| format!(", engine {engine}"));
        writeln!(
            f,
            "{}, {}, each counted once{}",
            counted(shards, "shard"),
            counted(subtrees, "subtree"),
            engine.unwrap_or_default()
        )?;
        if let Some(Recount { subtrees, share, details }) = &self.recounted {
            writeln!(
                f,
                "{} ({:.2} % of the work) counted again{}: the same",
                counted(*subtrees, "subtree"),
                share * 100.0,
                with_last_detail(details)
            )?;
        }
        f.write_str(&self.answer.facts.text())?;
        f.write_str(&self.answer.agreement())
    }
}

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
        job: &dyn Counting,
        work: &Work,
        subtotals: &BTreeMap<usize, Tally>,
        number: u32,
        args: &Args,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>> {
        let prepared = prepare_trusted(job, work, args)?;
        let Run { problem, costs, identity, details, .. } = prepared;
        let drawn = draw(costs.len(), number as usize);
        let options = Options::new().stop(interrupt.stop()).only(&drawn[..]);
        let mut recounted = Subtotals::new(args.quiet, interrupt);
        if !run_split(&*problem, &costs, &options, &mut recounted)?.complete {
            return Ok(None);
        }
        for (id, found) in recounted.tallies {
            // `sum` has found each subtree once.
            let merged = subtotals[&id];
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
fn prepare_trusted(job: &dyn Counting, work: &Work, args: &Args) -> Result<Run> {
    let resources = Resources::here(args.threads, None).of_shards(work.shards);
    // The most trusted method comes first.
    for method in job.methods() {
        if let Ok(prepared) = method.prepare(&resources)
            && prepared.identity == work.identity
        {
            return Ok(prepared);
        }
    }
    let with_method = job.with_method_of(&work.identity);
    with_method.as_deref().unwrap_or(job).prepare(&resources)
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
