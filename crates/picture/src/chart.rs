//! Line charts: linear or logarithmic axes, curves with intervals, a legend above the plot. All lengths are CSS
//! pixels.

use crate::picture::{Anchor, Picture};

/// Width and height of a chart in a row of charts, in CSS pixels. Text stays readable if a phone shows it 340
/// pixels wide.
pub const SMALL: (f64, f64) = (420.0, 290.0);
/// Height of the digits of all text, in CSS pixels.
pub const TEXT: f64 = 8.5;

const LEFT_PX: f64 = 60.0;
const RIGHT_PX: f64 = 14.0;
const BOTTOM_PX: f64 = 42.0;
/// Height of one line of the legend.
const LEGEND_LINE_PX: f64 = 17.0;

/// One axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// Value at the origin.
    pub from: f64,
    /// Value at the end.
    pub to: f64,
    /// Marked values and their text.
    pub ticks: Vec<(f64, String)>,
    /// Whether the axis is logarithmic: equal distances stand for equal factors.
    pub logarithmic: bool,
}

impl Axis {
    /// From 0 to at least `max`, with four to eight round ticks.
    pub fn from_zero(label: &str, max: f64, show: impl Fn(f64) -> String) -> Self {
        let step = round_step(max / 5.0);
        let count = (max / step - 1e-9).ceil().max(1.0);
        let ticks = (0..=count as usize).map(|i| i as f64 * step).map(|v| (v, show(v)));
        let (label, to) = (label.into(), count * step);
        Self { label, from: 0.0, to, ticks: ticks.collect(), logarithmic: false }
    }

    /// From 0 to a little above the largest of `values`. The values are the ticks, except those too close to a larger
    /// one.
    pub fn at(label: &str, values: &[usize]) -> Self {
        let to = values.iter().copied().max().unwrap_or(1) as f64 * 1.04;
        let mut ticks: Vec<(f64, String)> = Vec::new();
        for &value in values.iter().rev() {
            let v = value as f64;
            if ticks.last().is_none_or(|(last, _)| last - v >= to / 16.0) {
                ticks.push((v, value.to_string()));
            }
        }
        Self { label: label.into(), from: 0.0, to, ticks, logarithmic: false }
    }

    /// A logarithmic axis from the least to the largest of `values`, which are all above 0. The ticks are at most
    /// eight powers of `base`, or round numbers if fewer than two powers lie between the ends.
    pub fn powers(
        label: &str,
        base: f64,
        values: impl Iterator<Item = f64>,
        show: impl Fn(f64) -> String,
    ) -> Self {
        let ends = values.fold((f64::MAX, f64::MIN_POSITIVE), |(a, b), v| (a.min(v), b.max(v)));
        let (least, most) = (ends.0.min(ends.1), ends.1.max(ends.0.min(ends.1) * base));
        let room = (most / least).powf(0.02);
        let (from, to) = (least / room, most * room);
        let powers = (from.log(base).ceil() as i32)..=(to.log(base).floor() as i32);
        let step = powers.clone().count().div_ceil(8).max(1);
        let mut ticks: Vec<f64> = powers.step_by(step).map(|k| base.powi(k)).collect();
        if ticks.len() < 2 {
            let step = round_step((to - from) / 5.0);
            let steps = (from / step).ceil() as u64..=(to / step).floor() as u64;
            ticks = steps.map(|k| k as f64 * step).collect();
        }
        let ticks = ticks.into_iter().map(|v| (v, show(v))).collect();
        Self { label: label.into(), from, to, ticks, logarithmic: true }
    }

    /// The place of `value` on the axis, from 0 to 1. A value beyond an end is placed at that end.
    fn share(&self, value: f64) -> f64 {
        let place = |v: f64| if self.logarithmic { v.max(f64::MIN_POSITIVE).ln() } else { v };
        let (from, to) = (place(self.from), place(self.to));
        ((place(value) - from) / (to - from)).clamp(0.0, 1.0)
    }
}

/// 1, 2 or 5 times a power of ten, at least `wanted`.
fn round_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.max(1e-12).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
    steps.into_iter().find(|s| *s >= wanted * 0.999).unwrap_or(10.0 * power)
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Polyline {
    /// Its colour, a class of [`Picture`] for strokes.
    pub stroke: &'static str,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dashes: &'static str,
    /// Entry in the legend.
    pub label: String,
    /// Corners of the curve.
    pub points: Vec<(f64, f64)>,
    /// The interval at each point: (x, low, high); empty for a curve without intervals.
    pub band: Vec<(f64, f64, f64)>,
    /// Whether the corners are marked by dots.
    pub dots: bool,
}

