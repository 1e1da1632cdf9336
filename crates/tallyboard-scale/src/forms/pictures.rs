//! The pictures of a report: curves, bars of where the time went, and a timeline of the workers.

use std::collections::BTreeSet;

use crate::cells::{or_dash, two_decimals};
use crate::forecast::{Forecast, ForecastPoint};
use crate::laws::Law;
use crate::report::{Point, Report, names};
use crate::workers::Losses;
use tallyboard_base::figures::{self, counted, grouped, percent, seconds};
use tallyboard_base::statistics::Interval;
use tallyboard_picture::chart::{Axis, Chart, DIGITS_PX, Polyline, SMALL_SIZE_PX};
use tallyboard_picture::picture::{Anchor, Picture};

/// Width of every picture.
const WIDTH_PX: f64 = SMALL_SIZE_PX.0;

/// The picture of `--svg` and `--png`: the measured speed-up and, at its right, the forecast.
pub fn standalone(reports: &[Report]) -> Picture {
    let [report] = reports else { return together(reports, &names(reports)).draw() };
    const CAPTION_PX: f64 = 26.0;
    let measured = speedup(report).draw();
    let Some(predicted) = forecast(report).map(|chart| chart.draw()) else {
        return measured;
    };
    let title = describe(report, "Speed-up", |point| two_decimals(point.speedup));
    let mut both = Picture::new(2.0 * WIDTH_PX, SMALL_SIZE_PX.1 + CAPTION_PX, &title);
    let left = format!("{}: measured", report.subject.problem);
    both.text("ink", Anchor::Middle, (0.5 * WIDTH_PX, 20.0), 10.0, &left);
    both.text("ink", Anchor::Middle, (1.5 * WIDTH_PX, 20.0), 10.0, "predicted, on more cores");
    both.place(measured, (0.0, CAPTION_PX));
    both.place(predicted, (WIDTH_PX, CAPTION_PX));
    both
}

/// A badge: the efficiency at the main point of the first report, with its interval.
pub fn badge(reports: &[Report]) -> Picture {
    const HEIGHT_PX: f64 = 20.0;
    const MARGIN_PX: f64 = 6.0;
    let report = reports.first();
    let (left, right) = match report.and_then(|report| Some((report, report.main_point()?))) {
        None => ("scaling".to_owned(), "unknown".to_owned()),
        Some((report, point)) => {
            let share =
                |speedup: f64| percent(speedup * report.baseline() as f64 / point.threads as f64);
            let interval = point.speedup_interval.map_or_else(String::new, |ends| {
                format!(" ({} to {})", share(ends.low), share(ends.high))
            });
            let threads = counted(point.threads, "thread");
            (format!("efficiency, {threads}"), format!("{}{interval}", percent(point.efficiency)))
        }
    };
    let [first, second] =
        [&left, &right].map(|text| Picture::text_width(text, DIGITS_PX) + 2.0 * MARGIN_PX);
    let mut badge = Picture::new(first + second, HEIGHT_PX, &format!("{left}: {right}"));
    badge.rect("idle", 0.0, 0.0, first, HEIGHT_PX);
    badge.text("ink", Anchor::Left, (MARGIN_PX, 14.0), DIGITS_PX, &left);
    badge.text("ink", Anchor::Left, (first + MARGIN_PX, 14.0), DIGITS_PX, &right);
    badge
}

/// The line of perfect scaling.
fn ideal(points: Vec<(f64, f64)>) -> Polyline {
    Polyline::new("faint", "1 5", "ideal", points)
}

/// The line of the upper bound on the speed-up, between two thread counts.
fn bound_line(bound: f64, from: f64, to: f64) -> Polyline {
    let points = vec![(from, bound), (to, bound)];
    Polyline::new("violet", "9 5 2 5", format!("at most {}", two_decimals(bound)), points)
}

