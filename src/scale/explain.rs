//! The curve of a machine in a few sentences, each from figures of the report.

use super::laws::Law;
use super::report::table::{interval, two};
use super::report::{Point, Report, Scaling};
use super::topology::Pin;
use super::workers::{Losses, Workers};
use super::{ceiling, diagnosis};
use crate::figures::{counted, grouped, percent, seconds};

/// Losses below this share are not worth a sentence.
const WORTH_SAYING: f64 = 0.01;

/// What the report says, most important first.
pub fn sentences(report: &Report) -> Vec<String> {
    let Some(point) = report.fullest() else { return Vec::new() };
    let mut out = vec![headline(report, point)];
    if let Some(losses) = point.losses.filter(|_| point.threads > 1) {
        out.extend(diagnosis::sentence(report, point));
        out.push(if point.workers.is_some() { lost(&losses) } else { slept(&losses) });
        out.extend(helped(point, &losses));
    }
    out.extend(unseen(report, point));
    out.extend(ceiling::sentence(report, point));
    out.extend(far_memory(report));
    out.extend(superlinear(report, point));
    out.extend(slower(point));
    out.extend(foreseen(report, point));
    out.extend(prediction(report));
    if let Some(best) = report.granularity.as_ref().and_then(|g| g.best()) {
        out.push(format!(
            "Of the splits tried, {} are fastest: {} with all threads; they take one thread {} more processor time than the best split, and all threads spend {} of their time without a piece.",
            counted(best.subtrees, "subtree"),
            seconds(best.all),
            percent(best.splitting_loss),
            percent(best.stealing_loss)
        ));
    }
    out
}

fn headline(report: &Report, point: &Point) -> String {
    let times = match report.subject.scaling {
        Scaling::Strong => "as fast as",
        Scaling::Weak => "the work in unit time of",
    };
    if point.threads == 1 {
        return match report.results.len() {
            0 | 1 => "Only one thread was measured, so there is no curve to explain.".into(),
            _ => "The machine has fewer processors than the threads measured beside one, so there \
                  is no curve to explain."
                .into(),
        };
    }
    let spread = point.speedup_interval.map_or_else(String::new, |there| {
        format!(" ({} {})", report.interval_name(), interval(Some(there), two))
    });
    format!(
        "{} threads are {} times {times} one{spread}: {} efficiency.",
        point.threads,
        two(point.speedup),
        percent(point.efficiency)
    )
}

/// Why nothing is said of where the time of a command's threads went.
fn unseen(report: &Report, point: &Point) -> Option<String> {
    let why = if report.subject.machine.system.starts_with("linux") {
        "it takes twenty looks at them, 5 ms apart or more, so runs of 0.2 s, longer ones on a busy machine"
    } else {
        "this system does not tell"
    };
    (point.threads > 1 && point.losses.is_none())
        .then(|| format!("Where the threads' time went is not known: {why}."))
}

/// Names the losses of a command, largest first.
fn slept(losses: &Losses) -> String {
    named(
        "threads",
        vec![
            (
                losses.slowdown,
                "to the same work taking more processor time than on one thread (memory, spinning, clock speed, sibling hardware threads)",
            ),
            (
                losses.preempted,
                "to threads that were ready but had no processor (other programs, or more threads than processors)",
            ),
            (losses.serial, "asleep while one thread worked alone (a serial part)"),
            (losses.gaps, "asleep while others worked in turn (locks, queues, input)"),
            (losses.tail, "asleep at the end, while others went on (uneven pieces)"),
        ],
    )
}

/// Names the losses, largest first, each with what would change it.
fn lost(losses: &Losses) -> String {
    let parts = vec![
        (
            losses.slowdown,
            "to the same work taking more processor time than on one thread (shared memory, clock speed, sibling hardware threads)",
        ),
        (losses.preempted, "to workers without a processor (other programs or helper threads ran)"),
        (
            losses.serial,
            "while no worker was busy (splitting, reducing, starting: larger problems hide it)",
        ),
        (
            losses.gaps,
            "before and between pieces of work (stealing and waiting: longer pieces hide it)",
        ),
        (losses.tail, "at the end, waiting for the last pieces (splitting finer helps)"),
    ];
    named("workers", parts)
}

fn named(whose: &str, mut parts: Vec<(f64, &str)>) -> String {
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<String> = parts
        .iter()
        .filter(|(share, _)| *share >= WORTH_SAYING)
        .map(|(share, why)| format!("{} {why}", percent(*share)))
        .collect();
    if named.is_empty() {
        format!("Less than 1 % of the {whose}' time is lost to any single cause.")
    } else {
        format!("Of the {whose}' time is lost: {}.", named.join("; "))
    }
}

