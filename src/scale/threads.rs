//! The threads of a command, seen from outside: who had work when, and why the others had none.
//!
//! Linux tells of every thread how long it had a processor and how long it was ready to run without one
//! (`/proc/PID/task/TID/schedstat`). Looking every few milliseconds shows who was *active*, which is either.
//!
//! ```text
//! main      |########..........................|   serial: one thread alone, always the same
//! worker 1  |........##############..##..##....|   turns:  now one alone, now another
//! worker 2  |........############..##..########|   tail:   who is active goes on, the others have ended
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Acquire};
use std::time::{Duration, Instant};

use crate::clock::ThreadWatch;

/// The shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(5);
/// Looking takes at most this share of one processor.
const LOOKING: f64 = 0.005;
/// Fewer looks show too little.
const FEWEST_LOOKS: usize = 20;
/// A thread that was active for more of a stretch than this counts as active in it.
const ACTIVE: f64 = 0.5;
/// Threads that were active together for less of a stretch than this hardly were.
const HARDLY: f64 = 0.1;
/// Share of all time with one thread alone from which on one and the same thread counts as the serial part.
const SAME_THREAD: f64 = 0.75;

/// The stretch between two looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// How long it was.
    pub seconds: f64,
    /// Threads, and for how many seconds each had a processor or was ready for one.
    pub active: Vec<(u32, f64)>,
}

/// Seconds of the threads in which they had no processor. Threads that were never started count as
/// asleep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Idle {
    /// Ready to run.
    pub preempted: f64,
    /// Asleep while one thread was active, always the same.
    pub serial: f64,
    /// Asleep while others were active, now one and now another.
    pub turns: f64,
    /// Asleep at the end, while others went on with what they did before.
    pub tail: f64,
}

/// What was seen of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Watched {
    /// Why threads had no processor.
    pub idle: Idle,
    /// The most memory that its processes held at once, bytes.
    pub resident_bytes: u64,
}

/// Watches the process `pid` and all that it starts until it is `over`, as a command that was told to run
/// `threads` threads. `None` if it was over too soon, or if the system does not tell.
pub fn watch(pid: u32, threads: usize, over: &AtomicBool) -> Option<Watched> {
    let mut watcher = Watcher::new(Path::new("/"), pid);
    while !over.load(Acquire) {
        // What it takes of a processor: on a busy machine a look may last longer, and would soon be the last.
        let taken = ThreadWatch::start();
        watcher.look(Instant::now());
        let pause = SHORTEST.max(Duration::from_secs_f64(taken.seconds() / LOOKING));
        std::thread::park_timeout(pause);
    }
    watcher.finish(threads)
}

struct Watcher<'a> {
    root: &'a Path,
    pid: u32,
    last: Option<Instant>,
    /// Seconds on a processor and seconds ready for one of each thread, at the last look.
    seen: BTreeMap<u32, (f64, f64)>,
    looks: Vec<Look>,
    preempted: f64,
    resident_bytes: u64,
}

impl<'a> Watcher<'a> {
    fn new(root: &'a Path, pid: u32) -> Self {
        let (seen, looks) = (BTreeMap::new(), Vec::new());
        Self { root, pid, last: None, seen, looks, preempted: 0.0, resident_bytes: 0 }
    }

    fn look(&mut self, now: Instant) {
        let (mut found, mut resident) = (BTreeMap::new(), 0);
        read_process(self.root, self.pid, &mut found, &mut resident);
        self.resident_bytes = self.resident_bytes.max(resident);
        let mut active = Vec::new();
        for (&thread, &(cpu, ready)) in &found {
            let (cpu_before, ready_before) = self.seen.get(&thread).copied().unwrap_or((0.0, 0.0));
            self.preempted += (ready - ready_before).max(0.0);
            active.push((thread, (cpu - cpu_before + ready - ready_before).max(0.0)));
        }
        if let Some(last) = self.last.filter(|_| !found.is_empty()) {
            self.looks.push(Look { seconds: (now - last).as_secs_f64(), active });
        }
        self.seen = found;
        self.last = Some(now);
    }

