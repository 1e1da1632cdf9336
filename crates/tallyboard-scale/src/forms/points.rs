//! The main table of a report: a row for each thread count, with the columns for which it has figures.

use crate::cells::{Table, interval, or_dash, two_decimals};
use crate::report::{Point, Report};
use tallyboard_base::figures::{grouped, memory_size, percent, seconds, with_prefix};

struct Column {
    name: String,
    /// Whether it is part of the table that fits on a screen.
    is_brief: bool,
    cell: fn(&Point) -> String,
}

pub(crate) fn table(report: &Report) -> Table {
    with_columns(report, &columns(report))
}

/// The table with the columns that fit on a screen.
pub(crate) fn brief(report: &Report) -> Table {
    let mut columns = columns(report);
    columns.retain(|column| column.is_brief);
    with_columns(report, &columns)
}

fn with_columns(report: &Report, columns: &[Column]) -> Table {
    let header = columns.iter().map(|column| column.name.clone());
    let rows = report.results.iter().map(|point| {
        let cells = columns.iter().map(|column| (column.cell)(point));
        cells.collect::<Vec<_>>()
    });
    Table::new(header.collect(), rows)
}

/// All columns for which `report` has figures.
fn columns(report: &Report) -> Vec<Column> {
    let name = report.interval_name();
    let mut columns = vec![
        brief_column("threads", |p| grouped(p.threads)),
        brief_column("median", |p| seconds(p.median)),
        column(&name, |p| interval(p.interval, seconds)),
        brief_column("±", |p| or_dash(p.stddev, |s| percent(s / p.mean))),
        brief_column("speed-up", |p| two_decimals(p.speedup)),
        brief_column(&name, |p| interval(p.speedup_interval, two_decimals)),
    ];
    if report.is_disturbed() {
        columns
            .push(brief_column("speed-up by CPU time", |p| or_dash(p.cpu_speedup, two_decimals)));
    }
    if report.results.iter().any(|p| p.attainable.is_some()) {
        columns.push(brief_column("attainable", |p| or_dash(p.attainable, two_decimals)));
        columns.push(brief_column("of it", |p| {
            or_dash(p.attainable.map(|attainable| p.speedup / attainable), percent)
        }));
    }
    columns.push(brief_column("efficiency", |p| percent(p.efficiency)));
    columns.push(column("serial fraction", |p| or_dash(p.serial_fraction, serial)));
    columns.push(column("CPU time", |p| or_dash(p.cpu, seconds)));
    if report.results.iter().any(|p| p.resident_bytes.is_some()) {
        columns.push(brief_column("memory", |p| or_dash(p.resident_bytes, memory_size)));
    }
    if let Some(name) = report.rate_name() {
        columns.push(column(&name, |p| or_dash(p.rate, with_prefix)));
    }
    columns
}

fn column(name: &str, cell: fn(&Point) -> String) -> Column {
    Column { name: name.to_owned(), is_brief: false, cell }
}

fn brief_column(name: &str, cell: fn(&Point) -> String) -> Column {
    Column { is_brief: true, ..column(name, cell) }
}

/// A serial fraction. Above 100 % it means nothing: several threads were slower than one.
pub(crate) fn serial(share: f64) -> String {
    if share > 1.0 { "over 100 %".into() } else { percent(share) }
}
