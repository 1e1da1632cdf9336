//! Promise: every figure of a scaling report is the one that its name says. One recorded measurement,
//! worked out by hand, in every form.
//!
//! `TALLYBOARD_RENEW=1 cargo test scale_report` writes the files anew.

use serde_json::Value;
use tallyboard_scale::conditions::{Capacity, Ceiling, Conditions};
use tallyboard_scale::counters::Counts;
use tallyboard_scale::diagnosis::{Cause, cause};
use tallyboard_scale::forms::{data, html, pictures, text};
use tallyboard_scale::measure::{Run, Series, Setting};
use tallyboard_scale::report::{Report, Scaling, Subject};
use tallyboard_scale::topology::{Cpu, Machine, Pin};
use tallyboard_scale::workers::{Span, Workers};

use crate::common::{golden, subject};

/// What a worker did: from, to, in seconds.
type Stretches = &'static [(f64, f64)];

/// The run that is typical of a thread count.
struct Recorded {
    wall: f64,
    /// Share of a processor that workers with work had.
    share: f64,
    workers: &'static [Stretches],
    /// How much longer each round took.
    rounds: [f64; 7],
}

/// One worker: 8 s of work, of which it had a processor for 6.
const ONE: Recorded = Recorded {
    wall: 9.0,
    share: 0.75,
    workers: &[&[(0.5, 2.5), (2.5, 4.5), (4.75, 6.25), (6.25, 7.75), (7.75, 8.25), (8.25, 8.75)]],
    rounds: [1.0, 1.02, 0.98, 1.04, 1.01, 0.99, 0.97],
};

/// Two: 7 s inside of pieces, somebody is busy from 0.4 to 4.4 s.
const TWO: Recorded = Recorded {
    wall: 4.8,
    share: 0.95,
    workers: &[&[(0.4, 2.4), (2.6, 4.4)], &[(0.5, 2.5), (2.5, 3.7)]],
    rounds: [1.0, 1.03, 0.99, 1.01, 0.98, 1.02, 0.96],
};

/// Four: 7.2 s inside of pieces, somebody is busy from 0.3 to 2.6 s.
const FOUR: Recorded = Recorded {
    wall: 3.0,
    share: 0.9,
    workers: &[&[(0.3, 2.0)], &[(0.3, 1.5), (1.7, 2.4)], &[(0.4, 2.6)], &[(0.5, 1.9)]],
    rounds: [1.0, 0.97, 1.05, 1.02, 1.01, 0.98, 0.99],
};

impl Recorded {
    fn run(&self, longer: f64) -> Run {
        let threads = self.workers.len();
        let span = |worker, &(start, end): &(f64, f64)| Span {
            worker,
            start: start * longer,
            end: end * longer,
            cpu: Some((end - start) * longer * self.share),
            subtrees: 3,
        };
        let spans = self.workers.iter().enumerate();
        let spans: Vec<Span> =
            spans.flat_map(|(worker, all)| all.iter().map(move |it| span(worker, it))).collect();
        let wall = self.wall * longer;
        let workers = Workers::from_spans(threads, wall, &spans);
        // Half a second outside of the pieces, and a tenth for each worker in the kernel.
        let (user, system) = (workers.cpu_seconds() + 0.5, 0.1 * threads as f64);
        Run { wall, user, system, workers: Some(workers), ..Run::default() }
    }

    fn series(&self, work: f64, is_counted: bool) -> Series {
        let threads = self.workers.len() as f64;
        let setting = Setting { work, ..Setting::threads(self.workers.len()) };
        // 1,200 puzzles a unit of work.
        let run = |&longer: &f64| Run { amount: Some(1200.0 * work), ..self.run(longer) };
        // What the processor counts if it does 3 G instructions a unit of work, with a third more of them for
        // each thread beyond the first, 2.5 G cycles a second, and a miss in 500 instructions.
        let counts = |run: &Run| Counts {
            instructions: (1e9 * (2.0 + threads) * work) as u64,
            cycles: (2.5e9 * run.user) as u64,
            cache_misses: (2e6 * (2.0 + threads) * work) as u64,
            seconds: run.user,
        };
        let counts = is_counted.then_some(counts);
        let run = |longer| {
            let run = run(longer);
            Run { counts: counts.map(|of| of(&run)), ..run }
        };
        Series { setting, runs: self.rounds.iter().map(run).collect() }
    }
}

