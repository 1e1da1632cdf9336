//! A small line chart as SVG, coloured by style classes so that one page or
//! file can be light and dark.

use std::fmt::Write as _;

/// Colours and fonts of every picture; see the file for the class names.
pub const STYLE: &str = include_str!("chart.css");

/// Width of every picture in its own units. Small, so that text stays readable
/// when a phone shows the picture 340 pixels wide.
pub const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// Height of one line of the legend.
const LEGEND: f64 = 17.0;

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
}

impl Axis {
    /// From 0 to at least `max`, with four to eight round ticks.
    #[must_use]
    pub fn from_zero(label: &str, max: f64, show: impl Fn(f64) -> String) -> Self {
        let step = round_step(max / 5.0);
        let count = (max / step - 1e-9).ceil().max(1.0);
        let ticks = (0..=count as usize).map(|i| i as f64 * step).map(|v| (v, show(v)));
        Self { label: label.into(), from: 0.0, to: count * step, ticks: ticks.collect() }
    }

    /// From 0 to the largest of `values`, which are the ticks as long as they
    /// keep their distance.
    #[must_use]
    pub fn at(label: &str, values: &[usize]) -> Self {
        let to = values.iter().copied().max().unwrap_or(1) as f64 * 1.04;
        let mut ticks: Vec<(f64, String)> = Vec::new();
        for &value in values.iter().rev() {
            let v = value as f64;
            if ticks.last().is_none_or(|(last, _)| last - v >= to / 16.0) {
                ticks.push((v, value.to_string()));
            }
        }
        Self { label: label.into(), from: 0.0, to, ticks }
    }
}

/// 1, 2 or 5 times a power of ten, at least `wanted`.
fn round_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.max(1e-12).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
    steps.into_iter().find(|s| *s >= wanted * 0.999).unwrap_or(10.0 * power)
}

/// One curve.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Style class: `measured`, `ideal`, `model`, `bound` or `second`.
    pub class: &'static str,
    /// Entry in the legend.
    pub label: String,
    /// Corners of the curve.
    pub points: Vec<(f64, f64)>,
    /// Interval about it: (x, low, high).
    pub band: Vec<(f64, f64, f64)>,
    /// Mark the corners.
    pub dots: bool,
}

/// A line chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Said aloud instead of the picture.
    pub description: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves, the first drawn at the back.
    pub lines: Vec<Line>,
}

impl Chart {
    /// The picture without colours of its own, for a page that holds [`STYLE`].
    #[must_use]
    pub fn svg(&self) -> String {
        svg(HEIGHT, &self.description, "", &self.body())
    }

    /// The picture as a file of its own, light or dark like its viewer.
    #[must_use]
    pub fn standalone(&self) -> String {
        let paper = format!("<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>");
        svg(HEIGHT, &self.description, STYLE, &(paper + &self.body()))
    }

    fn body(&self) -> String {
        let (legend, rows) = self.legend();
        let frame = Frame { top: 10.0 + rows as f64 * LEGEND, x: &self.x, y: &self.y };
        let mut out = legend;
        out += &frame.axes();
        for line in &self.lines {
            out += &frame.band(line);
        }
        for line in &self.lines {
            out += &frame.line(line);
        }
        out
    }

    /// The legend above the plot, and how many rows it takes.
    fn legend(&self) -> (String, usize) {
        let (mut out, mut x, mut row) = (String::new(), LEFT, 0);
        for line in &self.lines {
            let width = 30.0 + 6.4 * line.label.chars().count() as f64;
            if x + width > WIDTH && x > LEFT {
                (x, row) = (LEFT, row + 1);
            }
            let y = 12.0 + row as f64 * LEGEND;
            let _ = write!(
                out,
                "<path class=\"line {}\" d=\"M{x:.1} {:.1}h18\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                line.class,
                y - 4.0,
                x + 22.0,
                y,
                escape(&line.label)
            );
            x += width;
        }
        (out, row + 1)
    }
}

/// Where values lie on the picture.
struct Frame<'a> {
    top: f64,
    x: &'a Axis,
    y: &'a Axis,
}

