//! Comma-separated values (RFC 4180) with a header: a column of thread counts and a column of times. Rows with the same
//! thread count are repetitions, unless another column tells them apart.

use super::{MeasuredPoint, Points, PointsError, ReadOptions, Unit, seconds, threads};
use crate::report::Parameter;

/// Headers of thread counts, in small letters.
const THREAD_HEADERS: &str = "threads parameter_threads thread num_threads n_threads nthreads jobs workers cores \
    procs processes cpus ncpus p";
/// Headers of times, without their unit. The first that a file has is taken: hyperfine's CSV has a median and a mean.
const TIME_HEADERS: &str = "median mean time seconds wall wall_time real elapsed real_time";
/// Headers of columns in which repetitions of one thread count may differ.
const REPETITION_HEADERS: &str = "run round repetition rep iteration iterations index command mean median stddev \
    user system min max cpu_time speedup efficiency date";

/// A row, with the number of the line at which it begins.
struct Row {
    line: usize,
    fields: Vec<String>,
}

/// The columns of a file, and the indices of those that are read.
struct Columns {
    /// All headers, in small letters.
    names: Vec<String>,
    threads: usize,
    time: usize,
    unit: Unit,
    /// The column that tells curves apart.
    curve: Option<usize>,
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    let text = text.trim_start_matches('\u{feff}');
    let rows = rows(text)?;
    let Some((header, rows)) = rows.split_first() else {
        return Err(PointsError::of_file("found no header, expected one such as threads,time"));
    };
    let columns = Columns::find(header, options)?;
    let mut rows_of_points: Vec<RowsOfPoint> = Vec::new();
    for row in rows {
        let point = columns.point(row)?;
        let known = rows_of_points.iter_mut().find(|known| known.point.has_same_key(&point));
        match known {
            Some(known) => {
                columns.check_repetition(known.first, row, point.threads)?;
                known.point.times.extend(point.times);
                known.second_line.get_or_insert(row.line);
            }
            None => rows_of_points.push(RowsOfPoint { point, first: row, second_line: None }),
        }
    }
    check_numbers_of_rows(&rows_of_points)?;
    Ok(Points::new("CSV", rows_of_points.into_iter().map(|rows| rows.point).collect()))
}

/// The rows of one thread count of one curve, joined to a point.
struct RowsOfPoint<'a> {
    point: MeasuredPoint,
    first: &'a Row,
    /// The line of the second row, if there is one.
    second_line: Option<usize>,
}

/// Refuses a file in which one thread count has several rows and another has one: a row that is there twice is a slip more
/// often than a repetition.
fn check_numbers_of_rows(rows_of_points: &[RowsOfPoint]) -> Result<(), PointsError> {
    let once = rows_of_points.iter().find(|rows| rows.second_line.is_none());
    let twice = rows_of_points.iter().find_map(|rows| Some((&rows.point, rows.second_line?)));
    let Some((RowsOfPoint { point: once, .. }, (twice, line))) = once.zip(twice) else {
        return Ok(());
    };
    let message = format!(
        "found {} threads a second time (first in line {}) and {} once (line {}), expected each thread count once, or each several times",
        twice.threads, twice.line, once.threads, once.line
    );
    Err(PointsError::at(line, message))
}

impl Columns {
    /// The columns that the options name, or else those with known headers.
    fn find(header: &Row, options: &ReadOptions) -> Result<Self, PointsError> {
        let names: Vec<String> =
            header.fields.iter().map(|field| field.trim().to_lowercase()).collect();
        let named = |name: &String, option| named_column(header, &names, name, option);
        let known = |headers: &str, kind: &str, option: &str| {
            let column = |known: &str| names.iter().position(|name| split_unit(name).0 == known);
            headers.split(' ').find_map(column).ok_or_else(|| {
                let found = header.fields.join(", ");
                let expected = format!("expected one of {kind}; name it with {option}");
                PointsError::at(header.line, format!("found the columns {found}, {expected}"))
            })
        };
        let option = "--threads-column";
        let threads = match &options.threads {
            Some(name) => named(name, option),
            None => known(THREAD_HEADERS, "thread counts, such as threads", option),
        }?;
        let option = "--time-column";
        let time = match &options.time {
            Some(name) => named(name, option),
            None => known(TIME_HEADERS, "times, such as time", option),
        }?;
        let unit_of_header = split_unit(&names[time]).1;
        let unit = options.unit.or(unit_of_header).unwrap_or(Unit::Seconds);
        let curve = options.curve.as_ref().map(|name| named(name, "--curve")).transpose()?;
        Ok(Self { names, threads, time, unit, curve })
    }

