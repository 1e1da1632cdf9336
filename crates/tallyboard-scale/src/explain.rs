//! A report in sentences, each from its figures.

use crate::cells::{in_brackets, scientific, two_decimals};
use crate::counters::bandwidth;
use crate::diagnosis::{self, Cause};
use crate::forecast::{Forecast, ForecastPoint};
use crate::laws::{Fit, Law, Prediction, serial_fraction};
use crate::report::{Point, Report, Scaling, Subject};
use crate::sentence::{Sentence, Topic};
use crate::topology::Pin;
use crate::workers::{Place, Workers};
use tallyboard_base::figures::{
    counted, grouped, memory_size, percent, seconds, small_memory_size,
};
use tallyboard_base::statistics::Interval;

/// Shares and differences of shares below this get no sentence.
const MIN_SHARE: f64 = 0.01;

/// Makes a sentence of a report and one of its points, if its condition holds.
type Say = fn(&Report, &Point) -> Option<String>;

/// What makes the sentence of each topic, if the figures call for one.
const SENTENCES: [(Topic, Say); 15] = [
    (Topic::Headline, headline),
    (Topic::Superlinear, superlinear),
    (Topic::Fewer, fastest),
    (Topic::MainCause, diagnosis::sentence),
    (Topic::WhatToDo, diagnosis::advice),
    (Topic::LostTime, lost_time),
    (Topic::Undisturbed, by_processor_time),
    (Topic::MoreCores, more_cores),
    (Topic::Law, which_law),
    (Topic::Helpers, helpers),
    (Topic::UnknownLosses, unknown_losses),
    (Topic::Memory, memory_held),
    (Topic::Bandwidth, bandwidth_used),
    (Topic::FarMemory, far_memory),
    (Topic::Pieces, forecast),
];

/// The sentences of a report, about its main point.
pub fn sentences(report: &Report) -> Vec<Sentence> {
    let Some(point) = report.main_point() else { return Vec::new() };
    let made = SENTENCES.iter().map(|(topic, make)| Some((*topic, make(report, point)?)));
    made.flatten().map(|(topic, text)| Sentence { topic, text }).collect()
}

/// By how much several threads are faster than one.
fn headline(report: &Report, point: &Point) -> Option<String> {
    let fewest = report.baseline_in_words();
    if point.threads == report.baseline() {
        let why = match (report.results.len(), report.baseline()) {
            (0 | 1, 1) => "Only one thread was measured".to_owned(),
            (0 | 1, threads) => format!("Only {threads} threads were measured"),
            (_, threads) => format!("All thread counts above {threads} exceed the processors"),
        };
        return Some(format!("{why}, so there is no curve to explain."));
    }
    let relative = if report.baseline() == 1 { "" } else { ", the fewest measured" };
    let (verb, compared) = match report.subject.scaling {
        Scaling::Strong => ("are", "as fast as"),
        Scaling::Weak => ("do", "as much work in the same time as"),
    };
    let spread = in_brackets(&report.interval_name(), point.speedup_interval, two_decimals);
    Some(format!(
        "{} threads {verb} {} times {compared} {fewest}{relative}{spread}: {} efficiency.",
        point.threads,
        two_decimals(point.speedup),
        percent(point.efficiency)
    ))
}

/// The thread count that is faster than those which the report is about, if fewer threads are.
fn fastest(report: &Report, point: &Point) -> Option<String> {
    /// A smaller difference gets no sentence.
    const MIN_RATIO: f64 = 1.05;
    let fewer = report.results.iter().filter(|it| it.threads < point.threads);
    let best = fewer.max_by(|a, b| a.speedup.total_cmp(&b.speedup))?;
    let is_noise = report.step(best, point).is_some_and(|step| step.contains(1.0));
    (best.speedup > MIN_RATIO * point.speedup && !is_noise).then(|| {
        let fewest = report.baseline_in_words();
        match best.threads == report.baseline() {
            true if best.threads == 1 => "Fewer threads are faster: one alone is.".to_owned(),
            true => format!("Fewer threads are faster: {fewest} are."),
            false => format!(
                "Fewer threads are faster: {} are {} times as fast as {fewest}.",
                best.threads,
                two_decimals(best.speedup)
            ),
        }
    })
}

/// Why it is unknown where the time of a command's threads went.
fn unknown_losses(report: &Report, point: &Point) -> Option<String> {
    let reason = why_no_losses(report, point).filter(|_| point.threads > report.baseline())?;
    Some(format!("Where the threads' time went is unknown: {reason}."))
}

