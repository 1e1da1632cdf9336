//! The JSON of other tools: hyperfine, Google Benchmark, criterion.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value};

use crate::points::{MeasuredPoint, Points, PointsError, ReadOptions, Unit, seconds, threads};
use crate::report::{Parameter, Scaling, THREADS};
use tallyboard_base::system::entries;

/// An object of a document.
pub(super) struct Entry<'a> {
    /// The line at which it begins, from 1.
    pub line: usize,
    /// The whole document.
    text: &'a str,
    /// The object's part of it.
    raw: &'a str,
    members: Map<String, Value>,
}

/// The first object of `text`. There may be others behind it.
pub(super) fn first_object(text: &str) -> Result<Entry<'_>, PointsError> {
    let first = all_objects(text.trim_start_matches('\u{feff}')).next();
    first.unwrap_or_else(|| Err(PointsError::of_file("found nothing, expected JSON")))
}

pub(super) fn all_objects(text: &str) -> impl Iterator<Item = Result<Entry<'_>, PointsError>> {
    Deserializer::from_str(text).into_iter::<&RawValue>().map(move |raw| match raw {
        Ok(raw) => Entry::of(text, raw.get()),
        Err(error) => Err(syntax_error(1, &error)),
    })
}

/// An error of the parser in a part of the document that begins at `first_line`.
fn syntax_error(first_line: usize, error: &serde_json::Error) -> PointsError {
    let text = error.to_string();
    // The parser ends its message with a place, which is relative to the part.
    let message = text.split(" at line ").next().unwrap_or(&text);
    let message = format!("found no JSON ({message}), expected the whole file that the tool wrote");
    PointsError::at(first_line + error.line().max(1) - 1, message)
}

impl<'a> Entry<'a> {
    /// The object `raw`, which is a part of `text`.
    fn of(text: &'a str, raw: &'a str) -> Result<Self, PointsError> {
        // `raw` lies in `text`, so the distance of their addresses is an index.
        let offset = raw.as_ptr() as usize - text.as_ptr() as usize;
        let line = 1 + text[..offset].bytes().filter(|&byte| byte == b'\n').count();
        let members = serde_json::from_str(raw).map_err(|_| {
            let start: String = raw.chars().take(20).collect();
            PointsError::at(line, format!("found {start}, expected an object in braces"))
        })?;
        Ok(Self { line, text, raw, members })
    }

    /// Whether there is a member `key`, even if it is null.
    pub fn has(&self, key: &str) -> bool {
        self.members.contains_key(key)
    }

    /// The names of all members.
    pub fn keys(&self) -> String {
        let keys: Vec<String> = self.members.keys().map(|key| format!("`{key}`")).collect();
        if keys.is_empty() { "no members".to_owned() } else { keys.join(", ") }
    }

    /// The value of the member `key`; `None` if it is null.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    /// The text at `key`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The number at `key`.
    pub fn number(&self, key: &str) -> Result<f64, PointsError> {
        self.get(key).and_then(Value::as_f64).ok_or_else(|| self.wrong(key, "a number"))
    }

    /// The numbers at `key`; `None` if there is no such member.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, PointsError> {
        let Some(list) = self.get(key) else { return Ok(None) };
        let numbers = list.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        numbers.map(Some).ok_or_else(|| self.wrong(key, "a list of numbers"))
    }

    /// The objects of the list at `key`, with their lines.
    pub fn entries(&self, key: &str) -> Result<Vec<Entry<'a>>, PointsError> {
        let members: std::collections::BTreeMap<String, &'a RawValue> =
            serde_json::from_str(self.raw).map_err(|error| syntax_error(self.line, &error))?;
        let list = members.get(key).ok_or_else(|| self.wrong(key, "a list"))?;
        let list: Vec<&'a RawValue> =
            serde_json::from_str(list.get()).map_err(|_| self.wrong(key, "a list"))?;
        list.into_iter().map(|raw| Entry::of(self.text, raw.get())).collect()
    }

    /// The error that the member `key` is not what was `expected`.
    pub fn wrong(&self, key: &str, expected: &str) -> PointsError {
        let found = match self.get(key) {
            Some(value) => {
                let value: String = value.to_string().chars().take(40).collect();
                format!("found {value} as `{key}`, expected {expected}")
            }
            None => format!("found no `{key}` among {}, expected {expected}", self.keys()),
        };
        PointsError::at(self.line, found)
    }
}

