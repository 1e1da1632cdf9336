//! Bundles of all subtotals of a count: `cluster bundle` makes one, to be published, `cluster check` says whether it is complete
//! and its sum can be the count, and counts some subtrees of it, or of a plan and its results, again by another method.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use tallyboard_base::Kernel;
use tallyboard_base::figures::{counted, grouped, percent};
use tallyboard_queens::audit::{Audit, CoverageError, Descent, Draws, Part, UnequalCut, detection};
use tallyboard_queens::{Board, Count, Engine, Settings};
use tallyboard_search::shard::{Bundle, Provenance, collect};
use tallyboard_search::{Options, Problem, Tally, run_split, thread_count, value};

use super::merge::{self, MergeArgs, ensure_complete};
use super::plan::{CountBody, Planned, ReadPlan};
use crate::counting::{Answer, KnownCount, Subtotals, describe};
use crate::terminal::{
    Args, ExitStatus, Interrupt, UsageError, cannot_read, duration, eprint_line, info, print_line,
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
    job: Planned,
    /// The bytes of the plan's file.
    plan_file: Vec<u8>,
}

/// Reads a plan and all of its results. Fails if shards are missing, results are of another plan, or a subtree is
/// missing or there twice.
pub fn read_whole(plan_path: &Path, results: &Path, read: ReadPlan) -> Result<WholeCount> {
    let plan = read(plan_path)?;
    let job = plan.job;
    let plan_file = std::fs::read(plan_path).with_context(|| cannot_read(plan_path))?;
    let collected = collect::<CountBody>(results, &plan.work)?;
    ensure_complete(&collected, &plan.work)?;
    let bundle = Bundle::new(&plan.work, &collected, |body| &body.subtotals)?;
    Ok(WholeCount { bundle, job, plan_file })
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The folder that `cluster bundle` made, or a plan
    #[arg(value_name = "BUNDLE")]
    pub bundle: PathBuf,

    /// The folder with the results of the plan
    pub results: Option<PathBuf>,

    /// Of a plan: count this many subtrees again, drawn at random, with the simplest kernel, for any engine
    #[arg(long, value_name = "N", requires = "results", conflicts_with_all = ["share", "seconds", "piece", "seed"], value_parser = clap::value_parser!(u32).range(1..))]
    pub recount: Option<u32>,

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

/// Checks a bundle, or a plan and its results.
pub fn check(flags: &CheckArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
    let CheckArgs { bundle: plan, results, recount, draw } = flags;
    match (results, *recount) {
        (None, _) if plan.is_file() => bail!(
            "{}: found a file, expected the folder of a bundle, or the folder with the results of this plan behind it",
            plan.display()
        ),
        (None, _) => check_bundle(flags, read, args),
        (Some(results), None) => audit(plan, results, draw, read, args),
        (Some(results), recount) => {
            let (plan, results) = (plan.clone(), results.clone());
            let flags = MergeArgs { plan, results, missing: false, recount, json: draw.json };
            merge::run(&flags, read, args)
        }
    }
}

/// Checks a bundle without the results that it was made from.
fn check_bundle(flags: &CheckArgs, read: ReadPlan, args: &Args) -> Result<ExitStatus> {
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
    let job = &*plan.job;
    let sum = bundle.solutions()?;
    let (solutions, known) = match job.unreadable(&bundle.work.identity) {
        // `unreadable` is `None` for counts modulo a number, so this sum is the number of solutions, without the file.
        Some(why) => {
            eprint_line(format_args!("{why}; a known count that the file tells is not compared"));
            (sum.solutions(), KnownCount::default())
        }
        None => (job.total(sum)?, job.known_count()),
    };
    let interrupt = Interrupt::listen();
    let report_interruption = || Ok(interrupt.report_interruption(" before all was checked"));
    let title = describe(&bundle.work.identity);
    let mut answer = Answer::new(title, job.noun(), solutions, known)?;
    answer.facts = job.facts(solutions, interrupt.stop())?;
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

/// Which subtrees are counted again.
#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    /// The share of all subtrees to draw with equal chance, from 0 to 1; of a plan at least one is drawn, of a bundle
    /// none with 0. As many again are drawn with chances proportional to their solutions
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = share)]
    pub share: f64,

    /// Begin no further subtrees after this long: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub seconds: Option<Duration>,

    /// If a subtree has more solutions than this, recount only a piece of it that has no more. One core
    /// recounts some ten million solutions a second
    #[arg(long, value_name = "SOLUTIONS", default_value_t = 500_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub piece: u64,

    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Reads a share, a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("found '{text}', expected a number from 0 to 1"))
}

