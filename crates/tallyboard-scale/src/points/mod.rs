//! Times with several thread counts that another tool measured, read from its file.
//!
//! ```text
//! probes    by what texts a tool's output is known, and its reader, or why there is none
//! json      hyperfine, Google Benchmark, criterion, go test, JMH, pytest-benchmark, pyperf, BenchmarkDotNet
//! text      the logs of go test, sysbench, likwid-bench, STREAM, the NAS benchmarks
//! terminal  what hyperfine, divan and Google Benchmark print for people
//! csv       a column of thread counts and one of times; JMH's and Google Benchmark's  (rows, columns)
//! logs      any lines that tell a number of threads and then a time
//! ```
//!
//! Each makes [`MeasuredPoint`]s of a file, by a `Reader`. [`reports`] groups them into curves, checks each curve, and
//! makes a report of it.

mod columns;
mod csv;
mod json;
mod logs;
mod probes;
mod rows;
mod terminal;
mod text;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use crate::conditions::Conditions;
use crate::measure::{Run, Series, Setting};
use crate::report::{COMMAND, Parameter, Report, Scaling, Source, Subject};
use crate::topology::{Machine, Pin};

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
    /// Whether `p` threads did `p` times the work.
    pub is_weak: bool,
}

impl MeasuredPoint {
    /// A point of the benchmark `name`, which may be one of several in the file.
    fn of_benchmark(line: usize, name: String, threads: usize, times: Vec<f64>) -> Self {
        let parameter = Some(Parameter { name: "benchmark".to_owned(), value: name });
        Self { line, threads, times, parameter, ..Self::default() }
    }

    /// Whether another point has the same thread count of the same curve: it is a repetition then.
    fn has_same_key(&self, other: &Self) -> bool {
        self.threads == other.threads && self.parameter == other.parameter
    }
}

/// All points of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The tool that measured them, such as `hyperfine`.
    pub tool: String,
    /// How the tool writes times with several thread counts, for the error that there are none.
    how: &'static str,
    /// The command or benchmark that was measured, if the file tells.
    pub problem: Option<String>,
    /// Processors of the machine, if the file tells.
    pub processors: Option<usize>,
    /// The points, in the order of the file.
    pub measured: Vec<MeasuredPoint>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
    /// What was understood that the file does not say in so many words.
    told: Vec<String>,
    /// The scaling that the user has named.
    scaling: Option<Scaling>,
}

/// A benchmark as a file has it, whose thread count is not yet told from its other parameters.
#[derive(Default)]
struct Benchmark {
    line: usize,
    name: String,
    /// The thread count, if the file has a field for it.
    threads: Option<String>,
    parameters: Vec<(String, String)>,
    times: Vec<f64>,
    cpu: (f64, f64),
    peak_bytes: Option<u64>,
    exit_codes: Vec<i32>,
    is_weak: bool,
}

impl Benchmark {
    /// A benchmark with one time, which a line of a text tells.
    fn of_line(line: usize, name: &str, threads: usize, time: f64) -> Self {
        let (name, threads) = (name.to_owned(), Some(threads.to_string()));
        Self { line, name, threads, times: vec![time], ..Self::default() }
    }

    /// With the parameters that stand in its name as words such as `threads=2`.
    fn with_parameters_of_name(mut self, separator: char) -> Self {
        let mut words = Vec::new();
        for word in self.name.split(separator) {
            match word.split_once('=') {
                // The file may tell it elsewhere too.
                Some((key, _)) if self.parameters.iter().any(|(known, _)| known == key) => {}
                Some((key, value)) => self.parameters.push((key.to_owned(), value.to_owned())),
                None => words.push(word),
            }
        }
        self.name = words.join(" ");
        self
    }
}

/// Gathers the points of a file.
struct Reader<'a> {
    tool: String,
    how: &'static str,
    options: &'a ReadOptions,
    problem: Option<String>,
    processors: Option<usize>,
    measured: Vec<MeasuredPoint>,
    left_out: Vec<String>,
    /// The line of what was left out first.
    first_left_out: usize,
}

impl<'a> Reader<'a> {
    fn new(tool: &str, how: &'static str, options: &'a ReadOptions) -> Self {
        Self {
            tool: tool.to_owned(),
            how,
            options,
            problem: None,
            processors: None,
            measured: Vec::new(),
            left_out: Vec::new(),
            first_left_out: 0,
        }
    }

