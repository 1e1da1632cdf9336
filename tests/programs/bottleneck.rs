//! Five ways to scale badly, for `ci/bottlenecks.sh`: `scale run` has to name the cause of each.
//!
//! `bottleneck MODE THREADS`: about a second of work on one thread, done by THREADS threads.

use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::scope;

/// Steps of a millisecond or so: a multiplication of 64 bits takes three or four cycles.
const STEPS: u64 = 1_000_000;

/// Keeps a processor busy, and nothing else.
fn compute(steps: u64) -> u64 {
    (0..steps).fold(1, |x: u64, _| black_box(x.wrapping_mul(6_364_136_223_846_793_005) ^ x >> 7))
}

/// Does pieces of work, given by their steps; threads that are free take the next one.
fn share(threads: usize, pieces: &[u64]) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(steps) = pieces.get(next.fetch_add(1, Relaxed)) {
            black_box(compute(*steps));
        }
    };
    scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
}

/// All but a fifth of the work is done by one thread at a time.
fn lock(threads: usize) {
    let (held, next) = (Mutex::new(0u64), AtomicUsize::new(0));
    let worker = || {
        while next.fetch_add(1, Relaxed) < 3000 {
            let mut sum = held.lock().unwrap();
            *sum ^= compute(STEPS / 5);
            drop(sum);
            black_box(compute(STEPS / 20));
        }
    };
    scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
}

/// Half of the work comes before the threads.
fn serial(threads: usize) {
    black_box(compute(400 * STEPS));
    share(threads, &[STEPS; 400]);
}

/// Sums of half a gibibyte, a part for each thread: they wait for memory.
fn memory(threads: usize) {
    let words = vec![1u64; 1 << 26];
    let part = words.len() / threads;
    let sum = |part: &[u64]| -> u64 { (0..12).map(|_| black_box(part).iter().sum::<u64>()).sum() };
    scope(|scope| {
        for part in words.chunks(part) {
            scope.spawn(move || black_box(sum(part)));
        }
    });
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, mode, threads] = &words[..] else { panic!("expected MODE THREADS, found {words:?}") };
    let threads: usize = threads.parse().expect("a number of threads");
    match mode.as_str() {
        "lock" => lock(threads),
        "serial" => serial(threads),
        "memory" => memory(threads),
        // The last piece is as long as all others together.
        "uneven" => share(threads, &[&[STEPS; 400][..], &[400 * STEPS]].concat()),
        // This one scales well; the check runs other programs meanwhile.
        "neighbours" => share(threads, &[STEPS; 800]),
        _ => panic!("expected lock, serial, memory, uneven or neighbours, found {mode}"),
    }
}
