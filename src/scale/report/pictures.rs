//! The pictures of a report: curves, where the time went, who was busy when.

use std::fmt::Write as _;

use super::chart::{Axis, Chart, Line, WIDTH, escape, svg};
use super::units::{percent, seconds, two};
use super::{Point, Report};
use crate::plural::s;
use crate::scale::forecast::Forecast;
use crate::scale::granularity::Granularity;
use crate::scale::model::{Fit, Law};
use crate::scale::workers::Losses;

/// Speed-up over threads, with the ideal line, the interval band, the model and
/// the bound by the longest piece.
#[must_use]
pub fn speedup(report: &Report) -> Chart {
    let points = &report.results;
    let top = points.iter().map(|p| p.threads).max().unwrap_or(1) as f64;
    let ideal = Line {
        class: "ideal",
        label: "ideal".into(),
        points: vec![(1.0, 1.0), (top, top)],
        ..Line::default()
    };
    let mut lines = vec![ideal];
    if let Some((fit, label)) = model(report) {
        lines.push(curve(label, top, |p| fit.curve.speedup(p)));
    }
    let bound = report.forecast.as_ref().map(Forecast::bound);
    if let Some(bound) = bound.filter(|b| *b <= 1.15 * top) {
        let points = vec![(1.0, bound), (top, bound)];
        lines.push(Line {
            class: "bound",
            label: format!("at most {}", two(bound)),
            points,
            ..Line::default()
        });
    }
    lines.push(measured(report, |p| p.speedup, |_| 1.0));
    let highest = points.iter().map(|p| p.speedup_interval.map_or(p.speedup, |i| i.high));
    let y_top = highest.fold(top, f64::max);
    Chart {
        description: describe(report, "Speed-up", |p| two(p.speedup)),
        x: threads_axis(points),
        y: Axis::from_zero("speed-up", y_top, |v| format!("{v}")),
        lines,
    }
}

/// Speed-up foreseen on up to 1,024 cores, both axes doubling, with the measured points.
#[must_use]
pub fn forecast(report: &Report) -> Option<Chart> {
    let forecast = report.forecast.as_ref()?;
    let at = |threads: usize, speedup: f64| ((threads as f64).log2(), speedup.log2().max(0.0));
    let line = |class, label: String, points| Line { class, label, points, ..Line::default() };
    let last = forecast.points.last()?.threads;
    let ideal = vec![at(1, 1.0), at(last, last as f64)];
    let bound = forecast.bound();
    let bounded = vec![at(1, bound), at(last, bound)];
    let foreseen = forecast.points.iter().map(|p| at(p.threads, p.speedup)).collect();
    let measured = report.results.iter().map(|p| at(p.threads, p.speedup)).collect();
    let axis = |label: &str| Axis {
        label: label.into(),
        from: 0.0,
        to: (last as f64).log2() * 1.02,
        ticks: (0..=last.ilog2())
            .step_by(2)
            .map(|k| (f64::from(k), (1u32 << k).to_string()))
            .collect(),
    };
    let said: Vec<String> =
        forecast.points.iter().map(|p| format!("{} on {}", two(p.speedup), p.threads)).collect();
    Some(Chart {
        description: format!(
            "Predicted speed-up of {}: {}",
            report.subject.problem,
            said.join(", ")
        ),
        x: axis("cores (each step four times as many)"),
        y: axis("speed-up"),
        lines: vec![
            line("ideal", "ideal".into(), ideal),
            line("bound", format!("at most {}", two(bound)), bounded),
            line("model", "predicted".into(), foreseen),
            Line { dots: true, ..line("measured", "measured".into(), measured) },
        ],
    })
}

/// Efficiency over threads: what share of each thread pays off.
#[must_use]
pub fn efficiency(report: &Report) -> Chart {
    let points = &report.results;
    let top = points.iter().map(|p| p.threads).max().unwrap_or(1) as f64;
    let ideal = Line {
        class: "ideal",
        label: "ideal".into(),
        points: vec![(1.0, 1.0), (top, 1.0)],
        ..Line::default()
    };
    let mut lines = vec![ideal];
    if let Some((fit, label)) = model(report) {
        lines.push(curve(label, top, |p| fit.curve.speedup(p) / p));
    }
    lines.push(measured(report, |p| p.efficiency, |p| 1.0 / p.threads as f64));
    let top_of_band =
        |p: &Point| p.speedup_interval.map_or(p.speedup, |i| i.high) / p.threads as f64;
    // A wild interval is cut off rather than squeezing the curve.
    let highest = points.iter().map(top_of_band).fold(1.0, f64::max).min(1.6);
    Chart {
        description: describe(report, "Efficiency", |p| percent(p.efficiency)),
        x: threads_axis(points),
        y: Axis::from_zero("efficiency", highest, |v| format!("{:.0} %", 100.0 * v)),
        lines,
    }
}

