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
//! for Gustafson's law their inverses, are linear in some parameters. So a fit is a weighted linear least squares solution
//! and needs no first guess. Residuals are relative to the measured values. Neither `s` nor `k` may be below 0.

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

    pub(crate) fn parameters(self) -> usize {
        match self {
            Self::Amdahl | Self::Gustafson => 2,
            Self::Universal => 3,
        }
    }
}

/// Parameters up to this count as 0: rounding leaves as much of them.
const NEGLIGIBLE: f64 = 1e-12;

/// A fitted law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The law.
    pub law: Law,
    /// Seconds for one unit of work with one worker, `T1`.
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

    /// Least upper bound on the speed-up: its peak, or else its limit for ever more workers; `None` if it grows without
    /// bound.
    pub fn limit(&self) -> Option<f64> {
        match (self.law, self.peak()) {
            (Law::Gustafson, _) => None,
            (_, Some(peak)) => Some(self.speedup(peak)),
            (_, None) => (self.contention > NEGLIGIBLE).then(|| 1.0 / self.contention),
        }
    }

    /// Number of workers at which the speed-up peaks; `None` if it always grows.
    pub fn peak(&self) -> Option<f64> {
        (self.coherency > NEGLIGIBLE)
            .then(|| ((1.0 - self.contention).max(0.0) / self.coherency).sqrt().max(1.0))
    }
}

/// Serial fraction that one speed-up implies (Karp and Flatt 1990). If it is the same for all thread counts, a part of the
/// work is serial. If it grows with the threads, so does some overhead. `None` for one worker.
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

// The indices of the parameters in the normal equations of `least_squares`.
const ONE: usize = 0;
const CONTENTION: usize = 1;
const COHERENCY: usize = 2;

/// Least squares with contention and coherency at or above 0. Solves with each subset of the two held at 0, and takes
/// the best solution without a negative parameter. The problem is convex, so this is the constrained optimum.
pub(super) fn solve(law: Law, threads: &[f64], times: &[f64]) -> Curve {
    let subsets: &[&[usize]] = match law {
        Law::Gustafson => return fit_gustafson(threads, times),
        Law::Amdahl => &[&[ONE, CONTENTION], &[ONE]],
        Law::Universal => {
            &[&[ONE, CONTENTION, COHERENCY], &[ONE, CONTENTION], &[ONE, COHERENCY], &[ONE]]
        }
    };
    let curves = subsets.iter().filter_map(|fitted| least_squares(law, fitted, threads, times));
    let valid = curves.filter(|c| c.one > 0.0 && c.contention >= 0.0 && c.coherency >= 0.0);
    let residuals = |curve: &Curve| curve.squared_residuals(threads, times);
    let best = valid.min_by(|a, b| residuals(a).total_cmp(&residuals(b)));
    best.expect("T1 / p has a positive T1 that fits positive times best")
}

/// Fits Gustafson's law: the rate 1 / T is a line over the further workers, from 1 / T1 on, with a slope between 0 and
/// 1 / T1.
fn fit_gustafson(threads: &[f64], times: &[f64]) -> Curve {
    // The line is rate = start + slope x, with x = p - 1. Its relative residual at a time t is t (start + slope x) - 1.
    // The normal equations need these sums, each named by its factors.
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
        // Faster than linear: the best line with equal slope and start, which has no serial share.
        let rate = (t + tx) / (tt + 2.0 * ttx + ttxx);
        (rate, rate)
    } else if slope < 0.0 {
        // Slower with more workers: the best line without a slope, on which all time is serial.
        (t / tt, 0.0)
    } else {
        (start, slope)
    };
    let contention = 1.0 - slope / start;
    Curve { law: Law::Gustafson, one: 1.0 / start, contention, coherency: 0.0 }
}

/// Weighted least squares for the parameters `fitted`; the others are 0.
fn least_squares(law: Law, fitted: &[usize], threads: &[f64], times: &[f64]) -> Option<Curve> {
    // Normal equations, a row for each parameter. The unknowns are T1, T1 s and T1 k, of which the time is a linear
    // function.
    let mut rows = [[0.0f64; 4]; 3];
    for (&p, &t) in threads.iter().zip(times) {
        let basis = [1.0 / p, (p - 1.0) / p, p - 1.0].map(|b| b / t);
        for &i in fitted {
            for &j in fitted {
                rows[i][j] += basis[i] * basis[j];
            }
            rows[i][3] += basis[i];
        }
    }
    for i in (0..3).filter(|i| !fitted.contains(i)) {
        rows[i][i] = 1.0;
    }
    let solution = eliminate(rows)?;
    let one = solution[ONE];
    let contention = solution[CONTENTION] / one;
    let coherency = solution[COHERENCY] / one;
    Some(Curve { law, one, contention, coherency })
}

/// Solves three linear equations, whose right sides are the last column, by Gaussian elimination with row exchange.
/// `None` if they do not determine the unknowns.
fn eliminate(mut rows: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let size = |row: &usize| rows[*row][column].abs();
        let largest = (column..3).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        rows.swap(column, largest);
        let pivot = rows[column];
        if pivot[column].abs() < 1e-300 {
            return None;
        }
        for other in (0..3).filter(|&row| row != column) {
            let factor = rows[other][column] / pivot[column];
            for (value, subtracted) in rows[other].iter_mut().zip(pivot) {
                *value -= factor * subtracted;
            }
        }
    }
    Some([rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]])
}