    fn point(&self, row: &Row) -> Result<MeasuredPoint, PointsError> {
        if row.fields.len() != self.names.len() {
            let found = row.fields.len();
            let expected = self.names.len();
            let message = format!("found {found} fields, expected {expected} as in the header");
            return Err(PointsError::at(row.line, message));
        }
        let field = |column: usize| row.fields[column].trim();
        let count = threads(row.line, &self.names[self.threads], field(self.threads))?;
        let name = &self.names[self.time];
        let time: f64 = field(self.time).parse().map_err(|_| {
            let found = field(self.time);
            let message = format!(
                "found '{found}' as {name}, expected a number: write the unit into the header, as in time_ms"
            );
            PointsError::at(row.line, message)
        })?;
        let times = vec![seconds(row.line, name, time, self.unit)?];
        let curve = self.curve.map(|column| Parameter {
            name: self.names[column].clone(),
            value: field(column).to_owned(),
        });
        Ok(MeasuredPoint { parameter: curve, ..MeasuredPoint::new(row.line, count, times) })
    }

    /// Refuses two rows of a thread count that another column tells apart: they may be of two curves.
    fn check_repetition(&self, first: &Row, row: &Row, count: usize) -> Result<(), PointsError> {
        for (column, name) in self.names.iter().enumerate() {
            let is_repetition = |header| header == split_unit(name).0;
            let may_differ =
                column == self.time || REPETITION_HEADERS.split(' ').any(is_repetition);
            if !may_differ && first.fields[column] != row.fields[column] {
                // A shell needs quotes around a header with blanks.
                let quote = if name.contains(char::is_whitespace) { "'" } else { "" };
                let message = format!(
                    "found {count} threads a second time (first in line {}) with another {name}, expected one curve: tell the curves apart with --curve {quote}{name}{quote}, or leave the column out if these are repetitions",
                    first.line
                );
                return Err(PointsError::at(row.line, message));
            }
        }
        Ok(())
    }
}

/// The index of the column that the user named with `option`.
fn named_column(
    header: &Row,
    names: &[String],
    name: &str,
    option: &str,
) -> Result<usize, PointsError> {
    let index = names.iter().position(|found| *found == name.to_lowercase());
    index.ok_or_else(|| {
        let columns = header.fields.join(", ");
        let message = format!("found the columns {columns}, expected '{name}' of {option}");
        PointsError::at(header.line, message)
    })
}

/// The name and the unit in a header such as `time_ms`, `time (ms)` or `time [ms]`.
fn split_unit(header: &str) -> (&str, Option<Unit>) {
    let bare = header.trim_end_matches([')', ']']);
    let parts = bare.rsplit_once(['(', '[', '_', ' ']);
    let Some((name, suffix)) = parts else { return (header, None) };
    match Unit::from_name(suffix) {
        // `time_min` may be the least time: minutes need the option.
        None | Some(Unit::Minutes) => (header, None),
        unit => (name.trim_end_matches([' ', '_', '(', '[']), unit),
    }
}

/// The rows of `text`. Empty lines and lines that begin with `#` are left out.
fn rows(text: &str) -> Result<Vec<Row>, PointsError> {
    let delimiter = delimiter(text);
    let mut rows = Vec::new();
    let mut unread = text;
    let mut line = 1;
    while !unread.is_empty() {
        let (row, after) = first_row(unread, line, delimiter)?;
        let text_of_row = &unread[..unread.len() - after.len()];
        let is_empty = text_of_row.trim().is_empty() || text_of_row.starts_with('#');
        line += text_of_row.matches('\n').count();
        unread = after;
        if !is_empty {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// What separates the fields: a semicolon or a tab if the header has one, or else a comma. Files with decimal commas have
/// semicolons.
fn delimiter(text: &str) -> char {
    let mut lines = text.lines();
    let header = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let header = header.unwrap_or_default();
    [';', '\t'].into_iter().find(|delimiter| header.contains(*delimiter)).unwrap_or(',')
}

/// The row at the beginning of `text`, which is in this line of the file, and the text behind it.
fn first_row(text: &str, line: usize, delimiter: char) -> Result<(Row, &str), PointsError> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let field = fields.last_mut().expect("there is a field");
        match character {
            // Two quotes within quotes are one quote of the text.
            '"' if is_quoted && characters.next_if(|(_, next)| *next == '"').is_some() => {
                field.push('"');
            }
            '"' => is_quoted = !is_quoted,
            _ if character == delimiter && !is_quoted => fields.push(String::new()),
            '\n' if !is_quoted => return Ok((Row { line, fields }, &text[at + 1..])),
            '\r' => {}
            _ => field.push(character),
        }
    }
    if is_quoted {
        return Err(PointsError::at(line, "found a quote that is never closed, expected another"));
    }
    Ok((Row { line, fields }, ""))
}
