//! `count`: the whole problem, or one of its subtrees.

use std::fmt;
use std::time::Duration;

use anstyle::Style;
use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use serde_json::Value;
use tallyboard_base::figures::{counted, grouped, plural_s, with_prefix};
use tallyboard_search::{Outcome, Stop, journal};

use crate::counting::arguments::{Answer, Counting, Details, Fact, Facts, KnownCount, Run};
use crate::counting::identities::describe;
use crate::counting::resources::{NoRoom, Resources};
use crate::counting::run::JournalArgs;
use crate::terminal::{
    Args, ExitStatus, Interrupt, UsageError, info, print_json, print_line, print_report, showing,
    solutions_fields,
};

/// How to count, save and report.
#[derive(Debug, ClapArgs)]
#[group(skip)]
pub struct CountFlags {
    #[command(flatten)]
    pub journaling: JournalArgs,

    /// Count this subtree alone (its number, from 0, as `show --csv` lists it), with the flags of the count
    /// whose journal that is
    #[arg(long, value_name = "ID", conflicts_with_all = ["journal", "resume"])]
    pub subtree: Option<usize>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Derives facts from a finished count. Also returns the text that `--quiet` prints instead of the count, if
/// there is one.
pub(crate) type DeriveFacts<'a> = &'a dyn Fn(u128, &Stop) -> Result<(Vec<Fact>, Option<String>)>;

/// Prepares `job` for a run here that takes at most `memory` bytes, and the arguments with the threads that run it
/// ([`prepare_on_fitting`]). Splitting may take long, so a terminal shows it.
pub(crate) fn prepare(job: &dyn Counting, memory: Option<u64>, args: &Args) -> Result<(Run, Args)> {
    // The report holds the arguments, and a path that is no UTF-8 has no JSON form. Better to fail now than after hours.
    job.json()?;
    prepare_on_fitting(memory, args, |resources| {
        showing("splitting into subtrees", args.quiet, || job.prepare(resources))?
    })
}

/// What `prepare` makes for the threads of `args`, or for as many as there is room for if their number was left open.
pub(crate) fn prepare_on_fitting(
    memory: Option<u64>,
    args: &Args,
    prepare: impl Fn(&Resources) -> Result<Run>,
) -> Result<(Run, Args)> {
    let error = match prepare(&Resources::here(args.threads, memory)) {
        Ok(run) => return Ok((run, args.clone())),
        Err(error) => error,
    };
    let fitting = error.downcast_ref::<NoRoom>().and_then(|refusal| refusal.fitting);
    let Some(threads) = fitting.filter(|_| args.threads == 0) else { return Err(error) };
    info(args, format_args!("{error}, and is taken"));
    let run = prepare(&Resources::here(threads, memory))?;
    Ok((run, Args { threads, ..args.clone() }))
}

/// Counts, checks the result against the known count and prints it.
pub(crate) fn run(
    job: &dyn Counting,
    memory: Option<u64>,
    flags: &CountFlags,
    args: &Args,
    derive_facts: DeriveFacts,
) -> Result<ExitStatus> {
    let mut report = match finish(job, memory, flags, args)? {
        Ok(report) => report,
        Err(ending) => return Ok(ending),
    };
    let interrupt = Interrupt::listen();
    let (facts, quiet_text) = derive_facts(report.answer.solutions, interrupt.stop())?;
    // The count itself may have taken days, so it is printed even if deriving facts from it was interrupted.
    let ending = match interrupt.signal() {
        Some(_) => interrupt
            .report_interruption(" before the facts that follow from the count were computed"),
        None => {
            report.answer.facts = Facts(facts);
            ExitStatus::Done
        }
    };
    if args.quiet && !flags.json {
        print_line(quiet_text.unwrap_or(report.answer.solutions.to_string()))?;
    } else {
        print_report(&report, flags.json)?;
    }
    Ok(ending)
}

/// Counts and checks the result against the known count. If there is no whole count, because a signal came or one subtree
/// was asked for, the error is how the command ends. The command listens to signals from when the problem is split: until then
/// there is nothing to save, and a signal ends it at once.
pub(crate) fn finish(
    job: &dyn Counting,
    memory: Option<u64>,
    flags: &CountFlags,
    args: &Args,
) -> Result<Result<Report, ExitStatus>> {
    let continued = job.with_method_of(&identity_of_journal(&flags.journaling));
    let job = continued.as_deref().unwrap_or(job);
    let (run, args) = &prepare(job, memory, args)?;
    let interrupt = Interrupt::listen();
    run.print_remarks(args);
    if let Some(id) = flags.subtree {
        return Ok(Err(count_subtree(run, id, flags, args, &interrupt)?));
    }
    let outcome = run.count(&flags.journaling, args, &interrupt)?;
    if !outcome.complete {
        return Ok(Err(interrupt.exit_status()));
    }
    Report::new(job, run, &outcome).map(Ok)
}

/// The identity in the journal that is resumed, empty if there is none: a count goes on by the method that began it.
/// Otherwise the program might choose another method, which has other subtrees: the choice depends on memory and on the
/// version.
fn identity_of_journal(journaling: &JournalArgs) -> String {
    match &journaling.journal {
        // Errors of the journal are reported later, when it is opened to be continued.
        Some(path) if journaling.resume => {
            journal::header(path).map(|header| header.identity).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Counts subtree `id` alone and prints its subtotal, so that anyone can audit a sum.
fn count_subtree(
    prepared: &Run,
    id: usize,
    flags: &CountFlags,
    args: &Args,
    interrupt: &Interrupt,
) -> Result<ExitStatus> {
    let total = prepared.costs.len();
    if id >= total {
        let found = grouped(id);
        bail!(UsageError(match total.checked_sub(1) {
            Some(last) => format!("found subtree {found}, expected 0 to {}", grouped(last)),
            None => {
                let Run { title, noun, .. } = prepared;
                format!("found subtree {found}, but {title} has none: there is no {noun}")
            }
        }));
    }
    let outcome = prepared.search(Some(&[id]), None, args, interrupt)?;
    if !outcome.complete {
        return Ok(interrupt.report_interruption("; nothing is saved"));
    }
    let solutions = outcome.tally.solutions();
    let identity = &prepared.identity;
    if flags.json {
        print_json(&Subtotal { identity, subtree: id, solutions })?;
    } else if args.quiet {
        print_line(solutions)?;
    } else {
        print_line(format_args!(
            "subtree {id} of {}: {}\nof {}, time {:.3} s",
            grouped(total),
            counted(solutions, prepared.noun),
            describe(identity),
            outcome.elapsed.as_secs_f64()
        ))?;
    }
    Ok(ExitStatus::Done)
}

/// Prints the report of a count on one thread that stops at a limit, as JSON. It has the keys of every count, and `is_all`
/// tells whether these are all solutions.
pub(crate) fn print_limited(
    job: &dyn Counting,
    title: String,
    solutions: u128,
    is_all: bool,
    elapsed: Duration,
) -> Result<()> {
    let mut answer = Answer::new(title, job.noun(), solutions, KnownCount::default())?;
    answer.facts = Facts(vec![Fact { key: "is_all", value: is_all.into(), text: String::new() }]);
    print_json(&Report {
        problem: job.name(),
        arguments: job.json()?,
        answer,
        solutions_this_run: None,
        seconds: elapsed.as_secs_f64(),
        threads: 1,
        details: Details::default(),
    })
}

/// The result of one subtree.
#[derive(Debug, Serialize)]
struct Subtotal<'a> {
    identity: &'a str,
    subtree: usize,
    #[serde(flatten, serialize_with = "solutions_fields")]
    solutions: u128,
}

/// The result of a count.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    problem: &'static str,
    #[serde(flatten)]
    arguments: Value,
    #[serde(flatten)]
    pub answer: Answer,
    /// Solutions that this run counted itself, for the rate. `None` if subtotals are residues.
    #[serde(skip)]
    solutions_this_run: Option<u128>,
    pub seconds: f64,
    pub threads: usize,
    #[serde(flatten)]
    details: Details,
}

impl Report {
    /// The report of a finished count; an error if the count disagrees with the known one.
    fn new(job: &dyn Counting, prepared: &Run, outcome: &Outcome) -> Result<Self> {
        let answer = prepared.answer(outcome.tally, job.known_count()).map_err(|wrong| {
            let details = prepared.details.text();
            anyhow!("{wrong}. One of the two is wrong: tell the program's author, with your CPU{details}.")
        })?;
        Ok(Self {
            problem: job.name(),
            arguments: job.unreported(&prepared.details)?,
            answer,
            solutions_this_run: (outcome.modulus.is_none())
                .then(|| outcome.tally_this_run.solutions()),
            seconds: outcome.elapsed.as_secs_f64(),
            threads: outcome.threads,
            details: prepared.details.clone(),
        })
    }
}

impl Report {
    /// How long the count took, and how it was counted.
    pub fn how(&self) -> String {
        let Self { seconds, threads, details, .. } = self;
        let rate = self.solutions_this_run.map_or(String::new(), |solutions| {
            format!("{} {}s/s, ", with_prefix(solutions as f64 / seconds), self.answer.noun)
        });
        format!("time {seconds:.3} s, {rate}threads {threads}{}", details.text())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { answer, .. } = self;
        let Answer { title, noun, solutions, .. } = answer;
        let bold = Style::new().bold();
        let number = grouped(*solutions);
        writeln!(f, "{title}: {bold}{number}{bold:#} {noun}{}", plural_s(*solutions))?;
        f.write_str(&answer.facts.text())?;
        writeln!(f, "{}", self.how())?;
        f.write_str(&answer.agreement())
    }
}
