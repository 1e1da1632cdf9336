//! `estimate`: counts randomly drawn subtrees exactly, and estimates the whole count and its time from them. Plans forecast
//! their time so.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use serde_json::Value;
use tallyboard_base::figures::{about, core_estimate, counted, grouped, percent};
use tallyboard_scale::conditions::Snapshot;
use tallyboard_scale::topology::{Cpu, Machine};
use tallyboard_scale::warnings;
use tallyboard_search::sample::{self, Amount, FEWEST_DRAWS, Sample, SampleOptions, Total, sample};
use tallyboard_search::shard::{CoreHours, PlanForecast};
use tallyboard_search::{FinishedSubtree, Observer, Progress, Stop, thread_count};

use crate::counting::arguments::{Counting, Details, KnownCount, Run};
use crate::counting::count::prepare;
use crate::counting::resources::{Resources, process_bytes};
use crate::counting::run::TimeBar;
use crate::terminal::{
    Args, ExitStatus, Interrupt, ProgressBar, duration, eprint_line, info, print_json, print_line,
    program_name,
};

// The help below states two numbers of `search::sample` as literals: an interval takes at least 8 draws, which are four pairs, and
// the first round has a pair more, so ten draws.
const _: () = assert!(FEWEST_DRAWS == 8);

/// The most subtrees that may be drawn. A sample keeps each, which takes 64 bytes: 640 MB of this many.
const MOST_DRAWS: i64 = 10_000_000;

/// What to draw, and how to report it.
#[derive(Debug, ClapArgs)]
#[group(skip)]
pub struct SampleFlags {
    /// Draw for this long: 30s, 10m, 2h. The run ends then or within a tenth more, even if there is no estimate
    /// yet; by default it draws for 10 s, and for up to two minutes until there is one
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "subtrees")]
    pub seconds: Option<Duration>,

    /// Draw this many subtrees instead, rounded up to an even number; an estimate takes at least 8. The
    /// result then depends on the seed alone
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..=MOST_DRAWS))]
    pub subtrees: Option<u32>,

    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print the draws: number,probability,subtotal,seconds. The mean of subtotal / probability is
    /// the estimate, and `count` with `--subtree NUMBER` counts one of them again
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Asks for drawn subtrees in place of the quicker method that a game has for its estimates.
#[derive(Debug, ClapArgs)]
#[group(skip)]
pub struct DrawFlags {
    /// Count randomly drawn subtrees exactly, for --seconds, instead of random descents
    #[arg(long)]
    pub draws: bool,

    /// Draw this many subtrees, rounded up to an even number; an estimate takes at least 8. The result then
    /// depends on the seed alone
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..=MOST_DRAWS))]
    pub subtrees: Option<u32>,

    /// The longest time to count drawn subtrees: 30s, 10m, 2h. The run ends then or within a tenth more, even if
    /// there is no estimate yet; by default it draws for 10 s, and for up to two minutes until there is one
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "subtrees")]
    pub seconds: Option<Duration>,

    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print the draws: number,probability,subtotal,seconds. The mean of subtotal / probability is
    /// the estimate, and `count` with `--subtree NUMBER` counts one of them again
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

impl DrawFlags {
    /// Whether drawn subtrees are asked for.
    pub fn are_wanted(&self) -> bool {
        self.draws || self.subtrees.is_some() || self.csv
    }

    /// The longest time to wait for a forecast.
    pub fn patience(&self) -> Duration {
        self.seconds.unwrap_or(PATIENCE)
    }

    /// What to draw.
    pub fn sampling(&self) -> SampleFlags {
        let Self { subtrees, seconds, seed, csv, json, .. } = *self;
        SampleFlags { subtrees, seconds, seed, csv, json }
    }
}

/// Counts drawn subtrees and prints the estimates.
pub(crate) fn run(
    job: &dyn Counting,
    memory: Option<u64>,
    flags: &SampleFlags,
    args: &Args,
) -> Result<ExitStatus> {
    let (prepared, args) = &prepare(job, memory, args)?;
    prepared.print_remarks(args);
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let limit = flags.limit();
    let sampling = SampleOptions {
        amount: limit.map_or_else(Amount::Draws, |limit| Amount::Time(limit.drawing)),
        seed: flags.seed,
        threads: args.threads,
        stop: Some(interrupt.stop()),
    };
    let watch: &mut dyn Observer = match limit {
        Err(_) => &mut ProgressBar::new(args.quiet, &interrupt),
        Ok(limit) => &mut limit.observer(args, &interrupt),
    };
    let others = OtherLoad::watch();
    let found = sample::sample(&*prepared.problem, &sampling, watch)?;
    others.warn(args);
    let is_interrupted = interrupt.signal().is_some();
    if is_interrupted && !found.is_complete {
        eprint_line(format_args!(
            "{}: interrupted; what follows is from the subtrees finished so far",
            program_name()
        ));
    }
    let report = Report::new(job, prepared, &found, flags, args, began)?;
    report.print(&found, flags, args)?;
    if report.comparison == Agreement::Disagrees {
        bail!(
            "WRONG COUNT for {}: the sample disagrees with the known count. One of the two is wrong: tell the \
             program's author, with your CPU{}, seed {}.",
            report.title,
            report.details.text(),
            report.seed
        );
    }
    Ok(if is_interrupted && !found.is_complete {
        interrupt.exit_status()
    } else {
        ExitStatus::Done
    })
}

