//! `tallyboard queens estimate`

use crate::plural::s;
use anyhow::Result;
use serde::Serialize;
use tallyboard::queens::{Board, MAX_N, estimate, known};
use tallyboard::search::thread_count;

use crate::cli::args::Args;
use crate::cli::args::queens::Estimate as EstimateArgs;
use crate::cli::ending::Ending;
use crate::cli::forecast::{core_seconds, too_long};
use crate::cli::io::say;
use crate::cli::number::{core_time, grouped};

use super::count::problem;
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
    let estimated = estimate(flags.n, flags.probes, flags.seed);
    let decimal = |ln: f64| ln / std::f64::consts::LN_10;
    let report = Report {
        n: flags.n,
        log10: decimal(estimated.ln),
        log10_low: estimated.interval.map(|(low, _)| decimal(low)),
        log10_high: estimated.interval.map(|(_, high)| decimal(high)),
        exact: estimated.exact,
        known: known::solutions(flags.n),
        probes: flags.probes,
        seed: flags.seed,
        count: if flags.n <= MAX_N { Some(forecast(flags, args)?) } else { None },
    };
    if flags.json {
        say(serde_json::to_string(&report)?)?;
    } else {
        say(report.text())?;
    }
    Ok(Ending::Done)
}

fn forecast(flags: &EstimateArgs, args: &Args) -> Result<Forecast> {
    let problem = problem(Board::plain(flags.n)?, &flags.way, args)?;
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
            let solutions = 10_f64.powf(self.log10).round();
            lines.push(format!("{queens}: {solutions} solution{}, counted", s(solutions)));
        } else {
            lines.push(format!("{queens}: about {} solutions", scientific(self.log10)));
            lines.push(match (self.log10_low, self.log10_high) {
                (Some(low), Some(high)) => format!(
                    "95 % interval {} to {}, from {} descents",
                    scientific(low),
                    scientific(high),
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

/// `2.35e17` from its logarithm, which may be larger than any float.
pub fn scientific(log10: f64) -> String {
    if !log10.is_finite() {
        return "0".to_owned();
    }
    let exponent = log10.floor();
    // Rounding may carry into the exponent: 9.996 is 1.00e1.
    let mantissa = (10_f64.powf(log10 - exponent) * 100.0).round() / 100.0;
    let (mantissa, exponent) =
        if mantissa >= 10.0 { (1.0, exponent + 1.0) } else { (mantissa, exponent) };
    format!("{mantissa:.2}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_become_numbers() {
        assert_eq!(scientific(92_f64.log10()), "9.20e1");
        assert_eq!(scientific(2154.3), "2.00e2154");
        assert_eq!(scientific(9.999_f64.log10()), "1.00e1");
        assert_eq!(scientific(f64::NEG_INFINITY), "0");
    }
}
