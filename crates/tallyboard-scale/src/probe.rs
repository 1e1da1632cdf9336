//! Measures the machine's capacity by short loops of known work on several threads at once.
//!
//! ```text
//! clock      x = rotate(x + k)    two cycles a step: each step waits for the one before
//! latency    at = words[at]       each read waits for the one before and is of a distant line
//! bandwidth  sum += words[..]     all memory of the thread, in order
//! ```

use std::hint::black_box;
use std::io;
use std::sync::{Barrier, OnceLock};
use std::thread::{self, Builder};
use tallyboard_search::start_scoped;

use super::ceiling::Capacity;
use super::pinning::pin_current;
use super::topology::{Machine, Places};
use tallyboard_base::clock::ThreadWatch;
use tallyboard_base::statistics::median;

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
