//! The pictures of a report: curves, bars of where the time went, and a timeline of the workers.

use super::table::{or_dash, two};
use super::{Point, Report, names};
use crate::forecast::Forecast;
use crate::granularity::{Grain, Granularity};
use crate::laws::Law;
use crate::workers::{Load, Losses};
use base::figures::{self, counted, grouped, percent, seconds};
use picture::chart::{Axis, Chart, Polyline, SMALL, TEXT};
use picture::picture::{Anchor, Picture};

/// Width of every picture in its own units.
const WIDTH: f64 = SMALL.0;

/// The picture of `--svg` and `--png`: the measured speed-up and, at its right, the forecast.
pub fn standalone(reports: &[Report]) -> Picture {
    let [report] = reports else { return together(reports, &names(reports)).draw() };
    const CAPTION: f64 = 26.0;
    let measured = speedup(report).draw();
    let Some(predicted) = forecast(report).map(|chart| chart.draw()) else {
        return measured;
    };
    let title = describe(report, "Speed-up", |p| two(p.speedup));
    let mut both = Picture::new(2.0 * WIDTH, SMALL.1 + CAPTION, &title);
    let caption = |x| (x + WIDTH / 2.0, 20.0);
    let problem = &report.subject.problem;
    both.text("ink", Anchor::Middle, caption(0.0), 10.0, false, &format!("{problem}: measured"));
    both.text("ink", Anchor::Middle, caption(WIDTH), 10.0, false, "predicted, on more cores");
    both.place(measured, (0.0, CAPTION));
    both.place(predicted, (WIDTH, CAPTION));
    both
}

/// The line of perfect scaling.
fn ideal(points: Vec<(f64, f64)>) -> Polyline {
    Polyline::new("faint", "1 5", "ideal", points)
}

/// The line of the upper bound on the speed-up.
fn bound_line(bound: f64, from: f64, to: f64) -> Polyline {
    let points = vec![(from, bound), (to, bound)];
    Polyline::new("violet", "9 5 2 5", format!("at most {}", two(bound)), points)
}

/// Speed-up over threads, with the ideal line, the band of intervals, the fitted law and the forecast's upper bound.
pub(crate) fn speedup(report: &Report) -> Chart {
    let points = &report.results;
    let top = report.most_threads() as f64;
    let mut lines = vec![ideal(vec![(1.0, 1.0), (top, top)])];
    lines.extend(fitted(report, top, |speedup, _| speedup));
    let bound = report.forecast.as_ref().map(Forecast::bound);
    lines.extend(bound.filter(|b| *b <= 1.15 * top).map(|bound| bound_line(bound, 1.0, top)));
    lines.push(measured(report, |_| 1.0));
    let highest = points.iter().map(|p| p.speedup_interval.map_or(p.speedup, |i| i.high));
    let y_top = highest.fold(top, f64::max);
    Chart {
        description: describe(report, "Speed-up", |p| two(p.speedup)),
        size: SMALL,
        x: threads_axis(points),
        y: Axis::from_zero("speed-up", y_top, |v| format!("{v}")),
        lines,
    }
}

/// Units of work per second over threads, if they were counted.
pub(crate) fn rate(report: &Report) -> Option<Chart> {
    let (points, label) = (&report.results, report.rate_name()?);
    let (one, top) = (points.first()?.rate?, report.most_threads() as f64);
    let known = || points.iter().filter_map(|p| Some((p.threads as f64, p.rate?, p.rate_interval)));
    let band = known().filter_map(|(p, _, interval)| Some((p, interval?.low, interval?.high)));
    let name = format!("measured, {}", report.interval_name());
    let dots = known().map(|(p, rate, _)| (p, rate)).collect();
    let highest = known().map(|(_, rate, i)| i.map_or(rate, |i| i.high)).fold(one * top, f64::max);
    let shown = |p: &Point| or_dash(p.rate, |rate| figures::rate(rate) + &label);
    Some(Chart {
        description: describe(report, "Throughput", shown),
        size: SMALL,
        x: threads_axis(points),
        y: Axis::from_zero(&label, highest, short_rate),
        lines: vec![
            ideal(vec![(0.0, 0.0), (top, one * top)]),
            Polyline { band: band.collect(), dots: true, ..Polyline::new("blue", "", name, dots) },
        ],
    })
}