pub fn report(scaling: Scaling) -> Report {
    let machine = Machine {
        cpus: (0..4).map(|id| Cpu { id, package: 0, core: id / 2, node: 0 }).collect(),
        caches: vec![32 << 10, 1 << 20, 32 << 20],
        features: vec!["popcnt".into(), "avx2".into()],
        ..subject::machine(4)
    };
    let subject = Subject {
        problem: "example 8".into(),
        scaling,
        kernel: "portable".into(),
        pin: Pin::Cores,
        conditions: Conditions {
            governor: Some("performance".into()),
            megahertz: Some((2500.0, 2600.0)),
            stolen: Some(0.01),
            others: Some(0.02),
            ceilings: match scaling {
                Scaling::Strong => [1, 2, 4].map(ceiling).to_vec(),
                Scaling::Weak => Vec::new(),
            },
            uncounted: (scaling == Scaling::Weak).then(|| "this machine has none".into()),
            ..Conditions::default()
        },
        unit: Some("puzzles".into()),
        ..subject::subject("example 8 -j {threads}", machine)
    };
    let work = |p: f64| if scaling == Scaling::Weak { p } else { 1.0 };
    let series = [(&ONE, 1.0), (&TWO, 2.0), (&FOUR, 4.0)]
        .map(|(it, p)| it.series(work(p), scaling == Scaling::Strong));
    Report { tallyboard: "0.0.0".into(), ..Report::new(subject, &series) }
}

/// 10 GB/s a thread; after the runs less, and memory of twice the latency.
fn ceiling(threads: usize) -> Ceiling {
    let capacity = |share: f64, latency| Capacity {
        hertz: 2.7e9 - 5e7 * threads as f64,
        bytes_per_second: 1e10 * threads as f64 * share,
        latencies: vec![(32 << 10, 4e-9), (1 << 20, 12.5e-9), (32 << 20, latency)],
    };
    Ceiling { threads, before: capacity(1.0, 90e-9), after: capacity(0.9, 180e-9) }
}

fn near(found: impl Into<Option<f64>>, expected: f64) {
    let found: Option<f64> = found.into();
    assert!(found.is_some_and(|it| (it - expected).abs() < 1e-9), "{found:?}, not {expected}");
}

#[test]
fn the_figures_of_a_point_are_those_worked_out_by_hand() {
    let report = report(Scaling::Strong);
    let [one, two, four] = &report.results[..] else { panic!("three points") };
    near(two.median, 4.8);
    near(two.min, 4.8 * 0.96);
    near(two.max, 4.8 * 1.03);
    near(two.mean, 4.8 * 6.99 / 7.0);
    let squares: f64 = TWO.rounds.iter().map(|it| (it - 6.99 / 7.0f64).powi(2)).sum();
    near(two.stddev, 4.8 * (squares / 6.0).sqrt());
    // 6.65 s in pieces, half a second elsewhere; a tenth for each of two in the kernel.
    near(two.user.unwrap(), 6.65 * 6.99 / 7.0 + 0.5);
    near(two.system.unwrap(), 0.2);
    near(two.cpu.unwrap(), 7.35);
    let interval = two.interval.unwrap();
    near(interval.low, 4.8 * 0.96);
    near(interval.high, 4.8 * 1.03);
    near(interval.level, 1.0 - 2.0 / 128.0);
    near(two.speedup, 1.875);
    near(two.speedup_interval.unwrap().low, 1.875 * 0.99 / 1.02);
    near(two.speedup_interval.unwrap().high, 1.875 * 1.01 / 0.98);
    near(two.efficiency, 0.9375);
    near(two.serial_fraction, 1.0 / 15.0);
    near(four.speedup, 3.0);
    near(two.rate, 1200.0 / 4.8);
    near(two.rate_interval.unwrap().low, 1200.0 / (4.8 * 1.03));
    near(two.rate_interval.unwrap().high, 1200.0 / (4.8 * 0.96));
    near(four.serial_fraction, 1.0 / 9.0);
    assert_eq!((one.serial_fraction, two.command.as_str()), (None, "example 8 -j 2"));
    assert_eq!((two.times.len(), two.parameters.threads.as_str(), two.work), (7, "2", 1.0));
}

