//! Promise: on a machine with fast and slow cores the report says what is attainable, and which part of a loss is slower
//! cores. Four machines, made of the files in which Linux describes them, and a run that loses nothing else.
//!
//! `TALLYBOARD_RENEW=1 cargo test scale_hybrid` writes the reports anew.

use std::path::Path;

use tallyboard_scale::conditions::Conditions;
use tallyboard_scale::diagnosis::{Cause, cause};
use tallyboard_scale::forms::{data, html, text};
use tallyboard_scale::measure::{Run, Series, Setting};
use tallyboard_scale::report::{Report, Subject};
use tallyboard_scale::topology::CoreCapacity;
use tallyboard_scale::topology::{Machine, Pin};
use tallyboard_scale::workers::{Span, Workers};

use crate::common::{golden, subject};

/// Cores of one kind on a made machine: how many, their hardware threads, their highest clock in kHz, and seconds of the
/// work with one thread on a core and with two.
#[derive(Clone, Copy)]
struct Cores {
    number: usize,
    threads: usize,
    kilohertz: u32,
    is_atom: bool,
    alone: f64,
    both: f64,
}

const PERFORMANCE: Cores =
    Cores { number: 8, threads: 2, kilohertz: 5_200_000, is_atom: false, alone: 60.0, both: 48.0 };
const EFFICIENCY: Cores =
    Cores { number: 4, threads: 1, kilohertz: 3_900_000, is_atom: true, alone: 100.0, both: 0.0 };
const LOW_POWER: Cores =
    Cores { number: 2, threads: 1, kilohertz: 2_100_000, is_atom: true, alone: 200.0, both: 0.0 };

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A machine with these cores, of which a run may use those that `is_allowed`. As on real ones, the threads of a core are
/// neighbours, and slow cores come last.
fn machine(kinds: &[Cores], is_allowed: fn(usize) -> bool, cgroup: Option<&str>) -> Machine {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(root, "proc/cpuinfo", "model name\t: Made up\nflags\t\t: popcnt avx2\n");
    let (mut id, mut core) = (0, 0);
    let mut atoms = Vec::new();
    for kind in kinds {
        for _ in 0..kind.number {
            for _ in 0..kind.threads {
                let folder = format!("sys/devices/system/cpu/cpu{id}");
                let clock = format!("{}\n", kind.kilohertz);
                write(root, &format!("{folder}/topology/core_id"), &format!("{core}\n"));
                write(root, &format!("{folder}/cpufreq/cpuinfo_max_freq"), &clock);
                atoms.extend(kind.is_atom.then(|| id.to_string()));
                id += 1;
            }
            core += 1;
        }
    }
    write(root, "sys/devices/cpu_atom/cpus", &atoms.join(","));
    if let Some(limit) = cgroup {
        write(root, "proc/self/cgroup", "0::/box\n");
        write(root, "sys/fs/cgroup/box/cpu.max", limit);
    }
    let allowed: Vec<usize> = (0..id).filter(|&id| is_allowed(id)).collect();
    Machine { system: "linux x86_64".into(), ..Machine::read(root, &allowed) }
}

/// What each processor of `machine` does in a second while all run, in the order in which workers take them.
fn speeds(machine: &Machine, kinds: &[Cores]) -> Vec<f64> {
    let mut speeds = Vec::new();
    for (kind, cpus, cores) in machine.sample_cores() {
        let made = kinds[["performance", "efficiency", "low-power"]
            .iter()
            .position(|it| *it == kind.name)
            .unwrap()];
        speeds.extend(vec![60.0 / made.alone; cores]);
        if cpus.len() > 1 {
            speeds.extend(vec![60.0 / made.both - 60.0 / made.alone; kind.cpus.len() - cores]);
        }
    }
    if speeds.is_empty() {
        speeds = vec![1.0; machine.cpus.len()];
    }
    speeds.sort_by(|a, b| b.total_cmp(a));
    speeds
}

/// 60 s of work in 1,200 pieces after nothing, each taken by whoever is free.
fn run(speeds: &[f64], threads: usize) -> Run {
    let mut free = vec![0.0f64; threads];
    let mut spans = Vec::new();
    for _ in 0..1200 {
        let worker = (0..threads).min_by(|&a, &b| free[a].total_cmp(&free[b])).unwrap();
        let start = free[worker];
        let end = start + 0.05 / speeds[worker % speeds.len()];
        free[worker] = end;
        spans.push(Span { worker, start, end, cpu: Some(end - start), subtrees: 1 });
    }
    let wall = free.into_iter().fold(0.0, f64::max);
    let workers = Workers::from_spans(threads, wall, &spans);
    let user = workers.cpu_seconds();
    Run { wall, user, workers: Some(workers), ..Run::default() }
}

fn report(machine: Machine, kinds: &[Cores]) -> Report {
    let capacity = |((kind, cpus, cores), made): ((_, Vec<usize>, _), &Cores)| {
        let both = (cpus.len() > 1).then_some(made.both);
        CoreCapacity::new(kind, cores, kinds[0].alone, made.alone, both)
    };
    let capacities = machine.sample_cores().into_iter().zip(kinds).map(capacity).collect();
    let speeds = speeds(&machine, kinds);
    let processors = machine.processors();
    let counts = [1, 2, 4, 8, 12, 16, 20, 24].into_iter().filter(|&it| it < processors);
    let series: Vec<Series> = counts
        .chain([processors])
        .map(|threads| Series {
            setting: Setting::threads(threads),
            runs: vec![run(&speeds, threads); 6],
        })
        .collect();
    let conditions = Conditions { capacities, ..Conditions::default() };
    let subject =
        Subject { conditions, pin: Pin::Cores, ..subject::subject("example {threads}", machine) };
    Report { tallyboard: "0.0.0".into(), ..Report::new(subject, &series, None) }
}