/// Why it is unknown where the threads' time at `point` went; `None` if it is known.
pub(crate) fn why_no_losses(report: &Report, point: &Point) -> Option<&'static str> {
    let Subject { source, machine, .. } = &report.subject;
    if point.losses.is_some() {
        None
    } else if source.is_some() {
        Some("times alone do not tell it; scale run measures the command and tells")
    } else if machine.system.starts_with("linux") {
        Some(
            "it takes twenty samples, 5 ms apart or more, so measure runs of 0.2 s, or longer ones on a busy machine",
        )
    } else {
        Some("only Linux tells it")
    }
}

/// What is lost in a place, of this program's workers and of a command's threads.
fn loss_in_words(place: Place) -> [&'static str; 2] {
    match place {
        Place::Useful => ["useful work"; 2],
        Place::Slowdown => {
            ["slower work (memory, clock, shared cores)", "slower work (memory, spinning, clock)"]
        }
        Place::Preempted => {
            ["no processor (quota, others, helpers)", "no processor (quota, other programs)"]
        }
        Place::Serial => {
            ["no worker busy (splitting, reducing, starting)", "one thread alone (a serial part)"]
        }
        Place::Gaps => {
            ["between pieces (stealing, waiting)", "asleep in turn (locks, queues, input)"]
        }
        Place::Tail => {
            ["waiting for the last pieces (uneven ones)", "asleep at the end (uneven pieces)"]
        }
    }
}

/// All losses of several threads, the largest first: a small one tells what is not the cause.
fn lost_time(report: &Report, point: &Point) -> Option<String> {
    let losses = point.losses_of_several()?.lost().into_iter();
    let index = usize::from(point.workers.is_none());
    let words = |(place, share)| format!("{} {}", percent(share), loss_in_words(place)[index]);
    let parts: Vec<String> = losses.map(words).collect();
    let limited = point.throttled.filter(|_| report.subject.machine.cgroup_limit.is_some());
    let is_told = diagnosis::cause(report, point).is_some_and(|(cause, _)| cause == Cause::Quota);
    let quota = limited.filter(|_| !is_told).map_or_else(String::new, |share| {
        format!(" The quota stopped the threads for {} of their time.", percent(share))
    });
    Some(format!("Lost time: {}.{quota}", parts.join(", ")))
}

/// The processor time of the helpers, and whether it explains why workers were without a processor.
fn helpers(_: &Report, point: &Point) -> Option<String> {
    let losses = point.losses_of_several()?;
    let share = point.helpers.filter(|share| *share >= MIN_SHARE)?;
    let effect = match losses.preempted {
        preempted if preempted < MIN_SHARE => "and kept no worker from a processor",
        preempted if preempted < share + MIN_SHARE => {
            "which is why workers were without a processor"
        }
        _ => "and other programs kept workers from a processor too",
    };
    let share = percent(share);
    Some(format!(
        "Helpers (recording, compressing; for files also reading and writing) took processor time of {share} of the workers' time, {effect}."
    ))
}

fn forecast(report: &Report, point: &Point) -> Option<String> {
    let forecast = report.forecast.as_ref()?;
    let predicted = forecast.at(point.threads)?;
    let pieces = counted(forecast.pieces.len(), "piece");
    let [work, longest, serial] =
        [forecast.work(), forecast.longest(), forecast.serial].map(seconds);
    let is_cpu_known = report
        .results
        .first()
        .and_then(|one| one.workers.as_ref())
        .is_none_or(Workers::is_cpu_known);
    let clock = if is_cpu_known { "processor time" } else { "wall time" };
    let mut out = format!(
        "On one thread, in {clock}, the {pieces} of work took {work}, the longest {longest}, and everything else {serial}"
    );
    if let Some(threads) = forecast.overlap_threads() {
        let overlap = percent(forecast.overlap);
        out +=
            &format!(", {overlap} of it, with {threads} threads, while other workers had pieces");
    }
    if point.threads > 1 {
        let [needed, measured] = [predicted.seconds, point.median].map(seconds);
        out += &format!(
            ". {} undisturbed threads that take the pieces in the same order would need {needed} (measured: {measured})",
            point.threads
        );
    }
    Some(out + ".")
}

/// What more threads would give: by the pieces of one thread, or else by a law, or else by the one step that was measured.
fn more_cores(report: &Report, point: &Point) -> Option<String> {
    const TOO_FEW: &str =
        "unknown: measure three thread counts or more, with a processor for each thread";
    let words = match (&report.forecast, report.best_fit()) {
        (Some(forecast), _) => by_pieces(forecast, point),
        (None, Some(fit)) => by_law(report, fit),
        (None, None) if point.threads == report.baseline() => return None,
        (None, None) => by_one_step(report, point).unwrap_or_else(|| TOO_FEW.to_owned()),
    };
    Some(format!("On more cores: {words}."))
}

