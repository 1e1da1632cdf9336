//! Line charts: linear or logarithmic axes, curves with intervals, a legend above the plot. All lengths are CSS pixels.

use crate::picture::{Anchor, Picture};

/// Width and height of a chart that has others beside it. Its text stays readable if a phone shows it 340 pixels wide.
pub const SMALL_SIZE_PX: (f64, f64) = (420.0, 290.0);
/// Height of the digits of all text.
pub const DIGITS_PX: f64 = 8.0;

// Space around the plot, for the axes and their labels.
const LEFT_PX: f64 = 66.0;
const RIGHT_PX: f64 = 20.0;
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
        // A maximum that is a multiple of the step but for rounding needs no further step.
        let steps = (max / step - 1e-9).ceil().max(1.0);
        let ticks = (0..=steps as usize).map(|number| number as f64 * step);
        let ticks = ticks.map(|value| (value, show(value))).collect();
        Self { label: label.into(), from: 0.0, to: steps * step, ticks, logarithmic: false }
    }

    /// From 0 to a little above the largest of `values`, which ascend. The values are the ticks, except those too close
    /// to a larger one.
    pub fn with_ticks_at(label: &str, values: &[usize]) -> Self {
        let to = values.iter().copied().max().unwrap_or(1) as f64 * 1.04;
        // The texts of ticks that are closer would touch.
        let min_distance = to / 16.0;
        let mut ticks: Vec<(f64, String)> = Vec::new();
        for &value in values.iter().rev() {
            let position = value as f64;
            if ticks.last().is_none_or(|(larger, _)| larger - position >= min_distance) {
                ticks.push((position, value.to_string()));
            }
        }
        Self { label: label.into(), from: 0.0, to, ticks, logarithmic: false }
    }

    /// A logarithmic axis from the least to the largest of `values`, which are all above 0. The ticks are at most
    /// eight powers of `base`, or round numbers if fewer than two powers lie between the ends.
    pub fn logarithmic(
        label: &str,
        base: f64,
        values: impl Iterator<Item = f64>,
        show: impl Fn(f64) -> String,
    ) -> Self {
        let (least, most) = values.fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        // Without values the least is above the most. With one value the axis has to have a length.
        let least = least.min(most);
        let most = most.max(least * base);
        // A fiftieth of the axis stays free at each end.
        let margin = (most / least).powf(0.02);
        let from = least / margin;
        let to = most * margin;
        let exponents = (from.log(base).ceil() as i32)..=(to.log(base).floor() as i32);
        let step = exponents.clone().count().div_ceil(8).max(1);
        let mut ticks: Vec<f64> =
            exponents.step_by(step).map(|exponent| base.powi(exponent)).collect();
        if ticks.len() < 2 {
            let step = round_step((to - from) / 5.0);
            let multiples = (from / step).ceil() as u64..=(to / step).floor() as u64;
            ticks = multiples.map(|multiple| multiple as f64 * step).collect();
        }
        let ticks = ticks.into_iter().map(|value| (value, show(value))).collect();
        Self { label: label.into(), from, to, ticks, logarithmic: true }
    }

    /// The place of `value` on the axis, from 0 to 1. A value beyond an end is placed at that end.
    fn place(&self, value: f64) -> f64 {
        let from = self.scaled(self.from);
        let to = self.scaled(self.to);
        ((self.scaled(value) - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// `value` in a unit of which equal amounts take equal distances on the axis.
    fn scaled(&self, value: f64) -> f64 {
        if self.logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value }
    }
}

/// The least of 1, 2 and 5 times the powers of ten that is `wanted` or more.
fn round_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.max(1e-12).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    // A step that falls short by a rounding error is large enough.
    steps.into_iter().find(|step| *step >= wanted * 0.999).unwrap_or(10.0 * power)
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
    /// The interval at each point: (x, low, high); empty for a curve without intervals. They are drawn as a tinted band,
    /// and as whiskers if the curve has dots.
    pub intervals: Vec<(f64, f64, f64)>,
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
        Self { stroke, dashes, label: label.into(), points, intervals: Vec::new(), dots: false }
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
        let mut picture = Picture::new(self.size.0, self.size.1, &self.description);
        let legend_lines = self.draw_legend(&mut picture);
        let plot = Plot { chart: self, top: 10.0 + legend_lines as f64 * LEGEND_LINE_PX };
        plot.draw_axes(&mut picture);
        // All bands lie behind all curves.
        self.lines.iter().for_each(|line| plot.draw_band(&mut picture, line));
        self.lines.iter().for_each(|line| plot.draw_line(&mut picture, line));
        picture
    }

    /// Draws the legend above the plot, a sample of each curve with its label. Returns how many lines it takes.
    fn draw_legend(&self, picture: &mut Picture) -> usize {
        const SAMPLE_PX: f64 = 20.0;
        const AFTER_SAMPLE_PX: f64 = 6.0;
        const AFTER_LABEL_PX: f64 = 14.0;
        let mut x = LEFT_PX;
        let mut full_lines = 0;
        for Polyline { stroke, dashes, label, .. } in &self.lines {
            let label_width = Picture::text_width(label, DIGITS_PX);
            let width = SAMPLE_PX + AFTER_SAMPLE_PX + label_width + AFTER_LABEL_PX;
            if x + width > self.size.0 && x > LEFT_PX {
                x = LEFT_PX;
                full_lines += 1;
            }
            let y = 16.0 + full_lines as f64 * LEGEND_LINE_PX;
            let sample = format!("M{x:.1} {:.1}h{SAMPLE_PX}", y - DIGITS_PX / 2.0);
            picture.dashed(stroke, 2.0, dashes, sample);
            let label_at = (x + SAMPLE_PX + AFTER_SAMPLE_PX, y);
            picture.text("ink", Anchor::Left, label_at, DIGITS_PX, label);
            x += width;
        }
        full_lines + 1
    }
}

