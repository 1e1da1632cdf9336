//! The pictures of a report: curves, bars of where the time went, and a timeline of the workers.

use crate::cells::{or_dash, two};
use crate::forecast::Forecast;
use crate::granularity::Granularity;
use crate::laws::Law;
use crate::losses::Losses;
use crate::report::{Point, Report, names};
use base::figures::{self, counted, grouped, percent, seconds};
use base::statistics::Interval;
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
    let left = format!("{}: measured", report.subject.problem);
    both.text("ink", Anchor::Middle, (0.5 * WIDTH, 20.0), 10.0, false, &left);
    both.text("ink", Anchor::Middle, (1.5 * WIDTH, 20.0), 10.0, false, "predicted, on more cores");
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
    let attainable = points.iter().filter_map(|p| Some((p.threads as f64, p.attainable?)));
    let attainable: Vec<(f64, f64)> = attainable.collect();
    if !attainable.is_empty() {
        lines.push(Polyline::new("green", "2 4", "attainable", attainable));
    }
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
    let label = report.rate_name()?;
    let one = report.results.first()?.rate?;
    let top = report.most_threads() as f64;
    let mut measured = Polyline::new("blue", "", measured_name(report), Vec::new());
    measured.dots = true;
    let mut highest = one * top;
    for point in &report.results {
        let Some(rate) = point.rate else { continue };
        let threads = point.threads as f64;
        measured.points.push((threads, rate));
        if let Some(interval) = point.rate_interval {
            measured.band.push((threads, interval.low, interval.high));
        }
        highest = highest.max(point.rate_interval.map_or(rate, |interval| interval.high));
    }
    Some(Chart {
        description: describe(report, "Throughput", |point| {
            or_dash(point.rate, |rate| figures::with_prefix(rate) + " " + &label)
        }),
        size: SMALL,
        x: threads_axis(&report.results),
        y: Axis::from_zero(&label, highest, short_rate),
        lines: vec![ideal(vec![(0.0, 0.0), (top, one * top)]), measured],
    })
}

/// A rate on an axis: `2.5 M`.
fn short_rate(per_second: f64) -> String {
    let prefixes = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let found = prefixes.into_iter().find(|(unit, _)| per_second >= *unit);
    let (unit, prefix) = found.unwrap_or((1.0, ""));
    format!("{}{prefix}", (per_second / unit * 1000.0).round() / 1000.0)
}