impl Frame<'_> {
    fn px(&self, value: f64) -> f64 {
        let share = (value - self.x.from) / (self.x.to - self.x.from);
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    /// Values beyond the axis are drawn at its end.
    fn py(&self, value: f64) -> f64 {
        let share = ((value - self.y.from) / (self.y.to - self.y.from)).clamp(0.0, 1.0);
        let bottom = HEIGHT - BOTTOM;
        bottom - share * (bottom - self.top)
    }

    fn axes(&self) -> String {
        let mut out = String::new();
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for (value, text) in &self.y.ticks {
            let y = self.py(*value);
            let _ = write!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/><text class=\"tick end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                LEFT - 5.0,
                y + 4.0,
                escape(text)
            );
        }
        for (value, text) in &self.x.ticks {
            let x = self.px(*value);
            let _ = write!(
                out,
                "<path class=\"grid\" d=\"M{x:.1} {bottom}v4\"/><text class=\"tick middle\" x=\"{x:.1}\" y=\"{}\">{}</text>",
                bottom + 16.0,
                escape(text)
            );
        }
        let _ = write!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {:.1}V{bottom}H{right}\"/><text class=\"middle\" x=\"{:.1}\" y=\"{}\">{}</text><text class=\"middle\" transform=\"translate(11 {:.1}) rotate(-90)\">{}</text>",
            self.top,
            (LEFT + right) / 2.0,
            HEIGHT - 7.0,
            escape(&self.x.label),
            (self.top + bottom) / 2.0,
            escape(&self.y.label)
        );
        out
    }

    fn band(&self, line: &Line) -> String {
        if line.band.is_empty() {
            return String::new();
        }
        let upper = line.band.iter().map(|&(x, _, high)| (x, high));
        let lower = line.band.iter().rev().map(|&(x, low, _)| (x, low));
        let corners: Vec<(f64, f64)> = upper.chain(lower).collect();
        format!("<path class=\"band {}\" d=\"{}z\"/>", line.class, self.path(&corners))
    }

    fn line(&self, line: &Line) -> String {
        let mut out =
            format!("<path class=\"line {}\" d=\"{}\"/>", line.class, self.path(&line.points));
        for &(x, _, _) in line.band.iter().filter(|_| line.dots) {
            let (_, low, high) =
                line.band.iter().find(|b| b.0 == x).copied().unwrap_or((x, 0.0, 0.0));
            let (at, from, to) = (self.px(x), self.py(low), self.py(high));
            let _ = write!(
                out,
                "<path class=\"whisker {}\" d=\"M{at:.1} {from:.1}V{to:.1}M{:.1} {from:.1}h8M{:.1} {to:.1}h8\"/>",
                line.class,
                at - 4.0,
                at - 4.0
            );
        }
        for &(x, y) in line.points.iter().filter(|_| line.dots) {
            let (cx, cy) = (self.px(x), self.py(y));
            let _ = write!(
                out,
                "<circle class=\"dot {}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3.5\"/>",
                line.class
            );
        }
        out
    }

    fn path(&self, points: &[(f64, f64)]) -> String {
        let mut out = String::new();
        for (at, &(x, y)) in points.iter().enumerate() {
            let verb = if at == 0 { 'M' } else { 'L' };
            let _ = write!(out, "{verb}{:.1} {:.1}", self.px(x), self.py(y));
        }
        out
    }
}

/// Wraps `body` as a picture of the common width.
#[must_use]
pub fn svg(height: f64, description: &str, style: &str, body: &str) -> String {
    let described = escape(description);
    let style = if style.is_empty() { String::new() } else { format!("<style>{style}</style>") };
    format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{described}\">{style}<title>{described}</title>{body}</svg>"
    )
}

/// Text as it may stand in HTML and SVG.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
    fn labels_cannot_break_out_of_the_picture() {
        let line = Line { class: "measured", label: "<b>\"&".into(), ..Line::default() };
        let axis = || Axis::from_zero("<x>", 1.0, |v| v.to_string());
        let chart = Chart { description: "\"<".into(), x: axis(), y: axis(), lines: vec![line] };
        let svg = chart.standalone();
        assert!(!svg.contains("<b>") && !svg.contains("<x>") && svg.contains("&quot;&lt;"));
    }
}