/// Speed-up over threads, with the ideal line, the band of intervals, the fitted law and the forecast's upper bound.
pub(crate) fn speedup(report: &Report) -> Chart {
    let points = &report.results;
    let [fewest, most_threads] = [report.baseline(), report.most_threads()].map(|it| it as f64);
    let mut lines = vec![ideal(vec![(fewest, 1.0), (most_threads, most_threads / fewest)])];
    lines.extend(fitted(report, |speedup, _| speedup));
    // A bound far above the curves would only make them flat.
    let bound = report.forecast.as_ref().map(Forecast::bound);
    let bound = bound.filter(|bound| *bound <= 1.15 * most_threads);
    lines.extend(bound.map(|bound| bound_line(bound, 1.0, most_threads)));
    let measured = measured(report, |_| 1.0);
    let highest = highest(&measured).max(most_threads / fewest);
    lines.push(measured);
    Chart {
        description: describe(report, "Speed-up", |point| two_decimals(point.speedup)),
        size: SMALL_SIZE_PX,
        x: threads_axis(points),
        y: Axis::from_zero("speed-up", highest, |speedup| speedup.to_string()),
        lines,
    }
}

/// The upper end of all points and intervals of a curve.
fn highest(line: &Polyline) -> f64 {
    let points = line.points.iter().map(|(_, value)| *value);
    points.chain(line.intervals.iter().map(|(_, _, high)| *high)).fold(0.0, f64::max)
}

/// Units of work per second over threads, if they were counted.
pub(crate) fn rate(report: &Report) -> Option<Chart> {
    let label = report.rate_name()?;
    let least = report.results.first()?;
    let most_threads = report.most_threads() as f64;
    let ideal_rate = least.rate? / least.threads as f64 * most_threads;
    let name = measured_name(report);
    let measured = curve("blue", "", name, report, |p| Some((p.rate?, p.rate_interval)));
    let highest = highest(&measured).max(ideal_rate);
    Some(Chart {
        description: describe(report, "Throughput", |point| {
            or_dash(point.rate, |rate| figures::with_prefix(rate) + " " + &label)
        }),
        size: SMALL_SIZE_PX,
        x: threads_axis(&report.results),
        y: Axis::from_zero(&label, highest, short_rate),
        lines: vec![ideal(vec![(0.0, 0.0), (most_threads, ideal_rate)]), measured],
    })
}

/// A rate on an axis: `2.5 M`.
fn short_rate(per_second: f64) -> String {
    let prefixes = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let found = prefixes.into_iter().find(|(unit, _)| per_second >= *unit);
    let (unit, prefix) = found.unwrap_or((1.0, ""));
    let in_thousandths = (per_second / unit * 1000.0).round();
    format!("{}{prefix}", in_thousandths / 1000.0)
}

/// The times of several reports over threads, a line for each with its name and its intervals. Both axes are
/// logarithmic.
pub(crate) fn together(reports: &[Report], names: &[String]) -> Chart {
    let mut lines = Vec::new();
    let mut descriptions = Vec::new();
    for (index, (report, name)) in reports.iter().zip(names).enumerate() {
        let (stroke, dashes) = pen(index);
        let line =
            curve(stroke, dashes, name, report, |Point { median, work, interval, .. }| {
                Some((median / work, interval.map(|interval| interval.map(|end| end / work))))
            });
        let in_words: Vec<String> = line.points.iter().map(|(_, time)| seconds(*time)).collect();
        descriptions.push(format!("{name}: {}", in_words.join(", ")));
        lines.push(line);
    }
    let description = format!("Median times: {}", descriptions.join("; "));
    let threads = lines.iter().flat_map(|line| &line.points).map(|(threads, _)| *threads);
    let x = Axis::logarithmic("threads", 2.0, threads, number_on_axis);
    chart_of_times(description, x, lines)
}

