//! `verify`: counts a problem by every method, and compares the counts.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::Value;
use tallyboard_base::figures::{counted, grouped, plural_s};
use tallyboard_search::{Options, Outcome, Tally, run_split};

use crate::counting::arguments::{Counting, Details, KnownCount, Run};
use crate::counting::count::prepare_on_fitting;
use crate::counting::identities::describe;
use crate::counting::resources::NoRoom;
use crate::counting::run::Subtotals;
use crate::terminal::{
    Args, ExitStatus, Interrupt, eprint_line, print_line, program_name, solutions_fields,
};

/// The count by one method.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    details: Details,
    subtrees: usize,
    #[serde(flatten, serialize_with = "solutions_fields")]
    solutions: u128,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    arguments: Value,
    agree: bool,
    #[serde(flatten)]
    known: KnownCount,
    /// The number of subtotals that were compared.
    subtotals_compared: usize,
    /// The first subtree with two different subtotals.
    differing_subtree: Option<String>,
    rows: Vec<Row>,
}

/// Compares the subtotals of methods with one identity, which split the problem into the same subtrees.
#[derive(Default)]
struct SubtotalComparison {
    /// The subtotals of the first run with each identity.
    first: BTreeMap<String, BTreeMap<usize, Tally>>,
    /// [`Report::subtotals_compared`].
    compared: usize,
    /// [`Report::differing_subtree`].
    differing: Option<String>,
}

impl SubtotalComparison {
    fn add(&mut self, identity: String, tallies: BTreeMap<usize, Tally>) {
        let Some(first) = self.first.get(&identity) else {
            self.first.insert(identity, tallies);
            return;
        };
        self.compared += tallies.len();
        let differs = |(id, tally): &(&usize, &Tally)| first.get(id) != Some(*tally);
        if let Some((id, _)) = tallies.iter().find(differs) {
            self.differing.get_or_insert(format!("subtree {id} of {}", describe(&identity)));
        }
    }
}

/// Counts by every method that this machine can run. Compares all counts, and the subtotals of methods with one
/// identity.
pub(crate) fn run(job: &dyn Counting, json: bool, args: &Args) -> Result<ExitStatus> {
    let mut rows = Vec::new();
    let mut comparison = SubtotalComparison::default();
    let methods = job.methods();
    let mut methods: Vec<&dyn Counting> = methods.iter().map(|it| &**it).collect();
    if methods.is_empty() {
        // Without methods to choose from, the arguments as they are. A mistake in their file is told before that there is one
        // method.
        prepare_on_fitting(None, args, |resources| job.prepare(resources))?;
        methods.push(job);
    }
    ensure_comparable(methods.len(), job)?;
    for method in methods {
        // A split may take a few seconds and looks at no flag, so a signal ends the program at once.
        Interrupt::listen_with_nothing_to_save();
        let prepared = prepare_on_fitting(None, args, |resources| method.prepare(resources));
        let (prepared, args) = match prepared {
            Err(error) if error.is::<NoRoom>() => {
                eprint_line(format_args!("{}: left out: {error}", program_name()));
                continue;
            }
            prepared => prepared?,
        };
        let interrupt = Interrupt::listen();
        let options = Options::new().threads(args.threads).stop(interrupt.stop());
        let mut subtotals = Subtotals::new(args.quiet, &interrupt);
        let outcome = run_split(&*prepared.problem, &prepared.costs, &options, &mut subtotals)?;
        if !outcome.complete {
            return Ok(interrupt.report_interruption("; nothing is saved"));
        }
        let row = Row::new(&prepared, &outcome);
        if !json && !args.quiet {
            row.print(prepared.noun)?;
        }
        rows.push(row);
        comparison.add(prepared.identity, subtotals.tallies);
    }
    if rows.is_empty() {
        bail!("found no method that can count here: nothing to compare");
    }
    ensure_comparable(rows.len(), job)?;
    let report = Report::new(job, rows, comparison)?;
    if json {
        print_line(serde_json::to_string_pretty(&report)?)?;
    } else {
        report.print_conclusion()?;
    }
    Ok(if report.agree { ExitStatus::Done } else { ExitStatus::Failed })
}

/// Fails if there are counts by one method only, and no known count to compare it with.
fn ensure_comparable(methods: usize, job: &dyn Counting) -> Result<()> {
    if methods == 1 && job.known_count().count.is_none() {
        bail!("found one method that can count here, and no known count: nothing to compare");
    }
    Ok(())
}

impl Row {
    fn new(prepared: &Run, outcome: &Outcome) -> Self {
        Self {
            details: prepared.details.clone(),
            subtrees: outcome.subtrees,
            solutions: prepared.total(outcome.tally),
            seconds: outcome.elapsed.as_secs_f64(),
        }
    }

    fn print(&self, noun: &str) -> Result<()> {
        let details: String =
            self.details.0.iter().map(|(_, value)| format!("{value:<8} ")).collect();
        print_line(format!(
            "{details}{:>19} {}{:<1} {:>9} subtree{:<1} {:>8.3} s",
            grouped(self.solutions),
            noun,
            plural_s(self.solutions),
            grouped(self.subtrees),
            plural_s(self.subtrees),
            self.seconds
        ))
    }
}

impl Report {
    fn new(job: &dyn Counting, rows: Vec<Row>, comparison: SubtotalComparison) -> Result<Self> {
        let known = job.known_count();
        let mut counts = rows.iter().map(|row| row.solutions).chain(known.count);
        let first = counts.next();
        let same_counts = counts.all(|count| Some(count) == first);
        Ok(Self {
            arguments: job.unreported(&rows[0].details)?,
            agree: same_counts && comparison.differing.is_none(),
            known,
            subtotals_compared: comparison.compared,
            differing_subtree: comparison.differing,
            rows,
        })
    }

    /// Prints whether all counts agree. The rows are printed already.
    fn print_conclusion(&self) -> Result<()> {
        if let Some(subtree) = &self.differing_subtree {
            print_line(format!("different subtotals, first in {subtree}"))?;
        }
        let known = self.known.note();
        if self.agree && self.rows.len() == 1 {
            // There is a known count: see `ensure_comparable`.
            print_line(format!("one method, which agrees{known}; no other to compare it with"))
        } else if self.agree {
            print_line(format!(
                "all agree{known}; {} compared",
                counted(self.subtotals_compared, "subtotal")
            ))
        } else {
            print_line(format!("THEY DISAGREE{known}"))
        }
    }
}
