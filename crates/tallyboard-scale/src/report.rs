//! A report: one measurement with everything derived from its runs, ready to be stored, compared or shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::conditions::Conditions;
use crate::counters::Counts;
use crate::forecast::Forecast;
use crate::laws::{Fit, FitOutcome, Law};
use crate::measure::ratios;
use crate::pop::Efficiencies;
use crate::resident::MemoryGrowth;
use crate::sentence::{Sentence, Topic};
use crate::topology::{Machine, Pin};
use crate::workers::{Losses, Workers};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_base::named::named;
use tallyboard_base::statistics::Interval;

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

/// Stands in a command for the number of threads.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The second parameter of the measurement, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<Parameter>,
    /// Where the times are from, if this program did not measure them. Machine and conditions are unknown then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The origin of times that another tool measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The tool, such as `hyperfine`.
    pub tool: String,
    /// The file.
    pub file: String,
    /// Processors of the machine, if the file tells.
    pub processors: Option<usize>,
}

impl Source {
    /// One line for people.
    pub fn describe(&self) -> String {
        let processors = self.processors.map_or_else(
            || "number of processors unknown".to_owned(),
            |processors| counted(processors, "processor"),
        );
        let Self { tool, file, .. } = self;
        format!("times measured elsewhere: {file} ({tool}), {processors}")
    }
}

/// [`Subject::kernel`] of a measured command.
pub const COMMAND: &str = "command";

impl Subject {
    /// Threads that can run at once. If the machine is unknown, all of them can.
    pub fn processors(&self) -> usize {
        match &self.source {
            Some(source) => source.processors.unwrap_or(usize::MAX),
            None => self.machine.processors(),
        }
    }

    /// Whether a command was measured, and no work of this program.
    pub(crate) fn is_command(&self) -> bool {
        self.kernel == COMMAND
    }

