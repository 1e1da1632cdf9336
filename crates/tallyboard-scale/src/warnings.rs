//! Reasons to distrust a measurement.

use super::cells::two_decimals;
use super::conditions::{Ceiling, Conditions};
use super::counters::{bandwidth, clock};
use super::measure::{Run, Series, speedups};
use super::report::Subject;
use tallyboard_base::figures::{counted, percent, seconds, small_memory_size};
use tallyboard_base::statistics::{self, Interval, WANTED_LEVEL};

/// The machine counts as busy if workers in their pieces have less than this share of a processor.
const MIN_PROCESSOR_SHARE: f64 = 0.95;
/// One thread counts as waiting if its processor time is less than this share of its wall time.
const MIN_CPU_SHARE: f64 = 0.9;
/// What one thread waited for was a processor if it was ready for one in this share of its waiting or more.
const MIN_SHARE_PREEMPTED: f64 = 0.5;
/// Runs shorter than this are mostly thread start and clock.
const MIN_SECONDS: f64 = 0.005;
/// A figure of the machine that changes by more than this share gets a warning.
const MAX_CHANGE: f64 = 0.25;
/// If others take more than this share of the processors' time, times are longer than noise makes them: intervals of
/// medians are a few per cent wide.
const MAX_TAKEN: f64 = 0.05;

/// All warnings about `series`, which were measured of `subject`; fewest threads first.
pub fn find(series: &[Series], subject: &Subject) -> Vec<String> {
    let processors = subject.processors();
    let is_from_elsewhere = subject.source.is_some();
    let mut found = Vec::new();
    for runs in series {
        found.extend(oversubscribed(runs, subject));
        found.extend(busy(runs, processors));
        found.extend(failed(runs));
        // A time from elsewhere may be the mean of many iterations.
        if !is_from_elsewhere {
            found.extend(short(runs));
        }
    }
    let single = series.first().filter(|single| busy(single, processors).is_none());
    found.extend(single.and_then(|single| waiting(single, subject)));
    match series.first().map_or(0, |single| single.runs.len()) {
        0..=2 if is_from_elsewhere => found.push(
            "fewer than 3 times with 1 thread: no intervals, so noise may look like an effect; \
             measure each thread count six times or more"
                .into(),
        ),
        0..=2 => found.push(
            "fewer than 3 rounds: no intervals, so noise may look like an effect; use -r 6 or more"
                .into(),
        ),
        // Ratios of single runs mean nothing where runs were not made in rounds.
        _ if is_from_elsewhere => {}
        _ => {
            found.extend(series.first().and_then(low_level));
            found.extend(series.windows(2).filter_map(|pair| hidden_step(&pair[0], &pair[1])));
        }
    }
    found.extend(cores_differ(series, subject));
    let conditions = &subject.conditions;
    found.extend(conditions.others.filter(|_| !workers_tell_of_others(series)).and_then(crowded));
    found.extend(conditions.stolen.and_then(stolen));
    found.extend(changed(&conditions.ceilings));
    found
}

fn oversubscribed(series: &Series, subject: &Subject) -> Option<String> {
    let threads = series.setting.threads;
    let processors = subject.processors();
    (threads > processors).then(|| {
        let limit = subject.machine.cgroup_limit.filter(|limit| *limit < threads as f64);
        let shared = match limit {
            Some(limit) => {
                format!("the {} processors of the control group's quota", two_decimals(limit))
            }
            None => counted(processors, "processor"),
        };
        format!(
            "{} share {shared}: their times show sharing, not scaling",
            counted(threads, "thread")
        )
    })
}

/// Several threads on fast and slow cores, whose speed-up is below their number however good the program is.
fn cores_differ(series: &[Series], subject: &Subject) -> Option<String> {
    let has_several = series.iter().any(|series| series.setting.threads > 1);
    let kinds = subject.machine.kinds_in_words();
    (has_several && !kinds.is_empty()).then(|| {
        format!(
            "the cores differ ({kinds}): threads on slower ones add less than one on a fast core; --pin cores takes the fast ones first"
        )
    })
}

