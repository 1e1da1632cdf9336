//! The parameters of a scaling law that come closest to measured times.

use super::model::{Curve, Law};

/// Least squares with contention and coherency kept at or above 0: solves with
/// every choice of the two held at 0 and takes the best that is allowed, which
/// for a convex problem of this size is the constrained optimum.
pub fn solve(law: Law, threads: &[f64], times: &[f64]) -> Curve {
    let choices: &[[bool; 2]] = match law {
        Law::Gustafson => return growing(threads, times),
        Law::Amdahl => &[[true, false], [false, false]],
        Law::Universal => &[[true, true], [true, false], [false, true], [false, false]],
    };
    let error = |c: &Curve| -> f64 {
        threads.iter().zip(times).map(|(&p, &t)| ((c.time(p) - t) / t).powi(2)).sum()
    };
    choices
        .iter()
        .filter_map(|&free| least_squares(law, free, threads, times))
        .filter(|c| c.one > 0.0 && c.contention >= 0.0 && c.coherency >= 0.0)
        .min_by(|a, b| error(a).total_cmp(&error(b)))
        .expect("a line through positive times always has a positive slope in 1/p")
}

/// Gustafson's law: 1 / T is a line over p - 1, from 1 / T1 with a slope between 0 and 1 / T1.
fn growing(threads: &[f64], times: &[f64]) -> Curve {
    let sum = |term: fn(f64, f64) -> f64| -> f64 {
        threads.iter().zip(times).map(|(&p, &t)| term(p - 1.0, t)).sum()
    };
    // Normal equations of t = t a + t x b over 1, x = p - 1: residuals relative to 1 / T.
    let (tt, ttx) = (sum(|_, t| t * t), sum(|x, t| t * t * x));
    let (ttxx, t, tx) = (sum(|x, t| t * t * x * x), sum(|_, t| t), sum(|x, t| t * x));
    let slope = (tt * tx - ttx * t) / (tt * ttxx - ttx * ttx);
    let start = (t - slope * ttx) / tt;
    let (start, slope) = if slope > start {
        // Faster than the workers are many: no serial share at all.
        let rate = (t + tx) / (tt + 2.0 * ttx + ttxx);
        (rate, rate)
    } else if slope < 0.0 {
        (t / tt, 0.0)
    } else {
        (start, slope)
    };
    let contention = 1.0 - slope / start;
    Curve { law: Law::Gustafson, one: 1.0 / start, contention, coherency: 0.0 }
}

/// Weighted least squares for `T1` and the parameters that are free.
fn least_squares(law: Law, free: [bool; 2], threads: &[f64], times: &[f64]) -> Option<Curve> {
    let used = [true, free[0], free[1]];
    // Normal equations, one row a parameter; unused ones pinned to 0.
    let mut rows = [[0.0f64; 4]; 3];
    for (&p, &t) in threads.iter().zip(times) {
        let basis = [1.0 / p, (p - 1.0) / p, p - 1.0].map(|b| b / t);
        for i in (0..3).filter(|&i| used[i]) {
            for j in (0..3).filter(|&j| used[j]) {
                rows[i][j] += basis[i] * basis[j];
            }
            rows[i][3] += basis[i];
        }
    }
    for i in (0..3).filter(|&i| !used[i]) {
        rows[i][i] = 1.0;
    }
    let [one, waiting, agreeing] = eliminate(rows)?;
    Some(Curve { law, one, contention: waiting / one, coherency: agreeing / one })
}

/// Gauss elimination with row exchange; `None` if the points do not determine
/// the parameters.
fn eliminate(mut rows: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let best =
            (column..3).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, best);
        let pivot = rows[column];
        if pivot[column].abs() < 1e-300 {
            return None;
        }
        for other in (0..3).filter(|&r| r != column) {
            let factor = rows[other][column] / pivot[column];
            for (cell, from) in rows[other].iter_mut().zip(pivot) {
                *cell -= factor * from;
            }
        }
    }
    Some([rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]])
}
