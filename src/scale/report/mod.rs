//! One measurement with everything derived from it, ready to be stored,
//! compared or shown.

pub mod csv;
pub mod extrap;
#[cfg(feature = "draw")]
pub mod html;
#[cfg(feature = "draw")]
pub mod pictures;
pub mod table;
pub mod units;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::forecast::Forecast;
use super::granularity::Granularity;
use super::measure::{self, Series};
use super::model::{self, Law, Outcome};
use super::stats::{self, Interval};
use super::topology::{Machine, Pin};
use super::workers::{Losses, Workers};
use super::{explain, warnings};

/// How the work depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scaling {
    /// The same work for every thread count.
    Strong,
    /// As many times the work as there are threads.
    Weak,
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
        })
    }
}

/// Stands for the number of threads in a command.
pub const THREADS: &str = "{threads}";

/// What was measured, where and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// The problem, such as `queens 16`.
    pub problem: String,
    /// The command that repeats a run, with [`THREADS`] for the number of threads.
    pub command: String,
    /// Strong or weak.
    pub scaling: Scaling,
    /// Kernel that did the counting.
    pub kernel: String,
    /// Where the workers were placed.
    pub pin: Pin,
    /// The machine.
    pub machine: Machine,
    /// What it was like meanwhile.
    #[serde(default)]
    pub conditions: Conditions,
}

/// The parameters of a point, under the key that hyperfine uses for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    /// Thread count, as text like all parameters of hyperfine.
    pub threads: String,
}

/// One thread count. The first fields are those of hyperfine's JSON export, so
/// that its scripts read the file; all times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Command that repeats such a run.
    pub command: String,
    /// Mean wall time.
    pub mean: f64,
    /// Standard deviation of the wall time; absent for a single run.
    pub stddev: Option<f64>,
    /// Median wall time.
    pub median: f64,
    /// Mean processor time in the program.
    pub user: f64,
    /// Mean processor time in the kernel.
    pub system: f64,
    /// Shortest wall time.
    pub min: f64,
    /// Longest wall time.
    pub max: f64,
    /// Median of the processor time, program and kernel together.
    pub cpu: f64,
    /// All wall times, in the order of the rounds.
    pub times: Vec<f64>,
    /// One a run; a failed run ends the measurement, so all are 0.
    pub exit_codes: Vec<i32>,
    /// The thread count as hyperfine stores it.
    pub parameters: Parameters,

    /// Thread count.
    pub threads: usize,
    /// Amount of work, 1 for the least.
    pub work: f64,
    /// Interval of the median.
    pub interval: Option<Interval>,
    /// Work done in unit time over that of one thread: the median over the rounds.
    pub speedup: f64,
    /// Interval of the speed-up.
    pub speedup_interval: Option<Interval>,
    /// Speed-up over thread count.
    pub efficiency: f64,
    /// Serial fraction that this speed-up alone implies: of the work (Karp and Flatt) in strong
    /// scaling, of the time (Gustafson) in weak scaling.
    pub serial_fraction: Option<f64>,
    /// Where the workers' time of the run closest to the median went.
    pub losses: Option<Losses>,
    /// Processor time of the program's own threads that are no workers (reading, writing, recording)
    /// in that run, as a share of the workers' time. It is no place of its own: such threads run while
    /// workers wait, or take a processor from one.
    pub helpers: Option<f64>,
    /// The workers of that run.
    pub workers: Option<Workers>,
}

/// A whole measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of the program that measured.
    pub tallyboard: String,
    /// What, where, how.
    #[serde(flatten)]
    pub subject: Subject,
    /// One entry a thread count, fewest threads first.
    pub results: Vec<Point>,
    /// Strong scaling: Amdahl's law and the universal scalability law; weak scaling: Gustafson's law;
    /// or why not.
    pub models: Vec<Outcome>,
    /// The measured pieces on more cores; absent in weak scaling.
    pub forecast: Option<Forecast>,
    /// The sweep over numbers of subtrees, if one was asked for.
    pub granularity: Option<Granularity>,
    /// Reasons to distrust the figures.
    pub warnings: Vec<String>,
    /// The curve in words.
    pub explanation: Vec<String>,
}