#[test]
fn the_workers_time_goes_where_it_went() {
    let report = report(Scaling::Strong);
    let [one, two, four] = [0, 1, 2].map(|at| report.results[at].losses.unwrap());
    near(one.useful, 6.0 / 9.0);
    near(one.preempted, 2.0 / 9.0);
    near(one.serial, 1.0 / 9.0);
    near(two.useful, 6.0 / 9.6);
    near(two.slowdown, 0.65 / 9.6);
    near(two.preempted, 0.35 / 9.6);
    near(two.serial, 0.8 / 4.8);
    near(two.gaps, 0.3 / 9.6);
    near(two.tail, 0.7 / 9.6);
    near(four.slowdown, 0.48 / 12.0);
    near(four.gaps, 0.5 / 12.0);
    near(four.tail, 1.5 / 12.0);
    // Two workers spent 0.7 s outside of pieces, and nobody was busy for 0.8 s; four 0.9 and 0.7.
    near(report.results[1].helpers, 0.0);
    near(report.results[2].helpers, 0.2 / 12.0);
    let loads = &report.results[2].workers.as_ref().unwrap().loads;
    near(loads[3].gaps, 0.2);
    near(loads[3].tail, 0.7);
    near(loads[1].gaps, 0.2);
    near(loads[1].longest, 1.2);
    assert_eq!((loads[1].pieces, loads[1].subtrees), (2, 6));
}

#[test]
fn what_the_processor_counted_is_that_of_the_typical_run() {
    let report = report(Scaling::Strong);
    const G: u64 = 1_000_000_000;
    let [one, two, _] = [0, 1, 2].map(|at| report.results[at].counts.unwrap());
    assert_eq!((one.instructions, two.instructions, two.cache_misses), (3 * G, 4 * G, 8_000_000));
    // 6 s in pieces and half a second elsewhere; 6.65 and the same.
    near(one.seconds, 6.5);
    near(two.seconds, 7.15);
    near(two.hertz(), 2.5e9);
    near(two.instructions_per_cycle(), 4e9 / (2.5e9 * 7.15));
    near(two.misses_per_thousand(), 2.0);
    near(two.bytes_read(64), 8e6 * 64.0);
    // Also where it is not the first.
    let mut series = [&ONE, &TWO, &FOUR].map(|it| it.series(1.0, true));
    series.iter_mut().for_each(|it| it.runs.rotate_left(3));
    let turned = Report::new(report.subject.clone(), &series);
    assert_eq!(turned.results[1].counts, Some(two));
}

/// A piece of 2 s, for three quarters of which its worker had a processor.
#[test]
fn the_longest_piece_is_told_in_wall_time_and_in_processor_time_by_name() {
    let text = text::render(&report(Scaling::Strong));
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("threads  useful")).unwrap();
    assert!(lines[at].ends_with("  longest piece (wall)"), "{text}");
    assert!(lines[at + 1].ends_with("  2.00 s"), "{text}");
    let expected = "On one thread, in processor time, the 6 pieces of work took 6.00 s, the longest 1.50 s, and everything else 600 ms";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_text_is_about_the_most_threads_with_a_processor_each() {
    let mut subject = report(Scaling::Strong).subject;
    subject.machine.cpus.truncate(2);
    let series = [&ONE, &TWO, &FOUR].map(|it| it.series(1.0, false));
    let text = Report::new(subject, &series).explanation.join("\n");
    assert!(text.starts_with("2 threads are 1.88 times as fast as one"), "{text}");
    assert!(
        text.contains(". 2 undisturbed threads that take the pieces in the same order "),
        "{text}"
    );
    assert!(text.contains("(measured: 4.80 s)"), "{text}");
}

/// Four workers spent 0.7 s in which nobody was busy, and 0.35 s of a processor are half of that.
#[test]
fn a_serial_part_without_a_processor_is_no_serial_part() {
    let of = |outside: f64, others: f64| {
        let mut report = report(Scaling::Strong);
        report.subject.conditions.others = Some(others);
        let cpu_seconds = report.results[2].workers.as_ref().unwrap().cpu_seconds();
        report.results[2].cpu = Some(cpu_seconds + outside);
        cause(&report, &report.results[2]).unwrap()
    };
    let expected =
        [(0.34, 0.5, Cause::Neighbours), (0.36, 0.5, Cause::Serial), (0.34, 0.06, Cause::Serial)];
    for (outside, others, expected) in expected {
        assert_eq!(of(outside, others).0, expected);
        near(of(outside, others).1, 0.7 / 3.0);
    }
}