/// What splitting adds to the work, and how long workers have no piece, over the number of subtrees.
#[must_use]
pub fn granularity(sweep: &Granularity) -> Chart {
    let at = |g: &crate::scale::granularity::Grain| (g.subtrees.max(1) as f64).log2();
    let line = |class, label: &str, loss: fn(&crate::scale::granularity::Grain) -> f64| Line {
        class,
        label: label.into(),
        points: sweep.grains.iter().map(|g| (at(g), loss(g))).collect(),
        dots: true,
        ..Line::default()
    };
    let lines = vec![
        line("measured", "more work", |g| g.splitting_loss),
        line("second", "without a piece", |g| g.stealing_loss),
    ];
    let worst = lines.iter().flat_map(|l| &l.points).map(|p| p.1).fold(0.02, f64::max);
    let ends = (sweep.grains.first().map_or(0.0, at), sweep.grains.last().map_or(1.0, at));
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for grain in &sweep.grains {
        if ticks.last().is_none_or(|(last, _)| at(grain) - last > (ends.1 - ends.0) / 9.0) {
            ticks.push((at(grain), grain.subtrees.to_string()));
        }
    }
    let x = Axis {
        label: "subtrees (each step doubles)".into(),
        from: ends.0 - 0.3,
        to: ends.1 + 0.3,
        ticks,
    };
    let said: Vec<String> = sweep
        .grains
        .iter()
        .map(|g| {
            format!(
                "{} subtree{}: {} and {}",
                g.subtrees,
                s(g.subtrees),
                percent(g.splitting_loss),
                percent(g.stealing_loss)
            )
        })
        .collect();
    Chart {
        description: format!("More work and time without a piece with {}", said.join("; ")),
        x,
        y: Axis::from_zero("share lost", worst, |v| format!("{:.0} %", 100.0 * v)),
        lines,
    }
}

/// The six places where the workers' time goes: class, name, share.
fn parts(l: &Losses) -> [(&'static str, &'static str, f64); 6] {
    [
        ("useful", "useful", l.useful),
        ("slowdown", "slowdown", l.slowdown),
        ("preempted", "preempted", l.preempted),
        ("serial", "serial", l.serial),
        ("gaps", "gaps", l.gaps),
        ("tail", "tail", l.tail),
    ]
}

/// One bar a thread count, split into the places where the time went.
#[must_use]
pub fn losses(report: &Report) -> Option<String> {
    let bars: Vec<(&Point, &Losses)> =
        report.results.iter().filter_map(|p| Some((p, p.losses.as_ref()?))).collect();
    let first = bars.first()?.1;
    let mut body = String::new();
    let mut x = 4.0;
    for (class, name, _) in parts(first) {
        let _ = write!(
            body,
            "<rect class=\"part {class}\" x=\"{x:.1}\" y=\"4\" width=\"12\" height=\"12\"/><text x=\"{:.1}\" y=\"14\">{name}</text>",
            x + 16.0
        );
        x += 30.0 + 7.0 * name.len() as f64;
    }
    let (left, right, height) = (30.0, WIDTH - 4.0, 20.0);
    for (row, (point, losses)) in bars.iter().enumerate() {
        let y = 26.0 + row as f64 * (height + 5.0);
        let _ = write!(
            body,
            "<text class=\"tick end\" x=\"{}\" y=\"{:.1}\">{}</text>",
            left - 6.0,
            y + 14.5,
            point.threads
        );
        let mut from = left;
        for (class, _, share) in parts(losses) {
            let width = share * (right - left);
            if width >= 0.1 {
                let _ = write!(
                    body,
                    "<rect class=\"part {class}\" x=\"{from:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\"/>"
                );
            }
            from += width;
        }
    }
    let said: Vec<String> = bars
        .iter()
        .map(|(p, l)| {
            let shares = parts(l).map(|(_, name, share)| format!("{name} {}", percent(share)));
            format!("{} thread{}: {}", p.threads, s(p.threads), shares.join(", "))
        })
        .collect();
    let height = 26.0 + bars.len() as f64 * (height + 5.0);
    Some(svg(height, &said.join("; "), "", &body))
}