/// Counts some subtrees again.
fn audit(
    plan: &Path,
    results: &Path,
    draw: &DrawArgs,
    read: ReadPlan,
    args: &Args,
) -> Result<ExitStatus> {
    let bundle = read_whole(plan, results, read)?.bundle;
    let interrupt = Interrupt::listen();
    let Some(report) = audit_bundle(&bundle, draw, args, &interrupt)? else {
        return Ok(interrupt.report_interruption(" before a subtree was counted again"));
    };
    print_report(&report, draw.json)?;
    Ok(if interrupt.signal().is_some() { interrupt.exit_status() } else { ExitStatus::Done })
}

/// An audit under way.
struct Recount<'a> {
    bundle: &'a Bundle,
    audit: Audit,
    args: &'a Args,
    interrupt: &'a Interrupt,
    flags: &'a DrawArgs,
    /// The number of boards with queens placed that were recounted.
    boards: usize,
    /// The number of solutions that were recounted.
    solutions: u128,
}

/// A subtree or a piece of it, counted twice.
struct CountPair {
    /// The subtree.
    id: usize,
    /// The number of its solutions by the first count.
    stated: u128,
    /// The number of its solutions by the second count.
    found: u128,
}

/// Draws subtrees of `bundle` and counts them again; `None` if a signal came before the first of them was counted.
/// Fails if a subtree is wrong, or if another engine than halves counted.
pub fn audit_bundle(
    bundle: &Bundle,
    flags: &DrawArgs,
    args: &Args,
    interrupt: &Interrupt,
) -> Result<Option<AuditReport>> {
    let audit = audit_of(bundle, args)?;
    let mut recount = Recount { bundle, audit, args, interrupt, flags, boards: 0, solutions: 0 };
    // A recount of subtrees cannot tell that a part of the board is in no subtree.
    info(args, "looking for each row set of the board in the subtrees");
    if flags.share == 0.0 {
        info(args, too_small(bundle.subtotals.len()));
    }
    match recount.audit.check_coverage(interrupt.stop()) {
        Err(CoverageError::Stopped(_)) => return Ok(None),
        result => result?,
    }
    let subtotals: Vec<u128> =
        bundle.subtotals.iter().map(|subtotal| subtotal.tally.solutions()).collect();
    let number = (flags.share * subtotals.len() as f64).ceil().max(1.0) as usize;
    let mut draws = Draws::new(&subtotals, number, flags.seed);
    let (ids, seconds) = recount.count(&draws)?;
    if ids.is_empty() {
        return Ok(None);
    }
    cut_before_uncounted(&mut draws, &ids);
    Ok(Some(recount.report(draws, &ids, seconds)?))
}

/// What an audit proves that draws a single subtree of so many, and how to prove more.
fn too_small(subtrees: usize) -> String {
    const ENOUGH: f64 = 0.95;
    let wrong = (WRONG_SHARE * subtrees as f64).ceil() as usize;
    let is_enough = |drawn: &usize| detection(subtrees, wrong, *drawn) >= ENOUGH;
    let enough = (1..=subtrees).find(is_enough).unwrap_or(subtrees);
    // Rounded up, so that no subtree is missing.
    let share = (1e4 * enough as f64 / subtrees as f64).ceil() / 1e4;
    format!(
        "one subtree is drawn each way, which proves little: if one in {ONE_WRONG_IN} is wrong, --share {share} finds it with \
         probability {}",
        percent(detection(subtrees, wrong, enough))
    )
}

/// Cuts both draws before the first subtree that was not counted in time. The subtrees before it are still random draws.
fn cut_before_uncounted(draws: &mut Draws, recounted: &BTreeSet<usize>) {
    for drawn in [&mut draws.equal, &mut draws.by_solutions] {
        let end = drawn.iter().position(|id| !recounted.contains(id)).unwrap_or(drawn.len());
        drawn.truncate(end);
    }
}

