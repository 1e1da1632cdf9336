//! The main cause of what more threads lose, from the figures of a report.

use super::counters::{Growth, clock};
use super::report::{Point, Report};
use super::workers::Losses;
use crate::figures::{mebibytes, percent};

/// Below this share of lost time there is no cause to name.
const WORTH_NAMING: f64 = 0.1;
/// From this share of a loss on, what the conditions tell explains it: they are means over all rounds, also of
/// those with fewer threads.
const EXPLAINS: f64 = 1.0 / 3.0;

/// Cache misses in a thousand instructions from which on they take much of the time: a miss costs some 300
/// cycles, an instruction a third of one or more.
const MISSES_THAT_COUNT: f64 = 1.0;

/// A serial part that had a processor for less than this share of its time was waiting for one, or for something else.
const HAD_A_PROCESSOR: f64 = 0.5;

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
    /// Other programs, or other machines of the same host.
    Neighbours,
    /// The program's own threads beside its workers.
    Helpers,
    /// Memory, which is beyond the caches.
    Memory,
    /// Something in the caches.
    Spinning,
    /// Memory, caches or spinning: not told.
    SlowerWork,
    /// Hardware threads of one core.
    Siblings,
    /// The clock is slower the more processors work.
    Clock,
}

impl Cause {
    /// What it is, and what to do.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Serial => ("a serial part", "divide it, or give the threads more work beside it"),
            Self::Uneven => ("uneven pieces", "split finer, and begin with the longest"),
            Self::Lock => ("a lock", "hold it for less time, or give each thread its own data"),
            Self::ShortPieces => ("pieces too short", "hand out longer ones"),
            Self::Neighbours => ("busy neighbours", "measure on a quiet machine"),
            Self::Helpers => ("helper threads", "use fewer workers than processors"),
            Self::Memory => ("memory", "touch less of it, or use each part while it is in a cache"),
            Self::Spinning => {
                ("spinning or shared cache lines", "give each thread its own counters and queues")
            }
            Self::SlowerWork => ("slower work", "perf stat tells memory from spinning"),
            Self::Siblings => ("hardware threads that share cores", "use a thread a core"),
            Self::Clock => {
                ("a slower clock", "no program mends it: compare with one thread beside busy ones")
            }
        }
    }
}

/// The cause of the largest loss at `point`; `None` if no loss is worth a name.
pub fn cause(report: &Report, point: &Point) -> Option<(Cause, f64)> {
    let losses = point.losses.filter(|_| point.threads > 1)?;
    let Losses { slowdown, preempted, serial, gaps, tail, .. } = losses;
    let shares = [slowdown, preempted, serial, gaps, tail];
    let largest = shares.into_iter().max_by(f64::total_cmp)?;
    let cause = match shares.iter().position(|share| *share == largest)? {
        0 => slower(report, point, slowdown),
        1 => displaced(report, point, preempted),
        2 => unoccupied(report, point, serial),
        3 if point.workers.is_some() => Cause::ShortPieces,
        3 => Cause::Lock,
        _ => Cause::Uneven,
    };
    (largest >= WORTH_NAMING).then_some((cause, largest))
}

/// Why the same work takes more processor time.
fn slower(report: &Report, point: &Point, share: f64) -> Cause {
    let machine = &report.subject.machine;
    if report.subject.conditions.stolen.is_some_and(|stolen| stolen >= EXPLAINS * share) {
        return Cause::Neighbours;
    }
    if point.threads > machine.cores() {
        return Cause::Siblings;
    }
    if let Some(cause) = counted(report, point) {
        return cause;
    }
    if let (Some((one, many)), Some(losses)) = (clocks(report, point), point.losses)
        && one / many - 1.0 >= EXPLAINS * losses.slowdown / losses.useful
    {
        return Cause::Clock;
    }
    match (point.resident_bytes, machine.cache_bytes) {
        (Some(resident), Some(cache)) if resident > cache => Cause::Memory,
        (Some(_), Some(_)) => Cause::Spinning,
        _ => Cause::SlowerWork,
    }
}

/// What the machine gave one thread, and the threads at `point`, of clock speed.
fn clocks(report: &Report, point: &Point) -> Option<(f64, f64)> {
    let given = |threads| Some(report.subject.conditions.given(threads)?.hertz);
    given(1).zip(given(point.threads))
}

/// What grew of the processor time by more than the others, as the processor counts it.
fn growth(report: &Report, point: &Point) -> Option<Growth> {
    let one = report.results.first()?.counts?;
    Some(Growth::between(&one, &point.counts?, point.work))
}

/// Why the same work takes more processor time, by what the processor counted.
fn counted(report: &Report, point: &Point) -> Option<Cause> {
    let growth = growth(report, point)?;
    let Growth { instructions, cycles_per_instruction, seconds_per_cycle } = growth;
    let largest = instructions.max(cycles_per_instruction).max(seconds_per_cycle);
    let misses = point.counts?.misses_per_thousand();
    Some(match largest {
        it if it == seconds_per_cycle => Cause::Clock,
        it if it == cycles_per_instruction && misses >= MISSES_THAT_COUNT => Cause::Memory,
        _ => Cause::Spinning,
    })
}

/// Why no worker was busy, or one thread of a command alone.
fn unoccupied(report: &Report, point: &Point, share: f64) -> Cause {
    let waited = point
        .workers
        .as_ref()
        .is_some_and(|workers| point.cpu - workers.effort() < HAD_A_PROCESSOR * workers.serial);
    let taken = taken(report) >= EXPLAINS * share;
    if waited && taken { Cause::Neighbours } else { Cause::Serial }
}

/// The share of the processors' time that other programs and other machines took.
fn taken(report: &Report) -> f64 {
    let conditions = &report.subject.conditions;
    conditions.others.unwrap_or(0.0) + conditions.stolen.unwrap_or(0.0)
}

/// Why threads with work have no processor, or sleep inside of their work.
fn displaced(report: &Report, point: &Point, share: f64) -> Cause {
    match point.helpers {
        _ if taken(report) >= EXPLAINS * share => Cause::Neighbours,
        Some(helpers) if helpers >= EXPLAINS * share => Cause::Helpers,
        // A worker's time inside of a piece has no other place for sleep.
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
            format!(" ({}, {misses:.2} cache misses in 1,000 instructions)", growth.describe())
        }
        (Cause::Clock, None) => clocks(report, point).map_or_else(String::new, |(one, many)| {
            format!(
                " (the machine gave one thread {}, {} threads {})",
                clock(one),
                point.threads,
                clock(many)
            )
        }),
        (Cause::Neighbours, _) => {
            let told = |share: Option<f64>| share.map_or("not told".to_owned(), percent);
            let (others, stolen) = (told(conditions.others), told(conditions.stolen));
            format!(" (of the processors' time: other programs {others}, other machines {stolen})")
        }
        (Cause::Memory | Cause::Spinning, None) => {
            let told = |bytes: Option<u64>| bytes.map_or("not told".to_owned(), mebibytes);
            let cache = told(report.subject.machine.cache_bytes);
            format!(" (it holds {}, the last caches {cache})", told(point.resident_bytes))
        }
        _ => String::new(),
    };
    Some(format!(
        "Main cause: {name}, {} of the threads' time{evidence}: {remedy}.",
        percent(share)
    ))
}