    /// Adds a benchmark, which is a repetition if one of this name and thread count is known. It is left out if it has
    /// no thread count.
    fn add(&mut self, benchmark: Benchmark) -> Result<(), PointsError> {
        let Some(point) = self.point(benchmark)? else { return Ok(()) };
        match self.measured.iter_mut().find(|earlier| earlier.has_same_key(&point)) {
            Some(earlier) => earlier.times.extend(point.times),
            None => self.measured.push(point),
        }
        Ok(())
    }

    /// Adds a benchmark, of which the file has all repetitions at one place.
    fn add_once(&mut self, benchmark: Benchmark) -> Result<(), PointsError> {
        let point = self.point(benchmark)?;
        self.measured.extend(point);
        Ok(())
    }

    fn point(&mut self, benchmark: Benchmark) -> Result<Option<MeasuredPoint>, PointsError> {
        let Benchmark { line, mut name, threads: own, mut parameters, times, .. } = benchmark;
        let asked = self.options.threads.as_deref().map(str::to_lowercase);
        let place =
            |wanted: &str| parameters.iter().position(|(key, _)| key.to_lowercase() == wanted);
        let ranks = || {
            let ranks = parameters.iter().enumerate();
            let ranks = ranks.filter_map(|(at, (key, _))| {
                Some((columns::rank_of_workers(&key.to_lowercase())?, at))
            });
            ranks.min().map(|(_, at)| at)
        };
        let at = match (&asked, &own) {
            (Some(asked), _) => place(asked),
            (None, Some(_)) => None,
            // A parameter may also have the name of a flag.
            (None, None) => ranks().or_else(|| ["j", "t"].into_iter().find_map(place)),
        };
        let count = at.map(|at| parameters.remove(at));
        let count = count
            .or_else(|| own.filter(|_| asked.is_none()).map(|own| ("threads".to_owned(), own)));
        let Some((key, value)) = count else {
            let found: Vec<&str> = parameters.iter().map(|(key, _)| &**key).collect();
            let found = if found.is_empty() {
                String::new()
            } else {
                format!(" among {}", found.join(", "))
            };
            let name = if name.is_empty() { "a result" } else { &name };
            self.leave_out(line, format!("{name} has no thread count{found}"));
            return Ok(None);
        };
        let threads = threads(line, &format!("the parameter {key}"), &value)?;
        let key = match &parameters[..] {
            _ if name.is_empty() => {
                parameters.iter().map(|it| &*it.0).collect::<Vec<_>>().join(", ")
            }
            _ => "benchmark".to_owned(),
        };
        for (key, value) in &parameters {
            if key != "last" && !name.is_empty() {
                name += &format!(" {key}={value}");
            } else {
                name += &format!("{}{value}", if name.is_empty() { "" } else { "/" });
            }
        }
        let parameter = (!name.is_empty()).then_some(Parameter { name: key, value: name });
        let Benchmark { cpu, peak_bytes, exit_codes, is_weak, .. } = benchmark;
        Ok(Some(MeasuredPoint {
            line,
            threads,
            times,
            cpu,
            peak_bytes,
            exit_codes,
            parameter,
            is_weak,
        }))
    }

    fn leave_out(&mut self, line: usize, why: String) {
        if self.left_out.is_empty() {
            self.first_left_out = line;
        }
        if !self.left_out.contains(&why) {
            self.left_out.push(why);
        }
    }

