//! The machine during a measurement: its clock speed, the processor time that others took, and what it can deliver, by
//! short loops of known work on several threads at once.
//!
//! ```text
//! clock      x = rotate(x + k)    two cycles a step: each step waits for the one before
//! latency    at = words[at]       each read waits for the one before and is of a distant line
//! bandwidth  sum += words[..]     all memory of the thread, in order
//! ```

use std::hint::black_box;
use std::path::Path;
use std::sync::{Barrier, OnceLock};
use std::thread::{self, Builder};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::counters::{CounterScope, Counters};
use crate::pinning::pin_current;
use crate::topology::{Cpu, Machine, Places, throttled_seconds};
use tallyboard_base::clock::ThreadWatch;
use tallyboard_base::figures::percent;
use tallyboard_base::statistics::median;
use tallyboard_base::system::read;
use tallyboard_base::{clock, memory};
use tallyboard_search::start_scoped;

/// What the system tells before and after the runs; `None` where it tells nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// When the measurement began, in UTC: `2026-11-28 20:15`. `None` in reports that lack it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began: Option<String>,
    /// Linux's policy for the clock speed, such as `performance` or `powersave`.
    pub governor: Option<String>,
    /// Clock speed in MHz before and after the runs, each the mean of all processors.
    pub megahertz: Option<(f64, f64)>,
    /// Share of the processors' time that the hypervisor gave to other machines.
    pub stolen: Option<f64>,
    /// Share of the processors' time that other programs of this machine took.
    pub others: Option<f64>,
    /// Bytes of memory that were left before the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_bytes: Option<u64>,
    /// Why the processor's counters were not read, in words; `None` if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<String>,
    /// The machine's capacity for each number of threads; empty if it was not measured (`--machine`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ceilings: Vec<Ceiling>,
}

/// What the limit of the control group has kept from its threads when a run began.
#[derive(Clone, Copy, Debug)]
pub struct Throttling(Option<f64>);

impl Throttling {
    /// Reads it now.
    pub fn start() -> Self {
        Self(throttled_seconds(Path::new("/")))
    }

    /// Seconds of processor time that were kept from the threads since then; `None` if the system does not tell.
    pub fn seconds(self) -> Option<f64> {
        Some((throttled_seconds(Path::new("/"))? - self.0?).max(0.0))
    }
}

/// Readings of the machine at one moment.
#[derive(Debug)]
pub struct Snapshot {
    began: Option<String>,
    megahertz: Option<f64>,
    ticks: Option<Ticks>,
    /// Processor time of this process and its children in seconds.
    own_seconds: f64,
    room_bytes: Option<u64>,
}

/// Ticks of the processors that this process may use, since the machine started or between two moments.
#[derive(Clone, Copy, Debug, Default)]
struct Ticks {
    all: u64,
    /// Spent in programs and in the kernel.
    busy: u64,
    stolen: u64,
}

/// Ticks per second in `/proc/stat`: the same on every architecture for which this program is built.
const TICKS_PER_SECOND: f64 = 100.0;

impl Ticks {
    /// The ticks between two moments; `None` if time stood still or ran backward.
    fn between(start: Self, end: Self) -> Option<Self> {
        Some(Self {
            all: end.all.checked_sub(start.all).filter(|&all| all > 0)?,
            busy: end.busy.checked_sub(start.busy)?,
            stolen: end.stolen.checked_sub(start.stolen)?,
        })
    }

    /// Other programs' share of all ticks. This program and its children took `own_seconds`.
    fn share_of_others(&self, own_seconds: f64) -> f64 {
        (self.busy as f64 - own_seconds * TICKS_PER_SECOND).max(0.0) / self.all as f64
    }
}

impl Snapshot {
    /// Reads the machine now; ticks are those of `cpus`.
    pub fn now(cpus: &[Cpu]) -> Self {
        let room_bytes = memory::room(0).map(|room| room.bytes);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let began = now.map(|since| utc(since.as_secs()));
        Self { began, room_bytes, ..Self::read(Path::new("/"), cpus, clock::own_seconds()) }
    }

    fn read(root: &Path, cpus: &[Cpu], own_seconds: f64) -> Self {
        let (megahertz, ticks) = (megahertz(root), ticks(root, cpus));
        Self { began: None, megahertz, ticks, own_seconds, room_bytes: None }
    }