/// Names of parameters that are thread counts. Of several such parameters the first in this list is taken.
const THREAD_PARAMETERS: &str =
    "threads num_threads nthreads thread jobs workers cores procs j p t n";

pub(super) fn hyperfine(document: &Entry, options: &ReadOptions) -> Result<Points, PointsError> {
    let results = document.entries("results")?;
    let measured: Vec<MeasuredPoint> =
        results.iter().map(|result| hyperfine_point(result, options)).collect::<Result<_, _>>()?;
    let problem = template(&results, &measured);
    Ok(Points { problem, ..Points::new("hyperfine", measured) })
}

fn hyperfine_point(result: &Entry, options: &ReadOptions) -> Result<MeasuredPoint, PointsError> {
    let line = result.line;
    let parameters = parameters(result)?;
    let name = thread_parameter(result, &parameters, options)?;
    let mut count = 0;
    let mut others = Vec::new();
    for (key, value) in &parameters {
        if *key == name {
            count = threads(line, &format!("the parameter {name}"), value)?;
        } else {
            others.push((key.clone(), value.clone()));
        }
    }
    let times = match result.numbers("times")?.filter(|times| !times.is_empty()) {
        Some(times) => times,
        None => vec![result.number("median").or_else(|_| result.number("mean"))?],
    };
    let times = times.into_iter().map(|time| seconds(line, "a time", time, Unit::Seconds));
    let mut point = MeasuredPoint::new(line, count, times.collect::<Result<_, _>>()?);
    let cpu = |key| result.number(key).unwrap_or(0.0);
    point.cpu = (cpu("user"), cpu("system"));
    let codes = result.numbers("exit_codes").unwrap_or_default().unwrap_or_default();
    point.exit_codes = codes.into_iter().map(|code| code as i32).collect();
    let peaks = result.numbers("memory_usage_byte")?.unwrap_or_default();
    point.peak_bytes = peaks.into_iter().max_by(f64::total_cmp).map(|bytes| bytes as u64);
    point.parameter = (!others.is_empty()).then(|| {
        let (names, values): (Vec<String>, Vec<String>) = others.into_iter().unzip();
        Parameter { name: names.join(", "), value: values.join(", ") }
    });
    Ok(point)
}

/// The command with `{threads}` in place of the thread count, if all commands are alike otherwise.
fn template(results: &[Entry], measured: &[MeasuredPoint]) -> Option<String> {
    let template = |(result, point): (&Entry, &MeasuredPoint)| {
        let threads = point.threads.to_string();
        let words = result.text("command")?.split(' ');
        let words: Vec<&str> =
            words.map(|word| if word == threads { THREADS } else { word }).collect();
        Some(words.join(" "))
    };
    let mut templates = results.iter().zip(measured).map(template);
    let first = templates.next()??;
    templates.all(|template| template.as_ref() == Some(&first)).then_some(first)
}

