//! Promise: a page of many cores can be read. A measurement of 64 cores on two NUMA nodes, made up and labelled so;
//! its page is what one looks at when a chart changes.
//!
//! `TALLYBOARD_RENEW=1 cargo test scale_wide` writes the files anew.

use tallyboard_scale::conditions::Conditions;
use tallyboard_scale::conditions::{Capacity, Ceiling};
use tallyboard_scale::counters::Counts;
use tallyboard_scale::forms::{html, text};
use tallyboard_scale::measure::{Run, Series, Setting};
use tallyboard_scale::report::{Report, Subject};
use tallyboard_scale::topology::{Cpu, Machine, Pin};
use tallyboard_scale::workers::{Span, Workers};

use crate::common::{golden, subject};

const COUNTS: [usize; 8] = [1, 2, 4, 8, 16, 32, 48, 64];
/// Bytes a second that the memory of the machine gives to all threads, and bytes that the work reads.
const MEMORY: f64 = 200e9;
const WORK_BYTES: f64 = 240e9;

/// Pieces of 40 to 200 ms, the longest first, after 0.4 s of splitting. Beside each other they take longer.
fn run(threads: usize, longer: f64) -> Run {
    let slowdown = (1.0 + 0.003 * threads as f64) * longer;
    let mut free = vec![0.4 * longer; threads];
    let mut spans = Vec::new();
    for piece in 0..600 {
        let worker = (0..threads).min_by(|&a, &b| free[a].total_cmp(&free[b])).unwrap();
        let seconds = (0.2 - 0.16 * f64::from(piece) / 600.0) * slowdown;
        let (start, end) = (free[worker] + 0.002, free[worker] + 0.002 + seconds);
        free[worker] = end;
        spans.push(Span { worker, start, end, cpu: Some(seconds * 0.995), subtrees: 1 });
    }
    let wall = free.into_iter().fold(0.0, f64::max);
    let workers = Workers::from_spans(threads, wall, &spans);
    let user = workers.cpu_seconds() + 0.4;
    let counts = Counts {
        instructions: 250_000_000_000,
        cycles: (3.1e9 * user) as u64,
        cache_misses: (WORK_BYTES / 64.0) as u64,
        seconds: user,
    };
    let workers = Some(workers);
    Run { wall, user, workers, counts: Some(counts), amount: Some(1e6), ..Run::default() }
}

fn ceiling(threads: usize) -> Ceiling {
    let capacity = |latency| Capacity {
        hertz: 3.7e9 - 6e6 * threads as f64,
        bytes_per_second: (14e9 * threads as f64).min(MEMORY),
        latencies: vec![(32 << 10, 4.1e-9), (1 << 20, 14e-9), (32 << 20, latency)],
    };
    Ceiling { threads, before: capacity(110e-9), after: capacity(115e-9) }
}

fn report() -> Report {
    let cpu = |id: usize| Cpu { id, package: id % 64 / 32, core: id % 32, node: id % 64 / 32 };
    let machine = Machine {
        cpu: "synthetic example, not a measurement".into(),
        cpus: (0..128).map(cpu).collect(),
        numa_nodes: 2,
        cache_bytes: Some(256 << 20),
        caches: vec![32 << 10, 1 << 20, 32 << 20],
        features: vec!["popcnt".into(), "avx2".into(), "avx512f".into()],
        ..subject::machine(64)
    };
    let conditions = Conditions {
        governor: Some("performance".into()),
        megahertz: Some((3500.0, 3300.0)),
        stolen: Some(0.0),
        others: Some(0.004),
        ceilings: COUNTS.map(ceiling).to_vec(),
        ..Conditions::default()
    };
    let subject = Subject {
        problem: "synthetic 64-core example".into(),
        pin: Pin::Nodes,
        conditions,
        unit: Some("solutions".into()),
        ..subject::subject("synthetic -j {threads}", machine)
    };
    let rounds = [1.0, 1.02, 0.98, 1.03, 1.01, 0.99, 0.97];
    let series = COUNTS.map(|threads| Series {
        setting: Setting::threads(threads),
        runs: rounds.map(|longer| run(threads, longer)).to_vec(),
    });
    Report { tallyboard: "0.0.0".into(), ..Report::new(subject, &series, None) }
}

#[test]
fn the_page_of_64_cores_is_as_it_was() {
    let report = report();
    // Memory takes 1.2 s, which with the most cores is more than 0.4 s and the longest piece.
    let forecast = report.forecast.as_ref().unwrap();
    assert_eq!(forecast.at(1024).unwrap().seconds, WORK_BYTES / MEMORY);
    assert!((forecast.bound() - (0.4 + forecast.work()) / 1.2).abs() < 1e-9);
    let read = WORK_BYTES / 1e9 / report.results[7].median;
    let expected = format!(
        "With 64 threads this work reads {read:.3} GB/s from memory, 67.1 % of the 200.000"
    );
    assert!(report.explanation.iter().any(|it| it.contains(&expected)), "{expected}");
    golden::check("scale/synthetic_64_brief.txt", &text::brief(&report));
    golden::check("scale/synthetic_64.txt", &text::render(&report));
    golden::check("scale/synthetic_64.html", &html::render(&[report], &[]));
}