/// Workers that had work but no processor: another program was running. `None` without a record of the workers.
fn busy(series: &Series, processors: usize) -> Option<String> {
    let threads = series.setting.threads;
    let shares: Vec<f64> = series.runs.iter().filter_map(processor_share).collect();
    if threads > processors || shares.is_empty() {
        return None;
    }
    let share = statistics::median(&shares);
    (share < MIN_PROCESSOR_SHARE).then(|| {
        format!(
            "the machine was busy: with {}, workers that had work got only {:.0} % of a processor",
            counted(threads, "thread"),
            100.0 * share
        )
    })
}

/// The share of a processor that a worker had in its pieces, with the shares that this program's own helpers and a quota
/// took from it.
fn processor_share(run: &Run) -> Option<f64> {
    let workers = run.workers.as_ref()?;
    let throttled = run.throttled.unwrap_or(0.0) / (run.wall * workers.loads.len() as f64);
    Some(workers.share_on_processor()? + run.share_of_helpers().unwrap_or(0.0) + throttled)
}

/// One thread that waited: for input, for a processor, for other threads. If its samples or pieces do not tell which it
/// was, the time that other programs and machines took does.
fn waiting(series: &Series, subject: &Subject) -> Option<String> {
    let is_cpu_known = series.runs.iter().any(|run| run.cpu_seconds() > 0.0);
    if !waits(series) || !is_cpu_known {
        return None;
    }
    let share = cpu_share(series);
    let Conditions { others, stolen, .. } = subject.conditions;
    let taken = others.unwrap_or(0.0) + stolen.unwrap_or(0.0);
    let preempted = series.median(preempted_share).max(taken);
    let awaited = if preempted >= MIN_SHARE_PREEMPTED * (1.0 - share) {
        "a processor"
    } else if subject.source.is_some() {
        "a processor or something else"
    } else {
        "something"
    };
    let share = 100.0 * share;
    Some(format!(
        "with 1 thread only {share:.0} % of the wall time is processor time: it waited for {awaited}, and the times include the waiting"
    ))
}

/// The share of the wall time in which the only thread of `run` was ready, but had no processor.
fn preempted_share(run: &Run) -> f64 {
    let seconds = match (&run.workers, run.observation) {
        (Some(workers), _) => workers.busy() - workers.cpu_seconds(),
        (None, Some(observation)) => observation.off_cpu.preempted,
        (None, None) => 0.0,
    };
    seconds / run.wall
}

/// Whether these are runs of one thread, which waited for a good part of its time.
fn waits(series: &Series) -> bool {
    series.setting.threads == 1 && cpu_share(series) < MIN_CPU_SHARE
}

fn cpu_share(series: &Series) -> f64 {
    series.median(|run| run.cpu_seconds() / run.wall)
}

fn short(series: &Series) -> Option<String> {
    let median = series.median_wall();
    (median < MIN_SECONDS).then(|| {
        format!(
            "with {} a run takes {}: too short to measure; use a larger problem",
            counted(series.setting.threads, "thread"),
            seconds(median)
        )
    })
}

/// Runs that failed under `--ignore-failure`.
fn failed(series: &Series) -> Option<String> {
    let failed = series.runs.iter().filter(|run| run.exit_code != 0);
    let last = failed.clone().next_back()?.exit_code;
    Some(format!(
        "{} of {} with {} failed, the last with exit code {last}: the times include failed runs",
        failed.count(),
        counted(series.runs.len(), "run"),
        counted(series.setting.threads, "thread"),
    ))
}

/// Too few rounds for intervals of the wanted level.
fn low_level(series: &Series) -> Option<String> {
    let interval = Interval::of_median(&series.times())?;
    (interval.level < WANTED_LEVEL).then(|| {
        format!(
            "{} rounds give {:.0} % intervals; six (-r 6) or more give 95 %",
            series.runs.len(),
            100.0 * interval.level
        )
    })
}