/// How long a sample may take.
#[derive(Debug, Clone, Copy)]
struct Limit {
    /// No subtree is begun after this time, once there are enough for an estimate.
    drawing: Duration,
    /// Whatever is counted then is given up.
    end: Duration,
    /// Whether the user asked for this time.
    is_asked: bool,
}

impl SampleFlags {
    /// The time to draw for, or the number of draws.
    fn limit(&self) -> Result<Limit, usize> {
        match (self.subtrees, self.seconds) {
            (Some(draws), _) => Err(draws as usize),
            (None, Some(asked)) => {
                Ok(Limit { drawing: asked, end: asked.mul_f64(1.1), is_asked: true })
            }
            (None, None) => Ok(Limit { drawing: SAMPLE_TIME, end: PATIENCE, is_asked: false }),
        }
    }
}

impl Limit {
    /// The observer that ends the sample in time.
    fn observer<'a>(&self, args: &'a Args, interrupt: &'a Interrupt) -> Limited<'a> {
        let bar = TimeBar::new(self.drawing, args.quiet, interrupt);
        let (stop, began) = (interrupt.stop(), Instant::now());
        let deadline = Deadline { stop, began, patience: self.end };
        Limited { bar, deadline, limit: *self, args, is_told: io::stderr().is_terminal() }
    }
}

/// The observer of a sample that takes a given time: a bar, and the end.
struct Limited<'a> {
    bar: TimeBar,
    deadline: Deadline<'a>,
    limit: Limit,
    args: &'a Args,
    /// Whether it was said that the sample takes longer than it does by default; the bar on a terminal says it.
    is_told: bool,
}

impl Observer for Limited<'_> {
    fn finished(&mut self, subtree: &FinishedSubtree) -> io::Result<()> {
        self.bar.finished(subtree)
    }

    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        let is_late = self.deadline.began.elapsed() > self.limit.drawing;
        if is_late && !self.limit.is_asked && !self.is_told && self.bar.is_waiting() {
            let longest = self.limit.end.as_secs();
            info(
                self.args,
                format_args!(
                    "{}: goes on for up to {longest} s, since an interval takes at least {FEWEST_DRAWS} draws",
                    program_name()
                ),
            );
            self.is_told = true;
        }
        self.bar.tick(progress)?;
        self.deadline.tick(progress)
    }
}

/// A row for each draw.
fn csv(found: &Sample) -> String {
    let mut rows = "number,probability,subtotal,seconds\n".to_owned();
    for draw in found.draws() {
        let sample::Draw { subtree, probability, solutions, seconds, .. } = draw;
        writeln!(rows, "{subtree},{probability:e},{solutions},{seconds:.6}").expect("a String");
    }
    rows
}

/// Whether the known count agrees with the estimate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Agreement {
    /// There is no known count or no estimate.
    None,
    Agrees,
    /// The known count is outside the interval, as by chance in one sample of twenty.
    Outside,
    /// The known count is further away than by chance in one sample of a million.
    Disagrees,
}

impl Agreement {
    fn of(estimate: Option<Total>, known: Option<u128>) -> Self {
        let (Some(estimate), Some(known)) = (estimate, known) else { return Self::None };
        let known = known as f64;
        if estimate.contains(known) {
            Self::Agrees
        } else if estimate.contradicts(known) {
            Self::Disagrees
        } else {
            Self::Outside
        }
    }
}

#[derive(Debug, Serialize)]
struct Report {
    problem: String,
    #[serde(flatten)]
    arguments: Value,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    noun: &'static str,
    #[serde(flatten)]
    details: Details,
    threads: usize,
    seed: u64,
    subtrees: usize,
    draws: usize,
    /// False if the sample was interrupted.
    complete: bool,
    /// Whether every subtree was counted, so that the numbers are exact.
    whole: bool,
    /// Null without enough finished draws for an interval, if subtotals are residues, and if [`none_found`](Self::none_found).
    solutions: Option<Total>,
    /// Whether no drawn subtree had a solution, while other subtrees may have some.
    #[serde(skip)]
    none_found: bool,
    #[serde(flatten)]
    known: KnownCount,
    comparison: Agreement,
    /// The distance from the estimate to the known count, in standard errors.
    z: Option<f64>,
    /// Seconds of one core for the whole count.
    core_seconds: Option<Total>,
    seconds: f64,
    /// The time that an estimate would have taken at least, where the time ended before there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_seconds: Option<f64>,
    /// Whether subtotals are residues. A sample of residues says nothing about the count.
    #[serde(skip)]
    residues: bool,
}

