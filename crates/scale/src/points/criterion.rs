//! Criterion: the folder `target/criterion`, or a group in it, and the lines of `cargo criterion --message-format=json`.
//!
//! The thread count is the benchmark's parameter (`BenchmarkId::new("name", threads)`). A sample is some iterations and
//! the time of all of them; each counts as a run of their mean.

use std::fs;
use std::path::{Path, PathBuf};

use super::entry::{self, Entry};
use super::{Measured, Points, PointsError, Unit, seconds, threads};
use crate::report::{Parameter, Scaling};

/// The points of the benchmarks below `folder`, the newest run of each.
pub(super) fn of_folder(folder: &Path) -> Result<Points, PointsError> {
    let mut found = Vec::new();
    find(folder, &mut found);
    found.sort();
    let measured: Vec<Measured> =
        found.iter().map(|run| point_of(folder, run)).collect::<Result<_, _>>()?;
    if measured.is_empty() {
        return Err(PointsError::of_file(
            "found no new/benchmark.json, expected criterion's folder target/criterion or a group in it",
        ));
    }
    Ok(points(measured))
}

fn points(measured: Vec<Measured>) -> Points {
    Points {
        tool: "criterion".to_owned(),
        problem: None,
        scaling: Scaling::Strong,
        processors: None,
        measured,
    }
}

/// The folders `new` below `folder` that hold a run.
fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.join("benchmark.json").is_file() && path.ends_with("new") {
            found.push(path);
        } else if path.is_dir() {
            find(&path, found);
        }
    }
}

/// The point of the run in the folder `run`, which is below `folder`.
fn point_of(folder: &Path, run: &Path) -> Result<Measured, PointsError> {
    let within = |file: &str, error: PointsError| {
        let path = run.join(file);
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        PointsError::of_file(format!("{name}: {error}"))
    };
    let read = |file: &str| {
        fs::read_to_string(run.join(file))
            .map_err(|error| within(file, PointsError::of_file(error.to_string())))
    };
    let benchmark = read("benchmark.json")?;
    let sample = read("sample.json")?;
    let named = entry::first(&benchmark).and_then(|entry| identity(&entry));
    let (count, curve) = named.map_err(|error| within("benchmark.json", error))?;
    let times = entry::first(&sample).and_then(|entry| times(&entry, "iters", "times", Unit::Nano));
    let times = times.map_err(|error| within("sample.json", error))?;
    Ok(Measured { curve: Some(curve), ..Measured::new(0, count, times) })
}

/// The thread count of a benchmark, and its name without it.
fn identity(benchmark: &Entry) -> Result<(usize, Parameter), PointsError> {
    let parts = ["group_id", "function_id", "value_str"].map(|key| benchmark.text(key));
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    without_count(benchmark.line, &parts)
}

/// The thread count is the last part that is a number.
fn without_count(line: usize, parts: &[&str]) -> Result<(usize, Parameter), PointsError> {
    let Some(at) = parts.iter().rposition(|part| part.parse::<usize>().is_ok()) else {
        return Err(PointsError::at(
            line,
            format!(
                "found the benchmark {}, expected the thread count as its parameter: BenchmarkId::new(\"name\", threads)",
                parts.join("/")
            ),
        ));
    };
    let count = threads(line, "the parameter of the benchmark", parts[at])?;
    let others: Vec<&str> =
        parts.iter().enumerate().filter(|part| part.0 != at).map(|part| *part.1).collect();
    Ok((count, Parameter { name: "benchmark".to_owned(), value: others.join("/") }))
}

/// Seconds of an iteration in each sample.
fn times(
    sample: &Entry,
    iterations: &str,
    values: &str,
    unit: Unit,
) -> Result<Vec<f64>, PointsError> {
    let numbers = |key| sample.numbers(key)?.ok_or_else(|| sample.wrong(key, "a list of numbers"));
    let iterations = numbers(iterations)?;
    let all = numbers(values)?;
    if iterations.len() != all.len() || all.is_empty() {
        return Err(PointsError::at(
            sample.line,
            format!(
                "found {} numbers of iterations and {} times, expected as many of both",
                iterations.len(),
                all.len()
            ),
        ));
    }
    let pairs = all.iter().zip(&iterations);
    pairs
        .map(|(all, each)| seconds(sample.line, "the time of an iteration", all / each, unit))
        .collect()
}

/// The points of lines of cargo-criterion, which has other lines between them.
pub(super) fn of_messages(text: &str) -> Result<Points, PointsError> {
    let mut measured = Vec::new();
    for message in entry::each(text) {
        let message = message?;
        if message.text("reason") == Some("benchmark-complete") {
            measured.push(of_message(&message)?);
        }
    }
    if measured.is_empty() {
        return Err(PointsError::of_file(
            "found no line with the reason benchmark-complete, expected one for each thread count",
        ));
    }
    Ok(points(measured))
}

fn of_message(message: &Entry) -> Result<Measured, PointsError> {
    let id = message.text("id").ok_or_else(|| message.wrong("id", "the benchmark's name"))?;
    let (count, curve) = without_count(message.line, &id.split('/').collect::<Vec<_>>())?;
    let unit = message.text("unit").and_then(Unit::find);
    let unit = unit.ok_or_else(|| message.wrong("unit", "ns: times by the wall clock"))?;
    let times = times(message, "iteration_count", "measured_values", unit)?;
    Ok(Measured { curve: Some(curve), ..Measured::new(message.line, count, times) })
}
