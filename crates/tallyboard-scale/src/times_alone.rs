//! The main cause as far as times alone tell it: whether the serial fraction stays or grows (Karp and Flatt 1990).

use super::report::{MAIN_CAUSE, Point, Report, Scaling, WHAT_TO_DO};
use tallyboard_base::figures::percent;

/// With this efficiency or more, too little is lost to look for a cause.
const MIN_EFFICIENCY: f64 = 0.9;
/// A serial fraction that grows by less than this factor counts as about the same.
const MIN_GROWTH: f64 = 1.5;

/// What the serial fraction does between the fewest threads above 1 and the threads of a point.
enum Trend {
    /// It is about the same, `share`. `is_one_step` if there is only one thread count above 1.
    Serial { share: f64, is_one_step: bool },
    /// It grows: `from` is that of `threads` threads, the fewest.
    Overhead { from: f64, threads: usize, to: f64 },
}

/// The trend of times that another tool measured; `None` if little is lost.
fn trend(report: &Report, point: &Point) -> Option<Trend> {
    report.subject.source.as_ref()?;
    if point.threads == 1 || point.efficiency >= MIN_EFFICIENCY {
        return None;
    }
    let to = point.serial_fraction.filter(|share| *share <= 1.0)?;
    // Points have the fewest threads first.
    let first = report.results.iter().find(|point| point.threads > 1)?;
    let from = first.serial_fraction.unwrap_or(0.0).max(0.0);
    let is_one_step = first.threads == point.threads;
    Some(match is_one_step || to < MIN_GROWTH * from {
        true => Trend::Serial { share: to, is_one_step },
        false => Trend::Overhead { from, threads: first.threads, to },
    })
}

/// What limits the speed-up at `point`, in a sentence.
pub(crate) fn sentence(report: &Report, point: &Point) -> Option<String> {
    let of_what = match report.subject.scaling {
        Scaling::Strong => "the work",
        Scaling::Weak => "the time",
    };
    Some(match trend(report, point)? {
        Trend::Serial { share, is_one_step } => {
            let evidence = match is_one_step {
                true => "from one step",
                false => "about the same with every number of threads",
            };
            format!(
                "{MAIN_CAUSE}, as far as times tell: a serial part, {} of {of_what} ({evidence}).",
                percent(share)
            )
        }
        Trend::Overhead { from, threads, to } => format!(
            "{MAIN_CAUSE}, as far as times tell: overhead that grows with the threads, as the serial fraction does, from {} with {threads} threads to {} with {}.",
            percent(from),
            percent(to),
            point.threads
        ),
    })
}

/// What to do about it, in a sentence.
pub(crate) fn advice(report: &Report, point: &Point) -> Option<String> {
    let remedy = match trend(report, point)? {
        Trend::Serial { .. } => "split it among the threads, or make it shorter",
        Trend::Overhead { .. } => {
            "measure the command with scale run, which tells locks, memory and uneven pieces apart"
        }
    };
    Some(format!("{WHAT_TO_DO}: {remedy}."))
}
