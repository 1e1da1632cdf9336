//! `cluster check BUNDLE`: checks that a bundle is complete, and that its sum can be the count.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use base::figures::counted;
use search::shard::Bundle;
use serde::Serialize;

use super::audit::{AuditReport, DrawArgs};
use super::job::{ReadPlan, Task};
use crate::counting::count::Facts;
use crate::counting::identities::describe;
use crate::terminal::args::Args;
use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::print::{known_fields, print_json, print_line, solutions_fields};
use crate::terminal::signals::Interrupt;

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The folder that `cluster bundle` made
    pub bundle: PathBuf,

    #[command(flatten)]
    pub draw: DrawArgs,
}

#[derive(Debug, Serialize)]
struct Report {
    identity: String,
    #[serde(skip)]
    noun: &'static str,
    #[serde(flatten, serialize_with = "solutions_fields")]
    solutions: u128,
    shards: usize,
    subtrees: usize,
    fingerprint: String,
    /// The known count, with which this one agrees; null where none is known.
    #[serde(flatten, serialize_with = "known_fields")]
    known: Option<u128>,
    #[serde(skip)]
    agreement: String,
    /// Facts that further checks derive from the count.
    #[serde(flatten)]
    facts: Facts,
    /// The number of shards by what counted them: version, kernel and processor.
    counted_by: BTreeMap<String, usize>,
    audit: Option<AuditReport>,
}

/// Checks a bundle without the results that it was made from.
pub fn run(flags: &CheckArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    let (bundle, fingerprint) = Bundle::read(&flags.bundle)?;
    let plan = read(&Bundle::plan(&flags.bundle))?;
    ensure!(
        plan.work == bundle.work,
        "{}: its plan is of {} in {} with {}, its subtotals are of {} in {} with {}",
        flags.bundle.display(),
        plan.work.identity,
        counted(plan.work.shards, "shard"),
        counted(plan.work.subtrees, "subtree"),
        bundle.work.identity,
        counted(bundle.work.shards, "shard"),
        counted(bundle.work.subtrees, "subtree")
    );
    let Task::Count(job) = &plan.job else {
        return Err(UsageError("expected the bundle of a count".to_owned()).into());
    };
    let solutions = job.whole(bundle.solutions()?)?;
    let interrupt = Interrupt::listen()?;
    let unchecked = || Ok(interrupt.interrupted(" before all was checked"));
    let known = job.known();
    known.check(&describe(&bundle.work.identity), solutions)?;
    let facts = job.check(solutions, interrupt.stop())?;
    if interrupt.signal().is_some() {
        return unchecked();
    }
    let mut audit = None;
    if flags.draw.share > 0.0 {
        audit = AuditReport::of(&bundle, &flags.draw, args, &interrupt)?;
        if audit.is_none() {
            return unchecked();
        }
    }
    let report = Report {
        identity: bundle.work.identity.clone(),
        noun: job.noun(),
        solutions,
        shards: bundle.work.shards,
        subtrees: bundle.work.subtrees,
        fingerprint,
        known: known.count,
        agreement: known.agreement(),
        facts: Facts(facts),
        counted_by: counted_by(&bundle),
        audit,
    };
    if flags.draw.json {
        print_json(&report)?
    } else {
        print_line(&report)?
    }
    Ok(if interrupt.signal().is_some() { interrupt.ended() } else { ExitStatus::Done })
}

/// How many shards were counted by which version, kernel and processor.
fn counted_by(bundle: &Bundle) -> BTreeMap<String, usize> {
    let mut counted_by = BTreeMap::new();
    for shard in &bundle.shards {
        let who = shard.provenance.as_ref().map_or_else(
            || "unknown, by an older version".to_owned(),
            |it| {
                let (commit, kernel) = (it.commit.as_deref(), it.kernel.as_deref());
                let commit = commit.unwrap_or("unknown");
                let kernel = kernel.unwrap_or("unknown");
                format!("version {}, commit {commit}, kernel {kernel}, {}", it.version, it.cpu)
            },
        );
        *counted_by.entry(who).or_insert(0) += 1;
    }
    counted_by
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {}", describe(&self.identity), counted(self.solutions, self.noun))?;
        writeln!(
            f,
            "{}, {}, each there once; sums and checksums fit",
            counted(self.shards, "shard"),
            counted(self.subtrees, "subtree")
        )?;
        for (who, shards) in &self.counted_by {
            writeln!(f, "{} counted by {who}", counted(*shards, "shard"))?;
        }
        for fact in &self.facts.0 {
            writeln!(f, "{}", fact.text)?;
        }
        if let Some(audit) = &self.audit {
            writeln!(f, "{audit}")?;
        }
        writeln!(f, "{}", self.agreement)?;
        write!(f, "fingerprint {}", self.fingerprint)
    }
}
