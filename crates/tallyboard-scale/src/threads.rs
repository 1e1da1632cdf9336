//! The threads of a command, observed from outside: when each had work, and why the others had none.
//!
//! Linux tells how long each thread has had a processor, and how long it was ready to run without one
//! (`/proc/PID/task/TID/schedstat`). Both are read every few milliseconds. The *active* time of a thread is the sum of
//! both; the rest of the time it was asleep.
//!
//! ```text
//! main      |########..........................|   serial: always the same thread is active alone
//! worker 1  |........##############..##..##....|   turns:  different threads are active alone
//! worker 2  |........############..##..########|   tail:   the others have ended
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Acquire};
use std::time::{Duration, Instant};

use tallyboard_base::clock::ThreadWatch;
use tallyboard_base::system::{entries, read_key};

/// The shortest time between two samples.
const MIN_PAUSE: Duration = Duration::from_millis(5);
/// Upper bound on the share of one processor that taking samples costs, once there are samples enough.
const MAX_COST: f64 = 0.005;
/// The longest time between two samples until there are samples enough: a run of a second has forty.
const MAX_FIRST_PAUSE: Duration = Duration::from_millis(25);
/// Nothing is told of a run with fewer samples.
const MIN_SAMPLES: usize = 20;
/// A thread counts as active in a sample if it was active for more than this share of it.
const ACTIVE_SHARE: f64 = 0.5;
/// A thread counts as alone in a sample if the others together were active for less than this share of it.
const OTHERS_SHARE: f64 = 0.1;
/// Time with one thread alone is a serial part if one thread has at least this share of that time.
const SAME_THREAD_SHARE: f64 = 0.75;

/// What the threads did between two readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Seconds between the readings.
    pub seconds: f64,
    /// Each thread's number, and the seconds in which it had a processor or was ready for one.
    pub active: Vec<(u32, f64)>,
}

/// Seconds in which threads had no processor, by the reason. A thread that has not started or has ended counts as asleep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OffCpu {
    /// Ready to run.
    pub preempted: f64,
    /// Asleep while another thread was active alone, always the same one.
    pub serial: f64,
    /// Asleep while different threads were active in turn.
    pub turns: f64,
    /// Asleep at the end while others are still active.
    pub tail: f64,
}

/// What was observed of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WatchedRun {
    /// The threads; `None` if there were too few samples, or if the system tells nothing.
    pub observation: Option<Observation>,
    /// The most memory that the processes held at once, if the system tells.
    pub resident_bytes: Option<u64>,
}

/// What samples show of the threads of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observation {
    /// The time in which threads had no processor.
    pub off_cpu: OffCpu,
    /// The share of the wall time that the run would have taken if each thread had had a processor whenever it was
    /// ready.
    pub undisturbed_share: f64,
}

/// Samples the process `pid` and all processes that it starts, until `is_over` is set. The command was told to run
/// `threads` threads.
pub fn watch(pid: u32, threads: usize, is_over: &AtomicBool) -> WatchedRun {
    let mut watcher = Watcher::new(Path::new("/"), pid);
    while !is_over.load(Acquire) {
        // The cost is processor time: on a busy machine the wall time of a reading may be much longer.
        let cost = ThreadWatch::start();
        watcher.sample(Instant::now());
        let mut pause = MIN_PAUSE.max(Duration::from_secs_f64(cost.seconds() / MAX_COST));
        if watcher.samples.len() < MIN_SAMPLES {
            pause = pause.min(MAX_FIRST_PAUSE);
        }
        std::thread::park_timeout(pause);
    }
    watcher.finish(threads)
}

/// Seconds of a thread since it started.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    on_processor: f64,
    /// Ready for a processor.
    ready: f64,
}

#[derive(Default)]
struct Watcher {
    /// Where the folder `proc` is.
    root: PathBuf,
    pid: u32,
    last_reading: Option<Instant>,
    /// The totals of each thread at the last reading.
    totals: BTreeMap<u32, Totals>,
    samples: Vec<Sample>,
    /// Seconds in which threads were ready without a processor.
    preempted: f64,
    /// The wall seconds that would have sufficed if ready threads had always had a processor.
    undisturbed: f64,
    resident_bytes: u64,
}

impl Watcher {
    fn new(root: &Path, pid: u32) -> Self {
        Self { root: root.to_owned(), pid, ..Self::default() }
    }

