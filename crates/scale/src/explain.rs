//! A report in sentences, each from its figures.

use super::laws::Law;
use super::report::table::{interval, two};
use super::report::{Point, Report, Scaling};
use super::topology::Pin;
use super::workers::{Losses, Workers};
use super::{ceiling, diagnosis};
use base::figures::{counted, grouped, percent, seconds};

/// Shares below this get no sentence.
const MIN_SHARE: f64 = 0.01;

/// The sentences of a report, the most important first.
pub fn sentences(report: &Report) -> Vec<String> {
    let Some(point) = report.fullest() else { return Vec::new() };
    let mut out = vec![headline(report, point)];
    if let Some(losses) = point.losses.filter(|_| point.threads > 1) {
        out.extend(diagnosis::sentence(report, point));
        out.push(lost(&losses, point.workers.is_some()));
        out.extend(helpers(point, &losses));
    }
    out.extend(unknown_losses(report, point));
    out.extend(ceiling::sentence(report, point));
    out.extend(far_memory(report));
    out.extend(superlinear(report, point));
    out.extend(slower(point));
    out.extend(forecast(report, point));
    out.extend(prediction_of_law(report));
    if let Some(best) = report.granularity.as_ref().and_then(|g| g.best()) {
        out.push(format!(
            "Of the splits tried, {} are the fastest with all threads: {}. One thread needs {} more processor time with them than with the cheapest split. All threads together are without a piece {} of the time.",
            counted(best.subtrees, "subtree"),
            seconds(best.all),
            percent(best.splitting_loss),
            percent(best.stealing_loss)
        ));
    }
    out
}

fn headline(report: &Report, point: &Point) -> String {
    let (verb, times) = match report.subject.scaling {
        Scaling::Strong => ("are", "as fast as"),
        Scaling::Weak => ("do", "as much work in the same time as"),
    };
    if point.threads == 1 {
        return match report.results.len() {
            0 | 1 => "Only one thread was measured, so there is no curve to explain.".into(),
            _ => {
                "All thread counts above 1 exceed the processors, so there is no curve to explain."
                    .into()
            }
        };
    }
    let spread = point.speedup_interval.map_or_else(String::new, |there| {
        format!(" ({} {})", report.interval_name(), interval(Some(there), two))
    });
    format!(
        "{} threads {} {} times {times} one{spread}: {} efficiency.",
        point.threads,
        verb,
        two(point.speedup),
        percent(point.efficiency)
    )
}

/// Why it is unknown where the time of a command's threads went.
fn unknown_losses(report: &Report, point: &Point) -> Option<String> {
    let why = if report.subject.machine.system.starts_with("linux") {
        "it takes twenty samples, 5 ms apart or more, so measure runs of 0.2 s, or longer ones on a busy machine"
    } else {
        "only Linux tells it"
    };
    (point.threads > 1 && point.losses.is_none())
        .then(|| format!("Where the threads' time went is unknown: {why}."))
}

/// What this program's workers lose time to, in the order of [`Losses::parts`], and what changes it.
const OF_WORKERS: [&str; 5] = [
    "to the same work taking more processor time than on one thread (shared memory, clock speed, sibling hardware threads)",
    "to workers without a processor (other programs or helper threads ran)",
    "while no worker was busy (splitting, reducing, starting: a smaller share of larger problems)",
    "before and between pieces of work (stealing, waiting: a smaller share with longer pieces)",
    "at the end, while others did the last pieces (split finer)",
];
/// What a command's threads lose time to.
const OF_THREADS: [&str; 5] = [
    "to the same work taking more processor time than on one thread (memory, spinning, clock speed, sibling hardware threads)",
    "to threads that were ready but had no processor (other programs, or more threads than processors)",
    "asleep while one thread worked alone (a serial part)",
    "asleep while others worked in turn (locks, queues, input)",
    "asleep at the end, while others still worked (uneven pieces)",
];

/// The losses, largest first.
fn lost(losses: &Losses, of_workers: bool) -> String {
    let (whose, words) = if of_workers { ("workers", OF_WORKERS) } else { ("threads", OF_THREADS) };
    let [_, losses @ ..] = losses.parts();
    let mut parts: Vec<(f64, &str)> =
        losses.into_iter().zip(words).map(|((_, share), why)| (share, why)).collect();
    parts.retain(|(share, _)| *share >= MIN_SHARE);
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let parts: Vec<String> =
        parts.into_iter().map(|(share, why)| format!("{} {why}", percent(share))).collect();
    match &parts[..] {
        [] => format!("No single cause took 1 % of the {whose}' time or more."),
        _ => format!("Lost time of the {whose}: {}.", parts.join("; ")),
    }
}

