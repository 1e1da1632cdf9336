//! `hyperfine --export-json FILE --parameter-list threads 1,2,4 …`.

use serde_json::Value;

use super::entry::Entry;
use super::{MeasuredPoint, Points, PointsError, ReadOptions, Unit, seconds, threads};
use crate::report::{Parameter, THREADS};

/// Names of parameters that are thread counts. Of several such parameters the first in this list is taken.
const THREAD_PARAMETERS: &str =
    "threads num_threads nthreads thread jobs workers cores procs j p t n";

pub(super) fn read(document: &Entry, options: &ReadOptions) -> Result<Points, PointsError> {
    let results = document.entries("results")?;
    let measured: Vec<MeasuredPoint> =
        results.iter().map(|result| point(result, options)).collect::<Result<_, _>>()?;
    let problem = template(&results, &measured);
    Ok(Points { problem, ..Points::new("hyperfine", measured) })
}

fn point(result: &Entry, options: &ReadOptions) -> Result<MeasuredPoint, PointsError> {
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