/// One row a worker: when it was busy in the typical run of the fullest point.
#[must_use]
pub fn timeline(report: &Report) -> Option<String> {
    let workers = report.fullest()?.workers.as_ref()?;
    let rows = workers.loads.len() as f64;
    let pitch = (240.0 / rows).clamp(5.0, 22.0);
    let (left, right) = (30.0, WIDTH - 8.0);
    let px = |time: f64| left + time / workers.wall * (right - left);
    let mut body = String::new();
    for (number, load) in workers.loads.iter().enumerate() {
        let y = 4.0 + number as f64 * pitch;
        let bar = pitch * 0.8;
        if pitch >= 11.0 || number % 4 == 0 {
            let _ = write!(
                body,
                "<text class=\"tick end\" x=\"{}\" y=\"{:.1}\">{number}</text>",
                left - 6.0,
                y + bar / 2.0 + 4.0
            );
        }
        let _ = write!(
            body,
            "<rect class=\"idle\" x=\"{left}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{bar:.1}\"/>",
            right - left
        );
        let mut path = String::new();
        for &(start, end) in &load.stretches {
            let width = (px(end) - px(start)).max(0.1);
            let _ = write!(path, "M{:.1} {y:.1}h{width:.1}v{bar:.1}h-{width:.1}z", px(start));
        }
        let _ = write!(body, "<path class=\"busy\" d=\"{path}\"/>");
    }
    let bottom = 4.0 + rows * pitch;
    let axis = Axis::from_zero("", workers.wall, seconds);
    for (value, text) in axis.ticks.iter().filter(|(v, _)| *v <= workers.wall) {
        let x = px(*value);
        let anchor = if x > right - 24.0 { "end" } else { "middle" };
        let _ = write!(
            body,
            "<path class=\"axis\" d=\"M{x:.1} {bottom:.1}v4\"/><text class=\"tick {anchor}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            bottom + 16.0,
            escape(text)
        );
    }
    let busy: Vec<String> = workers
        .loads
        .iter()
        .enumerate()
        .map(|(n, l)| format!("worker {n} busy {}", percent(l.busy / workers.wall)))
        .collect();
    Some(svg(bottom + 22.0, &busy.join(", "), "", &body))
}

/// The fit to draw: the richer law if it could be fitted.
fn model(report: &Report) -> Option<(&Fit, &'static str)> {
    let fits = || report.models.iter().filter_map(|m| m.fit());
    let universal = fits().find(|f| f.curve.law == Law::Universal).map(|f| (f, "model (USL)"));
    universal.or_else(|| fits().next().map(|f| (f, f.curve.law.name())))
}

fn curve(label: &str, top: f64, value: impl Fn(f64) -> f64) -> Line {
    let steps = (0..=60).map(|i| 1.0 + (top - 1.0) * f64::from(i) / 60.0);
    Line {
        class: "model",
        label: label.into(),
        points: steps.map(|p| (p, value(p))).collect(),
        ..Line::default()
    }
}

/// The measured curve; `scale` turns a speed-up into the value drawn.
fn measured(report: &Report, value: impl Fn(&Point) -> f64, scale: impl Fn(&Point) -> f64) -> Line {
    let (points, name) = (&report.results, report.interval_name());
    let band = points.iter().filter_map(|p| {
        let interval = p.speedup_interval?;
        Some((p.threads as f64, interval.low * scale(p), interval.high * scale(p)))
    });
    Line {
        class: "measured",
        label: format!("measured, {name}"),
        points: points.iter().map(|p| (p.threads as f64, value(p))).collect(),
        band: band.collect(),
        dots: true,
    }
}

fn threads_axis(points: &[Point]) -> Axis {
    Axis::at("threads", &points.iter().map(|p| p.threads).collect::<Vec<_>>())
}

fn describe(report: &Report, what: &str, show: impl Fn(&Point) -> String) -> String {
    let at = |p: &Point| format!("{} at {} thread{}", show(p), p.threads, s(p.threads));
    let values: Vec<String> = report.results.iter().map(at).collect();
    format!("{what} of {}: {}", report.subject.problem, values.join(", "))
}