/// The audit of the count that `bundle` holds.
fn audit_of(bundle: &Bundle, args: &Args) -> Result<Audit> {
    let identity = &bundle.work.identity;
    let engine = value(identity, "engine").unwrap_or("none");
    let n = value(identity, "n").and_then(|n| n.parse().ok());
    let n =
        n.filter(|_| tallyboard_queens::is_identity(identity) && engine == Engine::Halves.name());
    let Some(n) = n else {
        bail!(UsageError(format!(
            "an audit counts subtrees of the queens engine halves again by the engine blocks; this plan's engine is \
             {engine}: `cluster check PLAN RESULTS --recount N` counts any again"
        )));
    };
    let settings = Settings::new().engine(Engine::Halves).threads(args.threads);
    let count = Count::with(Board::new(n)?, settings)?;
    bundle.work.check(&count.identity(), &count.split())?;
    Ok(Audit::new(&count).expect("a count by halves"))
}

impl Recount<'_> {
    /// Counts batches of subtrees, taken from both draws in turn, until the time is over; at least one batch. Returns the
    /// counted subtrees and the seconds.
    fn count(&mut self, draws: &Draws) -> Result<(BTreeSet<usize>, f64)> {
        let began = Instant::now();
        let limit = self.flags.seconds;
        let in_time = || limit.is_none_or(|limit| began.elapsed() < limit);
        // Two subtrees for each thread keep all threads busy, though subtrees differ in length.
        let batch_size = 2 * thread_count(self.args.threads);
        let mut recounted = BTreeSet::new();
        let mut remaining = draws.in_turns().peekable();
        while remaining.peek().is_some() && (recounted.is_empty() || in_time()) {
            let mut batch = BTreeSet::new();
            while batch.len() < batch_size {
                let Some(id) = remaining.next() else { break };
                if !recounted.contains(&id) {
                    batch.insert(id);
                }
            }
            if !self.count_batch(&batch)? {
                break;
            }
            recounted.append(&mut batch);
        }
        Ok((recounted, began.elapsed().as_secs_f64()))
    }

    /// The report of an audit in which all agreed.
    fn report(
        &self,
        draws: Draws,
        recounted: &BTreeSet<usize>,
        seconds: f64,
    ) -> Result<AuditReport> {
        let mut kernels = BTreeMap::new();
        for &id in recounted {
            let pair = format!("{} -> {}", self.counting_kernel(id), self.recounting_kernel(id));
            *kernels.entry(pair).or_insert(0) += 1;
        }
        let subtrees = self.bundle.subtotals.len();
        let wrong = (WRONG_SHARE * subtrees as f64).ceil() as usize;
        // Each draw misses the wrong subtrees with the probability 1 - WRONG_SHARE.
        let missed = (1.0 - WRONG_SHARE).powi(draws.by_solutions.len() as i32);
        let all = self.bundle.solutions()?.solutions();
        Ok(AuditReport {
            engine: Engine::Blocks.name(),
            seed: self.flags.seed,
            subtrees,
            detection: detection(subtrees, wrong, draws.equal.len()),
            drawn: draws.equal,
            detection_by_solutions: 1.0 - missed,
            drawn_by_solutions: draws.by_solutions,
            in_pieces: recounted.iter().copied().filter(|&id| self.is_large(id)).collect(),
            piece_limit: self.flags.piece,
            solutions: self.solutions,
            solutions_share: if all > 0 { self.solutions as f64 / all as f64 } else { 1.0 },
            kernels,
            boards: self.boards,
            threads: thread_count(self.args.threads),
            seconds,
        })
    }

    /// Whether a subtree has so many solutions that only a piece of it is recounted.
    fn is_large(&self, id: usize) -> bool {
        self.claimed(id) > u128::from(self.flags.piece)
    }

    /// The number of solutions that the result states for a subtree.
    fn claimed(&self, id: usize) -> u128 {
        self.bundle.subtotals[id].tally.solutions()
    }

    /// Counts some subtrees and compares them; `false` if a signal came first.
    fn count_batch(&mut self, batch: &BTreeSet<usize>) -> Result<bool> {
        let (large, small): (Vec<usize>, Vec<usize>) =
            batch.iter().partition(|&&id| self.is_large(id));
        let whole_subtrees = small.into_iter().map(|id| (self.audit.whole(id), self.claimed(id)));
        let mut parts: Vec<(Part, u128)> = whole_subtrees.collect();
        if !large.is_empty() {
            let Some(descents) = self.descend(large)? else { return Ok(false) };
            parts.extend(descents.into_iter().map(|descent| (descent.part, descent.solutions)));
        }
        self.recount(&parts)
    }

    /// Counts parts of different subtrees by the engine blocks, and compares the count of each part with the number
    /// paired with it; `false` if a signal came first.
    fn recount(&mut self, parts: &[(Part, u128)]) -> Result<bool> {
        let with_kernel =
            |(part, _): &(Part, u128)| (part.clone(), self.recounting_kernel(part.subtree));
        let with_kernels: Vec<_> = parts.iter().map(with_kernel).collect();
        let Ok(boards) = self.audit.recount(&with_kernels, self.interrupt.stop()) else {
            return Ok(false);
        };
        let Some(tallies) = self.tallies(&boards)? else { return Ok(false) };
        // There is a sum for a part even if it has no board.
        let mut sums: BTreeMap<usize, Tally> =
            parts.iter().map(|(part, _)| (part.subtree, Tally::default())).collect();
        for (board, tally) in tallies {
            let sum = sums.get_mut(&boards.subtree_of(board)).expect("a subtree of these parts");
            *sum = sum.merge(tally)?;
        }
        let pair = |(part, stated): &(Part, u128)| {
            let id = part.subtree;
            CountPair { id, stated: *stated, found: sums[&id].solutions() }
        };
        let pairs: Vec<CountPair> = parts.iter().map(pair).collect();
        self.compare(&pairs, |pair| self.difference(pair))?;
        self.boards += boards.subtrees();
        // Each is at most the subtotal of its subtree, and the sum of all subtotals fits in 128 bits.
        self.solutions += pairs.iter().map(|pair| pair.found).sum::<u128>();
        Ok(true)
    }

    /// A difference in words. For a whole subtree it is between its result and the engine blocks, for a piece between
    /// the engines halves and blocks.
    fn difference(&self, &CountPair { id, stated, found }: &CountPair) -> String {
        let subtree = self.name(id);
        let first = if self.is_large(id) {
            let kernel = self.audit.kernel();
            format!("a piece of {subtree}: the engine halves has {stated}, kernel {kernel}")
        } else {
            let kernel = self.counting_kernel(id);
            format!("{subtree}: its result has {stated}, kernel {kernel}")
        };
        format!("{first}; the engine blocks has {found}, kernel {}", self.recounting_kernel(id))
    }

    /// Cuts large subtrees down to pieces, and compares the sums of their parts with their results. `None` if a signal
    /// came first.
    fn descend(&self, subtrees: Vec<usize>) -> Result<Option<Vec<Descent>>> {
        let descents = self.audit.descents(subtrees, self.flags.piece.into(), self.flags.seed);
        // Counting the descents finds the pieces; the tallies are those of the whole subtrees.
        if self.tallies(&descents)?.is_none() {
            return Ok(None);
        }
        let found = descents.into_found();
        let pair = |descent: &Descent| {
            let id = descent.part.subtree;
            CountPair { id, stated: self.claimed(id), found: descent.subtotal }
        };
        let pairs: Vec<CountPair> = found.iter().map(pair).collect();
        self.compare(&pairs, |&CountPair { id, stated, found }| {
            format!(
                "{}: its result has {stated}, kernel {}; the engine halves has {found}, kernel {}",
                self.name(id),
                self.counting_kernel(id),
                self.audit.kernel()
            )
        })?;
        for Descent { part, unequal, .. } in &found {
            if let Some(UnequalCut { whole, sum }) = *unequal {
                bail!(
                    "WRONG COUNT: a part of subtree {} has {} solutions, its own parts have {}",
                    part.subtree,
                    grouped(whole),
                    grouped(sum)
                );
            }
        }
        Ok(Some(found))
    }

    /// Counts all subtrees of a problem; `None` if a signal came first.
    fn tallies(&self, problem: &impl Problem) -> Result<Option<BTreeMap<usize, Tally>>> {
        let options = Options::new().threads(self.args.threads).stop(self.interrupt.stop());
        let mut subtotals = Subtotals::new(self.args.quiet, self.interrupt);
        let outcome = run_split(problem, &problem.split(), &options, &mut subtotals)?;
        Ok(outcome.complete.then_some(subtotals.tallies))
    }

    /// Fails if the two numbers of any of `pairs` differ. Prints each difference as `describe` words it.
    fn compare(&self, pairs: &[CountPair], describe: impl Fn(&CountPair) -> String) -> Result<()> {
        let wrong: Vec<_> = pairs.iter().filter(|pair| pair.stated != pair.found).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        wrong.iter().for_each(|pair| eprint_line(describe(pair)));
        bail!(
            "WRONG COUNT: {} of {} differ when counted again: see which is right with `queens count {} \
             --engine halves --subtree NUMBER`",
            grouped(wrong.len()),
            counted(pairs.len(), "subtree"),
            value(&self.bundle.work.identity, "n").unwrap_or_default()
        );
    }

    /// A subtree in messages.
    fn name(&self, id: usize) -> String {
        format!("subtree {id} of shard {}", self.bundle.subtotals[id].shard)
    }

    /// The kernel that counted a subtree, if known.
    fn counting_kernel(&self, id: usize) -> &str {
        let shard = &self.bundle.shards[self.bundle.subtotals[id].shard];
        let provenance = shard.provenance.as_ref();
        provenance.and_then(|provenance| provenance.kernel.as_deref()).unwrap_or("unknown")
    }

    /// The kernel to recount a subtree with: the fastest but the one that counted it.
    fn recounting_kernel(&self, id: usize) -> Kernel {
        let first = self.counting_kernel(id);
        let others = Kernel::available().filter(|kernel| kernel.name() != first);
        others.last().unwrap_or(Kernel::Portable)
    }
}

