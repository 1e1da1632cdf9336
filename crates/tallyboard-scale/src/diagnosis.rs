//! The main cause of the time that several threads lose, from the figures of a report.
//!
//! The largest loss is looked up in `RULES`, which says for each cause by what figures it is known. Times that another
//! tool measured tell only whether the serial fraction stays or grows (Karp and Flatt 1990).

use crate::cells::{serial, two_decimals};
use crate::conditions::share_or_unknown;
use crate::counters::{Growth, clock};
use crate::report::{Point, Report, Scaling};
use crate::topology::{FIRST_CACHE, Machine};
use crate::workers::Losses;
use crate::workers::Place::{self, Gaps, Preempted, Serial, Slowdown, Tail};
use tallyboard_base::figures::{memory_size, percent};

/// Losses below this share of the threads' time get no cause.
const MIN_LOSS: f64 = 0.1;
/// A figure explains a loss if it is at least this share of it. Less than all of it suffices: the conditions are means
/// over all runs, also those with fewer threads.
const MIN_SHARE_EXPLAINED: f64 = 1.0 / 3.0;
/// Cache misses per thousand instructions from which on memory takes much of the time: a miss costs about 300 cycles, an
/// instruction a third of a cycle or more.
const MIN_MISSES_PER_THOUSAND: f64 = 1.0;
/// A serial part waited if its processor time is less than this share of its wall time.
const MIN_SERIAL_CPU_SHARE: f64 = 0.5;

/// Whether the figures speak for a cause.
type Rule = fn(&Evidence) -> bool;

/// The causes of the largest loss, by its place. The first cause whose rule holds is the one.
const RULES: [(Place, Cause, Rule); 17] = [
    (Serial, Cause::Quota, |e| e.serial_part_waited() && e.explains(e.throttled())),
    (Preempted, Cause::Quota, |e| e.explains(e.throttled())),
    (Serial, Cause::Neighbours, |e| e.serial_part_waited() && e.explains(e.taken())),
    (Serial, Cause::Serial, |_| true),
    (Gaps, Cause::ShortPieces, |e| e.point.workers.is_some()),
    (Gaps, Cause::Lock, |_| true),
    (Tail, Cause::Uneven, |_| true),
    (Preempted, Cause::Neighbours, |e| e.explains(e.taken())),
    (Preempted, Cause::Helpers, |e| e.explains(e.point.helpers.unwrap_or(0.0))),
    // A worker that sleeps inside a piece counts as preempted.
    (Preempted, Cause::Lock, |e| e.point.workers.is_some()),
    (Preempted, Cause::Neighbours, |_| true),
    (Slowdown, Cause::Neighbours, |e| e.explains(e.stolen())),
    (Slowdown, Cause::Siblings, |e| e.point.threads > e.machine().cores()),
    (Slowdown, Cause::Clock, |e| e.clock_slowed()),
    (Slowdown, Cause::Memory, |e| e.waits_for_memory()),
    (Slowdown, Cause::Spinning, |e| e.has_memory_figures()),
    (Slowdown, Cause::SlowerWork, |_| true),
];

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
    /// The control group's limit stops the threads for a part of each period.
    Quota,
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
    /// The name of the cause, and its remedy.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Serial => ("a serial part", "split it among the threads, or make it shorter"),
            Self::Uneven => ("uneven pieces", "split finer, and begin with the longest"),
            Self::Lock => ("a lock", "hold it for less time, or give each thread its own data"),
            Self::ShortPieces => ("pieces too short", "make them longer"),
            Self::Quota => (
                "the quota of the control group",
                "ask for a processor a thread (limits.cpu of Kubernetes, --cpus of docker, CPUQuota of systemd), or run no more threads than the quota has processors",
            ),
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

/// The cause of the largest loss at `point`, and the share of the time that is lost; `None` if no loss is a tenth of the
/// time or more.
pub fn cause(report: &Report, point: &Point) -> Option<(Cause, f64)> {
    let evidence = Evidence::of(report, point)?;
    Some((evidence.cause()?, evidence.share))
}

