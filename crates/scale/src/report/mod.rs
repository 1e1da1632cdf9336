//! One measurement with everything derived from it, ready to be stored, compared or shown.

pub mod html;
pub mod pictures;
pub mod rows;
pub mod table;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::counters::Counts;
use super::forecast::Forecast;
use super::granularity::Granularity;
use super::laws::Law;
use super::model::{Fit, FitOutcome};
use super::topology::{Machine, Pin};
use super::workers::{Losses, Workers};
use base::named::named;
use base::statistics::Interval;

/// How the work depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scaling {
    /// Equal work for all thread counts.
    Strong,
    /// `p` times the work with `p` threads.
    Weak,
}

named! {
    /// Both kinds of scaling.
    Scaling { Strong = "strong", Weak = "weak" }
}

/// The place of the number of threads in a command.
pub const THREADS: &str = "{threads}";

/// What was measured, on which machine, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// The problem, such as `queens 16`.
    pub problem: String,
    /// The command that repeats a run, with [`THREADS`] in place of the number of threads, and the name of the second
    /// parameter in braces in place of its value.
    pub command: String,
    /// Strong or weak.
    pub scaling: Scaling,
    /// The kernel that counted or solved, or `command`.
    pub kernel: String,
    /// Where the workers were placed.
    pub pin: Pin,
    /// The machine.
    pub machine: Machine,
    /// The machine's conditions during the runs.
    #[serde(default)]
    pub conditions: Conditions,
    /// The unit in which work was counted, such as puzzles; `None` if it was not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The second parameter of the measurement, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<Parameter>,
}

/// [`Subject::kernel`] of a measured command.
pub const COMMAND: &str = "command";

impl Subject {
    /// The kernel and the placement of the workers in words, with `separator` between. A command has no workers.
    pub(crate) fn method(&self, separator: &str) -> String {
        match self.pin {
            _ if self.kernel == COMMAND => self.kernel.clone(),
            Pin::None => format!("{}{separator} workers not pinned", self.kernel),
            pin => format!("{}{separator} workers pinned to {pin}", self.kernel),
        }
    }
}

/// The second parameter of a measurement, after the number of threads, and one value of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name: `{name}` stands for the value in a command.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Parameter {
    /// `text` with the value in place of the name in braces.
    pub fn fill(&self, text: &str) -> String {
        text.replace(&format!("{{{}}}", self.name), &self.value)
    }
}

/// The parameters of a point, under the key that hyperfine uses for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    /// Thread count, as text like all parameters of hyperfine.
    pub threads: String,
    /// The second parameter, if there is one.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}

/// One thread count. The first fields are those of hyperfine's JSON export, so
/// that its scripts read the file; all times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The command that repeats a run.
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
    /// The exit code of each run. Unless failures are ignored, a failed run ends the measurement, and all are 0.
    pub exit_codes: Vec<i32>,
    /// The thread count as hyperfine stores it.
    pub parameters: Parameters,

    /// Thread count.
    pub threads: usize,
    /// Units of work in a run.
    pub work: f64,
    /// Interval of the median.
    pub interval: Option<Interval>,
    /// Median over the runs of the amount of work per second, in the subject's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Interval of the rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_interval: Option<Interval>,
    /// Median over the rounds of the time of one thread over this one's, for one unit of work.
    pub speedup: f64,
    /// Interval of the speed-up.
    pub speedup_interval: Option<Interval>,
    /// Speed-up over thread count.
    pub efficiency: f64,
    /// Serial fraction that this speed-up implies: of the work in strong scaling (Karp and Flatt), of the time in weak
    /// scaling (Gustafson).
    pub serial_fraction: Option<f64>,
    /// Where the threads' time went in the run closest to the median.
    pub losses: Option<Losses>,
    /// Processor time of the helpers in that run, as a share of the workers' time. Helpers are the threads that are no
    /// workers, and workers that read or write a file. It is not one of the losses: helpers run while workers wait, or
    /// take a processor from one.
    pub helpers: Option<f64>,
    /// The most memory that a measured command held at once in that run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
    /// Readings of the processor's counters in that run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The workers of that run.
    pub workers: Option<Workers>,
}

impl Point {
    /// Bytes per second that the work read: a cache line of `line_bytes` for each counted cache miss.
    pub fn read_rate(&self, line_bytes: u64) -> Option<f64> {
        Some(self.counts?.bytes_read(line_bytes) / self.median)
    }
}

/// The content of a JSON file: one report, or several of the same rounds, one for each value of a second parameter.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Document {
    /// A single report.
    One(Box<Report>),
    /// Several reports.
    Many(Reports),
}

/// A list of reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reports {
    /// One for each value of the second parameter, in the order of the values.
    pub reports: Vec<Report>,
}

impl Document {
    /// A document of `reports`, which hold at least one.
    pub fn new(mut reports: Vec<Report>) -> Self {
        match reports.len() {
            1 => Self::One(Box::new(reports.remove(0))),
            _ => Self::Many(Reports { reports }),
        }
    }

    /// The reports in `text`.
    ///
    /// # Errors
    /// If it holds none.
    pub fn read(text: &str) -> serde_json::Result<Vec<Report>> {
        match serde_json::from_str::<Reports>(text) {
            Ok(many) => Ok(many.reports),
            Err(_) => serde_json::from_str(text).map(|report| vec![report]),
        }
    }
}

/// A whole measurement. Its JSON has hyperfine's keys and more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of tallyboard that measured.
    pub tallyboard: String,
    /// What was measured, on which machine, and how.
    #[serde(flatten)]
    pub subject: Subject,
    /// One point for each thread count, fewest threads first.
    pub results: Vec<Point>,
    /// For strong scaling Amdahl's law and the universal scalability law, for weak scaling Gustafson's law.
    pub models: Vec<FitOutcome>,
    /// The forecast; `None` in weak scaling and for commands.
    pub forecast: Option<Forecast>,
    /// The sweep over numbers of subtrees, if one was asked for.
    pub granularity: Option<Granularity>,
    /// Reasons to distrust the figures.
    pub warnings: Vec<String>,
    /// The report in sentences.
    pub explanation: Vec<String>,
}

/// The name of each of `reports`: its second parameter and value, or else its problem.
pub fn names(reports: &[Report]) -> Vec<String> {
    let name = |report: &Report| match &report.subject.parameter {
        Some(Parameter { name, value }) => format!("{name} = {value}"),
        None => report.subject.problem.clone(),
    };
    reports.iter().map(name).collect()
}

impl Report {
    /// The name of the intervals, with their level.
    pub fn interval_name(&self) -> String {
        Interval::name_of(self.results.first().and_then(|point| point.interval))
    }

    /// The unit of the rates, such as `puzzles/s`; `None` if there are none.
    pub fn rate_name(&self) -> Option<String> {
        self.results.first()?.rate?;
        self.subject.unit.as_ref().map(|unit| format!("{unit}/s"))
    }

    /// The largest thread count.
    pub fn most_threads(&self) -> usize {
        self.results.last().map_or(1, |point| point.threads)
    }

    /// The point with the most threads that have a processor each.
    pub fn fullest(&self) -> Option<&Point> {
        let processors = self.subject.machine.processors();
        self.results.iter().rev().find(|p| p.threads <= processors).or(self.results.first())
    }

    /// The fit to show: that of the universal law if there is one.
    pub fn best_fit(&self) -> Option<&Fit> {
        let fits = || self.models.iter().filter_map(FitOutcome::fit);
        fits().find(|fit| fit.curve.law == Law::Universal).or_else(|| fits().next())
    }
}
