//! Groups points into curves, checks each curve, and makes a report of it.

use super::{MeasuredPoint, Points, PointsError};
use crate::conditions::Conditions;
use crate::measure::{Run, Series, Setting};
use crate::report::{COMMAND, Parameter, Report, Scaling, Source, Subject};
use crate::topology::{Machine, Pin};

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