/// The times of `reports`, which follow one another, a line for each thread count with its intervals.
pub(crate) fn history(reports: &[Report]) -> Chart {
    let counts: BTreeSet<usize> =
        reports.iter().flat_map(|report| &report.results).map(|point| point.threads).collect();
    let lines = counts.into_iter().enumerate().map(|(index, threads)| {
        let (stroke, dashes) = pen(index);
        let line = Polyline::new(stroke, dashes, counted(threads, "thread"), Vec::new());
        let mut line = Polyline { dots: true, ..line };
        for (number, report) in (1..).zip(reports) {
            let Some(point) = report.point(threads) else { continue };
            line.points.push((f64::from(number), point.median / point.work));
            let ends = point.interval.map(|interval| interval.map(|end| end / point.work));
            line.intervals.extend(ends.map(|ends| (f64::from(number), ends.low, ends.high)));
        }
        line
    });
    let numbers: Vec<usize> = (1..=reports.len()).collect();
    let description = format!("Median times of {} reports", reports.len());
    chart_of_times(description, Axis::with_ticks_at("report", &numbers), lines.collect())
}

/// The colour and the dashes of the line number `index`: lines differ in colour first, and in their dashes once the
/// colours repeat.
fn pen(index: usize) -> (&'static str, &'static str) {
    const STROKES: [&str; 6] = ["blue", "orange", "violet", "green", "red", "teal"];
    const DASHES: [&str; 3] = ["", "7 5", "2 4"];
    (STROKES[index % STROKES.len()], DASHES[index / STROKES.len() % DASHES.len()])
}

/// A chart of times on a logarithmic axis.
fn chart_of_times(description: String, x: Axis, lines: Vec<Polyline>) -> Chart {
    let points = lines.iter().flat_map(|line| &line.points).copied();
    let intervals = lines.iter().flat_map(|line| &line.intervals);
    let ends = intervals.flat_map(|&(_, low, high)| [low, high]);
    let times = points.map(|(_, time)| time).chain(ends);
    Chart {
        description,
        size: SMALL_SIZE_PX,
        x,
        y: Axis::logarithmic("median time", 2.0, times, seconds),
        lines,
    }
}

/// Predicted speed-up on up to 1,024 cores with the measured points. Both axes are logarithmic.
pub(crate) fn forecast(report: &Report) -> Option<Chart> {
    let forecast = report.forecast.as_ref()?;
    let most_cores = forecast.points.last()?.threads as f64;
    let predicted = forecast.points.iter().map(|p| (p.threads as f64, p.speedup)).collect();
    let measured = curve("blue", "", "measured", report, |p| Some((p.speedup, None)));
    // More threads may be slower than one.
    let least = measured.points.iter().map(|(_, speedup)| *speedup).fold(1.0, f64::min);
    let point_in_words =
        |p: &ForecastPoint| format!("{} on {}", two_decimals(p.speedup), grouped(p.threads));
    let in_words: Vec<String> = forecast.points.iter().map(point_in_words).collect();
    let problem = &report.subject.problem;
    Some(Chart {
        description: format!("Predicted speed-up of {problem}: {}", in_words.join(", ")),
        size: SMALL_SIZE_PX,
        x: Axis::logarithmic("cores", 4.0, [1.0, most_cores].into_iter(), number_on_axis),
        y: Axis::logarithmic("speed-up", 4.0, [least, most_cores].into_iter(), number_on_axis),
        lines: vec![
            ideal(vec![(1.0, 1.0), (most_cores, most_cores)]),
            bound_line(forecast.bound(), 1.0, most_cores),
            Polyline::new("orange", "7 5", "predicted", predicted),
            measured,
        ],
    })
}

pub(crate) fn efficiency(report: &Report) -> Chart {
    let points = &report.results;
    let fewest = report.baseline() as f64;
    let mut lines = vec![ideal(vec![(fewest, 1.0), (report.most_threads() as f64, 1.0)])];
    lines.extend(fitted(report, |speedup, threads| speedup * fewest / threads));
    let measured = measured(report, |point| fewest / point.threads as f64);
    // A wide interval is cut off, so that the curve keeps its height.
    let highest = highest(&measured).clamp(1.0, 1.6);
    lines.push(measured);
    Chart {
        description: describe(report, "Efficiency", |point| percent(point.efficiency)),
        size: SMALL_SIZE_PX,
        x: threads_axis(points),
        y: Axis::from_zero("efficiency", highest, whole_percent),
        lines,
    }
}

