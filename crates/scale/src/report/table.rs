//! The report as text for a terminal.

use std::fmt::Write as _;

use super::{Report, Scaling};
use crate::ceiling::cache;
use crate::counters::{bandwidth, clock};
use crate::granularity::Granularity;
use crate::laws::Law;
use crate::model::{Fit, FitOutcome, OpenInterval};
use base::figures::{counted, grouped, percent, rate, seconds};
use base::statistics::Interval;

/// Heading of the table of the processor's counters.
pub(crate) const COUNTERS: &str = "What the processor counted";
/// Heading of the table of the machine's capacity.
pub(crate) const CAPACITY: &str = "What the machine can deliver";

/// The whole report; ends with a newline.
pub fn render(report: &Report) -> String {
    let subject = &report.subject;
    let scaling = match subject.scaling {
        Scaling::Strong => "strong scaling: equal work for all thread counts",
        Scaling::Weak => "weak scaling: p times the work with p threads",
    };
    let mut out = format!(
        "{} ({scaling})\nmachine    {}\nmeanwhile  {}\nkernel     {}\n",
        subject.problem,
        subject.machine.describe(),
        subject.conditions.describe(),
        subject.method(","),
    );
    if let Some(why) = subject.conditions.describe_uncounted() {
        let _ = writeln!(out, "counters   {why}");
    }
    out.push('\n');
    out += &points(report).grid();
    if report.results.iter().any(|p| p.losses.is_some()) {
        let _ = writeln!(out, "\n{}", lost_time(report));
        out += &losses(report).grid();
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
    if let Some(sweep) = &report.granularity {
        let _ = write!(out, "\n{}\n{}", sweep_heading(sweep), grains(sweep).grid());
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
        let width = |c: usize| self.0.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, &w)| format!("{cell:>w$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        self.0.iter().map(line).collect()
    }
}

/// The names in `one | two | three`.
fn columns(names: &str) -> Vec<String> {
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

/// A serial share. Above 100 %, several threads were slower than one, and the figure means nothing.
fn serial(share: f64) -> String {
    if share > 1.0 { "over 100 %".into() } else { percent(share) }
}

/// The main table.
pub(crate) fn points(report: &Report) -> Table {
    let name = report.interval_name();
    let header = &format!(
        "threads | median | {name} | ± | speed-up | {name} | efficiency | serial fraction | CPU time"
    );
    let rate_name = report.rate_name();
    let header = [columns(header), rate_name.iter().cloned().collect()].concat();
    let row = |p: &super::Point| {
        let cells = [
            grouped(p.threads),
            seconds(p.median),
            interval(p.interval, seconds),
            or_dash(p.stddev, |s| percent(s / p.mean)),
            two(p.speedup),
            interval(p.speedup_interval, two),
            percent(p.efficiency),
            or_dash(p.serial_fraction, serial),
            seconds(p.cpu),
        ];
        let rate = rate_name.iter().map(|_| or_dash(p.rate, |it| rate(it).trim_end().to_owned()));
        cells.into_iter().chain(rate).collect::<Vec<_>>()
    };
    Table::new(header, report.results.iter().map(row))
}

/// The heading of the losses: of workers or of a command's threads.
pub(crate) fn lost_time(report: &Report) -> &'static str {
    match report.results.iter().any(|p| p.workers.is_some()) {
        true => "Where the workers' time went",
        false => "Where the threads' time went",
    }
}

/// The table of where the time went.
pub(crate) fn losses(report: &Report) -> Table {
    let of_workers = report.results.iter().any(|p| p.workers.is_some());
    let others = if of_workers { " | helpers | subtrees | pieces | longest piece" } else { "" };
    let header = &format!("threads | useful | slowdown | preempted | serial | gaps | tail{others}");
    let row = |p: &super::Point| {
        let shares = p.losses?.parts().map(|(_, share)| percent(share));
        let Some(w) = &p.workers else {
            return Some([&[grouped(p.threads)][..], &shares].concat());
        };
        let pieces: usize = w.loads.iter().map(|load| load.pieces).sum();
        let others = [
            or_dash(p.helpers, percent),
            grouped(w.subtrees()),
            grouped(pieces),
            seconds(w.longest()),
        ];
        Some([&[grouped(p.threads)][..], &shares, &others].concat())
    };
    Table::new(columns(header), report.results.iter().filter_map(row))
}

/// The table of the processor's counters, if they were read.
pub(crate) fn counts(report: &Report) -> Option<Table> {
    let from = past_cache_2(report).unwrap_or(" from memory");
    let header = format!(
        "threads | instructions | instructions per cycle | misses per 1,000 instructions | clock | reads{from}"
    );
    let line_bytes = report.subject.machine.line_bytes();
    let row = |p: &super::Point| {
        let counts = p.counts?;
        Some([
            grouped(p.threads),
            rate(counts.instructions as f64).trim_end().to_owned(),
            two(counts.instructions_per_cycle()),
            two(counts.misses_per_thousand()),
            clock(counts.hertz()),
            or_dash(p.read_rate(line_bytes), bandwidth),
        ])
    };
    let rows: Vec<_> = report.results.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table::new(columns(&header), rows))
}

