//! Comma-separated values (RFC 4180) with a header: a column of thread counts and a column of times. Rows with the same
//! thread count are repetitions, unless another column tells them apart.

use super::{Choice, Measured, Points, PointsError, Unit, seconds, threads};
use crate::report::{Parameter, Scaling};

/// Headers of thread counts, in small letters.
const THREADS: [&str; 14] = [
    "threads",
    "parameter_threads",
    "thread",
    "num_threads",
    "n_threads",
    "nthreads",
    "jobs",
    "workers",
    "cores",
    "procs",
    "processes",
    "cpus",
    "ncpus",
    "p",
];
/// Headers of times, without their unit. The first that a file has is taken: hyperfine's CSV has a median and a mean.
const TIMES: [&str; 9] =
    ["median", "mean", "time", "seconds", "wall", "wall_time", "real", "elapsed", "real_time"];
/// Headers of columns in which repetitions of one thread count may differ.
const MAY_DIFFER: [&str; 19] = [
    "run",
    "round",
    "repetition",
    "rep",
    "iteration",
    "iterations",
    "index",
    "command",
    "mean",
    "median",
    "stddev",
    "user",
    "system",
    "min",
    "max",
    "cpu_time",
    "speedup",
    "efficiency",
    "date",
];

/// A row with the line at which it begins.
struct Row {
    line: usize,
    fields: Vec<String>,
}

/// The columns that are read, by their index.
struct Columns {
    names: Vec<String>,
    threads: usize,
    time: usize,
    unit: Unit,
    curve: Option<usize>,
}

/// The points of a CSV.
pub(super) fn read(text: &str, choice: &Choice) -> Result<Points, PointsError> {
    let text = text.trim_start_matches('\u{feff}');
    let rows = rows(text)?;
    let Some((header, rows)) = rows.split_first() else {
        return Err(PointsError::of_file("found no header, expected one such as threads,time"));
    };
    let columns = Columns::find(header, choice)?;
    let mut measured: Vec<Measured> = Vec::new();
    let mut firsts: Vec<&Row> = Vec::new();
    // The line of the first repetition of each point.
    let mut second_lines: Vec<Option<usize>> = Vec::new();
    for row in rows {
        let point = columns.point(row)?;
        let same =
            |earlier: &Measured| earlier.threads == point.threads && earlier.curve == point.curve;
        match measured.iter().position(same) {
            Some(at) => {
                columns.check_repetition(firsts[at], row, point.threads)?;
                measured[at].times.extend(point.times);
                second_lines[at].get_or_insert(row.line);
            }
            None => {
                measured.push(point);
                firsts.push(row);
                second_lines.push(None);
            }
        }
    }
    check_once_or_more(&measured, &second_lines)?;
    Ok(Points {
        tool: "CSV".to_owned(),
        problem: None,
        scaling: Scaling::Strong,
        processors: None,
        measured,
    })
}

/// Refuses a thread count that stands there twice where another does once: it is a slip more often than a repetition.
fn check_once_or_more(
    measured: &[Measured],
    second_lines: &[Option<usize>],
) -> Result<(), PointsError> {
    let once = measured.iter().zip(second_lines).find(|(_, second)| second.is_none());
    let twice =
        measured.iter().zip(second_lines).find_map(|(point, second)| Some((point, (*second)?)));
    let (Some((once, _)), Some((point, line))) = (once, twice) else { return Ok(()) };
    Err(PointsError::at(
        line,
        format!(
            "found {} threads a second time (first in line {}) and {} once (line {}), expected each thread count once, or each several times",
            point.threads, point.line, once.threads, once.line
        ),
    ))
}

