//! Comma-separated values (RFC 4180) with a header: a column of thread counts and a column of times. Rows with the same
//! thread count are repetitions, unless another column tells them apart. JMH's and Google Benchmark's tables are known by
//! their headers.

use super::json::google_benchmark;
use super::{
    MeasuredPoint, Points, PointsError, Quantity, ReadOptions, Reader, THREAD_NAMES, Unit, threads,
};
use crate::report::Parameter;

/// Headers of times, without their unit. The first that a file has is taken: hyperfine's CSV has a median and a mean.
const TIME_HEADERS: &str = "median mean time seconds wall wall_time real elapsed real_time time_wall_clock_median time_wall_clock_mean score";
/// Headers of columns in which repetitions of one thread count may differ, or the last words of such headers.
const REPETITION_HEADERS: &str = "run round repetition rep iteration iterations index command mean median stddev \
    user system min max cpu_time speedup efficiency date";
/// The first headers of JMH's table, and of Google Benchmark's, which stands behind lines about the machine.
const JMH: [&str; 3] = ["benchmark", "mode", "threads"];
const GOOGLE: [&str; 3] = ["name", "iterations", "real_time"];

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
    /// The unit that the options or the header name.
    unit: Option<Unit>,
    /// The column with the unit of each time.
    unit_column: Option<usize>,
    /// The columns that tell curves apart.
    curve: Vec<usize>,
    /// Whether this is JMH's table, in which each thread does operations of its own.
    is_jmh: bool,
    /// Whether numbers have a decimal comma.
    has_commas: bool,
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Points, PointsError> {
    let rows = rows(text)?;
    if let Some(at) = rows.iter().position(|row| row.begins_with(GOOGLE)) {
        return google(&rows[at..], options);
    }
    let Some((header, rows)) = rows.split_first() else {
        return Err(PointsError::of_file("found no header, expected one such as threads,time"));
    };
    let columns = Columns::find(header, options, delimiter(text) == ';')?;
    let mut rows_of_points: Vec<RowsOfPoint> = Vec::new();
    // Files that were joined have the header again.
    for row in rows.iter().filter(|row| row.fields != header.fields) {
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
    let measured = rows_of_points.into_iter().map(|rows| rows.point).collect();
    let tool = if columns.is_jmh { "JMH" } else { "CSV" };
    Ok(Points { tool: tool.to_owned(), measured, ..Points::default() })
}

/// Google Benchmark's `--benchmark_out_format=csv`; the first of `rows` is the header. It lacks the version, by which alone
/// the time of `->Threads(p)` is known.
fn google(rows: &[Row], options: &ReadOptions) -> Result<Points, PointsError> {
    const HOW: &str = "use --benchmark_out_format=json";
    let mut reader = Reader::new("Google Benchmark", HOW, options);
    let names: Vec<&str> = rows[0].fields.iter().map(|field| field.trim()).collect();
    let column = |name: &str| names.iter().position(|found| *found == name);
    let (unit_column, error_column) = (column("time_unit"), column("error_message"));
    for row in &rows[1..] {
        let field =
            |column: Option<usize>| column.and_then(|at| row.fields.get(at)).map_or("", |it| it);
        let full = row.fields[0].as_str();
        let is_of = |end: &&&str| full.ends_with(**end);
        let is_aggregate = ["_mean", "_median", "_stddev", "_cv"].iter().find(is_of).is_some();
        if is_aggregate {
            continue;
        }
        let mut benchmark = google_benchmark(row.line, full);
        if !field(error_column).is_empty() {
            reader.leave_out(row.line, format!("{full} failed ({})", field(error_column)));
            continue;
        }
        if full.rsplit('/').next().is_some_and(|last| last.starts_with("threads:")) {
            let message = format!(
                "found {full}, whose time is that of one thread or that over the threads, as the version decides, which a CSV lacks: {HOW}"
            );
            return Err(PointsError::at(row.line, message));
        }
        let unit = Quantity::from_name(field(unit_column));
        let unit = unit.ok_or_else(|| {
            PointsError::at(
                row.line,
                format!("found the unit '{}', expected ns, us, ms or s", field(unit_column)),
            )
        })?;
        let time = number(row.line, "real_time", row.fields.get(2).map_or("", |it| it), false)?;
        benchmark.times = vec![unit.seconds(row.line, "real_time", time)?];
        reader.add(benchmark)?;
    }
    reader.finish()
}

impl Row {
    /// Whether its fields begin with these, but for capitals.
    fn begins_with(&self, names: [&str; 3]) -> bool {
        let own = self.fields.iter().map(|field| field.trim().to_lowercase());
        self.fields.len() > 3 && own.zip(names).all(|(own, name)| own == name)
    }
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
    fn find(header: &Row, options: &ReadOptions, has_commas: bool) -> Result<Self, PointsError> {
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
            None => known(THREAD_NAMES, "thread counts, such as threads", option),
        }?;
        let option = "--time-column";
        let time = match &options.time {
            Some(name) => named(name, option),
            None => known(TIME_HEADERS, "times, such as time", option),
        }?;
        let unit = options.unit.or(split_unit(&names[time]).1);
        // hyperfine's time_wall_clock_mean has its unit in time_wall_clock_unit.
        let stem = names[time].rsplit_once('_').map_or("time", |(stem, _)| stem);
        let units = ["unit".to_owned(), "time_unit".to_owned(), format!("{stem}_unit")];
        let unit_column = names.iter().position(|name| units.contains(name));
        let is_jmh = header.begins_with(JMH);
        let is_of_curve =
            |name: &String| name == JMH[0] || name == JMH[1] || name.starts_with("param:");
        let curve = match &options.curve {
            Some(name) => vec![named(name, "--curve")?],
            None if is_jmh => (0..names.len()).filter(|&at| is_of_curve(&names[at])).collect(),
            None => Vec::new(),
        };
        let has_commas = has_commas || is_jmh;
        Ok(Self { names, threads, time, unit, unit_column, curve, is_jmh, has_commas })
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
        let found = field(self.time);
        // A time may have its unit behind it, as in 1.5 ms.
        let digits = found.trim_end_matches(|letter: char| letter.is_alphabetic());
        // No number is a word such as NaN.
        let digits = if digits.contains(|it: char| it.is_ascii_digit()) { digits } else { found };
        let own = found[digits.len()..].trim();
        let beside = self.unit_column.map(field).filter(|unit| !unit.is_empty());
        let quantity = match (self.unit, [own, beside.unwrap_or_default()]) {
            (Some(unit), ["", _]) => Some(Quantity { unit, is_rate: false }),
            (None, ["", ""]) => Some(Quantity { unit: Unit::Seconds, is_rate: false }),
            (None, ["", unit]) | (_, [unit, _]) => Quantity::from_name(unit),
        };
        let quantity = quantity.ok_or_else(|| {
            let unit = if own.is_empty() { beside.unwrap_or_default() } else { own };
            let message = format!("found the unit '{unit}' of {name}, expected ns, us, ms, s or min, as in ms/op or ops/s");
            PointsError::at(row.line, message)
        })?;
        let time = number(row.line, name, digits.trim(), self.has_commas)?;
        let mut time = quantity.seconds(row.line, name, time)?;
        if self.is_jmh && quantity.is_rate {
            // A throughput is the sum over the threads.
            time *= count as f64;
        }
        let curve = |of: fn(&str, &str) -> String| {
            let parts = self.curve.iter().map(|&at| of(&self.names[at], field(at)));
            parts.collect::<Vec<_>>().join(", ")
        };
        let parameter = (!self.curve.is_empty()).then(|| Parameter {
            name: curve(|name, _| name.to_owned()),
            value: curve(|_, value| value.to_owned()),
        });
        Ok(MeasuredPoint {
            line: row.line,
            threads: count,
            times: vec![time],
            parameter,
            is_weak: self.is_jmh,
            ..MeasuredPoint::default()
        })
    }

    /// Refuses two rows of a thread count that another column tells apart: they may be of two curves.
    fn check_repetition(&self, first: &Row, row: &Row, count: usize) -> Result<(), PointsError> {
        for (column, name) in self.names.iter().enumerate() {
            let bare = split_unit(name).0;
            let is_repetition = |header| header == bare || bare.rsplit('_').next() == Some(header);
            let may_differ = column == self.time
                || self.is_jmh
                || REPETITION_HEADERS.split(' ').any(is_repetition);
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

/// The number in a field of the column `name`. With `has_commas` a comma is the decimal one.
fn number(line: usize, name: &str, text: &str, has_commas: bool) -> Result<f64, PointsError> {
    let is_decimal = has_commas && text.matches(',').count() == 1 && !text.contains('.');
    let plain = if is_decimal { text.replace(',', ".") } else { text.to_owned() };
    plain.parse().map_err(|_| {
        let message = format!(
            "found '{text}' as {name}, expected a number: write the unit into the header, as in time_ms"
        );
        PointsError::at(line, message)
    })
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
        if unread.starts_with('#') {
            // A quote in a remark begins nothing.
            unread = unread.split_once('\n').map_or("", |(_, after)| after);
            line += 1;
            continue;
        }
        let (row, after) = first_row(unread, line, delimiter)?;
        let text_of_row = &unread[..unread.len() - after.len()];
        let is_empty = text_of_row.trim().is_empty();
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