impl Polyline {
    /// A curve without intervals and dots.
    pub fn new(
        stroke: &'static str,
        dashes: &'static str,
        label: impl Into<String>,
        points: Vec<(f64, f64)>,
    ) -> Self {
        Self { stroke, dashes, label: label.into(), points, band: Vec::new(), dots: false }
    }
}

/// A line chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The text for screen readers.
    pub description: String,
    /// Width and height.
    pub size: (f64, f64),
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The curves; the first is drawn behind the others.
    pub lines: Vec<Polyline>,
}

impl Chart {
    /// The picture.
    pub fn draw(&self) -> Picture {
        let mut svg = Picture::new(self.size.0, self.size.1, &self.description);
        let rows = self.legend(&mut svg);
        let plot = Plot { chart: self, top: 10.0 + rows as f64 * LEGEND_LINE_PX };
        plot.axes(&mut svg);
        self.lines.iter().for_each(|line| plot.band(&mut svg, line));
        self.lines.iter().for_each(|line| plot.line(&mut svg, line));
        svg
    }

    /// The legend above the plot; returns how many rows it takes.
    fn legend(&self, svg: &mut Picture) -> usize {
        const LEGEND_SAMPLE_PX: f64 = 20.0;
        let (mut x, mut row) = (LEFT_PX, 0);
        for line in &self.lines {
            let width = LEGEND_SAMPLE_PX + 6.0 + Picture::text_width(&line.label, TEXT) + 14.0;
            if x + width > self.size.0 && x > LEFT_PX {
                (x, row) = (LEFT_PX, row + 1);
            }
            let y = 16.0 + row as f64 * LEGEND_LINE_PX;
            let sample = format!("M{x:.1} {:.1}h{LEGEND_SAMPLE_PX}", y - TEXT / 2.0);
            svg.dashed(line.stroke, 2.0, line.dashes, sample);
            svg.text(
                "ink",
                Anchor::Left,
                (x + LEGEND_SAMPLE_PX + 6.0, y),
                TEXT,
                false,
                &line.label,
            );
            x += width;
        }
        row + 1
    }
}

/// A chart whose legend has been drawn.
struct Plot<'a> {
    chart: &'a Chart,
    top: f64,
}