    /// The kernel and the placement of the workers in words, with `separator` between. A command has no workers.
    pub(crate) fn method(&self, separator: &str) -> String {
        match self.pin {
            _ if self.is_command() => "a command, from outside".to_owned(),
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parameters {
    /// Thread count, as text like all parameters of hyperfine.
    pub threads: String,
    /// The second parameter, if there is one.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}

impl Parameters {
    /// Those of the point with `threads` threads.
    pub(crate) fn of(subject: &Subject, threads: usize) -> Self {
        let other = subject.parameter.iter().map(|it| (it.name.clone(), it.value.clone()));
        Self { threads: threads.to_string(), others: other.collect() }
    }
}

/// The figures of one thread count; all times in seconds. The first fields are those of hyperfine's JSON export, so that
/// its scripts can read the file.
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
    /// Mean processor time in the program; `None` if a file of another tool does not tell it.
    pub user: Option<f64>,
    /// Mean processor time in the kernel; `None` as for `user`.
    pub system: Option<f64>,
    /// Shortest wall time.
    pub min: f64,
    /// Longest wall time.
    pub max: f64,
    /// Median of the processor time, program and kernel together; `None` as for `user`.
    pub cpu: Option<f64>,
    /// All wall times, in the order of the rounds.
    pub times: Vec<f64>,
    /// The exit code of each run. Unless failures are ignored, a failed run ends the measurement, and all are 0.
    pub exit_codes: Vec<i32>,
    /// The thread count as hyperfine stores it.
    #[serde(skip_deserializing)]
    pub parameters: Parameters,

    /// Thread count.
    pub threads: usize,
    /// Units of work in a run.
    pub work: f64,
    /// Interval of the median.
    pub interval: Option<Interval>,
    /// Median over the runs of the amount of work per second, in the subject's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Interval of the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_interval: Option<Interval>,
    /// Speed-up: the time of one thread over the time of these, for one unit of work; the median over the rounds.
    pub speedup: f64,
    /// Interval of the speed-up.
    pub speedup_interval: Option<Interval>,
    /// Speed-up over thread count.
    pub efficiency: f64,
    /// Speed-up by processor time: the speed-up of an observed command without the time in which its threads waited for
    /// a processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_speedup: Option<f64>,
    /// Serial fraction that this speed-up implies: in strong scaling a share of the work (Karp and Flatt), in weak scaling
    /// a share of the time (Gustafson).
    pub serial_fraction: Option<f64>,
    /// Where the threads' time went in the run closest to the median.
    pub losses: Option<Losses>,
    /// The same places as the efficiencies of the POP Centre of Excellence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pop: Option<Efficiencies>,
    /// Processor time of the helpers in that run, as a share of the workers' time. Helpers are the threads that are no
    /// workers, and workers while they read or write a file. This is not one of the losses: helpers run while workers
    /// wait, or they take a processor from a worker, which is then preempted.
    pub helpers: Option<f64>,
    /// Bytes of memory that a run held at most; the largest of all runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
    /// Share of the threads' time in that run for which the control group's limit kept them from a processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled: Option<f64>,
    /// Readings of the processor's counters in that run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The workers of that run.
    pub workers: Option<Workers>,
}

impl Point {
    /// Where the time of the threads went; `None` if there is only one thread.
    pub(crate) fn losses_of_several(&self) -> Option<Losses> {
        if self.threads > 1 { self.losses } else { None }
    }

    /// Wall seconds of one unit of work, one a run.
    pub(crate) fn unit_times(&self) -> Vec<f64> {
        self.times.iter().map(|time| time / self.work).collect()
    }

    /// Bytes per second that the work read: a cache line of `line_bytes` for each counted cache miss.
    pub fn read_rate(&self, line_bytes: u64) -> Option<f64> {
        Some(self.counts?.bytes_read(line_bytes) / self.median)
    }
}

/// A whole measurement. Its JSON has hyperfine's keys and more.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// How memory grows with the threads, if the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryGrowth>,
    /// Reasons to distrust the figures.
    pub warnings: Vec<String>,
    /// The report in sentences.
    pub explanation: Vec<Sentence>,
}

/// The name of each of `reports`: its second parameter and value, or the file with the times, or else its problem.
pub fn names(reports: &[Report]) -> Vec<String> {
    let subjects = reports.iter().map(|report| &report.subject);
    let names = subjects.map(|subject| match (&subject.parameter, &subject.source) {
        (Some(Parameter { name, value }), _) => format!("{name} = {value}"),
        (None, Some(source)) => source.file.clone(),
        (None, None) => subject.problem.clone(),
    });
    names.collect()
}

impl Report {
    /// The name of the intervals, with their level.
    pub fn interval_name(&self) -> String {
        Interval::name_of(self.results.first().and_then(|point| point.interval))
    }

    /// The sentences that a reader needs first: how much faster, the main cause of what is lost, what to do about it, what
    /// else is lost, and what more cores would give; or why no cause is known.
    pub fn summary(&self) -> Vec<&str> {
        self.sentences(true).collect()
    }

    /// All other sentences.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.sentences(false)
    }

    /// The sentences that a reader needs first, or all others.
    fn sentences(&self, first: bool) -> impl Iterator<Item = &str> {
        let is_cause_known = self.explanation.iter().any(|it| it.topic == Topic::MainCause);
        let wanted =
            self.explanation.iter().filter(move |it| it.topic.is_first(is_cause_known) == first);
        wanted.map(|sentence| &*sentence.text)
    }

    /// The unit of the rates, such as `puzzles/s`; `None` if there are none.
    pub fn rate_name(&self) -> Option<String> {
        self.results.first()?.rate?;
        self.subject.unit.as_ref().map(|unit| format!("{unit}/s"))
    }

    /// The fewest threads, to which speed-ups are relative: 1, unless there is no time of one thread.
    pub fn baseline(&self) -> usize {
        self.results.first().map_or(1, |point| point.threads)
    }

    /// The fewest threads in a sentence: `one`, `32`.
    pub(crate) fn baseline_in_words(&self) -> String {
        match self.baseline() {
            1 => "one".to_owned(),
            threads => grouped(threads),
        }
    }

    /// The largest thread count.
    pub fn most_threads(&self) -> usize {
        self.results.last().map_or(1, |point| point.threads)
    }

    /// Whether workers of this program were measured, and no command.
    pub(crate) fn has_workers(&self) -> bool {
        self.results.iter().any(|point| point.workers.is_some())
    }

    /// The point of `threads` threads.
    pub fn point(&self, threads: usize) -> Option<&Point> {
        self.results.iter().find(|point| point.threads == threads)
    }

    /// The interval of the factor by which `more` is faster than `fewer`, for one unit of work.
    pub(crate) fn step(&self, fewer: &Point, more: &Point) -> Option<Interval> {
        let [fewer, more] = [fewer, more].map(Point::unit_times);
        match self.subject.source {
            None => Interval::of_median(&ratios(&fewer, &more)),
            Some(_) => Interval::of_ratio(&fewer, &more),
        }
    }

    /// The points whose threads have a processor each.
    fn points_with_own_processors(&self) -> impl DoubleEndedIterator<Item = &Point> {
        let processors = self.subject.processors();
        self.results.iter().filter(move |point| point.threads <= processors)
    }

    /// The point that the sentences are about: the one with the most threads that have a processor each; without regard to
    /// the control group's limit, if it is known how long that stopped the threads.
    pub fn main_point(&self) -> Option<&Point> {
        let hardware_threads = self.subject.machine.cpus.len();
        let is_known =
            |point: &&Point| point.threads <= hardware_threads && point.throttled.is_some();
        let known = self.results.iter().rfind(is_known);
        known.or_else(|| self.points_with_own_processors().next_back()).or(self.results.first())
    }

    /// Whether a command waited so long for processors, although there was one for each of its threads, that the
    /// speed-up by processor time tells more of it than the usual speed-up.
    pub fn is_disturbed(&self) -> bool {
        const MIN_PREEMPTED: f64 = 0.05;
        self.points_with_own_processors().any(|point| {
            let preempted = point.losses.map_or(0.0, |losses| losses.preempted);
            point.cpu_speedup.is_some() && preempted > MIN_PREEMPTED
        })
    }

    /// The fit of `law`, if there is one.
    pub(crate) fn fit_of(&self, law: Law) -> Option<&Fit> {
        self.models.iter().filter_map(FitOutcome::fit).find(|fit| fit.curve.law == law)
    }

    /// The fit to show: that of the universal law if it is better than Amdahl's, or else of the first law that was fitted.
    pub fn best_fit(&self) -> Option<&Fit> {
        let first = self.models.iter().find_map(FitOutcome::fit);
        match (first, self.fit_of(Law::Universal)) {
            (Some(amdahl), Some(universal)) if universal.is_better_than(amdahl) => Some(universal),
            (first, _) => first,
        }
    }
}

#[cfg(test)]
impl Subject {
    /// Strong scaling of an example on this machine.
    pub(crate) fn example() -> Self {
        Self {
            problem: "example".into(),
            command: "example".into(),
            scaling: Scaling::Strong,
            kernel: "none".into(),
            pin: Pin::None,
            machine: Machine::here(),
            conditions: Conditions::default(),
            unit: None,
            parameter: None,
            source: None,
        }
    }
}
