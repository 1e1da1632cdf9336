//! `tallyboard queens estimate`

use std::time::Duration;

use crate::program::Settings;
use crate::program::job::{Details, Job};
use crate::program::room::process_bytes;
use anyhow::{Context, Result};
use base::figures::{about, counted, grouped, mebibytes};
use queens::{Board, Estimate, MAX_N, estimate, estimate_board, known};
use search::sample::Total;
use search::thread_count;
use serde::Serialize;

use crate::cli::args::{Args, queens::EstimateArgs};
use crate::cli::ending::Ending;
use crate::cli::forecast::{OtherLoad, core_seconds, core_text, too_long};
use crate::cli::io::{known_fields, say, say_json};
use crate::cli::problem::{ensure_plain, silent_board};
use crate::cli::progress_bar::StatusLine;
use crate::cli::signals::Interrupt;

#[derive(Debug, Serialize)]
struct Report {
    n: u32,
    /// Decimal logarithm of the number of solutions; null if there is no solution.
    log10: f64,
    /// The logarithms of the ends of the 95 % interval; null if the number is only a guess, or 0.
    log10_low: Option<f64>,
    log10_high: Option<f64>,
    /// Whether the whole search tree was walked, so that the number is exact.
    exact: bool,
    /// Whether the board has no placed queens and no closed squares.
    #[serde(skip)]
    plain: bool,
    #[serde(flatten, serialize_with = "known_fields")]
    known: Option<u128>,
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
pub fn run(flags: &EstimateArgs, args: &Args) -> Result<Ending> {
    let board = if flags.n > MAX_N {
        ensure_plain(&flags.squares, &format!("an estimate beyond n = {MAX_N}"))?;
        None
    } else {
        // `silent_board` prints no warnings: `exact_count` prints them.
        Some(silent_board(flags.n, &flags.squares)?)
    };
    let status = StatusLine::new(args.quiet);
    status.show("random descents".to_owned());
    let mut report = Report::new(flags, &solutions(board.as_ref(), flags)?);
    if args.quiet && !flags.json {
        say(report.number())?;
        return Ok(Ending::Done);
    }
    if !flags.json {
        // Printed at once, before the sample, which takes seconds.
        let mut printed = Ok(());
        status.suspend(|| printed = say(report.text()));
        printed?;
    }
    let seconds = flags.seconds.as_secs_f64();
    status.show(format!("a sample of the count, for its time, {seconds} s at most"));
    let interrupt = Interrupt::listen_briefly()?;
    let others = OtherLoad::watch();
    report.count = board.map(|_| exact_count(flags, args, &interrupt)).transpose()?;
    drop(status);
    if report.count.is_some() {
        others.tell(args);
    }
    if flags.json {
        say_json(&report)?;
    } else {
        say(match &report.count {
            _ if interrupt.signal().is_some() => "interrupted: no forecast of a count".to_owned(),
            Some(count) => count.text(flags.seconds),
            None => format!("too large to be counted: the engines take boards up to {MAX_N}"),
        })?;
    }
    Ok(if interrupt.signal().is_some() { interrupt.ended() } else { Ending::Done })
}

/// Estimates the number of solutions on `board`; without a board, on the plain board of `flags.n`.
fn solutions(board: Option<&Board>, flags: &EstimateArgs) -> Result<Estimate> {
    match board.filter(|board| !board.is_plain()) {
        Some(board) => estimate_board(board, flags.probes, flags.seed)
            .context("the samples scatter too widely to tell: try more --probes"),
        None => Ok(estimate(flags.n, flags.probes, flags.seed)),
    }
}

fn exact_count(flags: &EstimateArgs, args: &Args, interrupt: &Interrupt) -> Result<ExactCount> {
    let job = flags.engine.job(flags.n, &flags.squares);
    let it = job.prepare(&Settings::here(args.threads, flags.engine.memory))?;
    it.tell(args);
    let (patience, stop) = (flags.seconds, interrupt.stop());
    let core_seconds = core_seconds(&it, args.threads, patience, stop)?;
    Ok(ExactCount {
        threads: thread_count(args.threads),
        memory_bytes: process_bytes(it.memory),
        core_seconds,
        details: it.details,
    })
}

impl Report {
    /// The report without the forecast of a count.
    fn new(flags: &EstimateArgs, estimated: &Estimate) -> Self {
        let known = known::solutions(flags.n).filter(|_| flags.squares.is_plain());
        let decimal = |ln: f64| ln / std::f64::consts::LN_10;
        Self {
            n: flags.n,
            log10: decimal(estimated.ln),
            log10_low: estimated.interval.map(|(low, _)| decimal(low)),
            log10_high: estimated.interval.map(|(_, high)| decimal(high)),
            exact: estimated.exact,
            plain: flags.squares.is_plain(),
            known,
            probes: flags.probes,
            seed: flags.seed,
            count: None,
        }
    }

    /// The number of solutions without further words, exact or approximate.
    fn number(&self) -> String {
        match self.exact {
            true => grouped(10_f64.powf(self.log10).round() as u64),
            false => about(self.log10),
        }
    }

    /// The number of solutions.
    fn text(&self) -> String {
        let queens = counted(self.n, "queen");
        let mut lines = Vec::new();
        if self.exact {
            let solutions = counted(10_f64.powf(self.log10).round() as u64, "solution");
            lines.push(format!("{queens}: {solutions}, counted"));
        } else {
            lines.push(format!("{queens}: about {} solutions", self.number()));
            lines.push(match (self.log10_low, self.log10_high) {
                (Some(low), Some(high)) => format!(
                    "95 % interval {} to {}, from {}",
                    about(low),
                    about(high),
                    counted(self.probes, "descent")
                ),
                _ if self.plain => {
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
            lines.push(format!("the known count is {} (OEIS A000170)", grouped(known)));
        }
        lines.join("\n")
    }
}

impl ExactCount {
    fn text(&self, patience: Duration) -> String {
        let no_time = || format!("{}; --seconds gives them more", too_long(patience));
        format!(
            "an exact count with {}: {}\nmemory for {}: {}",
            self.details.text().trim_start_matches(", "),
            self.core_seconds.as_ref().map_or_else(no_time, core_text),
            counted(self.threads, "thread"),
            mebibytes(self.memory_bytes)
        )
    }
}
