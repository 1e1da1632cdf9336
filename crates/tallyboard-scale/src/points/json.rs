//! The JSON of other tools: a small reader for each, in the table `FORMS`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value};

use super::{
    Benchmark, GO, MeasuredPoint, Points, PointsError, Quantity, ReadOptions, Reader, Unit,
    columns::rank_of_workers, seconds, text, threads,
};
use crate::report::THREADS;
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

/// How the JSON of a tool is told from others, and read.
struct Form {
    tool: &'static str,
    /// What to do if the file names no threads.
    how: &'static str,
    /// Tells it by the first object of the file.
    is_form: fn(&Entry) -> bool,
    read: fn(&[Entry], &mut Reader) -> Result<(), PointsError>,
}

const FORMS: [Form; 8] = [
    Form {
        tool: "criterion",
        how: "make the thread count the benchmark's parameter: BenchmarkId::new(\"name\", threads)",
        is_form: |first| first.has("reason"),
        read: criterion_messages,
    },
    Form {
        tool: "go test",
        how: GO,
        is_form: |first| first.has("Action") && first.has("Package"),
        read: |lines, reader| text::go(&go_output(lines), reader),
    },
    Form {
        tool: "JMH",
        how: "run it with -t 1, -t 2, -t 4 and join the lists",
        is_form: |first| first.has("jmhVersion"),
        read: |entries, reader| entries.iter().try_for_each(|entry| jmh(entry, reader)),
    },
    Form {
        tool: "pytest-benchmark",
        how: "use @pytest.mark.parametrize(\"threads\", [1, 2, 4])",
        is_form: |first| first.has("machine_info") && first.has("benchmarks"),
        read: |document, reader| each(document, "benchmarks", reader, pytest_benchmark),
    },
    Form {
        tool: "pyperf",
        how: "use bench_func(name, function, metadata={\"threads\": threads})",
        is_form: |first| first.has("benchmarks") && first.has("metadata"),
        read: |document, reader| each(document, "benchmarks", reader, pyperf),
    },
    Form {
        tool: "BenchmarkDotNet",
        how: "use [Params(1, 2, 4)] public int Threads",
        is_form: |first| first.has("HostEnvironmentInfo"),
        read: |document, reader| each(document, "Benchmarks", reader, benchmark_dot_net),
    },
    Form {
        tool: "Google Benchmark",
        how: "use ->ThreadRange(1, 8), or ->ArgName(\"threads\") for threads of your own; --threads-column last takes the last argument",
        is_form: |first| first.has("benchmarks"),
        read: google,
    },
    Form {
        tool: "hyperfine",
        how: "run hyperfine with --parameter-list threads 1,2,4 and {threads} in the command, or name the parameter with --threads-column",
        is_form: |first| first.has("results"),
        read: |document, reader| hyperfine(&document[0], reader),
    },
];

/// The points of a document, which one of the tools wrote.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    let entries = objects(text)?;
    let Some(first) = entries.first() else {
        return Err(PointsError::of_file("found an empty list, expected times"));
    };
    if first.has("tallyboard") {
        return Err(PointsError::of_file(
            "found a report of scale, expected times measured by another tool: scale compare reads reports, which have their laws",
        ));
    }
    let Some(form) = FORMS.iter().find(|form| (form.is_form)(first)) else {
        let tools: Vec<&str> = FORMS.iter().map(|form| form.tool).collect();
        let message =
            format!("found an object with {}, expected JSON of {}", first.keys(), tools.join(", "));
        return Err(PointsError::at(first.line, message));
    };
    let mut reader = Reader::new(form.tool, form.how, options);
    (form.read)(&entries, &mut reader)?;
    reader.finish()
}

/// Reads each object of the list `key` in a document.
fn each(
    document: &[Entry],
    key: &str,
    reader: &mut Reader,
    read: fn(&Entry, &Entry, &mut Reader) -> Result<(), PointsError>,
) -> Result<(), PointsError> {
    let entries = document[0].entries(key)?;
    entries.iter().try_for_each(|entry| read(entry, &document[0], reader))
}

