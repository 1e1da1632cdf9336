//! Amdahl's law, Gustafson's law and the universal scalability law, and the parameters that fit measured times best.
//!
//! `T(p)` is the time of one unit of work with `p` workers, `T1` that of one worker, `s` the contention and `k` the
//! coherency:
//!
//! ```text
//! universal (Gunther)   T(p) = T1 (1 + s (p - 1) + k p (p - 1)) / p
//! Amdahl                the same with k = 0: s is the serial fraction
//! Gustafson             T(p) = T1 / (p - s (p - 1)): s is the serial share of the time with p workers
//! ```
//!
//! The first two hold for equal work with every number of workers, Gustafson's for work that grows with them. The times,
//! or their inverses, are linear in parameters, so each fit is one weighted least squares solution without a starting
//! guess. Residuals are relative to the measured time. Neither `s` nor `k` may be below 0.

use serde::{Deserialize, Serialize};

/// A law of scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// A serial fraction and nothing else (1967).
    Amdahl,
    /// Contention and coherency (Gunther 1993).
    Universal,
    /// A serial share of the time while the work grows with the workers (1988).
    Gustafson,
}

impl Law {
    /// The law's name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amdahl => "Amdahl's law",
            Self::Universal => "universal scalability law",
            Self::Gustafson => "Gustafson's law",
        }
    }

    /// Units of work in a run with so many threads.
    pub(crate) fn work(self, threads: usize) -> f64 {
        match self {
            Self::Amdahl | Self::Universal => 1.0,
            Self::Gustafson => threads as f64,
        }
    }

    /// Lower bound on the thread counts for a fit: one more than the parameters, so that a misfit can show.
    pub(crate) fn points_needed(self) -> usize {
        self.parameters() + 1
    }

    /// The number of parameters that are fitted.
    pub(crate) fn parameters(self) -> usize {
        match self {
            Self::Amdahl | Self::Gustafson => 2,
            Self::Universal => 3,
        }
    }
}

/// A fitted law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The law.
    pub law: Law,
    /// Seconds for one unit of work with one worker.
    pub one: f64,
    /// The contention `s`: the serial fraction.
    pub contention: f64,
    /// The coherency `k`: the cost of keeping each pair of workers consistent.
    pub coherency: f64,
}

impl Curve {
    /// Seconds for one unit of work with `p` workers.
    pub fn time(&self, p: f64) -> f64 {
        let others = p - 1.0;
        if self.law == Law::Gustafson {
            return self.one / (p - self.contention * others);
        }
        self.one * (1.0 + self.contention * others + self.coherency * p * others) / p
    }

    /// Sum of the squared relative residuals of `times`.
    pub(super) fn squared_residuals(&self, threads: &[f64], times: &[f64]) -> f64 {
        threads.iter().zip(times).map(|(&p, &t)| ((self.time(p) - t) / t).powi(2)).sum()
    }

    /// Speed-up over one worker.
    pub fn speedup(&self, p: f64) -> f64 {
        self.one / self.time(p)
    }

    /// Least upper bound on the speed-up: that at the peak, or else the curve's limit; `None` if it grows without bound.
    pub fn limit(&self) -> Option<f64> {
        match (self.law, self.peak()) {
            (Law::Gustafson, _) => None,
            (_, Some(peak)) => Some(self.speedup(peak)),
            _ => (self.contention > 1e-12).then(|| 1.0 / self.contention),
        }
    }

    /// Number of workers at which the speed-up peaks; `None` if it always grows.
    pub fn peak(&self) -> Option<f64> {
        (self.coherency > 1e-12)
            .then(|| ((1.0 - self.contention).max(0.0) / self.coherency).sqrt().max(1.0))
    }
}

/// Serial fraction that one speed-up implies (Karp and Flatt 1990). If it is constant over thread counts, there is a
/// serial part; if it grows, there is overhead that grows with the threads. `None` for one worker.
pub(crate) fn serial_fraction(speedup: f64, threads: usize) -> Option<f64> {
    let share = 1.0 / threads as f64;
    (threads > 1).then(|| (1.0 / speedup - share) / (1.0 - share))
}

/// Serial share of the time that one scaled speed-up implies (Gustafson 1988): `threads` workers did `speedup` times
/// the work of one in the same time. `None` for one worker.
pub(crate) fn scaled_serial_fraction(speedup: f64, threads: usize) -> Option<f64> {
    let p = threads as f64;
    (threads > 1).then(|| (p - speedup) / (p - 1.0))
}

/// Least squares with contention and coherency at or above 0. Solves with each subset of the two held at 0, and takes
/// the best solution without a negative parameter. The problem is convex, so this is the constrained optimum.
pub(super) fn solve(law: Law, threads: &[f64], times: &[f64]) -> Curve {
    let choices: &[[bool; 2]] = match law {
        Law::Gustafson => return fit_gustafson(threads, times),
        Law::Amdahl => &[[true, false], [false, false]],
        Law::Universal => &[[true, true], [true, false], [false, true], [false, false]],
    };
    choices
        .iter()
        .filter_map(|&free| least_squares(law, free, threads, times))
        .filter(|c| c.one > 0.0 && c.contention >= 0.0 && c.coherency >= 0.0)
        .min_by(|a, b| {
            a.squared_residuals(threads, times).total_cmp(&b.squared_residuals(threads, times))
        })
        .expect("a line through positive times always has a positive slope in 1/p")
}

/// Fits Gustafson's law: 1 / T is a line over p - 1, from 1 / T1 on, with a slope between 0 and 1 / T1.
fn fit_gustafson(threads: &[f64], times: &[f64]) -> Curve {
    // Normal equations of t = t a + t x b over 1, x = p - 1: residuals relative to 1 / T. Each sum is named by its terms.
    let [mut t, mut tx, mut tt, mut ttx, mut ttxx] = [0.0; 5];
    for (threads, time) in threads.iter().zip(times) {
        let x = threads - 1.0;
        t += time;
        tx += time * x;
        tt += time * time;
        ttx += time * time * x;
        ttxx += time * time * x * x;
    }
    let slope = (tt * tx - ttx * t) / (tt * ttxx - ttx * ttx);
    let start = (t - slope * ttx) / tt;
    let (start, slope) = if slope > start {
        // Faster than linear: no serial share.
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

/// Weighted least squares for `T1` and the `free` ones of contention and coherency.
fn least_squares(law: Law, free: [bool; 2], threads: &[f64], times: &[f64]) -> Option<Curve> {
    let used = [true, free[0], free[1]];
    // Normal equations, a row for each parameter; unused parameters are 0.
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

/// Gaussian elimination with row exchange; `None` if the points do not determine the parameters.
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