fn parameters(result: &Entry) -> Result<Vec<(String, String)>, PointsError> {
    let Some(parameters) = result.get("parameters").and_then(Value::as_object) else {
        return Err(PointsError::at(
            result.line,
            "found a result without `parameters`, expected its thread count there: \
             run hyperfine with --parameter-list threads 1,2,4 and {threads} in the command",
        ));
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(parameters.iter().map(|(key, value)| (key.clone(), text(value))).collect())
}

fn thread_parameter(
    result: &Entry,
    parameters: &[(String, String)],
    options: &ReadOptions,
) -> Result<String, PointsError> {
    let has = |name: &str| parameters.iter().any(|(key, _)| key == name);
    let found = match (&options.threads, parameters) {
        (Some(name), _) => Some(name.as_str()).filter(|name| has(name)),
        (None, [(only, _)]) => Some(only.as_str()),
        (None, _) => THREAD_PARAMETERS.split(' ').find(|name| has(name)),
    };
    found.map(str::to_owned).ok_or_else(|| {
        let names: Vec<&str> = parameters.iter().map(|(key, _)| key.as_str()).collect();
        let expected = options.threads.as_deref().unwrap_or("threads");
        let message = format!(
            "found the parameters {}, expected {expected}: name the thread count with --threads-column",
            names.join(", ")
        );
        PointsError::at(result.line, message)
    })
}

/// The version of the document that this reads.
const SCHEMA: f64 = 1.0;

pub(super) fn google(document: &Entry) -> Result<Points, PointsError> {
    let context = document.get("context").cloned().unwrap_or_default();
    if let Some(version) =
        context["json_schema_version"].as_f64().filter(|version| *version > SCHEMA)
    {
        return Err(PointsError::of_file(format!(
            "found json_schema_version {version}, expected {SCHEMA}: a newer Google Benchmark wrote this file; its CSV can be read"
        )));
    }
    let version = context["library_version"].as_str();
    let entries = document.entries("benchmarks")?;
    let runs = runs_or_aggregates(&entries)?;
    let has_threads =
        runs.iter().any(|run| run.number("threads").is_ok_and(|threads| threads > 1.0));
    let is_wall_time = version.is_some_and(is_since_1_9);
    let point = |run: &&Entry| match has_threads {
        true => point_with_threads(run, is_wall_time),
        false => point_with_argument(run),
    };
    let measured = merged(runs.iter().map(point).collect::<Result<_, _>>()?);
    let tool = match version {
        Some(version) => format!("Google Benchmark {}", version.trim_start_matches('v')),
        None => "Google Benchmark".to_owned(),
    };
    Ok(Points {
        scaling: if has_threads { Scaling::Weak } else { Scaling::Strong },
        processors: context["num_cpus"].as_u64().map(|cpus| cpus as usize),
        ..Points::new(&tool, measured)
    })
}

/// Whether a version such as `v1.9.4` is 1.9 or later.
fn is_since_1_9(version: &str) -> bool {
    let mut parts =
        version.trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0u32), parts.next().unwrap_or(0u32)) >= (1, 9)
}

/// The single runs; if the file has none, the medians, or else the means.
fn runs_or_aggregates<'e, 'a>(entries: &'e [Entry<'a>]) -> Result<Vec<&'e Entry<'a>>, PointsError> {
    let has_failed =
        |run: &&Entry| run.get("error_occurred").is_some_and(|has_failed| has_failed == true);
    if let Some(failed) = entries.iter().find(has_failed) {
        let message = failed.text("error_message").unwrap_or("no message");
        let message = format!("found a benchmark that failed ({message}), expected times");
        return Err(PointsError::at(failed.line, message));
    }
    let is_run = |run: &&Entry| run.text("run_type").is_none_or(|kind| kind == "iteration");
    let aggregates = |name: &str| -> Vec<&Entry> {
        entries.iter().filter(|run| run.text("aggregate_name") == Some(name)).collect()
    };
    let runs = entries.iter().filter(is_run).collect();
    let choices = [runs, aggregates("median"), aggregates("mean")];
    choices.into_iter().find(|found| !found.is_empty()).ok_or_else(|| {
        PointsError::of_file("found no benchmark with a time, expected one for each thread count")
    })
}

/// A run of `p` threads that Google Benchmark started. `is_wall_time` tells whether its `real_time` is the wall time, and
/// not that over `p`.
fn point_with_threads(run: &Entry, is_wall_time: bool) -> Result<MeasuredPoint, PointsError> {
    let count = threads(run.line, "`threads`", &run.number("threads")?.to_string())?;
    let time = google_time(run)? * if is_wall_time { 1.0 } else { count as f64 };
    let name =
        google_name(run)?.split('/').filter(|part| !is_setting(part)).collect::<Vec<_>>().join("/");
    Ok(MeasuredPoint::of_benchmark(run.line, name, count, vec![time]))
}