/// A rate on an axis: `2.5 M`.
fn short_rate(per_second: f64) -> String {
    let prefixes = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let fits = |prefix: &&(f64, &str)| per_second >= prefix.0;
    let (unit, prefix) = prefixes.iter().find(fits).copied().unwrap_or((1.0, ""));
    format!("{}{prefix}", (per_second / unit * 1000.0).round() / 1000.0)
}

/// The times of several reports over threads, a line for each with its name. Both axes are logarithmic.
pub(crate) fn together(reports: &[Report], names: &[String]) -> Chart {
    const STROKES: [&str; 6] = ["blue", "orange", "violet", "green", "red", "teal"];
    const DASHES: [&str; 3] = ["", "7 5", "2 4"];
    let unit_times = |report: &Report| -> Vec<(f64, f64)> {
        report.results.iter().map(|p| (p.threads as f64, p.median / p.work)).collect()
    };
    let lines = reports.iter().zip(names).enumerate().map(|(at, (report, name))| {
        let (stroke, dashes) = (STROKES[at % STROKES.len()], DASHES[at / STROKES.len() % 3]);
        Polyline { dots: true, ..Polyline::new(stroke, dashes, name, unit_times(report)) }
    });
    let points = || reports.iter().flat_map(unit_times);
    let said = reports.iter().zip(names).map(|(report, name)| {
        let times = report.results.iter().map(|p| seconds(p.median / p.work));
        format!("{name}: {}", times.collect::<Vec<_>>().join(", "))
    });
    Chart {
        description: format!("Median times: {}", said.collect::<Vec<_>>().join("; ")),
        size: SMALL,
        x: Axis::powers("threads", 2.0, points().map(|it| it.0), whole),
        y: Axis::powers("median time", 2.0, points().map(|it| it.1), seconds),
        lines: lines.collect(),
    }
}

/// Predicted speed-up on up to 1,024 cores with the measured points. Both axes are logarithmic.
pub(crate) fn forecast(report: &Report) -> Option<Chart> {
    let forecast = report.forecast.as_ref()?;
    let last = forecast.points.last()?.threads as f64;
    let predicted = forecast.points.iter().map(|p| (p.threads as f64, p.speedup)).collect();
    let done = at_threads(report, |p| p.speedup);
    // More threads may be slower than one.
    let least = done.iter().map(|point| point.1).fold(1.0, f64::min);
    let axis = |label, from| Axis::powers(label, 4.0, [from, last].into_iter(), whole);
    let said: Vec<String> = forecast
        .points
        .iter()
        .map(|p| format!("{} on {}", two(p.speedup), grouped(p.threads)))
        .collect();
    let (problem, said) = (&report.subject.problem, said.join(", "));
    Some(Chart {
        description: format!("Predicted speed-up of {problem}: {said}"),
        size: SMALL,
        x: axis("cores", 1.0),
        y: axis("speed-up", least),
        lines: vec![
            ideal(vec![(1.0, 1.0), (last, last)]),
            bound_line(forecast.bound(), 1.0, last),
            Polyline::new("orange", "7 5", "predicted", predicted),
            Polyline { dots: true, ..Polyline::new("blue", "", "measured", done) },
        ],
    })
}

