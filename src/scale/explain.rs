//! The curve of a machine in a few sentences, each from figures of the report.

use super::model::Law;
use super::report::units::{interval, percent, seconds, two};
use super::report::{Point, Report, Scaling};
use super::workers::Losses;

/// Losses below this share are not worth a sentence.
const WORTH_SAYING: f64 = 0.01;

/// What the report says, most important first.
#[must_use]
pub fn sentences(report: &Report) -> Vec<String> {
    let Some(point) = report.fullest() else { return Vec::new() };
    let mut out = vec![headline(report, point)];
    if let Some(losses) = point.losses.filter(|_| point.threads > 1) {
        out.push(lost(&losses));
    }
    out.extend(bound(point));
    out.extend(prediction(report));
    if let Some(best) = report.granularity.as_ref().and_then(|g| g.best()) {
        out.push(format!(
            "Of the splits tried, {} subtrees are fastest: {} with all threads, {} lost to splitting, {} to stealing.",
            best.subtrees,
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
        return "Only one thread was measured, so there is no curve to explain.".into();
    }
    format!(
        "{} threads are {} times {times} one (95 % interval {}): {} efficiency.",
        point.threads,
        two(point.speedup),
        interval(point.speedup_interval, two),
        percent(point.efficiency)
    )
}

/// Names the losses, largest first, each with what would change it.
fn lost(losses: &Losses) -> String {
    let mut parts = [
        (
            losses.slowdown,
            "to the same work taking more processor time than on one thread (shared memory, clock speed, sibling hardware threads)",
        ),
        (
            losses.preempted,
            "to workers without a processor (other programs ran: measure on a quiet machine)",
        ),
        (
            losses.serial,
            "while no worker was busy (splitting, reducing, starting: larger problems hide it)",
        ),
        (losses.gaps, "between pieces of work (stealing and waiting: longer pieces hide it)"),
        (losses.tail, "at the end, waiting for the last pieces (splitting finer helps)"),
    ];
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<String> = parts
        .iter()
        .filter(|(share, _)| *share >= WORTH_SAYING)
        .map(|(share, why)| format!("{} {why}", percent(*share)))
        .collect();
    if named.is_empty() {
        "Less than 1 % of the workers' time is lost to any single cause.".into()
    } else {
        format!("Of the workers' time is lost: {}.", named.join("; "))
    }
}

fn bound(point: &Point) -> Option<String> {
    let workers = point.workers.as_ref()?;
    let (best, worst) = workers.bounds(point.threads);
    Some(format!(
        "The longest piece of work takes {} and {} pass with no worker busy, so {} threads need between {} and {} for these pieces, and no number of threads exceeds a speed-up of {}.",
        seconds(workers.longest()),
        seconds(workers.serial),
        point.threads,
        seconds(best),
        seconds(worst),
        two(workers.speedup_bound())
    ))
}

fn prediction(report: &Report) -> Option<String> {
    let fits = || report.models.iter().filter_map(|m| m.fit());
    let fit = fits().find(|f| f.law == Law::Universal).or_else(|| fits().next())?;
    let later: Vec<String> = fit
        .predictions
        .iter()
        .map(|p| {
            format!("{} threads {} (speed-up {})", p.threads, seconds(p.seconds), two(p.speedup))
        })
        .collect();
    let peak = fit
        .peak
        .map_or_else(String::new, |p| format!(", and the speed-up peaks at {p:.0} threads"));
    Some(format!("If the {} goes on to hold, {}{peak}.", fit.law.name(), later.join(" and ")))
}