/// What the program's own threads beside the workers took, where they may have displaced some.
fn helped(point: &Point, losses: &Losses) -> Option<String> {
    let share = point.helpers.filter(|share| *share >= WORTH_SAYING)?;
    let who = match losses.preempted {
        p if p < WORTH_SAYING => "and displaced no worker",
        p if p < share + WORTH_SAYING => "which is why workers went without a processor",
        _ => "other programs account for the rest of what workers went without",
    };
    Some(format!(
        "The program's own threads beside the workers (reading, writing, recording) took {} of the workers' time, {who}.",
        percent(share)
    ))
}

/// Why more threads than one could be faster than their number.
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
        (Some(alone), Some(together), ..) if together > alone + WORTH_SAYING => format!(
            "one thread had a processor for {} of its work, {} threads for {}, so other programs slowed the one more",
            percent(alone),
            point.threads,
            percent(together)
        ),
        (.., Some(alone), Some(together)) if together < (1.0 - WORTH_SAYING) * alone => format!(
            "the same work took {} less processor time than on one thread (more cache, or a quieter or faster core)",
            percent(1.0 - together / alone)
        ),
        _ => "nothing recorded tells why: measure again on a quiet machine".to_owned(),
    };
    Some(format!("That is more than {} times{within}: {reason}.", point.threads))
}

/// A serial fraction of more than all would only be another word for slower.
fn slower(point: &Point) -> Option<String> {
    point.serial_fraction.filter(|share| *share > 1.0)?;
    Some("More threads were slower than one, which no serial fraction explains.".into())
}

/// What follows from the pieces of one thread.
fn foreseen(report: &Report, point: &Point) -> Option<String> {
    let forecast = report.forecast.as_ref()?;
    let there = forecast.at(point.threads)?;
    let mut out = format!(
        "On one thread the {} of work took {} of processor time, the longest {}, and all else {}",
        counted(forecast.pieces.len(), "piece"),
        seconds(forecast.work()),
        seconds(forecast.longest()),
        seconds(forecast.serial)
    );
    if forecast.overlap > 0.0 {
        out += &format!(", {} of it beside the work of others", percent(forecast.overlap));
    }
    if point.threads > 1 {
        out += &format!(
            ": dealt to {} undisturbed threads in the same order that makes {} (measured: {})",
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
        out += &format!(". Predicted, not measured: a speed-up of {}", later.join(", "));
    }
    let memory = forecast.bounding_delivery().map_or_else(String::new, |least| {
        format!(
            ", for this machine's memory takes {} to deliver what the work reads",
            seconds(least)
        )
    });
    Some(format!(
        "{out}. No number of threads exceeds {}{memory}, as long as the work is cut into these pieces, which take no less processor time than they did on one thread.",
        two(forecast.bound())
    ))
}

/// Where memory lies, on a machine with several.
fn far_memory(report: &Report) -> Option<String> {
    let nodes = report.subject.machine.nodes();
    let advice = match report.subject.pin {
        _ if report.results.iter().all(|point| point.workers.is_none()) => {
            "numactl --cpunodebind=0 and --interleave=all show what that costs"
        }
        Pin::None => {
            "the system may move the worker away, unless --pin nodes or --pin cores keeps it there"
        }
        _ => {
            "that of a pinned worker is near, what was prepared before the workers started, such as a file, is near to \
             one node alone"
        }
    };
    (nodes > 1).then(|| {
        format!("Memory lies on that of the {nodes} NUMA nodes whose processor wrote it first: {advice}.")
    })
}

fn prediction(report: &Report) -> Option<String> {
    let fit = report.best_fit()?;
    let later: Vec<String> = fit
        .predictions
        .iter()
        .map(|p| {
            let (threads, speedup) = (counted(p.threads, "thread"), two(p.speedup));
            format!("{threads} {} (speed-up {speedup})", seconds(p.seconds))
        })
        .collect();
    let peak = fit
        .peak
        .map_or_else(String::new, |p| format!(", and the speed-up peaks at {p:.0} threads"));
    let (law, later) = (fit.curve.law.name(), later.join(" and "));
    let the = if fit.curve.law == Law::Universal { "the " } else { "" };
    Some(format!("If {the}{law} goes on to hold, {later}{peak}."))
}
