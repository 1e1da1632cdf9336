//! The time that threads lose because some cores are slower than others, or are shared by two threads.

use super::cells::two_decimals;
use super::kinds::CoreCapacity;
use super::report::{Point, Report};
use tallyboard_base::figures::{counted, percent};

/// The share of the threads' time that slower and shared cores take; 0 if all are alike.
pub(crate) fn share(point: &Point) -> f64 {
    point.attainable.map_or(0.0, |attainable| 1.0 - attainable / point.threads as f64)
}

/// The kinds of cores, what they can do together, and how much of that was done.
pub(crate) fn sentence(report: &Report, point: &Point) -> Option<String> {
    let attainable = point.attainable.filter(|_| point.threads > 1)?;
    let capacities = &report.subject.conditions.capacities;
    let kinds: Vec<String> = capacities.iter().map(kind_in_words).collect();
    let threads = point.threads;
    Some(format!(
        "The cores differ. One thread on each kind did, in multiples of the fastest: {}. So {threads} threads can be at most {} times as fast as one; they are {} times, {} of that. Slower and shared cores are {} of the threads' time, which no change to the program gains.",
        kinds.join(", "),
        two_decimals(attainable),
        two_decimals(point.speedup),
        percent(point.speedup / attainable),
        percent(share(point))
    ))
}

/// The cores of a kind, and what one thread on each can do.
fn kind_in_words(kind: &CoreCapacity) -> String {
    let sibling = kind.sibling_capacity.map_or_else(String::new, |capacity| {
        format!(" (a second thread on one adds {})", two_decimals(capacity))
    });
    let cores = counted(kind.cores, &format!("{} core", kind.kind));
    format!("{cores} of {} each{sibling}", two_decimals(kind.capacity))
}