/// A bar for each thread count, split into the six [parts](Losses::parts) of the time. The name of a part is also its
/// class in the picture.
pub(crate) fn losses(report: &Report) -> Option<Picture> {
    const BAR_PX: f64 = 20.0;
    /// From a bar to the next.
    const PITCH_PX: f64 = 25.0;
    /// Height of the legend.
    const TOP_PX: f64 = 26.0;
    const LEFT_PX: f64 = 34.0;
    const RIGHT_PX: f64 = WIDTH_PX - 4.0;
    let bars: Vec<(&Point, &Losses)> =
        report.results.iter().filter_map(|p| Some((p, p.losses.as_ref()?))).collect();
    let (_, first) = bars.first()?;
    let in_words = bars.iter().map(|(point, losses)| {
        let shares = losses.parts().map(|(name, share)| format!("{name} {}", percent(share)));
        format!("{}: {}", counted(point.threads, "thread"), shares.join(", "))
    });
    let in_words: Vec<String> = in_words.collect();
    let height = TOP_PX + bars.len() as f64 * PITCH_PX;
    let mut picture = Picture::new(WIDTH_PX, height, &in_words.join("; "));
    let mut x = 4.0;
    for name in first.parts().map(|(place, _)| place.name()) {
        picture.rect(name, x, 4.0, 10.0, 10.0);
        picture.text("ink", Anchor::Left, (x + 14.0, 13.5), DIGITS_PX, name);
        x += 24.0 + Picture::text_width(name, DIGITS_PX);
    }
    for (row, (point, losses)) in bars.iter().enumerate() {
        let y = TOP_PX + row as f64 * PITCH_PX;
        let threads = point.threads.to_string();
        picture.text("faint", Anchor::Right, (LEFT_PX - 6.0, y + 14.5), DIGITS_PX, &threads);
        let mut x = LEFT_PX;
        for (place, share) in losses.parts() {
            let width = share * (RIGHT_PX - LEFT_PX);
            // Narrower ones cannot be seen.
            if width >= 0.1 {
                picture.rect(place.name(), x, y, width, BAR_PX);
            }
            x += width;
        }
    }
    Some(picture)
}

/// A row for each worker: when it was busy, with the most threads that have a processor each.
pub(crate) fn timeline(report: &Report) -> Option<Picture> {
    const LEFT_PX: f64 = 34.0;
    const RIGHT_PX: f64 = WIDTH_PX - 8.0;
    const TOP_PX: f64 = 4.0;
    let workers = report.main_point()?.workers.as_ref()?;
    let rows = workers.loads.len() as f64;
    // From a row to the next: the rows are 240 high together, unless they become too thin or too thick.
    let pitch = (240.0 / rows).clamp(5.0, 22.0);
    let bar = pitch * 0.8;
    let bottom = TOP_PX + rows * pitch;
    let px_per_second = (RIGHT_PX - LEFT_PX) / workers.wall;
    let in_words = workers.loads.iter().enumerate().map(|(number, load)| {
        format!("worker {number} busy {}", percent(load.busy / workers.wall))
    });
    let in_words: Vec<String> = in_words.collect();
    let mut picture = Picture::new(WIDTH_PX, bottom + 22.0, &in_words.join(", "));
    for (number, load) in workers.loads.iter().enumerate() {
        let y = TOP_PX + number as f64 * pitch;
        // Thin rows have space for the number of every fourth worker only.
        if pitch >= 11.0 || number % 4 == 0 {
            let at = (LEFT_PX - 6.0, y + bar / 2.0 + 4.0);
            picture.text("faint", Anchor::Right, at, DIGITS_PX, &number.to_string());
        }
        picture.rect("idle", LEFT_PX, y, RIGHT_PX - LEFT_PX, bar);
        let mut path = String::new();
        for &(start, end) in &load.stretches {
            let x = LEFT_PX + start * px_per_second;
            let width = ((end - start) * px_per_second).max(0.1);
            path += &format!("M{x:.1} {y:.1}h{width:.1}v{bar:.1}h-{width:.1}z");
        }
        picture.area("useful", path);
    }
    let axis = Axis::from_zero("", workers.wall, seconds);
    for (value, text) in axis.ticks.iter().filter(|(value, _)| *value <= workers.wall) {
        let x = LEFT_PX + value * px_per_second;
        // A text in the middle of the last tick would reach beyond the picture.
        let anchor = if x > RIGHT_PX - 24.0 { Anchor::Right } else { Anchor::Middle };
        picture.line("faint", 1.0, (x, bottom), (x, bottom + 4.0));
        picture.text("faint", anchor, (x, bottom + 17.0), DIGITS_PX, text);
    }
    Some(picture)
}