impl Report {
    fn new(
        job: &dyn Counting,
        prepared: &Run,
        found: &Sample,
        flags: &SampleFlags,
        args: &Args,
        began: Instant,
    ) -> Result<Self> {
        let known = job.known_count();
        let residues = prepared.problem.modulus().is_some();
        // Draws without any solution would give an interval from 0 to 0, although other subtrees may have solutions.
        let draws = found.draws().count();
        let none_found =
            draws > 0 && !found.is_whole() && found.draws().all(|draw| draw.solutions == 0);
        let solutions = found.solutions().filter(|_| !residues && !none_found);
        let z = |estimate: Total| {
            let z = (known.count? as f64 - estimate.value) / estimate.standard_error;
            Some(z).filter(|z| z.is_finite())
        };
        Ok(Self {
            problem: format!("{} estimate", job.name()),
            arguments: job.unreported(&prepared.details)?,
            title: prepared.title.clone(),
            noun: prepared.noun,
            details: prepared.details.clone(),
            threads: thread_count(args.threads),
            seed: flags.seed,
            subtrees: found.subtrees,
            draws,
            complete: found.is_complete,
            whole: found.is_whole(),
            comparison: Agreement::of(solutions, known.count),
            z: solutions.and_then(z),
            solutions,
            none_found,
            known,
            core_seconds: found.core_seconds(),
            seconds: began.elapsed().as_secs_f64(),
            least_seconds: flags.limit().ok().and_then(|limit| least_seconds(found, limit, args)),
            residues,
        })
    }

    /// Prints the draws, the report as JSON or as text, or with `--quiet` the estimate alone.
    fn print(&self, found: &Sample, flags: &SampleFlags, args: &Args) -> Result<()> {
        if flags.csv {
            print_line(csv(found).trim_end())?;
            info(args, self.text());
            return Ok(());
        }
        match self.solutions {
            _ if flags.json => print_json(self),
            Some(solutions) if args.quiet => print_line(about(solutions.value.log10())),
            _ => print_line(self.text()),
        }
    }

    /// The report for people.
    fn text(&self) -> String {
        let mut lines = Vec::new();
        let title = &self.title;
        let subtrees = counted(self.subtrees, "subtree");
        let drawn = format!("{} of {subtrees}", counted(self.draws, "draw"));
        match &self.solutions {
            Some(Total { value, .. }) if self.whole => lines.push(format!(
                "{title}: {}, every subtree counted ({})",
                counted(*value as u128, self.noun),
                grouped(self.subtrees)
            )),
            Some(Total { value, low, high, .. }) => {
                let short = |value: f64| about(value.log10());
                let share = percent((high - value) / value);
                lines.push(format!("{title}: about {} {}s, from {drawn}", short(*value), self.noun));
                lines.push(format!(
                    "95 % interval {} to {} (± {share})",
                    short(*low),
                    short(*high)
                ));
            }
            None if self.residues => lines.push(format!(
                "{title}: {drawn}, whose subtotals are residues: they tell the time alone"
            )),
            None if self.none_found => lines.push(format!(
                "{title}: none of {drawn} had a {}, so there is no estimate",
                self.noun
            )),
            None => lines.push(format!(
                "{title}: {drawn}, no estimate: it takes at least {FEWEST_DRAWS} draws, in pairs of which enough fall \
                 on two subtrees, and every subtree begun in the first half of the time must be finished"
            )),
        }
        lines.extend(self.least_seconds.map(|least| {
            format!("the time ended first: the draws of an estimate need {least:.0} s or more (--seconds {least:.0})")
        }));
        lines.extend(self.comparison_text());
        let time = |seconds| format!("the whole count takes {}", core_text(&seconds));
        lines.extend(self.core_seconds.map(time));
        lines.push(format!(
            "time {:.3} s, threads {}{}, seed {}",
            self.seconds,
            self.threads,
            self.details.text(),
            self.seed
        ));
        lines.join("\n")
    }

    /// How the known count compares with the estimate, if both are there.
    fn comparison_text(&self) -> Option<String> {
        let known = grouped(self.known.count?);
        let away =
            self.z.map_or(String::new(), |z| format!(", {:.1} standard errors away", z.abs()));
        match self.comparison {
            Agreement::None => None,
            Agreement::Agrees => {
                Some(format!("agrees with the known count {known}{}{away}", self.known.source()))
            }
            Agreement::Outside => Some(format!(
                "the known count {known} lies outside{away}, as for one sample in twenty: try other seeds"
            )),
            Agreement::Disagrees => Some(format!("the known count is {known}{away}")),
        }
    }
}