fn by_pieces(forecast: &Forecast, point: &Point) -> String {
    let beyond = |it: &&ForecastPoint| it.threads > point.threads;
    let points = forecast.points.iter().filter(|it| [16, 128, 1024].contains(&it.threads));
    let speedups = points.filter(beyond).map(|ForecastPoint { threads, speedup, .. }| {
        format!("{} on {}", two_decimals(*speedup), grouped(*threads))
    });
    let mut speedups = speedups.collect::<Vec<_>>().join(", ");
    if !speedups.is_empty() {
        speedups = format!("speed-ups of {speedups}; ");
    }
    let bound = two_decimals(forecast.bound());
    let memory = forecast.bounding_delivery().map_or_else(String::new, |time| {
        let time = seconds(time);
        format!(", since this machine's memory needs {time} to deliver what the work reads")
    });
    format!(
        "if the pieces of one thread stay as they are, {speedups}no number is more than {bound} times as fast as one{memory}"
    )
}

fn by_law(report: &Report, fit: &Fit) -> String {
    let fewest = report.baseline() as f64;
    let prediction = |prediction: &Prediction| {
        let threads = counted(prediction.threads, "thread");
        let time = seconds(prediction.of_run(fit.curve.law).0);
        let speedup = two_decimals(fit.curve.time(fewest) / prediction.seconds);
        format!("{threads} take {time} (speed-up {speedup})")
    };
    let predictions = fit.predictions.iter().map(prediction).collect::<Vec<_>>().join(" and ");
    // Noise may make a peak: then its interval has no upper end.
    let is_clear = fit.peak_interval.is_none_or(|interval| interval.high.is_some());
    let peak = fit.peak.filter(|_| is_clear).map_or_else(String::new, |threads| {
        format!(", and the speed-up peaks at {threads:.0} threads")
    });
    let article = if fit.curve.law == Law::Universal { "the " } else { "" };
    format!("if {article}{} holds there, {predictions}{peak}", fit.curve.law.name())
}

/// Whether the universal scalability law holds better than Amdahl's, which has one parameter less.
fn which_law(report: &Report, _: &Point) -> Option<String> {
    let [amdahl, universal] = [report.fit_of(Law::Amdahl)?, report.fit_of(Law::Universal)?];
    let coherency = scientific(universal.curve.coherency);
    let name = Interval::name_of(universal.coherency_interval);
    let coherency = coherency + &in_brackets(&name, universal.coherency_interval, scientific);
    let [misfit, of_amdahl] = [universal.misfit, amdahl.misfit].map(percent);
    let distances = format!(
        "the points lie {misfit} from it and {of_amdahl} from Amdahl's law, its coherency is {coherency}"
    );
    Some(match report.best_fit().map(|fit| fit.curve.law) {
        Some(Law::Universal) => format!(
            "The universal scalability law fits better than Amdahl's: {distances}. Each further thread costs time of all the others."
        ),
        _ => format!(
            "The universal scalability law fits no better than Amdahl's: {distances}. So Amdahl's law is used, and no peak is told."
        ),
    })
}

/// What one step tells: the serial part, supposed that nothing else costs time. Two thread counts are too few to check a law.
/// Where threads waited for processors, their processor time tells more.
fn by_one_step(report: &Report, point: &Point) -> Option<String> {
    // The interval is that of the usual speed-up.
    let (speedup, interval) = match point.cpu_speedup.filter(|_| report.is_disturbed()) {
        Some(speedup) => (speedup, None),
        None => (point.speedup, point.speedup_interval),
    };
    let serial_share =
        |speedup| serial_fraction(speedup, point.threads, report.baseline()).unwrap_or(1.0);
    let share = serial_share(speedup);
    let has_processors = point.threads <= report.subject.processors();
    if report.subject.scaling == Scaling::Weak || share >= 1.0 || !has_processors {
        return None;
    }
    // The higher the speed-up, the smaller the serial part.
    let ends = interval.map(|interval| {
        let [low, high] = [interval.high, interval.low].map(|it| serial_share(it).clamp(0.0, 1.0));
        Interval { low, high, level: interval.level }
    });
    if ends.map_or(share, |ends| ends.low.min(share)) < MIN_SHARE {
        return Some(
            "unknown: one step shows no serial part beyond noise; measure three thread counts or more, with a processor for each thread"
                .to_owned(),
        );
    }
    let spread = in_brackets(&report.interval_name(), ends, percent);
    Some(format!(
        "two thread counts are too few to check a law: if a serial part is all that limits {} threads, {} of the work{spread}, no number is more than {} times as fast as one",
        point.threads,
        percent(share),
        two_decimals(1.0 / share)
    ))
}