impl Plot<'_> {
    fn bottom(&self) -> f64 {
        self.chart.size.1 - BOTTOM_PX
    }

    fn right(&self) -> f64 {
        self.chart.size.0 - RIGHT_PX
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = LEFT_PX + self.chart.x.share(x) * (self.right() - LEFT_PX);
        (across, self.bottom() - self.chart.y.share(y) * (self.bottom() - self.top))
    }

    fn axes(&self, svg: &mut Picture) {
        let (bottom, right) = (self.bottom(), self.right());
        let Chart { x, y, .. } = self.chart;
        for (value, text) in &y.ticks {
            let at = self.at(x.from, *value).1;
            svg.line("grid", 1.0, (LEFT_PX, at), (right, at));
            svg.text("faint", Anchor::Right, (LEFT_PX - 6.0, at + 4.0), TEXT, false, text);
        }
        for (value, text) in &x.ticks {
            let at = self.at(*value, y.from).0;
            svg.line("faint", 1.0, (at, bottom), (at, bottom + 4.0));
            svg.text("faint", Anchor::Middle, (at, bottom + 17.0), TEXT, false, text);
        }
        svg.path("faint", 1.0, format!("M{LEFT_PX} {:.1}V{bottom}H{right}", self.top));
        let middle = ((LEFT_PX + right) / 2.0, bottom + 36.0);
        svg.text("ink", Anchor::Middle, middle, TEXT, false, &x.label);
        svg.text_upward("ink", (13.0, (self.top + bottom) / 2.0), TEXT, &y.label);
    }

    fn band(&self, svg: &mut Picture, line: &Polyline) {
        if line.band.len() > 1 {
            let upper = line.band.iter().map(|&(x, _, high)| self.at(x, high));
            let lower = line.band.iter().rev().map(|&(x, low, _)| self.at(x, low));
            svg.area("tint", path(upper.chain(lower)) + "z");
        }
    }

    fn line(&self, svg: &mut Picture, line: &Polyline) {
        let points = || line.points.iter().map(|&(x, y)| self.at(x, y));
        svg.dashed(line.stroke, 2.0, line.dashes, path(points()));
        for &(x, low, high) in line.band.iter().filter(|_| line.dots) {
            let ((at, from), (_, to)) = (self.at(x, low), self.at(x, high));
            let left = at - 4.0;
            let mut whisker = format!("M{at:.1} {from:.1}V{to:.1}M{left:.1} {from:.1}h8");
            // An interval that reaches beyond the axis has no crossbar there.
            if high <= self.chart.y.to {
                whisker += &format!("M{left:.1} {to:.1}h8");
            }
            svg.path(line.stroke, 1.2, whisker);
        }
        for (x, y) in points().filter(|_| line.dots) {
            // A stroke of no length is a round dot in the curve's own colour.
            svg.line(line.stroke, 7.0, (x, y), (x, y + 0.01));
        }
    }
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let verb = |at| if at == 0 { 'M' } else { 'L' };
    points.enumerate().map(|(at, (x, y))| format!("{}{x:.1} {y:.1}", verb(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.7, 1.0, 1.3, 3.0, 60.0].map(round_step), [1.0, 1.0, 2.0, 5.0, 100.0]);
    }

    #[test]
    fn axes_reach_their_maximum() {
        let axis = Axis::from_zero("", 7.3, |v| v.to_string());
        assert_eq!((axis.to, axis.ticks.len()), (8.0, 5));
        let axis = Axis::at("threads", &[1, 2, 4, 8, 16, 32, 64, 128]);
        let shown: Vec<&str> = axis.ticks.iter().map(|t| t.1.as_str()).collect();
        assert_eq!(shown, ["128", "64", "32", "16", "4"]);
    }

    #[test]
    fn powers_begin_and_end_where_the_values_do() {
        let axis = Axis::powers("n", 10.0, [8.0, 100_000.0].into_iter(), |v| v.to_string());
        assert!(axis.from > 6.0 && axis.to < 150_000.0, "{axis:?}");
        let ticks: Vec<f64> = axis.ticks.iter().map(|tick| tick.0).collect();
        assert_eq!(ticks, [10.0, 100.0, 1000.0, 10_000.0, 100_000.0]);
        let middle = (8.0f64 * 100_000.0).sqrt();
        assert!((axis.share(middle) - 0.5).abs() < 1e-9);
        assert_eq!((axis.share(0.0), axis.share(1e9)), (0.0, 1.0));
        // With fewer than two powers between the ends, the ticks are round numbers.
        let axis = Axis::powers("time", 2.0, [1.05, 3.31].into_iter(), |v| v.to_string());
        let ticks: Vec<&str> = axis.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(ticks, ["1.5", "2", "2.5", "3"]);
        // One value alone, or none, is no trouble.
        for values in [&[3.0][..], &[]] {
            let axis = Axis::powers("", 2.0, values.iter().copied(), |v| v.to_string());
            assert!(axis.from < axis.to && axis.from > 0.0, "{axis:?}");
        }
    }

    #[test]
    fn an_interval_beyond_the_axis_has_no_end_there() {
        let axis = || Axis::from_zero("", 2.0, |v| v.to_string());
        let ends = |high| {
            let band = vec![(1.0, 0.5, high)];
            let line =
                Polyline { band, dots: true, ..Polyline::new("blue", "", "", vec![(1.0, 1.0)]) };
            let lines = vec![line];
            let chart = Chart { description: "".into(), size: SMALL, x: axis(), y: axis(), lines };
            chart.draw().svg().matches("h8").count()
        };
        assert_eq!((ends(2.0), ends(2.1)), (2, 1));
    }

    #[test]
    fn descriptions_cannot_break_out_of_the_picture() {
        let axis = || Axis::from_zero("<x>", 1.0, |v| v.to_string());
        let lines = vec![Polyline::new("blue", "", "<b>\"&", Vec::new())];
        let description = "\"<b>".into();
        let chart = Chart { description, size: SMALL, x: axis(), y: axis(), lines };
        let svg = chart.draw().svg();
        assert!(!svg.contains("<b>") && !svg.contains("<x>") && svg.contains("&quot;&lt;"));
    }
}