    fn finish(self) -> Result<Points, PointsError> {
        let Self { tool, how, problem, processors, measured, left_out, .. } = self;
        if let Some(why) = left_out.first().filter(|_| measured.is_empty()) {
            let message = format!("found no time with a thread count, since {why}: {how}");
            return Err(PointsError::at(self.first_left_out, message));
        }
        Ok(Points { tool, how, problem, processors, measured, left_out, ..Points::default() })
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
    /// The name of the column with rates, of which the higher is faster.
    pub rate: Option<String>,
    /// Whether `p` threads did equal work or `p` times the work, whatever the file says.
    pub scaling: Option<Scaling>,
    /// The number of threads to which speed-ups are relative; points with fewer are left out. `None` for the fewest.
    pub baseline: Option<usize>,
}

impl ReadOptions {
    /// `points` with the scaling and the baseline that the options ask for.
    fn with_scaling(&self, mut points: Points) -> Result<Points, PointsError> {
        if let Some(scaling) = self.scaling {
            let is_weak = scaling == Scaling::Weak;
            points.measured.iter_mut().for_each(|point| point.is_weak = is_weak);
        }
        points.scaling = self.scaling;
        if let Some(baseline) = self.baseline {
            if !points.measured.iter().any(|point| point.threads == baseline) {
                let found: BTreeSet<usize> =
                    points.measured.iter().map(|point| point.threads).collect();
                let found: Vec<String> = found.iter().map(usize::to_string).collect();
                return Err(PointsError::of_file(format!(
                    "found {} threads, expected {baseline} among them, as --baseline says",
                    found.join(", ")
                )));
            }
            points.measured.retain(|point| point.threads >= baseline);
        }
        Ok(points)
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
            "ms" | "msec" | "millisecond" | "milliseconds" => Self::Milliseconds,
            "us" | "µs" | "μs" | "usec" | "microsecond" | "microseconds" => Self::Microseconds,
            "ns" | "nsec" | "nanosecond" | "nanoseconds" => Self::Nanoseconds,
            "min" | "mins" | "minute" | "minutes" => Self::Minutes,
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

/// What a figure is: a time, or a rate whose inverse is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quantity {
    unit: Unit,
    is_rate: bool,
}

impl Quantity {
    /// A unit such as `ms`, `ms/op` or `ops/ms`.
    fn from_name(name: &str) -> Option<Self> {
        let rate = name.strip_prefix("ops/");
        let unit = Unit::from_name(rate.unwrap_or(name.strip_suffix("/op").unwrap_or(name)))?;
        Some(Self { unit, is_rate: rate.is_some() })
    }