/// The processor time of the helpers, and whether it explains what workers went without.
fn helpers(point: &Point, losses: &Losses) -> Option<String> {
    let share = point.helpers.filter(|share| *share >= MIN_SHARE)?;
    let who = match losses.preempted {
        p if p < MIN_SHARE => "and kept no worker from a processor",
        p if p < share + MIN_SHARE => "which is why workers were without a processor",
        _ => "and other programs kept workers from a processor too",
    };
    Some(format!(
        "Helpers (recording, compressing; for files also reading and writing) took processor time of {} of the workers' time, {who}.",
        percent(share)
    ))
}

/// Why a speed-up is larger than the number of threads.
fn superlinear(report: &Report, point: &Point) -> Option<String> {
    if point.threads == 1 || point.speedup <= point.threads as f64 {
        return None;
    }
    let certain = point.speedup_interval.is_some_and(|i| i.low > point.threads as f64);
    let within = if certain { "" } else { ", though the interval allows for less" };
    let one = report.results.first()?;
    let granted = |p: &Point| p.workers.as_ref().and_then(Workers::granted);
    let effort = |p: &Point| Some(p.workers.as_ref()?.effort() / p.work);
    let reason = match (granted(one), granted(point), effort(one), effort(point)) {
        (Some(alone), Some(together), ..) if together > alone + MIN_SHARE => format!(
            "one thread had a processor for {} of its work, {} threads for {}, so other programs slowed the one more",
            percent(alone),
            point.threads,
            percent(together)
        ),
        (.., Some(alone), Some(together)) if together < (1.0 - MIN_SHARE) * alone => format!(
            "the same work took {} less processor time than on one thread (more cache, or a quieter or faster core)",
            percent(1.0 - together / alone)
        ),
        _ => "the figures do not tell why; measure again on a quiet machine".to_owned(),
    };
    Some(format!("That is more than {} times{within}: {reason}.", point.threads))
}

/// Says so if several threads were slower than one: the serial fraction is then above 1, which means nothing.
fn slower(point: &Point) -> Option<String> {
    point.serial_fraction.filter(|share| *share > 1.0)?;
    Some("More threads were slower than one, which no serial fraction explains.".into())
}

/// The forecast from the pieces of one thread.
fn forecast(report: &Report, point: &Point) -> Option<String> {
    let forecast = report.forecast.as_ref()?;
    let there = forecast.at(point.threads)?;
    let mut out = format!(
        "On one thread the {} of work took {} of processor time, the longest {}, and everything else {}",
        counted(forecast.pieces.len(), "piece"),
        seconds(forecast.work()),
        seconds(forecast.longest()),
        seconds(forecast.serial)
    );
    if forecast.overlap > 0.0 {
        out += &format!(", {} of it while other workers had pieces", percent(forecast.overlap));
    }
    if point.threads > 1 {
        out += &format!(
            ". {} undisturbed threads that take the pieces in the same order would need {} (measured: {})",
            point.threads,
            seconds(there.seconds),
            seconds(point.median)
        );
    }
    let later: Vec<String> = forecast
        .points
        .iter()
        .filter(|p| p.threads > point.threads && [16, 128, 1024].contains(&p.threads))
        .map(|p| format!("{} on {} cores", two(p.speedup), grouped(p.threads)))
        .collect();
    if !later.is_empty() {
        out += &format!(". Predicted, not measured: speed-ups of {}", later.join(", "));
    }
    let memory = forecast.bounding_delivery().map_or_else(String::new, |least| {
        format!(
            ", since this machine's memory needs {} to deliver what the work reads",
            seconds(least)
        )
    });
    Some(format!(
        "{out}. No number of threads is more than {} times as fast as one{memory}, if the pieces stay the same and take no less processor time.",
        two(forecast.bound())
    ))
}

/// Which NUMA node memory belongs to, on a machine with several.
fn far_memory(report: &Report) -> Option<String> {
    let nodes = report.subject.machine.nodes();
    let advice = match report.subject.pin {
        _ if report.results.iter().all(|point| point.workers.is_none()) => {
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
    (nodes > 1).then(|| {
        format!("Of the {nodes} NUMA nodes, memory belongs to the one whose processor wrote it first: {advice}.")
    })
}

/// The prediction of the law that fits best.
fn prediction_of_law(report: &Report) -> Option<String> {
    let fit = report.best_fit()?;
    let later: Vec<String> = fit
        .predictions
        .iter()
        .map(|p| {
            let (threads, speedup) = (counted(p.threads, "thread"), two(p.speedup));
            format!("{threads} take {} (speed-up {speedup})", seconds(p.seconds))
        })
        .collect();
    let peak = fit
        .peak
        .map_or_else(String::new, |p| format!(", and the speed-up peaks at {p:.0} threads"));
    let (law, later) = (fit.curve.law.name(), later.join(" and "));
    let the = if fit.curve.law == Law::Universal { "the " } else { "" };
    Some(format!("If {the}{law} holds beyond the measured threads, {later}{peak}."))
}
