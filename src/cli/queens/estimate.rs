//! `tallyboard queens estimate`

use std::time::Duration;

use crate::plural::s;
use anyhow::Result;
use serde::Serialize;
use tallyboard::queens::{Board, Count, Engine, MAX_N, Settings, estimate};
use tallyboard::search::{Options, Silent, run as search};

use crate::cli::args::Args;
use crate::cli::args::queens::Estimate as EstimateArgs;
use crate::cli::ending::Ending;
use crate::cli::io::say;

/// Word operations that the descents may take by default: a few seconds.
const DEFAULT_EFFORT: u64 = 6_000_000_000;

#[derive(Debug, Serialize)]
struct Report {
    n: u32,
    /// Decimal logarithms of the number of solutions and of the ends of its 95 % interval; null
    /// stands for no solutions.
    log10: f64,
    log10_low: f64,
    log10_high: f64,
    exact: bool,
    probes: u32,
    threads: usize,
    times: Vec<Time>,
}

/// How long an exact count would take.
#[derive(Debug, Serialize)]
struct Time {
    engine: String,
    kernel: String,
    /// Decimal logarithm of the seconds.
    log10_seconds: f64,
}

/// Estimates the number of solutions and, for boards that can be counted, the time it takes.
pub fn run(flags: &EstimateArgs, args: &Args) -> Result<Ending> {
    let n = u64::from(flags.n);
    let probes = flags.probes.unwrap_or((DEFAULT_EFFORT / (n * n)).clamp(20_000, 1_000_000) as u32);
    let estimated = estimate(flags.n, probes, flags.seed);
    let decimal = |ln: f64| ln / std::f64::consts::LN_10;
    let mut report = Report {
        n: flags.n,
        log10: decimal(estimated.ln),
        log10_low: decimal(estimated.ln_low),
        log10_high: decimal(estimated.ln_high),
        exact: estimated.exact,
        probes,
        threads: tallyboard::search::thread_count(args.threads),
        times: Vec::new(),
    };
    if flags.n <= MAX_N && estimated.ln.is_finite() {
        for engine in Engine::ALL {
            report.times.push(time(engine, &report, args.threads)?);
        }
    }
    if flags.json {
        say(serde_json::to_string(&report)?)?;
    } else {
        report.print()?;
    }
    Ok(Ending::Done)
}

/// Counts a board that takes a moment, and scales its time. The seconds for a solution grow about as
/// n, but those of the engine halves stay the same for boards of the same parity.
fn time(engine: Engine, report: &Report, threads: usize) -> Result<Time> {
    let sample = match engine {
        Engine::Halves => 17 + (report.n + 1) % 2,
        Engine::Blocks => 16,
        _ => 13,
    };
    let settings = Settings::new().engine(engine).threads(threads);
    let problem = Count::with(Board::plain(sample)?, settings)?;
    let options = Options::new().threads(threads);
    let outcome = search(&problem, &options, &mut Silent)?;
    let a_solution = outcome.elapsed.as_secs_f64() / outcome.tally.solutions() as f64;
    let growth = match engine {
        Engine::Halves => 1.0,
        _ => f64::from(report.n) / f64::from(sample),
    };
    Ok(Time {
        engine: engine.to_string(),
        kernel: problem.kernel(),
        log10_seconds: report.log10 + (a_solution * growth).log10(),
    })
}

impl Report {
    fn print(&self) -> Result<()> {
        let queens = format!("{} queen{}", self.n, s(self.n));
        if self.exact {
            let solutions = 10_f64.powf(self.log10).round();
            say(format!("{queens}: {solutions} solution{}, counted", s(solutions)))?;
        } else {
            say(format!("{queens}: about {} solutions", scientific(self.log10)))?;
            say(format!(
                "95 % interval {} to {}, from {} descents",
                scientific(self.log10_low),
                scientific(self.log10_high),
                self.probes
            ))?;
        }
        for time in &self.times {
            say(format!(
                "exact count with the {} engine, kernel {}, {} thread{}: {}",
                time.engine,
                time.kernel,
                self.threads,
                s(self.threads),
                duration(time.log10_seconds)
            ))?;
        }
        if self.n > MAX_N {
            say(format!("too large to be counted: the engines take boards up to {MAX_N}"))?;
        }
        Ok(())
    }
}

/// `2.35e17` from its logarithm, which may be larger than any float.
fn scientific(log10: f64) -> String {
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

/// Seconds, minutes, hours or years, whichever reads best.
fn duration(log10_seconds: f64) -> String {
    const HOUR: f64 = 3600.0;
    const YEAR: f64 = 365.25 * 24.0 * HOUR;
    let seconds = 10_f64.powf(log10_seconds);
    match Duration::try_from_secs_f64(seconds) {
        Ok(_) if seconds < 120.0 => format!("{seconds:.3} s"),
        Ok(_) if seconds < HOUR => format!("{:.0} minutes", seconds / 60.0),
        Ok(_) if seconds < 10_000.0 * HOUR => format!("{:.1} hours", seconds / HOUR),
        _ => format!("{} years", scientific(log10_seconds - YEAR.log10())),
    }
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

    #[test]
    fn durations_have_a_fitting_unit() {
        assert_eq!(duration(1.5_f64.log10()), "1.500 s");
        assert_eq!(duration(600_f64.log10()), "10 minutes");
        assert_eq!(duration(36_000_f64.log10()), "10.0 hours");
        assert_eq!(duration(20.0), "3.17e12 years");
    }
}