    /// The conditions from this moment until now, on the same processors.
    pub fn until_now(&self, cpus: &[Cpu]) -> Conditions {
        let uncounted = Counters::start(CounterScope::Own).err();
        Conditions { uncounted, ..self.until(&Self::now(cpus), Path::new("/")) }
    }

    /// Other programs' share of the processors' time from this moment until now.
    pub fn others_until_now(&self, cpus: &[Cpu]) -> Option<f64> {
        let passed = Ticks::between(self.ticks?, ticks(Path::new("/"), cpus)?)?;
        Some(passed.share_of_others(clock::own_seconds() - self.own_seconds))
    }

    fn until(&self, end: &Self, root: &Path) -> Conditions {
        let passed = self.ticks.zip(end.ticks);
        let passed = passed.and_then(|(start, end)| Ticks::between(start, end));
        let governor = root.join("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Conditions {
            began: self.began.clone(),
            governor: read(governor),
            megahertz: self.megahertz.zip(end.megahertz),
            stolen: passed.map(|ticks| ticks.stolen as f64 / ticks.all as f64),
            others: passed.map(|ticks| ticks.share_of_others(end.own_seconds - self.own_seconds)),
            room_bytes: self.room_bytes,
            ..Conditions::default()
        }
    }
}

impl Conditions {
    /// The machine's best capacity for `threads` threads.
    pub fn capacity(&self, threads: usize) -> Option<Capacity> {
        self.ceilings.iter().find(|ceiling| ceiling.threads == threads).map(Ceiling::best)
    }

    /// One line on why the processor's counters were not read.
    pub fn describe_uncounted(&self) -> Option<String> {
        let reason = self.uncounted.as_ref()?;
        Some(format!("the processor's counters were not read: {reason}"))
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        let clock = match self.megahertz {
            Some((before, after)) => {
                format!("{:.2} GHz before and {:.2} GHz after", before / 1e3, after / 1e3)
            }
            None => "unknown".to_owned(),
        };
        let began = self.began.as_ref().map_or_else(String::new, |it| format!("begun {it} UTC, "));
        format!(
            "{began}clock speed {clock}, governor {}, processor time taken by other machines {}, by other programs {}",
            self.governor.as_deref().unwrap_or("unknown"),
            share_or_unknown(self.stolen),
            share_or_unknown(self.others)
        )
    }
}

/// The date and the minute of `seconds` after the beginning of 1970, by the Gregorian calendar, in UTC.
fn utc(seconds: u64) -> String {
    const DAYS_IN_400_YEARS: u64 = 146_097;
    /// Days from the first of March of the year 0 to the beginning of 1970. Years begin in March here, so that a leap
    /// day is the last day of its year.
    const DAYS_TO_1970: u64 = 719_468;
    let days = seconds / 86_400 + DAYS_TO_1970;
    let (cycle, day) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / (DAYS_IN_400_YEARS - 1)) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let minutes = seconds / 60 % 1_440;
    let year = 400 * cycle + year + later;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

pub(crate) fn share_or_unknown(share: Option<f64>) -> String {
    share.map_or("unknown".to_owned(), percent)
}

/// The mean clock speed of all processors in MHz.
fn megahertz(root: &Path) -> Option<f64> {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).ok()?;
    let speed = |line: &str| {
        let (_, speed) = line.strip_prefix("cpu MHz")?.split_once(':')?;
        speed.trim().parse().ok()
    };
    let speeds: Vec<f64> = text.lines().filter_map(speed).collect();
    (!speeds.is_empty()).then(|| tallyboard_base::statistics::mean(&speeds))
}

/// The sum of the lines of `cpus` in `/proc/stat`. A line has the ticks: user nice system idle iowait irq softirq steal
/// guest guest_nice. The last two are left out, as the first two contain them.
fn ticks(root: &Path, cpus: &[Cpu]) -> Option<Ticks> {
    let text = fs::read_to_string(root.join("proc/stat")).ok()?;
    let mut sum = Ticks::default();
    for Cpu { id, .. } in cpus {
        let name = format!("cpu{id} ");
        let fields = text.lines().find_map(|line| line.strip_prefix(&*name))?.split_whitespace();
        let fields: Vec<u64> =
            fields.take(8).map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [user, nice, system, idle, iowait, irq, softirq, stolen] = fields[..] else {
            return None;
        };
        let busy = user + nice + system + irq + softirq;
        sum.all += busy + idle + iowait + stolen;
        sum.busy += busy;
        sum.stolen += stolen;
    }
    Some(sum)
}

