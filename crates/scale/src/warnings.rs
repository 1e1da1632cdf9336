//! Reasons to distrust a measurement.

use super::conditions::{self, Conditions};
use super::measure::{Run, Series, speedups};
use base::figures::{counted, seconds};
use base::statistics::{self, Interval, WANTED_LEVEL};

/// The machine counts as busy if a worker with work has less than this share of a processor.
const MIN_PROCESSOR_SHARE: f64 = 0.95;
/// One thread counts as waiting if its processor time is less than this share of its wall time.
const MIN_CPU_SHARE: f64 = 0.9;
/// Runs shorter than this are mostly thread start and clock.
const MIN_SECONDS: f64 = 0.005;

/// All warnings about `series` on a machine with `processors`.
pub fn find(series: &[Series], processors: usize) -> Vec<String> {
    let mut found = Vec::new();
    for one in series {
        found.extend(oversubscribed(one, processors));
        found.extend(busy(one, processors).or_else(|| waiting(one)));
        found.extend(short(one));
        found.extend(failed(one));
    }
    match series.first().map_or(0, |s| s.runs.len()) {
        0..=2 => found.push(
            "fewer than 3 rounds: no intervals, so noise may look like an effect; use -r 6 or more"
                .into(),
        ),
        _ => {
            found.extend(series.first().and_then(low_level));
            found.extend(series.windows(2).filter_map(|pair| hidden_step(&pair[0], &pair[1])));
        }
    }
    found
}

/// A warning of other programs, unless the workers' record tells of them. It does not if there is no record, or if one
/// thread waited outside of its work.
pub fn crowded(series: &[Series], conditions: &Conditions) -> Option<String> {
    let is_recorded = series.iter().flat_map(|one| &one.runs).any(|run| run.workers.is_some());
    let is_told = is_recorded && !series.iter().any(|one| waiting(one).is_some());
    conditions::crowded(conditions.others.filter(|_| !is_told)?)
}

fn oversubscribed(one: &Series, processors: usize) -> Option<String> {
    let threads = one.setting.threads;
    (threads > processors).then(|| {
        format!(
            "{} share {}: their times show sharing, not scaling",
            counted(threads, "thread"),
            counted(processors, "processor")
        )
    })
}

/// Workers that had work but no processor: another program was running. `None` without a record of the workers.
fn busy(one: &Series, processors: usize) -> Option<String> {
    let threads = one.setting.threads;
    if threads > processors {
        return None;
    }
    // Processors that helpers took were not taken by another program.
    let share = |s: &Run| Some(s.workers.as_ref()?.granted()? + s.helpers().unwrap_or(0.0));
    let shares: Vec<f64> = one.runs.iter().filter_map(share).collect();
    if shares.is_empty() {
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

/// Runs that failed under `--ignore-failure`.
fn failed(one: &Series) -> Option<String> {
    let failed = one.runs.iter().filter(|run| run.exit_code != 0);
    let last = failed.clone().next_back()?.exit_code;
    Some(format!(
        "{} of {} with {} failed, the last with exit code {last}: the times include failed runs",
        failed.count(),
        counted(one.runs.len(), "run"),
        counted(one.setting.threads, "thread"),
    ))
}

fn short(one: &Series) -> Option<String> {
    let (threads, median) = (one.setting.threads, one.median(|run| run.wall));
    (median < MIN_SECONDS).then(|| {
        format!(
            "with {} a run takes {}: too short to measure; use a larger problem",
            counted(threads, "thread"),
            seconds(median)
        )
    })
}

/// One thread that waits: for input, for a processor, for other threads.
fn waiting(one: &Series) -> Option<String> {
    let share = one.median(|run| run.cpu_seconds() / run.wall);
    (one.setting.threads == 1 && share < MIN_CPU_SHARE).then(|| {
        format!(
            "with 1 thread only {:.0} % of the wall time is processor time: it waited for something, and the times include the waiting",
            100.0 * share
        )
    })
}

/// Too few rounds for intervals of the wanted level.
fn low_level(one: &Series) -> Option<String> {
    let interval = Interval::of_median(&one.times())?;
    (interval.level < WANTED_LEVEL).then(|| {
        format!(
            "{} rounds give {:.0} % intervals; six (-r 6) or more give 95 %",
            one.runs.len(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Setting;

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

    #[test]
    fn other_programs_are_named_where_no_worker_tells_of_them() {
        let conditions = |others| Conditions { others: Some(others), ..Conditions::default() };
        let unknown = six(2, 1.0, |run| run.workers = None);
        let found = crowded(&unknown, &conditions(0.42)).unwrap();
        assert!(found.contains("other programs took 42.0 % of the processors' time"), "{found}");
        assert_eq!(crowded(&unknown, &conditions(0.04)), None);
        assert_eq!(crowded(&unknown, &Conditions::default()), None);
        assert_eq!(crowded(&six(2, 0.6, |_| {}), &conditions(0.42)), None);
        // One thread had no processor before its work and behind it.
        let waited = six(1, 1.0, |run| run.user = 0.5);
        assert!(crowded(&waited, &conditions(0.42)).is_some());
    }

    #[test]
    fn every_reason_is_found_and_no_other() {
        let clean = [series(1, &[1.0; 6], 1.0), series(2, &[0.5, 0.51, 0.52, 0.5, 0.5, 0.5], 0.99)];
        let noisy = [
            series(2, &[1.0, 1.4, 0.7, 1.1, 0.8], 1.0),
            series(3, &[0.9, 1.3, 1.0, 0.8, 1.2], 1.0),
        ];
        let cases: [(&[Series], &[&str]); 9] = [
            (&clean, &[]),
            (
                &six(2, 1.0, |run| run.exit_code = 3),
                &["6 of 6 runs with 2 threads failed, the last with exit code 3"],
            ),
            (&six(2, 0.7, |_| {}), &["got only 70 % of a processor"]),
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
            let found = find(series, 3);
            let as_expected = found.iter().zip(expected).all(|(one, words)| one.contains(words));
            assert!(as_expected && found.len() == expected.len(), "{found:?}, not {expected:?}");
        }
    }
}
