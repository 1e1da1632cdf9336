//! Promise: a report says what its figures show, and nothing that noise explains. All sentences stand in `docs/sentences.md`,
//! made from made-up measurements, so that a person can read them.
//!
//! `TALLYBOARD_RENEW=1 cargo test scale_sentences` writes the page anew.

use std::collections::BTreeMap;

use tallyboard_scale::conditions::Conditions;
use tallyboard_scale::forms::{data, text};
use tallyboard_scale::laws::Law;
use tallyboard_scale::measure::{Run, Series, Setting};
use tallyboard_scale::points::{self, ReadOptions};
use tallyboard_scale::report::{Report, Scaling, Subject};
use tallyboard_scale::sentence::Topic;
use tallyboard_scale::threads::{Observation, OffCpu};
use tallyboard_scale::topology::{Cpu, Machine, Pin};
use tallyboard_scale::workers::{Span, Workers};

use super::scale_causes::{PERFECT, Recorded, idle};
use super::scale_report::report;
use crate::common::subject::{machine, subject};

/// The report of times in CSV.
fn fitted(text: &str) -> Report {
    let found = points::read(text, &ReadOptions::default()).unwrap();
    points::reports("times.csv", found).unwrap().remove(0)
}

/// The report of a command's wall times, a list for each thread count.
fn timed(times: &[(usize, &[f64])]) -> Report {
    let series = times.iter().map(|&(threads, walls)| {
        let run = |&wall: &f64| Run { wall, user: wall, ..Run::default() };
        Series { setting: Setting::threads(threads), runs: walls.iter().map(run).collect() }
    });
    let subject = Subject { kernel: "command".into(), ..subject("example", machine(64)) };
    Report::new(subject, &series.collect::<Vec<_>>())
}

/// The sentence about a topic; empty if there is none.
fn about(report: &Report, topic: Topic) -> String {
    let sentence = report.explanation.iter().find(|it| it.topic == topic);
    sentence.map_or_else(String::new, ToString::to_string)
}

/// Times of 1.0 and 0.50001 s once made "no number is more than 50,000 times as fast as one".
#[test]
fn a_serial_part_within_noise_makes_no_forecast() {
    let of_times = |many: &[f64]| about(&timed(&[(1, &[1.0; 6]), (2, many)]), Topic::MoreCores);
    let noise = "On more cores: unknown: one step shows no serial part beyond noise; measure three thread counts or more, with a processor for each thread.";
    assert_eq!(of_times(&[0.50001; 6]), noise);
    // (1/S - 1/2) / (1/2) is 0.98 % and 1.02 % of the work.
    assert_eq!(of_times(&[0.5049; 6]), noise);
    let part = of_times(&[0.5051; 6]);
    assert!(part.contains("1.0 % of the work") && part.contains("more than 98.04 times"), "{part}");
    // The interval reaches down to no serial part at all.
    assert_eq!(of_times(&[0.5, 0.6, 0.55, 0.55, 0.58, 0.52]), noise);
    let wide = of_times(&[0.52, 0.6, 0.55, 0.55, 0.58, 0.53]);
    assert!(wide.contains("10.0 % of the work (95 % interval 4.0 % to 20.0 %)"), "{wide}");
}

/// Where the speed-up of the sentence is the usual one, its interval holds, also if another thread count waited.
#[test]
fn an_interval_stands_beside_the_speed_up_that_it_is_of() {
    let runs = |threads: usize, walls: [f64; 6], off_cpu| {
        let observation = Some(Observation { off_cpu, undisturbed_share: 0.8 });
        let run = |wall| Run { wall, user: wall, observation, ..Run::default() };
        Series { setting: Setting::threads(threads), runs: walls.map(run).to_vec() }
    };
    let waited = OffCpu { preempted: 0.3, ..OffCpu::default() };
    let series = |is_seen: bool| {
        let one = runs(1, [1.0; 6], OffCpu::default());
        let mut two = runs(2, [0.55, 0.6, 0.58, 0.59, 0.57, 0.56], waited);
        if !is_seen {
            two.runs[0].observation = None;
        }
        [one, two]
    };
    let subject = Subject { kernel: "command".into(), ..subject("example", machine(4)) };
    let [by_cpu, by_wall] = [true, false].map(|is_seen| {
        let report = Report::new(subject.clone(), &series(is_seen));
        (report.is_disturbed(), about(&report, Topic::MoreCores))
    });
    assert!(by_cpu.0 && !by_cpu.1.contains("interval"), "{by_cpu:?}");
    assert!(by_wall.1.contains("(95 % interval 10.0 % to 20.0 %)"), "{by_wall:?}");
}

