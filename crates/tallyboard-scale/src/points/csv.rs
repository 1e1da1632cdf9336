//! Tables with a header: a column of thread counts, and one of times, rates or speed-ups. Rows with the same thread count
//! are repetitions, unless another column tells them apart. A wide table has a column for each thread count. JMH's and
//! Google Benchmark's tables are known by their headers.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{
    column_of_times, is_rate, is_size, is_speedup, is_workers_of_each, rank_of_workers,
    several_times, split_unit, threads_of_command, threads_of_wide_column,
};
use super::json::google_benchmark;
use super::rows::{Row, Table, delimiter, tables};
use super::terminal::refuse_threads_of_google;
use super::{MeasuredPoint, Points, PointsError, Quantity, ReadOptions, Reader, Unit, threads};
use crate::report::Parameter;

/// Headers of columns in which repetitions of one thread count may differ, or the last words of such headers.
const REPETITION_HEADERS: &str = "run round repetition rep iteration iterations index command mean median stddev \
    user system min max cpu_time speedup efficiency relative date";
/// The first headers of JMH's table, and of Google Benchmark's, which stands behind lines about the machine.
const JMH: [&str; 3] = ["benchmark", "mode", "threads"];
const GOOGLE: [&str; 3] = ["name", "iterations", "real_time"];

/// What the figures of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    /// Times.
    Time,
    /// Work per second: the inverse is a time.
    Rate,
    /// Speed-ups: the inverse is the time in multiples of that of one thread.
    Speedup,
}