/// The capacity of the machine for a number of threads at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// Clock speed of each thread's processor.
    pub hertz: f64,
    /// Bytes per second that all threads together read from memory.
    pub bytes_per_second: f64,
    /// For each cache level its bytes, and the seconds of a read that misses it. Each read waits for the one before.
    pub latencies: Vec<(u64, f64)>,
}

/// The capacity for a number of threads before the runs and after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceiling {
    /// Number of threads.
    pub threads: usize,
    /// Before the first round.
    pub before: Capacity,
    /// After the last round.
    pub after: Capacity,
}

impl Ceiling {
    /// The better of both for each figure.
    pub fn best(&self) -> Capacity {
        let Self { before, after, .. } = self;
        let both = before.latencies.iter().zip(&after.latencies);
        Capacity {
            hertz: before.hertz.max(after.hertz),
            bytes_per_second: before.bytes_per_second.max(after.bytes_per_second),
            latencies: both.map(|((bytes, a), (_, b))| (*bytes, a.min(*b))).collect(),
        }
    }
}

#[cfg(test)]
impl Capacity {
    /// A capacity with latencies beyond a near and a far cache.
    pub(crate) fn example(hertz: f64, bytes_per_second: f64, near: f64, far: f64) -> Self {
        Self { hertz, bytes_per_second, latencies: vec![(32 << 10, near), (8 << 20, far)] }
    }
}

/// Number of times that each loop runs. The best pass counts, as in STREAM: the others were disturbed.
const PASSES: usize = 3;
/// Steps of the clock's loop in a pass, which takes about 4 ms.
const CLOCK_STEPS: u32 = 1 << 22;
/// Reads of the latency's loop in a pass, which takes 1 ms in a near cache and 20 ms in memory.
const READS: usize = 1 << 17;
/// How many times the size of a cache is read, so that the reads miss it. STREAM prescribes four.
const TIMES_THE_CACHE: u64 = 4;
/// Bytes of the last-level caches together, if the system does not tell. Those of most machines are no larger.
const ASSUMED_CACHE_BYTES: u64 = 64 << 20;

/// Upper bound on the bytes that the measurement allocates.
pub fn bytes_needed(machine: &Machine) -> u64 {
    // Rings have a power of two lines: up to twice what is asked for.
    2 * TIMES_THE_CACHE * machine.cache_bytes.unwrap_or(ASSUMED_CACHE_BYTES)
}

/// Measures the capacity for `threads` threads at once, each in its place.
///
/// # Errors
/// If the system gives fewer threads.
pub fn measure(threads: usize, machine: &Machine, places: &Places) -> io::Result<Capacity> {
    let hertz = hertz(run(threads, places, || (), |()| timed(rotate))?);
    let line_bytes = machine.line_bytes();
    let mut latencies = Vec::new();
    let mut last_ring_bytes = ASSUMED_CACHE_BYTES;
    for (cache_bytes, ring_bytes) in rings(threads, machine) {
        let ring = || Ring::new(ring_bytes, line_bytes);
        let passes = run(threads, places, ring, |ring| timed(|| ring.follow(READS)))?;
        latencies.push((cache_bytes, latency(passes)));
        last_ring_bytes = ring_bytes;
    }
    let ring = || Ring::new(last_ring_bytes, line_bytes);
    let passes = run(threads, places, ring, |ring| timed(|| ring.sum()))?;
    let bytes_per_second = bandwidth(Ring::bytes(last_ring_bytes, line_bytes), passes);
    Ok(Capacity { hertz, bytes_per_second, latencies })
}