/// The part of a chart below its legend.
struct Plot<'a> {
    chart: &'a Chart,
    /// Where the axis goes up to: the legend ends there.
    top: f64,
}

impl Plot<'_> {
    fn bottom(&self) -> f64 {
        self.chart.size.1 - BOTTOM_PX
    }

    fn right(&self) -> f64 {
        self.chart.size.0 - RIGHT_PX
    }

    /// Where the values `x` and `y` lie in the picture.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = self.chart.x.place(x) * (self.right() - LEFT_PX);
        let up = self.chart.y.place(y) * (self.bottom() - self.top);
        (LEFT_PX + across, self.bottom() - up)
    }

    fn draw_axes(&self, picture: &mut Picture) {
        let bottom = self.bottom();
        let right = self.right();
        let Chart { x, y, .. } = self.chart;
        for (value, text) in &y.ticks {
            let (_, height) = self.at(x.from, *value);
            picture.line("grid", 1.0, (LEFT_PX, height), (right, height));
            picture.text("faint", Anchor::Right, (LEFT_PX - 6.0, height + 4.0), DIGITS_PX, text);
        }
        for (value, text) in &x.ticks {
            let (across, _) = self.at(*value, y.from);
            picture.line("faint", 1.0, (across, bottom), (across, bottom + 4.0));
            picture.text("faint", Anchor::Middle, (across, bottom + 17.0), DIGITS_PX, text);
        }
        picture.path("faint", 1.0, format!("M{LEFT_PX} {:.1}V{bottom}H{right}", self.top));
        let middle = ((LEFT_PX + right) / 2.0, bottom + 36.0);
        picture.text("ink", Anchor::Middle, middle, DIGITS_PX, &x.label);
        picture.text_upward("ink", (13.0, (self.top + bottom) / 2.0), DIGITS_PX, &y.label);
    }

    fn draw_band(&self, picture: &mut Picture, line: &Polyline) {
        if line.intervals.len() > 1 {
            let upper = line.intervals.iter().map(|&(x, _, high)| self.at(x, high));
            let lower = line.intervals.iter().rev().map(|&(x, low, _)| self.at(x, low));
            picture.area("tint", path(upper.chain(lower)) + "z");
        }
    }

    fn draw_line(&self, picture: &mut Picture, line: &Polyline) {
        let points = || line.points.iter().map(|&(x, y)| self.at(x, y));
        picture.dashed(line.stroke, 2.0, line.dashes, path(points()));
        for &(x, low, high) in line.intervals.iter().filter(|_| line.dots) {
            let (across, bottom) = self.at(x, low);
            let (_, top) = self.at(x, high);
            // The crossbars at the ends are 8 wide.
            let left = across - 4.0;
            let mut whisker = format!("M{across:.1} {bottom:.1}V{top:.1}M{left:.1} {bottom:.1}h8");
            // An interval that reaches beyond the axis has no crossbar there.
            if high <= self.chart.y.to {
                whisker += &format!("M{left:.1} {top:.1}h8");
            }
            picture.path(line.stroke, 1.2, whisker);
        }
        for (x, y) in points().filter(|_| line.dots) {
            // A stroke of no length is a round dot in the curve's own colour.
            picture.line(line.stroke, 7.0, (x, y), (x, y + 0.01));
        }
    }
}

