//! `cluster merge PLAN RESULTS`: joins all results, or lists the missing ones.

use std::fmt;
use std::path::Path;

use crate::program::Settings;
use crate::program::count::Facts;
use crate::program::job::{Details, Job, arguments};
use anyhow::{Result, bail};
use base::figures::{counted, grouped};
use search::shard::{FolderResults, Work, collect, ranges, sum};
use search::value;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::job::{CountBody, ReadPlan, Task};
use super::recount::{Recount, with};
use super::sudoku;
use crate::cli::args::{Args, cluster::MergeArgs};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{known_fields, note, say, say_json, solutions_fields};
use crate::cli::program;
use crate::cli::signals::Interrupt;

/// Reads the results in `folder`. A missing folder is an error, unless it `may_be_absent`: then there are none.
pub fn gather<B>(folder: &Path, work: &Work, may_be_absent: bool) -> Result<FolderResults<B>>
where
    B: Serialize + DeserializeOwned + PartialEq,
{
    if may_be_absent && !folder.exists() {
        let missing = (0..work.shards).collect();
        let (bodies, provenance) = Default::default();
        return Ok(FolderResults { bodies, provenance, missing, damaged: Vec::new() });
    }
    Ok(collect(folder, work)?)
}

/// Joins the results, or tells which shards are missing.
pub fn run(flags: &MergeArgs, read: ReadPlan, args: &Args) -> Result<Ending> {
    let plan = read(&flags.plan)?;
    match &plan.job {
        Task::Count(_) if flags.output.is_some() => {
            Err(Usage("--output is for sudoku plans; this one is a count".to_owned()).into())
        }
        Task::File(_) if flags.json || flags.recount.is_some() => {
            let flag = if flags.json { "--json" } else { "--recount" };
            Err(Usage(format!("{flag} is for counts; this is a sudoku plan")).into())
        }
        Task::Count(job) => {
            let collected = gather::<CountBody>(&flags.results, &plan.work, flags.missing)?;
            if flags.missing {
                return print_missing(&collected.missing);
            }
            ensure_all(&collected, &plan.work)?;
            join(&**job, &plan.work, &collected, flags, args)
        }
        Task::File(job) => {
            let mut collected = gather(&flags.results, &plan.work, flags.missing)?;
            sudoku::drop_unsound(&mut collected, &flags.results);
            if flags.missing {
                return print_missing(&collected.missing);
            }
            ensure_all(&collected, &plan.work)?;
            sudoku::join(job, &collected, flags, args)
        }
    }
}

fn print_missing(missing: &[usize]) -> Result<Ending> {
    if missing.is_empty() {
        note(format_args!("{}: every shard has its result", program()));
    } else {
        say(ranges(missing))?;
    }
    Ok(Ending::Done)
}

pub fn ensure_all<B>(collected: &FolderResults<B>, work: &Work) -> Result<()> {
    for damage in &collected.damaged {
        note(format_args!("{damage}"));
    }
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
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    noun: &'static str,
    #[serde(flatten, serialize_with = "solutions_fields")]
    solutions: u128,
    shards: usize,
    subtrees: usize,
    #[serde(skip)]
    engine: Option<String>,
    /// The known count, with which this one agrees; null where none is known.
    #[serde(flatten, serialize_with = "known_fields")]
    known: Option<u128>,
    #[serde(skip)]
    agreement: String,
    /// Facts that further checks derive from the count.
    #[serde(flatten)]
    facts: Facts,
    #[serde(skip_serializing_if = "Option::is_none")]
    recounted: Option<Recount>,
}

fn join(
    job: &dyn Job,
    work: &Work,
    collected: &FolderResults<CountBody>,
    flags: &MergeArgs,
    args: &Args,
) -> Result<Ending> {
    let it = job.with_method_of(&work.identity).prepare(&Settings::unlimited(1))?;
    work.check(&it.identity, &it.costs)?;
    let subtotals = || collected.bodies.values().flat_map(|body| &body.subtotals);
    let solutions = it.whole(sum(work, subtotals())?);
    let known = job.known();
    known.check(&it.title, solutions)?;
    let interrupt = Interrupt::listen()?;
    // A sum is not printed before it is checked.
    let unchecked = || Ok(interrupt.interrupted(" before the sum was checked; the results stay"));
    let mut recounted = None;
    if let Some(number) = flags.recount {
        let subtotals = subtotals().copied().collect();
        recounted = Recount::run(job, work, &subtotals, number, (args, &interrupt))?;
        if recounted.is_none() {
            return unchecked();
        }
    }
    let mut facts = Vec::new();
    if known.count.is_none() || recounted.is_some() {
        facts = job.check(solutions, interrupt.stop())?;
        if interrupt.signal().is_some() {
            return unchecked();
        }
    }
    let report = Report {
        problem: job.name(),
        arguments: arguments(job, &Details::default())?,
        title: it.title,
        noun: it.noun,
        solutions,
        shards: work.shards,
        subtrees: work.subtrees,
        engine: value(&work.identity, "engine").map(str::to_owned),
        known: known.count,
        agreement: known.agreement(),
        facts: Facts(facts),
        recounted,
    };
    if flags.json {
        say_json(&report)?;
    } else if args.quiet {
        say(solutions)?;
    } else {
        say(&report)?;
    }
    Ok(Ending::Done)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {}", self.title, counted(self.solutions, self.noun))?;
        let (shards, subtrees) = (self.shards, self.subtrees);
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
                with(details)
            )?;
        }
        for fact in &self.facts.0 {
            writeln!(f, "{}", fact.text)?;
        }
        f.write_str(&self.agreement)
    }
}
