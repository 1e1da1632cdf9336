//! The main cause as far as times alone tell it: whether the serial fraction stays or grows (Karp and Flatt 1990).

use super::report::{MAIN_CAUSE, Point, Report, Scaling, WHAT_TO_DO};
use base::figures::percent;

/// Efficiencies from here on get no cause.
const MIN_EFFICIENCY: f64 = 0.9;
/// A serial fraction that grows by less than this factor from the fewest threads to the most stays about the same.
const MIN_GROWTH: f64 = 1.5;

/// What the serial fraction does from the fewest threads above 1 to those of a point.
enum Shape {
    /// It is about the same.
    Serial { share: f64, is_one_step: bool },
    /// It grows with the threads.
    Overhead { from: f64, threads: usize, to: f64 },
}

/// The shape for times that another tool measured; `None` if little is lost.
fn shape(report: &Report, point: &Point) -> Option<Shape> {
    report.subject.source.as_ref()?;
    if point.threads == 1 || point.efficiency >= MIN_EFFICIENCY {
        return None;
    }
    let to = point.serial_fraction.filter(|share| *share <= 1.0)?;
    let first = report.results.iter().filter(|it| it.threads > 1).min_by_key(|it| it.threads)?;
    let from = first.serial_fraction.unwrap_or(0.0).max(0.0);
    let is_one_step = first.threads == point.threads;
    Some(match is_one_step || to < MIN_GROWTH * from {
        true => Shape::Serial { share: to, is_one_step },
        false => Shape::Overhead { from, threads: first.threads, to },
    })
}

/// What limits the speed-up at `point`, in a sentence.
pub(crate) fn sentence(report: &Report, point: &Point) -> Option<String> {
    let of_what = match report.subject.scaling {
        Scaling::Strong => "the work",
        Scaling::Weak => "the time",
    };
    Some(match shape(report, point)? {
        Shape::Serial { share, is_one_step } => {
            let same = match is_one_step {
                true => "from one step",
                false => "about the same with every number of threads",
            };
            format!(
                "{MAIN_CAUSE}, as far as times tell: a serial part, {} of {of_what} ({same}).",
                percent(share)
            )
        }
        Shape::Overhead { from, threads, to } => format!(
            "{MAIN_CAUSE}, as far as times tell: overhead that grows with the threads, as the serial fraction does, from {} with {threads} threads to {} with {}.",
            percent(from),
            percent(to),
            point.threads
        ),
    })
}

/// What to do about it, in a sentence.
pub(crate) fn advice(report: &Report, point: &Point) -> Option<String> {
    let what = match shape(report, point)? {
        Shape::Serial { .. } => "split it among the threads, or make it shorter",
        Shape::Overhead { .. } => {
            "measure the command with scale run, which tells locks, memory and uneven pieces apart"
        }
    };
    Some(format!("{WHAT_TO_DO}: {what}."))
}