/// Times of 1.0 and 0.4999 s once made "2.00 times as fast" and then "That is more than 2 times".
#[test]
fn more_than_linear_is_said_beyond_noise_alone_and_behind_the_speed_up() {
    let of_times = |many: &[f64]| timed(&[(1, &[1.0; 6]), (2, many)]);
    for times in [[0.4999; 6], [0.496; 6], [0.47, 0.49, 0.51, 0.48, 0.46, 0.5]] {
        assert_eq!(about(&of_times(&times), Topic::Superlinear), "", "{times:?}");
    }
    let report = of_times(&[0.49; 6]);
    assert_eq!(report.explanation[1].topic, Topic::Superlinear);
    assert!(report.explanation[1].starts_with("That is more than 2 times: "));
    let order: Vec<Topic> = report.explanation.iter().map(|it| it.topic).collect();
    assert!(order.is_sorted(), "{order:?}");
}

/// "0.87 times as fast (interval 0.73 to 1.01)" was followed by "Fewer threads are faster".
#[test]
fn fewer_threads_are_called_faster_beyond_noise_alone() {
    let of = |times: &[f64]| about(&timed(&[(1, &[1.0; 6]), (2, times)]), Topic::Fewer);
    assert_eq!(of(&[1.15, 0.99, 1.3, 1.2, 1.1, 1.25]), "");
    assert_eq!(of(&[1.15, 1.09, 1.3, 1.2, 1.1, 1.25]), "Fewer threads are faster: one alone is.");
    // Between two that are no single thread the interval is that of the step.
    let step =
        |four: &[f64]| about(&timed(&[(1, &[1.0; 6]), (2, &[0.5; 6]), (4, four)]), Topic::Fewer);
    assert_eq!(step(&[0.49, 0.6, 0.55, 0.58, 0.57, 0.56]), "");
    let faster = step(&[0.52, 0.6, 0.55, 0.58, 0.57, 0.56]);
    assert_eq!(faster, "Fewer threads are faster: 2 are 2.00 times as fast as one.");
}

/// Workers whose processor time the system does not tell.
fn untold() -> Report {
    let series = [(1, 1.0), (2, 0.4)].map(|(threads, wall)| {
        let span = |worker| Span { worker, start: 0.0, end: wall, cpu: None, subtrees: 1 };
        let spans: Vec<Span> = (0..threads).map(span).collect();
        let workers = Some(Workers::from_spans(threads, wall, &spans));
        let run = Run { wall, user: 0.9, workers, ..Run::default() };
        Series { setting: Setting::threads(threads), runs: vec![run; 6] }
    });
    Report::new(subject("example", machine(4)), &series)
}

#[test]
fn wall_time_is_not_called_processor_time() {
    let report = untold();
    let less = about(&report, Topic::Superlinear);
    assert!(less.contains("20.0 % less time inside its pieces than on one thread"), "{less}");
    let pieces = about(&report, Topic::Pieces);
    assert!(pieces.starts_with("On one thread, in wall time, the 1 piece of work"), "{pieces}");
}

