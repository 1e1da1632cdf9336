//! A report for other programs: CSV for spreadsheets, lines of JSON for Extra-P.

use serde_json::json;

use super::{Parameter, Point, Report};
use crate::ceiling::Capacity;
use crate::forecast::Forecast;

/// A figure of a point; `None` for an empty field.
type Column = fn(&Report, &Point) -> Option<f64>;

/// The columns of the CSV, in order.
const COLUMNS: [(&str, Column); 37] = [
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
    ("rate", |_, p| p.rate),
    ("rate_low", |_, p| p.rate_interval.map(|i| i.low)),
    ("rate_high", |_, p| p.rate_interval.map(|i| i.high)),
    ("instructions", |_, p| Some(p.counts?.instructions as f64)),
    ("cycles", |_, p| Some(p.counts?.cycles as f64)),
    ("cache_misses", |_, p| Some(p.counts?.cache_misses as f64)),
    ("machine_hertz", |report, p| Some(capacity(report, p)?.hertz)),
    ("machine_bytes_per_second", |report, p| Some(capacity(report, p)?.bytes_per_second)),
    ("machine_memory_seconds", |report, p| Some(capacity(report, p)?.latencies.last()?.1)),
];

fn capacity(report: &Report, point: &Point) -> Option<Capacity> {
    report.subject.conditions.capacity(point.threads)
}

/// The points of all `reports` as CSV with a header line. A missing figure is an empty field. If there is a second
/// parameter, it is the first column.
pub fn csv(reports: &[Report]) -> String {
    let parameter = |report: &Report| report.subject.parameter.clone();
    let name = reports.first().and_then(parameter).map(|it| quoted(&it.name));
    let header = name.into_iter().chain(COLUMNS.map(|(name, _)| name.to_owned()));
    let mut rows = vec![header.collect::<Vec<_>>()];
    for report in reports {
        let value = parameter(report).map(|it| quoted(&it.value));
        rows.extend(report.results.iter().map(|point| {
            let figures = COLUMNS.map(|(_, figure)| figure(report, point));
            let fields = figures.map(|it| it.map_or_else(String::new, |value| value.to_string()));
            value.iter().cloned().chain(fields).collect()
        }));
    }
    rows.into_iter().map(|fields| fields.join(",") + "\n").collect()
}

/// A field of CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Every run as a line of JSON (`*.jsonl`) for Extra-P: the measured time and its parameters, which are the thread count
/// and the second parameter if that is a number.
pub fn extra_p(reports: &[Report]) -> String {
    let line = |report: &Report, point: &Point, time: f64| {
        let mut line = json!({
            "params": { "threads": point.threads },
            "callpath": report.subject.problem,
            "metric": "time",
            "value": time,
        });
        if let Some(Parameter { name, value }) = &report.subject.parameter
            && let Ok(number) = value.parse::<f64>()
        {
            line["params"][name] = json!(number);
            line["callpath"] = json!(report.subject.command);
        }
        format!("{line}\n")
    };
    let points = reports.iter().flat_map(|report| report.results.iter().map(move |p| (report, p)));
    points.flat_map(|(report, p)| p.times.iter().map(move |&time| line(report, p, time))).collect()
}
