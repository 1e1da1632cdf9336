//! What follows from the runs of several thread counts: the points and the laws of a report.

use crate::counters::Growth;
use crate::forecast::Forecast;
use crate::laws::{Law, scaled_serial_fraction, serial_fraction};
use crate::measure::{Run, Series, Setting, cpu_speedup, speedups};
use crate::pop::Efficiencies;
use crate::report::{Parameters, Point, Report, Scaling, Subject, THREADS};
use crate::resident::MemoryGrowth;
use crate::workers::{Losses, Workers};
use crate::{explain, forecast, laws, warnings};
use tallyboard_base::statistics::{self, Interval};

impl Report {
    /// Derives all figures from the runs. The first of `series` has the fewest threads; speed-ups are relative to
    /// it.
    pub fn new(subject: Subject, series: &[Series]) -> Self {
        let processors = subject.processors();
        let times: Vec<(usize, Vec<f64>)> =
            series.iter().map(|series| (series.setting.threads, series.unit_times())).collect();
        let is_strong = subject.scaling == Scaling::Strong;
        let laws = if is_strong { &[Law::Amdahl, Law::Universal][..] } else { &[Law::Gustafson] };
        let warnings = warnings::find(series, &subject);
        let single = series.first().filter(|single| is_strong && single.setting.threads == 1);
        let forecast = match single {
            Some(single) => {
                let Subject { conditions, machine, .. } = &subject;
                let delivery = forecast::delivery(single, &conditions.ceilings, machine);
                Forecast::new(series, processors, delivery)
            }
            None => None,
        };
        let mut report = Self {
            tallyboard: env!("CARGO_PKG_VERSION").into(),
            results: series.iter().map(|many| point(&subject, &series[0], many)).collect(),
            models: laws.iter().map(|&law| laws::fit(law, &times, processors)).collect(),
            forecast,
            memory: None,
            subject,
            warnings,
            explanation: Vec::new(),
        };
        let points = report.results.iter();
        let peaks = points.filter_map(|point| Some((point.threads, point.resident_bytes?)));
        report.memory = MemoryGrowth::of(peaks, report.subject.conditions.room_bytes);
        report.explanation = explain::sentences(&report);
        report
    }
}

/// The speed-up of `many` threads over a single one and its interval, from ratios of runs of the same round.
fn speedup_by_rounds(single: &Series, many: &Series) -> (f64, Option<Interval>) {
    let speedups = speedups(single, many);
    (statistics::median(&speedups), Interval::of_median(&speedups))
}

/// The same from medians, for runs that were not made in rounds.
fn speedup_of_medians(single: &Series, many: &Series) -> (f64, Option<Interval>) {
    let single_times = single.unit_times();
    let times = many.unit_times();
    let speedup = statistics::median(&single_times) / statistics::median(&times);
    // One thread has no speed-up over itself.
    let interval = match single.setting.threads == many.setting.threads {
        true => None,
        false => Interval::of_ratio(&single_times, &times),
    };
    (speedup, interval)
}

/// Where the time of the typical run of `many` threads went, in the words of this program and in those of POP. What is
/// useful of it is told by the runs of a single thread. `None` if nothing was observed.
fn places(single: &Series, many: &Series) -> Option<(Losses, Efficiencies)> {
    let typical = many.typical();
    let Setting { threads, work, .. } = many.setting;
    let (losses, computation) = match (&typical.workers, &typical.observation) {
        (Some(workers), _) => {
            let one_thread = single.median_of_workers(Workers::cpu_seconds)? * work;
            (Losses::of(workers, one_thread), workers.cpu_seconds() / one_thread)
        }
        (None, Some(observation)) => {
            let one_thread = single.median(Run::cpu_seconds) * work;
            let times = [typical.wall, typical.cpu_seconds()];
            let losses = Losses::of_command(threads, times, &observation.off_cpu, one_thread);
            (losses, typical.cpu_seconds() / one_thread)
        }
        (None, None) => return None,
    };
    let counts = single.typical().counts.zip(typical.counts);
    let growth = counts.map(|(one, many)| Growth::between(&one, &many, work / single.setting.work));
    let workers = typical.workers.as_ref();
    Some((losses, Efficiencies::of(&losses, computation, workers, growth)))
}

/// The figures of `many` threads, some of them relative to those of a `single` one.
fn point(subject: &Subject, single: &Series, many: &Series) -> Point {
    let Setting { threads, work, .. } = many.setting;
    let times = many.times();
    let rates: Option<Vec<f64>> =
        many.runs.iter().map(|run| Some(run.amount? / run.wall)).collect();
    let (speedup, speedup_interval) = match subject.source {
        None => speedup_by_rounds(single, many),
        Some(_) => speedup_of_medians(single, many),
    };
    let serial_fraction_of = match subject.scaling {
        Scaling::Strong => serial_fraction,
        Scaling::Weak => scaled_serial_fraction,
    };
    // Files of other tools may not tell the processor time.
    let is_cpu_known = subject.source.is_none() || many.mean(Run::cpu_seconds) > 0.0;
    let if_known = |seconds: f64| is_cpu_known.then_some(seconds);
    let mut command = subject.command.clone();
    if let Some(parameter) = &subject.parameter {
        command = parameter.fill(&command);
    }
    let typical = many.typical();
    let (losses, pop) = places(single, many).unzip();
    let fewest = single.setting.threads;
    Point {
        command: command.replace(THREADS, &threads.to_string()),
        mean: statistics::mean(&times),
        stddev: statistics::stddev(&times),
        median: statistics::median(&times),
        user: if_known(many.mean(|run| run.user)),
        system: if_known(many.mean(|run| run.system)),
        min: times.iter().copied().fold(f64::INFINITY, f64::min),
        max: times.iter().copied().fold(0.0, f64::max),
        cpu: if_known(many.median(Run::cpu_seconds)),
        exit_codes: many.runs.iter().map(|run| run.exit_code).collect(),
        parameters: Parameters::of(subject, threads),
        interval: Interval::of_median(&times),
        rate: rates.as_deref().map(statistics::median),
        rate_interval: rates.as_deref().and_then(Interval::of_median),
        times,
        threads,
        work,
        speedup,
        speedup_interval,
        efficiency: speedup * fewest as f64 / threads as f64,
        cpu_speedup: cpu_speedup(single, many),
        serial_fraction: serial_fraction_of(speedup, threads, fewest),
        pop,
        losses,
        resident_bytes: many.runs.iter().filter_map(|run| run.peak_bytes).max(),
        helpers: typical.share_of_helpers(),
        throttled: typical.throttled.map(|seconds| seconds / (threads as f64 * typical.wall)),
        counts: typical.counts,
        workers: typical.workers.clone(),
    }
}
