//! Times with several thread counts that another tool measured, read from its file.
//!
//! ```text
//! csv    a column of thread counts, a column of times
//! json   hyperfine, Google Benchmark, criterion
//! ```
//!
//! Both make [`MeasuredPoint`]s of a file. [`reports`] groups them into curves, checks each curve, and makes a report of it.

use std::fmt;
use std::path::Path;

use crate::conditions::Conditions;
use crate::measure::{Run, Series, Setting};
use crate::report::{COMMAND, Parameter, Report, Scaling, Source, Subject};
use crate::topology::{Machine, Pin};

mod csv;
mod json;

/// A thread count with its times, as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredPoint {
    /// The number of its line in the file, from 1; 0 if the file has nothing else.
    pub line: usize,
    /// Number of threads.
    pub threads: usize,
    /// Wall seconds of each run.
    pub times: Vec<f64>,
    /// Mean seconds of processor time in the program and in the kernel; 0 if the file does not tell.
    pub cpu: (f64, f64),
    /// Bytes that a run held at most, if the file tells.
    pub peak_bytes: Option<u64>,
    /// Exit codes of the runs; empty if the file has none.
    pub exit_codes: Vec<i32>,
    /// The parameter that tells its curve from others in the same file, if there may be others.
    pub parameter: Option<Parameter>,
}

impl MeasuredPoint {
    /// A point of which the file tells only the thread count and the times.
    fn new(line: usize, threads: usize, times: Vec<f64>) -> Self {
        Self { line, threads, times, ..Self::default() }
    }

    /// A point of the benchmark `name`, which may be one of several in the file.
    fn of_benchmark(line: usize, name: String, threads: usize, times: Vec<f64>) -> Self {
        let parameter = Some(Parameter { name: "benchmark".to_owned(), value: name });
        Self { parameter, ..Self::new(line, threads, times) }
    }

    /// Whether another point has the same thread count of the same curve: it is a repetition then.
    fn has_same_key(&self, other: &Self) -> bool {
        self.threads == other.threads && self.parameter == other.parameter
    }
}

/// All points of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The tool that measured them, such as `hyperfine`.
    pub tool: String,
    /// The command or benchmark that was measured, if the file tells.
    pub problem: Option<String>,
    /// Whether more threads did more work.
    pub scaling: Scaling,
    /// Processors of the machine, if the file tells.
    pub processors: Option<usize>,
    /// The points, in the order of the file.
    pub measured: Vec<MeasuredPoint>,
}

impl Points {
    /// The points of strong scaling in a file that tells nothing else.
    fn new(tool: &str, measured: Vec<MeasuredPoint>) -> Self {
        let tool = tool.to_owned();
        Self { tool, problem: None, scaling: Scaling::Strong, processors: None, measured }
    }
}

/// What to read of a file that can be read in several ways.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// The name of the column or parameter with the thread counts.
    pub threads: Option<String>,
    /// The name of the column with the times.
    pub time: Option<String>,
    /// The name of the column that tells several curves apart.
    pub curve: Option<String>,
    /// The unit of times in CSV.
    pub unit: Option<Unit>,
    /// Whether `p` threads did `p` times the work, whatever the file says.
    pub is_weak: bool,
}

impl ReadOptions {
    /// `points` with the scaling that the options ask for.
    fn with_scaling(&self, points: Points) -> Points {
        let scaling = if self.is_weak { Scaling::Weak } else { points.scaling };
        Points { scaling, ..points }
    }
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
    /// Minutes.
    Minutes,
}

tallyboard_base::named::named! {
    /// Every unit of time.
    Unit {
        Seconds = "s",
        Milliseconds = "ms",
        Microseconds = "us",
        Nanoseconds = "ns",
        Minutes = "min",
    }
}

impl Unit {
    /// The unit of a short name or of a longer form of it.
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "s" | "sec" | "secs" | "second" | "seconds" => Self::Seconds,
            "ms" | "msec" | "milliseconds" => Self::Milliseconds,
            "us" | "µs" | "usec" | "microseconds" => Self::Microseconds,
            "ns" | "nsec" | "nanoseconds" => Self::Nanoseconds,
            "min" | "mins" | "minutes" => Self::Minutes,
            _ => return None,
        })
    }

    fn in_seconds(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e-3,
            Self::Microseconds => 1e-6,
            Self::Nanoseconds => 1e-9,
            Self::Minutes => 60.0,
        }
    }
}

/// What is wrong with a file of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointsError {
    /// The line, from 1; `None` if the whole file is meant.
    pub line: Option<usize>,
    /// What was found, and what was expected.
    pub message: String,
}

impl PointsError {
    /// An error at a line; of the whole file if that is 0.
    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: (line > 0).then_some(line), message: message.into() }
    }

    fn of_file(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }
}

impl fmt::Display for PointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for PointsError {}

/// The points of the benchmarks in criterion's folder `target/criterion`, or in a folder below it: the newest run of each.
/// An error names the file that is not as criterion writes it.
pub fn of_folder(folder: &Path, options: &ReadOptions) -> Result<Points, PointsError> {
    json::criterion_folder(folder).map(|points| options.with_scaling(points))
}

/// The points in the text of a file, whose format is that of its first characters.
pub fn read(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    read_format(text, options).map(|points| options.with_scaling(points))
}

