//! From the runs of a measurement to its report.

use super::forecast::Forecast;
use super::granularity::Granularity;
use super::laws::{Law, scaled_serial_fraction, serial_fraction};
use super::measure::{Run, Series, speedups};
use super::model;
use super::report::{Parameters, Point, Report, Scaling, Subject, THREADS};
use super::workers::{Losses, Workers};
use super::{ceiling, conditions, explain, warnings};
use base::statistics::{self, Interval};

impl Report {
    /// Derives all figures from the runs. The first of `series` has one thread; speed-ups are relative to it.
    pub fn new(subject: Subject, series: &[Series], granularity: Option<Granularity>) -> Self {
        let processors = subject.machine.processors();
        let unit_times: Vec<_> =
            series.iter().map(|s| (s.setting.threads, s.unit_times())).collect();
        let times: Vec<_> = unit_times.iter().map(|(p, t)| (*p, &t[..])).collect();
        let strong = subject.scaling == Scaling::Strong;
        let laws: &[Law] = if strong { &[Law::Amdahl, Law::Universal] } else { &[Law::Gustafson] };
        let mut warnings = warnings::find(series, processors);
        warnings.extend(warnings::crowded(series, &subject.conditions));
        warnings.extend(conditions::stolen(&subject.conditions));
        warnings.extend(ceiling::warning(&subject.conditions.ceilings));
        let delivery = series
            .first()
            .and_then(|one| ceiling::delivery(one, &subject.conditions.ceilings, &subject.machine));
        let mut report = Self {
            tallyboard: env!("CARGO_PKG_VERSION").into(),
            results: series.iter().map(|s| point(&subject, &series[0], s)).collect(),
            models: laws.iter().map(|&law| model::fit(law, &times, processors)).collect(),
            forecast: if strong { Forecast::new(series, processors, delivery) } else { None },
            subject,
            granularity,
            warnings,
            explanation: Vec::new(),
        };
        report.explanation = explain::sentences(&report);
        report
    }
}

/// The figures of `series`, some of them relative to those of `one` thread.
fn point(subject: &Subject, one: &Series, series: &Series) -> Point {
    let threads = series.setting.threads;
    let mean =
        |of: fn(&Run) -> f64| statistics::mean(&series.runs.iter().map(of).collect::<Vec<_>>());
    let times = series.times();
    let rates: Option<Vec<f64>> =
        series.runs.iter().map(|run| Some(run.amount? / run.wall)).collect();
    let others = subject.parameter.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
    let speedups = speedups(one, series);
    let speedup = statistics::median(&speedups);
    let fraction = match subject.scaling {
        Scaling::Strong => serial_fraction,
        Scaling::Weak => scaled_serial_fraction,
    };
    let typical = series.typical();
    let Run { workers, observation, counts, .. } = typical;
    let work = series.setting.work;
    let losses = match (workers, observation) {
        (Some(workers), _) => {
            one.median_of_workers(Workers::effort).map(|effort| Losses::of(workers, effort * work))
        }
        (None, Some(seen)) => {
            let one_thread = one.median(Run::cpu_seconds) * work;
            Some(Losses::of_command(threads, typical, &seen.idle, one_thread))
        }
        (None, None) => None,
    };
    let command = &subject.command;
    let filled = subject.parameter.as_ref().map_or(command.clone(), |it| it.fill(command));
    Point {
        command: filled.replace(THREADS, &threads.to_string()),
        mean: statistics::mean(&times),
        stddev: statistics::stddev(&times),
        median: statistics::median(&times),
        user: mean(|run| run.user),
        system: mean(|run| run.system),
        min: times.iter().copied().fold(f64::INFINITY, f64::min),
        max: times.iter().copied().fold(0.0, f64::max),
        cpu: series.median(Run::cpu_seconds),
        exit_codes: series.runs.iter().map(|run| run.exit_code).collect(),
        parameters: Parameters { threads: threads.to_string(), others },
        interval: Interval::of_median(&times),
        rate: rates.as_deref().map(statistics::median),
        rate_interval: rates.as_deref().and_then(Interval::of_median),
        times,
        threads,
        work,
        speedup,
        speedup_interval: Interval::of_median(&speedups),
        efficiency: speedup / threads as f64,
        serial_fraction: fraction(speedup, threads),
        losses,
        resident_bytes: observation.map(|it| it.resident_bytes),
        helpers: typical.helpers(),
        counts: *counts,
        workers: workers.clone(),
    }
}
