//! From flags to a plan, and through its rounds to a report.

use std::io::IsTerminal;

use crate::plural::s;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget};
use tallyboard::scale::granularity::{self, Granularity};
use tallyboard::scale::measure::{Plan, Rounds, Sample, Setting, Step, doubling};
use tallyboard::scale::report::{Report, Scaling, Subject};
use tallyboard::scale::topology::{Machine, Pin};
use tallyboard::search::thread_count;

use crate::cli::args::Args;
use crate::cli::args::scale::{self as args, Measuring};

/// Measuring time wanted for each thread count, in seconds.
const SECONDS: f64 = 3.0;

/// What is measured, in the words of the report.
pub struct Job {
    pub problem: String,
    pub command: String,
    pub kernel: String,
}

/// Measures `job`; `run` does one run of a setting with workers at the places given to it.
/// `finest` is the largest number of subtrees that the work can be cut into.
pub fn measure(
    job: Job,
    measuring: &Measuring,
    args: &Args,
    finest: usize,
    mut run: impl FnMut(&Setting, &[usize]) -> Result<Sample>,
) -> Result<Report> {
    let machine = Machine::here();
    let pin = placement(measuring.pin);
    let places = machine.order(pin);
    let processors = machine.processors();
    let counts = thread_counts(measuring, args.threads, processors);
    let told = Told::new(args.quiet);
    let mut follow = |settings| {
        let plan = plan(measuring, settings);
        plan.measure(|setting| run(setting, &places), |step| told.step(step))
    };

    let work = |threads| if measuring.weak { threads as f64 } else { 1.0 };
    let settings = counts.iter().map(|&t| Setting { work: work(t), ..Setting::threads(t) });
    let series = follow(settings.collect())?;
    let sweep = if measuring.granularity {
        let fits = |t: &&usize| **t <= processors;
        let most = counts.iter().rev().find(fits).copied().unwrap_or(1);
        let subtrees = granularity::ladder(most, finest);
        Granularity::from_series(&follow(granularity::settings(&subtrees, most))?)
    } else {
        None
    };
    told.bar.finish_and_clear();
    let Job { problem, command, kernel } = job;
    let scaling = if measuring.weak { Scaling::Weak } else { Scaling::Strong };
    let subject = Subject { problem, command, scaling, kernel, pin, machine };
    Ok(Report::new(subject, &series, sweep))
}

fn plan(measuring: &Measuring, settings: Vec<Setting>) -> Plan {
    let rounds = match measuring.runs {
        Some(runs) => Rounds::Exactly(runs.into()),
        None => Rounds::Between {
            min: measuring.min_runs.into(),
            max: measuring.max_runs.max(measuring.min_runs).into(),
            seconds: SECONDS,
        },
    };
    Plan { settings, warmup: measuring.warmup.into(), rounds }
}

fn placement(pin: args::Pin) -> Pin {
    match pin {
        args::Pin::None => Pin::None,
        args::Pin::Cores => Pin::Cores,
        args::Pin::Threads => Pin::Threads,
    }
}

/// The thread counts to measure, ascending, 1 among them.
fn thread_counts(measuring: &Measuring, threads: usize, processors: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = match (measuring.max, threads) {
        _ if !measuring.points.is_empty() => {
            measuring.points.iter().map(|&t| t.into()).chain([1]).collect()
        }
        (Some(max), _) => doubling(max.into()),
        (None, 0) => doubling(processors.max(thread_count(0))),
        (None, most) => doubling(most),
    };
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Says on stderr which run is under way, if that is a terminal.
struct Told {
    bar: ProgressBar,
}

impl Told {
    fn new(quiet: bool) -> Self {
        let show = !quiet && std::io::stderr().is_terminal();
        let target = if show { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bar: ProgressBar::with_draw_target(None, target) }
    }

    fn step(&self, step: Step) {
        let round = match step.round {
            0 => "warm-up".to_owned(),
            round => format!("round {round}"),
        };
        let split = step.setting.subtrees.map_or(String::new(), |n| format!(", {n} subtrees"));
        let threads = step.setting.threads;
        self.bar.set_message(format!("{round}: {threads} thread{}{split}", s(threads)));
        self.bar.tick();
    }
}
