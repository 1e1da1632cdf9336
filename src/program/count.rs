//! `count`: the whole problem, or one of its subtrees.

use std::fmt;

use anstyle::Style;
use anyhow::{Result, anyhow, ensure};
use clap::Args as ClapArgs;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Fact;
use super::job::{Details, Job, Known, PreparedJob, arguments};
use super::room::Settings;
use crate::cli::args::Args;
use crate::cli::args::shared::JournalArgs;
use crate::cli::ending::{Ending, Usage};
use crate::cli::identities::describe;
use crate::cli::io::{beyond_doubles, say, say_json};
use crate::cli::journaled::Runner;
use crate::cli::signals::Interrupt;
use crate::figures::{counted, grouped, rate, s};
use crate::search::{Outcome, Stop, journal};

/// How to count, save and report.
#[derive(Debug, ClapArgs)]
#[group(skip)]
pub struct CountFlags {
    #[command(flatten)]
    pub journaling: JournalArgs,

    /// Count this subtree alone (its number, from 0, as `show --csv` lists it), by the method that it
    /// was listed with
    #[arg(long, value_name = "ID", conflicts_with_all = ["journal", "resume"])]
    pub subtree: Option<usize>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Computes what follows from a finished count: facts, and the text that `--quiet` prints in place of the
/// number.
pub(crate) type DeriveFacts<'a> = &'a dyn Fn(u128, &Stop) -> Result<(Vec<Fact>, Option<String>)>;

/// Counts, checks the result against the known count and prints it.
pub(crate) fn run(
    job: &dyn Job,
    memory: Option<u64>,
    flags: &CountFlags,
    args: &Args,
    derive_facts: DeriveFacts,
) -> Result<Ending> {
    let job = &*with_method_of_journal(job, &flags.journaling);
    let it = job.prepare(&Settings::here(args.threads, memory))?;
    it.tell(args);
    let interrupt = Interrupt::listen()?;
    let runner = Runner { args, interrupt: &interrupt };
    if let Some(id) = flags.subtree {
        return subtree(&it, id, flags, &runner);
    }
    let outcome = runner.run(&it, &flags.journaling)?;
    if !outcome.complete {
        return Ok(interrupt.ended());
    }
    let mut report = Report::new(job, &it, &outcome)?;
    let (facts, alone) = derive_facts(report.solutions, interrupt.stop())?;
    // The count itself may have taken days, so it is printed even if what follows from it was stopped.
    let ending = match interrupt.signal() {
        Some(_) => interrupt.interrupted(" before all was told that follows from the count"),
        None => {
            report.facts = Facts(facts);
            Ending::Done
        }
    };
    if flags.json {
        say_json(&report)?;
    } else if !args.quiet {
        say(&report)?;
    } else {
        say(alone.unwrap_or(report.solutions.to_string()))?;
    }
    Ok(ending)
}

/// The job with the method that began the journal to be resumed. Otherwise other memory or another version
/// might choose another method, which has other subtrees.
fn with_method_of_journal(job: &dyn Job, journaling: &JournalArgs) -> Box<dyn Job> {
    let path = journaling.journal.as_ref().filter(|_| journaling.resume);
    // Errors of the journal are reported when it is taken up.
    let begun = path.and_then(|path| Some(journal::header(path).ok()?.identity));
    job.with_method_of(&begun.unwrap_or_default())
}

/// Counts subtree `id` alone and prints its subtotal, so that anyone can audit a sum.
fn subtree(it: &PreparedJob, id: usize, flags: &CountFlags, runner: &Runner) -> Result<Ending> {
    let total = it.costs.len();
    ensure!(total > 0, "found subtree {id}, but {} has none: there is no {}", it.title, it.noun);
    if id >= total {
        let (id, last) = (grouped(id), grouped(total - 1));
        return Err(Usage(format!("found subtree {id}, expected 0 to {last}")).into());
    }
    let outcome = runner.search(it, Some(&[id]), None)?;
    if !outcome.complete {
        return Ok(runner.interrupt.interrupted("; nothing is saved"));
    }
    let solutions = outcome.tally.solutions();
    let identity = &it.identity;
    if flags.json {
        let solutions_text = beyond_doubles(solutions);
        say_json(&Subtotal { identity, subtree: id, solutions, solutions_text })?;
    } else if runner.args.quiet {
        say(solutions)?;
    } else {
        say(format_args!(
            "subtree {id} of {}: {}\nof {}, time {:.3} s",
            grouped(total),
            counted(solutions, it.noun),
            describe(identity),
            outcome.elapsed.as_secs_f64()
        ))?;
    }
    Ok(Ending::Done)
}

/// The result of one subtree.
#[derive(Debug, Serialize)]
struct Subtotal<'a> {
    identity: &'a str,
    subtree: usize,
    solutions: u128,
    /// The number as text, if readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
}

/// The result of a count.
#[derive(Debug, Serialize)]
struct Report {
    problem: &'static str,
    #[serde(flatten)]
    arguments: Value,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    noun: &'static str,
    solutions: u128,
    /// The number as text, if readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
    #[serde(flatten)]
    facts: Facts,
    /// Solutions that this run counted itself, for the rate. `None` if subtotals are residues.
    #[serde(skip)]
    solutions_this_run: Option<u128>,
    seconds: f64,
    threads: usize,
    #[serde(flatten)]
    details: Details,
    /// The known count, with which this one agrees; null where none is known.
    known: Option<u128>,
    #[serde(skip)]
    agreement: String,
}

impl Report {
    /// The report of a finished count; an error if the count disagrees with the known one.
    fn new(job: &dyn Job, it: &PreparedJob, outcome: &Outcome) -> Result<Self> {
        let solutions = it.whole(outcome.tally);
        let known: Known = job.known();
        known.check(&it.title, solutions).map_err(|wrong| {
            let details = it.details.text();
            anyhow!("{wrong}. One of the two is wrong: tell the program's author, with your CPU{details}.")
        })?;
        Ok(Self {
            problem: job.name(),
            arguments: arguments(job, &it.details)?,
            title: it.title.clone(),
            noun: it.noun,
            solutions,
            solutions_text: beyond_doubles(solutions),
            facts: Facts(Vec::new()),
            solutions_this_run: match outcome.modulus {
                None => Some(outcome.tally_this_run.solutions()),
                Some(_) => None,
            },
            seconds: outcome.elapsed.as_secs_f64(),
            threads: outcome.threads,
            details: it.details.clone(),
            known: known.count,
            agreement: known.agreement(),
        })
    }
}

/// Facts, as fields of a report.
#[derive(Debug)]
pub(crate) struct Facts(pub Vec<Fact>);

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fact| (fact.key, &fact.value)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bold = Style::new().bold();
        let (title, noun, count) = (&self.title, self.noun, grouped(self.solutions));
        writeln!(f, "{title}: {bold}{count}{bold:#} {noun}{}", s(self.solutions))?;
        for fact in &self.facts.0 {
            writeln!(f, "{}", fact.text)?;
        }
        let Self { seconds, threads, details, .. } = self;
        let rate = |found| format!("{}{noun}s/s, ", rate(found as f64 / seconds));
        let rate = self.solutions_this_run.map_or(String::new(), rate);
        writeln!(f, "time {seconds:.3} s, {rate}threads {threads}{}", details.text())?;
        f.write_str(&self.agreement)
    }
}
