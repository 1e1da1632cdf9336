//! One measurement with everything derived from it, ready to be stored, compared or shown.

#[cfg(feature = "draw")]
pub mod html;
#[cfg(feature = "draw")]
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
use super::model::{Fit, Fitted};
use super::topology::{Machine, Pin};
use super::workers::{Losses, Workers};
use crate::named::named;
use crate::statistics::Interval;

/// How the work depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scaling {
    /// The same work for every thread count.
    Strong,
    /// As many times the work as there are threads.
    Weak,
}

named! {
    /// Both ways.
    Scaling { Strong = "strong", Weak = "weak" }
}

/// Stands for the number of threads in a command.
pub const THREADS: &str = "{threads}";

/// What was measured, where and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// The problem, such as `queens 16`.
    pub problem: String,
    /// The command that repeats a run, with [`THREADS`] for the number of threads and the name of the
    /// parameter in braces for its value.
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
    /// What the work consists of, such as puzzles, if that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The second parameter of the measurement, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<Parameter>,
}

/// A parameter beside the number of threads, and its value here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name: `{name}` stands for the value in a command.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Parameter {
    /// `text` with the value where the name stands in braces.
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
    /// One a run. A failed run ends the measurement unless failures are to be ignored.
    pub exit_codes: Vec<i32>,
    /// The thread count as hyperfine stores it.
    pub parameters: Parameters,

    /// Thread count.
    pub threads: usize,
    /// Amount of work, 1 for the least.
    pub work: f64,
    /// Interval of the median.
    pub interval: Option<Interval>,
    /// Units of the subject done in a second: the median over the runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Interval of the rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_interval: Option<Interval>,
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
    /// The most memory that a measured command held at once in that run, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
    /// What the processor counted in that run, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The workers of that run.
    pub workers: Option<Workers>,
}

impl Point {
    /// Bytes a second that the work read by the processor's counts, if it counted: a cache line of `line_bytes` bytes
    /// for each miss.
    pub fn read_rate(&self, line_bytes: u64) -> Option<f64> {
        Some(self.counts?.bytes_read(line_bytes) / self.median)
    }
}

/// What a file of JSON holds: one report, or several of the same rounds, one for each value of a parameter.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Document {
    /// The document is the report.
    One(Box<Report>),
    /// A document of many.
    Many(Reports),
}

/// Several reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reports {
    /// In the order of the values.
    pub reports: Vec<Report>,
}

impl Document {
    /// Of the `reports`, at least one.
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

/// A whole measurement; as JSON a document with the keys of hyperfine's, and the rest beside them.
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
    pub models: Vec<Fitted>,
    /// The measured pieces on more cores; absent in weak scaling.
    pub forecast: Option<Forecast>,
    /// The sweep over numbers of subtrees, if one was asked for.
    pub granularity: Option<Granularity>,
    /// Reasons to distrust the figures.
    pub warnings: Vec<String>,
    /// The curve in words.
    pub explanation: Vec<String>,
}

/// What each of `reports` is called beside the others: by its parameter, or else by its problem.
pub fn names(reports: &[Report]) -> Vec<String> {
    let name = |report: &Report| match &report.subject.parameter {
        Some(Parameter { name, value }) => format!("{name} = {value}"),
        None => report.subject.problem.clone(),
    };
    reports.iter().map(name).collect()
}

impl Report {
    /// What the intervals are called, with the level that the rounds give them.
    pub fn interval_name(&self) -> String {
        Interval::name_of(self.results.first().and_then(|point| point.interval))
    }

    /// What the rates count, as in `puzzles/s`, if they were measured.
    pub fn rate_name(&self) -> Option<String> {
        self.results.first()?.rate?;
        self.subject.unit.as_ref().map(|unit| format!("{unit}/s"))
    }

    /// The largest thread count.
    pub fn most_threads(&self) -> usize {
        self.results.last().map_or(1, |point| point.threads)
    }

    /// The point with the most threads that still have a processor each.
    pub fn fullest(&self) -> Option<&Point> {
        let processors = self.subject.machine.processors();
        self.results.iter().rev().find(|p| p.threads <= processors).or(self.results.first())
    }

    /// The fit to show: that of the richer law if it could be fitted.
    pub fn best_fit(&self) -> Option<&Fit> {
        let fits = || self.models.iter().filter_map(Fitted::fit);
        fits().find(|fit| fit.curve.law == Law::Universal).or_else(|| fits().next())
    }
}