/// For each cache level its bytes, and the bytes that each of `threads` threads reads to miss it. All threads together
/// miss the last caches.
fn rings(threads: usize, machine: &Machine) -> Vec<(u64, u64)> {
    let last_caches = machine.cache_bytes.unwrap_or(ASSUMED_CACHE_BYTES);
    let share = TIMES_THE_CACHE * last_caches / threads as u64;
    let Some((&last, nearer)) = machine.caches.split_last() else {
        return vec![(ASSUMED_CACHE_BYTES, share)];
    };
    nearer.iter().map(|&bytes| (bytes, TIMES_THE_CACHE * bytes)).chain([(last, share)]).collect()
}

/// Clock speed, from each thread's seconds for [`CLOCK_STEPS`] steps of two cycles.
fn hertz(passes: Vec<[f64; PASSES]>) -> f64 {
    2.0 * f64::from(CLOCK_STEPS) / best_pass(passes, median)
}

/// Seconds of a read, from each thread's seconds for [`READS`] reads.
fn latency(passes: Vec<[f64; PASSES]>) -> f64 {
    best_pass(passes, median) / READS as f64
}

/// Bytes per second of all threads together, if each reads `bytes_per_thread`. The slowest thread ends a pass.
fn bandwidth(bytes_per_thread: u64, passes: Vec<[f64; PASSES]>) -> f64 {
    let bytes = bytes_per_thread as f64 * passes.len() as f64;
    bytes / best_pass(passes, |threads| threads.iter().copied().fold(0.0, f64::max))
}

/// The seconds of each `pass` on each of `threads` threads, which prepare a state in their `places`. All threads begin a
/// pass together.
fn run<S>(
    threads: usize,
    places: &Places,
    prepare: impl Fn() -> S + Sync,
    pass: impl Fn(&mut S) -> f64 + Sync,
) -> io::Result<Vec<[f64; PASSES]>> {
    let barrier = Barrier::new(threads);
    let passes = |worker: usize| {
        // Pinned first, as memory lies near the processor that writes it first.
        if let Some(&processor) = places.workers.get(worker) {
            pin_current(processor);
        }
        let mut state = prepare();
        [(); PASSES].map(|()| {
            barrier.wait();
            pass(&mut state)
        })
    };
    let passes = &passes;
    // Whether all threads were started. A thread that waited at the barrier for one that was not would wait forever.
    let are_all_started: &OnceLock<bool> = &OnceLock::new();
    thread::scope(|scope| {
        let start = |worker| {
            let work = move || are_all_started.wait().then(|| passes(worker));
            start_scoped(Builder::new(), scope, work)
        };
        let threads: io::Result<Vec<_>> = (0..threads).map(start).collect();
        are_all_started.get_or_init(|| threads.is_ok());
        Ok(threads?.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect())
    })
}

/// The least that `combined` makes of the threads' seconds in a pass.
fn best_pass(threads: Vec<[f64; PASSES]>, combined: impl Fn(&[f64]) -> f64) -> f64 {
    let mut least = f64::INFINITY;
    for pass in 0..PASSES {
        let seconds: Vec<f64> = threads.iter().map(|passes| passes[pass]).collect();
        least = least.min(combined(&seconds));
    }
    least
}

/// Seconds of processor time that `work` takes.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let watch = ThreadWatch::start();
    black_box(work());
    watch.seconds()
}

/// Each step is an addition and a rotation. Both take one cycle on all processors for which this program is built.
fn rotate() -> u64 {
    let added = black_box(0x9e37_79b9_7f4a_7c15);
    (0..CLOCK_STEPS).fold(1, |x: u64, _| x.wrapping_add(added).rotate_left(7))
}

/// Memory whose cache lines form a ring: the first word of each is the number of the next line.
struct Ring {
    words: Vec<u64>,
    words_per_line: usize,
    /// The line that is read next.
    at: usize,
}

impl Ring {
    /// A ring of at least `bytes`.
    fn new(bytes: u64, line_bytes: u64) -> Self {
        let (lines, words_per_line) = Self::shape(bytes, line_bytes);
        let mut words = vec![0; lines * words_per_line];
        for (line, words) in words.chunks_exact_mut(words_per_line).enumerate() {
            // A generator of full period (Hull and Dobell 1962) visits every line, in an order that a processor
            // cannot predict.
            let next = (line as u64).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            words[0] = next % lines as u64;
        }
        Self { words, words_per_line, at: 0 }
    }