impl Columns {
    fn find(header: &Row, choice: &Choice) -> Result<Self, PointsError> {
        let names: Vec<String> =
            header.fields.iter().map(|field| field.trim().to_lowercase()).collect();
        let chosen = |name: &Option<String>, option: &str| {
            let Some(name) = name else { return Ok(None) };
            let at = names.iter().position(|header| *header == name.to_lowercase());
            at.map(Some).ok_or_else(|| {
                let found = format!(
                    "found the columns {}, expected '{name}' of {option}",
                    header.fields.join(", ")
                );
                PointsError::at(header.line, found)
            })
        };
        let first = |known: &[&str]| {
            let mut known = known.iter();
            known.find_map(|known| names.iter().position(|name| split_unit(name).0 == *known))
        };
        let missing = |what: &str, option: &str| {
            let found = header.fields.join(", ");
            let message =
                format!("found the columns {found}, expected one of {what}; name it with {option}");
            PointsError::at(header.line, message)
        };
        let threads = chosen(&choice.threads, "--threads-column")?.or_else(|| first(&THREADS));
        let threads =
            threads.ok_or_else(|| missing("thread counts, such as threads", "--threads-column"))?;
        let time = chosen(&choice.time, "--time-column")?.or_else(|| first(&TIMES));
        let time = time.ok_or_else(|| missing("times, such as time", "--time-column"))?;
        let of_header = split_unit(&names[time]).1;
        let unit = choice.unit.or(of_header).unwrap_or(Unit::Seconds);
        let curve = chosen(&choice.curve, "--curve")?;
        Ok(Self { names, threads, time, unit, curve })
    }

    fn point(&self, row: &Row) -> Result<Measured, PointsError> {
        if row.fields.len() != self.names.len() {
            let found = row.fields.len();
            let expected = self.names.len();
            let message = format!("found {found} fields, expected {expected} as in the header");
            return Err(PointsError::at(row.line, message));
        }
        let field = |at: usize| row.fields[at].trim();
        let count = threads(row.line, &self.names[self.threads], field(self.threads))?;
        let name = &self.names[self.time];
        let time: f64 = field(self.time).parse().map_err(|_| {
            let found = field(self.time);
            let message = format!(
                "found '{found}' as {name}, expected a number: write the unit into the header, as in time_ms"
            );
            PointsError::at(row.line, message)
        })?;
        let mut point =
            Measured::new(row.line, count, vec![seconds(row.line, name, time, self.unit)?]);
        point.curve = self
            .curve
            .map(|at| Parameter { name: self.names[at].clone(), value: field(at).to_owned() });
        Ok(point)
    }

    /// Refuses two rows of a thread count that another column tells apart: they may be of two curves.
    fn check_repetition(&self, first: &Row, row: &Row, count: usize) -> Result<(), PointsError> {
        for (at, name) in self.names.iter().enumerate() {
            let may_differ = at == self.time || MAY_DIFFER.contains(&split_unit(name).0);
            if !may_differ && first.fields[at] != row.fields[at] {
                // As a shell takes it: headers have blanks.
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

/// The name and the unit in a header such as `time_ms`, `time (ms)` or `time [ms]`.
fn split_unit(header: &str) -> (&str, Option<Unit>) {
    let bare = header.trim_end_matches([')', ']']);
    let parts = bare.rsplit_once(['(', '[', '_', ' ']);
    // `time_min` may be the least time: minutes need the option.
    let unit = |unit| Unit::find(unit).filter(|unit| *unit != Unit::Minutes);
    match parts.and_then(|(name, text)| Some((name, unit(text)?))) {
        Some((name, unit)) => (name.trim_end_matches([' ', '_', '(', '[']), Some(unit)),
        None => (header, None),
    }
}

/// The rows of `text`. Empty lines and lines that begin with `#` are left out.
fn rows(text: &str) -> Result<Vec<Row>, PointsError> {
    let delimiter = delimiter(text);
    let mut rows = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let (row, after) = row(rest, line, delimiter)?;
        let taken = &rest[..rest.len() - after.len()];
        let is_empty = taken.trim().is_empty() || taken.starts_with('#');
        line += taken.matches('\n').count();
        rest = after;
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

/// The row at the beginning of `text`, and the text behind it.
fn row(text: &str, line: usize, delimiter: char) -> Result<(Row, &str), PointsError> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let field = fields.last_mut().expect("there is a field");
        match character {
            '"' if is_quoted && characters.next_if(|next| next.1 == '"').is_some() => {
                field.push('"')
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