/// A run of a program with threads of its own, whose number is the last one of the name.
fn point_with_argument(run: &Entry) -> Result<MeasuredPoint, PointsError> {
    let full = google_name(run)?;
    let mut parts: Vec<&str> = full.split('/').filter(|part| !is_setting(part)).collect();
    let ends_with_number =
        |part: &&str| part.rsplit(':').next().is_some_and(|last| last.parse::<usize>().is_ok());
    let Some(at) = parts.iter().rposition(ends_with_number) else {
        let message = format!(
            "found one thread and the name {full}, expected the thread count in `threads` (->Threads(p)) or as the last argument of the name"
        );
        return Err(PointsError::at(run.line, message));
    };
    let part = parts.remove(at);
    let count = part.rsplit(':').next().unwrap_or(part);
    let count = threads(run.line, "the last argument of the name", count)?;
    Ok(MeasuredPoint::of_benchmark(run.line, parts.join("/"), count, vec![google_time(run)?]))
}

/// The name of a benchmark with its arguments and settings.
fn google_name<'e>(run: &'e Entry) -> Result<&'e str, PointsError> {
    let name = run.text("run_name").or_else(|| run.text("name"));
    name.ok_or_else(|| run.wrong("name", "the benchmark's name"))
}

/// Whether a part of a name is a setting of the measurement, and no argument of the benchmark.
fn is_setting(part: &str) -> bool {
    const ALONE: [&str; 3] = ["real_time", "process_time", "manual_time"];
    const WITH_VALUE: [&str; 6] =
        ["threads:", "iterations:", "repeats:", "min_time:", "min_warmup_time:", "warmup_time:"];
    ALONE.contains(&part) || WITH_VALUE.iter().any(|start| part.starts_with(start))
}

/// Wall seconds of an iteration, as the file has it.
fn google_time(run: &Entry) -> Result<f64, PointsError> {
    let name = run.text("time_unit").unwrap_or("ns");
    let unit = Unit::from_name(name).ok_or_else(|| run.wrong("time_unit", "ns, us, ms or s"))?;
    seconds(run.line, "`real_time`", run.number("real_time")?, unit)
}

/// Repetitions of a benchmark as one point.
fn merged(points: Vec<MeasuredPoint>) -> Vec<MeasuredPoint> {
    let mut merged: Vec<MeasuredPoint> = Vec::new();
    for point in points {
        match merged.iter_mut().find(|earlier| earlier.has_same_key(&point)) {
            Some(earlier) => earlier.times.extend(point.times),
            None => merged.push(point),
        }
    }
    merged
}

/// The points of the benchmarks below `folder`, the newest run of each.
pub(super) fn criterion_folder(folder: &Path) -> Result<Points, PointsError> {
    let mut runs = Vec::new();
    find_runs(folder, &mut runs);
    runs.sort();
    let measured: Vec<MeasuredPoint> =
        runs.iter().map(|run| point_of(folder, run)).collect::<Result<_, _>>()?;
    if measured.is_empty() {
        return Err(PointsError::of_file(
            "found no new/benchmark.json, expected criterion's folder target/criterion or a group in it",
        ));
    }
    Ok(Points::new("criterion", measured))
}

/// Adds the folders `new` below `folder` that hold a run.
fn find_runs(folder: &Path, runs: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.join("benchmark.json").is_file() && path.ends_with("new") {
            runs.push(path);
        } else if path.is_dir() {
            find_runs(&path, runs);
        }
    }
}