/// The path of SVG through these points.
fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (x, y) in points {
        path.push(if path.is_empty() { 'M' } else { 'L' });
        path += &format!("{x:.1} {y:.1}");
    }
    path
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
        let axis = Axis::with_ticks_at("threads", &[1, 2, 4, 8, 16, 32, 64, 128]);
        let shown: Vec<&str> = axis.ticks.iter().map(|t| t.1.as_str()).collect();
        assert_eq!(shown, ["128", "64", "32", "16", "4"]);
    }

    #[test]
    fn logarithmic_axes_begin_and_end_where_the_values_do() {
        let axis = Axis::logarithmic("n", 10.0, [8.0, 100_000.0].into_iter(), |v| v.to_string());
        assert!(axis.from > 6.0 && axis.to < 150_000.0, "{axis:?}");
        let ticks: Vec<f64> = axis.ticks.iter().map(|tick| tick.0).collect();
        assert_eq!(ticks, [10.0, 100.0, 1000.0, 10_000.0, 100_000.0]);
        let middle = (8.0f64 * 100_000.0).sqrt();
        assert!((axis.place(middle) - 0.5).abs() < 1e-9);
        assert_eq!((axis.place(0.0), axis.place(1e9)), (0.0, 1.0));
        // With fewer than two powers between the ends, the ticks are round numbers.
        let axis = Axis::logarithmic("time", 2.0, [1.05, 3.31].into_iter(), |v| v.to_string());
        let ticks: Vec<&str> = axis.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(ticks, ["1.5", "2", "2.5", "3"]);
        // One value alone, or none, is no trouble.
        for values in [&[3.0][..], &[]] {
            let axis = Axis::logarithmic("", 2.0, values.iter().copied(), |v| v.to_string());
            assert!(axis.from < axis.to && axis.from > 0.0, "{axis:?}");
        }
    }

    #[test]
    fn an_interval_beyond_the_axis_has_no_end_there() {
        let axis = || Axis::from_zero("", 2.0, |v| v.to_string());
        let ends = |high| {
            let intervals = vec![(1.0, 0.5, high)];
            let line = Polyline::new("blue", "", "", vec![(1.0, 1.0)]);
            let lines = vec![Polyline { intervals, dots: true, ..line }];
            let chart =
                Chart { description: "".into(), size: SMALL_SIZE_PX, x: axis(), y: axis(), lines };
            chart.draw().svg().matches("h8").count()
        };
        assert_eq!((ends(2.0), ends(2.1)), (2, 1));
    }

    #[test]
    fn descriptions_cannot_break_out_of_the_picture() {
        let axis = || Axis::from_zero("<x>", 1.0, |v| v.to_string());
        let lines = vec![Polyline::new("blue", "", "<b>\"&", Vec::new())];
        let description = "\"<b>".into();
        let chart = Chart { description, size: SMALL_SIZE_PX, x: axis(), y: axis(), lines };
        let svg = chart.draw().svg();
        assert!(!svg.contains("<b>") && !svg.contains("<x>") && svg.contains("&quot;&lt;"));
    }
}
