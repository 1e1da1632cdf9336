//! Curves over two logarithmic axes.

use super::svg::{Anchor, Svg};

/// A named curve; points with a coordinate that is not positive are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Shown beside its last point.
    pub name: String,
    /// In drawing order.
    pub points: Vec<(f64, f64)>,
}

const STROKES: [&str; 7] = ["blue", "orange", "green", "red", "violet", "teal", "faint"];
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 86.0;
const RIGHT: f64 = 580.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 400.0;

/// One axis: powers of ten onto pixels.
struct Axis {
    low: i32,
    high: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (least, most) = values
            .fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), v| (least.min(v), most.max(v)));
        let low = least.min(most).log10().floor() as i32;
        let high = (most.log10().ceil() as i32).max(low + 1);
        Axis { low, high, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        (self.low..=self.high).map(|power| {
            let value = 10f64.powi(power);
            (value, self.at(value))
        })
    }
}

/// Curves of `y_name` over `x_name`; `y_tick` writes the numbers of the y axis.
pub fn log_log(
    title: &str,
    x_name: &str,
    y_name: &str,
    y_tick: impl Fn(f64) -> String,
    series: &[Series],
) -> String {
    let points = || {
        series.iter().flat_map(|s| s.points.iter().copied()).filter(|&(x, y)| x > 0.0 && y > 0.0)
    };
    let mut svg = Svg::new(WIDTH, HEIGHT, title);
    svg.text("ink", Anchor::Left, (LEFT, 32.0), 14.0, false, title);
    if points().next().is_some() {
        let x_axis = Axis::over(points().map(|point| point.0), LEFT, RIGHT);
        let y_axis = Axis::over(points().map(|point| point.1), BOTTOM, TOP);
        draw_axes(&mut svg, &x_axis, &y_axis, y_tick);
        draw_series(&mut svg, &x_axis, &y_axis, series);
    }
    let middle = (LEFT + RIGHT) / 2.0;
    svg.text("ink", Anchor::Middle, (middle, BOTTOM + 44.0), 11.0, false, x_name);
    svg.text("ink", Anchor::Left, (14.0, TOP - 10.0), 11.0, false, y_name);
    svg.finish()
}

fn draw_axes(svg: &mut Svg, x_axis: &Axis, y_axis: &Axis, y_tick: impl Fn(f64) -> String) {
    for (value, x) in x_axis.ticks() {
        svg.line("grid", 1.0, (x, TOP), (x, BOTTOM));
        let label = grouped(value);
        svg.text("ink", Anchor::Middle, (x, BOTTOM + 20.0), 10.0, false, &label);
    }
    for (value, y) in y_axis.ticks() {
        svg.line("grid", 1.0, (LEFT, y), (RIGHT, y));
        svg.text("ink", Anchor::Right, (LEFT - 8.0, y + 5.0), 10.0, false, &y_tick(value));
    }
}

fn draw_series(svg: &mut Svg, x_axis: &Axis, y_axis: &Axis, series: &[Series]) {
    let mut labels = Vec::new();
    for (curve, stroke) in series.iter().zip(STROKES.iter().cycle()) {
        let points: Vec<(f64, f64)> = curve
            .points
            .iter()
            .filter(|&&(x, y)| x > 0.0 && y > 0.0)
            .map(|&(x, y)| (x_axis.at(x), y_axis.at(y)))
            .collect();
        for pair in points.windows(2) {
            svg.line(stroke, 2.2, pair[0], pair[1]);
        }
        for &(x, y) in &points {
            // A stroke of no length is a round dot in the curve's own colour.
            svg.line(stroke, 7.0, (x, y), (x, y + 0.01));
        }
        if let Some(&last) = points.last() {
            labels.push((last, *stroke, curve.name.as_str()));
        }
    }
    draw_labels(svg, labels);
}

/// Names at the right, in the order of the curves' ends, moved apart where they would touch.
fn draw_labels(svg: &mut Svg, mut labels: Vec<((f64, f64), &str, &str)>) {
    const APART: f64 = 20.0;
    labels.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    let mut next = TOP;
    for ((x, end), stroke, name) in labels {
        let y = end.max(next);
        next = y + APART;
        svg.line("grid", 1.0, (x + 6.0, end), (RIGHT + 10.0, y));
        svg.text(stroke, Anchor::Left, (RIGHT + 16.0, y + 5.0), 10.5, false, name);
    }
}

/// A power of ten with commas, or as it is below 1.
fn grouped(value: f64) -> String {
    let digits = format!("{value}");
    if value < 1.0 {
        return digits;
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_covers_its_values() {
        let axis = Axis::over([3.0, 200.0].into_iter(), 0.0, 300.0);
        assert_eq!((axis.low, axis.high), (0, 3));
        assert!((axis.at(100.0) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn no_points_are_no_trouble() {
        let empty = Series { name: "none".to_owned(), points: vec![(0.0, 1.0)] };
        assert!(log_log("t", "x", "y", |v| v.to_string(), &[empty]).contains("</svg>"));
    }
}
