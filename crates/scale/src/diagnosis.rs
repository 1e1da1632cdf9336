//! The main cause of the time that several threads lose, from the figures of a report.

use super::counters::{Growth, clock};
use super::report::{Point, Report};
use super::workers::Losses;
use base::figures::{mebibytes, percent};

/// Losses below this share of the threads' time get no cause.
const MIN_LOSS: f64 = 0.1;
/// A figure explains a loss if it is at least this share of it. Not all of it: the conditions are means over all rounds,
/// also those with fewer threads.
const MIN_SHARE_EXPLAINED: f64 = 1.0 / 3.0;

/// Cache misses per thousand instructions from which on memory takes much of the time: a miss costs about 300 cycles, an
/// instruction a third of a cycle or more.
const MIN_MISSES_PER_THOUSAND: f64 = 1.0;

/// A serial part with less processor time than this share of its wall time was waiting, for a processor or for something
/// else.
const MIN_SERIAL_CPU_SHARE: f64 = 0.5;

/// Why a program does not scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// One thread works alone.
    Serial,
    /// Threads wait for the last pieces.
    Uneven,
    /// Threads wait for one another.
    Lock,
    /// Workers wait for their next piece.
    ShortPieces,
    /// Other programs, or other machines on the same host, take processors.
    Neighbours,
    /// The program's threads that are no workers take processors.
    Helpers,
    /// Threads wait for memory.
    Memory,
    /// Threads spin, or write to the same cache lines.
    Spinning,
    /// Memory, cache lines or spinning: the figures do not tell which.
    SlowerWork,
    /// Hardware threads share a core.
    Siblings,
    /// The clock slows down when more processors work.
    Clock,
}

impl Cause {
    /// The cause and its remedy.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Serial => ("a serial part", "split it among the threads, or make it shorter"),
            Self::Uneven => ("uneven pieces", "split finer, and begin with the longest"),
            Self::Lock => ("a lock", "hold it for less time, or give each thread its own data"),
            Self::ShortPieces => ("pieces too short", "make them longer"),
            Self::Neighbours => ("busy neighbours", "measure on a quiet machine"),
            Self::Helpers => {
                ("helper threads", "leave them a processor: use fewer workers than processors")
            }
            Self::Memory => {
                ("memory", "read and write less of it, or reuse data while it is in a cache")
            }
            Self::Spinning => {
                ("spinning or shared cache lines", "give each thread its own counters and queues")
            }
            Self::SlowerWork => (
                "slower work",
                "measure cache misses and instructions with perf stat, to tell memory from spinning",
            ),
            Self::Siblings => ("hardware threads that share cores", "use as many threads as cores"),
            Self::Clock => (
                "a slower clock",
                "all processors at work lower it; no change to the program helps",
            ),
        }
    }
}

/// The cause of the largest loss at `point`, and that loss; `None` if no loss is a tenth of the time or more.
pub fn cause(report: &Report, point: &Point) -> Option<(Cause, f64)> {
    let losses = point.losses.filter(|_| point.threads > 1)?;
    let Losses { slowdown, preempted, serial, gaps, tail, .. } = losses;
    let shares = [slowdown, preempted, serial, gaps, tail];
    let largest = shares.into_iter().max_by(f64::total_cmp)?;
    let cause = match shares.iter().position(|share| *share == largest)? {
        0 => slowdown_cause(report, point, slowdown),
        1 => preemption_cause(report, point, preempted),
        2 => serial_cause(report, point, serial),
        3 if point.workers.is_some() => Cause::ShortPieces,
        3 => Cause::Lock,
        _ => Cause::Uneven,
    };
    (largest >= MIN_LOSS).then_some((cause, largest))
}

/// Why the same work takes more processor time.
fn slowdown_cause(report: &Report, point: &Point, share: f64) -> Cause {
    let machine = &report.subject.machine;
    if report.subject.conditions.stolen.is_some_and(|stolen| stolen >= MIN_SHARE_EXPLAINED * share)
    {
        return Cause::Neighbours;
    }
    if point.threads > machine.cores() {
        return Cause::Siblings;
    }
    if let Some(cause) = cause_by_counters(report, point) {
        return cause;
    }
    if let (Some((one, many)), Some(losses)) = (clocks(report, point), point.losses)
        && one / many - 1.0 >= MIN_SHARE_EXPLAINED * losses.slowdown / losses.useful
    {
        return Cause::Clock;
    }
    match (point.resident_bytes, machine.cache_bytes) {
        (Some(resident), Some(cache)) if resident > cache => Cause::Memory,
        (Some(_), Some(_)) => Cause::Spinning,
        _ => Cause::SlowerWork,
    }
}

