//! Points put together to curves, and each curve checked and made a report of.

use super::{Measured, Points, PointsError};
use crate::conditions::Conditions;
use crate::measure::{Run, Series, Setting};
use crate::report::{COMMAND, Report, Scaling, Source, Subject};
use crate::topology::{Machine, Pin};

/// A report for each curve of `points`, which were in the file `name`.
///
/// # Errors
/// If there is no time at all, or if a curve has no time with one thread or no other, or a thread count twice.
pub fn reports(name: &str, points: Points) -> Result<Vec<Report>, PointsError> {
    let Points { tool, problem, scaling, processors, measured } = points;
    if measured.is_empty() {
        return Err(PointsError::of_file(format!(
            "found no time ({tool}), expected times with one thread and with more"
        )));
    }
    let mut curves: Vec<Vec<Measured>> = Vec::new();
    for point in measured {
        match curves.iter_mut().find(|curve| curve[0].curve == point.curve) {
            Some(curve) => curve.push(point),
            None => curves.push(vec![point]),
        }
    }
    let is_only = curves.len() == 1;
    let report = |curve: Vec<Measured>| {
        let value = curve[0].curve.clone();
        let of_curve = value.as_ref().map(|it| it.value.clone()).filter(|it| !it.is_empty());
        let alone = of_curve.or_else(|| problem.clone()).filter(|_| is_only);
        let subject = Subject {
            problem: alone.unwrap_or_else(|| name.to_owned()),
            command: name.to_owned(),
            scaling,
            kernel: COMMAND.to_owned(),
            pin: Pin::None,
            machine: Machine::unknown(),
            conditions: Conditions::default(),
            unit: None,
            parameter: value.filter(|_| !is_only),
            source: Some(Source { tool: tool.clone(), file: name.to_owned(), processors }),
        };
        Ok(Report::new(subject, &series(curve, scaling)?, None))
    };
    curves.into_iter().map(report).collect()
}

/// The points of one curve, fewest threads first.
fn series(mut curve: Vec<Measured>, scaling: Scaling) -> Result<Vec<Series>, PointsError> {
    curve.sort_by_key(|point| (point.threads, point.line));
    let of = curve[0]
        .curve
        .as_ref()
        .map_or_else(String::new, |parameter| format!(" of {}", parameter.value));
    for pair in curve.windows(2) {
        if pair[0].threads == pair[1].threads {
            let first = match pair[0].line {
                0 => String::new(),
                line => format!(" (first in line {line})"),
            };
            return Err(PointsError::at(
                pair[1].line,
                format!(
                    "found {} threads{of} a second time{first}, expected each thread count once",
                    pair[1].threads
                ),
            ));
        }
    }
    if curve.len() < 2 {
        return Err(PointsError::at(
            curve[0].line,
            format!(
                "found one thread count{of}, {}, expected two or more: a curve needs three to fit a law",
                curve[0].threads
            ),
        ));
    }
    if curve[0].threads != 1 {
        return Err(PointsError::at(
            curve[0].line,
            format!(
                "found {} as the fewest threads{of}, expected 1: speed-ups are relative to the time of one thread",
                curve[0].threads
            ),
        ));
    }
    Ok(curve.into_iter().map(|point| of_point(point, scaling)).collect())
}

fn of_point(point: Measured, scaling: Scaling) -> Series {
    let Measured { threads, times, cpu: (user, system), peak_bytes, exit_codes, .. } = point;
    let work = if scaling == Scaling::Weak { threads as f64 } else { 1.0 };
    let runs = times.into_iter().enumerate().map(|(at, wall)| {
        let exit_code = exit_codes.get(at).copied().unwrap_or(0);
        Run { wall, user, system, exit_code, peak_bytes, ..Run::default() }
    });
    Series { setting: Setting { work, ..Setting::threads(threads) }, runs: runs.collect() }
}
