//! Criterion: the folder `target/criterion`, or a group in it, and the lines of `cargo criterion --message-format=json`.
//!
//! The thread count is the benchmark's parameter (`BenchmarkId::new("name", threads)`). A sample has the time of several
//! iterations; it counts as one run, which took their mean.

use std::fs;
use std::path::{Path, PathBuf};

use tallyboard_base::system::entries;

use super::entry::{self, Entry};
use super::{MeasuredPoint, Points, PointsError, Unit, seconds, threads};

/// The points of the benchmarks below `folder`, the newest run of each.
pub(super) fn of_folder(folder: &Path) -> Result<Points, PointsError> {
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
    let identity_or_error = entry::first_object(&benchmark).and_then(|entry| identity(&entry));
    let (count, name) = identity_or_error.map_err(|error| in_file("benchmark.json", error))?;
    let times = entry::first_object(&sample)
        .and_then(|entry| times(&entry, "iters", "times", Unit::Nanoseconds));
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
fn times(
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
pub(super) fn of_messages(text: &str) -> Result<Points, PointsError> {
    let mut measured = Vec::new();
    for message in entry::all_objects(text) {
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
    let times = times(message, "iteration_count", "measured_values", unit)?;
    Ok(MeasuredPoint::of_benchmark(message.line, name, count, times))
}
