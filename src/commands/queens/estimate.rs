//! `tallyboard queens estimate`

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use tallyboard_base::figures::{counted, digits_of_interval, grouped, memory_size, rounded};
use tallyboard_queens::wrapped::Surface;
use tallyboard_queens::{Estimate, MAX_N, estimate, estimate_board};
use tallyboard_search::sample::Total;
use tallyboard_search::thread_count;

use super::arguments::{EngineArgs, Given, SquareArgs};
use crate::counting::count::prepare;
use crate::counting::{
    self, Counting, Details, DrawFlags, OtherLoad, core_seconds, core_text, process_bytes, too_long,
};
use crate::terminal::{
    Args, ExitStatus, Interrupt, StatusLine, UsageError, known_fields, print_json, print_line,
};

#[derive(Debug, clap::Args)]
pub struct EstimateArgs {
    /// Board size, up to 1000; the time and memory of a count are estimated up to 32
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,

    /// The surface that the board becomes when its edges are glued: cylinder, torus, mobius or klein; a torus and a cylinder up to
    /// n = 64
    #[arg(long = "board", value_name = "SURFACE")]
    pub surface: Option<Surface>,

    /// Random descents in all, for the number of solutions; at least 100
    #[arg(long, value_name = "K", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    pub probes: u32,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub drawing: DrawFlags,
}

#[derive(Debug, Serialize)]
struct Report {
    n: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    surface: Option<String>,
    /// The board, for people.
    #[serde(skip)]
    title: String,
    /// Decimal logarithm of the number of solutions; null if there is no solution.
    log10: f64,
    /// The logarithms of the ends of the 95 % interval; null if the number is only a guess, or 0.
    log10_low: Option<f64>,
    log10_high: Option<f64>,
    /// Whether the whole search tree was walked, so that the number is exact.
    exact: bool,
    /// Whether the board has no placed queens and no closed squares.
    #[serde(skip)]
    is_plain: bool,
    #[serde(flatten, serialize_with = "known_fields")]
    known: Option<u128>,
    /// Where that is from.
    #[serde(skip)]
    source: &'static str,
    probes: u32,
    seed: u64,
    /// The exact count, on boards that can be counted.
    count: Option<ExactCount>,
}

/// What an exact count would take.
#[derive(Debug, Serialize)]
struct ExactCount {
    #[serde(flatten)]
    details: Details,
    threads: usize,
    memory_bytes: u64,
    /// Null if too few subtrees were finished in time.
    core_seconds: Option<Total>,
}

/// Estimates the number of solutions and, for boards that can be counted, the time of an exact count.
pub fn run(flags: &EstimateArgs, args: &Args) -> Result<ExitStatus> {
    let given = flags.given();
    if flags.drawing.are_wanted() {
        if flags.surface.is_none() {
            ensure_countable(flags.n)?;
        }
        let (job, sampling) = (flags.engine.job(&given), flags.drawing.sampling());
        return counting::estimate::run(&job, flags.engine.memory, &sampling, args);
    }
    if let Some(surface) = flags.surface {
        flags
            .engine
            .job(&given)
            .ensure_fit(surface)
            .map_err(|error| UsageError(error.to_string()))?;
    }
    let is_countable = flags.n <= MAX_N || flags.surface.is_some();
    if flags.n > MAX_N {
        flags.squares.ensure_plain(&format!("an estimate beyond n = {MAX_N}"))?;
    }
    let status = StatusLine::new(args.quiet);
    status.show("random descents".to_owned());
    let mut report = Report::new(&given, flags, &estimated_solutions(&given, flags)?);
    if args.quiet && !flags.drawing.json {
        print_line(report.number())?;
        return Ok(ExitStatus::Done);
    }
    if !flags.drawing.json {
        // Printed at once, before the sample, which takes seconds.
        let mut printed = Ok(());
        status.suspend(|| printed = print_line(report.text()));
        printed?;
    }
    let seconds = flags.drawing.patience().as_secs_f64();
    status.show(format!("a sample of the count, for its time, {seconds} s at most"));
    let interrupt = Interrupt::listen_with_nothing_to_save();
    let others = OtherLoad::watch();
    if is_countable {
        report.count = Some(exact_count(&given, flags, args, &interrupt)?);
    }
    drop(status);
    if report.count.is_some() {
        others.warn(args);
    }
    if flags.drawing.json {
        print_json(&report)?;
    } else {
        print_line(match &report.count {
            _ if interrupt.signal().is_some() => "interrupted: no forecast of a count".to_owned(),
            Some(count) => count.text(flags.drawing.patience()),
            None => format!("too large to be counted: the engines take boards up to {MAX_N}"),
        })?;
    }
    Ok(if interrupt.signal().is_some() { interrupt.exit_status() } else { ExitStatus::Done })
}