    /// The number of lines of a ring of at least `bytes`, and the number of words in a line. The generator needs a power
    /// of two lines.
    fn shape(bytes: u64, line_bytes: u64) -> (usize, usize) {
        let lines = bytes.div_ceil(line_bytes).next_power_of_two() as usize;
        (lines, (line_bytes / 8).max(1) as usize)
    }

    /// The size of a ring of at least `bytes`.
    fn bytes(bytes: u64, line_bytes: u64) -> u64 {
        let (lines, words_per_line) = Self::shape(bytes, line_bytes);
        8 * (lines * words_per_line) as u64
    }

    /// Reads this number of lines, each the one that the line before names.
    fn follow(&mut self, reads: usize) -> usize {
        for _ in 0..reads {
            self.at = self.words[self.at * self.words_per_line] as usize;
        }
        self.at
    }

    /// Reads all lines in order.
    fn sum(&self) -> u64 {
        self.words.iter().fold(0, |sum, word| sum.wrapping_add(*word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_files::with_files;

    #[test]
    fn what_was_stolen_is_the_difference_of_two_moments() {
        let cpuinfo = "cpu MHz\t\t: 2000.0\n\ncpu MHz\t\t: 3000.0\n";
        let at = |info, stat| with_files(&[("proc/cpuinfo", info), ("proc/stat", stat)]);
        // Two processors that this process may use, and one that it may not.
        let cpus = [0, 2].map(|id| Cpu { id, package: 0, core: id, node: 0 });
        let before = at(
            cpuinfo,
            "cpu  9 9\ncpu0 100 0 0 900 0 0 0 50 30 0\ncpu1 1 2 3 4 5 6 7 8\ncpu2 0 0 0 0 0 0 0 0\n",
        );
        let faster = cpuinfo.replace("3000", "3400");
        let after = at(
            &faster,
            "cpu  9 9\ncpu0 130 0 10 900 0 0 0 60 30 0\ncpu1 9 9 9 9 9 9 9 9\ncpu2 1 2 4 8 16 32 64 23\n",
        );
        let before = Snapshot::read(before.path(), &cpus, 1.0);
        let end = Snapshot::read(after.path(), &cpus, 1.73);
        let found = before.until(&end, after.path());
        // Of 50 and 150 ticks 10 and 23 were stolen; 40 and 103 were busy, 73 of them here.
        assert_eq!(found.stolen, Some(33.0 / 200.0));
        assert!((found.others.unwrap() - 70.0 / 200.0).abs() < 1e-12, "{found:?}");
        assert_eq!((found.megahertz, found.governor.clone()), (Some((2500.0, 2700.0)), None));
        assert_eq!(
            found.describe(),
            "clock speed 2.50 GHz before and 2.70 GHz after, governor unknown, processor time taken by other \
             machines 16.5 %, by other programs 35.0 %"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn conditions_until_now_have_the_share_of_others_and_why_nothing_was_counted() {
        let cpus = crate::topology::Machine::here().cpus;
        let snapshot = Snapshot::now(&cpus);
        // Longer than a tick.
        std::thread::sleep(std::time::Duration::from_millis(60));
        let others = snapshot.others_until_now(&cpus).unwrap();
        assert!((0.0..=1.0).contains(&others), "{others}");
        let found = snapshot.until_now(&cpus);
        assert!(found.others.is_some());
        assert!(found.began.is_some_and(|it| it.as_str() > "2026" && it.len() == 16));
        assert_eq!(found.uncounted, Counters::start(CounterScope::Own).err());
    }

    #[test]
    fn a_machine_that_tells_nothing_has_no_conditions() {
        let nowhere = Path::new("/nonexistent");
        let snapshot =
            || Snapshot::read(nowhere, &[Cpu { id: 0, package: 0, core: 0, node: 0 }], 0.0);
        let found = snapshot().until(&snapshot(), nowhere);
        assert_eq!(found, Conditions::default());
        assert_eq!(
            found.describe(),
            "clock speed unknown, governor unknown, processor time taken by other machines unknown, by other programs \
             unknown"
        );
    }

    /// As `date -u -d @SECONDS` tells them.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (951_868_800, "2000-03-01 00:00"),
            (1_795_897_012, "2026-11-28 20:16"),
            (4_107_542_399, "2100-02-28 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn the_better_of_two_moments_counts() {
        let before = Capacity::example(2e9, 20e9, 4e-9, 28e-9);
        let after = Capacity::example(3e9, 10e9, 5e-9, 131e-9);
        let ceiling = Ceiling { threads: 2, before, after };
        assert_eq!(ceiling.best(), Capacity::example(3e9, 20e9, 4e-9, 28e-9));
    }

    #[test]
    fn a_ring_visits_every_line_once_and_then_begins_again() {
        for (bytes, lines) in [(64, 1), (100, 2), (4096, 64), (64 * 1000, 1024)] {
            let mut ring = Ring::new(bytes, 64);
            assert_eq!(Ring::bytes(bytes, 64), 64 * lines as u64);
            assert_eq!(ring.words.len(), 8 * lines);
            let visited: std::collections::BTreeSet<usize> =
                (0..lines).map(|_| ring.follow(1)).collect();
            assert_eq!((visited.len(), ring.at), (lines, 0));
            assert_eq!(ring.sum(), (0..lines as u64).sum::<u64>());
        }
    }

    #[test]
    fn figures_follow_from_the_seconds_of_threads_worked_out_by_hand() {
        // The second pass is the best: its median 2, its slowest thread 4.
        let passes = |second: f64| {
            [1.0, 2.0, 4.0].map(|factor| [9.0 * second, factor * second, 9.0 * second]).to_vec()
        };
        assert_eq!(hertz(passes(1.0)), f64::from(CLOCK_STEPS));
        assert_eq!(latency(passes(READS as f64 * 50e-9)), 100e-9);
        assert_eq!(bandwidth(1 << 30, passes(1.0)), 3.0 * (1 << 30) as f64 / 4.0);
        // Threads whose own best passes are different ones.
        let threads = vec![[3.0, 2.0, 9.0], [1.0, 4.0, 9.0], [8.0, 3.0, 9.0]];
        assert_eq!(best_pass(threads.clone(), median), 3.0);
        assert_eq!(best_pass(threads, |all| all.iter().copied().fold(0.0, f64::max)), 4.0);
    }

    #[test]
    fn each_thread_misses_its_caches_and_all_together_the_last_ones() {
        let caches = vec![32 << 10, 1 << 20, 32 << 20];
        let machine = Machine { cache_bytes: Some(64 << 20), caches, ..Machine::here() };
        let near = [(32 << 10, 128 << 10), (1 << 20, 4 << 20)];
        assert_eq!(rings(1, &machine), [near[0], near[1], (32 << 20, 256 << 20)]);
        assert_eq!(rings(4, &machine), [near[0], near[1], (32 << 20, 64 << 20)]);
        let unknown = Machine { cache_bytes: None, caches: Vec::new(), ..machine };
        assert_eq!(rings(4, &unknown), [(64 << 20, 64 << 20)]);
    }

    /// Threads that have no place stay where they were.
    #[cfg(target_os = "linux")]
    #[test]
    fn threads_measure_where_the_workers_are_placed() {
        use rustix::thread::{CpuSet, sched_getaffinity};
        let last = Machine::here().cpus.last().unwrap().id;
        let places = Places { workers: vec![last], spare: Vec::new() };
        let allowed = || {
            let cpus = sched_getaffinity(None).unwrap();
            (1..=CpuSet::MAX_CPU).filter(|&id| cpus.is_set(id - 1)).sum::<usize>()
        };
        let found = run(1, &places, || (), |()| allowed() as f64).unwrap();
        assert_eq!(found, [[(last + 1) as f64; PASSES]]);
    }

    #[test]
    fn a_small_machine_is_measured_at_every_level() {
        let caches = vec![4 << 10, 32 << 10];
        let machine = Machine { cache_bytes: Some(64 << 10), caches, ..Machine::here() };
        assert_eq!(bytes_needed(&machine), 512 << 10);
        let found = measure(3, &machine, &Places::default()).unwrap();
        assert_eq!(
            found.latencies.iter().map(|latency| latency.0).collect::<Vec<_>>(),
            [4 << 10, 32 << 10]
        );
        let figures = found.latencies.iter().map(|latency| latency.1);
        for figure in figures.chain([found.hertz, found.bytes_per_second]) {
            assert!(figure > 0.0 && figure.is_finite(), "{found:?}");
        }
    }
}
