//! Google Benchmark's `--benchmark_out=FILE --benchmark_out_format=json`.
//!
//! With `->Threads(p)` each of `p` threads does its own iterations: `p` times the work, which is weak scaling. Since version
//! 1.9.0 `real_time` is the wall time in which each thread does an iteration; before, it was that time over `p`. If no
//! benchmark has several threads, the last number in its name is the number of threads that the program started itself.

use super::entry::Entry;
use super::{MeasuredPoint, Points, PointsError, Unit, seconds, threads};
use crate::report::Scaling;

/// The version of the document that this reads.
const SCHEMA: f64 = 1.0;

pub(super) fn read(document: &Entry) -> Result<Points, PointsError> {
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
    let time = time(run)? * if is_wall_time { 1.0 } else { count as f64 };
    let name = name(run)?.split('/').filter(|part| !is_setting(part)).collect::<Vec<_>>().join("/");
    Ok(MeasuredPoint::of_benchmark(run.line, name, count, vec![time]))
}

/// A run of a program with threads of its own, whose number is the last one of the name.
fn point_with_argument(run: &Entry) -> Result<MeasuredPoint, PointsError> {
    let full = name(run)?;
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
    Ok(MeasuredPoint::of_benchmark(run.line, parts.join("/"), count, vec![time(run)?]))
}

/// The name of a benchmark with its arguments and settings.
fn name<'e>(run: &'e Entry) -> Result<&'e str, PointsError> {
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
fn time(run: &Entry) -> Result<f64, PointsError> {
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