/// From 32 on: what one thread takes is known by the law alone.
#[test]
fn without_one_thread_the_fewest_are_the_baseline() {
    let report = fitted("threads,time\n32,117.2\n64,64.41\n128,62.6\n256,61.59\n");
    assert_eq!(report.baseline(), 32);
    let ratio = 117.2 / 61.59;
    let last = &report.results[3];
    assert!((last.speedup - ratio).abs() < 1e-12 && (last.efficiency - ratio / 8.0).abs() < 1e-12);
    let words = about(&report, Topic::Headline);
    assert_eq!(
        words,
        "256 threads are 1.90 times as fast as 32, the fewest measured: 23.8 % efficiency."
    );
    // A fifth is serial: T(p) = 2 + 8 / p.
    let exact = fitted("threads,time\n2,6\n4,4\n8,3\n");
    assert!(exact.results[1..].iter().all(|it| (it.serial_fraction.unwrap() - 0.2).abs() < 1e-12));
    let baseline = ReadOptions { baseline: Some(4), ..ReadOptions::default() };
    let text = "threads,time\n1,10\n2,6\n4,4\n8,3\n";
    let from_four = points::reports("file", points::read(text, &baseline).unwrap()).unwrap();
    assert_eq!((from_four[0].baseline(), from_four[0].results.len()), (4, 2));
    let none = ReadOptions { baseline: Some(3), ..ReadOptions::default() };
    let error = points::read(text, &none).unwrap_err().to_string();
    assert_eq!(error, "found 1, 2, 4, 8 threads, expected 3 among them, as --baseline says");
}

/// Times that Amdahl's law makes need no coherency, and those that have one need the universal law.
#[test]
fn the_universal_law_is_used_where_it_is_better() {
    let of = |coherency: f64| {
        let row = |p: u32| {
            let others = f64::from(p) - 1.0;
            let time = (1.0 + 0.05 * others + coherency * f64::from(p) * others) / f64::from(p);
            [0.99, 1.0, 1.01].map(|noise| format!("{p},{}\n", time * noise)).concat()
        };
        fitted(&("threads,time\n".to_owned() + &[1, 2, 4, 8, 16, 32].map(row).concat()))
    };
    let (amdahl, universal) = (of(0.0), of(0.002));
    assert_eq!(amdahl.best_fit().unwrap().curve.law, Law::Amdahl);
    assert!(about(&amdahl, Topic::Law).starts_with("The universal scalability law fits no better"));
    assert_eq!(universal.best_fit().unwrap().curve.law, Law::Universal);
    assert!(about(&universal, Topic::Law).starts_with("The universal scalability law fits better"));
    assert!(text::brief(&universal).contains("\nThe universal scalability law fits better"));
    let more = about(&universal, Topic::MoreCores);
    assert!(more.ends_with(", and the speed-up peaks at 22 threads."), "{more}");
    assert!(!about(&amdahl, Topic::MoreCores).contains("peaks"));
}