    /// The time in seconds that a `value` means; `name` and errors are those of [`seconds`].
    fn seconds(self, line: usize, name: &str, value: f64) -> Result<f64, PointsError> {
        match self.is_rate && value > 0.0 {
            true => seconds(line, name, 1.0 / value, self.unit),
            false => seconds(line, name, value, self.unit),
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
    json::criterion_folder(folder).and_then(|points| options.with_scaling(points))
}

/// The points in the text of a file, whose format is that of its first characters.
pub fn read(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    read_format(text, options).and_then(|points| options.with_scaling(points))
}

/// What to do if `go test` ran with one thread count.
const GO: &str = "run go test -bench . -cpu 1,2,4";

/// What to say of a table of perf.
const NO_WALL_TIME_OF_PERF: &str = "found what perf stat counts, expected wall times: perf names no number of threads, and task-clock is processor time. Measure the command with `scale run -- COMMAND {threads}`";

fn read_format(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    let text = text.trim_start_matches('\u{feff}');
    let start = text.trim_start();
    if start.is_empty() {
        return Err(PointsError::of_file(
            "found nothing, expected thread counts and times: CSV, or the file of a tool that docs/scaling.md lists",
        ));
    }
    if let Some(found) = probes::read(text, options) {
        return found;
    }
    if start.starts_with(['{', '[']) {
        return json::read(text, options);
    }
    match csv::read(text, options) {
        // Lines of a program that tell threads and times are no table.
        Err(error) => logs::read(text, options).unwrap_or(Err(error)),
        read => read,
    }
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
    // Some tools write whole numbers as 2.0.
    let trimmed = text.trim();
    let whole = trimmed.split_once('.').filter(|(_, rest)| rest.bytes().all(|it| it == b'0'));
    match whole.map_or(trimmed, |(whole, _)| whole).parse() {
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
/// If there is no time at all. If a curve has only one thread count, or has a thread count twice.
pub fn reports(name: &str, mut points: Points) -> Result<Vec<Report>, PointsError> {
    if points.measured.is_empty() {
        return Err(PointsError::of_file(format!(
            "found no time ({}), expected times with one thread and with more",
            points.tool
        )));
    }
    let is_weak = points.measured.iter().any(|point| point.is_weak);
    let file = Path::new(name).file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_named_weak = file.contains("weak") && !file.contains("strong");
    if points.scaling.is_none() && !is_weak && is_named_weak {
        return Err(PointsError::of_file(
            "found times in a file that is named weak: say --weak if p threads did p times the work, or --strong if all did equal work",
        ));
    }
    let left_out = points.left_out.iter().map(|it| format!("left out: {it}"));
    let left_out: Vec<String> = left_out.chain(points.told.iter().cloned()).collect();
    let mut curves: Vec<Vec<MeasuredPoint>> = Vec::new();
    for point in std::mem::take(&mut points.measured) {
        match curves.iter_mut().find(|curve| curve[0].parameter == point.parameter) {
            Some(curve) => curve.push(point),
            None => curves.push(vec![point]),
        }
    }
    let is_only = curves.len() == 1;
    let report = |curve: Vec<MeasuredPoint>| {
        let subject = subject(name, &points, &curve[0], is_only);
        let mut report = Report::new(subject, &series(curve, points.how)?);
        report.warnings.splice(0..0, left_out.iter().cloned());
        Ok(report)
    };
    curves.into_iter().map(report).collect()
}

/// The subject of one curve of `points`, of which `point` is one; its parameter tells it from others, unless it is the only
/// one.
fn subject(name: &str, points: &Points, point: &MeasuredPoint, is_only: bool) -> Subject {
    let parameter = point.parameter.as_ref();
    let value = parameter.map(|parameter| &parameter.value).filter(|value| !value.is_empty());
    // Several curves have the name of their file in common.
    let problem = value.or(points.problem.as_ref()).filter(|_| is_only);
    Subject {
        problem: problem.map_or(name, String::as_str).to_owned(),
        command: name.to_owned(),
        scaling: if point.is_weak { Scaling::Weak } else { Scaling::Strong },
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

/// The times of one curve, fewest threads first. `how` is how its tool writes several thread counts.
fn series(mut curve: Vec<MeasuredPoint>, how: &str) -> Result<Vec<Series>, PointsError> {
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
    let how = if how.is_empty() { String::new() } else { format!(": {how}") };
    if curve.len() < 2 {
        let message = format!(
            "found one thread count{of_curve}, {threads}, expected two or more, and three or more to fit a law{how}"
        );
        return Err(PointsError::at(line, message));
    }
    Ok(curve.into_iter().map(series_of_point).collect())
}

fn series_of_point(point: MeasuredPoint) -> Series {
    let MeasuredPoint {
        threads, times, cpu: (user, system), peak_bytes, exit_codes, is_weak, ..
    } = point;
    let work = if is_weak { threads as f64 } else { 1.0 };
    let runs = times.into_iter().enumerate().map(|(index, wall)| {
        let exit_code = exit_codes.get(index).copied().unwrap_or(0);
        Run { wall, user, system, exit_code, peak_bytes, ..Run::default() }
    });
    Series { setting: Setting { work, ..Setting::threads(threads) }, runs: runs.collect() }
}

/// What was measured by each tool stands in `tests/data/points`, made by `ci/points.sh`.
#[cfg(test)]
mod tests {
    use super::*;

    fn made(file: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/points/");
        std::fs::read_to_string(folder.to_owned() + file).unwrap()
    }

    fn reports_of(text: &str) -> Result<Vec<Report>, String> {
        let options = ReadOptions::default();
        let reports = read(text, &options).and_then(|points| reports("file", points));
        reports.map_err(|error| error.to_string())
    }

    /// A file, its tool, a curve of it, its scaling, and medians in nanoseconds as the file's numbers give them.
    const READ: &str = "\
hyperfine.json | hyperfine | ./tallyboard -q queens count 14 -j {threads} | strong | 1: 18051013, 4: 8526810
hyperfine2.json | hyperfine | file | strong | 1: 21180389, 4: 43681451
hyperfine2.csv | CSV | file | strong | 1: 21180389, 4: 43681451
google.json | Google Benchmark | multiply | weak | 2: 8806233.55, 4: 10368461.3
google19.json | Google Benchmark 1.9.5 | named | strong | 1: 31127.787124, 2: 5832.448072006014
google_named.json | Google Benchmark | named size=100 | strong |
google_mixed.json | Google Benchmark | multiply | weak | 2: 282444.740284, 4: 435884.857132
go.txt | go test | Steps | strong | 1: 135461.5, 4: 129671.5
go.txt | go test | Parallel | strong | 2: 6443.5
go.jsonl | go test | Steps | strong | 1: 118481, 4: 111493
pytest_benchmark.json | pytest-benchmark | test_steps | strong | 1: 595747, 4: 699931
pyperf.json | pyperf | steps | strong | 1: 559336.5, 4: 2882937
sysbench.txt | sysbench | file | strong | 1: 345765.64
likwid.txt | likwid-bench | stream | strong | 1: 22021.6, 2: 24428
stream.txt | STREAM | Triad | strong | 1: 19818.541, 2: 5002501.251
divan.txt | divan | steps | weak | 1: 10330, 2: 10570
jmh.json | JMH | steps.Steps.run thrpt size=100 | weak | 2: 751.39939
jmh.csv | JMH | steps.Steps.run, thrpt, 100 | weak | 1: 502.778919, 2: 433.275812";

    #[test]
    fn what_each_tool_wrote_is_read_with_its_unit_and_its_threads() {
        for row in READ.lines() {
            let [file, tool, curve, scaling, medians] =
                row.split('|').map(str::trim).collect::<Vec<_>>().try_into().unwrap();
            let found = reports_of(&made(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let names: Vec<String> = found.iter().map(name_of_curve).collect();
            let report = found.iter().find(|report| name_of_curve(report) == curve);
            let Subject { source, scaling: found, .. } =
                &report.unwrap_or_else(|| panic!("{file}: {names:?}")).subject;
            assert_eq!((&*source.as_ref().unwrap().tool, found.name()), (tool, scaling), "{file}");
            for (threads, nanoseconds) in medians.split(", ").filter_map(|it| it.split_once(": ")) {
                let median = report.unwrap().point(threads.parse().unwrap()).unwrap().median;
                let ratio = median * 1e9 / nanoseconds.parse::<f64>().unwrap();
                assert!((ratio - 1.0).abs() < 1e-5, "{file}, {threads}: {median}");
            }
        }
    }

    #[test]
    fn what_has_failed_or_names_no_threads_is_left_out_with_a_word() {
        let mixed = reports_of(&made("google_mixed.json")).unwrap();
        assert_eq!(
            mixed[0].warnings[..3],
            [
                "left out: fails/threads:2 failed (no device)",
                "left out: sized has no thread count among last",
                "left out: alone has no thread count"
            ]
        );
        let failed = reports_of(&made("hyperfine2_failed.json")).unwrap();
        let told = "2 of 2 runs with 2 threads failed, the last with exit code 2";
        assert!(
            failed[0].warnings.iter().any(|it| it.starts_with(told)),
            "{:?}",
            failed[0].warnings
        );
        // Sizes are no threads, unless one says so.
        let error = reports_of(&made("google_sizes.json")).unwrap_err();
        let start = "line 39: found no time with a thread count, since sized has no thread count among last: use ->ThreadRange(1, 8)";
        assert!(error.starts_with(start), "{error}");
        let last = ReadOptions { threads: Some("last".to_owned()), ..ReadOptions::default() };
        let measured = read(&made("google_sizes.json"), &last).unwrap().measured;
        assert_eq!(measured.iter().map(|point| point.threads).collect::<Vec<_>>(), [1, 2, 4, 8]);
        let error = reports_of(&made("google.csv")).unwrap_err();
        assert!(
            error.starts_with("line 12: found multiply/") && error.ends_with("=json"),
            "{error}"
        );
        let one = "BenchmarkSort-8  100  1234 ns/op\n";
        assert!(
            reports_of(one).unwrap_err().ends_with("to fit a law: run go test -bench . -cpu 1,2,4")
        );
    }

    #[test]
    fn a_file_that_names_no_threads_is_recognised_and_says_how_to_make_one_that_is_read() {
        for (file, tool) in [
            ("asv.json", "asv"),
            ("catch2.xml", "Catch2"),
            ("mitata.json", "mitata"),
            ("nanobench.json", "nanobench"),
            ("tango.txt", "tango"),
            ("tinybench.json", "tinybench"),
        ] {
            let error = reports_of(&made(&format!("unread/{file}"))).unwrap_err();
            let start = format!("found a file of {tool}, which is not read: write a CSV with");
            assert!(error.starts_with(&start), "{file}: {error}");
        }
    }

    /// By the source of its exporter, as it does not run here: parameters are joined by &, times are nanoseconds.
    #[test]
    fn benchmark_dot_net_is_read() {
        let benchmark = |threads, values: &str| {
            format!(
                "{{\"Type\": \"Sort\", \"Method\": \"Run\", \"Parameters\": \"Size=5&Threads={threads}\", \"Statistics\": {{\"OriginalValues\": [{values}], \"Median\": 9}}}}"
            )
        };
        let text = format!(
            "{{\"Title\": \"t\", \"HostEnvironmentInfo\": {{\"LogicalCoreCount\": 8}}, \"Benchmarks\": [{}, {}]}}",
            benchmark(1, "400, 420, 410"),
            benchmark(2, "")
        );
        let [report] = reports_of(&text).unwrap().try_into().unwrap();
        assert_eq!((&*report.subject.problem, report.subject.processors()), ("Sort.Run Size=5", 8));
        let medians: Vec<f64> =
            report.results.iter().map(|point| (point.median * 1e9).round()).collect();
        assert_eq!(medians, [410.0, 9.0]);
    }

    /// What Google Benchmark writes behind a name to say how it measured: the benchmark is the same without.
    #[test]
    fn settings_of_a_measurement_are_no_part_of_its_name() {
        let plain = json::google_benchmark(1, "sort/8/n:3");
        let numbered = ["iterations", "repeats", "min_time", "min_warmup_time"]
            .map(|name| format!("{name}:5"));
        let alone = ["real_time", "process_time", "manual_time"].map(str::to_owned);
        for setting in numbered.into_iter().chain(alone) {
            let found = json::google_benchmark(1, &format!("sort/8/n:3/{setting}"));
            assert_eq!(found.name, plain.name, "{setting}");
            assert_eq!(found.parameters, plain.parameters, "{setting}");
        }
    }

    #[test]
    fn units_and_decimal_commas_stand_where_a_tool_or_a_country_puts_them() {
        let times = |text: &str| {
            let measured = read(text, &ReadOptions::default()).map(|points| points.measured);
            measured.map(|points| points.iter().map(|point| point.times[0]).collect::<Vec<_>>())
        };
        let near = |text: &str, seconds: f64| {
            let found = times(text).unwrap()[0];
            assert!((found / seconds - 1.0).abs() < 1e-12, "{text}: {found}");
        };
        near("threads;time\n1;2,5\n2;1,5\n", 2.5);
        near("threads;time_ms\n1;2.5\n", 2.5e-3);
        near("threads,time\n1,2.5 ms\n", 2.5e-3);
        // Numbers beyond what is plausible in seconds, and times that are not.
        near("threads,time_ns\n1,2e16\n", 2e7);
        near("threads,score,unit\n1,4,ops/ms\n", 0.25e-3);
        near("threads,score,unit\n1,4,us/op\n", 4e-6);
        near("Benchmark,Mode,Threads,Score,Unit\na,thrpt,2,\"4,0\",ops/s\n", 0.5);
        let error = |text: &str| times(text).unwrap_err().to_string();
        let least = error("threads,time_ns\n1,1e-10\n");
        assert!(least.contains("expected a time of 1e-15 to 1e15 s"), "{least}");
        let unit = error("threads,time,unit\n1,4,apples\n");
        assert!(
            unit.starts_with("line 2: found the unit 'apples' of time, expected ns, us"),
            "{unit}"
        );
        assert!(error("threads;time\n1;1.234,5\n").starts_with("line 2: found '1.234,5' as time"));
        // Lines are those of the file, behind a line break in quotes and a quote in a remark.
        let text = "threads,time,note\n# 5\" disks\n1,10,\"a\nb\"\n0,5,c\n";
        assert!(error(text).starts_with("line 5: found '0' as threads"), "{}", error(text));
    }

    /// The value of a curve's parameter, or the problem of an only curve.
    fn name_of_curve(report: &Report) -> String {
        let Subject { parameter, problem, .. } = &report.subject;
        parameter.as_ref().map_or_else(|| problem.clone(), |parameter| parameter.value.clone())
    }
}