/// The point of the run in the folder `run`, which is below `folder`.
fn point_of(folder: &Path, run: &Path) -> Result<MeasuredPoint, PointsError> {
    // The error with the file's name before it.
    let in_file = |file: &str, error: PointsError| {
        let path = run.join(file);
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        PointsError::of_file(format!("{name}: {error}"))
    };
    let read = |file: &str| {
        fs::read_to_string(run.join(file))
            .map_err(|error| in_file(file, PointsError::of_file(error.to_string())))
    };
    let benchmark = read("benchmark.json")?;
    let sample = read("sample.json")?;
    let identity_or_error = first_object(&benchmark).and_then(|entry| identity(&entry));
    let (count, name) = identity_or_error.map_err(|error| in_file("benchmark.json", error))?;
    let times = first_object(&sample)
        .and_then(|entry| times_of_samples(&entry, "iters", "times", Unit::Nanoseconds));
    let times = times.map_err(|error| in_file("sample.json", error))?;
    Ok(MeasuredPoint::of_benchmark(0, name, count, times))
}

/// The thread count of a benchmark, and its name without it.
fn identity(benchmark: &Entry) -> Result<(usize, String), PointsError> {
    let parts = ["group_id", "function_id", "value_str"].map(|key| benchmark.text(key));
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    split_off_count(benchmark.line, &parts)
}

/// The thread count among the parts of a name, which is the last one that is a number, and the others as a name.
fn split_off_count(line: usize, parts: &[&str]) -> Result<(usize, String), PointsError> {
    let Some(index) = parts.iter().rposition(|part| part.parse::<usize>().is_ok()) else {
        let message = format!(
            "found the benchmark {}, expected the thread count as its parameter: BenchmarkId::new(\"name\", threads)",
            parts.join("/")
        );
        return Err(PointsError::at(line, message));
    };
    let count = threads(line, "the parameter of the benchmark", parts[index])?;
    let others = [&parts[..index], &parts[index + 1..]].concat();
    Ok((count, others.join("/")))
}

/// Seconds of an iteration in each sample. `iterations` and `values` are the keys of the lists of iterations and of
/// times.
fn times_of_samples(
    sample: &Entry,
    iterations: &str,
    values: &str,
    unit: Unit,
) -> Result<Vec<f64>, PointsError> {
    let numbers = |key| sample.numbers(key)?.ok_or_else(|| sample.wrong(key, "a list of numbers"));
    let iterations = numbers(iterations)?;
    let totals = numbers(values)?;
    if iterations.len() != totals.len() || totals.is_empty() {
        let message = format!(
            "found {} numbers of iterations and {} times, expected as many of both",
            iterations.len(),
            totals.len()
        );
        return Err(PointsError::at(sample.line, message));
    }
    let samples = totals.iter().zip(&iterations);
    let seconds_of = |(total, iterations): (&f64, &f64)| {
        seconds(sample.line, "the time of an iteration", total / iterations, unit)
    };
    samples.map(seconds_of).collect()
}

/// The points of lines of cargo-criterion, which has other lines between them.
pub(super) fn criterion_messages(text: &str) -> Result<Points, PointsError> {
    let mut measured = Vec::new();
    for message in all_objects(text) {
        let message = message?;
        if message.text("reason") == Some("benchmark-complete") {
            measured.push(point_of_message(&message)?);
        }
    }
    if measured.is_empty() {
        return Err(PointsError::of_file(
            "found no line with the reason benchmark-complete, expected one for each thread count",
        ));
    }
    Ok(Points::new("criterion", measured))
}

fn point_of_message(message: &Entry) -> Result<MeasuredPoint, PointsError> {
    let id = message.text("id").ok_or_else(|| message.wrong("id", "the benchmark's name"))?;
    let (count, name) = split_off_count(message.line, &id.split('/').collect::<Vec<_>>())?;
    let unit = message.text("unit").and_then(Unit::from_name);
    let unit = unit.ok_or_else(|| message.wrong("unit", "ns: times by the wall clock"))?;
    let times = times_of_samples(message, "iteration_count", "measured_values", unit)?;
    Ok(MeasuredPoint::of_benchmark(message.line, name, count, times))
}