    fn sample(&mut self, now: Instant) {
        let mut reading = Reading::default();
        reading.add(&self.root, self.pid);
        let Reading { totals, resident_bytes, largest_peak } = reading;
        self.resident_bytes = self.resident_bytes.max(resident_bytes).max(largest_peak);
        let mut active = Vec::new();
        let mut on_processor = 0.0;
        for (&thread, &total) in &totals {
            let before = self.totals.get(&thread).copied().unwrap_or_default();
            let cpu_seconds = total.on_processor - before.on_processor;
            self.preempted += (total.ready - before.ready).max(0.0);
            on_processor += cpu_seconds.max(0.0);
            active.push((thread, (cpu_seconds + total.ready - before.ready).max(0.0)));
        }
        if !totals.is_empty()
            && let Some(last_reading) = self.last_reading
        {
            let sample = Sample { seconds: (now - last_reading).as_secs_f64(), active };
            self.undisturbed += undisturbed_seconds(&sample, on_processor);
            self.samples.push(sample);
        }
        self.totals = totals;
        self.last_reading = Some(now);
    }

    fn finish(self, threads: usize) -> WatchedRun {
        let resident_bytes = Some(self.resident_bytes).filter(|&bytes| bytes > 0);
        WatchedRun { observation: self.observation(threads), resident_bytes }
    }

    fn observation(self, threads: usize) -> Option<Observation> {
        let Self { samples, preempted, undisturbed, .. } = self;
        let mut active = samples.iter().flat_map(|sample| &sample.active);
        if samples.len() < MIN_SAMPLES || !active.any(|(_, seconds)| *seconds > 0.0) {
            return None;
        }
        let off_cpu = OffCpu { preempted, ..classify(&samples, threads) };
        let observed: f64 = samples.iter().map(|sample| sample.seconds).sum();
        Some(Observation { off_cpu, undisturbed_share: undisturbed / observed })
    }
}

/// The seconds that `sample` would have taken if its threads had had a processor whenever they were ready. They had
/// one for `on_processor` seconds.
///
/// The program is taken to have been active for as long as its most active thread. That time shrinks to the share of
/// the threads' active time in which they had a processor. The rest of the sample, all asleep, stays as it is.
fn undisturbed_seconds(sample: &Sample, on_processor: f64) -> f64 {
    let active: f64 = sample.active.iter().map(|(_, seconds)| seconds).sum();
    let longest = sample.active.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max);
    let any_active = longest.min(sample.seconds);
    if active == 0.0 {
        return sample.seconds;
    }
    sample.seconds - any_active + any_active * (on_processor / active).min(1.0)
}

/// What the system tells at one moment of a process and of all processes that it has started.
#[derive(Default)]
struct Reading {
    /// The threads by number.
    totals: BTreeMap<u32, Totals>,
    /// Bytes that all processes hold.
    resident_bytes: u64,
    /// The most bytes that one process has held so far.
    largest_peak: u64,
}

impl Reading {
    /// Adds the process `pid` and those that it has started.
    fn add(&mut self, root: &Path, pid: u32) {
        let folder = root.join(format!("proc/{pid}"));
        let status = folder.join("status");
        // The system tells KiB.
        let bytes = |key| read_key(&status, key).unwrap_or(0) << 10;
        self.resident_bytes += bytes("VmRSS:");
        self.largest_peak = self.largest_peak.max(bytes("VmHWM:"));
        for task in entries(&folder.join("task")) {
            let name = task.file_name().and_then(OsStr::to_str);
            let Some(thread) = name.and_then(|name| name.parse().ok()) else { continue };
            let total = read_schedstat(&task.join("schedstat"));
            self.totals.extend(total.map(|total| (thread, total)));
            let children = fs::read_to_string(task.join("children")).unwrap_or_default();
            for child in children.split_whitespace().filter_map(|pid| pid.parse().ok()) {
                self.add(root, child);
            }
        }
    }
}

/// The totals of a thread: the first two fields of its file, in nanoseconds.
fn read_schedstat(path: &Path) -> Option<Totals> {
    let text = fs::read_to_string(path).ok()?;
    let mut fields = text.split_whitespace().map(|field| field.parse::<u64>().ok());
    let on_processor = fields.next()?? as f64 * 1e-9;
    let ready = fields.next()?? as f64 * 1e-9;
    Some(Totals { on_processor, ready })
}