/// The share beside a main cause is that of the table and of the losses below it.
#[test]
fn a_cause_of_a_serial_part_says_that_its_share_is_that_of_the_serial_part() {
    let made = report(Scaling::Strong);
    let remade = |worked: f64| {
        let mut series = [&ONE, &TWO, &FOUR].map(|it| it.series(1.0, false));
        for run in &mut series[2].runs {
            run.user = run.workers.as_ref().unwrap().cpu_seconds() + worked;
            run.system = 0.0;
        }
        let mut subject = made.subject.clone();
        subject.conditions.others = Some(0.5);
        text::render(&Report::new(subject, &series))
    };
    let kept = remade(0.34);
    let [cause, lost] = [
        "Main cause: busy neighbours that kept a serial part from a processor, 23.3 % of the threads' time (other programs took 50.0 % of",
        "Lost time: 23.3 % no worker busy (splitting, reducing, starting), 12.5 % waiting for the last pieces (uneven ones), 6.0 % no processor",
    ];
    assert!(kept.contains(cause) && kept.contains(lost), "{kept}");
    let serial = remade(0.36);
    assert!(serial.contains("Main cause: a serial part, 23.3 % of"), "{serial}");
}

/// What five readers ask first: where it stops, by what, by what not, and what more cores would give.
#[test]
fn the_first_screen_says_where_it_stops_and_what_more_cores_give() {
    let screen = text::brief(&report(Scaling::Strong));
    let more = "\nOn more cores: if the pieces of one thread stay as they are, speed-ups of 2.97 on 16, 2.97 on 128, 2.97 on 1,024; no number is more than 3.14 times as fast as one.\n";
    assert!(screen.contains(more) && !screen.contains("Fewer threads"), "{screen}");
    let bound = report(Scaling::Strong).forecast.unwrap();
    assert!(bound.points.iter().all(|it| it.speedup <= bound.bound() * (1.0 + 1e-12)));
    // Four threads that take as long as two and a twentieth more, and a little longer.
    let of = |factor: f64| {
        let mut series = [&ONE, &TWO, &FOUR].map(|it| it.series(1.0, false));
        let longer = 4.8 / 3.0 * factor;
        series[2].runs.iter_mut().for_each(|run| run.wall *= longer);
        text::brief(&Report::new(report(Scaling::Strong).subject, &series))
    };
    let expected = "\nFewer threads are faster: 2 are 1.88 times as fast as one.\n";
    assert!(of(1.08).contains(expected), "{}", of(1.08));
    assert!(!of(1.02).contains("Fewer threads"), "{}", of(1.02));
}

/// The bars of the terminal: 32 characters are four threads, of which a speed-up of 3 takes 24.
#[test]
fn the_first_screen_has_the_curve_beside_the_table() {
    let found = report(Scaling::Strong);
    let screen = text::brief(&found);
    let bars: Vec<(usize, usize)> = ["1", "2", "4"]
        .map(|threads| {
            let row =
                screen.lines().find(|line| line.trim_start().starts_with(&format!("{threads}  ")));
            let count = |mark| row.unwrap().chars().filter(|it| *it == mark).count();
            (count('█'), count('░'))
        })
        .to_vec();
    assert_eq!(bars, [(8, 0), (15, 1), (24, 8)], "{screen}");
    let with_warnings = |number: usize| {
        let warnings = (0..number).map(|at| format!("reason {at}")).collect();
        text::brief(&Report { warnings, ..found.clone() })
    };
    let three = with_warnings(3);
    assert!(three.contains("\nwarning: reason 2\n") && !three.contains("more warning"), "{three}");
    let five = with_warnings(5);
    assert!(five.contains("\nand 2 more warnings: --details\n") && !five.contains("reason 3"));
    let sentences = found.summary();
    assert_eq!(sentences.len(), 5, "{sentences:?}");
    assert!(sentences.iter().all(|it| screen.contains(it)));
    assert_eq!(found.remarks().count() + 5, found.explanation.len());
    // Nothing of the page is lost: what is not seen first is in a fold.
    let page = html::render(std::slice::from_ref(&found), &[]);
    let first = page.split("<details>").next().unwrap();
    assert!(first.contains("Main cause: ") && first.contains("What to do: "), "{first}");
    assert_eq!(first.matches("<svg").count(), 1);
    assert!(first.contains("<th scope=\"col\">efficiency</th>") && !first.contains("Helpers"));
    let folded = &page[first.len()..];
    for words in ["Helpers (recording", "<h2>On more cores</h2>", "<h2>Times</h2>", "<dl>"] {
        assert!(folded.contains(words), "{words}");
    }
    let words = |it: &str| it.matches("<details>").count() - it.matches("</details>").count();
    assert_eq!(words(&page), 0);
}

