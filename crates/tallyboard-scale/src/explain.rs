//! A report in sentences, each from its figures.

use crate::cells::{in_brackets, two_decimals};
use crate::counters::bandwidth;
use crate::diagnosis;
use crate::forecast::ForecastPoint;
use crate::laws::{Law, Prediction, serial_fraction};
use crate::report::{Point, Report, Scaling, Subject, UNDISTURBED, UNKNOWN_LOSSES};
use crate::topology::Pin;
use tallyboard_base::figures::{
    counted, grouped, memory_size, percent, seconds, small_memory_size,
};
use tallyboard_base::statistics::Interval;

/// Shares and differences of shares below this get no sentence.
const MIN_SHARE: f64 = 0.01;

/// The makers of the sentences of a report, the most important first. Each makes its sentence if the figures call for it.
const SENTENCES: [fn(&Report, &Point) -> Option<String>; 18] = [
    headline,
    diagnosis::sentence,
    diagnosis::advice,
    diagnosis::sentence_of_times,
    diagnosis::advice_of_times,
    by_processor_time,
    efficiency_and_useful,
    lost_time,
    helpers,
    unknown_losses,
    memory_held,
    bandwidth_used,
    far_memory,
    superlinear,
    slower,
    two_thread_counts,
    forecast,
    prediction_of_law,
];

/// The sentences of a report, about its main point.
pub fn sentences(report: &Report) -> Vec<String> {
    let Some(point) = report.main_point() else { return Vec::new() };
    SENTENCES.iter().filter_map(|sentence| sentence(report, point)).collect()
}

/// By how much several threads are faster than one.
fn headline(report: &Report, point: &Point) -> Option<String> {
    if point.threads == 1 {
        let why = match report.results.len() {
            0 | 1 => "Only one thread was measured",
            _ => "All thread counts above 1 exceed the processors",
        };
        return Some(format!("{why}, so there is no curve to explain."));
    }
    let (verb, compared) = match report.subject.scaling {
        Scaling::Strong => ("are", "as fast as"),
        Scaling::Weak => ("do", "as much work in the same time as"),
    };
    let spread = in_brackets(&report.interval_name(), point.speedup_interval, two_decimals);
    Some(format!(
        "{} threads {verb} {} times {compared} one{spread}: {} efficiency.",
        point.threads,
        two_decimals(point.speedup),
        percent(point.efficiency)
    ))
}

