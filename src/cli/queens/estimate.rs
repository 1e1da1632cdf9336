//! `tallyboard queens estimate`

use crate::plural::s;
use anyhow::{Context, Result};
use serde::Serialize;
use tallyboard::queens::{Board, MAX_N, estimate, estimate_board, known};
use tallyboard::search::thread_count;

use crate::cli::args::Args;
use crate::cli::args::queens::Estimate as EstimateArgs;
use crate::cli::ending::Ending;
use crate::cli::forecast::{core_seconds, too_long};
use crate::cli::io::say;
use crate::cli::number::{about, beyond_doubles, core_time, grouped};
use crate::cli::progress_bar::StatusLine;

use super::count::{board, ensure_plain, problem};
use super::sample::Figure;

#[derive(Debug, Serialize)]
struct Report {
    n: u32,
    /// Decimal logarithm of the number of solutions; null stands for none.
    log10: f64,
    /// Those of the ends of the 95 % interval; null where the number is a guess of the order of
    /// magnitude, or none.
    log10_low: Option<f64>,
    log10_high: Option<f64>,
    /// Whether the whole tree was walked.
    exact: bool,
    known: Option<u128>,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_text: Option<String>,
    probes: u32,
    seed: u64,
    /// The exact count, on boards that can be counted.
    count: Option<Forecast>,
}

/// What an exact count would take.
#[derive(Debug, Serialize)]
struct Forecast {
    engine: String,
    kernel: String,
    threads: usize,
    memory_bytes: u64,
    /// Null if hardly a subtree is finished soon enough to tell.
    core_seconds: Option<Figure>,
}

/// Estimates the number of solutions and, for boards that can be counted, the time it takes.
pub fn run(flags: &EstimateArgs, args: &Args) -> Result<Ending> {
    let board = if flags.n > MAX_N {
        ensure_plain(&flags.squares, &format!("an estimate beyond n = {MAX_N}"))?;
        None
    } else {
        Some(board(flags.n, &flags.squares, args)?)
    };
    let status = StatusLine::new(args.quiet);
    status.show("random descents".to_owned());
    let plain = flags.squares.is_plain();
    let estimated = match board.as_ref().filter(|_| !plain) {
        Some(board) => estimate_board(board, flags.probes, flags.seed)
            .context("the samples scatter too widely to tell: try more --probes")?,
        None => estimate(flags.n, flags.probes, flags.seed),
    };
    status.show("a sample of the count, for its time".to_owned());
    let known = known::solutions(flags.n).filter(|_| plain);
    let decimal = |ln: f64| ln / std::f64::consts::LN_10;
    let report = Report {
        n: flags.n,
        log10: decimal(estimated.ln),
        log10_low: estimated.interval.map(|(low, _)| decimal(low)),
        log10_high: estimated.interval.map(|(_, high)| decimal(high)),
        exact: estimated.exact,
        known,
        known_text: known.and_then(beyond_doubles),
        probes: flags.probes,
        seed: flags.seed,
        count: board.map(|board| forecast(board, flags, args)).transpose()?,
    };
    drop(status);
    if flags.json {
        say(serde_json::to_string(&report)?)?;
    } else {
        say(report.text())?;
    }
    Ok(Ending::Done)
}

fn forecast(board: Board, flags: &EstimateArgs, args: &Args) -> Result<Forecast> {
    let problem = problem(board, &flags.way, args)?;
    Ok(Forecast {
        engine: problem.engine().to_string(),
        kernel: problem.kernel(),
        threads: thread_count(args.threads),
        memory_bytes: problem.memory(),
        core_seconds: core_seconds(&problem, args.threads)?.map(Figure::of),
    })
}

impl Report {
    fn text(&self) -> String {
        let queens = format!("{} queen{}", self.n, s(self.n));
        let mut lines = Vec::new();
        if self.exact {
            let solutions = 10_f64.powf(self.log10).round() as u64;
            let shown = grouped(solutions);
            lines.push(format!("{queens}: {shown} solution{}, counted", s(solutions)));
        } else {
            lines.push(format!("{queens}: about {} solutions", about(self.log10)));
            lines.push(match (self.log10_low, self.log10_high) {
                (Some(low), Some(high)) => format!(
                    "95 % interval {} to {}, from {} descents",
                    about(low),
                    about(high),
                    grouped(self.probes)
                ),
                _ => "a guess of the order of magnitude, from what is proved of large boards and \
                      known of small ones"
                    .to_owned(),
            });
        }
        if let Some(known) = self.known {
            lines.push(format!("the known count is {} (OEIS A000170)", grouped(known)));
        }
        match &self.count {
            Some(count) => lines.push(count.text()),
            None => {
                lines.push(format!(
                    "too large to be counted: the engines take boards up to {MAX_N}"
                ));
            }
        }
        lines.join("\n")
    }
}

impl Forecast {
    fn text(&self) -> String {
        let time = match self.core_seconds {
            Some(Figure { estimate, low, high, .. }) => format!(
                "{}, 95 % interval {} to {}",
                core_time(estimate),
                core_time(low),
                core_time(high)
            ),
            None => too_long(),
        };
        format!(
            "an exact count with engine {}, kernel {}: {time}\nmemory for {} thread{}: {} MiB",
            self.engine,
            self.kernel,
            self.threads,
            s(self.threads),
            self.memory_bytes.div_ceil(1 << 20)
        )
    }
}