/// A number on an axis: `1,024`, `0.25`.
fn number_on_axis(value: f64) -> String {
    if value < 1.0 { format!("{value}") } else { grouped(value as u64) }
}

/// A share on an axis: `20 %`.
fn whole_percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The curve of the best fit. `value` turns a speed-up over the fewest threads and its number of threads into the value drawn.
fn fitted(report: &Report, value: impl Fn(f64, f64) -> f64) -> Option<Polyline> {
    /// Straight pieces of which the curve is made.
    const PIECES: u32 = 60;
    let curve = report.best_fit()?.curve;
    let name = if curve.law == Law::Universal { "scalability law" } else { curve.law.name() };
    let fewest = report.baseline() as f64;
    let range = report.most_threads() as f64 - fewest;
    let corners = (0..=PIECES).map(|corner| {
        let threads = fewest + range * f64::from(corner) / f64::from(PIECES);
        (threads, value(curve.time(fewest) / curve.time(threads), threads))
    });
    Some(Polyline::new("orange", "7 5", name, corners.collect()))
}

/// The measured curve. The values drawn are the speed-ups times the `factor` of their points.
fn measured(report: &Report, factor: impl Fn(&Point) -> f64) -> Polyline {
    curve("blue", "", measured_name(report), report, |point| {
        let factor = factor(point);
        let interval = point.speedup_interval;
        Some((point.speedup * factor, interval.map(|interval| interval.map(|end| end * factor))))
    })
}

fn measured_name(report: &Report) -> String {
    format!("measured, {}", report.interval_name())
}

/// The curve of a `figure` with its interval over the number of threads.
fn curve(
    stroke: &'static str,
    dashes: &'static str,
    name: impl Into<String>,
    report: &Report,
    figure: impl Fn(&Point) -> Option<(f64, Option<Interval>)>,
) -> Polyline {
    let line = Polyline::new(stroke, dashes, name, Vec::new());
    let mut line = Polyline { dots: true, ..line };
    for point in &report.results {
        let Some((value, interval)) = figure(point) else { continue };
        let threads = point.threads as f64;
        line.points.push((threads, value));
        line.intervals.extend(interval.map(|Interval { low, high, .. }| (threads, low, high)));
    }
    line
}

fn threads_axis(points: &[Point]) -> Axis {
    Axis::with_ticks_at("threads", &points.iter().map(|p| p.threads).collect::<Vec<_>>())
}

/// The text for screen readers: `figure` as `show` gives it, at every thread count.
fn describe(report: &Report, figure: &str, show: impl Fn(&Point) -> String) -> String {
    let points = report.results.iter();
    let values: Vec<String> =
        points.map(|p| format!("{} at {}", show(p), counted(p.threads, "thread"))).collect();
    format!("{figure} of {}: {}", report.subject.problem, values.join(", "))
}
