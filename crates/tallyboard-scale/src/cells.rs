//! Tables of text, and figures as their cells.

use tallyboard_base::figures::{grouped, percent};
use tallyboard_base::statistics::Interval;

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

    /// The table as text: a line for each row, right-aligned columns two spaces apart.
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

    /// The table as Markdown, with right-aligned columns.
    pub fn markdown(&self) -> String {
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let Some((header, rows)) = self.0.split_first() else { return String::new() };
        let rule = row(&vec!["--:".to_owned(); header.len()]);
        row(header) + &rule + &rows.iter().map(|cells| row(cells)).collect::<String>()
    }

    fn width(&self, column: usize) -> usize {
        self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    }
}

/// The names of columns in `one | two | three`.
pub(crate) fn columns(names: &str) -> Vec<String> {
    names.split(" | ").map(String::from).collect()
}

/// An interval, or a dash. `show` writes its ends.
pub(crate) fn interval(interval: Option<Interval>, show: impl Fn(f64) -> String) -> String {
    or_dash(interval, |Interval { low, high, .. }| format!("{} to {}", show(low), show(high)))
}

/// An interval and its name in brackets, to stand behind a figure; nothing if there is none.
pub(crate) fn in_brackets(
    name: &str,
    ends: Option<Interval>,
    show: impl Fn(f64) -> String,
) -> String {
    if ends.is_some() { format!(" ({name} {})", interval(ends, show)) } else { String::new() }
}

/// A figure with two decimals below 1,000, and none above.
pub(crate) fn two_decimals(value: f64) -> String {
    // Beyond 2^53, about 9e15, floats have no digit for each unit.
    let is_large = (1000.0..1e15).contains(&value);
    if is_large { grouped(value.round() as u64) } else { format!("{value:.2}") }
}

/// A serial fraction. Above 100 % it means nothing: several threads were slower than one.
pub(crate) fn serial(share: f64) -> String {
    if share > 1.0 { "over 100 %".into() } else { percent(share) }
}

/// A small figure: `1.50e-3`.
pub(crate) fn scientific(figure: f64) -> String {
    format!("{figure:.2e}")
}

/// A value as `show` writes it, or a dash.
pub(crate) fn or_dash<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".into(), show)
}
