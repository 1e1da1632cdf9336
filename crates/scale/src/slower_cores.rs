//! What slower cores cost: the time that threads lose because not all of them have a core of the fastest kind to
//! themselves.

use super::cells::two;
use super::report::{Point, Report};
use base::figures::{counted, percent};

/// The share of the threads' time that slower and shared cores take; 0 if all are alike.
pub(crate) fn share(point: &Point) -> f64 {
    point.attainable.map_or(0.0, |attainable| 1.0 - attainable / point.threads as f64)
}

/// The kinds of cores, what they can do together, and how much of that was done.
pub(crate) fn sentence(report: &Report, point: &Point) -> Option<String> {
    let attainable = point.attainable.filter(|_| point.threads > 1)?;
    let kinds: Vec<String> = report
        .subject
        .conditions
        .capacities
        .iter()
        .map(|kind| {
            let sibling = kind.sibling_capacity.map_or_else(String::new, |it| {
                format!(" (a second thread on one adds {})", two(it))
            });
            let cores = counted(kind.cores, &format!("{} core", kind.kind));
            format!("{cores} of {} each{sibling}", two(kind.capacity))
        })
        .collect();
    let threads = point.threads;
    Some(format!(
        "The cores differ. One thread on each kind did, in multiples of the fastest: {}. So {threads} threads can be at most {} times as fast as one; they are {} times, {} of that. Slower and shared cores are {} of the threads' time, which no change to the program gains.",
        kinds.join(", "),
        two(attainable),
        two(point.speedup),
        percent(point.speedup / attainable),
        percent(share(point))
    ))
}
