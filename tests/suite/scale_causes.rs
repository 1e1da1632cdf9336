//! Promise: a report names the main cause of what more threads lose. Five recorded measurements of commands,
//! made up of round numbers, with one bottleneck each; `ci/bottlenecks.sh` measures the programs themselves.

use tallyboard_scale::conditions::{Capacity, Ceiling, Conditions};
use tallyboard_scale::counters::Counts;
use tallyboard_scale::diagnosis::{Cause, cause, sentence};
use tallyboard_scale::forms::{data, html, text};
use tallyboard_scale::measure::{Run, Series, Setting};
use tallyboard_scale::report::{Report, Subject};
use tallyboard_scale::threads::{Observation, OffCpu};
use tallyboard_scale::topology::Machine;

use crate::common::golden;
use crate::common::subject::{machine, subject};

/// What a command with four threads did, in seconds; with one thread it took 8 of wall and processor time.
#[derive(Clone)]
pub struct Recorded {
    pub wall: f64,
    pub cpu: f64,
    pub idle: OffCpu,
    pub resident_mib: u64,
    pub others: f64,
    pub stolen: f64,
    /// With one thread and with four.
    pub counts: Option<[Counts; 2]>,
    /// Seconds that a quota of 1.2 processors kept from four threads; 0 if there is none.
    pub throttled: f64,
}

/// Four processors for 2 s, and nothing lost.
pub const PERFECT: Recorded = Recorded {
    wall: 2.0,
    cpu: 8.0,
    idle: OffCpu { preempted: 0.0, serial: 0.0, turns: 0.0, tail: 0.0 },
    resident_mib: 2,
    others: 0.01,
    stolen: 0.0,
    counts: None,
    throttled: 0.0,
};

impl Recorded {
    pub fn report(&self) -> Report {
        let run = |wall: f64, cpu: f64, idle: OffCpu, at: usize| Run {
            counts: self.counts.map(|counts| counts[at]),
            peak_bytes: Some(self.resident_mib << 20),
            throttled: (at == 1 && self.throttled > 0.0).then_some(self.throttled),
            wall,
            user: cpu,
            observation: Some(Observation {
                off_cpu: idle,
                // All threads wait alike, and none while it sleeps.
                undisturbed_share: 1.0 - idle.preempted / [1.0, 4.0][at] / wall,
            }),
            ..Run::default()
        };
        let one = Series {
            setting: Setting::threads(1),
            runs: vec![run(8.0, 8.0, OffCpu::default(), 0); 6],
        };
        let runs = vec![run(self.wall, self.cpu, self.idle, 1); 6];
        let four = Series { setting: Setting::threads(4), runs };
        let conditions = Conditions {
            others: Some(self.others),
            stolen: Some(self.stolen),
            ..Conditions::default()
        };
        let cgroup_limit = (self.throttled > 0.0).then_some(1.2);
        let machine = Machine { cgroup_limit, ..machine(4) };
        let subject = Subject {
            kernel: "command".into(),
            conditions,
            ..subject("example {threads}", machine)
        };
        Report { tallyboard: "0.0.0".into(), ..Report::new(subject, &[one, four]) }
    }

    fn cause(&self) -> Option<(Cause, f64)> {
        let report = self.report();
        cause(&report, &report.results[1])
    }
}

pub fn idle(serial: f64, turns: f64, tail: f64) -> OffCpu {
    OffCpu { preempted: 0.0, serial, turns, tail }
}