/// Two neighbouring thread counts whose times do not differ beyond noise.
fn hidden_step(fewer: &Series, more: &Series) -> Option<String> {
    let interval = Interval::of_median(&speedups(fewer, more))?;
    interval.contains(1.0).then(|| {
        format!(
            "noise hides the step from {} to {} threads: its speed-up is between {:.2} and {:.2}; use more rounds (-r) or a larger problem",
            fewer.setting.threads, more.setting.threads, interval.low, interval.high
        )
    })
}

/// Whether [`busy`] has told of other programs if they took much. It has not if workers were not recorded, or if one
/// thread waited outside of its pieces.
fn workers_tell_of_others(series: &[Series]) -> bool {
    let mut runs = series.iter().flat_map(|series| &series.runs);
    let is_recorded = runs.any(|run| run.workers.is_some());
    is_recorded && !series.iter().any(waits)
}

/// A warning if other programs took so large a `share` of the processors' time that times are too long.
pub fn crowded(share: f64) -> Option<String> {
    (share > MAX_TAKEN).then(|| {
        let share = percent(share);
        format!(
            "the machine was busy: other programs took {share} of the processors' time meanwhile"
        )
    })
}

/// A warning if other machines on the same host took so large a `share` that times are too long.
fn stolen(share: f64) -> Option<String> {
    (share > MAX_TAKEN).then(|| {
        let share = percent(share);
        format!("other machines on the same host took {share} of the processors' time meanwhile")
    })
}

/// A warning if the machine changed during the runs. It names the figure of `ceilings` that changed most.
fn changed(ceilings: &[Ceiling]) -> Option<String> {
    let mut largest = (1.0 + MAX_CHANGE, None);
    // Of equal changes the one with the most threads is told.
    for change in ceilings.iter().rev().flat_map(changes) {
        let factor = (change.before / change.after).max(change.after / change.before);
        if factor > largest.0 {
            largest = (factor, Some(change));
        }
    }
    let Change { figure, before, after, show } = largest.1?;
    let before = show(before);
    let after = show(after);
    Some(format!(
        "the machine changed during the runs: {figure} was {before} before the runs and {after} after"
    ))
}

/// A figure of the machine before and after the runs.
struct Change {
    figure: String,
    before: f64,
    after: f64,
    /// Writes the figure with its unit.
    show: fn(f64) -> String,
}