/// The columns of a file, and the indices of those that are read.
struct Columns {
    /// All headers, in small letters.
    names: Vec<String>,
    threads: usize,
    value: usize,
    figure: Figure,
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
    let mut tables = tables(text)?;
    let has_commas = delimiter(text) == Some(';');
    if let [Table { rows, .. }] = &mut tables[..] {
        return match rows.iter().position(|row| row.begins_with(GOOGLE)) {
            Some(at) => google(&rows[at..], options),
            None => Ok(table(std::mem::take(rows), options, has_commas)?.0),
        };
    }
    let mut points = Points { tool: "tables".to_owned(), ..Points::default() };
    let mut read = Vec::new();
    let mut unread = None;
    for Table { title, rows } in tables {
        let line = rows[0].line;
        match table(rows, options, has_commas) {
            Ok((found, figure)) => read.push((line, title, found, figure)),
            // Its header says that it is no table of times.
            Err(error) if error.line == Some(line) => {
                let why = &error.message;
                points.left_out.push(format!("the table in line {line}: {why}"));
                unread.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    let has_times = read.iter().any(|(.., figure)| *figure != Figure::Speedup);
    let of_times = |figure: Figure| figure != Figure::Speedup || !has_times;
    let is_only = read.iter().filter(|(.., figure)| of_times(*figure)).count() == 1;
    for (line, title, found, figure) in read {
        if !of_times(figure) {
            let why = "its figures are speed-ups, and another table has times";
            points.left_out.push(format!("the table in line {line}: {why}"));
            continue;
        }
        let title = title.unwrap_or_else(|| format!("line {line}"));
        for told in found.told {
            if !points.told.contains(&told) {
                points.told.push(told);
            }
        }
        points.measured.extend(found.measured.into_iter().map(|point| match is_only {
            true => point,
            false => of_table(&title, point),
        }));
    }
    match unread.filter(|_| points.measured.is_empty()) {
        Some(error) => Err(error),
        None => Ok(points),
    }
}

/// A point of the table `title`, which is one of several.
fn of_table(title: &str, mut point: MeasuredPoint) -> MeasuredPoint {
    point.parameter = Some(match point.parameter {
        None => Parameter { name: "table".to_owned(), value: title.to_owned() },
        Some(Parameter { name, value }) => {
            Parameter { name: format!("table, {name}"), value: format!("{title}, {value}") }
        }
    });
    point
}

/// The points of a table, and what its figures are.
fn table(
    mut rows: Vec<Row>,
    options: &ReadOptions,
    has_commas: bool,
) -> Result<(Points, Figure), PointsError> {
    let mut told = Vec::new();
    let wide = narrowed(&rows, options, &mut told)?;
    let is_wide = wide.is_some();
    rows = wide.unwrap_or(rows);
    count_threads_of_commands(&mut rows, options);
    let Some((header, rows)) = rows.split_first() else {
        return Err(PointsError::of_file("found no header, expected one such as threads,time"));
    };
    refuse_perf(header, rows)?;
    // Files that were joined have the header again.
    let rows: Vec<&Row> = rows.iter().filter(|row| row.fields != header.fields).collect();
    let mut columns = Columns::find(header, options, has_commas)?;
    if options.curve.is_none() && !columns.is_jmh {
        columns.curve = columns.curves(&rows, is_wide);
    }
    columns.check_products(&rows)?;
    told.extend(columns.joined_words(&rows));
    let mut measured = columns.points(&rows)?;
    if columns.figure == Figure::Rate {
        told.push(format!(
            "{} is higher if faster: its inverse is the time",
            columns.names[columns.value]
        ));
    }
    if columns.figure == Figure::Speedup {
        told.push("the file has speed-ups and no times: times are in multiples of that of one thread, shown as 1 s".to_owned());
        add_one_thread(&mut measured);
    }
    if options.scaling.is_none()
        && let Some(size) = columns.growing_size(&rows)
    {
        told.push(format!(
            "{} grows as the threads do, so this is weak scaling; --strong takes the times as those of equal work",
            columns.names[size]
        ));
        measured.iter_mut().for_each(|point| point.is_weak = true);
    }
    let tool = if columns.is_jmh { "JMH" } else { "CSV" };
    let points = Points { tool: tool.to_owned(), measured, told, ..Points::default() };
    Ok((points, columns.figure))
}

/// The rows of a wide table with a row for each thread count; `None` if it is no wide table. The columns that hold no
/// thread count tell its rows apart.
fn narrowed(
    rows: &[Row],
    options: &ReadOptions,
    told: &mut Vec<String>,
) -> Result<Option<Vec<Row>>, PointsError> {
    let Some((header, rows)) = rows.split_first() else { return Ok(None) };
    let lower = |name: &String| name.trim().to_lowercase();
    let wide: Vec<Option<(usize, String)>> =
        header.fields.iter().map(|name| threads_of_wide_column(&lower(name))).collect();
    let named: BTreeSet<&str> = wide.iter().flatten().map(|(_, around)| &**around).collect();
    let counts: Vec<usize> = wide.iter().flatten().map(|(threads, _)| *threads).collect();
    let others: Vec<usize> = (0..wide.len()).filter(|&at| wide[at].is_none()).collect();
    let has_own_column =
        others.iter().any(|&at| rank_of_workers(&lower(&header.fields[at])).is_some());
    // Plain numbers as headers mean threads only behind a header that says so, which is the only one that is none.
    let is_plain = named.contains("s");
    let is_of_counts = if is_plain { has_own_column && others == [0] } else { !has_own_column };
    if counts.len() < 2 || named.len() != 1 || !counts.is_sorted() || !is_of_counts {
        return Ok(None);
    }
    let mut value = "time";
    if options.unit.is_none() && are_speedups(header, rows, &wide)? {
        value = "speedup";
        if wide.iter().flatten().any(|(threads, _)| *threads == 1) {
            told.push(
                "one thread has 1 in every row, so these are speed-ups; --unit takes them as times"
                    .to_owned(),
            );
        }
    }
    let mut fields: Vec<String> = others.iter().map(|&at| header.fields[at].clone()).collect();
    if is_plain {
        fields.iter_mut().for_each(|field| *field = "curve".to_owned());
    }
    fields.extend(["threads", value].map(str::to_owned));
    let mut narrow = vec![Row { line: header.line, fields }];
    for row in rows {
        if row.fields.len() != wide.len() {
            let (found, expected) = (row.fields.len(), wide.len());
            let message = format!("found {found} fields, expected {expected} as in the header");
            return Err(PointsError::at(row.line, message));
        }
        for (at, column) in wide.iter().enumerate() {
            let Some((threads, _)) = column else { continue };
            let mut fields: Vec<String> = others.iter().map(|&at| row.fields[at].clone()).collect();
            fields.extend([threads.to_string(), row.fields[at].clone()]);
            narrow.push(Row { line: row.line, fields });
        }
    }
    Ok(Some(narrow))
}

/// Whether the figures of a wide table are speed-ups: all end with `x`, or one thread has 1 in every row, and most others
/// are above it.
fn are_speedups(
    header: &Row,
    rows: &[Row],
    wide: &[Option<(usize, String)>],
) -> Result<bool, PointsError> {
    let mut of_several = Vec::new();
    let cells = || rows.iter().flat_map(|row| wide.iter().zip(&row.fields));
    let is_times = |field: &str| field.trim().ends_with(['x', '×']);
    if !rows.is_empty() && cells().all(|(column, field)| column.is_none() || is_times(field)) {
        return Ok(true);
    }
    for row in rows {
        for (column, field) in wide.iter().zip(&row.fields) {
            match (column, field.trim().parse::<f64>()) {
                (Some((1, _)), figure) if figure != Ok(1.0) => return Ok(false),
                (Some((2.., _)), Ok(figure)) => of_several.push(figure),
                _ => {}
            }
        }
    }
    let has_one = wide.iter().flatten().any(|(threads, _)| *threads == 1);
    let above = of_several.iter().filter(|figure| **figure > 1.0).count();
    if has_one && 2 * above < of_several.len() {
        return Err(PointsError::at(
            header.line,
            "found 1 for one thread in every row, expected times, or speed-ups of which most are above 1: write rows with the header threads,time or threads,speedup",
        ));
    }
    Ok(has_one)
}

/// Adds a column of thread counts, if there is none and the commands or benchmarks of all rows name them.
fn count_threads_of_commands(rows: &mut [Row], options: &ReadOptions) {
    let Some((header, rows)) = rows.split_first_mut() else { return };
    let lower: Vec<String> = header.fields.iter().map(|it| it.trim().to_lowercase()).collect();
    let has_threads =
        options.threads.is_some() || lower.iter().any(|it| rank_of_workers(it).is_some());
    let command = lower.iter().position(|name| ["command", "benchmark", "name"].contains(&&**name));
    let Some(command) = command.filter(|_| !has_threads) else { return };
    let found = rows.iter().map(|row| threads_of_command(row.fields.get(command)?));
    let Some(found) = found.collect::<Option<Vec<_>>>() else { return };
    header.fields.push("threads".to_owned());
    for (row, (threads, command_without)) in rows.iter_mut().zip(found) {
        row.fields[command] = command_without;
        row.fields.push(threads.to_string());
    }
}

/// Refuses a table of what perf counts, whose figures are no wall times.
fn refuse_perf(header: &Row, rows: &[Row]) -> Result<(), PointsError> {
    const EVENTS: [&str; 4] = ["task-clock", "cpu-clock", "cycles", "instructions"];
    let event = header.fields.iter().position(|name| name.trim().eq_ignore_ascii_case("event"));
    let is_of_perf = |row: &Row| {
        event.and_then(|at| row.fields.get(at)).is_some_and(|name| EVENTS.contains(&name.trim()))
    };
    match rows.iter().find(|row| is_of_perf(row)) {
        Some(row) => Err(PointsError::at(row.line, super::NO_WALL_TIME_OF_PERF)),
        None => Ok(()),
    }
}

/// Adds the speed-up of one thread over itself to each curve that lacks it.
fn add_one_thread(measured: &mut Vec<MeasuredPoint>) {
    let mut curves: Vec<MeasuredPoint> = Vec::new();
    for point in measured.iter() {
        if !curves.iter().any(|curve| curve.parameter == point.parameter) {
            curves.push(point.clone());
        }
    }
    for curve in curves {
        let one = MeasuredPoint { threads: 1, times: vec![1.0], ..curve };
        if !measured.iter().any(|point| point.has_same_key(&one)) {
            measured.push(one);
        }
    }
}

/// Google Benchmark's `--benchmark_out_format=csv`; the first of `rows` is the header. It lacks the version, by which alone
/// the time of `->Threads(p)` is known.
fn google(rows: &[Row], options: &ReadOptions) -> Result<Points, PointsError> {
    const HOW: &str = "use --benchmark_out_format=json";
    let mut reader = Reader::new("Google Benchmark", HOW, options);
    let names: Vec<&str> = rows[0].fields.iter().map(|field| field.trim()).collect();
    let column = |name: &str| names.iter().position(|found| *found == name);
    let (unit_column, error_column) = (column("time_unit"), column("error_message"));
    let mut aggregate = None;
    for row in &rows[1..] {
        let field =
            |column: Option<usize>| column.and_then(|at| row.fields.get(at)).map_or("", |it| it);
        let full = row.fields[0].as_str();
        let is_of = |end: &&&str| full.ends_with(**end);
        let is_aggregate = ["_mean", "_median", "_stddev", "_cv"].iter().find(is_of).is_some();
        if is_aggregate {
            aggregate = aggregate.or(Some((row.line, full)));
            continue;
        }
        let mut benchmark = google_benchmark(row.line, full);
        if !field(error_column).is_empty() {
            reader.leave_out(row.line, format!("{full} failed ({})", field(error_column)));
            continue;
        }
        refuse_threads_of_google(row.line, full, "a CSV", "--benchmark_out_format=json")?;
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
    match aggregate.filter(|_| reader.measured.is_empty() && reader.left_out.is_empty()) {
        Some((line, name)) => Err(PointsError::at(
            line,
            format!(
                "found only aggregates such as {name}, expected the runs: leave out --benchmark_report_aggregates_only, and {HOW}"
            ),
        )),
        None => reader.finish(),
    }
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
    /// The columns that the options name, or else those with known headers. The error names all that are missing.
    fn find(header: &Row, options: &ReadOptions, has_commas: bool) -> Result<Self, PointsError> {
        let names: Vec<String> =
            header.fields.iter().map(|field| field.trim().to_lowercase()).collect();
        let named = |name: &Option<String>, option: &str| {
            name.as_ref().map(|name| named_column(header, &names, name, option)).transpose()
        };
        let ranks = names.iter().enumerate();
        let ranks = ranks.filter_map(|(at, name)| Some((rank_of_workers(split_unit(name).0)?, at)));
        let threads = named(&options.threads, "--threads-column")?.or(ranks.min().map(|it| it.1));
        let of = |is_of: fn(&str) -> bool, figure| {
            let at = (0..names.len()).find(|&at| Some(at) != threads && is_of(&names[at]));
            at.map(|at| (at, figure))
        };
        let time = named(&options.time, "--time-column")?.map(|at| (at, Figure::Time));
        let rate = named(&options.rate, "--rate-column")?.map(|at| (at, Figure::Rate));
        let value = time.or(rate).or_else(|| Some((column_of_times(&names)?, Figure::Time)));
        let value = value.or_else(|| of(is_rate, Figure::Rate));
        let value = value.or_else(|| of(is_speedup, Figure::Speedup));
        let (Some(threads), Some((value, figure))) = (threads, value) else {
            let mut missing = Vec::new();
            if threads.is_none() {
                missing
                    .push("one of thread counts, such as threads (name it with --threads-column)");
            }
            if value.is_none() {
                missing.push("one of times, such as time (name it with --time-column, or with --rate-column if higher is better)");
            }
            let expected = missing.join(" and ");
            let is_number = |name: &String| name.parse::<f64>().is_ok();
            let found = match names.iter().all(is_number) {
                true => "numbers and no names of columns".to_owned(),
                false => format!("the columns {}", header.fields.join(", ")),
            };
            let several = several_times(&names).filter(|_| value.is_none());
            let several = several.map_or_else(String::new, |all| {
                format!("; {} may each be times", all.join(" and "))
            });
            return Err(PointsError::at(
                header.line,
                format!("found {found}, expected {expected}{several}"),
            ));
        };
        let unit = options.unit.or(split_unit(&names[value]).1);
        // hyperfine's time_wall_clock_mean has its unit in time_wall_clock_unit.
        let stem = names[value].rsplit_once('_').map_or("time", |(stem, _)| stem);
        let units = ["unit".to_owned(), "time_unit".to_owned(), format!("{stem}_unit")];
        let unit_column = names.iter().position(|name| units.contains(name));
        let is_jmh = header.begins_with(JMH);
        let is_of_curve =
            |name: &String| name == JMH[0] || name == JMH[1] || name.starts_with("param:");
        let curve = match &options.curve {
            Some(name) => vec![named_column(header, &names, name, "--curve")?],
            None if is_jmh => (0..names.len()).filter(|&at| is_of_curve(&names[at])).collect(),
            None => Vec::new(),
        };
        let has_commas = has_commas || is_jmh;
        Ok(Self { names, threads, value, figure, unit, unit_column, curve, is_jmh, has_commas })
    }

    /// The columns that tell rows of one thread count apart and hold words or a second number of workers, as processes
    /// beside threads, if each curve has several thread counts then. All other columns of a wide table
    /// tell its rows apart.
    fn curves(&self, rows: &[&Row], is_wide: bool) -> Vec<usize> {
        let field = |row: &Row, at: usize| row.fields.get(at).map_or("", |it| it.trim()).to_owned();
        let is_word = |at: usize| {
            let mut fields = rows.iter().map(|row| field(row, at));
            rank_of_workers(&self.names[at]).is_some()
                || fields.all(|it| it.chars().any(char::is_alphabetic))
        };
        let differs = |at: usize| {
            let mut first = BTreeMap::new();
            rows.iter().any(|row| {
                let known = first.entry(field(row, self.threads)).or_insert_with(|| field(row, at));
                *known != field(row, at)
            })
        };
        let others = (0..self.names.len())
            .filter(|at| *at != self.threads && *at != self.value && Some(*at) != self.unit_column);
        let columns: Vec<usize> =
            others.filter(|&at| (is_wide || is_word(at)) && differs(at)).collect();
        // What is derived from the times, as a best speed-up, tells the rows of a wide table apart too.
        let tells_all = |at: &&usize| {
            let mut seen = BTreeSet::new();
            rows.iter().all(|row| seen.insert((field(row, **at), field(row, self.threads))))
        };
        if let Some(at) = columns.iter().find(tells_all).filter(|_| is_wide) {
            return vec![*at];
        }
        let mut counts: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
        for row in rows {
            let curve = columns.iter().map(|&at| field(row, at)).collect();
            counts.entry(curve).or_default().insert(field(row, self.threads));
        }
        if counts.values().all(|counts| counts.len() > 1) { columns } else { Vec::new() }
    }

    /// Refuses rows with several numbers of threads for each rank, or the like: the workers are a product.
    fn check_products(&self, rows: &[&Row]) -> Result<(), PointsError> {
        for (at, name) in self.names.iter().enumerate() {
            let Some(first) = rows.first().filter(|_| is_workers_of_each(name)) else { continue };
            let is_read = at == self.threads || self.curve.contains(&at);
            let other = rows.iter().find(|row| row.fields.get(at) != first.fields.get(at));
            if let Some(other) = other.filter(|_| !is_read) {
                let message = format!(
                    "found another {name} than in line {}, so that the workers are a product, expected one number of them: write a column threads with all workers",
                    first.line
                );
                return Err(PointsError::at(other.line, message));
            }
        }
        Ok(())
    }

    /// What to say of columns of words that tell several kinds of rows apart, but no curves with several thread counts.
    fn joined_words(&self, rows: &[&Row]) -> Option<String> {
        let is_of_kinds = |at: &usize| {
            let values: BTreeSet<&str> =
                rows.iter().filter_map(|row| Some(row.fields.get(*at)?.trim())).collect();
            let are_words = values.iter().all(|it| it.contains(char::is_alphabetic));
            are_words && values.len() > 1 && values.len() < rows.len()
        };
        let is_used = |at: usize| {
            at == self.threads
                || at == self.value
                || self.curve.contains(&at)
                || Some(at) == self.unit_column
        };
        let kinds = (0..self.names.len()).filter(|&at| {
            !is_used(at) && !may_differ_in_repetitions(&self.names[at]) && is_of_kinds(&at)
        });
        let kinds: Vec<&str> = kinds.map(|at| &*self.names[at]).collect();
        let first = kinds.first()?;
        let all = kinds.join(", ");
        Some(format!(
            "all rows are taken as one curve, though they differ in {all}: --curve '{first}' tells curves apart"
        ))
    }

    /// A column of sizes that is the same multiple of the threads in every row.
    fn growing_size(&self, rows: &[&Row]) -> Option<usize> {
        let per_thread = |row: &Row, at: usize| {
            let of = |at: usize| row.fields[at].trim().parse::<f64>().ok();
            Some(of(at)? / of(self.threads)?)
        };
        let has_several =
            rows.iter().any(|row| row.fields[self.threads] != rows[0].fields[self.threads]);
        (0..self.names.len()).find(|&at| {
            let first = rows.first().and_then(|row| per_thread(row, at));
            let is_growing = |first: f64| {
                rows.iter().all(|row| {
                    per_thread(row, at).is_some_and(|it| (it / first - 1.0).abs() < 1e-9)
                })
            };
            at != self.threads
                && at != self.value
                && has_several
                && is_size(&self.names[at])
                && first.is_some_and(is_growing)
        })
    }

    /// The points of all rows, with repetitions joined.
    fn points(&self, rows: &[&Row]) -> Result<Vec<MeasuredPoint>, PointsError> {
        let mut rows_of_points: Vec<RowsOfPoint> = Vec::new();
        for row in rows {
            let point = self.point(row)?;
            let known = rows_of_points.iter_mut().find(|known| known.point.has_same_key(&point));
            match known {
                Some(known) => {
                    self.check_repetition(known.first, row, point.threads)?;
                    known.point.times.extend(point.times);
                    known.second_line.get_or_insert(row.line);
                }
                None => rows_of_points.push(RowsOfPoint { point, first: row, second_line: None }),
            }
        }
        check_numbers_of_rows(&rows_of_points)?;
        Ok(rows_of_points.into_iter().map(|rows| rows.point).collect())
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
        let name = &self.names[self.value];
        let found = field(self.value);
        // Behind a time may stand its spread, and behind both the unit, as in 1.5 ms ± 0.1 ms.
        let found = found.split(['±']).next().unwrap_or(found).trim();
        // A time may have its unit behind it, as in 1.5 ms.
        let digits = found.trim_end_matches(|letter: char| letter.is_alphabetic());
        // No number is a word such as NaN.
        let digits = if digits.contains(|it: char| it.is_ascii_digit()) { digits } else { found };
        let own = found[digits.len()..].trim();
        let beside = self.unit_column.map(field).filter(|unit| !unit.is_empty());
        let quantity = match (self.figure, self.unit, [own, beside.unwrap_or_default()]) {
            // The inverse of a rate or a speed-up is a time of some unit of work.
            (Figure::Rate | Figure::Speedup, ..) => {
                Some(Quantity { unit: Unit::Seconds, is_rate: true })
            }
            (Figure::Time, Some(unit), ["", _]) => Some(Quantity { unit, is_rate: false }),
            (Figure::Time, None, ["", ""]) => {
                Some(Quantity { unit: Unit::Seconds, is_rate: false })
            }
            (Figure::Time, None, ["", unit]) | (Figure::Time, _, [unit, _]) => {
                Quantity::from_name(unit)
            }
        };
        let quantity = quantity.ok_or_else(|| {
            let unit = if own.is_empty() { beside.unwrap_or_default() } else { own };
            let message = format!("found the unit '{unit}' of {name}, expected ns, us, ms, s or min, as in ms/op or ops/s");
            PointsError::at(row.line, message)
        })?;
        let value = number(row.line, name, digits.trim(), self.has_commas)?;
        let mut time = quantity.seconds(row.line, name, value)?;
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
            let may_differ = column == self.value || self.is_jmh || may_differ_in_repetitions(name);
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

/// Whether repetitions of one thread count may differ in the column `name`.
fn may_differ_in_repetitions(name: &str) -> bool {
    let bare = split_unit(name).0;
    let is_repetition = |header| header == bare || bare.rsplit('_').next() == Some(header);
    REPETITION_HEADERS.split_whitespace().any(is_repetition)
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