/// The least time that an estimate takes, in seconds, where `limit` ended the sample before there was one: as long as the draws so
/// far have taken, for all that an interval needs, and longer than the limit in any case.
fn least_seconds(found: &Sample, limit: Limit, args: &Args) -> Option<f64> {
    if found.is_complete || found.core_seconds().is_some() {
        return None;
    }
    let (draws, seconds) =
        found.draws().fold((0.0, 0.0), |(draws, sum), draw| (draws + 1.0, sum + draw.seconds));
    // The first round has a pair more than an interval needs, and a pair for each thread at least.
    let threads = thread_count(args.threads);
    let rounds = (FEWEST_DRAWS + 2).max(2 * threads).div_ceil(threads) as f64;
    // Of draws that were not finished only the limit is known, which they have exceeded.
    let of_one = if draws > 0.0 { seconds / draws } else { limit.end.as_secs_f64() };
    Some((of_one * rounds).max(limit.end.as_secs_f64()).ceil())
}

/// Time for which subtrees are drawn if no other is asked for.
const SAMPLE_TIME: Duration = Duration::from_secs(10);

/// Time for which a plan draws subtrees. If they take milliseconds, this gives an interval of a few per cent.
const DRAWING_TIME: Duration = Duration::from_secs(3);
/// How long a plan waits for the few subtrees that an interval needs. One subtree of the queens takes
/// seconds at n = 26, and a minute at n = 27.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The seconds that one core takes to count a problem, from a random sample of its subtrees; `None` if too
/// few of them end within `patience`, or before `stop` is raised. When `patience` is over, this function raises `stop` itself.
pub fn core_seconds(
    prepared: &Run,
    threads: usize,
    patience: Duration,
    stop: &Stop,
) -> Result<Option<Total>> {
    let amount = Amount::Time(DRAWING_TIME.min(patience));
    let sampling = SampleOptions { amount, threads, stop: Some(stop), ..SampleOptions::default() };
    let began = Instant::now();
    let found = sample(&*prepared.problem, &sampling, &mut Deadline { stop, began, patience })?;
    Ok(found.core_seconds())
}

/// The forecast of a plan to count `prepared`, the problem of `job`, in `shards` shards.
pub fn of_plan(
    job: &dyn Counting,
    prepared: &Run,
    threads: usize,
    shards: usize,
) -> Result<PlanForecast> {
    let hours = |seconds: f64| seconds / 3600.0;
    let core_hours =
        core_seconds(prepared, threads, PATIENCE, &Stop::new())?.map(|seconds| CoreHours {
            estimate: hours(seconds.value),
            low: hours(seconds.low),
            high: hours(seconds.high),
        });
    let resources = |threads| Resources::unlimited(threads).of_shards(shards);
    let memory = |threads| job.prepare(&resources(threads)).map(|prepared| prepared.memory);
    let of_one_thread = memory(1)?;
    let of_two_threads = memory(2)?;
    Ok(PlanForecast {
        core_hours,
        memory_bytes: process_bytes(of_one_thread),
        // At least one mebibyte, the unit in which schedulers are asked.
        memory_bytes_per_worker: of_two_threads.saturating_sub(of_one_thread).max(1 << 20),
    })
}

/// Why there is no forecast.
pub fn too_long(patience: Duration) -> String {
    let waited = patience.as_secs_f64();
    format!("no forecast: too few of the subtrees drawn were finished within {waited} s")
}

/// Seconds of one core as text for people.
pub fn core_text(seconds: &Total) -> String {
    core_estimate(seconds.value, seconds.low, seconds.high)
}

/// Watches how much of the processors other programs take while subtrees are timed.
pub struct OtherLoad {
    cpus: Vec<Cpu>,
    /// The processor times at the start.
    began: Snapshot,
}

impl OtherLoad {
    /// Watches from now on.
    pub fn watch() -> Self {
        let cpus = Machine::here().cpus;
        Self { began: Snapshot::now(&cpus), cpus }
    }

    /// Warns if other programs have taken so much processor time since the start that measured times are too long.
    pub fn warn(&self, args: &Args) {
        let share = self.began.others_until_now(&self.cpus);
        if let Some(warning) = share.and_then(warnings::crowded) {
            info(args, format_args!("{warning}, so that the forecast may be too long"));
        }
    }
}

/// An observer that stops a run after `patience`.
struct Deadline<'a> {
    stop: &'a Stop,
    began: Instant,
    patience: Duration,
}

impl Observer for Deadline<'_> {
    fn tick(&mut self, _: &Progress) -> io::Result<()> {
        if self.began.elapsed() >= self.patience {
            self.stop.request();
        }
        Ok(())
    }
}
