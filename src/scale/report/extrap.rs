//! Lines of JSON that Extra-P reads (`*.jsonl`): one measured value a line,
//! with the thread count as the parameter.

use serde_json::json;

use super::Report;

/// Every run of every thread count as one line.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for point in &report.results {
        for &time in &point.times {
            let line = json!({
                "params": { "threads": point.threads },
                "callpath": report.subject.problem,
                "metric": "time",
                "value": time,
            });
            out += &line.to_string();
            out.push('\n');
        }
    }
    out
}