/// Made-up measurements that together make every kind of sentence.
fn examples() -> Vec<Report> {
    let preempted = OffCpu { preempted: 6.0, ..OffCpu::default() };
    let busy = Recorded { wall: 3.5, idle: preempted, others: 0.45, ..PERFECT };
    let slower = |resident_mib| Recorded { wall: 4.0, cpu: 16.0, resident_mib, ..PERFECT };
    let throttled = OffCpu { preempted: 9.6, ..OffCpu::default() };
    let quota = Recorded { wall: 20.0 / 3.0, idle: throttled, throttled: 8.0, ..PERFECT };
    let recorded = [
        PERFECT,
        Recorded { wall: 5.0, idle: idle(1.0, 10.0, 1.0), ..PERFECT },
        Recorded { wall: 5.0, idle: idle(11.0, 0.6, 0.7), ..PERFECT },
        Recorded { wall: 5.0, idle: idle(0.5, 0.7, 10.8), ..PERFECT },
        slower(512),
        slower(2),
        Recorded { stolen: 0.2, ..slower(512) },
        quota,
        busy,
    ];
    let mut made: Vec<Report> = recorded.iter().map(Recorded::report).collect();
    made.extend([Scaling::Strong, Scaling::Weak].map(report));
    made.push(untold());
    made.extend([
        timed(&[(1, &[1.0; 6])]),
        timed(&[(1, &[1.0; 6]), (2, &[0.50001; 6])]),
        timed(&[(1, &[1.0; 6]), (2, &[0.6, 0.61, 0.62, 0.59, 0.6, 0.6])]),
        timed(&[(1, &[1.0; 6]), (2, &[0.49; 6])]),
        timed(&[(1, &[1.0; 6]), (2, &[1.2; 6])]),
        timed(&[(1, &[1.0; 6]), (2, &[0.5; 6]), (4, &[0.6; 6])]),
        fitted("threads,time\n1,10\n2,6\n4,4\n8,3\n"),
        fitted("threads,time\n1,10\n2,5.25\n4,3.25\n8,3\n16,3.4\n"),
        fitted("threads,time\n1,10\n8,3\n"),
        fitted("threads,time\n32,117.2\n64,64.41\n128,62.6\n256,61.59\n"),
    ]);
    let cpus = (0..4).map(|id| Cpu { id, package: id / 2, core: id, node: id / 2 }).collect();
    let nodes = Machine { cpus, numa_nodes: 2, ..machine(4) };
    let conditions = Conditions { room_bytes: Some(1 << 30), ..Conditions::default() };
    for pin in [Pin::None, Pin::Nodes] {
        let series = [(1, 1.0), (2, 0.6), (4, 0.4)].map(|(threads, wall)| {
            let span =
                |worker| Span { worker, start: 0.1, end: wall, cpu: Some(wall - 0.1), subtrees: 1 };
            let spans: Vec<Span> = (0..threads).map(span).collect();
            let workers = Some(Workers::from_spans(threads, wall, &spans));
            let peak_bytes = Some((64 << 20) * threads as u64);
            let run = Run { wall, user: 1.0, workers, peak_bytes, ..Run::default() };
            Series { setting: Setting::threads(threads), runs: vec![run; 6] }
        });
        let (machine, conditions) = (nodes.clone(), conditions.clone());
        let subject = Subject { pin, conditions, ..subject("example", machine) };
        made.push(Report::new(subject, &series));
    }
    let mut macos = PERFECT.report();
    macos.subject.machine.system = "macos aarch64".into();
    macos.results[1].losses = None;
    let written = data::write(&[macos]).unwrap();
    made.extend(data::read(&written).unwrap());
    made
}

/// Every topic has a sentence, and `docs/sentences.md` has them all with the condition of each.
#[test]
fn all_sentences_stand_on_one_page_with_their_conditions() {
    let mut sentences: BTreeMap<Topic, Vec<String>> = BTreeMap::new();
    for report in examples() {
        for sentence in &report.explanation {
            let known = sentences.entry(sentence.topic).or_default();
            if !known.contains(&sentence.text) {
                known.push(sentence.text.clone());
            }
        }
    }
    let mut page = "# The sentences of a scaling report\n\n    $ printf 'threads,time\\n1,8\\n2,4\\n4,2\\n' | tallyboard scale fit -\n    …\n    \
        4 threads are 4.00 times as fast as one: 100.0 % efficiency.\n    …\n\nA report has at most one sentence of each topic, in this order. \
        The examples are made from made-up measurements by `tests/suite/scale_sentences.rs`, which also keeps this page; \
        [scaling.md](scaling.md) explains the figures.\n"
        .to_owned();
    for topic in Topic::ALL {
        let examples = sentences.get(&topic).unwrap_or_else(|| panic!("no sentence: {topic}"));
        page += &format!("\n## {topic}\n\nSaid {}.\n\n", topic.when());
        page += &examples.iter().map(|it| format!("* {it}\n")).collect::<String>();
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/sentences.md");
    if std::env::var_os("TALLYBOARD_RENEW").is_some() {
        std::fs::write(file, &page).unwrap();
    }
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    assert!(kept == page, "docs/sentences.md is not as made: renew it (TALLYBOARD_RENEW=1)");
}