fn read_format(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.is_empty() {
        return Err(PointsError::of_file(
            "found nothing, expected thread counts and times: CSV, or JSON of hyperfine, Google Benchmark or cargo-criterion",
        ));
    }
    if !start.starts_with(['{', '[']) {
        return csv::read(text, options);
    }
    let document = json::first_object(text)?;
    if document.has("tallyboard") {
        return Err(PointsError::of_file(
            "found a report of scale, expected times measured by another tool: scale compare reads reports, which have their laws",
        ));
    }
    if document.has("reason") {
        return json::criterion_messages(text);
    }
    if document.has("benchmarks") {
        return json::google(&document);
    }
    if document.has("results") {
        return json::hyperfine(&document, options);
    }
    let message = format!(
        "found an object with {}, expected `results` (hyperfine), `benchmarks` (Google Benchmark) or `reason` (cargo-criterion)",
        document.keys()
    );
    Err(PointsError::at(document.line, message))
}

/// A time in seconds. `name` says what it is in the error of a time that is not above 0, or so short or long that no clock
/// can have measured it. Sums of squares might overflow then.
fn seconds(line: usize, name: &str, value: f64, unit: Unit) -> Result<f64, PointsError> {
    let seconds = value * unit.in_seconds();
    if PLAUSIBLE_SECONDS.contains(&seconds) {
        return Ok(seconds);
    }
    let message = match value > 0.0 {
        true => format!("found {seconds:e} s as {name}, expected a time of 1e-15 to 1e15 s"),
        false => format!("found {value} as {name}, expected a time above 0"),
    };
    Err(PointsError::at(line, message))
}

/// Times that some clock can have measured, in seconds.
const PLAUSIBLE_SECONDS: std::ops::RangeInclusive<f64> = 1e-15..=1e15;

/// A thread count. `name` says what it is in the error of a text that is no whole number from 1 to a million.
fn threads(line: usize, name: &str, text: &str) -> Result<usize, PointsError> {
    match text.trim().parse() {
        Ok(threads @ 1..=1_000_000) => Ok(threads),
        _ => {
            let expected = "expected a whole number of threads above 0";
            Err(PointsError::at(line, format!("found '{text}' as {name}, {expected}")))
        }
    }
}

/// A report for each curve of `points`, which were in the file `name`.
///
/// # Errors
/// If there is no time at all. If a curve has only one thread count, lacks one thread, or has a thread count twice.
pub fn reports(name: &str, mut points: Points) -> Result<Vec<Report>, PointsError> {
    if points.measured.is_empty() {
        return Err(PointsError::of_file(format!(
            "found no time ({}), expected times with one thread and with more",
            points.tool
        )));
    }
    let mut curves: Vec<Vec<MeasuredPoint>> = Vec::new();
    for point in std::mem::take(&mut points.measured) {
        match curves.iter_mut().find(|curve| curve[0].parameter == point.parameter) {
            Some(curve) => curve.push(point),
            None => curves.push(vec![point]),
        }
    }
    let is_only = curves.len() == 1;
    let report = |curve: Vec<MeasuredPoint>| {
        let subject = subject(name, &points, curve[0].parameter.as_ref(), is_only);
        Ok(Report::new(subject, &series(curve, points.scaling)?, None))
    };
    curves.into_iter().map(report).collect()
}

/// The subject of one curve of `points`; `parameter` tells it from others, unless it is the only one.
fn subject(name: &str, points: &Points, parameter: Option<&Parameter>, is_only: bool) -> Subject {
    let value = parameter.map(|parameter| &parameter.value).filter(|value| !value.is_empty());
    // Several curves have the name of their file in common.
    let problem = value.or(points.problem.as_ref()).filter(|_| is_only);
    Subject {
        problem: problem.map_or(name, String::as_str).to_owned(),
        command: name.to_owned(),
        scaling: points.scaling,
        // What ran inside is as unknown as inside a command.
        kernel: COMMAND.to_owned(),
        pin: Pin::None,
        machine: Machine::unknown(),
        conditions: Conditions::default(),
        unit: None,
        parameter: parameter.filter(|_| !is_only).cloned(),
        source: Some(Source {
            tool: points.tool.clone(),
            file: name.to_owned(),
            processors: points.processors,
        }),
    }
}

/// The times of one curve, fewest threads first.
fn series(mut curve: Vec<MeasuredPoint>, scaling: Scaling) -> Result<Vec<Series>, PointsError> {
    curve.sort_by_key(|point| (point.threads, point.line));
    let of_curve = curve[0]
        .parameter
        .as_ref()
        .map_or_else(String::new, |parameter| format!(" of {}", parameter.value));
    for pair in curve.windows(2) {
        let [earlier, later] = pair else { continue };
        if earlier.threads == later.threads {
            let place = match earlier.line {
                0 => String::new(),
                line => format!(" (first in line {line})"),
            };
            let message = format!(
                "found {} threads{of_curve} a second time{place}, expected each thread count once",
                later.threads
            );
            return Err(PointsError::at(later.line, message));
        }
    }
    let MeasuredPoint { line, threads, .. } = curve[0];
    if curve.len() < 2 {
        let message = format!(
            "found one thread count{of_curve}, {threads}, expected two or more, and three or more to fit a law"
        );
        return Err(PointsError::at(line, message));
    }
    if threads != 1 {
        let message = format!(
            "found {threads} as the fewest threads{of_curve}, expected 1: speed-ups are relative to the time of one thread"
        );
        return Err(PointsError::at(line, message));
    }
    Ok(curve.into_iter().map(|point| series_of_point(point, scaling)).collect())
}

fn series_of_point(point: MeasuredPoint, scaling: Scaling) -> Series {
    let MeasuredPoint { threads, times, cpu: (user, system), peak_bytes, exit_codes, .. } = point;
    let work = if scaling == Scaling::Weak { threads as f64 } else { 1.0 };
    let runs = times.into_iter().enumerate().map(|(index, wall)| {
        let exit_code = exit_codes.get(index).copied().unwrap_or(0);
        Run { wall, user, system, exit_code, peak_bytes, ..Run::default() }
    });
    Series { setting: Setting { work, ..Setting::threads(threads) }, runs: runs.collect() }
}