#[test]
fn five_of_five_bottlenecks_are_named_by_the_report_alone() {
    let preempted = OffCpu { preempted: 6.0, ..OffCpu::default() };
    let cases = [
        ("lock", "a lock, 50.0 %", Recorded { wall: 5.0, idle: idle(1.0, 10.0, 1.0), ..PERFECT }),
        (
            "serial",
            "a serial part, 53.7 %",
            Recorded { wall: 5.0, idle: idle(11.0, 0.6, 0.7), ..PERFECT },
        ),
        (
            "memory",
            "memory, 50.0 % of the threads' time (the command holds 512 MiB, the last-level caches 32 MiB)",
            Recorded { wall: 4.0, cpu: 16.0, resident_mib: 512, ..PERFECT },
        ),
        (
            "uneven",
            "uneven pieces, 54.0 %",
            Recorded { wall: 5.0, idle: idle(0.5, 0.7, 10.8), ..PERFECT },
        ),
        (
            "neighbours",
            "busy neighbours, 42.9 % of the threads' time (other programs took 45.0 % of the processors' time, other machines 0.0 %)",
            Recorded { wall: 3.5, idle: preempted, others: 0.45, ..PERFECT },
        ),
    ];
    let throttled = OffCpu { preempted: 9.6, ..OffCpu::default() };
    let quota = Recorded { wall: 20.0 / 3.0, cpu: 8.0, idle: throttled, throttled: 8.0, ..PERFECT };
    let report = quota.report();
    let words = "\nMain cause: the quota of the control group, 36.0 % of the threads' time (it grants 1.20 processors, and stopped the 4 threads for 30.0 % of their time).\nWhat to do: ask for a processor a thread";
    assert!(text::brief(&report).contains(words), "{}", text::brief(&report));
    // Without samples of the threads the quota is known all the same, from a tenth of their time on.
    let mut unseen = report.clone();
    unseen.results[1].losses = None;
    let words = sentence(&unseen, &unseen.results[1]).unwrap();
    assert!(words.ends_with("which stopped the threads for 30.0 % of their time."), "{words}");
    unseen.results[1].throttled = Some(0.099);
    assert_eq!(sentence(&unseen, &unseen.results[1]), None);
    // A third of what is lost, and less.
    let least = |throttled| Recorded { throttled, ..quota.clone() }.cause().unwrap().0;
    assert_eq!([least(3.3), least(3.1)], [Cause::Quota, Cause::Neighbours]);
    let little = text::brief(&Recorded { throttled: 3.1, ..quota.clone() }.report());
    assert!(little.contains(". The quota stopped the threads for 11.6 % of"), "{little}");
    assert!(!text::brief(&report).contains("The quota stopped"));
    for (name, expected, recorded) in cases {
        let report = recorded.report();
        let screen = text::brief(&report);
        assert!(screen.contains(&format!("\nMain cause: {expected}")), "{name}: {screen}");
        assert!(screen.contains("\nWhat to do: ") && screen.lines().count() <= 24, "{screen}");
        assert!(!screen.contains("Where the threads' time went"), "{screen}");
        let text = text::render(&report);
        assert!(text.contains(&format!("\nMain cause: {expected}")), "{name}: {text}");
        assert_eq!(text.matches("Main cause").count(), 1);
        let page = html::render(&[report], &[]);
        assert!(page.contains(&format!("Main cause: {}", expected.split(',').next().unwrap())));
        golden::check(&format!("scale/cause_{name}.txt"), &text);
    }
}

#[test]
fn each_kind_of_slower_work_and_of_missing_processors_has_its_name() {
    let slower = |resident_mib| Recorded { wall: 4.0, cpu: 16.0, resident_mib, ..PERFECT };
    assert_eq!(slower(33).cause(), Some((Cause::Memory, 0.5)));
    assert_eq!(slower(32).cause(), Some((Cause::Spinning, 0.5)));
    assert_eq!(Recorded { stolen: 0.2, ..slower(33) }.cause(), Some((Cause::Neighbours, 0.5)));
    let report = Recorded { stolen: 0.2, ..slower(33) }.report();
    let words = sentence(&report, &report.results[1]).unwrap();
    let expected = "Main cause: busy neighbours whose time counts as slower work, 50.0 % of the threads' time (";
    assert!(words.starts_with(expected), "{words}");
    // Nothing lost, or too little to name a cause.
    assert_eq!(PERFECT.cause(), None);
    assert_eq!(Recorded { wall: 2.2, idle: idle(0.8, 0.0, 0.0), ..PERFECT }.cause(), None);
    let report = slower(33).report();
    let unknown = |change: fn(&mut Report)| {
        let mut report = report.clone();
        change(&mut report);
        cause(&report, &report.results[1]).unwrap().0
    };
    assert_eq!(unknown(|it| it.subject.machine.cache_bytes = None), Cause::SlowerWork);
    assert_eq!(unknown(|it| it.results[1].resident_bytes = None), Cause::SlowerWork);
    let siblings =
        |it: &mut Report| it.subject.machine.cpus.iter_mut().for_each(|cpu| cpu.core /= 2);
    assert_eq!(unknown(siblings), Cause::Siblings);
}