/// The time in which fewer than `threads` threads were active, by the reason.
pub fn classify(samples: &[Sample], threads: usize) -> OffCpu {
    let active: Vec<BTreeSet<u32>> = samples.iter().map(active_threads).collect();
    let tail = tail_start(&active, threads);
    // How long each thread was active alone, before the tail.
    let mut lone_seconds = BTreeMap::<u32, f64>::new();
    for sample in &samples[..tail] {
        if let Some(thread) = lone_thread(sample) {
            *lone_seconds.entry(thread).or_default() += sample.seconds;
        }
    }
    let sum: f64 = lone_seconds.values().sum();
    let is_serial = lone_seconds.values().any(|seconds| *seconds >= SAME_THREAD_SHARE * sum);
    let mut off_cpu = OffCpu::default();
    for (index, sample) in samples.iter().enumerate() {
        let active: f64 = sample.active.iter().map(|(_, seconds)| seconds).sum();
        let asleep = (threads as f64 * sample.seconds - active).max(0.0);
        let reason = if index >= tail {
            &mut off_cpu.tail
        } else if is_serial && threads > 1 && lone_thread(sample).is_some() {
            &mut off_cpu.serial
        } else {
            &mut off_cpu.turns
        };
        *reason += asleep;
    }
    off_cpu
}

fn lone_thread(sample: &Sample) -> Option<u32> {
    let Sample { seconds, active } = sample;
    let (thread, longest) = active.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let others = active.iter().map(|(_, seconds)| seconds).sum::<f64>() - longest;
    (longest > ACTIVE_SHARE * seconds && others < OTHERS_SHARE * seconds).then_some(thread)
}

fn active_threads(sample: &Sample) -> BTreeSet<u32> {
    let min_seconds = ACTIVE_SHARE * sample.seconds;
    let active = sample.active.iter().filter(|(_, seconds)| *seconds > min_seconds);
    active.map(|(thread, _)| *thread).collect()
}