/// Estimates the number of solutions.
fn estimated_solutions(given: &Given, flags: &EstimateArgs) -> Result<Estimate> {
    let (probes, seed) = (flags.probes, flags.drawing.seed);
    if let Some(surface) = given.surface {
        let wrapped = given.job().wrapped(surface, false);
        let mut wrapped = wrapped.map_err(|error| UsageError(error.to_string()))?;
        return Ok(wrapped.estimate(probes.into(), seed));
    }
    if flags.squares.is_plain() {
        return Ok(estimate(flags.n, probes, seed));
    }
    // `exact_count` prints the warnings.
    estimate_board(&flags.squares.board(flags.n)?, probes, seed)
        .context("the samples scatter too widely to tell: try more --probes")
}

impl EstimateArgs {
    fn given(&self) -> Given {
        Given { n: self.n, squares: self.squares.clone(), surface: self.surface }
    }
}

/// Fails if boards of n rows cannot be counted.
fn ensure_countable(n: u32) -> Result<()> {
    if n > MAX_N {
        bail!(UsageError(format!(
            "found n = {n}, expected at most {MAX_N} to count subtrees exactly; without --draws, --subtrees and --csv \
             larger boards are estimated"
        )));
    }
    Ok(())
}

/// What an exact count would take, from a sample of its subtrees.
fn exact_count(
    given: &Given,
    flags: &EstimateArgs,
    args: &Args,
    interrupt: &Interrupt,
) -> Result<ExactCount> {
    let job = flags.engine.job(given);
    let (prepared, args) = prepare(&job, flags.engine.memory, args)?;
    prepared.print_remarks(&args);
    let core_seconds =
        core_seconds(&prepared, args.threads, flags.drawing.patience(), interrupt.stop())?;
    Ok(ExactCount {
        threads: thread_count(args.threads),
        memory_bytes: process_bytes(prepared.memory),
        core_seconds,
        details: prepared.details,
    })
}

impl Report {
    /// The report without the forecast of a count.
    fn new(given: &Given, flags: &EstimateArgs, estimated: &Estimate) -> Self {
        let job = given.job();
        let log10 = |ln: f64| ln / std::f64::consts::LN_10;
        Self {
            n: flags.n,
            title: job.title(),
            surface: job.surface.clone(),
            log10: log10(estimated.ln),
            log10_low: estimated.interval.map(|(low, _)| log10(low)),
            log10_high: estimated.interval.map(|(_, high)| log10(high)),
            exact: estimated.exact,
            is_plain: given.is_plain(),
            known: job.known(),
            source: job.source(),
            probes: flags.probes,
            seed: flags.drawing.seed,
            count: None,
        }
    }

    /// The number of solutions without further words, exact or approximate.
    fn number(&self) -> String {
        if self.exact { grouped(self.exact_number()) } else { rounded(self.log10, self.digits()) }
    }

    /// The significant digits of an estimate: those that tell the ends of its interval apart.
    fn digits(&self) -> u8 {
        let ends = self.log10_low.zip(self.log10_high);
        ends.map_or(3, |(low, high)| digits_of_interval(low, high))
    }

    /// The number of solutions if it is exact. A tree that is walked whole is small, so a float holds its logarithm.
    fn exact_number(&self) -> u64 {
        10_f64.powf(self.log10).round() as u64
    }

    /// The number of solutions, and how it was found.
    fn text(&self) -> String {
        let queens = &self.title;
        let mut lines = Vec::new();
        if self.exact {
            let solutions = counted(self.exact_number(), "solution");
            lines.push(format!("{queens}: {solutions}, counted"));
        } else {
            lines.push(format!("{queens}: about {} solutions", self.number()));
            lines.push(match (self.log10_low, self.log10_high) {
                (Some(low), Some(high)) => format!(
                    "95 % interval {} to {}, from {}",
                    rounded(low, self.digits()),
                    rounded(high, self.digits()),
                    counted(self.probes, "descent")
                ),
                _ if self.is_plain => {
                    "a guess of the order of magnitude, from what is proved of large \
                      boards and known of small ones"
                        .to_owned()
                }
                _ => format!(
                    "from {}, too few for an interval: --probes takes more",
                    counted(self.probes, "descent")
                ),
            });
        }
        if let Some(known) = self.known {
            lines.push(format!("the known count is {} ({})", grouped(known), self.source));
        }
        lines.join("\n")
    }
}

impl ExactCount {
    /// The forecast; `sampled` is the time that was spent on the sample.
    fn text(&self, sampled: Duration) -> String {
        let no_time = || format!("{}; --seconds gives them more", too_long(sampled));
        format!(
            "an exact count with {}: {}\nmemory for {}: {}",
            self.details.text().trim_start_matches(", "),
            self.core_seconds.as_ref().map_or_else(no_time, core_text),
            counted(self.threads, "thread"),
            memory_size(self.memory_bytes)
        )
    }
}