/// The cause in a sentence.
pub fn sentence(report: &Report, point: &Point) -> Option<String> {
    if let Some((cause, _)) = cause_of_times(report, point) {
        return Some(format!("Main cause, as far as times tell: {cause}."));
    }
    let Some(evidence) = Evidence::of(report, point) else {
        let (name, _) = Cause::Quota.words();
        let share = percent(throttled_alone(point)?);
        return Some(format!(
            "Main cause: {name}, which stopped the threads for {share} of their time."
        ));
    };
    let cause = evidence.cause()?;
    let (name, _) = cause.words();
    let figures = evidence.figures(cause).map_or(String::new(), |figures| format!(" ({figures})"));
    let [share, of_what] = [percent(evidence.share), evidence.loss_in_words(cause).to_owned()];
    Some(format!("Main cause: {name}{of_what}, {share} of the threads' time{figures}."))
}

/// What to do about the cause, in a sentence.
pub fn advice(report: &Report, point: &Point) -> Option<String> {
    let remedy = match (cause_of_times(report, point), Evidence::of(report, point)) {
        (Some((_, remedy)), _) => remedy,
        (None, Some(evidence)) => evidence.cause()?.words().1,
        (None, None) => throttled_alone(point).map(|_| Cause::Quota.words().1)?,
    };
    Some(format!("What to do: {remedy}."))
}

/// The share of the threads' time that a quota took, if it is large and nothing else is known of a command's threads.
fn throttled_alone(point: &Point) -> Option<f64> {
    point.throttled.filter(|share| point.losses.is_none() && *share >= MIN_LOSS)
}

/// The largest loss at a point, and the figures that tell its cause.
struct Evidence<'a> {
    report: &'a Report,
    point: &'a Point,
    losses: Losses,
    /// The place of the largest loss.
    loss: Place,
    /// Its share of the threads' time.
    share: f64,
    /// By how much each factor of the processor time grew, if the counters were read.
    growth: Option<Growth>,
}

impl<'a> Evidence<'a> {
    /// `None` if no loss of several threads is large enough.
    fn of(report: &'a Report, point: &'a Point) -> Option<Self> {
        let losses = point.losses_of_several()?;
        let largest = losses.lost().first().copied();
        let (loss, share) = largest.filter(|(_, share)| *share >= MIN_LOSS)?;
        let single = report.results.first().and_then(|single| single.counts);
        let counts = single.zip(point.counts);
        let growth = counts.map(|(single, many)| Growth::between(&single, &many, point.work));
        Some(Self { report, point, losses, loss, share, growth })
    }

    fn cause(&self) -> Option<Cause> {
        let rule = RULES.iter().find(|(loss, _, holds)| *loss == self.loss && holds(self));
        rule.map(|(_, cause, _)| *cause)
    }