/// The memory that runs hold, its growth, and how many threads the machine's memory is too small for.
fn memory_held(report: &Report, _: &Point) -> Option<String> {
    let memory = report.memory?;
    let with_one = memory_size(memory.one.max(0.0) as u64);
    if !memory.grows(report.most_threads()) {
        return Some(format!(
            "Memory: a run holds {with_one} at most, with any number of threads."
        ));
    }
    let growth = small_memory_size(memory.each as u64);
    let limit = match memory.too_many.zip(memory.room) {
        Some((threads, room)) => format!(
            ": from {threads} threads on it needs more than the {} that this machine had left",
            memory_size(room),
            threads = grouped(threads)
        ),
        None => String::new(),
    };
    Some(format!(
        "Memory: a run holds {with_one} at most with one thread, and {growth} more for each further thread{limit}."
    ))
}

fn bandwidth_used(report: &Report, point: &Point) -> Option<String> {
    let machine = &report.subject.machine;
    let max_rate = report.subject.conditions.capacity(point.threads)?.bytes_per_second;
    let max = bandwidth(max_rate);
    let threads = counted(point.threads, "thread");
    let Some(rate) = point.read_rate(machine.line_bytes()) else {
        return Some(format!(
            "Memory delivers up to {max} to {threads}. How much this work reads is unknown without the \
             processor's counters."
        ));
    };
    let source = match machine.missed_cache() {
        None => format!("memory, {} of the {max} that memory delivers", percent(rate / max_rate)),
        Some(cache) => {
            format!("beyond {cache}, an unknown part of it from memory, which delivers up to {max}")
        }
    };
    Some(format!("With {threads} this work reads {} from {source}.", bandwidth(rate)))
}

/// Which NUMA node memory belongs to, on a machine with several.
fn far_memory(report: &Report, _: &Point) -> Option<String> {
    let nodes = report.subject.machine.usable_nodes();
    if nodes <= 1 {
        return None;
    }
    let advice = match report.subject.pin {
        _ if !report.has_workers() => {
            "runs under numactl --cpunodebind=0 and --interleave=all show what far memory costs"
        }
        Pin::None => {
            "the system may move a worker away from its memory, unless --pin nodes or --pin cores keeps it there"
        }
        _ => {
            "a pinned worker's memory is near to it, but what was made before the workers started, such as a file's \
             text, is near to one node only"
        }
    };
    Some(format!(
        "Of the {nodes} NUMA nodes, memory belongs to the one whose processor wrote it first: {advice}."
    ))
}

/// Why a speed-up is larger than the number of threads.
fn superlinear(report: &Report, point: &Point) -> Option<String> {
    let threads = point.threads;
    // Where noise explains it, it calls for no reason.
    let least = point.speedup_interval.map_or(point.speedup, |interval| interval.low);
    let times = threads as f64 / report.baseline() as f64;
    if threads == report.baseline() || point.speedup <= (1.0 + MIN_SHARE) * times || least <= times
    {
        return None;
    }
    let one = report.results.first()?;
    let reason = more_processor(one, point)
        .or_else(|| less_work(one, point))
        .unwrap_or_else(|| "the figures do not tell why; measure again on a quiet machine".into());
    Some(format!("That is more than {times} times: {reason}."))
}

/// The reason that other programs took less of the processors from the workers at `many` than from the one at `one`.
fn more_processor(one: &Point, many: &Point) -> Option<String> {
    let alone = one.workers.as_ref()?.share_on_processor()?;
    let together = many.workers.as_ref()?.share_on_processor()?;
    let threads = many.threads;
    (together > alone + MIN_SHARE).then(|| {
        let [alone, together] = [alone, together].map(percent);
        format!(
            "one thread had a processor for {alone} of its work, {threads} threads for {together}, so other programs slowed the one more"
        )
    })
}

/// The reason that the same work took less processor time at `many` than at `one`.
fn less_work(one: &Point, many: &Point) -> Option<String> {
    let (one_thread, several) = (one.workers.as_ref()?, many.workers.as_ref()?);
    let alone = one_thread.cpu_seconds() / one.work;
    let together = several.cpu_seconds() / many.work;
    (together < (1.0 - MIN_SHARE) * alone).then(|| {
        let less = percent(1.0 - together / alone);
        let is_known = one_thread.is_cpu_known() && several.is_cpu_known();
        let time = if is_known { "processor time" } else { "time inside its pieces" };
        format!(
            "the same work took {less} less {time} than on one thread (more cache, or a quieter or faster core)"
        )
    })
}

/// The speed-up by processor time, if threads of a command waited for processors.
fn by_processor_time(report: &Report, point: &Point) -> Option<String> {
    let speedup = point.cpu_speedup;
    let speedup = speedup.filter(|_| point.threads > report.baseline() && report.is_disturbed())?;
    let [threads, speedup] = [point.threads.to_string(), two_decimals(speedup)];
    Some(format!(
        "Without their waiting for a processor, {threads} threads would be {speedup} times as fast as {} (speed-up by CPU time).",
        report.baseline_in_words()
    ))
}
