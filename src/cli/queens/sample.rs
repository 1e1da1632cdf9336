//! `tallyboard queens sample`

use std::fmt::Write;
use std::time::Instant;

use crate::figures::{about, counted, grouped, percent};
use crate::queens::{Count, known};
use crate::sample::{self, Amount, FEWEST_DRAWS, Sample, Sampling, Total};
use crate::search::{Observer, thread_count};
use anyhow::{Result, bail};
use serde::Serialize;

use crate::cli::args::{Args, queens::SampleArgs};
use crate::cli::ending::Ending;
use crate::cli::forecast::core_text;
use crate::cli::io::{beyond_doubles, note, remark, say, say_json};
use crate::cli::problem::{board, problem};
use crate::cli::progress_bar::ProgressBar;
use crate::cli::signals::Interrupt;
use crate::cli::watch::Timed;

/// Counts drawn subtrees and says what follows for the whole board.
pub fn run(flags: &SampleArgs, args: &Args) -> Result<Ending> {
    let problem = problem(board(flags.board.n, &flags.board.squares, args)?, &flags.engine, args)?;
    let interrupt = Interrupt::listen()?;
    let began = Instant::now();
    let amount = match flags.subtrees {
        Some(draws) => Amount::Draws(draws as usize),
        None => Amount::Time(flags.seconds),
    };
    let sampling =
        Sampling { amount, seed: flags.seed, threads: args.threads, stop: Some(interrupt.stop()) };
    let watch: &mut dyn Observer = match flags.subtrees {
        Some(_) => &mut ProgressBar::new(args.quiet, &interrupt),
        None => &mut Timed::new(flags.seconds, args.quiet, &interrupt),
    };
    let found = sample::sample(&problem, &sampling, watch)?;
    if !found.is_complete() {
        note("tallyboard: interrupted; what follows is from the subtrees finished so far");
    }
    let mut report = Report::new(&problem, &found, flags.seed, thread_count(args.threads));
    report.seconds = began.elapsed().as_secs_f64();
    if flags.csv {
        say(csv(&found).trim_end())?;
        remark(args, report.text());
    } else if flags.json {
        say_json(&report)?;
    } else if let Some(solutions) = report.solutions.as_ref().filter(|_| args.quiet) {
        say(about(solutions.value.log10()))?;
    } else {
        say(report.text())?;
    }
    if report.comparison == Agreement::Disagrees {
        bail!(
            "WRONG COUNT for n = {}: the sample disagrees with the known count. Please report this \
             with your CPU, engine {}, kernel {} and seed {}.",
            report.n,
            report.engine,
            report.kernel,
            report.seed
        );
    }
    Ok(if found.is_complete() { Ending::Done } else { interrupt.ended() })
}

fn csv(found: &Sample) -> String {
    let mut rows = "number,probability,subtotal,seconds\n".to_owned();
    for draw in found.draws() {
        let sample::Draw { subtree, probability, solutions, seconds, .. } = draw;
        writeln!(rows, "{subtree},{probability:e},{solutions},{seconds:.6}").expect("a String");
    }
    rows
}

/// The estimate beside the known count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Agreement {
    /// No table knows the count, or there are too few draws for an interval.
    None,
    Agrees,
    /// As one sample in twenty does.
    Outside,
    /// As one in a million does.
    Disagrees,
}

impl Agreement {
    fn of(estimate: Option<Total>, known: Option<u128>) -> Self {
        let (Some(estimate), Some(known)) = (estimate, known) else { return Self::None };
        match known as f64 {
            known if estimate.holds(known) => Self::Agrees,
            known if estimate.contradicts(known) => Self::Disagrees,
            _ => Self::Outside,
        }
    }
}

#[derive(Debug, Serialize)]
struct Report {
    problem: &'static str,
    n: u32,
    engine: String,
    kernel: String,
    threads: usize,
    seed: u64,
    subtrees: usize,
    draws: usize,
    /// Whether all that was asked for is finished.
    complete: bool,
    /// Whether that is every subtree once, and the numbers are no estimates.
    whole: bool,
    /// Null without enough draws for an interval.
    solutions: Option<Total>,
    known: Option<u128>,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_text: Option<String>,
    comparison: Agreement,
    /// Standard errors from the estimate to the known count.
    z: Option<f64>,
    /// Seconds of one core for the whole count.
    core_seconds: Option<Total>,
    seconds: f64,
}

impl Report {
    fn new(problem: &Count, found: &Sample, seed: u64, threads: usize) -> Self {
        let n = problem.board().n();
        let known = known::solutions(n).filter(|_| problem.board().is_plain());
        let solutions = found.solutions();
        let z = |estimate: Total| {
            let z = (known? as f64 - estimate.value) / estimate.standard_error;
            Some(z).filter(|z| z.is_finite())
        };
        Self {
            problem: "queens sample",
            n,
            engine: problem.engine().to_string(),
            kernel: problem.kernel(),
            threads,
            seed,
            subtrees: found.subtrees(),
            draws: found.draws().count(),
            complete: found.is_complete(),
            whole: found.is_whole(),
            comparison: Agreement::of(solutions, known),
            z: solutions.and_then(z),
            solutions,
            known,
            known_text: known.and_then(beyond_doubles),
            core_seconds: found.core_seconds(),
            seconds: 0.0,
        }
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        let (queens, subtrees) = (counted(self.n, "queen"), counted(self.subtrees, "subtree"));
        let drawn = format!("{} of {subtrees}", counted(self.draws, "draw"));
        match &self.solutions {
            Some(Total { value, .. }) if self.whole => lines.push(format!(
                "{queens}: {}, every subtree counted ({})",
                counted(*value as u128, "solution"),
                grouped(self.subtrees)
            )),
            Some(Total { value, low, high, .. }) => {
                let short = |value: f64| about(value.log10());
                let share = percent((high - value) / value);
                lines.push(format!("{queens}: about {} solutions, from {drawn}", short(*value)));
                lines.push(format!(
                    "95 % interval {} to {} (± {share})",
                    short(*low),
                    short(*high)
                ));
            }
            None => lines.push(format!(
                "{queens}: {drawn}, too few for an estimate, which takes {FEWEST_DRAWS} at least"
            )),
        }
        lines.extend(self.comparison_text());
        lines.extend(
            self.core_seconds.map(|it| format!("the whole count takes {}", core_text(&it))),
        );
        lines.push(format!(
            "time {:.3} s, threads {}, engine {}, kernel {}, seed {}",
            self.seconds, self.threads, self.engine, self.kernel, self.seed
        ));
        lines.join("\n")
    }

    fn comparison_text(&self) -> Option<String> {
        let known = grouped(self.known?);
        let away =
            self.z.map_or(String::new(), |z| format!(", {:.1} standard errors away", z.abs()));
        match self.comparison {
            Agreement::None => None,
            Agreement::Agrees => {
                Some(format!("agrees with the known count {known} (OEIS A000170){away}"))
            }
            Agreement::Outside => Some(format!(
                "the known count {known} lies outside{away}, as for one sample in twenty: try other seeds"
            )),
            Agreement::Disagrees => Some(format!("the known count is {known}{away}")),
        }
    }
}
