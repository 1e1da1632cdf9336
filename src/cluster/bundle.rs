//! Bundles of all subtotals of a count: `cluster bundle` makes one, to be published, and `cluster check` says whether it is
//! complete and its sum can be the count.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use tallyboard_base::figures::counted;
use tallyboard_search::shard::{Bundle, Provenance, collect};

use super::audit::{AuditReport, DrawArgs, audit_bundle};
use super::merge::ensure_complete;
use super::plan::{CountBody, PlannedJob, ReadPlan};
use crate::counting::{Answer, Facts, Job, KnownCount, describe};
use crate::terminal::{
    Args, ExitStatus, Interrupt, UsageError, cannot_read, eprint_line, info, print_line,
    print_report,
};

#[derive(Debug, clap::Args)]
pub struct BundleArgs {
    /// The plan
    pub plan: PathBuf,

    /// The folder with the results
    pub results: PathBuf,

    /// The folder to make
    #[arg(short, long, value_name = "BUNDLE")]
    pub output: PathBuf,
}

/// Writes the bundle of a whole count.
pub fn run(flags: &BundleArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    let WholeCount { bundle, job, plan_file } = read_whole(&flags.plan, &flags.results, read)?;
    let solutions = job.total(bundle.solutions()?)?;
    let fingerprint = bundle.write(&plan_file, &flags.output)?;
    let without_provenance =
        bundle.shards.iter().filter(|shard| shard.provenance.is_none()).count();
    if without_provenance > 0 {
        let results = counted(without_provenance, "result");
        info(args, format_args!("{results} of an older version: who counted is unknown"));
    }
    info(
        args,
        format_args!(
            "{}: {}, {}, {}; publish this fingerprint, the SHA-256 of its SHA256SUMS:",
            flags.output.display(),
            counted(bundle.work.shards, "shard"),
            counted(bundle.work.subtrees, "subtree"),
            counted(solutions, job.noun())
        ),
    );
    print_line(fingerprint)?;
    Ok(ExitStatus::Done)
}

/// The plan and the results of a whole count.
pub struct WholeCount {
    pub bundle: Bundle,
    job: Box<dyn Job>,
    /// The bytes of the plan's file.
    plan_file: Vec<u8>,
}

/// Reads a plan and all of its results. Fails if shards are missing, results are of another plan, or a subtree is
/// missing or there twice.
pub fn read_whole(plan_path: &Path, results: &Path, read: ReadPlan) -> Result<WholeCount> {
    let plan = read(plan_path)?;
    let PlannedJob::Count(job) = plan.job else {
        bail!(UsageError::of("expected the plan of a count; this is a sudoku plan"));
    };
    let plan_file = std::fs::read(plan_path).with_context(|| cannot_read(plan_path))?;
    let collected = collect::<CountBody>(results, &plan.work)?;
    ensure_complete(&collected, &plan.work)?;
    let bundle = Bundle::new(&plan.work, &collected, |body| &body.subtotals)?;
    Ok(WholeCount { bundle, job, plan_file })
}

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
    #[serde(flatten)]
    answer: Answer,
    shards: usize,
    subtrees: usize,
    fingerprint: String,
    /// The number of shards by what counted them: version, kernel and processor.
    counted_by: BTreeMap<String, usize>,
    audit: Option<AuditReport>,
}

/// Checks a bundle without the results that it was made from.
pub fn check(flags: &CheckArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
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
    let PlannedJob::Count(job) = &plan.job else {
        bail!(UsageError::of("expected the bundle of a count"));
    };
    let sum = bundle.solutions()?;
    let (solutions, known) = match job.unreadable(&bundle.work.identity) {
        // Such a count is no residue, so the sum is the number of solutions without the puzzle file.
        Some(why) => {
            eprint_line(format_args!("{why}; a known count that the file tells is not compared"));
            (sum.solutions(), KnownCount::default())
        }
        None => (job.total(sum)?, job.known()),
    };
    let interrupt = Interrupt::listen();
    let report_interruption = || Ok(interrupt.report_interruption(" before all was checked"));
    let title = describe(&bundle.work.identity);
    let mut answer = Answer::new(title, job.noun(), solutions, known)?;
    answer.facts = Facts(job.check(solutions, interrupt.stop())?);
    if interrupt.signal().is_some() {
        return report_interruption();
    }
    let mut audit = None;
    if flags.draw.share > 0.0 {
        audit = audit_bundle(&bundle, &flags.draw, args, &interrupt)?;
        if audit.is_none() {
            return report_interruption();
        }
    }
    let report = Report {
        identity: bundle.work.identity.clone(),
        answer,
        shards: bundle.work.shards,
        subtrees: bundle.work.subtrees,
        fingerprint,
        counted_by: counted_by(&bundle),
        audit,
    };
    print_report(&report, flags.draw.json)?;
    Ok(if interrupt.signal().is_some() { interrupt.exit_status() } else { ExitStatus::Done })
}

/// How many shards were counted by which version, kernel and processor.
fn counted_by(bundle: &Bundle) -> BTreeMap<String, usize> {
    let mut counted_by = BTreeMap::new();
    for shard in &bundle.shards {
        let who = match &shard.provenance {
            None => "unknown, by an older version".to_owned(),
            Some(Provenance { version, commit, kernel, cpu, .. }) => {
                let commit = commit.as_deref().unwrap_or("unknown");
                let kernel = kernel.as_deref().unwrap_or("unknown");
                format!("version {version}, commit {commit}, kernel {kernel}, {cpu}")
            }
        };
        *counted_by.entry(who).or_insert(0) += 1;
    }
    counted_by
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.answer.headline())?;
        writeln!(
            f,
            "{}, {}, each there once; sums and checksums fit",
            counted(self.shards, "shard"),
            counted(self.subtrees, "subtree")
        )?;
        for (who, shards) in &self.counted_by {
            writeln!(f, "{} counted by {who}", counted(*shards, "shard"))?;
        }
        f.write_str(&self.answer.facts.text())?;
        if let Some(audit) = &self.audit {
            writeln!(f, "{audit}")?;
        }
        writeln!(f, "{}", self.answer.agreement())?;
        write!(f, "fingerprint {}", self.fingerprint)
    }
}
