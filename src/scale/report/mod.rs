//! One measurement with everything derived from it, ready to be stored,
//! compared or shown.

pub mod chart;
pub mod csv;
pub mod extrap;
pub mod html;
pub mod pictures;
pub mod table;
pub mod units;

use serde::{Deserialize, Serialize};

use super::granularity::Granularity;
use super::measure::Series;
use super::model::{self, Law, Outcome};
use super::stats::{self, Dice, Interval};
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

/// What was measured, where and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// The problem, such as `queens 16`.
    pub problem: String,
    /// The command that repeats a run, without the thread count.
    pub command: String,
    /// Strong or weak.
    pub scaling: Scaling,
    /// Kernel that did the counting.
    pub kernel: String,
    /// Where the workers were placed.
    pub pin: Pin,
    /// The machine.
    pub machine: Machine,
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
    /// 95 % interval of the median.
    pub interval: Option<Interval>,
    /// Work done in unit time over that of one thread, from medians.
    pub speedup: f64,
    /// 95 % interval of the speed-up, from resampled rounds.
    pub speedup_interval: Option<Interval>,
    /// Speed-up over thread count.
    pub efficiency: f64,
    /// Serial fraction that this speed-up alone implies (Karp and Flatt).
    pub serial_fraction: Option<f64>,
    /// Where the processor time of the typical run went.
    pub losses: Option<Losses>,
    /// The workers of the typical run.
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
    /// Amdahl's law and the universal scalability law, or why not.
    pub models: Vec<Outcome>,
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
        let results = points(&subject.command, series);
        let unit_times: Vec<(usize, Vec<f64>)> =
            series.iter().map(|s| (s.setting.threads, s.unit_times())).collect();
        let times: Vec<(usize, &[f64])> =
            unit_times.iter().map(|(p, t)| (*p, t.as_slice())).collect();
        let models =
            [Law::Amdahl, Law::Universal].map(|law| model::fit(law, &times, processors)).to_vec();
        let mut report = Self {
            tallyboard: env!("CARGO_PKG_VERSION").into(),
            subject,
            results,
            models,
            granularity,
            warnings: warnings::find(series, processors),
            explanation: Vec::new(),
        };
        report.explanation = explain::sentences(&report);
        report
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

fn points(command: &str, series: &[Series]) -> Vec<Point> {
    let Some(first) = series.first() else { return Vec::new() };
    let unit_times: Vec<Vec<f64>> = series.iter().map(Series::unit_times).collect();
    let all: Vec<&[f64]> = unit_times.iter().map(Vec::as_slice).collect();
    let mut medians = vec![Vec::new(); series.len()];
    let mut speedups = vec![Vec::new(); series.len()];
    stats::resample_rounds(&all, &mut Dice::new(3), |drawn, _| {
        for (at, median) in drawn.iter().enumerate() {
            medians[at].push(median * series[at].setting.work);
            speedups[at].push(drawn[0] / median);
        }
    });
    let one_median = stats::median(&unit_times[0]);
    let one_effort = first.typical().workers.as_ref().map(Workers::effort);
    series
        .iter()
        .enumerate()
        .map(|(at, s)| {
            let speedup = one_median / stats::median(&unit_times[at]);
            let workers = s.typical().workers.clone();
            let losses = workers
                .as_ref()
                .zip(one_effort)
                .map(|(w, effort)| Losses::of(w, effort * s.setting.work));
            Point {
                interval: Interval::middle(&mut medians[at]),
                speedup,
                speedup_interval: Interval::middle(&mut speedups[at]),
                efficiency: speedup / s.setting.threads as f64,
                serial_fraction: model::serial_fraction(speedup, s.setting.threads),
                losses,
                workers,
                ..plain(command, s)
            }
        })
        .collect()
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
        command: format!("{command} -j {threads}"),
        mean: stats::mean(&times),
        stddev: stats::stddev(&times),
        median: stats::median(&times),
        user: mean_of(|s| s.user),
        system: mean_of(|s| s.system),
        min: times.iter().copied().fold(f64::INFINITY, f64::min),
        max: times.iter().copied().fold(0.0, f64::max),
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
        workers: None,
    }
}
