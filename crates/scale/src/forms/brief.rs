//! A report on one screen: the main sentences, the curve beside the table, the first warnings.

use crate::cells::Table;
use crate::forms::{points, table};
use crate::report::{Point, Report};
use base::figures::counted;

/// Warnings beyond this number are counted only.
const MAX_WARNINGS: usize = 3;
/// Characters of the longest bar.
const BAR: usize = 32;

/// The report on one screen; ends with a newline.
pub fn render(report: &Report) -> String {
    let mut out = table::heading(report) + "\n";
    for sentence in report.summary() {
        out += sentence;
        out.push('\n');
    }
    out.push('\n');
    out += &with_bars(report).grid();
    if report.subject.source.is_some() {
        out.push('\n');
        let laws = report.models.iter().map(|model| table::law(model) + "\n");
        out += &laws.collect::<String>();
    }
    out.push('\n');
    for warning in report.warnings.iter().take(MAX_WARNINGS) {
        out += &format!("warning: {warning}\n");
    }
    let more = report.warnings.len().saturating_sub(MAX_WARNINGS);
    if more > 0 {
        out += &format!("and {}: --details\n", counted(more, "more warning"));
    }
    out + "All tables and reasons: --details, or --html FILE for a page\n"
}

/// The table with the curve as bars beside it.
fn with_bars(report: &Report) -> Table {
    let mut table = points::brief(report);
    // As wide as the bars, which then begin where it does.
    table.0[0].push(format!("{:<BAR$}", "speed-up █, lost ░"));
    for (row, point) in table.0[1..].iter_mut().zip(&report.results) {
        row.push(bar(report, point));
    }
    table
}

/// The speed-up as a bar, and behind it what perfect scaling would add: on cores that differ, what is attainable.
fn bar(report: &Report, point: &Point) -> String {
    let highest = report.results.iter().map(|it| it.speedup.max(ideal_speedup(it)));
    let scale = BAR as f64 / highest.fold(1.0, f64::max);
    let done = ((point.speedup * scale).round() as usize).min(BAR);
    let ideal = ((ideal_speedup(point) * scale).round() as usize).clamp(done, BAR);
    "█".repeat(done) + &"░".repeat(ideal - done) + &" ".repeat(BAR - ideal)
}

fn ideal_speedup(point: &Point) -> f64 {
    point.attainable.unwrap_or(point.threads as f64)
}