    fn finish(self, threads: usize) -> Option<Watched> {
        let Self { looks, preempted, resident_bytes, .. } = self;
        let told = looks.iter().any(|look| look.active.iter().any(|(_, seconds)| *seconds > 0.0));
        if looks.len() < FEWEST_LOOKS || !told {
            return None;
        }
        Some(Watched { idle: Idle { preempted, ..sort(&looks, threads) }, resident_bytes })
    }
}

/// The threads of a process and of those that it has started, with what they have had so far; adds up what
/// the processes hold of memory.
fn read_process(
    root: &Path,
    pid: u32,
    found: &mut BTreeMap<u32, (f64, f64)>,
    resident_bytes: &mut u64,
) {
    let folder = root.join(format!("proc/{pid}"));
    let kib = crate::system::read_key(folder.join("status"), "VmRSS:").unwrap_or(0);
    *resident_bytes += kib << 10;
    let tasks = fs::read_dir(folder.join("task")).into_iter().flatten().flatten();
    for task in tasks {
        let path: PathBuf = task.path();
        let Some(thread) = task.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if let Some(had) = read_schedstat(&path.join("schedstat")) {
            found.insert(thread, had);
        }
        let children = fs::read_to_string(path.join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|pid| pid.parse().ok()) {
            read_process(root, child, found, resident_bytes);
        }
    }
}

/// Seconds on a processor and seconds ready for one.
fn read_schedstat(path: &Path) -> Option<(f64, f64)> {
    let text = fs::read_to_string(path).ok()?;
    let mut fields = text.split_whitespace().map(|field| field.parse::<u64>().ok());
    let mut next = || Some(fields.next()?? as f64 * 1e-9);
    Some((next()?, next()?))
}

/// Sorts the time in which fewer than `threads` were active by its reason.
pub fn sort(looks: &[Look], threads: usize) -> Idle {
    let active: Vec<BTreeSet<u32>> = looks.iter().map(active).collect();
    let tail = tail_start(&active, threads);
    // How long each thread was active alone, before the tail.
    let mut lone_seconds = BTreeMap::<u32, f64>::new();
    for look in &looks[..tail] {
        if let Some(thread) = lone(look) {
            *lone_seconds.entry(thread).or_default() += look.seconds;
        }
    }
    let all: f64 = lone_seconds.values().sum();
    let is_serial = lone_seconds.values().any(|seconds| *seconds >= SAME_THREAD * all);
    let mut idle = Idle::default();
    for (at, look) in looks.iter().enumerate() {
        let had: f64 = look.active.iter().map(|(_, seconds)| seconds).sum();
        let missing = (threads as f64 * look.seconds - had).max(0.0);
        let reason = if at >= tail {
            &mut idle.tail
        } else if is_serial && threads > 1 && lone(look).is_some() {
            &mut idle.serial
        } else {
            &mut idle.turns
        };
        *reason += missing;
    }
    idle
}

/// The one thread that was active, if the others hardly were.
fn lone(look: &Look) -> Option<u32> {
    let (thread, most) = look.active.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let all: f64 = look.active.iter().map(|(_, seconds)| seconds).sum();
    (most > ACTIVE * look.seconds && all - most < HARDLY * look.seconds).then_some(thread)
}

fn active(look: &Look) -> BTreeSet<u32> {
    let active = look.active.iter().filter(|(_, seconds)| *seconds > ACTIVE * look.seconds);
    active.map(|(thread, _)| *thread).collect()
}

