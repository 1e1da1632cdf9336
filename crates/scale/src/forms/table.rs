//! The report as text for a terminal.

use std::fmt::Write as _;

use crate::cells::{Table, columns, interval, or_dash, two};
use crate::counters::{bandwidth, clock};
use crate::forms::points::{self, serial};
use crate::granularity::Granularity;
use crate::laws::Law;
use crate::model::{Fit, FitOutcome, HalfBounded};
use crate::report::{Point, Report, Scaling, Subject};
use base::figures::{
    counted, grouped, memory_size, percent, seconds, small_memory_size, with_prefix,
};
use base::statistics::Interval;

/// Heading of the table of the processor's counters.
pub(crate) const COUNTERS: &str = "What the processor counted";
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
    out += &points::table(report).grid();
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

/// What was measured, and how the work grows; a line.
pub(crate) fn heading(report: &Report) -> String {
    let scaling = match report.subject.scaling {
        Scaling::Strong => "strong scaling: equal work for all thread counts",
        Scaling::Weak => "weak scaling: p times the work with p threads",
    };
    format!("{} ({scaling})\n", report.subject.problem)
}

/// The machine and how it was measured on it, a line each; or where the times are from.
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
pub(crate) fn lost_time(report: &Report) -> &'static str {
    match report.results.iter().any(|p| p.workers.is_some()) {
        true => "Where the workers' time went",
        false => "Where the threads' time went",
    }
}

/// The table of where the time went.
pub(crate) fn losses(report: &Report) -> Table {
    let of_workers = report.results.iter().any(|p| p.workers.is_some());
    let others =
        if of_workers { " | helpers | subtrees | pieces | longest piece (wall)" } else { "" };
    let header = &format!("threads | useful | slowdown | preempted | serial | gaps | tail{others}");
    Table::new(columns(header), report.results.iter().filter_map(losses_row))
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

/// The table of the processor's counters, if they were read.
pub(crate) fn counts(report: &Report) -> Option<Table> {
    let from = past_cache_2(report).unwrap_or(" from memory");
    let header = format!(
        "threads | instructions | instructions per cycle | misses per 1,000 instructions | clock | reads{from}"
    );
    let line_bytes = report.subject.machine.line_bytes();
    let rows = report.results.iter().filter_map(|p| {
        let counts = p.counts?;
        Some([
            grouped(p.threads),
            with_prefix(counts.instructions as f64),
            two(counts.instructions_per_cycle()),
            two(counts.misses_per_thousand()),
            clock(counts.hertz()),
            or_dash(p.read_rate(line_bytes), bandwidth),
        ])
    });
    let rows: Vec<_> = rows.collect();
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
    let past = past_cache_2(report).unwrap_or_default();
    let mut header = columns(&format!("threads | clock | memory delivers | this work reads{past}"));
    let caches = first.before.latencies.iter().map(|(bytes, _)| *bytes);
    header.extend(caches.map(|bytes| format!("a read beyond {}", small_memory_size(bytes))));
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
    let memory = report.memory.filter(|it| it.grows(report.most_threads()));
    let of_memory = memory.map_or("", |_| " | memory");
    let header = format!("cores | predicted | speed-up | efficiency | measured{of_memory}");
    let points = report.forecast.iter().flat_map(|forecast| &forecast.points);
    let rows = points.map(|predicted| {
        let measured = report.results.iter().find(|p| p.threads == predicted.threads);
        let cells = [
            grouped(predicted.threads),
            seconds(predicted.seconds),
            two(predicted.speedup),
            percent(predicted.speedup / predicted.threads as f64),
            or_dash(measured, |p| seconds(p.median)),
        ];
        let bytes = memory.map(|it| memory_size(it.at(predicted.threads) as u64));
        cells.into_iter().chain(bytes).collect::<Vec<_>>()
    });
    Table::new(columns(&header), rows)
}

/// The table of single workers, at the point with the most threads that have a processor each.
pub(crate) fn workers(report: &Report) -> Table {
    let header = "worker | busy | had a processor | gaps | tail | subtrees | pieces \
        | longest piece (wall)";
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
    let name = Interval::name_of(sweep.grains.first().and_then(|it| it.all_interval));
    let header = format!(
        "subtrees | one thread | all threads | {name} | extra work | without a piece | speed-up \
         | longest piece (wall)"
    );
    let rows = sweep.grains.iter().map(|g| {
        [
            grouped(g.subtrees),
            seconds(g.one),
            seconds(g.all),
            interval(g.all_interval, seconds),
            extra_work(g.splitting_loss),
            percent(g.stealing_loss),
            two(g.speedup),
            or_dash(g.longest, seconds),
        ]
    });
    Table::new(columns(&header), rows)
}

/// Processor time of a split beyond that of the cheapest; from twice that on, their ratio.
fn extra_work(share: f64) -> String {
    if share < 1.0 { percent(share) } else { format!("{} times as much", two(1.0 + share)) }
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
        spread(errors.map(|it| it.one), seconds),
        serial(curve.contention),
        spread(errors.map(|it| it.contention), serial),
        interval(fit.contention_interval, serial)
    );
    if curve.law == Law::Universal {
        let _ = write!(
            out,
            ", coherency {:.2e}{} ({}), peak {}",
            curve.coherency,
            spread(errors.map(|it| it.coherency), |it| format!("{it:.2e}")),
            interval(fit.coherency_interval, |it| format!("{it:.2e}")),
            fit.peak.map_or_else(|| "none".into(), |p| format!("at {p:.0} threads")),
        );
        let _ = write!(out, "{}", half_bounded(fit.peak_interval, |p| format!("{p:.0}")));
    }
    // Above a contention of 1 several threads are slower than one, and the limit means nothing.
    if curve.law != Law::Gustafson && curve.contention <= 1.0 {
        let limit =
            fit.limit.map_or_else(|| "not limited".into(), |it| format!("at most {}", two(it)));
        let _ = write!(out, ", speed-up {limit}{}", half_bounded(fit.limit_interval, two));
    }
    let _ = write!(out, "; typical distance of the points {}", percent(fit.misfit));
    if let [_, ..] = fit.unused[..] {
        let unused: Vec<String> = fit.unused.iter().map(|&threads| grouped(threads)).collect();
        let _ = write!(
            out,
            "; fitted without {} threads, more than there are processors",
            unused.join(" and ")
        );
    }
    for p in &fit.predictions {
        let (time, time_interval) = p.of_run(curve.law);
        let _ = write!(
            out,
            "; {}: {} ({}), speed-up {}",
            counted(p.threads, "thread"),
            seconds(time),
            interval(time_interval, seconds),
            two(p.speedup)
        );
    }
    out
}

/// A standard error behind its sign, or nothing.
fn spread(error: Option<f64>, show: impl Fn(f64) -> String) -> String {
    error.map_or_else(String::new, |it| format!(" ± {}", show(it)))
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