/// Efficiency over threads.
pub(crate) fn efficiency(report: &Report) -> Chart {
    let points = &report.results;
    let top = report.most_threads() as f64;
    let mut lines = vec![ideal(vec![(1.0, 1.0), (top, 1.0)])];
    lines.extend(fitted(report, top, |speedup, p| speedup / p));
    lines.push(measured(report, |p| 1.0 / p.threads as f64));
    let top_of_band =
        |p: &Point| p.speedup_interval.map_or(p.speedup, |i| i.high) / p.threads as f64;
    // A wide interval is cut off, so that the curve keeps its height.
    let highest = points.iter().map(top_of_band).fold(1.0, f64::max).min(1.6);
    Chart {
        description: describe(report, "Efficiency", |p| percent(p.efficiency)),
        size: SMALL,
        x: threads_axis(points),
        y: Axis::from_zero("efficiency", highest, |v| format!("{:.0} %", 100.0 * v)),
        lines,
    }
}

/// Extra work, and the share of time without a piece, over the number of subtrees.
pub(crate) fn granularity(sweep: &Granularity) -> Chart {
    let at = |g: &Grain| g.subtrees.max(1) as f64;
    let line = |stroke, label, loss: fn(&Grain) -> f64| {
        let points = sweep.grains.iter().map(|g| (at(g), loss(g))).collect();
        Polyline { dots: true, ..Polyline::new(stroke, "", label, points) }
    };
    let lines = vec![
        line("blue", "extra work", |g| g.splitting_loss),
        line("orange", "without a piece", |g| g.stealing_loss),
    ];
    let worst = lines.iter().flat_map(|l| &l.points).map(|p| p.1).fold(0.02, f64::max);
    let x = Axis::powers("subtrees", 4.0, sweep.grains.iter().map(at), whole);
    let said: Vec<String> = sweep
        .grains
        .iter()
        .map(|g| {
            let (extra, idle) = (percent(g.splitting_loss), percent(g.stealing_loss));
            format!("{}: {extra} and {idle}", counted(g.subtrees, "subtree"))
        })
        .collect();
    Chart {
        description: format!("Extra work and time without a piece with {}", said.join("; ")),
        size: SMALL,
        x,
        y: Axis::from_zero("share lost", worst, |v| format!("{:.0} %", 100.0 * v)),
        lines,
    }
}

/// A bar for each thread count, split into the six places where the time went. Each place is a CSS class.
pub(crate) fn losses(report: &Report) -> Option<Picture> {
    const BAR: f64 = 20.0;
    const PITCH: f64 = 25.0;
    const TOP: f64 = 26.0;
    let bars: Vec<(&Point, &Losses)> =
        report.results.iter().filter_map(|p| Some((p, p.losses.as_ref()?))).collect();
    let first = bars.first()?.1;
    let said = |(p, l): &(&Point, &Losses)| {
        let shares = l.parts().map(|(name, share)| format!("{name} {}", percent(share)));
        format!("{}: {}", counted(p.threads, "thread"), shares.join(", "))
    };
    let said: Vec<String> = bars.iter().map(said).collect();
    let mut svg = Picture::new(WIDTH, TOP + bars.len() as f64 * PITCH, &said.join("; "));
    let mut x = 4.0;
    for (name, _) in first.parts() {
        svg.rect(name, x, 4.0, 10.0, 10.0);
        svg.text("ink", Anchor::Left, (x + 14.0, 13.5), TEXT, false, name);
        x += 24.0 + Picture::text_width(name, TEXT);
    }
    let (left, right) = (34.0, WIDTH - 4.0);
    for (row, (point, losses)) in bars.iter().enumerate() {
        let y = TOP + row as f64 * PITCH;
        let threads = point.threads.to_string();
        svg.text("faint", Anchor::Right, (left - 6.0, y + 14.5), TEXT, false, &threads);
        let mut from = left;
        for (name, share) in losses.parts() {
            let width = share * (right - left);
            if width >= 0.1 {
                svg.rect(name, from, y, width, BAR);
            }
            from += width;
        }
    }
    Some(svg)
}

