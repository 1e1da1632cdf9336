//! Sentences on figures of a report that seem to contradict each other.

use super::cells::{in_brackets, two_decimals};
use super::laws::serial_fraction;
use super::report::{Point, Report, Scaling, UNDISTURBED};
use tallyboard_base::figures::percent;
use tallyboard_base::statistics::Interval;

/// Differences of shares below this get no sentence.
const MIN_SHARE: f64 = 0.01;

/// Why a speed-up is larger than the number of threads.
pub(crate) fn superlinear(report: &Report, point: &Point) -> Option<String> {
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
pub(crate) fn slower(report: &Report, point: &Point) -> Option<String> {
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
pub(crate) fn by_processor_time(report: &Report, point: &Point) -> Option<String> {
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
pub(crate) fn efficiency_and_useful(report: &Report, point: &Point) -> Option<String> {
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
pub(crate) fn two_thread_counts(report: &Report, point: &Point) -> Option<String> {
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