/// Index of the sample at which the tail begins; the number of samples if there is no tail. `active` has the active
/// threads of each sample.
///
/// The tail is the end of the run in which threads only leave: fewer than `threads` are active, and no thread becomes
/// active again. Before it more threads were active.
fn tail_start(active: &[BTreeSet<u32>], threads: usize) -> usize {
    let end = active.len();
    let mut start = end;
    while start > 0 && active[start - 1].len() < threads {
        if start < end && !active[start].is_subset(&active[start - 1]) {
            break;
        }
        start -= 1;
    }
    // The tail may begin in the middle of a sample: compare with the sample before that one.
    let Some(before) = start.checked_sub(2).map(|index| &active[index]) else { return end };
    let has_left = |first: &BTreeSet<u32>| first.is_subset(before) && before.len() > first.len();
    if active.get(start).is_some_and(has_left) { start } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_files::with_files;

    /// Samples of 10 ms. Each stretch has a number of samples, and each thread's active milliseconds in one.
    fn samples(stretches: &[(usize, &[(u32, f64)])]) -> Vec<Sample> {
        let sample = |active: &[(u32, f64)]| Sample {
            seconds: 0.01,
            active: active.iter().map(|&(thread, ms)| (thread, ms / 1e3)).collect(),
        };
        stretches.iter().flat_map(|&(times, active)| vec![sample(active); times]).collect()
    }

    fn near(found: OffCpu, serial: f64, turns: f64, tail: f64) {
        let pairs = [(found.serial, serial), (found.turns, turns), (found.tail, tail)];
        assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn nothing_is_said_of_fewer_than_twenty_samples_or_of_idle_threads() {
        let observed = |samples| {
            let watcher = Watcher { samples, ..Watcher::new(Path::new("/"), 1) };
            watcher.finish(2).observation.is_some()
        };
        assert!(!observed(samples(&[(19, &[(1, 10.0)])])));
        assert!(observed(samples(&[(20, &[(1, 10.0)])])));
        assert!(!observed(samples(&[(20, &[(1, 0.0)])])));
    }

    #[test]
    fn each_reason_to_sleep_is_told_from_the_others() {
        const BOTH: &[(u32, f64)] = &[(1, 0.0), (2, 10.0), (3, 10.0)];
        const MAIN: &[(u32, f64)] = &[(1, 10.0)];
        const LAST: &[(u32, f64)] = &[(1, 0.0), (3, 10.0)];
        // A serial part in front, and one at the end; the change is in the middle of a sample.
        near(classify(&samples(&[(50, MAIN), (50, BOTH)]), 2), 0.5, 0.0, 0.0);
        const CHANGE: &[(u32, f64)] = &[(1, 6.0), (2, 4.0), (3, 4.0)];
        near(classify(&samples(&[(50, BOTH), (1, CHANGE), (30, MAIN)]), 2), 0.3, 0.006, 0.0);
        // A thread that works alone at the end.
        near(classify(&samples(&[(50, BOTH), (40, LAST)]), 2), 0.0, 0.0, 0.4);
        // Turns, within a sample and over several.
        const HALVES: &[(u32, f64)] = &[(2, 5.0), (3, 6.0)];
        near(classify(&samples(&[(50, HALVES), (1, BOTH)]), 2), 0.0, 0.45, 0.0);
        const FIRST: &[(u32, f64)] = &[(2, 10.0), (3, 0.0)];
        let hogged = [(10, FIRST), (12, LAST), (11, FIRST), (2, BOTH)];
        near(classify(&samples(&hogged), 2), 0.0, 0.33, 0.0);
        // Four threads: two leave, then one.
        const FOUR: &[(u32, f64)] = &[(2, 10.0), (3, 10.0), (4, 10.0), (5, 10.0)];
        let leaving = [(9, FOUR), (10, &FOUR[..2]), (10, &FOUR[..1])];
        near(classify(&samples(&leaving), 4), 0.0, 0.0, 0.2 + 0.3);
        // One thread alone is no serial part of one, and all at work lose nothing.
        near(classify(&samples(&[(50, FIRST)]), 1), 0.0, 0.0, 0.0);
        near(classify(&samples(&[(50, FOUR)]), 4), 0.0, 0.0, 0.0);
    }

    #[test]
    fn a_wait_for_a_processor_is_taken_out_of_the_time_and_other_waits_are_not() {
        let of = |active: &[(u32, f64)], on_processor: f64| {
            let [sample] = &samples(&[(1, active)])[..] else { panic!() };
            (undisturbed_seconds(sample, on_processor / 1e3) * 1e6).round() as u64
        };
        // Two threads of which each had a processor for half of the 10 ms; one that slept for 4 of them.
        assert_eq!(of(&[(1, 10.0), (2, 10.0)], 10.0), 5_000);
        assert_eq!(of(&[(1, 6.0)], 6.0), 10_000);
        assert_eq!(of(&[(1, 6.0)], 3.0), 7_000);
        assert_eq!(of(&[(1, 0.0)], 0.0), 10_000);
    }

    #[test]
    fn threads_of_processes_that_were_started_are_read_too() {
        let files = |ms: u64, kib: u64| {
            let ns = ms * 1_000_000;
            with_files(&[
                ("proc/7/status", &format!("Name:\tx\nVmHWM:\t 2500 kB\nVmRSS:\t    {kib} kB\n")),
                ("proc/7/task/7/schedstat", &format!("{ns} {} 3\n", ns / 2)),
                ("proc/7/task/7/children", "9 "),
                ("proc/7/task/8/schedstat", "0 0 1\n"),
                ("proc/9/status", "VmRSS:\t1024 kB\n"),
                ("proc/9/task/9/schedstat", &format!("{ns} 0 3\n")),
            ])
        };
        let (before, after) = (files(100, 2048), files(104, 512));
        let mut watcher = Watcher::new(before.path(), 7);
        let now = Instant::now();
        watcher.sample(now);
        watcher.root = after.path().to_owned();
        watcher.sample(now + Duration::from_millis(10));
        assert_eq!(watcher.resident_bytes, 3 << 20);
        let [sample] = &watcher.samples[..] else { panic!("{:?}", watcher.samples) };
        let found: Vec<(u32, u64)> =
            sample.active.iter().map(|(thread, s)| (*thread, (s * 1e6).round() as u64)).collect();
        assert_eq!(found, [(7, 6000), (8, 0), (9, 4000)]);
        assert!((sample.seconds - 0.01).abs() < 1e-9);
        // Of 10 ms one thread was active for 6; all together for 10, of which they had a processor for 8.
        assert!((watcher.undisturbed - 0.0088).abs() < 1e-9, "{}", watcher.undisturbed);
        // 50 ms until the first reading, and 2 until the second.
        assert!((watcher.preempted - 0.052).abs() < 1e-9, "{}", watcher.preempted);
        let watched = watcher.finish(2);
        assert_eq!(watched.observation, None, "one sample is too few");
        assert_eq!(watched.resident_bytes, Some(3 << 20));
        // One process that held more before is told too.
        let peak = [
            ("proc/7/status", "VmHWM:\t4096 kB\nVmRSS:\t1024 kB\n"),
            ("proc/7/task/7/schedstat", "1 1 1"),
        ];
        let root = with_files(&peak);
        let mut watcher = Watcher::new(root.path(), 7);
        watcher.sample(now);
        assert_eq!(watcher.finish(2).resident_bytes, Some(4 << 20));
    }
}
