//! The report as text for a terminal: all of it, or what fits on a screen.

use std::fmt::Write as _;

use crate::cells::{Table, columns, interval, or_dash, scientific, serial, two_decimals};
use crate::counters::{bandwidth, clock};
use crate::laws::{Fit, FitOutcome, HalfBounded, Law};
use crate::report::{Point, Report, Scaling, Subject};
use crate::sentence::Topic;
use tallyboard_base::figures::{
    counted, grouped, memory_size, percent, seconds, small_memory_size, with_prefix,
};

struct Column {
    name: String,
    /// Whether it is part of the table that fits on a screen.
    is_brief: bool,
    cell: fn(&Point) -> String,
}

pub(crate) fn points(report: &Report) -> Table {
    with_columns(report, &columns_of_points(report))
}

/// The table with the columns that fit on a screen.
pub(crate) fn brief_points(report: &Report) -> Table {
    let mut columns = columns_of_points(report);
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
fn columns_of_points(report: &Report) -> Vec<Column> {
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

/// Heading of the table of the processor's counters.
pub(crate) const COUNTERS: &str = "What the processor counted";
/// Heading of the table of POP's efficiencies.
pub(crate) const POP: &str = "Efficiencies of the POP Centre of Excellence";
/// Heading of the table of the machine's capacity.
pub(crate) const CAPACITY: &str = "What the machine can deliver";

/// The whole report; ends with a newline.
pub fn render(report: &Report) -> String {
    let subject = &report.subject;
    let mut out = heading(report) + &origin(subject);
    if let Some(why) = subject.conditions.describe_uncounted() {
        let _ = writeln!(out, "counters   {why}");
    }
    out.push('\n');
    out += &points(report).grid();
    if report.results.iter().any(|point| point.losses.is_some()) {
        let _ = writeln!(out, "\n{}", losses_heading(report));
        out += &losses(report).grid();
    }
    if let Some(pop) = pop(report) {
        let _ = write!(out, "\n{POP}\n{}", pop.grid());
    }
    if let Some(counts) = counts(report) {
        let _ = write!(out, "\n{COUNTERS}\n{}", counts.grid());
    }
    if let Some(ceilings) = ceilings(report) {
        let _ = write!(out, "\n{CAPACITY}\n{}", ceilings.grid());
    }
    if report.forecast.is_some() {
        out += "\nPredicted from the pieces of one thread\n";
        out += &forecast(report).grid();
    }
    out.push('\n');
    for model in &report.models {
        let _ = writeln!(out, "{}", law(model));
    }
    out.push('\n');
    for sentence in &report.explanation {
        let _ = writeln!(out, "{sentence}");
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    out
}

/// One line: what was measured, and how the work depends on the threads.
pub(crate) fn heading(report: &Report) -> String {
    let scaling = match report.subject.scaling {
        Scaling::Strong => "strong scaling: equal work for all thread counts",
        Scaling::Weak => "weak scaling: p times the work with p threads",
    };
    // Curves of one file have its name in common.
    let subject = &report.subject;
    let curve = subject.parameter.as_ref().filter(|_| subject.source.is_some());
    let curve = curve.map_or_else(String::new, |it| format!(", {} = {}", it.name, it.value));
    format!("{}{curve} ({scaling})\n", subject.problem)
}

/// The machine, its conditions and the method, a line each; or where the times are from.
fn origin(subject: &Subject) -> String {
    if let Some(source) = &subject.source {
        return format!("source     {}\n", source.describe());
    }
    format!(
        "machine    {}\nmeanwhile  {}\n{}{}\n",
        subject.machine.describe(),
        subject.conditions.describe(),
        if subject.is_command() { "measured   " } else { "kernel     " },
        subject.method(","),
    )
}

/// The heading of the losses: of workers or of a command's threads.
pub(crate) fn losses_heading(report: &Report) -> &'static str {
    match report.has_workers() {
        true => "Where the workers' time went",
        false => "Where the threads' time went",
    }
}

pub(crate) fn losses(report: &Report) -> Table {
    let of_workers = match report.has_workers() {
        true => " | helpers | subtrees | pieces | longest piece (wall)",
        false => "",
    };
    let header =
        format!("threads | useful | slowdown | preempted | serial | gaps | tail{of_workers}");
    Table::new(columns(&header), report.results.iter().filter_map(losses_row))
}

fn losses_row(point: &Point) -> Option<Vec<String>> {
    let mut cells = vec![grouped(point.threads)];
    cells.extend(point.losses?.parts().map(|(_, share)| percent(share)));
    if let Some(workers) = &point.workers {
        let pieces: usize = workers.loads.iter().map(|load| load.pieces).sum();
        cells.extend([
            or_dash(point.helpers, percent),
            grouped(workers.subtrees()),
            grouped(pieces),
            seconds(workers.longest()),
        ]);
    }
    Some(cells)
}

/// The table of POP's efficiencies, if it is known where the time went. An efficiency that is known of no thread count has
/// no column.
pub(crate) fn pop(report: &Report) -> Option<Table> {
    let points =
        report.results.iter().filter_map(|point| Some((point.threads, point.pop?.parts())));
    let points: Vec<_> = points.collect();
    let (_, first) = points.first()?;
    let known: Vec<usize> = (0..first.len())
        .filter(|&column| points.iter().any(|(_, parts)| parts[column].1.is_some()))
        .collect();
    let names = known.iter().map(|&column| first[column].0.to_owned());
    let rows = points.iter().map(|(threads, parts)| {
        let shares = known.iter().map(|&column| or_dash(parts[column].1, percent));
        std::iter::once(grouped(*threads)).chain(shares).collect::<Vec<_>>()
    });
    Some(Table::new(std::iter::once("threads".to_owned()).chain(names).collect(), rows))
}

/// The table of the processor's counters, if they were read.
pub(crate) fn counts(report: &Report) -> Option<Table> {
    let from = past_cache(report).unwrap_or_else(|| " from memory".to_owned());
    let header = format!(
        "threads | instructions | instructions per cycle | misses per 1,000 instructions | clock | reads{from}"
    );
    let line_bytes = report.subject.machine.line_bytes();
    let rows = report.results.iter().filter_map(|p| {
        let counts = p.counts?;
        Some([
            grouped(p.threads),
            with_prefix(counts.instructions as f64),
            two_decimals(counts.instructions_per_cycle()),
            two_decimals(counts.misses_per_thousand()),
            clock(counts.hertz()),
            or_dash(p.read_rate(line_bytes), bandwidth),
        ])
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| Table::new(columns(&header), rows))
}

/// What to add to `reads` where a counted miss need not be a read from memory.
fn past_cache(report: &Report) -> Option<String> {
    report.subject.machine.missed_cache().map(|cache| format!(" past {cache}"))
}

/// The table of the machine's capacity, if it was measured, and of what the work uses of it.
pub(crate) fn ceilings(report: &Report) -> Option<Table> {
    let ceilings = &report.subject.conditions.ceilings;
    let first = ceilings.first()?;
    let past_cache = past_cache(report).unwrap_or_default();
    let mut header =
        columns(&format!("threads | clock | memory delivers | this work reads{past_cache}"));
    let caches = first.before.latencies.iter().map(|(bytes, _)| *bytes);
    header.extend(caches.map(|bytes| format!("a read beyond {}", small_memory_size(bytes))));
    let line_bytes = report.subject.machine.line_bytes();
    let rows = ceilings.iter().map(|ceiling| {
        let capacity = ceiling.best();
        let point = report.point(ceiling.threads);
        let read = point.and_then(|point| point.read_rate(line_bytes));
        let figures = [
            grouped(ceiling.threads),
            clock(capacity.hertz),
            bandwidth(capacity.bytes_per_second),
            or_dash(read, bandwidth),
        ];
        let latencies = capacity.latencies.iter().map(|(_, latency)| seconds(*latency));
        figures.into_iter().chain(latencies).collect::<Vec<_>>()
    });
    Some(Table::new(header, rows))
}

pub(crate) fn forecast(report: &Report) -> Table {
    // Memory that does not grow needs no column.
    let memory = report.memory.filter(|memory| memory.grows(report.most_threads()));
    let of_memory = if memory.is_some() { " | memory" } else { "" };
    let header = format!("cores | predicted | speed-up | efficiency | measured{of_memory}");
    let points = report.forecast.iter().flat_map(|forecast| &forecast.points);
    let rows = points.map(|predicted| {
        let measured = report.point(predicted.threads);
        let cells = [
            grouped(predicted.threads),
            seconds(predicted.seconds),
            two_decimals(predicted.speedup),
            percent(predicted.speedup / predicted.threads as f64),
            or_dash(measured, |point| seconds(point.median)),
        ];
        let bytes = memory.map(|memory| memory_size(memory.at(predicted.threads) as u64));
        cells.into_iter().chain(bytes).collect::<Vec<_>>()
    });
    Table::new(columns(&header), rows)
}

/// The table of each worker, at the point with the most threads that have a processor each.
pub(crate) fn workers(report: &Report) -> Table {
    let header = "worker | busy | had a processor | gaps | tail | subtrees | pieces \
        | longest piece (wall)";
    let workers = report.main_point().and_then(|point| point.workers.as_ref());
    let loads = workers.iter().flat_map(|workers| workers.loads.iter().enumerate());
    let rows = loads.map(|(number, load)| {
        [
            grouped(number),
            seconds(load.busy),
            or_dash(load.cpu.filter(|_| load.busy > 0.0), |cpu| percent(cpu / load.busy)),
            seconds(load.gaps),
            seconds(load.tail),
            grouped(load.subtrees),
            grouped(load.pieces),
            seconds(load.longest),
        ]
    });
    Table::new(columns(header), rows)
}

/// A law in words: its fit, or why there is none.
pub(crate) fn law(model: &FitOutcome) -> String {
    match model {
        FitOutcome::Fit(fit) => fitted(fit),
        FitOutcome::Refused(why) => format!("{}: not fitted: {}", why.law.name(), why.refused),
    }
}

fn fitted(fit: &Fit) -> String {
    let Fit { curve, errors, .. } = fit;
    let mut out = format!(
        "{}: T(1) {}{}, contention {}{} ({})",
        curve.law.name(),
        seconds(curve.one),
        plus_minus(errors.map(|errors| errors.one), seconds),
        serial(curve.contention),
        plus_minus(errors.map(|errors| errors.contention), serial),
        interval(fit.contention_interval, serial)
    );
    if curve.law == Law::Universal {
        let _ = write!(
            out,
            ", coherency {}{} ({}), peak {}",
            scientific(curve.coherency),
            plus_minus(errors.map(|errors| errors.coherency), scientific),
            interval(fit.coherency_interval, scientific),
            fit.peak.map_or_else(|| "none".into(), |threads| format!("at {threads:.0} threads")),
        );
        out += &half_bounded(fit.peak_interval, |threads| format!("{threads:.0}"));
    }
    // Above a contention of 1 several threads are slower than one, and the limit means nothing.
    if curve.law != Law::Gustafson && curve.contention <= 1.0 {
        let limit = match fit.limit {
            Some(limit) => format!("at most {}", two_decimals(limit)),
            None => "not limited".to_owned(),
        };
        let _ = write!(out, ", speed-up {limit}{}", half_bounded(fit.limit_interval, two_decimals));
    }
    let _ = write!(out, "; typical distance of the points {}", percent(fit.misfit));
    if !fit.unused.is_empty() {
        let unused: Vec<String> = fit.unused.iter().map(|&threads| grouped(threads)).collect();
        let unused = unused.join(" and ");
        let _ = write!(out, "; fitted without {unused} threads, more than there are processors");
    }
    for prediction in &fit.predictions {
        let (time, time_interval) = prediction.of_run(curve.law);
        let _ = write!(
            out,
            "; {}: {} ({}), speed-up {}",
            counted(prediction.threads, "thread"),
            seconds(time),
            interval(time_interval, seconds),
            two_decimals(prediction.speedup)
        );
    }
    out
}

/// A standard error behind the sign ±, or nothing.
fn plus_minus(error: Option<f64>, show: impl Fn(f64) -> String) -> String {
    error.map_or_else(String::new, |error| format!(" ± {}", show(error)))
}

/// An interval in brackets, or nothing.
fn half_bounded(interval: Option<HalfBounded>, show: impl Fn(f64) -> String) -> String {
    match interval {
        Some(HalfBounded { low, high: Some(high), .. }) => {
            format!(" ({} to {})", show(low), show(high))
        }
        Some(HalfBounded { low, high: None, .. }) => format!(" ({} or more)", show(low)),
        None => String::new(),
    }
}

/// Of the warnings beyond this number only the count is printed.
const MAX_WARNINGS: usize = 3;
/// Characters of the longest bar.
const BAR_WIDTH: usize = 32;

/// The report on one screen; ends with a newline.
pub fn brief(report: &Report) -> String {
    let mut out = heading(report) + "\n";
    for sentence in report.summary() {
        out += sentence;
        out.push('\n');
    }
    out.push('\n');
    out += &with_bars(report).grid();
    if report.subject.source.is_some() {
        out.push('\n');
        let laws = report.models.iter().map(|model| law(model) + "\n");
        out += &laws.collect::<String>();
        // Which of the laws is used.
        let which = report.explanation.iter().filter(|sentence| sentence.topic == Topic::Law);
        out += &which.map(|sentence| format!("{sentence}\n")).collect::<String>();
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
    let mut table = brief_points(report);
    // The heading is as wide as the bars: cells are right-aligned, so it begins where they do.
    table.0[0].push(format!("{:<BAR_WIDTH$}", "speed-up █, lost ░"));
    for (row, point) in table.0[1..].iter_mut().zip(&report.results) {
        row.push(bar(report, point));
    }
    table
}

/// The speed-up as a bar, and behind it what is missing to the ideal speed-up.
fn bar(report: &Report, point: &Point) -> String {
    let ideal_of = |point: &Point| point.threads as f64 / report.baseline() as f64;
    let speedups = report.results.iter().map(|point| point.speedup.max(ideal_of(point)));
    let scale = BAR_WIDTH as f64 / speedups.fold(1.0, f64::max);
    let reached = ((point.speedup * scale).round() as usize).min(BAR_WIDTH);
    let ideal = ((ideal_of(point) * scale).round() as usize).clamp(reached, BAR_WIDTH);
    "█".repeat(reached) + &"░".repeat(ideal - reached) + &" ".repeat(BAR_WIDTH - ideal)
}

/// The table and the comparison-free findings as Markdown, for a pull request.
pub fn markdown(report: &Report) -> String {
    let mut out = format!("**{}**\n\n{}\n", heading(report).trim_end(), points(report).markdown());
    for sentence in report.summary() {
        let _ = writeln!(out, "{sentence}  ");
    }
    for warning in report.warnings.iter().take(MAX_WARNINGS) {
        let _ = writeln!(out, "\n> {warning}");
    }
    out
}
