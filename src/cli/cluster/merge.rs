//! `tallyboard cluster merge PLAN RESULTS`: one answer out of all results, or what is missing.

use std::collections::BTreeMap;
use std::fmt;

use crate::plural::s;
use anyhow::{Result, bail};
use serde::Serialize;
use tallyboard::queens::known;
use tallyboard::search::shard::{Collected, Work, collect, ranges, sum};

use super::job::{Job, JobPlan, Queens, QueensBody};
use super::merge_sudoku;
use super::recount::{Recount, up_to_symmetry};
use crate::cli::args::{Args, cluster::Merge};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{note, say};
use crate::cli::number::{beyond_doubles, grouped};
use crate::cli::queens::count::ended;
use crate::cli::signals::Interrupt;

/// Joins the results, or tells which shards are missing.
pub fn run(flags: &Merge, args: &Args) -> Result<Ending> {
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
            let collected = collect::<QueensBody>(&flags.results, &plan.work)?;
            if flags.missing {
                return print_missing(&collected);
            }
            ensure_all(&collected, &plan.work)?;
            join(queens, &plan.work, &collected, flags, args)
        }
        Job::Sudoku(_) => {
            let mut collected = collect(&flags.results, &plan.work)?;
            merge_sudoku::drop_unsound(&mut collected, &flags.results);
            if flags.missing {
                return print_missing(&collected);
            }
            ensure_all(&collected, &plan.work)?;
            merge_sudoku::join(&collected, flags, args)
        }
    }
}

fn print_missing<B>(collected: &Collected<B>) -> Result<Ending> {
    if !collected.missing.is_empty() {
        say(ranges(&collected.missing))?;
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
            "{missing} of {} shard{} {} no result: {}",
            work.shards,
            s(work.shards),
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
    flags: &Merge,
    args: &Args,
) -> Result<Ending> {
    let subtotals = || collected.bodies.values().flat_map(|body| &body.subtotals);
    let solutions = sum(work, subtotals())?.solutions();
    let plain = job.board()?.is_plain();
    let known = plain && known::check(job.n, solutions)?;
    let interrupt = Interrupt::listen()?;
    let recounted = match flags.recount {
        Some(number) => {
            let subtotals: BTreeMap<_, _> = subtotals().copied().collect();
            match Recount::run(job, work, &subtotals, number, (args, &interrupt))? {
                None => return Ok(unchecked(&interrupt)),
                recounted => recounted,
            }
        }
        None => None,
    };
    let fundamental = if !plain || known && recounted.is_none() {
        None
    } else {
        match up_to_symmetry(job.n, solutions, &interrupt)? {
            None => return Ok(unchecked(&interrupt)),
            fundamental => fundamental,
        }
    };
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
        say(serde_json::to_string(&report)?)?;
    } else if args.quiet {
        say(solutions)?;
    } else {
        say(&report)?;
    }
    Ok(Ending::Done)
}

/// A sum that is not checked is not told.
fn unchecked(interrupt: &Interrupt) -> Ending {
    note("tallyboard: interrupted before the sum was checked; the results stay");
    ended(interrupt)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{} queen{}: {} solution{}",
            self.n,
            s(self.n),
            grouped(self.solutions),
            s(self.solutions)
        )?;
        writeln!(
            f,
            "{} shard{}, {} subtree{}, each counted once, engine {}",
            grouped(self.shards as u128),
            s(self.shards),
            grouped(self.subtrees as u128),
            s(self.subtrees),
            self.engine
        )?;
        if let Some(Recount { subtrees, share, kernel }) = &self.recounted {
            writeln!(
                f,
                "{} subtree{} ({:.2} % of the work) counted again with kernel {kernel}: the same",
                grouped(*subtrees as u128),
                s(*subtrees),
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
        f.write_str(if self.known.is_some() {
            "agrees with the known count (OEIS A000170)"
        } else {
            "no known count to compare with"
        })
    }
}
