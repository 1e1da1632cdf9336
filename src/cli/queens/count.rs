//! `tallyboard queens count`

use anyhow::{Result, bail};
use serde::Serialize;
use tallyboard::queens::{Board, Count, known};
use tallyboard::search::{Options, Outcome, run as search};

use crate::cli::args::{Args, queens::Count as CountArgs};
use crate::cli::ending::Ending;
use crate::cli::number::{grouped, rate};
use crate::cli::progress_bar::ProgressBar;
use crate::cli::signals::Interrupt;

/// Counts, checks the result against the known counts and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<Ending> {
    let problem = Count::new(Board::plain(flags.n)?)?;
    let interrupt = Interrupt::listen()?;
    let options =
        Options { threads: args.threads, stop: Some(interrupt.stop()), ..Options::default() };
    let outcome = search(&problem, &options, &mut ProgressBar::new(args.quiet))?;
    if let Some(signal) = interrupt.signal().filter(|_| !outcome.complete) {
        eprintln!("tallyboard: interrupted; nothing is saved");
        return Ok(Ending::Interrupted { signal });
    }
    let report = Report::new(&problem, &outcome);
    report.check()?;
    if flags.json {
        println!("{}", serde_json::to_string(&report)?);
    } else if args.quiet {
        println!("{}", report.solutions);
    } else {
        report.print();
    }
    if flags.verbose {
        super::profile::print(flags.n);
    }
    Ok(Ending::Done)
}

/// The result of a count.
#[derive(Debug, Serialize)]
struct Report {
    problem: &'static str,
    n: u32,
    solutions: u128,
    seconds: f64,
    threads: usize,
    engine: String,
    kernel: String,
    /// Whether the count was checked against the table of known counts.
    known: bool,
}

impl Report {
    fn new(problem: &Count, outcome: &Outcome) -> Self {
        let n = problem.board().n();
        Self {
            problem: "queens",
            n,
            solutions: outcome.tally.solutions(),
            seconds: outcome.elapsed.as_secs_f64(),
            threads: outcome.threads,
            engine: problem.engine().to_string(),
            kernel: problem.kernel().to_owned(),
            known: known::solutions(n).is_some(),
        }
    }

    /// A finished count that disagrees with the table is an error, loudly.
    fn check(&self) -> Result<()> {
        match known::solutions(self.n) {
            Some(expected) if expected != self.solutions => bail!(
                "WRONG COUNT for n = {}: found {}, expected {expected} (OEIS A000170). \
                 Please report this with your CPU, engine {} and kernel {}.",
                self.n,
                self.solutions,
                self.engine,
                self.kernel
            ),
            _ => Ok(()),
        }
    }

    fn print(&self) {
        println!("{} queens: {} solutions", self.n, grouped(self.solutions));
        println!(
            "time {:.3} s, {}solutions/s, threads {}, engine {}, kernel {}",
            self.seconds,
            rate(self.solutions as f64 / self.seconds),
            self.threads,
            self.engine,
            self.kernel
        );
        println!(
            "{}",
            if self.known {
                "agrees with the known count (OEIS A000170)"
            } else {
                "no known count to compare with"
            }
        );
    }
}