fn changes(ceiling: &Ceiling) -> Vec<Change> {
    let Ceiling { threads, before, after } = ceiling;
    let with = format!("with {}", counted(*threads, "thread"));
    let mut changes = vec![
        Change {
            figure: format!("the clock {with}"),
            before: before.hertz,
            after: after.hertz,
            show: clock,
        },
        Change {
            figure: format!("memory bandwidth {with}"),
            before: before.bytes_per_second,
            after: after.bytes_per_second,
            show: bandwidth,
        },
    ];
    for (&(bytes, before), &(_, after)) in before.latencies.iter().zip(&after.latencies) {
        let figure = format!("a read beyond {} {with}", small_memory_size(bytes));
        changes.push(Change { figure, before, after, show: seconds });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Capacity;
    use crate::measure::Setting;
    use crate::threads::{Observation, OffCpu};
    use crate::topology::{CoreKind, Cpu};

    fn series(threads: usize, walls: &[f64], share: f64) -> Series {
        let runs = walls.iter().map(|&wall| Run::even(threads, wall, wall, wall * share));
        Series { setting: Setting::threads(threads), runs: runs.collect() }
    }

    /// Six runs of a second on `threads`, with a processor for a `share` of it, each `changed`.
    fn six(threads: usize, share: f64, changed: fn(&mut Run)) -> [Series; 1] {
        let mut series = series(threads, &[1.0; 6], share);
        series.runs.iter_mut().for_each(changed);
        [series]
    }

    /// All warnings of a machine of three processors of which other programs took a share.
    fn find_with(series: &[Series], others: Option<f64>) -> Vec<String> {
        let cpus = [0, 1, 2].map(|id| Cpu { id, package: 0, core: id, node: 0 }).to_vec();
        let mut subject = Subject::example();
        subject.machine.cpus = cpus;
        subject.machine.cgroup_limit = None;
        subject.conditions.others = others;
        find(series, &subject)
    }

    #[test]
    fn other_programs_are_named_where_no_worker_tells_of_them() {
        let is_told = |series: &[Series], others| {
            let found = find_with(series, others);
            found.iter().any(|warning| {
                warning.contains("other programs took 42.0 % of the processors' time")
            })
        };
        let unknown = six(2, 1.0, |run| run.workers = None);
        assert!(is_told(&unknown, Some(0.42)));
        assert!(!is_told(&unknown, Some(0.04)));
        assert!(!is_told(&unknown, None));
        assert!(!is_told(&six(2, 0.6, |_| {}), Some(0.42)));
        // One thread had no processor before its work and behind it.
        assert!(is_told(&six(1, 1.0, |run| run.user = 0.5), Some(0.42)));
    }

    #[test]
    fn a_thread_that_was_ready_waited_for_a_processor() {
        let says = |preempted, words: &str| {
            let mut series = six(1, 1.0, |run| (run.user, run.workers) = (0.12, None));
            let off_cpu = OffCpu { preempted, ..OffCpu::default() };
            let observation = Some(Observation { off_cpu, ..Observation::default() });
            series[0].runs.iter_mut().for_each(|run| run.observation = observation);
            let found = find_with(&series, None);
            let start = "with 1 thread only 12 % of the wall time is processor time: it waited for";
            assert!(found[0].starts_with(&format!("{start} {words},")), "{found:?}");
        };
        says(0.863, "a processor");
        says(0.45, "a processor");
        says(0.43, "something");
        // Without samples the time that others took tells.
        let unseen = six(1, 1.0, |run| (run.user, run.workers) = (0.12, None));
        let says = |others, words: &str| {
            let found = find_with(&unseen, Some(others));
            assert!(found[0].contains(words), "{found:?}");
        };
        says(0.45, "it waited for a processor,");
        says(0.43, "it waited for something,");
        // A worker that had a processor for nearly all of its pieces, and slept as long outside of them.
        let mut series = [series(1, &[1.0; 6], 1.0)];
        for run in &mut series[0].runs {
            *run = Run { wall: 2.0, user: 0.96, ..Run::even(1, 2.0, 1.0, 0.96) };
        }
        assert!(find_with(&series, None)[0].contains("only 48 %"), "pieces had a processor");
        assert!(find_with(&series, None)[0].contains("it waited for something"));
    }

    #[test]
    fn a_quota_and_cores_that_differ_are_named() {
        let mut subject = Subject::example();
        subject.machine.cpus = [0, 1].map(|id| Cpu { id, package: 0, core: id, node: 0 }).to_vec();
        subject.machine.kinds = Vec::new();
        subject.machine.cgroup_limit = Some(1.2);
        let two = six(2, 1.0, |_| {});
        let quota = "2 threads share the 1.20 processors of the control group's quota: their times";
        assert!(find(&two, &subject)[0].starts_with(quota), "{:?}", find(&two, &subject));
        subject.machine.cgroup_limit = Some(2.0);
        assert_eq!(find(&two, &subject), [""; 0]);
        let kind = |name: &str, id| CoreKind { name: name.into(), cpus: vec![id] };
        subject.machine.kinds = vec![kind("performance", 0), kind("efficiency", 1)];
        let differ = "the cores differ (1 performance, 1 efficiency): threads on slower ones";
        assert!(find(&two, &subject)[0].starts_with(differ), "{:?}", find(&two, &subject));
        assert_eq!(find(&six(1, 1.0, |_| {}), &subject), [""; 0]);
    }

    #[test]
    fn fewer_than_three_rounds_are_warned_of() {
        for rounds in 1..=6 {
            let found = find_with(&[series(1, &[1.0; 6][..rounds], 1.0)], None);
            let is_few = found
                .iter()
                .any(|warning| warning.starts_with("fewer than 3 rounds: no intervals"));
            assert_eq!(is_few, rounds < 3, "{rounds}: {found:?}");
        }
    }

    #[test]
    fn what_others_take_is_warned_of_from_a_twentieth_on() {
        assert_eq!((crowded(0.05), stolen(0.05)), (None, None));
        assert_eq!(
            crowded(0.42).unwrap(),
            "the machine was busy: other programs took 42.0 % of the processors' time meanwhile"
        );
        assert!(crowded(0.051).unwrap().contains("took 5.1 % of"));
        assert_eq!(
            stolen(0.165).unwrap(),
            "other machines on the same host took 16.5 % of the processors' time meanwhile"
        );
    }

    #[test]
    fn every_reason_is_found_and_no_other() {
        let clean = [series(1, &[1.0; 6], 1.0), series(2, &[0.5, 0.51, 0.52, 0.5, 0.5, 0.5], 0.99)];
        let noisy = [
            series(2, &[1.0, 1.4, 0.7, 1.1, 0.8], 1.0),
            series(3, &[0.9, 1.3, 1.0, 0.8, 1.2], 1.0),
        ];
        let cases: [(&[Series], &[&str]); 10] = [
            (&clean, &[]),
            (
                &six(2, 1.0, |run| run.exit_code = 3),
                &["6 of 6 runs with 2 threads failed, the last with exit code 3"],
            ),
            (&six(2, 0.7, |_| {}), &["got only 70 % of a processor"]),
            (&six(2, 0.7, |run| run.throttled = Some(0.6)), &[]),
            // Two workers had 1.4 s of processor, a reader and a writer of the program 0.6 s beside them.
            (&six(2, 0.7, |run| run.user = 2.0), &[]),
            (&six(1, 1.0, |run| run.user = 0.5), &["only 50 % of the wall time"]),
            (
                &six(1, 1.0, |run| (run.user, run.workers) = (0.01, None)),
                &["only 1 % of the wall time"],
            ),
            (&[series(1, &[1.0; 3], 1.0)], &["3 rounds give 75 % intervals"]),
            (
                &noisy,
                &[
                    "5 rounds give 94 % intervals",
                    "noise hides the step from 2 to 3 threads: its speed-up is between 0.67 and 1.38;",
                ],
            ),
            (
                &[series(4, &[0.001], 0.4)],
                &["4 threads share 3 processors", "1.00 ms", "fewer than 3 rounds"],
            ),
        ];
        for (series, expected) in cases {
            let found = find_with(series, None);
            let as_expected = found.iter().zip(expected).all(|(one, words)| one.contains(words));
            assert!(as_expected && found.len() == expected.len(), "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn of_a_machine_that_changed_the_largest_change_is_told() {
        let capacity = Capacity::example;
        let before = capacity(2e9, 20e9, 4e-9, 28e-9);
        let ceiling = |threads, after| Ceiling { threads, before: before.clone(), after };
        let quiet = ceiling(1, capacity(2.5e9, 25e9, 5e-9, 34e-9));
        assert_eq!(changed(std::slice::from_ref(&quiet)), None);
        let says = |ceiling| changed(&[quiet.clone(), ceiling]).unwrap();
        assert_eq!(
            says(ceiling(2, capacity(3e9, 10e9, 5e-9, 131e-9))),
            "the machine changed during the runs: a read beyond 8 MiB with 2 threads was 28.0 ns before the runs and \
             131 ns after"
        );
        let slower = says(ceiling(4, capacity(1.5e9, 20e9, 4e-9, 28e-9)));
        assert!(slower.contains("the clock with 4 threads was 2.00 GHz"), "{slower}");
        let narrower = says(ceiling(1, capacity(2e9, 15e9, 4e-9, 28e-9)));
        assert!(narrower.contains("memory bandwidth with 1 thread was 20.000 GB/s"), "{narrower}");
        assert!(narrower.ends_with("and 15.000 GB/s after"), "{narrower}");
    }
}
