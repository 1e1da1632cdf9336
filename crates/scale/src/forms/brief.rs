//! A report on one screen: the main sentences, the curve beside the table, the first warnings.

use crate::cells::{Table, columns, interval, or_dash, two};
use crate::forms::table;
use crate::report::{Point, Report};
use base::figures::{counted, grouped, mebibytes, percent, seconds};

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
    out += &points(report).grid();
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

/// The table: times, speed-ups, and the curve as bars.
pub(crate) fn points(report: &Report) -> Table {
    let rows = report.results.iter().map(|point| {
        let mut cells = figures(report, point);
        cells.push(bar(report, point));
        cells
    });
    let mut header = header(report);
    // As wide as the bars, which then begin where it does.
    header.push(format!("{:<BAR$}", "speed-up █, lost ░"));
    Table::new(header, rows)
}

/// The same without the curve, for a page that draws it.
pub(crate) fn points_alone(report: &Report) -> Table {
    Table::new(header(report), report.results.iter().map(|point| figures(report, point)))
}

fn header(report: &Report) -> Vec<String> {
    let name = report.interval_name();
    let mut header = columns(&format!("threads | median | ± | speed-up | {name} | efficiency"));
    if has_kinds(report) {
        header.extend(columns("attainable | of it"));
    }
    if report.is_disturbed() {
        header.push("speed-up by CPU time".to_owned());
    }
    if has_memory(report) {
        header.push("memory".to_owned());
    }
    header
}

fn figures(report: &Report, point: &Point) -> Vec<String> {
    let mut cells = vec![
        grouped(point.threads),
        seconds(point.median),
        or_dash(point.stddev, |it| percent(it / point.mean)),
        two(point.speedup),
        interval(point.speedup_interval, two),
        percent(point.efficiency),
    ];
    if has_kinds(report) {
        let of_it = point.attainable.map(|it| point.speedup / it);
        cells.extend([or_dash(point.attainable, two), or_dash(of_it, percent)]);
    }
    if report.is_disturbed() {
        cells.push(or_dash(point.cpu_speedup, two));
    }
    if has_memory(report) {
        cells.push(or_dash(point.resident_bytes, mebibytes));
    }
    cells
}

fn has_kinds(report: &Report) -> bool {
    report.results.iter().any(|point| point.attainable.is_some())
}

fn has_memory(report: &Report) -> bool {
    report.results.iter().any(|point| point.resident_bytes.is_some())
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