    /// Which time neighbours take, if it is not the time that tables call preempted.
    fn loss_in_words(&self, cause: Cause) -> &'static str {
        match (cause, self.loss) {
            (Cause::Neighbours, Serial) => " that kept a serial part from a processor",
            (Cause::Neighbours, Slowdown) => " whose time counts as slower work",
            _ => "",
        }
    }

    fn machine(&self) -> &Machine {
        &self.report.subject.machine
    }

    /// Whether a `share` of the threads' time explains the loss.
    fn explains(&self, share: f64) -> bool {
        share >= MIN_SHARE_EXPLAINED * self.share
    }

    fn stolen(&self) -> f64 {
        self.report.subject.conditions.stolen.unwrap_or(0.0)
    }

    /// The share of the threads' time for which the control group's limit stopped them.
    fn throttled(&self) -> f64 {
        self.point.throttled.unwrap_or(0.0)
    }

    /// The share of the processors' time that other programs and other machines took.
    fn taken(&self) -> f64 {
        self.report.subject.conditions.others.unwrap_or(0.0) + self.stolen()
    }

    /// Whether the program had little processor time while no worker was busy.
    fn serial_part_waited(&self) -> bool {
        let (Some(workers), Some(cpu)) = (&self.point.workers, self.point.cpu) else {
            return false;
        };
        // Without the pieces' processor time there is none of the serial part.
        workers.is_cpu_known()
            && cpu - workers.cpu_seconds() < MIN_SERIAL_CPU_SHARE * workers.serial
    }

    /// Whether a slower clock explains the slowdown: by the counters, or else by the machine's clock.
    fn clock_slowed(&self) -> bool {
        if let Some(growth) = self.growth {
            return growth.seconds_per_cycle >= growth.instructions
                && growth.seconds_per_cycle >= growth.cycles_per_instruction;
        }
        // The slowdown is a share of the whole time, but the clock slows the useful part: both relative to that.
        let slowdown = self.losses.slowdown / self.losses.useful;
        self.clocks()
            .is_some_and(|[single, many]| single / many - 1.0 >= MIN_SHARE_EXPLAINED * slowdown)
    }

    /// The machine's clock speeds in hertz: with one thread, and with the threads of the point.
    fn clocks(&self) -> Option<[f64; 2]> {
        let conditions = &self.report.subject.conditions;
        let hertz = |threads| Some(conditions.capacity(threads)?.hertz);
        Some([hertz(1)?, hertz(self.point.threads)?])
    }

    /// Whether memory explains the slowdown: by the counters, or else by what the command holds.
    fn waits_for_memory(&self) -> bool {
        let is_slower_per_instruction =
            |growth: Growth| growth.cycles_per_instruction >= growth.instructions;
        let reads_much = match self.counts_far_misses() {
            true => self.misses_per_thousand() >= MIN_MISSES_PER_THOUSAND,
            false => self.memory().is_some_and(|[resident, cache]| resident > cache),
        };
        self.growth.is_none_or(is_slower_per_instruction) && reads_much
    }

    /// Whether cache misses were counted that tell of memory: those of the first cache do not.
    fn counts_far_misses(&self) -> bool {
        self.growth.is_some() && self.machine().missed_cache() != Some(FIRST_CACHE)
    }

    /// Whether there are figures that would tell if memory were the cause. It is asked after [`Self::waits_for_memory`].
    fn has_memory_figures(&self) -> bool {
        self.counts_far_misses() || self.memory().is_some()
    }

    /// The bytes that the command holds, and those of the last-level caches.
    fn memory(&self) -> Option<[u64; 2]> {
        Some([self.point.resident_bytes?, self.machine().cache_bytes?])
    }

    /// The same in words.
    fn held(&self) -> Option<String> {
        let [resident, cache] = self.memory()?.map(memory_size);
        Some(format!("the command holds {resident}, the last-level caches {cache}"))
    }

    /// Cache misses per thousand instructions; 0 if they were not counted.
    fn misses_per_thousand(&self) -> f64 {
        self.point.counts.map_or(0.0, |counts| counts.misses_per_thousand())
    }

    /// The figures that speak for `cause`, in words.
    fn figures(&self, cause: Cause) -> Option<String> {
        match (cause, self.growth) {
            (Cause::Memory | Cause::Spinning | Cause::Clock, Some(growth)) => {
                let growth = growth.describe();
                let misses = self.misses_per_thousand();
                let held = self.held().filter(|_| !self.counts_far_misses());
                let beside =
                    held.unwrap_or(format!("{misses:.2} cache misses per 1,000 instructions"));
                Some(format!("{growth}, {beside}"))
            }
            (Cause::Clock, None) => {
                let [one, many] = self.clocks()?.map(clock);
                let threads = self.point.threads;
                Some(format!("clock speed {one} with one thread, {many} with {threads}"))
            }
            (Cause::Memory | Cause::Spinning, None) => self.held(),
            (Cause::Serial, _) => {
                // Of a command's threads only those asleep count as lost.
                let threads = self.point.threads as f64;
                let lost =
                    if self.point.workers.is_some() { 1.0 } else { (threads - 1.0) / threads };
                let share = percent(self.share / lost / self.point.speedup * self.point.work);
                Some(format!("{share} of the time of one thread, meanwhile the others wait"))
            }
            (Cause::Quota, _) => {
                let limit = match self.machine().cgroup_limit {
                    Some(limit) => format!("it grants {} processors, and", two_decimals(limit)),
                    None => "it".to_owned(),
                };
                let [threads, share] = [self.point.threads.to_string(), percent(self.throttled())];
                Some(format!("{limit} stopped the {threads} threads for {share} of their time"))
            }
            (Cause::Neighbours, _) => {
                let conditions = &self.report.subject.conditions;
                let [others, stolen] = [conditions.others, conditions.stolen].map(share_or_unknown);
                Some(format!(
                    "other programs took {others} of the processors' time, other machines {stolen}"
                ))
            }
            _ => None,
        }
    }
}