/// A report states the probability that the audit would have found a mistake if this share of all subtrees were wrong,
/// or if the wrong subtrees had this share of all solutions.
pub const WRONG_SHARE: f64 = 1.0 / ONE_WRONG_IN as f64;
/// [`WRONG_SHARE`] as reports word it: one in so many.
const ONE_WRONG_IN: u32 = 100;

/// The report of an audit in which all agreed.
#[derive(Debug, Serialize)]
pub struct AuditReport {
    pub engine: &'static str,
    pub seed: u64,
    /// The number of subtrees of the whole count.
    pub subtrees: usize,
    /// The subtrees drawn with equal chance, none twice.
    pub drawn: Vec<usize>,
    /// The probability that one of `drawn` would be wrong if [`WRONG_SHARE`] of all subtrees were.
    pub detection: f64,
    /// The subtrees drawn with chances in proportion to their solutions.
    pub drawn_by_solutions: Vec<usize>,
    /// The probability that one of `drawn_by_solutions` would be wrong if the wrong subtrees had [`WRONG_SHARE`] of all
    /// solutions.
    pub detection_by_solutions: f64,
    /// The subtrees with more solutions than `piece_limit`, too many to recount. The engine that counted such a subtree
    /// added up its parts, and one part was recounted.
    pub in_pieces: BTreeSet<usize>,
    /// The most solutions of a part that is recounted.
    #[serde(rename = "piece")]
    pub piece_limit: u64,
    /// The number of recounted solutions.
    pub solutions: u128,
    /// Their share of the whole count.
    #[serde(rename = "share")]
    pub solutions_share: f64,
    /// The number of recounted subtrees for each pair of kernels: the one that counted them and the one that recounted
    /// them.
    pub kernels: BTreeMap<String, usize>,
    /// The number of boards with queens placed that were recounted.
    pub boards: usize,
    pub threads: usize,
    pub seconds: f64,
}

impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_draws(f)?;
        for (kernels, subtrees) in &self.kernels {
            writeln!(f, "kernels {kernels}: {}", counted(*subtrees, "subtree"))?;
        }
        // This was checked before subtrees were drawn. If it were not so, there would be no report.
        writeln!(
            f,
            "each row set of the board is in the subtrees once, as a separate enumeration shows"
        )?;
        write!(
            f,
            "{} ({:.4} %) in {}, {:.1} s on {}, seed {}",
            counted(self.solutions, "solution"),
            self.solutions_share * 100.0,
            counted(self.boards, "board"),
            self.seconds,
            counted(self.threads, "thread"),
            self.seed
        )
    }
}

impl AuditReport {
    /// Writes how many subtrees were drawn, and with which probability they would have shown a mistake.
    fn write_draws(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "recounted {} of {} by another method, engine {}: all equal",
            grouped(self.kernels.values().sum::<usize>()),
            counted(self.subtrees, "subtree"),
            self.engine
        )?;
        writeln!(
            f,
            "{} drawn with equal chance: if one subtree in {ONE_WRONG_IN} had been wrong, at least one would have been found \
             with probability {}",
            grouped(self.drawn.len()),
            percent(self.detection)
        )?;
        if !self.drawn_by_solutions.is_empty() {
            writeln!(
                f,
                "{} drawn by solutions: if the wrong subtrees had one solution in {ONE_WRONG_IN}, at least one would have \
                 been found with probability {}",
                grouped(self.drawn_by_solutions.len()),
                percent(self.detection_by_solutions)
            )?;
        }
        if !self.in_pieces.is_empty() {
            writeln!(
                f,
                "{} of all recounted subtrees have more than {} solutions: of these, one piece each was recounted, drawn by its \
                 solutions; a mistake in other pieces would not have been seen",
                grouped(self.in_pieces.len()),
                grouped(self.piece_limit)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tallyboard_search::shard::{FolderResults, Work};

    use super::*;

    /// The stated number of a whole subtree is made one too large, and then that of a piece.
    #[test]
    fn engines_that_disagree_on_a_subtree_or_a_piece_are_an_error_that_names_both() {
        let settings = Settings::new().engine(Engine::Halves).threads(1);
        let count = Count::with(Board::new(10).unwrap(), settings).unwrap();
        let costs = count.split();
        let stop = tallyboard_search::Stop::new();
        let subtotals: Vec<(usize, Tally)> =
            (0..costs.len()).map(|id| (id, count.count(id, &stop).unwrap())).collect();
        let work = Work::new(count.identity(), 1, &costs);
        let collected = FolderResults {
            bodies: [(0, subtotals)].into(),
            provenance: BTreeMap::new(),
            missing: Vec::new(),
            damaged: Vec::new(),
        };
        let bundle = Bundle::new(&work, &collected, |body| body).unwrap();

        let args = Args { quiet: true, ..Args::default() };
        let interrupt = Interrupt::default();
        let flags = DrawArgs { share: 1.0, seconds: None, piece: 20, seed: 1, json: false };
        let audit = Audit::new(&count).unwrap();
        let mut recount = Recount {
            bundle: &bundle,
            audit,
            args: &args,
            interrupt: &interrupt,
            flags: &flags,
            boards: 0,
            solutions: 0,
        };
        let id_of =
            |is_large| (0..costs.len()).find(|&id| recount.is_large(id) == is_large).unwrap();
        let (small, large) = (id_of(false), id_of(true));
        let descent = recount.descend(vec![large]).unwrap().unwrap().remove(0);
        assert!(descent.solutions <= 20 && descent.solutions < recount.claimed(large));
        let whole = recount.audit.whole(small);
        let stated = recount.claimed(small);
        let parts = [(whole, stated), (descent.part, descent.solutions)];
        assert!(recount.recount(&parts).unwrap());

        for wrong in [0, 1] {
            let mut parts = parts.clone();
            parts[wrong].1 += 1;
            let message = recount.recount(&parts).unwrap_err().to_string();
            let expected = "WRONG COUNT: 1 of 2 subtrees differ when counted again: see which is right with \
                            `queens count 10 --engine halves --subtree NUMBER`";
            assert_eq!(message, expected);
        }
        let best = Kernel::available().last().unwrap();
        let pair = |id, found| CountPair { id, stated: found + 1, found };
        assert_eq!(
            recount.difference(&pair(small, 5)),
            format!(
                "subtree {small} of shard 0: its result has 6, kernel unknown; the engine blocks has 5, kernel {best}"
            )
        );
        assert_eq!(
            recount.difference(&pair(large, 7)),
            format!(
                "a piece of subtree {large} of shard 0: the engine halves has 8, kernel {}; the engine blocks \
                 has 7, kernel {best}",
                count.kernel()
            )
        );
    }
}