impl Report {
    /// Derives everything from the runs. `series` starts with one thread, which
    /// the speed-ups refer to.
    #[must_use]
    pub fn new(subject: Subject, series: &[Series], granularity: Option<Granularity>) -> Self {
        let processors = subject.machine.processors();
        let results = points(&subject, series);
        let unit_times: Vec<(usize, Vec<f64>)> =
            series.iter().map(|s| (s.setting.threads, s.unit_times())).collect();
        let times: Vec<(usize, &[f64])> =
            unit_times.iter().map(|(p, t)| (*p, t.as_slice())).collect();
        let strong = subject.scaling == Scaling::Strong;
        let laws: &[Law] = if strong { &[Law::Amdahl, Law::Universal] } else { &[Law::Gustafson] };
        let models = laws.iter().map(|&law| model::fit(law, &times, processors)).collect();
        let mut warnings = warnings::find(series, processors);
        warnings.extend(warnings::stolen(&subject.conditions));
        let forecast = if strong { Forecast::new(series, processors) } else { None };
        let mut report = Self {
            tallyboard: env!("CARGO_PKG_VERSION").into(),
            subject,
            results,
            models,
            forecast,
            granularity,
            warnings,
            explanation: Vec::new(),
        };
        report.explanation = explain::sentences(&report);
        report
    }

    /// What the intervals are called, with the level that the rounds give them.
    #[must_use]
    pub fn interval_name(&self) -> String {
        let interval = self.results.first().and_then(|point| point.interval);
        interval.map_or_else(|| "interval".to_owned(), |interval| interval.name())
    }

    /// The point with the most threads that still have a processor each.
    #[must_use]
    pub fn fullest(&self) -> Option<&Point> {
        let processors = self.subject.machine.processors();
        self.results.iter().rev().find(|p| p.threads <= processors).or(self.results.first())
    }

    /// The JSON document: hyperfine's keys first, the rest beside them.
    ///
    /// # Errors
    /// None in practice: every figure of a report is a plain number.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Reads what [`Report::to_json`] wrote.
    ///
    /// # Errors
    /// If `text` is not such a document; the error tells line and column.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

fn points(subject: &Subject, series: &[Series]) -> Vec<Point> {
    let Some(first) = series.first() else { return Vec::new() };
    let one_effort = first.median_of(Workers::effort);
    let fraction = match subject.scaling {
        Scaling::Strong => model::serial_fraction,
        Scaling::Weak => model::scaled_serial_fraction,
    };
    let point = |s: &Series| {
        let threads = s.setting.threads;
        let speedups = measure::ratios(first, s);
        let speedup = stats::median(&speedups);
        let helpers = s.typical().helpers();
        let workers = s.typical().workers.clone();
        let losses = workers
            .as_ref()
            .zip(one_effort)
            .map(|(w, effort)| Losses::of(w, effort * s.setting.work));
        Point {
            interval: Interval::of_median(&s.times()),
            speedup,
            speedup_interval: Interval::of_median(&speedups),
            efficiency: speedup / threads as f64,
            serial_fraction: fraction(speedup, threads),
            losses,
            helpers,
            workers,
            ..plain(&subject.command, s)
        }
    };
    series.iter().map(point).collect()
}

/// The figures of one series by itself; those that refer to one thread are
/// left as for one thread.
fn plain(command: &str, series: &Series) -> Point {
    let times = series.times();
    let threads = series.setting.threads;
    let mean_of = |f: fn(&super::measure::Sample) -> f64| {
        stats::mean(&series.samples.iter().map(f).collect::<Vec<_>>())
    };
    Point {
        command: command.replace(THREADS, &threads.to_string()),
        mean: stats::mean(&times),
        stddev: stats::stddev(&times),
        median: stats::median(&times),
        user: mean_of(|s| s.user),
        system: mean_of(|s| s.system),
        min: times.iter().copied().fold(f64::INFINITY, f64::min),
        max: times.iter().copied().fold(0.0, f64::max),
        cpu: stats::median(&series.samples.iter().map(|s| s.user + s.system).collect::<Vec<_>>()),
        exit_codes: vec![0; times.len()],
        parameters: Parameters { threads: threads.to_string() },
        times,
        threads,
        work: series.setting.work,
        interval: None,
        speedup: 1.0,
        speedup_interval: None,
        efficiency: 1.0,
        serial_fraction: None,
        losses: None,
        helpers: None,
        workers: None,
    }
}
