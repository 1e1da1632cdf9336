//! Figures as the cells of tables, and the tables.

use base::figures::grouped;
use base::statistics::Interval;

/// A table: the header, then rows of equal length.
#[derive(Clone, Debug)]
pub(crate) struct Table(pub Vec<Vec<String>>);

impl Table {
    /// A table of these columns.
    pub fn new(
        header: Vec<String>,
        rows: impl IntoIterator<Item = impl Into<Vec<String>>>,
    ) -> Self {
        Self(std::iter::once(header).chain(rows.into_iter().map(Into::into)).collect())
    }

    /// Right-aligned columns two spaces apart, a line each row.
    pub fn grid(&self) -> String {
        let columns = self.0.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        let mut out = String::new();
        for row in &self.0 {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}"));
            out += cells.collect::<Vec<_>>().join("  ").trim_end();
            out.push('\n');
        }
        out
    }

    fn width(&self, column: usize) -> usize {
        self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    }
}

/// The names in `one | two | three`.
pub(crate) fn columns(names: &str) -> Vec<String> {
    names.split(" | ").map(String::from).collect()
}

/// An interval with its ends shown by `show`, or a dash.
pub(crate) fn interval(interval: Option<Interval>, show: impl Fn(f64) -> String) -> String {
    or_dash(interval, |i| format!("{} to {}", show(i.low), show(i.high)))
}

/// A figure with two decimals below 1,000, and none above.
pub(crate) fn two(value: f64) -> String {
    let large = (1000.0..1e15).contains(&value);
    if large { grouped(value.round() as u64) } else { format!("{value:.2}") }
}

/// A value shown by `show`, or a dash.
pub(crate) fn or_dash<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".into(), show)
}