/// The first of the looks at the end with fewer than `threads` active, of whom each was active before,
/// beside others; as many as there are looks if nobody was.
fn tail_start(active: &[BTreeSet<u32>], threads: usize) -> usize {
    let end = active.len();
    let goes_on = |at: usize| at == end || active[at].is_subset(&active[at - 1]);
    let mut start = end;
    while start > 0 && active[start - 1].len() < threads && goes_on(start) {
        start -= 1;
    }
    // One look may straddle the change.
    let Some(before) = start.checked_sub(2).map(|at| &active[at]) else { return end };
    let went_on = active.get(start).is_some_and(|first| first.is_subset(before));
    if went_on && before.len() > active[start].len() { start } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::with_files;

    /// Looks of 10 ms, in each of which these threads were active for so many ms.
    fn looks(stretches: &[(usize, &[(u32, f64)])]) -> Vec<Look> {
        let look = |active: &[(u32, f64)]| Look {
            seconds: 0.01,
            active: active.iter().map(|&(thread, ms)| (thread, ms / 1e3)).collect(),
        };
        stretches.iter().flat_map(|&(times, active)| vec![look(active); times]).collect()
    }

    fn near(found: Idle, serial: f64, turns: f64, tail: f64) {
        let pairs = [(found.serial, serial), (found.turns, turns), (found.tail, tail)];
        assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn each_reason_to_sleep_is_told_from_the_others() {
        const BOTH: &[(u32, f64)] = &[(1, 0.0), (2, 10.0), (3, 10.0)];
        const MAIN: &[(u32, f64)] = &[(1, 10.0)];
        const LAST: &[(u32, f64)] = &[(1, 0.0), (3, 10.0)];
        // A serial part in front, and one at the end; half of a look lies on either side.
        near(sort(&looks(&[(50, MAIN), (50, BOTH)]), 2), 0.5, 0.0, 0.0);
        const CHANGE: &[(u32, f64)] = &[(1, 6.0), (2, 4.0), (3, 4.0)];
        near(sort(&looks(&[(50, BOTH), (1, CHANGE), (30, MAIN)]), 2), 0.3, 0.006, 0.0);
        // A thread that goes on alone.
        near(sort(&looks(&[(50, BOTH), (40, LAST)]), 2), 0.0, 0.0, 0.4);
        // Turns, within a look and over several.
        const HALVES: &[(u32, f64)] = &[(2, 5.0), (3, 6.0)];
        near(sort(&looks(&[(50, HALVES), (1, BOTH)]), 2), 0.0, 0.45, 0.0);
        const FIRST: &[(u32, f64)] = &[(2, 10.0), (3, 0.0)];
        let hogged = [(10, FIRST), (12, LAST), (11, FIRST), (2, BOTH)];
        near(sort(&looks(&hogged), 2), 0.0, 0.33, 0.0);
        // Four threads: two leave, then one.
        const FOUR: &[(u32, f64)] = &[(2, 10.0), (3, 10.0), (4, 10.0), (5, 10.0)];
        let leaving = [(9, FOUR), (10, &FOUR[..2]), (10, &FOUR[..1])];
        near(sort(&looks(&leaving), 4), 0.0, 0.0, 0.2 + 0.3);
        // One thread alone is no serial part of one, and all at work lose nothing.
        near(sort(&looks(&[(50, FIRST)]), 1), 0.0, 0.0, 0.0);
        near(sort(&looks(&[(50, FOUR)]), 4), 0.0, 0.0, 0.0);
    }

    #[test]
    fn what_the_system_tells_is_read_with_what_was_started() {
        let files = |ms: u64, kib: u64| {
            let ns = ms * 1_000_000;
            with_files(&[
                ("proc/7/status", &format!("Name:\tx\nVmRSS:\t    {kib} kB\n")),
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
        watcher.look(now);
        watcher.root = after.path();
        watcher.look(now + Duration::from_millis(10));
        assert_eq!(watcher.resident_bytes, 3 << 20);
        let [look] = &watcher.looks[..] else { panic!("{:?}", watcher.looks) };
        let found: Vec<(u32, u64)> =
            look.active.iter().map(|(thread, s)| (*thread, (s * 1e6).round() as u64)).collect();
        assert_eq!(found, [(7, 6000), (8, 0), (9, 4000)]);
        assert!((look.seconds - 0.01).abs() < 1e-9);
        // 50 ms until the first look, and 2 until the second.
        assert!((watcher.preempted - 0.052).abs() < 1e-9, "{}", watcher.preempted);
        assert_eq!(watcher.finish(2), None, "one look is too few");
    }
}
