//! Sentences on figures of a report that seem to contradict each other.

use super::report::{Point, Report};
use base::figures::percent;

/// Differences of shares below this get no sentence.
const MIN_SHARE: f64 = 0.01;

/// Why a speed-up is larger than the number of threads.
pub(crate) fn superlinear(report: &Report, point: &Point) -> Option<String> {
    let threads = point.threads;
    if threads == 1 || point.speedup <= threads as f64 {
        return None;
    }
    let is_certain = point.speedup_interval.is_some_and(|i| i.low > threads as f64);
    let within = if is_certain { "" } else { ", though the interval allows for less" };
    let one = report.results.first()?;
    let reason = more_processor(one, point)
        .or_else(|| less_work(one, point))
        .unwrap_or_else(|| "the figures do not tell why; measure again on a quiet machine".into());
    Some(format!("That is more than {threads} times{within}: {reason}."))
}

/// The workers at `many` had a processor for more of their work than `one` had.
fn more_processor(one: &Point, many: &Point) -> Option<String> {
    let alone = one.workers.as_ref()?.granted()?;
    let together = many.workers.as_ref()?.granted()?;
    (together > alone + MIN_SHARE).then(|| {
        format!(
            "one thread had a processor for {} of its work, {} threads for {}, so other programs slowed the one more",
            percent(alone),
            many.threads,
            percent(together)
        )
    })
}

/// The same work took less processor time at `many` than at `one`.
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

/// Says so if several threads were slower than one: the serial fraction is then above 1, which means nothing.
pub(crate) fn slower(_: &Report, point: &Point) -> Option<String> {
    point.serial_fraction.filter(|share| *share > 1.0)?;
    Some("More threads were slower than one, which no serial fraction explains.".into())
}
