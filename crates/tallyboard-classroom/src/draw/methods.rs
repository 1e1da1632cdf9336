//! The chart that compares the methods of placing queens.

use tallyboard_base::figures::{grouped, seconds};
use tallyboard_picture::chart::{Axis, Chart, Polyline};
use tallyboard_picture::picture::Picture;
use tallyboard_queens::place::compare::Measurement;

const STROKES: [&str; 7] = ["blue", "orange", "green", "red", "violet", "teal", "faint"];

/// Time over board size, a curve for each method, both axes logarithmic.
pub fn methods(rows: &[Measurement]) -> Picture {
    let mut lines: Vec<Polyline> = Vec::new();
    for row in rows {
        // The rows of a method follow each other.
        if lines.last().is_none_or(|last| last.label != row.method) {
            let stroke = STROKES[lines.len() % STROKES.len()];
            let line = Polyline::new(stroke, "", &row.method, Vec::new());
            lines.push(Polyline { dots: true, ..line });
        }
        // A logarithmic axis has no place for 0.
        let seconds = row.seconds.filter(|&seconds| seconds > 0.0);
        if let Some((line, seconds)) = lines.last_mut().zip(seconds) {
            line.points.push((row.n.into(), seconds));
        }
    }
    lines.retain(|line| !line.points.is_empty());
    let points = || lines.iter().flat_map(|line| &line.points);
    let x = Axis::logarithmic("n", 10.0, points().map(|point| point.0), |n| grouped(n as u64));
    let y = Axis::logarithmic("time of one solution", 10.0, points().map(|point| point.1), seconds);
    let description = "time of one solution of n queens, by method".to_owned();
    Chart { description, size: (680.0, 440.0), x, y, lines }.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_solved_nothing_is_left_out() {
        let row = |method: &str, seconds| Measurement {
            method: method.to_owned(),
            n: 8,
            tries: 1,
            solved: 1,
            seconds,
            steps: None,
            restarts: None,
        };
        let svg = methods(&[row("one", Some(1e-3)), row("two", None)]).svg();
        assert!(svg.contains("class=\"blue\"") && !svg.contains("class=\"orange\""));
        assert!(methods(&[]).svg().contains("</svg>"));
    }
}