/// With this efficiency or more, too little is lost to look for a cause.
const MIN_EFFICIENCY: f64 = 0.9;
/// Serial fractions that differ by less than this factor count as about the same.
const MIN_CHANGE: f64 = 1.5;

/// What limits the speed-up at `point`, as far as times that another tool measured tell, and the remedy: by what the serial
/// fraction does from the second fewest threads on. `None` if little is lost.
fn cause_of_times(report: &Report, point: &Point) -> Option<(String, &'static str)> {
    report.subject.source.as_ref()?;
    if point.threads == report.baseline() || point.efficiency >= MIN_EFFICIENCY {
        return None;
    }
    let to = point.serial_fraction.filter(|share| *share <= 1.0)?;
    // Points have the fewest threads first.
    let several = report.results.iter().filter(|it| it.threads <= point.threads);
    let shares: Vec<f64> =
        several.filter_map(|it| it.serial_fraction).map(|it| it.max(0.0)).collect();
    let (first, from) = (report.results.get(1)?, *shares.first()?);
    let [least, most] =
        [shares.iter().copied().fold(to, f64::min), shares.iter().copied().fold(to, f64::max)];
    let ends = |from: f64| {
        let [from, to] = [from, to].map(serial);
        format!("from {from} with {} threads to {to} with {}", first.threads, point.threads)
    };
    let is_one_step = first.threads == point.threads;
    if !is_one_step && to >= MIN_CHANGE * from {
        let words = format!(
            "overhead that grows with the threads, as the serial fraction does, {}",
            ends(from)
        );
        return Some((words, MEASURE_THE_COMMAND));
    }
    let falls = from >= MIN_CHANGE * to;
    if falls && is_cost_of_several(first, point) {
        let words = format!(
            "a cost that several threads have and {} not, since the serial fraction falls, {}",
            if report.baseline() == 1 { "one has" } else { "the fewest have" },
            ends(from)
        );
        return Some((words, MEASURE_THE_COMMAND));
    }
    let of_what = match report.subject.scaling {
        Scaling::Strong => "the work",
        Scaling::Weak => "the time",
    };
    let evidence = match () {
        () if is_one_step => "from one step".to_owned(),
        () if falls => format!("at most: it falls, {}", ends(from)),
        () if most < MIN_CHANGE * least => "about the same with every number of threads".to_owned(),
        () => {
            let [least, most] = [least, most].map(serial);
            format!("between {least} and {most} with the numbers of threads measured")
        }
    };
    let (name, remedy) = Cause::Serial.words();
    Some((format!("{name}, {} of {of_what} ({evidence})", percent(to)), remedy))
}

/// The remedy where times tell no more.
const MEASURE_THE_COMMAND: &str =
    "measure the command with scale run, which tells locks, memory and uneven pieces apart";

/// Whether what is lost at `point` is lost with `first` as well, which has the second fewest threads: the inverse of the
/// efficiency is a line over the threads, 1 + a cost of several threads + a serial part for each thread.
fn is_cost_of_several(first: &Point, point: &Point) -> bool {
    let [first_inverse, inverse] = [first, point].map(|it| 1.0 / it.efficiency);
    let [first_threads, threads] = [first, point].map(|it| it.threads as f64);
    let serial_part = (inverse - first_inverse) / (threads - first_threads);
    let cost = inverse - serial_part * threads - 1.0;
    cost > serial_part * threads
}