/// A row for each worker: when it was busy, with the most threads that have a processor each.
pub(crate) fn timeline(report: &Report) -> Option<Picture> {
    let workers = report.fullest()?.workers.as_ref()?;
    let rows = workers.loads.len() as f64;
    let pitch = (240.0 / rows).clamp(5.0, 22.0);
    let (bar, bottom) = (pitch * 0.8, 4.0 + rows * pitch);
    let (left, right) = (34.0, WIDTH - 8.0);
    let px = |time: f64| left + time / workers.wall * (right - left);
    let loads = || workers.loads.iter().enumerate();
    let busy =
        |(n, l): (usize, &Load)| format!("worker {n} busy {}", percent(l.busy / workers.wall));
    let said: Vec<String> = loads().map(busy).collect();
    let mut svg = Picture::new(WIDTH, bottom + 22.0, &said.join(", "));
    for (number, load) in loads() {
        let y = 4.0 + number as f64 * pitch;
        if pitch >= 11.0 || number % 4 == 0 {
            let (at, number) = ((left - 6.0, y + bar / 2.0 + 4.0), number.to_string());
            svg.text("faint", Anchor::Right, at, TEXT, false, &number);
        }
        svg.rect("idle", left, y, right - left, bar);
        let mut path = String::new();
        for &(start, end) in &load.stretches {
            let width = (px(end) - px(start)).max(0.1);
            path += &format!("M{:.1} {y:.1}h{width:.1}v{bar:.1}h-{width:.1}z", px(start));
        }
        svg.area("useful", path);
    }
    let axis = Axis::from_zero("", workers.wall, seconds);
    for (value, text) in axis.ticks.iter().filter(|(v, _)| *v <= workers.wall) {
        let x = px(*value);
        let anchor = if x > right - 24.0 { Anchor::Right } else { Anchor::Middle };
        svg.line("faint", 1.0, (x, bottom), (x, bottom + 4.0));
        svg.text("faint", anchor, (x, bottom + 17.0), TEXT, false, text);
    }
    Some(svg)
}

/// A number on an axis: `1,024`, `0.25`.
fn whole(value: f64) -> String {
    if value < 1.0 { format!("{value}") } else { grouped(value as u64) }
}

/// The curve of the best fit; `value` turns a speed-up at a number of threads into the value drawn.
fn fitted(report: &Report, top: f64, value: impl Fn(f64, f64) -> f64) -> Option<Polyline> {
    let curve = report.best_fit()?.curve;
    let name = if curve.law == Law::Universal { "scalability law" } else { curve.law.name() };
    let steps = (0..=60).map(|i| 1.0 + (top - 1.0) * f64::from(i) / 60.0);
    let points = steps.map(|p| (p, value(curve.speedup(p), p))).collect();
    Some(Polyline::new("orange", "7 5", name, points))
}

/// The measured curve; `scale` turns a speed-up into the value drawn.
fn measured(report: &Report, scale: impl Fn(&Point) -> f64) -> Polyline {
    let band = report.results.iter().filter_map(|p| {
        let interval = p.speedup_interval?;
        Some((p.threads as f64, interval.low * scale(p), interval.high * scale(p)))
    });
    let (band, name) = (band.collect(), format!("measured, {}", report.interval_name()));
    let points = at_threads(report, |p| p.speedup * scale(p));
    Polyline { band, dots: true, ..Polyline::new("blue", "", name, points) }
}

/// A figure over the number of threads.
fn at_threads(report: &Report, figure: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
    report.results.iter().map(|p| (p.threads as f64, figure(p))).collect()
}

fn threads_axis(points: &[Point]) -> Axis {
    Axis::at("threads", &points.iter().map(|p| p.threads).collect::<Vec<_>>())
}

fn describe(report: &Report, what: &str, show: impl Fn(&Point) -> String) -> String {
    let at = |p: &Point| format!("{} at {}", show(p), counted(p.threads, "thread"));
    let values: Vec<String> = report.results.iter().map(at).collect();
    format!("{what} of {}: {}", report.subject.problem, values.join(", "))
}