/// Why it is unknown where the time of a command's threads went.
fn unknown_losses(report: &Report, point: &Point) -> Option<String> {
    let reason = why_no_losses(report, point).filter(|_| point.threads > 1)?;
    Some(format!("{UNKNOWN_LOSSES}: {reason}."))
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

/// What this program's workers lose time to, and what changes that: a text for each loss, in the order of
/// `Losses::parts`.
const LOSSES_OF_WORKERS: [&str; 5] = [
    "to the same work taking more processor time than on one thread (shared memory, clock speed, sibling hardware threads)",
    "to workers without a processor (other programs or helper threads ran)",
    "while no worker was busy (splitting, reducing, starting: a smaller share of larger problems)",
    "before and between pieces of work (stealing, waiting: a smaller share with longer pieces)",
    "at the end, while others did the last pieces (split finer)",
];
/// The same of a serial part that other programs and machines kept from a processor.
const SERIAL_WITHOUT_PROCESSOR: &str = "while no worker was busy (splitting, reducing, starting: most of it without a processor, which others had)";
/// What a command's threads lose time to, in the same order.
const LOSSES_OF_THREADS: [&str; 5] = [
    "to the same work taking more processor time than on one thread (memory, spinning, clock speed, sibling hardware threads)",
    "to threads that were ready but had no processor (other programs, or more threads than processors)",
    "asleep while one thread worked alone (a serial part)",
    "asleep while others worked in turn (locks, queues, input)",
    "asleep at the end, while others still worked (uneven pieces)",
];

/// The losses of several threads, largest first.
fn lost_time(report: &Report, point: &Point) -> Option<String> {
    let [_useful, losses @ ..] = point.losses_of_several()?.parts();
    let (owners, causes) = match point.workers {
        Some(_) => ("workers", LOSSES_OF_WORKERS),
        None => ("threads", LOSSES_OF_THREADS),
    };
    let mut parts: Vec<(f64, &str)> = Vec::new();
    for ((loss, share), cause) in losses.into_iter().zip(causes) {
        let cause = match loss {
            "serial" if diagnosis::serial_part_was_kept(report, point) => SERIAL_WITHOUT_PROCESSOR,
            _ => cause,
        };
        if share >= MIN_SHARE {
            parts.push((share, cause));
        }
    }
    if parts.is_empty() {
        return Some(format!("No single cause took 1 % of the {owners}' time or more."));
    }
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let parts: Vec<String> =
        parts.into_iter().map(|(share, cause)| format!("{} {cause}", percent(share))).collect();
    Some(format!("Lost time of the {owners}: {}.", parts.join("; ")))
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
    let mut out = format!(
        "On one thread, in processor time, the {pieces} of work took {work}, the longest {longest}, and everything else {serial}"
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
    let mut speedups = Vec::new();
    for ForecastPoint { threads, speedup, .. } in &forecast.points {
        if *threads > point.threads && [16, 128, 1024].contains(threads) {
            speedups.push(format!("{} on {} cores", two_decimals(*speedup), grouped(*threads)));
        }
    }
    if !speedups.is_empty() {
        out += &format!(". Predicted, not measured: speed-ups of {}", speedups.join(", "));
    }
    let bound = two_decimals(forecast.bound());
    out += &format!(". No number of threads is more than {bound} times as fast as one");
    if let Some(time) = forecast.bounding_delivery().map(seconds) {
        out +=
            &format!(", since this machine's memory needs {time} to deliver what the work reads");
    }
    Some(out + ", if the pieces stay the same and take no less processor time.")
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
    let source = match machine.misses_go_to_memory() {
        true => format!("memory, {} of the {max} that memory delivers", percent(rate / max_rate)),
        false => format!(
            "beyond the second cache, an unknown part of it from memory, which delivers up to {max}"
        ),
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

fn prediction_of_law(report: &Report, _: &Point) -> Option<String> {
    let fit = report.best_fit()?;
    let prediction = |prediction: &Prediction| {
        let threads = counted(prediction.threads, "thread");
        let time = seconds(prediction.of_run(fit.curve.law).0);
        format!("{threads} take {time} (speed-up {})", two_decimals(prediction.speedup))
    };
    let predictions = fit.predictions.iter().map(prediction).collect::<Vec<_>>().join(" and ");
    let peak = fit.peak.map_or_else(String::new, |threads| {
        format!(", and the speed-up peaks at {threads:.0} threads")
    });
    let article = if fit.curve.law == Law::Universal { "the " } else { "" };
    let law = fit.curve.law.name();
    let bound = report.forecast.as_ref().map(|forecast| forecast.bound());
    let exceeded = bound.filter(|bound| fit.predictions.iter().any(|it| it.speedup > *bound));
    let but = exceeded.map_or_else(String::new, |bound| {
        format!(" It does not: the law knows nothing of the bound of {}.", two_decimals(bound))
    });
    Some(format!("If {article}{law} holds beyond the measured threads, {predictions}{peak}.{but}"))
}

/// Why a speed-up is larger than the number of threads.
fn superlinear(report: &Report, point: &Point) -> Option<String> {
    let threads = point.threads;
    if threads == 1 || point.speedup <= threads as f64 {
        return None;
    }
    let is_certain = point.speedup_interval.is_some_and(|interval| interval.low > threads as f64);
    let doubt = if is_certain { "" } else { ", though the interval allows for less" };
    let one = report.results.first()?;
    let reason = more_processor(one, point)
        .or_else(|| less_work(one, point))
        .unwrap_or_else(|| "the figures do not tell why; measure again on a quiet machine".into());
    Some(format!("That is more than {threads} times{doubt}: {reason}."))
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
    let alone = one.workers.as_ref()?.cpu_seconds() / one.work;
    let together = many.workers.as_ref()?.cpu_seconds() / many.work;
    (together < (1.0 - MIN_SHARE) * alone).then(|| {
        let less = percent(1.0 - together / alone);
        format!(
            "the same work took {less} less processor time than on one thread (more cache, or a quieter or faster core)"
        )
    })
}

/// That several threads were slower than one. The serial fraction is above 1 then, which means nothing.
fn slower(report: &Report, point: &Point) -> Option<String> {
    point.serial_fraction.filter(|share| *share > 1.0)?;
    let threads = point.threads;
    let comparison = match report.subject.scaling {
        Scaling::Strong => {
            format!("took {} times the time of one", two_decimals(1.0 / point.speedup))
        }
        Scaling::Weak => {
            format!("did {} times the work of one in the same time", two_decimals(point.speedup))
        }
    };
    Some(format!(
        "{threads} threads {comparison}. A serial part cannot do that; a busy machine, waiting for each other and shared memory can."
    ))
}

/// The speed-up by processor time, if threads of a command waited for processors.
fn by_processor_time(report: &Report, point: &Point) -> Option<String> {
    let speedup = point.cpu_speedup.filter(|_| point.threads > 1 && report.is_disturbed())?;
    let share = serial_fraction(speedup, point.threads).filter(|share| (0.0..=1.0).contains(share));
    let implied = share.map_or_else(String::new, |share| {
        format!(", which implies a serial fraction of {}", percent(share))
    });
    let threads = point.threads;
    let speedup = two_decimals(speedup);
    Some(format!(
        "{UNDISTURBED}, {threads} threads would be {speedup} times as fast as one (speed-up by CPU time){implied}."
    ))
}

/// Why the efficiency differs from the useful share of the time: of the time of one thread not all was useful either.
fn efficiency_and_useful(report: &Report, point: &Point) -> Option<String> {
    const MIN_DIFFERENCE: f64 = 0.1;
    const MIN_USEFUL: f64 = 0.9;
    let useful = point.losses_of_several()?.useful;
    let alone = report.results.first()?.losses.filter(|one| one.useful < MIN_USEFUL)?.useful;
    ((point.efficiency - useful).abs() > MIN_DIFFERENCE).then(|| {
        format!(
            "Efficiency compares with one thread, of whose time only {} was useful; of the time of {} threads {} was.",
            percent(alone),
            point.threads,
            percent(useful)
        )
    })
}

/// What two thread counts tell: the serial part, supposed that nothing else costs time. They are too few to check a law.
fn two_thread_counts(report: &Report, point: &Point) -> Option<String> {
    let processors = report.subject.processors();
    let used = report.results.iter().filter(|point| point.threads <= processors).count();
    let is_strong = report.subject.scaling == Scaling::Strong;
    let serial_share =
        |speedup| serial_fraction(speedup, point.threads).map(|share| share.clamp(0.0, 1.0));
    let share = serial_share(point.speedup).filter(|_| used == 2 && is_strong)?;
    // Where threads waited for processors, their processor time tells more.
    if share == 0.0 || share == 1.0 || report.is_disturbed() {
        return None;
    }
    // The higher the speed-up, the smaller the serial part.
    let ends = point.speedup_interval.and_then(|Interval { low, high, level }| {
        Some(Interval { low: serial_share(high)?, high: serial_share(low)?, level })
    });
    let spread = in_brackets(&report.interval_name(), ends, percent);
    Some(format!(
        "Two thread counts are too few to check a law. If a serial part is all that limits {} threads, it is {} of the work{spread}, and no number of threads is more than {} times as fast as one.",
        point.threads,
        percent(share),
        two_decimals(1.0 / share)
    ))
}
