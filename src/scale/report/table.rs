//! The report as text for a terminal.

use std::fmt::Write as _;

use super::units::{interval, or_dash, percent, seconds, two};
use super::{Report, Scaling};
use crate::plural::s;
use crate::scale::model::{Fit, Outcome};

/// The whole report; ends with a newline.
#[must_use]
pub fn render(report: &Report) -> String {
    let subject = &report.subject;
    let scaling = match subject.scaling {
        Scaling::Strong => "strong scaling: the same work for every thread count",
        Scaling::Weak => "weak scaling: as many times the work as threads",
    };
    let mut out = format!(
        "{} ({scaling})\nmachine    {}\nmeanwhile  {}\nkernel     {}, workers pinned to: {}\n\n",
        subject.problem,
        subject.machine.describe(),
        subject.conditions.describe(),
        subject.kernel,
        subject.pin,
    );
    out += &grid(&points(report));
    if report.results.iter().any(|p| p.losses.is_some()) {
        out += "\nWhere the workers' time went\n";
        out += &grid(&losses(report));
    }
    if report.forecast.is_some() {
        out += "\nPredicted from the pieces of one thread\n";
        out += &grid(&forecast(report));
    }
    if let Some(sweep) = &report.granularity {
        let _ = writeln!(out, "\nSplitting finer, {} thread{}", sweep.threads, s(sweep.threads));
        out += &grid(&grains(sweep));
    }
    out.push('\n');
    for model in &report.models {
        out += &match model {
            Outcome::Fit(fit) => fitted(fit),
            Outcome::Refused(why) => format!("{}: not fitted: {}\n", why.law.name(), why.refused),
        };
    }
    out.push('\n');
    for sentence in &report.explanation {
        let _ = writeln!(out, "{sentence}");
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    out
}

/// Rows of the main table, header first.
#[must_use]
pub fn points(report: &Report) -> Vec<Vec<String>> {
    let name = report.interval_name();
    let name = name.as_str();
    let header = [
        "threads",
        "median",
        name,
        "±",
        "speed-up",
        name,
        "efficiency",
        "serial fraction",
        "CPU time",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    for p in &report.results {
        rows.push(vec![
            p.threads.to_string(),
            seconds(p.median),
            interval(p.interval, seconds),
            or_dash(p.stddev, |s| percent(s / p.mean)),
            two(p.speedup),
            interval(p.speedup_interval, two),
            percent(p.efficiency),
            or_dash(p.serial_fraction, percent),
            seconds(p.cpu),
        ]);
    }
    rows
}

/// Rows of the table of lost time, header first.
#[must_use]
pub fn losses(report: &Report) -> Vec<Vec<String>> {
    let header = [
        "threads",
        "useful",
        "slowdown",
        "preempted",
        "serial",
        "gaps",
        "tail",
        "helpers",
        "subtrees",
        "pieces",
        "longest piece",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    for p in &report.results {
        let (Some(l), Some(w)) = (&p.losses, &p.workers) else { continue };
        rows.push(vec![
            p.threads.to_string(),
            percent(l.useful),
            percent(l.slowdown),
            percent(l.preempted),
            percent(l.serial),
            percent(l.gaps),
            percent(l.tail),
            or_dash(p.helpers, percent),
            w.subtrees().to_string(),
            w.loads.iter().map(|l| l.pieces).sum::<usize>().to_string(),
            seconds(w.longest()),
        ]);
    }
    rows
}

/// Rows of the table of predictions, header first.
#[must_use]
pub fn forecast(report: &Report) -> Vec<Vec<String>> {
    let header = ["cores", "predicted", "speed-up", "efficiency", "measured"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for foreseen in report.forecast.iter().flat_map(|forecast| &forecast.points) {
        let measured = report.results.iter().find(|p| p.threads == foreseen.threads);
        rows.push(vec![
            foreseen.threads.to_string(),
            seconds(foreseen.seconds),
            two(foreseen.speedup),
            percent(foreseen.speedup / foreseen.threads as f64),
            or_dash(measured, |p| seconds(p.median)),
        ]);
    }
    rows
}

/// Rows of the table of single workers at the fullest point, header first.
#[must_use]
pub fn workers(report: &Report) -> Vec<Vec<String>> {
    let header = [
        "worker",
        "busy",
        "had a processor",
        "gaps",
        "tail",
        "subtrees",
        "pieces",
        "longest piece",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    let workers = report.fullest().and_then(|p| p.workers.as_ref());
    for (number, load) in workers.iter().flat_map(|w| w.loads.iter().enumerate()) {
        rows.push(vec![
            number.to_string(),
            seconds(load.busy),
            or_dash(load.cpu.filter(|_| load.busy > 0.0), |c| percent(c / load.busy)),
            seconds(load.gaps),
            seconds(load.tail),
            load.subtrees.to_string(),
            load.pieces.to_string(),
            seconds(load.longest),
        ]);
    }
    rows
}

/// Rows of the table of a granularity sweep, header first.
#[must_use]
pub fn grains(sweep: &crate::scale::granularity::Granularity) -> Vec<Vec<String>> {
    let header = [
        "subtrees",
        "one thread",
        "all threads",
        "more work",
        "without a piece",
        "speed-up",
        "longest piece",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    for g in &sweep.grains {
        rows.push(vec![
            g.subtrees.to_string(),
            seconds(g.one),
            seconds(g.all),
            percent(g.splitting_loss),
            percent(g.stealing_loss),
            two(g.speedup),
            or_dash(g.longest, seconds),
        ]);
    }
    rows
}

/// A fitted law in words; ends with a newline.
#[must_use]
pub fn fitted(fit: &Fit) -> String {
    let mut out = format!(
        "{}: contention {} ({})",
        fit.curve.law.name(),
        percent(fit.curve.contention),
        interval(fit.contention_interval, percent)
    );
    if fit.curve.law == crate::scale::model::Law::Universal {
        let coherency = |v: f64| format!("{v:.2e}");
        let _ = write!(
            out,
            ", coherency {} ({}), peak {}",
            coherency(fit.curve.coherency),
            interval(fit.coherency_interval, coherency),
            fit.peak.map_or_else(|| "none".into(), |p| format!("at {p:.0} threads")),
        );
    }
    let _ = write!(out, "; points within {} of it", percent(fit.misfit));
    for p in &fit.predictions {
        let _ = write!(
            out,
            "; {} threads: {} ({}), speed-up {}",
            p.threads,
            seconds(p.seconds),
            interval(p.interval, seconds),
            two(p.speedup)
        );
    }
    out.push('\n');
    out
}

/// Rows in right-aligned columns two spaces apart.
#[must_use]
pub fn grid(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &w)| format!("{cell:>w$}")).collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out
}
