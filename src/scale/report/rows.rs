//! A report for other programs: CSV for spreadsheets, lines of JSON for Extra-P.

use serde_json::json;

use super::{Point, Report};
use crate::scale::forecast::Forecast;

/// A figure of a point; `None` where there is none.
type Column = fn(&Report, &Point) -> Option<f64>;

/// The columns of the CSV, in order.
const COLUMNS: [(&str, Column); 28] = [
    ("threads", |_, p| Some(p.threads as f64)),
    ("work", |_, p| Some(p.work)),
    ("runs", |_, p| Some(p.times.len() as f64)),
    ("mean", |_, p| Some(p.mean)),
    ("stddev", |_, p| p.stddev),
    ("median", |_, p| Some(p.median)),
    ("min", |_, p| Some(p.min)),
    ("max", |_, p| Some(p.max)),
    ("user", |_, p| Some(p.user)),
    ("system", |_, p| Some(p.system)),
    ("median_low", |_, p| p.interval.map(|i| i.low)),
    ("median_high", |_, p| p.interval.map(|i| i.high)),
    ("speedup", |_, p| Some(p.speedup)),
    ("speedup_low", |_, p| p.speedup_interval.map(|i| i.low)),
    ("speedup_high", |_, p| p.speedup_interval.map(|i| i.high)),
    ("efficiency", |_, p| Some(p.efficiency)),
    ("serial_fraction", |_, p| p.serial_fraction),
    ("useful", |_, p| p.losses.map(|l| l.useful)),
    ("slowdown", |_, p| p.losses.map(|l| l.slowdown)),
    ("preempted", |_, p| p.losses.map(|l| l.preempted)),
    ("serial", |_, p| p.losses.map(|l| l.serial)),
    ("gaps", |_, p| p.losses.map(|l| l.gaps)),
    ("tail", |_, p| p.losses.map(|l| l.tail)),
    ("longest_piece", |_, p| p.workers.as_ref().map(|w| w.longest())),
    ("speedup_bound", |report, _| report.forecast.as_ref().map(Forecast::bound)),
    ("predicted", |report, p| Some(report.forecast.as_ref()?.at(p.threads)?.seconds)),
    ("cpu", |_, p| Some(p.cpu)),
    ("helpers", |_, p| p.helpers),
];

/// The points as CSV with a header line; a missing figure is an empty field.
pub fn csv(report: &Report) -> String {
    let header = COLUMNS.map(|(name, _)| name.to_owned());
    let field = |figure: Option<f64>| figure.map_or_else(String::new, |value| value.to_string());
    let row = |point| COLUMNS.map(|(_, figure)| field(figure(report, point)));
    let rows = std::iter::once(header).chain(report.results.iter().map(row));
    rows.map(|fields| fields.join(",") + "\n").collect()
}

/// Every run as a line of JSON (`*.jsonl`) that Extra-P reads: one measured value a line, with the
/// thread count as the parameter.
pub fn extra_p(report: &Report) -> String {
    let line = |point: &Point, time: f64| {
        json!({
            "params": { "threads": point.threads },
            "callpath": report.subject.problem,
            "metric": "time",
            "value": time,
        })
    };
    let runs = report.results.iter().flat_map(|p| p.times.iter().map(move |&time| line(p, time)));
    runs.map(|line| format!("{line}\n")).collect()
}
