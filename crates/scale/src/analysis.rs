//! From the runs of a measurement to its report.

use super::forecast::Forecast;
use super::granularity::Granularity;
use super::kinds::attainable;
use super::laws::{Law, scaled_serial_fraction, serial_fraction};
use super::losses::Losses;
use super::measure::{Run, Series, cpu_speedup, speedups};
use super::model;
use super::report::{Parameters, Point, Report, Scaling, Subject, THREADS};
use super::resident::MemoryGrowth;
use super::workers::Workers;
use super::{explain, forecast, warnings};
use base::statistics::{self, Interval};

impl Report {
    /// Derives all figures from the runs. The first of `series` has one thread; speed-ups are relative to it.
    pub fn new(subject: Subject, series: &[Series], granularity: Option<Granularity>) -> Self {
        let processors = subject.processors();
        let unit_times: Vec<_> =
            series.iter().map(|s| (s.setting.threads, s.unit_times())).collect();
        let times: Vec<_> = unit_times.iter().map(|(p, t)| (*p, &t[..])).collect();
        let strong = subject.scaling == Scaling::Strong;
        let laws: &[Law] = if strong { &[Law::Amdahl, Law::Universal] } else { &[Law::Gustafson] };
        let warnings = warnings::find(series, &subject);
        let delivery = series.first().and_then(|one| {
            forecast::delivery(one, &subject.conditions.ceilings, &subject.machine)
        });
        let mut report = Self {
            tallyboard: env!("CARGO_PKG_VERSION").into(),
            results: series.iter().map(|s| point(&subject, &series[0], s)).collect(),
            models: laws.iter().map(|&law| model::fit(law, &times, processors)).collect(),
            forecast: if strong { Forecast::new(series, processors, delivery) } else { None },
            memory: None,
            subject,
            granularity,
            warnings,
            explanation: Vec::new(),
        };
        let peaks = report.results.iter().filter_map(|it| Some((it.threads, it.resident_bytes?)));
        report.memory = MemoryGrowth::of(peaks, report.subject.conditions.room_bytes);
        report.explanation = explain::sentences(&report);
        report
    }
}

/// The speed-up of `series` over `one` thread and its interval, from ratios of runs of the same round.
fn round_by_round(one: &Series, series: &Series) -> (f64, Option<Interval>) {
    let speedups = speedups(one, series);
    (statistics::median(&speedups), Interval::of_median(&speedups))
}

/// The same from medians, for runs that were not made in rounds.
fn of_medians(one: &Series, series: &Series) -> (f64, Option<Interval>) {
    let fewer = one.unit_times();
    let more = series.unit_times();
    let speedup = statistics::median(&fewer) / statistics::median(&more);
    // One thread has no speed-up over itself.
    let interval = match one.setting.threads == series.setting.threads {
        true => None,
        false => Interval::of_ratio(&fewer, &more),
    };
    (speedup, interval)
}

/// Where the time of the typical run of `series` went, beside the work of `one` thread; `None` if nothing was observed.
fn losses(one: &Series, series: &Series) -> Option<Losses> {
    let typical = series.typical();
    let work = series.setting.work;
    match (&typical.workers, &typical.observation) {
        (Some(workers), _) => {
            let one_thread = one.median_of_workers(Workers::cpu_seconds)? * work;
            Some(Losses::of(workers, one_thread))
        }
        (None, Some(seen)) => {
            let threads = series.setting.threads;
            let one_thread = one.median(Run::cpu_seconds) * work;
            Some(Losses::of_command(threads, typical, &seen.off_cpu, one_thread))
        }
        (None, None) => None,
    }
}

/// The figures of `series`, some of them relative to those of `one` thread.
fn point(subject: &Subject, one: &Series, series: &Series) -> Point {
    let threads = series.setting.threads;
    let times = series.times();
    let rates: Option<Vec<f64>> =
        series.runs.iter().map(|run| Some(run.amount? / run.wall)).collect();
    let others = subject.parameter.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
    let (speedup, speedup_interval) = match subject.source {
        None => round_by_round(one, series),
        Some(_) => of_medians(one, series),
    };
    let fraction = match subject.scaling {
        Scaling::Strong => serial_fraction,
        Scaling::Weak => scaled_serial_fraction,
    };
    let typical = series.typical();
    let Run { workers, counts, .. } = typical;
    // Files of other tools may not tell the processor time.
    let is_cpu_known = subject.source.is_none() || series.mean(Run::cpu_seconds) > 0.0;
    let known = |figure: f64| is_cpu_known.then_some(figure);
    let command = &subject.command;
    let filled = subject.parameter.as_ref().map_or(command.clone(), |it| it.fill(command));
    Point {
        command: filled.replace(THREADS, &threads.to_string()),
        mean: statistics::mean(&times),
        stddev: statistics::stddev(&times),
        median: statistics::median(&times),
        user: known(series.mean(|run| run.user)),
        system: known(series.mean(|run| run.system)),
        min: times.iter().copied().fold(f64::INFINITY, f64::min),
        max: times.iter().copied().fold(0.0, f64::max),
        cpu: known(series.median(Run::cpu_seconds)),
        exit_codes: series.runs.iter().map(|run| run.exit_code).collect(),
        parameters: Parameters { threads: threads.to_string(), others },
        interval: Interval::of_median(&times),
        rate: rates.as_deref().map(statistics::median),
        rate_interval: rates.as_deref().and_then(Interval::of_median),
        times,
        threads,
        work: series.setting.work,
        speedup,
        speedup_interval,
        efficiency: speedup / threads as f64,
        attainable: attainable(&subject.conditions.capacities, threads.min(subject.processors())),
        cpu_speedup: cpu_speedup(one, series),
        serial_fraction: fraction(speedup, threads),
        losses: losses(one, series),
        resident_bytes: series.runs.iter().filter_map(|run| run.peak_bytes).max(),
        helpers: typical.helpers(),
        counts: *counts,
        workers: workers.clone(),
    }
}