/// The words for where reads come from, if counted misses are not reads from memory.
fn past_cache_2(report: &Report) -> Option<&'static str> {
    (!report.subject.machine.misses_go_to_memory()).then_some(" past cache 2")
}

/// The table of the machine's capacity, if it was measured, and of what the work uses of it.
pub(crate) fn ceilings(report: &Report) -> Option<Table> {
    let ceilings = &report.subject.conditions.ceilings;
    let first = ceilings.first()?;
    let latency = |(bytes, _): &(u64, f64)| format!("a read beyond {}", cache(*bytes));
    let past = past_cache_2(report).unwrap_or_default();
    let header =
        columns(&format!("threads | clock | memory delivers | this work reads{past}")).into_iter();
    let header = header.chain(first.before.latencies.iter().map(latency)).collect();
    let line_bytes = report.subject.machine.line_bytes();
    let rows = ceilings.iter().map(|ceiling| {
        let capacity = ceiling.best();
        let point = report.results.iter().find(|point| point.threads == ceiling.threads);
        let read = point.and_then(|p| p.read_rate(line_bytes));
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

/// The table of the forecast.
pub(crate) fn forecast(report: &Report) -> Table {
    let header = "cores | predicted | speed-up | efficiency | measured";
    let points = report.forecast.iter().flat_map(|forecast| &forecast.points);
    let rows = points.map(|predicted| {
        let measured = report.results.iter().find(|p| p.threads == predicted.threads);
        [
            grouped(predicted.threads),
            seconds(predicted.seconds),
            two(predicted.speedup),
            percent(predicted.speedup / predicted.threads as f64),
            or_dash(measured, |p| seconds(p.median)),
        ]
    });
    Table::new(columns(header), rows)
}

/// The table of single workers, at the point with the most threads that have a processor each.
pub(crate) fn workers(report: &Report) -> Table {
    let header = "worker | busy | had a processor | gaps | tail | subtrees | pieces \
        | longest piece";
    let workers = report.fullest().and_then(|p| p.workers.as_ref());
    let loads = workers.iter().flat_map(|w| w.loads.iter().enumerate());
    let rows = loads.map(|(number, load)| {
        [
            grouped(number),
            seconds(load.busy),
            or_dash(load.cpu.filter(|_| load.busy > 0.0), |c| percent(c / load.busy)),
            seconds(load.gaps),
            seconds(load.tail),
            grouped(load.subtrees),
            grouped(load.pieces),
            seconds(load.longest),
        ]
    });
    Table::new(columns(header), rows)
}

/// The heading of a granularity sweep.
pub(crate) fn sweep_heading(sweep: &Granularity) -> String {
    format!("Splitting finer, {}", counted(sweep.threads, "thread"))
}

/// The table of a granularity sweep.
pub(crate) fn grains(sweep: &Granularity) -> Table {
    let header = "subtrees | one thread | all threads | extra work | without a piece \
        | speed-up | longest piece";
    let rows = sweep.grains.iter().map(|g| {
        [
            grouped(g.subtrees),
            seconds(g.one),
            seconds(g.all),
            percent(g.splitting_loss),
            percent(g.stealing_loss),
            two(g.speedup),
            or_dash(g.longest, seconds),
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
        "{}: T(1) {} ± {}, contention {} ± {} ({})",
        curve.law.name(),
        seconds(curve.one),
        seconds(errors.one),
        serial(curve.contention),
        serial(errors.contention),
        interval(fit.contention_interval, serial)
    );
    if curve.law == Law::Universal {
        let coherency = |v: f64| format!("{v:.2e}");
        let _ = write!(
            out,
            ", coherency {} ± {} ({}), peak {}",
            coherency(curve.coherency),
            coherency(errors.coherency),
            interval(fit.coherency_interval, coherency),
            fit.peak.map_or_else(|| "none".into(), |p| format!("at {p:.0} threads")),
        );
        let _ = write!(out, "{}", open_interval(fit.peak_interval, |p| format!("{p:.0}")));
    }
    // Above a contention of 1 several threads are slower than one, and the limit means nothing.
    if curve.law != Law::Gustafson && curve.contention <= 1.0 {
        let limit =
            fit.limit.map_or_else(|| "not limited".into(), |it| format!("at most {}", two(it)));
        let _ = write!(out, ", speed-up {limit}{}", open_interval(fit.limit_interval, two));
    }
    let _ = write!(out, "; typical distance of the points {}", percent(fit.misfit));
    for p in &fit.predictions {
        let _ = write!(
            out,
            "; {}: {} ({}), speed-up {}",
            counted(p.threads, "thread"),
            seconds(p.seconds),
            interval(p.interval, seconds),
            two(p.speedup)
        );
    }
    out
}

/// An interval in brackets, or nothing.
fn open_interval(interval: Option<OpenInterval>, show: impl Fn(f64) -> String) -> String {
    match interval {
        Some(OpenInterval { low, high: Some(high), .. }) => {
            format!(" ({} to {})", show(low), show(high))
        }
        Some(OpenInterval { low, high: None, .. }) => format!(" ({} or more)", show(low)),
        None => String::new(),
    }
}