/// `docs/scaling.md` has the words of the page. `TALLYBOARD_RENEW=1` copies them.
#[test]
fn the_manual_has_the_words_of_the_page() {
    const TABLE: &str = "| word | meaning |\n|---|---|\n";
    let page = html::render(&[report(Scaling::Strong)], &[]);
    let terms = page.split("<dt>").skip(1).map(|term| {
        let (word, rest) = term.split_once("</dt><dd>").unwrap();
        format!("| {word} | {} |\n", rest.split_once("</dd>").unwrap().0)
    });
    let expected: String = terms.collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scaling.md");
    let manual = std::fs::read_to_string(file).unwrap();
    let (before, rest) = manual.split_once(TABLE).unwrap();
    let (words, after) = rest.split_once("\n\n").unwrap();
    if std::env::var_os("TALLYBOARD_RENEW").is_some() {
        std::fs::write(file, [before, TABLE, &expected, "\n", after].concat()).unwrap();
    } else {
        assert_eq!(words, expected.trim_end(), "renew it (TALLYBOARD_RENEW=1) from glossary.html");
    }
}

#[test]
fn what_the_machine_gives_stands_beside_what_the_work_takes() {
    let mut strong = report(Scaling::Strong);
    let capacity = strong.subject.conditions.capacity(4).unwrap();
    near(capacity.hertz, 2.5e9);
    near(capacity.bytes_per_second, 4e10);
    near(capacity.latencies[2].1, 90e-9);
    assert_eq!(strong.subject.conditions.capacity(3), None);
    // 12 million misses of 64 bytes in 3 s; one thread's 6 million at 40 GB/s.
    let expected = "With 4 threads this work reads 256.000 MB/s from memory, 0.6 % of the 40.000 GB/s that memory delivers.";
    assert!(strong.explanation.iter().any(|it| &**it == expected), "{:#?}", strong.explanation);
    near(strong.forecast.as_ref().unwrap().delivery, 6e6 * 64.0 / 4e10);
    assert!(
        strong
            .warnings
            .iter()
            .any(|it| it.ends_with("was 90.0 ns before the runs and 180 ns after"))
    );
    // AMD's misses are not all of memory; and without counters nobody knows.
    let remade = |strong: &Report, is_counted| {
        let series = [&ONE, &TWO, &FOUR].map(|it| it.series(1.0, is_counted));
        Report::new(strong.subject.clone(), &series)
    };
    let uncounted = remade(&strong, false);
    let expected =
        "Memory delivers up to 40.000 GB/s to 4 threads. How much this work reads is unknown";
    assert!(uncounted.explanation.iter().any(|it| it.contains(expected)));
    strong.subject.machine.cpu = "AMD Example".into();
    let amd = remade(&strong, true);
    let expected =
        "With 4 threads this work reads 256.000 MB/s from beyond cache 2, an unknown part";
    assert!(amd.explanation.iter().any(|it| it.starts_with(expected)));
    let text = text::render(&amd);
    assert!(text.contains("reads past cache 2") && !text.contains("reads from memory"), "{text}");
    assert_eq!([&amd, &uncounted].map(|it| it.forecast.as_ref().unwrap().delivery), [None; 2]);
}

/// Two workers did twice the work of one: what is useful of it is twice as much.
#[test]
fn weak_scaling_compares_with_the_work_of_as_many() {
    let report = report(Scaling::Weak);
    let two = &report.results[1];
    near(two.speedup, 2.0 * 1.875);
    near(two.efficiency, 1.875);
    near(two.serial_fraction, 2.0 - 2.0 * 1.875);
    near(two.losses.unwrap().useful, 6.65 / 9.6);
    near(two.losses.unwrap().slowdown, 0.0);
    near(two.median, 4.8);
    near(two.rate, 2.0 * 1200.0 / 4.8);
    assert!(report.forecast.is_none());
    // No time is less than none, however wide its interval.
    let fit = report.best_fit().unwrap();
    assert!(fit.predictions.iter().all(|it| it.interval.unwrap().low > 0.0), "{fit:?}");
}

