//! A report on one screen: the main sentences, the curve beside the table, the first warnings.

use crate::cells::Table;
use crate::forms::{points, table};
use crate::report::{Point, Report};
use tallyboard_base::figures::counted;

/// Of the warnings beyond this number only the count is printed.
const MAX_WARNINGS: usize = 3;
/// Characters of the longest bar.
const BAR_WIDTH: usize = 32;

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
    let others = report.warnings.len().saturating_sub(MAX_WARNINGS);
    if others > 0 {
        out += &format!("and {}: --details\n", counted(others, "more warning"));
    }
    out + "All tables and reasons: --details, or --html FILE for a page\n"
}

/// The table with the curve as bars beside it.
fn with_bars(report: &Report) -> Table {
    let mut table = points::brief(report);
    // The heading is as wide as the bars: cells are right-aligned, so it begins where they do.
    table.0[0].push(format!("{:<BAR_WIDTH$}", "speed-up █, lost ░"));
    for (row, point) in table.0[1..].iter_mut().zip(&report.results) {
        row.push(bar(report, point));
    }
    table
}

/// The speed-up as a bar, and behind it what is missing to the ideal speed-up.
fn bar(report: &Report, point: &Point) -> String {
    let speedups = report.results.iter().map(|point| point.speedup.max(ideal_speedup(point)));
    let scale = BAR_WIDTH as f64 / speedups.fold(1.0, f64::max);
    let reached = ((point.speedup * scale).round() as usize).min(BAR_WIDTH);
    let ideal = ((ideal_speedup(point) * scale).round() as usize).clamp(reached, BAR_WIDTH);
    "█".repeat(reached) + &"░".repeat(ideal - reached) + &" ".repeat(BAR_WIDTH - ideal)
}

/// The speed-up of perfect scaling; on cores that differ, the attainable one.
fn ideal_speedup(point: &Point) -> f64 {
    point.attainable.unwrap_or(point.threads as f64)
}
