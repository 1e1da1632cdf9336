//! Reports as a JSON document. Everything is written; only what comparisons show is read back.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Result, Value};

use crate::laws::Curve;
use crate::model::{Fit, FitOutcome, FitRefusal};
use crate::report::{Report, Subject};

/// The document of `reports`: a single report is the document itself, several are in a list. There are no errors, as all
/// keys are text.
pub fn write(reports: &[Report]) -> Result<String> {
    let text = match reports {
        [report] => serde_json::to_string_pretty(report),
        reports => serde_json::to_string_pretty(&BTreeMap::from([("reports", reports)])),
    };
    Ok(text? + "\n")
}

/// The reports of a document, each with what comparisons show of it: the subject, the times of the points, the laws and
/// the sentences. Forecasts, losses, workers and counts are left out.
pub fn read(text: &str) -> Result<Vec<Report>> {
    let document: Value = serde_json::from_str(text)?;
    match document.get("reports").and_then(Value::as_array) {
        Some(reports) => reports.iter().map(report).collect(),
        None => Ok(vec![report(&document)?]),
    }
}

fn report(json: &Value) -> Result<Report> {
    let models: Vec<Value> = field(json, "models")?;
    Ok(Report {
        tallyboard: field(json, "tallyboard")?,
        subject: Subject::deserialize(json)?,
        results: field(json, "results")?,
        models: models.iter().map(outcome).collect::<Result<_>>()?,
        forecast: None,
        memory: None,
        granularity: None,
        warnings: field(json, "warnings")?,
        explanation: field(json, "explanation")?,
    })
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
