//! A report for other programs: a JSON document, and CSV for spreadsheets.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Result, Value};

use crate::conditions::Capacity;
use crate::explain;
use crate::forecast::Forecast;
use crate::laws::{Curve, Fit, FitOutcome, FitRefusal};
use crate::report::{Parameters, Point, Report, Subject};
use tallyboard_files::csv;

/// The document of `reports`: a single report is the document itself, several are in a list. There are no errors, as all
/// keys are text.
pub fn write(reports: &[Report]) -> Result<String> {
    let text = match reports {
        [report] => serde_json::to_string_pretty(report),
        reports => serde_json::to_string_pretty(&BTreeMap::from([("reports", reports)])),
    };
    Ok(text? + "\n")
}

/// The reports of a document, whole. Their sentences are made anew from their figures.
pub fn read(text: &str) -> Result<Vec<Report>> {
    let document: Value = serde_json::from_str(text)?;
    match document.get("reports").and_then(Value::as_array) {
        Some(reports) => reports.iter().map(report).collect(),
        None => Ok(vec![report(&document)?]),
    }
}

fn report(json: &Value) -> Result<Report> {
    let models: Vec<Value> = field(json, "models")?;
    let mut report = Report {
        tallyboard: field(json, "tallyboard")?,
        subject: Subject::deserialize(json)?,
        results: field(json, "results")?,
        models: models.iter().map(outcome).collect::<Result<_>>()?,
        forecast: field(json, "forecast")?,
        memory: field(json, "memory")?,
        warnings: field(json, "warnings")?,
        explanation: Vec::new(),
    };
    for point in &mut report.results {
        point.parameters = Parameters::of(&report.subject, point.threads);
    }
    report.explanation = explain::sentences(&report);
    Ok(report)
}

fn outcome(json: &Value) -> Result<FitOutcome> {
    if let Some(refused) = field(json, "refused")? {
        return Ok(FitOutcome::Refused(FitRefusal { law: field(json, "law")?, refused }));
    }
    Ok(FitOutcome::Fit(Box::new(Fit {
        curve: Curve::deserialize(json)?,
        contention_interval: field(json, "contention_interval")?,
        coherency_interval: field(json, "coherency_interval")?,
        errors: field(json, "errors")?,
        peak: field(json, "peak")?,
        peak_interval: field(json, "peak_interval")?,
        limit: field(json, "limit")?,
        limit_interval: field(json, "limit_interval")?,
        misfit: field(json, "misfit")?,
        predictions: field(json, "predictions")?,
        // A report without the key is read as one that used all its thread counts.
        unused: field::<Option<_>>(json, "unused")?.unwrap_or_default(),
    })))
}

/// The value of `key` in an object. A missing key reads as `null`, so as `None` where `T` is an option.
fn field<T: DeserializeOwned>(object: &Value, key: &str) -> Result<T> {
    let value = object.get(key).unwrap_or(&Value::Null);
    T::deserialize(value).map_err(|error| serde_json::Error::custom(format!("`{key}`: {error}")))
}

/// A figure of a point; `None` for an empty field.
type Figure = fn(&Report, &Point) -> Option<f64>;

/// The columns of the CSV, in order.
const COLUMNS: [(&str, Figure); 40] = [
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
    ("throttled", |_, p| p.throttled),
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
        parameter.iter().map(|parameter| csv::cell(&parameter.name)).collect();
    header.extend(COLUMNS.map(|(name, _)| name.to_owned()));
    header.push(WHY_NO_SHARES.to_owned());
    let mut csv = header.join(",") + "\n";
    for report in reports {
        let parameter = report.subject.parameter.as_ref();
        for point in &report.results {
            let mut fields: Vec<String> =
                parameter.iter().map(|parameter| csv::cell(&parameter.value)).collect();
            for (_, figure) in COLUMNS {
                fields.push(
                    figure(report, point).map_or_else(String::new, |figure| figure.to_string()),
                );
            }
            fields.push(csv::cell(explain::why_no_losses(report, point).unwrap_or_default()));
            csv += &(fields.join(",") + "\n");
        }
    }
    csv
}