#[test]
fn who_took_the_processors_is_told_by_their_shares() {
    let preempted = OffCpu { preempted: 6.0, ..OffCpu::default() };
    let recorded =
        |others, stolen| Recorded { wall: 3.5, idle: preempted, others, stolen, ..PERFECT };
    let of = |recorded: Recorded, helpers| {
        let mut report = recorded.report();
        report.results[1].helpers = helpers;
        cause(&report, &report.results[1]).map(|(cause, _)| cause)
    };
    // Of 42.9 % a third is 14.3 %.
    assert_eq!(of(recorded(0.01, 0.0), Some(0.15)), Some(Cause::Helpers));
    assert_eq!(of(recorded(0.01, 0.0), Some(0.14)), Some(Cause::Neighbours));
    assert_eq!(of(recorded(0.08, 0.07), Some(0.15)), Some(Cause::Neighbours));
    assert_eq!(of(recorded(0.08, 0.05), Some(0.15)), Some(Cause::Helpers));
    assert_eq!(of(recorded(0.01, 0.0), None), Some(Cause::Neighbours));
}

/// Four threads had a processor for 8 of the 14 s that they owned: 2 s of wall time would have been enough.
#[test]
fn the_speed_up_by_processor_time_leaves_out_what_others_took() {
    let preempted = OffCpu { preempted: 6.0, ..OffCpu::default() };
    let report = Recorded { wall: 3.5, idle: preempted, others: 0.45, ..PERFECT }.report();
    let speedups = report.results.iter().map(|it| it.cpu_speedup.unwrap());
    assert!(speedups.zip([1.0, 4.0]).all(|(found, expected)| (found - expected).abs() < 1e-12));
    let text = text::render(&report);
    let expected = "Without their waiting for a processor, 4 threads would be 4.00 times as fast as one (speed-up by CPU time).\nOn more cores: unknown: one step shows no";
    assert!(text.contains(expected) && text.contains("  speed-up by CPU time  "), "{text}");
    // One thread waited too: 8 s of 10 would have been enough.
    let series = [(1, 10.0, 0.8), (4, 3.5, 4.0 / 7.0)].map(|(threads, wall, undisturbed_share)| {
        let observation = Some(Observation { undisturbed_share, ..Observation::default() });
        let run = Run { wall, user: 8.0, observation, ..Run::default() };
        Series { setting: Setting::threads(threads), runs: vec![run; 6] }
    });
    let both = Report::new(PERFECT.report().subject, &series);
    assert!((both.results[1].cpu_speedup.unwrap() - 4.0).abs() < 1e-12);
    // From a twentieth of the threads' time on: of 10 s.
    let of = |preempted| {
        let idle = OffCpu { preempted, ..OffCpu::default() };
        let recorded = Recorded { wall: 2.5, idle, ..PERFECT };
        text::render(&recorded.report()).contains("by CPU time")
    };
    assert_eq!([0.49, 0.51].map(of), [false, true]);
    // Where nobody waited, the wall clock tells the same.
    let quiet = text::render(&PERFECT.report());
    assert!(!quiet.contains("by CPU time"), "{quiet}");
}

/// T(4) = 5 s of 8 s: (1/1.6 - 1/4) / (3/4).
#[test]
fn two_thread_counts_tell_a_serial_part_and_no_law() {
    let text =
        text::render(&Recorded { wall: 5.0, idle: idle(11.0, 0.6, 0.7), ..PERFECT }.report());
    let expected = "\nOn more cores: two thread counts are too few to check a law: if a serial part is all that limits 4 threads, 50.0 % of the work (95 % interval 50.0 % to 50.0 %), no number is more than 2.00 times as fast as one.\n";
    assert!(text.contains(expected) && text.contains("found 2 thread counts, needs 3"), "{text}");
    assert!(!text::render(&PERFECT.report()).contains("two thread counts"));
}

/// Half of the time of four threads is slowdown: as much as a third of that has to come from the clock.
#[test]
fn without_counters_the_clock_that_the_machine_gives_tells() {
    let of = |hertz| {
        let mut report = Recorded { wall: 4.0, cpu: 16.0, resident_mib: 512, ..PERFECT }.report();
        let ceiling = |threads, hertz| {
            let capacity = Capacity { hertz, bytes_per_second: 1e10, latencies: Vec::new() };
            Ceiling { threads, before: capacity.clone(), after: capacity }
        };
        report.subject.conditions.ceilings = vec![ceiling(1, 4e9), ceiling(4, hertz)];
        sentence(&report, &report.results[1]).unwrap()
    };
    let slower = of(2.99e9);
    let expected = "Main cause: a slower clock, 50.0 % of the threads' time (clock speed 4.00 GHz with one thread, 2.99 GHz with 4).";
    assert!(slower.starts_with(expected), "{slower}");
    let memory = of(3.01e9);
    assert!(memory.starts_with("Main cause: memory"), "{memory}");
}