/// The last point attains what is attainable, and the loss is that of slower cores.
fn check(name: &str, report: &Report, attainable: f64) {
    let last = report.results.last().unwrap();
    let found = last.attainable.unwrap();
    assert!((found - attainable).abs() < 1e-9, "{name}: {found}, not {attainable}");
    let attained = last.speedup / found;
    assert!((0.97..1.0 + 1e-9).contains(&attained), "{name}: {attained}");
    let (found, _) = cause(report, last).unwrap();
    assert_eq!(found, Cause::SlowerCores, "{name}");
    golden::check(&format!("scale/hybrid_{name}.txt"), &text::render(report));
}

#[test]
fn what_is_attainable_is_the_sum_of_the_capacities_used() {
    let eight = [PERFORMANCE, EFFICIENCY];
    let made = machine(&eight, |_| true, None);
    // Eight fast cores, eight second threads of a quarter (60/48 - 1), four of 0.6.
    check("8p_4e", &report(made, &eight), 8.0 + 8.0 * 0.25 + 4.0 * 0.6);
    let four = [Cores { number: 4, threads: 1, both: 0.0, ..PERFORMANCE }, EFFICIENCY];
    check("4p_4e", &report(machine(&four, |_| true, None), &four), 4.0 + 4.0 * 0.6);
    let twelve =
        [Cores { number: 12, threads: 1, both: 0.0, ..PERFORMANCE }, EFFICIENCY, LOW_POWER];
    let made = machine(&twelve, |_| true, None);
    check("12p_4e_2lp", &report(made, &twelve), 12.0 + 4.0 * 0.6 + 2.0 * 0.3);
    // Two fast cores with both their threads and two slow ones, of which the group grants five processors.
    let part = machine(&eight, |id| id < 4 || (16..18).contains(&id), Some("500000 100000\n"));
    assert_eq!((part.processors(), part.cpus.len()), (5, 6));
    check("container", &report(part, &eight), 2.0 + 2.0 * 0.6 + 0.25);
}

#[test]
fn fast_cores_are_taken_first_and_second_threads_last() {
    let kinds = [Cores { number: 2, ..PERFORMANCE }, Cores { number: 2, ..EFFICIENCY }];
    let mut made = machine(&kinds, |_| true, None);
    assert_eq!(made.order(Pin::Cores), [0, 2, 4, 5, 1, 3]);
    assert_eq!(made.order(Pin::Threads), [0, 1, 2, 3, 4, 5]);
    assert!(made.describe().contains("4 cores (2 performance, 2 efficiency), 6 hardware threads"));
    // Slow cores may have the lowest numbers, as on ARM.
    made.kinds.reverse();
    assert_eq!(made.order(Pin::Cores), [4, 5, 0, 2, 1, 3]);
    assert_eq!(made.order(Pin::Nodes), [4, 5, 0, 2, 1, 3]);
    assert_eq!(made.order(Pin::Threads), [4, 5, 0, 1, 2, 3]);
}

#[test]
fn every_form_has_what_is_attainable_and_a_machine_of_like_cores_does_not() {
    let kinds = [Cores { number: 4, threads: 1, both: 0.0, ..PERFORMANCE }, EFFICIENCY];
    let found = report(machine(&kinds, |_| true, None), &kinds);
    let csv = data::csv(std::slice::from_ref(&found));
    let column =
        |name: &str| csv.lines().next().unwrap().split(',').position(|it| it == name).unwrap();
    let last: Vec<&str> = csv.lines().last().unwrap().split(',').collect();
    let attainable: f64 = last[column("attainable")].parse().unwrap();
    assert!((attainable - 6.4).abs() < 1e-9);
    let attained: f64 = last[column("attained")].parse().unwrap();
    assert!((attained - found.results.last().unwrap().speedup / 6.4).abs() < 1e-12);
    let page = html::render(std::slice::from_ref(&found), &[]);
    assert!(
        page.contains("<th scope=\"col\">attainable</th>") && page.contains("The cores differ.")
    );
    assert!(page.contains(">attainable</text>"), "{page}");
    // 32 characters are 6.4 times: with eight threads nothing is lost, with two it is ten of them.
    let screen = text::brief(&found);
    let bar = |threads: &str| {
        let row = screen.lines().find(|it| it.trim_start().starts_with(threads)).unwrap();
        row.chars().filter(|it| "█░".contains(*it)).count()
    };
    assert_eq!((bar("8  "), bar("2  ")), (32, 10), "{screen}");
    assert!(screen.contains(" % of the 6.40 times that these cores can do.\n"), "{screen}");
    let alike = [Cores { number: 4, threads: 2, ..PERFORMANCE }];
    let alike = report(machine(&alike, |_| true, None), &alike);
    assert_eq!(alike.subject.machine.kinds, []);
    let text = text::render(&alike);
    assert!(!text.contains("attainable") && !text.contains("The cores differ"), "{text}");
    assert!(alike.results.iter().all(|it| it.attainable.is_none()));
}