/// The times of several reports over threads, a line for each with its name and its intervals. Both axes are
/// logarithmic.
pub(crate) fn together(reports: &[Report], names: &[String]) -> Chart {
    const STROKES: [&str; 6] = ["blue", "orange", "violet", "green", "red", "teal"];
    const DASHES: [&str; 3] = ["", "7 5", "2 4"];
    let mut lines = Vec::new();
    let mut said = Vec::new();
    for (at, (report, name)) in reports.iter().zip(names).enumerate() {
        let stroke = STROKES[at % STROKES.len()];
        let dashes = DASHES[at / STROKES.len() % DASHES.len()];
        let times = at_threads(report, |point| point.median / point.work);
        let in_words: Vec<String> = times.iter().map(|(_, time)| seconds(*time)).collect();
        said.push(format!("{name}: {}", in_words.join(", ")));
        let band = report.results.iter().filter_map(|point| {
            let Interval { low, high, .. } = point.interval?;
            Some((point.threads as f64, low / point.work, high / point.work))
        });
        let line = Polyline::new(stroke, dashes, name, times);
        lines.push(Polyline { dots: true, band: band.collect(), ..line });
    }
    let points = lines.iter().flat_map(|line| &line.points).copied();
    let ends = lines.iter().flat_map(|line| &line.band).flat_map(|it| [it.1, it.2]);
    let times = points.clone().map(|it| it.1).chain(ends);
    Chart {
        description: format!("Median times: {}", said.join("; ")),
        size: SMALL,
        x: Axis::powers("threads", 2.0, points.map(|it| it.0), whole),
        y: Axis::powers("median time", 2.0, times, seconds),
        lines,
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
    let said: Vec<String> = forecast
        .points
        .iter()
        .map(|p| format!("{} on {}", two(p.speedup), grouped(p.threads)))
        .collect();
    let problem = &report.subject.problem;
    Some(Chart {
        description: format!("Predicted speed-up of {problem}: {}", said.join(", ")),
        size: SMALL,
        x: Axis::powers("cores", 4.0, [1.0, last].into_iter(), whole),
        y: Axis::powers("speed-up", 4.0, [least, last].into_iter(), whole),
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
    let tops_of_band =
        points.iter().map(|p| p.speedup_interval.map_or(p.speedup, |i| i.high) / p.threads as f64);
    // A wide interval is cut off, so that the curve keeps its height.
    let highest = tops_of_band.fold(1.0, f64::max).min(1.6);
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
    let mut extra_work = Vec::new();
    let mut without_piece = Vec::new();
    let mut said = Vec::new();
    for grain in &sweep.grains {
        let subtrees = grain.subtrees.max(1) as f64;
        extra_work.push((subtrees, grain.splitting_loss));
        without_piece.push((subtrees, grain.stealing_loss));
        said.push(format!(
            "{}: {} and {}",
            counted(grain.subtrees, "subtree"),
            percent(grain.splitting_loss),
            percent(grain.stealing_loss)
        ));
    }
    let x = Axis::powers("subtrees", 4.0, extra_work.iter().map(|point| point.0), whole);
    let lines = [("blue", "extra work", extra_work), ("orange", "without a piece", without_piece)]
        .map(|(stroke, label, points)| Polyline {
            dots: true,
            ..Polyline::new(stroke, "", label, points)
        });
    let worst = lines.iter().flat_map(|l| &l.points).map(|p| p.1).fold(0.02, f64::max);
    Chart {
        description: format!("Extra work and time without a piece with {}", said.join("; ")),
        size: SMALL,
        x,
        y: Axis::from_zero("share lost", worst, |v| format!("{:.0} %", 100.0 * v)),
        lines: lines.to_vec(),
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
    let said = bars.iter().map(|(point, losses)| {
        let shares = losses.parts().map(|(name, share)| format!("{name} {}", percent(share)));
        format!("{}: {}", counted(point.threads, "thread"), shares.join(", "))
    });
    let said: Vec<String> = said.collect();
    let mut svg = Picture::new(WIDTH, TOP + bars.len() as f64 * PITCH, &said.join("; "));
    let mut x = 4.0;
    for (name, _) in first.parts() {
        svg.rect(name, x, 4.0, 10.0, 10.0);
        svg.text("ink", Anchor::Left, (x + 14.0, 13.5), TEXT, false, name);
        x += 24.0 + Picture::text_width(name, TEXT);
    }
    let left = 34.0;
    let right = WIDTH - 4.0;
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
    const LEFT: f64 = 34.0;
    const RIGHT: f64 = WIDTH - 8.0;
    let workers = report.fullest()?.workers.as_ref()?;
    let rows = workers.loads.len() as f64;
    let pitch = (240.0 / rows).clamp(5.0, 22.0);
    let bar = pitch * 0.8;
    let bottom = 4.0 + rows * pitch;
    let per_second = (RIGHT - LEFT) / workers.wall;
    let said = workers.loads.iter().enumerate().map(|(number, load)| {
        format!("worker {number} busy {}", percent(load.busy / workers.wall))
    });
    let said: Vec<String> = said.collect();
    let mut svg = Picture::new(WIDTH, bottom + 22.0, &said.join(", "));
    for (number, load) in workers.loads.iter().enumerate() {
        let y = 4.0 + number as f64 * pitch;
        if pitch >= 11.0 || number % 4 == 0 {
            let at = (LEFT - 6.0, y + bar / 2.0 + 4.0);
            svg.text("faint", Anchor::Right, at, TEXT, false, &number.to_string());
        }
        svg.rect("idle", LEFT, y, RIGHT - LEFT, bar);
        let mut path = String::new();
        for &(start, end) in &load.stretches {
            let x = LEFT + start * per_second;
            let width = ((end - start) * per_second).max(0.1);
            path += &format!("M{x:.1} {y:.1}h{width:.1}v{bar:.1}h-{width:.1}z");
        }
        svg.area("useful", path);
    }
    let axis = Axis::from_zero("", workers.wall, seconds);
    for (value, text) in axis.ticks.iter().filter(|(v, _)| *v <= workers.wall) {
        let x = LEFT + value * per_second;
        let anchor = if x > RIGHT - 24.0 { Anchor::Right } else { Anchor::Middle };
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
    let points = at_threads(report, |p| p.speedup * scale(p));
    let line = Polyline::new("blue", "", measured_name(report), points);
    Polyline { band: band.collect(), dots: true, ..line }
}

/// The name of a measured curve and its band.
fn measured_name(report: &Report) -> String {
    format!("measured, {}", report.interval_name())
}

/// A figure over the number of threads.
fn at_threads(report: &Report, figure: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
    report.results.iter().map(|p| (p.threads as f64, figure(p))).collect()
}

fn threads_axis(points: &[Point]) -> Axis {
    Axis::at("threads", &points.iter().map(|p| p.threads).collect::<Vec<_>>())
}

fn describe(report: &Report, what: &str, show: impl Fn(&Point) -> String) -> String {
    let points = report.results.iter();
    let values: Vec<String> =
        points.map(|p| format!("{} at {}", show(p), counted(p.threads, "thread"))).collect();
    format!("{what} of {}: {}", report.subject.problem, values.join(", "))
}