/// The objects of `text`: those of the list that it is, or one behind the other.
fn objects(text: &str) -> Result<Vec<Entry<'_>>, PointsError> {
    if text.trim_start().starts_with('[') {
        let list: Vec<&RawValue> =
            serde_json::from_str(text).map_err(|error| syntax_error(1, &error))?;
        return list.into_iter().map(|raw| Entry::of(text, raw.get())).collect();
    }
    all_objects(text).collect()
}

fn first_object(text: &str) -> Result<Entry<'_>, PointsError> {
    let first = all_objects(text).next();
    first.unwrap_or_else(|| Err(PointsError::of_file("found nothing, expected JSON")))
}

fn all_objects(text: &str) -> impl Iterator<Item = Result<Entry<'_>, PointsError>> {
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

    /// The value behind `keys`, each of which is a key of the object at the one before; null if there is none.
    fn at(&self, keys: &[&str]) -> Value {
        let mut value = self.members.get(keys[0]);
        for key in &keys[1..] {
            value = value.and_then(|value| value.get(key));
        }
        value.cloned().unwrap_or_default()
    }

    /// The quantity at `key`, which has a value and a unit, in seconds.
    fn quantity(&self, key: &str) -> Result<f64, PointsError> {
        let unit = self.at(&[key, "unit"]);
        let unit = unit.as_str().and_then(Quantity::from_name);
        let value = self.at(&[key, "value"]).as_f64();
        let (value, unit) =
            value.zip(unit).ok_or_else(|| self.wrong(key, "a value with a unit of time"))?;
        unit.seconds(self.line, &format!("`{key}`"), value)
    }

    /// The parameters at `key`: the members of an object, as text. A value may be an object with the key `value`.
    fn parameters(&self, key: &str) -> Vec<(String, String)> {
        let members = self.get(key).and_then(Value::as_object);
        let value = |value: &Value| {
            let value = value.get("value").unwrap_or(value);
            value.as_str().map_or_else(|| value.to_string(), str::to_owned)
        };
        members.into_iter().flatten().map(|(key, it)| (key.clone(), value(it))).collect()
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

/// hyperfine's `--export-json`: lists of seconds up to version 1.20, measurements with units since 2.0.
fn hyperfine(document: &Entry, reader: &mut Reader) -> Result<(), PointsError> {
    let results = document.entries("results")?;
    for result in &results {
        let line = result.line;
        let mut benchmark =
            Benchmark { line, parameters: result.parameters("parameters"), ..Benchmark::default() };
        let mut peaks = Vec::new();
        if result.has("measurements") {
            let mut cpu = (0.0, 0.0);
            let measurements = result.entries("measurements")?;
            for run in &measurements {
                benchmark.times.push(run.quantity("time_wall_clock")?);
                // A run that took none has 0 seconds, which is no quantity.
                cpu.0 += run.quantity("time_user").unwrap_or(0.0);
                cpu.1 += run.quantity("time_system").unwrap_or(0.0);
                peaks.extend(run.at(&["memory_peak_resident", "value"]).as_f64());
                benchmark.exit_codes.extend(run.members.get("exit_code").map(exit_code));
            }
            let runs = measurements.len().max(1) as f64;
            benchmark.cpu = (cpu.0 / runs, cpu.1 / runs);
        } else {
            let times = match result.numbers("times")?.filter(|times| !times.is_empty()) {
                Some(times) => times,
                None => vec![result.number("median").or_else(|_| result.number("mean"))?],
            };
            let times = times.into_iter().map(|time| seconds(line, "a time", time, Unit::Seconds));
            benchmark.times = times.collect::<Result<_, _>>()?;
            let cpu = |key| result.number(key).unwrap_or(0.0);
            benchmark.cpu = (cpu("user"), cpu("system"));
            let codes = result.get("exit_codes").and_then(Value::as_array);
            benchmark.exit_codes = codes.into_iter().flatten().map(exit_code).collect();
            peaks = result.numbers("memory_usage_byte")?.unwrap_or_default();
        }
        benchmark.peak_bytes = peaks.into_iter().max_by(f64::total_cmp).map(|bytes| bytes as u64);
        if benchmark.times.is_empty() {
            return Err(result.wrong("measurements", "a run or more"));
        }
        reader.add_once(benchmark)?;
    }
    reader.problem = template(&results, &reader.measured);
    Ok(())
}

/// An exit code. A program that a signal ended may have none on other systems than Unix.
fn exit_code(code: &Value) -> i32 {
    code.as_i64().map_or(-1, |code| code as i32)
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

/// What `go test -json` printed: its events have pieces of lines.
fn go_output(lines: &[Entry]) -> String {
    let output = lines.iter().filter(|line| line.text("Action") == Some("output"));
    output.filter_map(|line| line.text("Output")).collect()
}

/// JMH's `-rf json`. Each thread does operations of its own. A throughput is the sum over the threads, a time that of one.
fn jmh(entry: &Entry, reader: &mut Reader) -> Result<(), PointsError> {
    let unit = entry.at(&["primaryMetric", "scoreUnit"]);
    let quantity = unit.as_str().and_then(Quantity::from_name);
    let quantity = quantity
        .ok_or_else(|| entry.wrong("primaryMetric", "a scoreUnit such as ops/s or ms/op"))?;
    // A list of the values of each fork. In the mode `sample` there are histograms instead.
    let forks = entry.at(&["primaryMetric", "rawData"]);
    let forks = forks.as_array().into_iter().flatten().filter_map(Value::as_array);
    let mut values: Vec<f64> = forks.flatten().filter_map(Value::as_f64).collect();
    if values.is_empty() {
        values.extend(entry.at(&["primaryMetric", "score"]).as_f64());
    }
    let threads = entry.number("threads")?;
    let times = values.into_iter().map(|value| {
        let seconds = quantity.seconds(entry.line, "a score", value)?;
        Ok(if quantity.is_rate { threads * seconds } else { seconds })
    });
    let mode = entry.text("mode").unwrap_or_default();
    let name = entry.text("benchmark").unwrap_or_default();
    reader.add(Benchmark {
        line: entry.line,
        name: format!("{name} {mode}"),
        threads: Some(threads.to_string()),
        parameters: entry.parameters("params"),
        times: times.collect::<Result<_, PointsError>>()?,
        is_weak: true,
        ..Benchmark::default()
    })
}

/// pytest-benchmark's `--benchmark-json`.
fn pytest_benchmark(entry: &Entry, _: &Entry, reader: &mut Reader) -> Result<(), PointsError> {
    let stats = entry.at(&["stats"]);
    let times = stats["data"].as_array().into_iter().flatten().filter_map(Value::as_f64);
    let mut times: Vec<f64> = times.collect();
    if times.is_empty() {
        times.extend(stats["median"].as_f64());
    }
    let times = times.into_iter().map(|time| seconds(entry.line, "a time", time, Unit::Seconds));
    let parameters = [entry.parameters("params"), entry.parameters("extra_info")].concat();
    // The parameters stand in brackets behind the name.
    let name = entry.text("name").unwrap_or_default().split('[').next().unwrap_or_default();
    reader.add(Benchmark {
        line: entry.line,
        name: name.to_owned(),
        parameters,
        times: times.collect::<Result<_, _>>()?,
        ..Benchmark::default()
    })
}

/// pyperf's `-o FILE`. What all benchmarks have in common stands in the metadata of the document.
fn pyperf(entry: &Entry, document: &Entry, reader: &mut Reader) -> Result<(), PointsError> {
    let member = |key| match entry.at(&["metadata", key]) {
        Value::Null => document.at(&["metadata", key]),
        found => found,
    };
    if member("unit").as_str().is_some_and(|unit| unit != "second") {
        return Err(entry.wrong("metadata", "the unit second"));
    }
    reader.processors = member("cpu_count").as_u64().map(|cpus| cpus as usize);
    let name = member("name").as_str().unwrap_or_default().to_owned();
    let objects = [entry, document].map(|it| it.at(&["metadata"]));
    let keys = objects.iter().filter_map(Value::as_object).flat_map(Map::keys);
    let keys: BTreeSet<&String> = keys.filter(|key| rank_of_workers(key).is_some()).collect();
    let parameters = keys.into_iter().map(|key| (key.clone(), member(key).to_string())).collect();
    let mut times = Vec::new();
    for run in entry.entries("runs")? {
        // A run that only calibrates has no values.
        for time in run.numbers("values")?.unwrap_or_default() {
            times.push(seconds(run.line, "a time", time, Unit::Seconds)?);
        }
    }
    let benchmark = Benchmark { line: entry.line, name, parameters, times, ..Benchmark::default() };
    reader.add(benchmark.with_parameters_of_name(' '))
}

/// The JSON of BenchmarkDotNet, whose times are nanoseconds.
fn benchmark_dot_net(
    entry: &Entry,
    document: &Entry,
    reader: &mut Reader,
) -> Result<(), PointsError> {
    let host = document.at(&["HostEnvironmentInfo", "LogicalCoreCount"]);
    reader.processors = host.as_u64().map(|cpus| cpus as usize);
    let statistics = entry.at(&["Statistics"]);
    let values = statistics["OriginalValues"].as_array().into_iter().flatten();
    let mut values: Vec<f64> = values.filter_map(Value::as_f64).collect();
    if values.is_empty() {
        values.extend(statistics["Median"].as_f64());
    }
    let times =
        values.into_iter().map(|time| seconds(entry.line, "a time", time, Unit::Nanoseconds));
    let parameters = entry.text("Parameters").unwrap_or_default().split('&');
    let parameters = parameters.filter_map(|parameter| parameter.split_once('='));
    let parameters = parameters.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let name = ["Type", "Method"].map(|key| entry.text(key).unwrap_or_default()).join(".");
    let times = times.collect::<Result<_, _>>()?;
    reader.add(Benchmark { line: entry.line, name, parameters, times, ..Benchmark::default() })
}

/// Google Benchmark's `--benchmark_out=FILE`. With `->Threads(p)` each of `p` threads does its own iterations: `p` times
/// the work, which is weak scaling. Since version 1.9.0 `real_time` is the wall time in which each thread does an
/// iteration; before, it was that time over `p`.
fn google(document: &[Entry], reader: &mut Reader) -> Result<(), PointsError> {
    /// The version of the document that this reads.
    const SCHEMA: f64 = 1.0;
    let document = &document[0];
    let context = document.at(&["context"]);
    if let Some(version) =
        context["json_schema_version"].as_f64().filter(|version| *version > SCHEMA)
    {
        return Err(PointsError::of_file(format!(
            "found json_schema_version {version}, expected {SCHEMA}: a newer Google Benchmark wrote this file; its CSV can be read"
        )));
    }
    let version = context["library_version"].as_str();
    let is_wall_time = version.is_some_and(is_since_1_9);
    if let Some(version) = version {
        reader.tool = format!("{} {}", reader.tool, version.trim_start_matches('v'));
    }
    reader.processors = context["num_cpus"].as_u64().map(|cpus| cpus as usize);
    let entries = document.entries("benchmarks")?;
    let runs = runs_or_aggregates(&entries, reader)?;
    // The benchmarks that Google Benchmark ran with several threads.
    let mut threaded = std::collections::BTreeSet::new();
    for run in &runs {
        if run.number("threads").is_ok_and(|threads| threads > 1.0) {
            threaded.insert(google_benchmark(run.line, google_name(run)?).name);
        }
    }
    for run in runs {
        let mut benchmark = google_benchmark(run.line, google_name(run)?);
        let name = run.text("time_unit").unwrap_or("ns");
        let unit =
            Unit::from_name(name).ok_or_else(|| run.wrong("time_unit", "ns, us, ms or s"))?;
        let mut time = seconds(run.line, "`real_time`", run.number("real_time")?, unit)?;
        if threaded.contains(&benchmark.name) {
            let threads = run.number("threads")?;
            time *= if is_wall_time { 1.0 } else { threads };
            benchmark.threads = Some(threads.to_string());
            benchmark.parameters.retain(|(key, _)| key != "threads");
            benchmark.is_weak = true;
        }
        benchmark.times = vec![time];
        reader.add(benchmark)?;
    }
    Ok(())
}

/// A benchmark of Google's by its name, such as `sort/100/threads:2/min_time:0.5`: without settings of the measurement, and
/// with its named arguments as parameters. The last argument without a name is called `last`.
pub(super) fn google_benchmark(line: usize, full: &str) -> Benchmark {
    const ALONE: [&str; 3] = ["real_time", "process_time", "manual_time"];
    const WITH_VALUE: [&str; 5] =
        ["iterations", "repeats", "min_time", "min_warmup_time", "warmup_time"];
    let mut parts = Vec::new();
    let mut parameters = Vec::new();
    for part in full.split('/').filter(|part| !ALONE.contains(part)) {
        match part.split_once(':') {
            Some((key, _)) if WITH_VALUE.contains(&key) => {}
            Some((key, value)) if !key.is_empty() && value.parse::<f64>().is_ok() => {
                parameters.push((key.to_owned(), value.to_owned()));
            }
            _ => parts.push(part),
        }
    }
    if parts.len() > 1 && parts[parts.len() - 1].parse::<usize>().is_ok() {
        parameters.extend(parts.pop().map(|last| ("last".to_owned(), last.to_owned())));
    }
    Benchmark { line, name: parts.join("/"), parameters, ..Benchmark::default() }
}

/// Whether a version such as `v1.9.4` is 1.9 or later.
fn is_since_1_9(version: &str) -> bool {
    let mut parts =
        version.trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0u32), parts.next().unwrap_or(0u32)) >= (1, 9)
}

