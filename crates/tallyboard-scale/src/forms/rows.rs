//! A report for other programs: CSV for spreadsheets, lines of JSON for Extra-P.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::ceiling::Capacity;
use crate::explain;
use crate::forecast::Forecast;
use crate::report::{Parameter, Point, Report};

/// A figure of a point; `None` for an empty field.
type Figure = fn(&Report, &Point) -> Option<f64>;

/// The columns of the CSV, in order.
const COLUMNS: [(&str, Figure); 41] = [
    ("threads", |_, p| Some(p.threads as f64)),
    ("work", |_, p| Some(p.work)),
    ("runs", |_, p| Some(p.times.len() as f64)),
    ("mean", |_, p| Some(p.mean)),
    ("stddev", |_, p| p.stddev),
    ("median", |_, p| Some(p.median)),
    ("min", |_, p| Some(p.min)),
    ("max", |_, p| Some(p.max)),
    ("user", |_, p| p.user),
    ("system", |_, p| p.system),
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
    ("cpu", |_, p| p.cpu),
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
    ("cpu_speedup", |_, p| p.cpu_speedup),
    ("attainable", |_, p| p.attainable),
    ("attained", |_, p| Some(p.speedup / p.attainable?)),
    ("resident_bytes", |_, p| Some(p.resident_bytes? as f64)),
];

/// The last column: why the shares from `useful` to `tail` are empty.
const WHY_NO_SHARES: &str = "why_no_shares";

fn capacity(report: &Report, point: &Point) -> Option<Capacity> {
    report.subject.conditions.capacity(point.threads)
}

/// The points of all `reports` as CSV with a header line. A missing figure is an empty field. If there is a second
/// parameter, it is the first column.
pub fn csv(reports: &[Report]) -> String {
    let parameter = reports.first().and_then(|report| report.subject.parameter.as_ref());
    let mut header: Vec<String> =
        parameter.iter().map(|parameter| quoted(&parameter.name)).collect();
    header.extend(COLUMNS.map(|(name, _)| name.to_owned()));
    header.push(WHY_NO_SHARES.to_owned());
    let mut csv = header.join(",") + "\n";
    for report in reports {
        let parameter = report.subject.parameter.as_ref();
        for point in &report.results {
            let mut fields: Vec<String> =
                parameter.iter().map(|parameter| quoted(&parameter.value)).collect();
            for (_, figure) in COLUMNS {
                fields.push(
                    figure(report, point).map_or_else(String::new, |figure| figure.to_string()),
                );
            }
            fields.push(quoted(explain::why_no_losses(report, point).unwrap_or_default()));
            csv += &(fields.join(",") + "\n");
        }
    }
    csv
}

/// A field of CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Every run as a line of JSON (`*.jsonl`) for Extra-P: the measured time, the thread count, and the second parameter if
/// it is a number.
pub fn extra_p(reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        for point in &report.results {
            for &time in &point.times {
                let _ = writeln!(out, "{}", extra_p_line(report, point.threads, time));
            }
        }
    }
    out
}

fn extra_p_line(report: &Report, threads: usize, time: f64) -> Value {
    let mut line = json!({
        "params": { "threads": threads },
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
    line
}