/// The machine's clock speeds with one thread and with the threads at `point`.
fn clocks(report: &Report, point: &Point) -> Option<(f64, f64)> {
    let hertz = |threads| Some(report.subject.conditions.capacity(threads)?.hertz);
    hertz(1).zip(hertz(point.threads))
}

/// By how much each factor of the processor time grew, if the counters were read.
fn growth(report: &Report, point: &Point) -> Option<Growth> {
    let one = report.results.first()?.counts?;
    Some(Growth::between(&one, &point.counts?, point.work))
}

/// Why the same work takes more processor time, by the processor's counters.
fn cause_by_counters(report: &Report, point: &Point) -> Option<Cause> {
    let growth = growth(report, point)?;
    let Growth { instructions, cycles_per_instruction, seconds_per_cycle } = growth;
    let largest = instructions.max(cycles_per_instruction).max(seconds_per_cycle);
    let misses = point.counts?.misses_per_thousand();
    Some(match largest {
        it if it == seconds_per_cycle => Cause::Clock,
        it if it == cycles_per_instruction && misses >= MIN_MISSES_PER_THOUSAND => Cause::Memory,
        _ => Cause::Spinning,
    })
}

/// Why no worker was busy, or why one thread of a command worked alone.
fn serial_cause(report: &Report, point: &Point, share: f64) -> Cause {
    let waited = point.workers.as_ref().is_some_and(|workers| {
        point.cpu - workers.effort() < MIN_SERIAL_CPU_SHARE * workers.serial
    });
    let are_taken = share_taken(report) >= MIN_SHARE_EXPLAINED * share;
    if waited && are_taken { Cause::Neighbours } else { Cause::Serial }
}

/// The share of the processors' time that other programs and other machines took.
fn share_taken(report: &Report) -> f64 {
    let conditions = &report.subject.conditions;
    conditions.others.unwrap_or(0.0) + conditions.stolen.unwrap_or(0.0)
}

/// Why threads with work had no processor, or slept inside their work.
fn preemption_cause(report: &Report, point: &Point, share: f64) -> Cause {
    match point.helpers {
        _ if share_taken(report) >= MIN_SHARE_EXPLAINED * share => Cause::Neighbours,
        Some(helpers) if helpers >= MIN_SHARE_EXPLAINED * share => Cause::Helpers,
        // A worker that sleeps inside a piece counts as preempted.
        _ if point.workers.is_some() => Cause::Lock,
        _ => Cause::Neighbours,
    }
}

/// The cause in a sentence.
pub fn sentence(report: &Report, point: &Point) -> Option<String> {
    let (cause, share) = cause(report, point)?;
    let (name, remedy) = cause.words();
    let conditions = &report.subject.conditions;
    let growth = growth(report, point);
    let evidence = match (cause, growth) {
        (Cause::Memory | Cause::Spinning | Cause::Clock, Some(growth)) => {
            let misses = point.counts.map_or(0.0, |it| it.misses_per_thousand());
            format!(" ({}, {misses:.2} cache misses per 1,000 instructions)", growth.describe())
        }
        (Cause::Clock, None) => clocks(report, point).map_or_else(String::new, |(one, many)| {
            format!(
                " (clock speed {} with one thread, {} with {})",
                clock(one),
                clock(many),
                point.threads
            )
        }),
        (Cause::Neighbours, _) => {
            let [others, stolen] = [conditions.others, conditions.stolen]
                .map(|share| share.map_or("unknown".to_owned(), percent));
            format!(
                " (other programs took {others} of the processors' time, other machines {stolen})"
            )
        }
        (Cause::Memory | Cause::Spinning, None) => {
            let told = |bytes: Option<u64>| bytes.map_or("unknown".to_owned(), mebibytes);
            let cache = told(report.subject.machine.cache_bytes);
            format!(
                " (the command holds {}, the last-level caches {cache})",
                told(point.resident_bytes)
            )
        }
        _ => String::new(),
    };
    Some(format!(
        "Main cause: {name}, {} of the threads' time{evidence}: {remedy}.",
        percent(share)
    ))
}