/// The single runs; if the file has none, the medians, or else the means. What failed is left out.
fn runs_or_aggregates<'e, 'a>(
    entries: &'e [Entry<'a>],
    reader: &mut Reader,
) -> Result<Vec<&'e Entry<'a>>, PointsError> {
    let mut whole = Vec::new();
    for run in entries {
        if run.get("error_occurred").is_some_and(|has_failed| has_failed == true) {
            let message = run.text("error_message").unwrap_or("no message");
            let name = google_name(run).unwrap_or("a benchmark");
            reader.leave_out(run.line, format!("{name} failed ({message})"));
        } else {
            whole.push(run);
        }
    }
    let is_run = |run: &&&Entry| run.text("run_type").is_none_or(|kind| kind == "iteration");
    let aggregates = |name: &str| -> Vec<&'e Entry<'a>> {
        let has_name = |run: &&&Entry| run.text("aggregate_name") == Some(name);
        whole.iter().filter(has_name).copied().collect()
    };
    let runs = whole.iter().filter(is_run).copied().collect();
    let choices = [runs, aggregates("median"), aggregates("mean")];
    Ok(choices.into_iter().find(|found| !found.is_empty()).unwrap_or_default())
}

/// The name of a benchmark with its arguments and settings.
fn google_name<'e>(run: &'e Entry) -> Result<&'e str, PointsError> {
    let name = run.text("run_name").or_else(|| run.text("name"));
    name.ok_or_else(|| run.wrong("name", "the benchmark's name"))
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
    Ok(Points { tool: "criterion".to_owned(), measured, ..Points::default() })
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

/// The points of lines of `cargo criterion --message-format=json`, which has other lines between them.
fn criterion_messages(lines: &[Entry], reader: &mut Reader) -> Result<(), PointsError> {
    for message in lines {
        if message.text("reason") == Some("benchmark-complete") {
            reader.measured.push(point_of_message(message)?);
        }
    }
    if reader.measured.is_empty() {
        return Err(PointsError::of_file(
            "found no line with the reason benchmark-complete, expected one for each thread count",
        ));
    }
    Ok(())
}

fn point_of_message(message: &Entry) -> Result<MeasuredPoint, PointsError> {
    let id = message.text("id").ok_or_else(|| message.wrong("id", "the benchmark's name"))?;
    let (count, name) = split_off_count(message.line, &id.split('/').collect::<Vec<_>>())?;
    let unit = message.text("unit").and_then(Unit::from_name);
    let unit = unit.ok_or_else(|| message.wrong("unit", "ns: times by the wall clock"))?;
    let times = times_of_samples(message, "iteration_count", "measured_values", unit)?;
    Ok(MeasuredPoint::of_benchmark(message.line, name, count, times))
}