#[test]
fn a_command_that_was_not_seen_gets_a_sentence_that_says_why() {
    let mut series = [1, 2].map(|threads| {
        let run = Run { wall: 0.1, user: 0.1, ..Run::default() };
        Series { setting: Setting::threads(threads), runs: vec![run; 6] }
    });
    let subject = PERFECT.report().subject;
    let says = |subject: &Subject, series: &[Series], words: &str| {
        let text = Report::new(subject.clone(), series).explanation.join("\n");
        assert!(
            text.contains(&format!("Where the threads' time went is unknown: {words}")),
            "{text}"
        );
        let screen = text::brief(&Report::new(subject.clone(), series));
        assert!(screen.contains(&format!("is unknown: {words}")), "{screen}");
        let csv = data::csv(&[Report::new(subject.clone(), series)]);
        let why = words.trim_end_matches('.');
        assert!(csv.lines().skip(1).all(|row| row.contains(why)), "{csv}");
    };
    says(&subject, &series, "it takes twenty samples");
    let mut untold = subject.clone();
    untold.machine.system = "macos aarch64".into();
    says(&untold, &series, "only Linux tells it.");
    let observation = Some(Observation::default());
    series.iter_mut().flat_map(|it| &mut it.runs).for_each(|run| run.observation = observation);
    let text = Report::new(subject, &series).explanation.join("\n");
    assert!(!text.contains("is unknown"), "{text}");
}

/// The same slowdown, by each factor of the processor time in turn; what the command holds does not matter then.
#[test]
fn what_the_processor_counts_tells_memory_from_clock_and_from_spinning() {
    const ONE: Counts = Counts {
        instructions: 16_000_000_000,
        cycles: 16_000_000_000,
        cache_misses: 1_000_000,
        seconds: 8.0,
    };
    let report_of = |four: Counts| {
        let counts = Some([ONE, Counts { seconds: 16.0, ..four }]);
        Recorded { wall: 4.0, cpu: 16.0, resident_mib: 512, counts, ..PERFECT }.report()
    };
    let of = |four| {
        let report = report_of(four);
        cause(&report, &report.results[1]).unwrap().0
    };
    let twice = 32_000_000_000;
    assert_eq!(of(ONE), Cause::Clock);
    assert_eq!(of(Counts { cycles: twice, cache_misses: 16_000_000, ..ONE }), Cause::Memory);
    assert_eq!(of(Counts { cycles: twice, cache_misses: 15_999_999, ..ONE }), Cause::Spinning);
    assert_eq!(of(Counts { cycles: twice, instructions: twice, ..ONE }), Cause::Spinning);
    // On ARM the misses are those of the first cache: what the command holds tells.
    let mut arm = report_of(Counts { cycles: twice, cache_misses: 400_000_000, ..ONE });
    arm.subject.machine.system = "linux aarch64".into();
    let words = sentence(&arm, &arm.results[1]).unwrap();
    assert!(words.contains(": memory,") && words.contains("the command holds 512 MiB"), "{words}");
    arm.results[1].resident_bytes = Some(2 << 20);
    assert_eq!(cause(&arm, &arm.results[1]).unwrap().0, Cause::Spinning);
    // Four times the work, each with the time of twice: no factor but the clock grew.
    let mut weak = report_of(ONE);
    let four = weak.results[1].counts.as_mut().unwrap();
    (four.instructions, four.cycles, four.seconds) = (2 * twice, 2 * twice, 64.0);
    weak.results[1].work = 4.0;
    assert_eq!(cause(&weak, &weak.results[1]).unwrap().0, Cause::Clock);
    let text = text::render(&report_of(ONE));
    let expected = "Main cause: a slower clock, 50.0 % of the threads' time (instructions × 1.00, cycles per \
        instruction × 1.00, seconds per cycle × 2.00, 0.06 cache misses per 1,000 instructions).";
    assert!(text.contains(expected), "{text}");
}