#[test]
fn the_forecast_takes_the_slowdown_of_the_most_threads_measured() {
    let report = report(Scaling::Strong);
    let forecast = report.forecast.as_ref().unwrap();
    near(forecast.serial, 0.6);
    near(forecast.work(), 6.0);
    near(forecast.longest(), 1.5);
    near(forecast.bound(), 6.6 / 2.1);
    near(forecast.at(1).unwrap().seconds, 6.6);
    // 1.5 + 1.125 + 0.375 each, and longer by what two threads took more.
    near(forecast.at(2).unwrap().seconds, 0.6 + 3.0 * 6.65 / 6.0);
    near(forecast.at(1024).unwrap().seconds, 0.6 + 1.5 * 1.08);
    near(forecast.at(1024).unwrap().speedup, 6.6 / 2.22);
}

/// 100 MiB with one thread and 20 more for each further one, measured with 1, 2 and 4; 1,010 MiB are left.
#[test]
fn memory_grows_along_a_line_and_the_report_says_where_it_no_longer_fits() {
    const MIB: u64 = 1 << 20;
    let report_of = |each: u64, room: Option<u64>| {
        let mut series = [&ONE, &TWO, &FOUR].map(|it| it.series(1.0, false));
        for series in &mut series {
            let held = 100 * MIB + each * (series.setting.threads as u64 - 1);
            // The largest run counts.
            series.runs.iter_mut().for_each(|run| run.peak_bytes = Some(held - MIB));
            series.runs[3].peak_bytes = Some(held);
        }
        let mut subject = report(Scaling::Strong).subject;
        subject.conditions.room_bytes = room;
        Report::new(subject, &series)
    };
    let found = report_of(20 * MIB, Some(1010 * MIB));
    let held = found.results.iter().map(|it| it.resident_bytes.unwrap() / MIB);
    assert_eq!(held.collect::<Vec<_>>(), [100, 120, 160]);
    let memory = found.memory.unwrap();
    near(memory.one / MIB as f64, 100.0);
    near(memory.each / MIB as f64, 20.0);
    // 46 threads need 1,000, which fits; 47 need 1,020.
    assert_eq!(memory.too_many, Some(47));
    let text = text::render(&found);
    let expected = "Memory: a run holds 100 MiB at most with one thread, and 20 MiB more for each further thread: from 47 threads on it needs more than the 1,010 MiB that this machine had left.";
    assert!(text.contains(expected), "{text}");
    // 100 + 20 × 1,023.
    let row = text.lines().find(|line| line.starts_with("1,024 ")).unwrap();
    assert!(row.ends_with("  20.1 GiB"), "{row}");
    let page = html::render(std::slice::from_ref(&found), &[]);
    assert!(page.contains("<th scope=\"col\">memory</th>") && page.contains("<td>160 MiB</td>"));
    let csv = data::csv(std::slice::from_ref(&found));
    assert!(csv.lines().last().unwrap().contains(&(160 * MIB).to_string()), "{csv}");
    let unlimited = text::render(&report_of(20 * MIB, None));
    assert!(unlimited.contains("more for each further thread.\n"), "{unlimited}");
    let level = text::render(&report_of(0, Some(1000 * MIB)));
    assert!(level.contains("a run holds 100 MiB at most, with any number of threads."), "{level}");
    assert!(!level.lines().any(|line| line.starts_with("cores") && line.contains("memory")));
}

