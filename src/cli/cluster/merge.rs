//! `tallyboard cluster merge PLAN RESULTS`: one answer out of all results, or what is missing.

use std::fmt;

use crate::figures::{counted, grouped};
use crate::queens::known;
use crate::search::shard::{Collected, InFile, Work, collect, ranges, sum};
use anyhow::{Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::job::{Job, JobPlan, Queens, QueensBody};
use super::recount::{Recount, up_to_symmetry};
use super::sudoku;
use crate::cli::args::{Args, cluster::MergeArgs};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{beyond_doubles, note, say, say_json};
use crate::cli::problem::agreement;
use crate::cli::signals::Interrupt;

/// The results in `folder`; none if it is not there yet and only what is missing is asked for.
fn gather<B>(flags: &MergeArgs, work: &Work) -> Result<Collected<B>>
where
    B: Serialize + DeserializeOwned + PartialEq,
{
    if flags.missing && !flags.results.exists() {
        let missing = (0..work.shards).collect();
        let (bodies, provenance) = Default::default();
        return Ok(Collected { bodies, provenance, missing, damaged: Vec::new() });
    }
    Ok(collect(&flags.results, work)?)
}

/// Joins the results, or tells which shards are missing.
pub fn run(flags: &MergeArgs, args: &Args) -> Result<Ending> {
    let plan = JobPlan::read(&flags.plan)?;
    match &plan.job {
        Job::Queens(_) if flags.output.is_some() => {
            Err(Usage("--output is for sudoku plans; this one is a count".to_owned()).into())
        }
        Job::Sudoku(_) if flags.json || flags.recount.is_some() => {
            let flag = if flags.json { "--json" } else { "--recount" };
            Err(Usage(format!("{flag} is for counts; this is a sudoku plan")).into())
        }
        Job::Queens(queens) => {
            let collected = gather::<QueensBody>(flags, &plan.work)?;
            if flags.missing {
                return print_missing(&collected.missing);
            }
            ensure_all(&collected, &plan.work)?;
            join(queens, &plan.work, &collected, flags, args)
        }
        Job::Sudoku(_) => {
            let mut collected = gather(flags, &plan.work)?;
            sudoku::drop_unsound(&mut collected, &flags.results);
            if flags.missing {
                return print_missing(&collected.missing);
            }
            ensure_all(&collected, &plan.work)?;
            sudoku::join(&collected, flags, args)
        }
    }
}

fn print_missing(missing: &[usize]) -> Result<Ending> {
    if missing.is_empty() {
        note("tallyboard: every shard has its result");
    } else {
        say(ranges(missing))?;
    }
    Ok(Ending::Done)
}

fn ensure_all<B>(collected: &Collected<B>, work: &Work) -> Result<()> {
    for damage in &collected.damaged {
        note(format_args!("{damage}"));
    }
    let missing = collected.missing.len();
    if missing > 0 {
        bail!(
            "{} of {} {} no result: {}",
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
    n: u32,
    solutions: u128,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
    shards: usize,
    subtrees: usize,
    engine: String,
    /// The count in the table of known counts, with which this one agrees; null where it has none.
    known: Option<u128>,
    /// What it was checked with otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recounted: Option<Recount>,
}

fn join(
    job: &Queens,
    work: &Work,
    collected: &Collected<QueensBody>,
    flags: &MergeArgs,
    args: &Args,
) -> Result<Ending> {
    let subtotals = || collected.bodies.values().flat_map(|body| &body.subtotals);
    let solutions = sum(work, subtotals())?.solutions();
    let plain = job.board()?.is_plain();
    let known = plain && known::check(job.n, solutions)?;
    let interrupt = Interrupt::listen()?;
    // A sum that is not checked is not told.
    let unchecked = || Ok(interrupt.interrupted(" before the sum was checked; the results stay"));
    let mut recounted = None;
    if let Some(number) = flags.recount {
        let subtotals = subtotals().copied().collect();
        recounted = Recount::run(job, work, &subtotals, number, (args, &interrupt))?;
        if recounted.is_none() {
            return unchecked();
        }
    }
    let mut fundamental = None;
    if plain && (!known || recounted.is_some()) {
        fundamental = up_to_symmetry(job.n, solutions, &interrupt)?;
        if fundamental.is_none() {
            return unchecked();
        }
    }
    let report = Report {
        problem: "queens",
        n: job.n,
        solutions,
        solutions_text: beyond_doubles(solutions),
        shards: work.shards,
        subtrees: work.subtrees,
        engine: job.engine.clone(),
        known: known.then_some(solutions),
        fundamental,
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
        writeln!(f, "{}: {}", counted(self.n, "queen"), counted(self.solutions, "solution"))?;
        writeln!(
            f,
            "{}, {}, each counted once, engine {}",
            counted(self.shards, "shard"),
            counted(self.subtrees, "subtree"),
            self.engine
        )?;
        if let Some(Recount { subtrees, share, kernel }) = &self.recounted {
            writeln!(
                f,
                "{} ({:.2} % of the work) counted again with kernel {kernel}: the same",
                counted(*subtrees, "subtree"),
                share * 100.0
            )?;
        }
        if let Some(fundamental) = self.fundamental {
            writeln!(
                f,
                "{} up to rotation and reflection: all but the symmetric come in eights",
                grouped(fundamental)
            )?;
        }
        f.write_str(agreement(self.known))
    }
}