/// One worker reads for 2 s before its pieces; two have pieces but for half a second.
#[test]
fn whose_pieces_overlap_a_serial_part_is_told() {
    let run = |workers: &[Stretches], wall: f64, outside: f64| {
        let span = |worker, &(start, end): &(f64, f64)| {
            let cpu = Some(end - start);
            Span { worker, start, end, cpu, subtrees: 1 }
        };
        let spans = workers.iter().enumerate();
        let spans = spans.flat_map(|(worker, all)| all.iter().map(move |it| span(worker, it)));
        let workers = Workers::from_spans(workers.len(), wall, &spans.collect::<Vec<_>>());
        let user = workers.cpu_seconds() + outside;
        Run { wall, user, workers: Some(workers), ..Run::default() }
    };
    let one = run(&[&[(2.0, 6.0), (6.0, 10.0)]], 10.0, 2.0);
    let two = run(&[&[(0.5, 4.5)], &[(0.5, 4.5)]], 4.5, 2.0);
    let series = [(1, one), (2, two)]
        .map(|(threads, run)| Series { setting: Setting::threads(threads), runs: vec![run; 6] });
    let subject = subject::subject("example", subject::machine(2));
    let text = Report::new(subject, &series).explanation.join("\n");
    let expected =
        "and everything else 2.00 s, 75.0 % of it, with 2 threads, while other workers had pieces";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn every_form_of_the_report_is_as_it_was() {
    for (name, report) in [("strong", report(Scaling::Strong)), ("weak", report(Scaling::Weak))] {
        for (form, text) in [
            ("txt", text::render(&report)),
            ("csv", data::csv(std::slice::from_ref(&report))),
            ("html", html::render(std::slice::from_ref(&report), &[])),
            ("svg", pictures::standalone(std::slice::from_ref(&report)).svg()),
        ] {
            golden::check(&format!("scale/{name}.{form}"), &text);
        }
        let text = data::write(std::slice::from_ref(&report)).unwrap();
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let kept = golden::expected(&format!("scale/{name}.json"), &text);
        same(&read(&text), &read(&kept), name);
    }
}

/// A report of a file has everything that a page of several shows.
#[test]
fn a_page_of_reports_that_were_read_is_that_of_those_that_were_written() {
    let reports = [report(Scaling::Strong), report(Scaling::Weak)];
    let names = ["strong", "weak"].map(String::from);
    let read = data::read(&data::write(&reports).unwrap()).unwrap();
    assert_eq!(html::render(&read, &names), html::render(&reports, &names));
    let alone = data::read(&data::write(&reports[..1]).unwrap()).unwrap();
    assert_eq!(alone[0].results[2].times, reports[0].results[2].times);
    // Every figure comes back: what was read is written as it was.
    assert_eq!(data::write(&read).unwrap(), data::write(&reports).unwrap());
    let page = html::render(&alone, &names[..1]);
    assert_eq!(page, html::render(&reports[..1], &names[..1]));
    let message = data::read("{\"models\": []}").unwrap_err().to_string();
    assert!(message.starts_with("`tallyboard`: "), "{message}");
}

/// Lines differ by colour; from the seventh on, where the colours begin again, by dashes too.
#[test]
fn several_reports_share_a_picture_as_they_did() {
    let scaling = [Scaling::Strong, Scaling::Weak].into_iter().cycle();
    let reports: Vec<Report> = scaling.take(7).map(report).collect();
    golden::check("scale/several.svg", &pictures::standalone(&reports).svg());
}

/// The same document, but for the last digits of numbers.
fn same(found: &Value, kept: &Value, path: &str) {
    match (found, kept) {
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{path}: {:?}, not {:?}", a.keys(), b.keys());
            a.iter().for_each(|(key, value)| same(value, &b[key], &format!("{path}.{key}")));
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            a.iter().zip(b).for_each(|(a, b)| same(a, b, path));
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{path}: {a}, not {b}");
        }
        _ => assert_eq!(found, kept, "{path}"),
    }
}

/// Two threads had a processor for 6.65 of their 9.6 s, the busier worker for 0.95 × 3.8 s, and one thread needs 6 s.
#[test]
fn the_places_have_the_names_of_pop_too() {
    let report = report(Scaling::Strong);
    let pop = report.results[1].pop.unwrap();
    near(pop.parallel_efficiency, 6.65 / 9.6);
    near(pop.communication_efficiency.unwrap(), 0.95 * 3.8 / 4.8);
    near(pop.load_balance.unwrap(), 6.65 / (2.0 * 0.95 * 3.8));
    near(pop.computation_scaling, 6.0 / 6.65);
    near(pop.global_efficiency, 6.0 / 9.6);
    // 3 G instructions with one thread, 4 G with two.
    near(pop.instruction_scaling.unwrap(), 0.75);
    near(pop.frequency_scaling.unwrap(), 1.0);
    near(pop.ipc_scaling.unwrap(), (4.0 / 7.15) / (3.0 / 6.5));
    let text = text::render(&report);
    assert!(text.contains("\nEfficiencies of the POP Centre of Excellence\n"), "{text}");
}
