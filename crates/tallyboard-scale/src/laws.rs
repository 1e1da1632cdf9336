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

use tallyboard_base::figures::counted;
use tallyboard_base::random::Random;
use tallyboard_base::statistics::{self, Interval};

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

    /// Least upper bound on the speed-up: that of one worker, or its peak, or else its limit for ever more workers; `None`
    /// if it grows without bound.
    pub fn limit(&self) -> Option<f64> {
        match (self.law, self.peak()) {
            (Law::Gustafson, _) => None,
            (_, Some(peak)) => Some(self.speedup(peak).max(1.0)),
            (_, None) => (self.contention > NEGLIGIBLE).then(|| (1.0 / self.contention).max(1.0)),
        }
    }

    /// Number of workers at which the speed-up peaks; `None` if it always grows.
    pub fn peak(&self) -> Option<f64> {
        (self.coherency > NEGLIGIBLE)
            .then(|| ((1.0 - self.contention).max(0.0) / self.coherency).sqrt().max(1.0))
    }
}

/// Serial fraction that the speed-up of `threads` over `fewest` implies (Karp and Flatt 1990 for one as the fewest). If it
/// is the same for all thread counts, a part of the work is serial. If it grows with the threads, so does some overhead.
/// `None` for the fewest threads themselves.
pub(crate) fn serial_fraction(speedup: f64, threads: usize, fewest: usize) -> Option<f64> {
    let [share, share_of_fewest] = [threads, fewest].map(|threads| 1.0 / threads as f64);
    let ratio = 1.0 / speedup;
    // Amdahl's law for the ratio of both times, solved for the serial fraction.
    (threads > fewest).then(|| {
        (ratio * share_of_fewest - share) / ((1.0 - share) - ratio * (1.0 - share_of_fewest))
    })
}

/// Serial share of the time that the scaled speed-up of `threads` over `fewest` implies (Gustafson 1988): `threads`
/// workers did `speedup` times the work of the fewest in the same time. `None` for the fewest threads themselves.
pub(crate) fn scaled_serial_fraction(speedup: f64, threads: usize, fewest: usize) -> Option<f64> {
    let [p, least] = [threads, fewest].map(|threads| threads as f64);
    (threads > fewest).then(|| (p - speedup * least) / ((p - 1.0) - speedup * (least - 1.0)))
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

/// The prediction of a law for one thread count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Number of workers.
    pub threads: usize,
    /// Seconds for one unit of work.
    pub seconds: f64,
    /// 95 % interval of the seconds; `None` if there were too few rounds.
    pub interval: Option<Interval>,
    /// Speed-up over one worker.
    pub speedup: f64,
}

impl Prediction {
    /// Seconds of a whole run by `law`, and their interval.
    pub(crate) fn of_run(&self, law: Law) -> (f64, Option<Interval>) {
        let work = law.work(self.threads);
        let interval = self.interval.map(|interval| interval.map(|seconds| work * seconds));
        (work * self.seconds, interval)
    }
}

/// Standard errors of a law's parameters: the standard deviations over fits to resampled rounds, widened where there are
/// few rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Of `T1`, seconds.
    pub one: f64,
    /// Of the contention.
    pub contention: f64,
    /// Of the coherency.
    pub coherency: f64,
}

/// An interval that may have no upper end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HalfBounded {
    /// Lower end.
    pub low: f64,
    /// Upper end; `None` if there is none.
    pub high: Option<f64>,
    /// Share of such intervals that hold the true value.
    pub level: f64,
}

impl HalfBounded {
    /// The interval of a figure that is at least 1, from the interval of its inverse. An inverse of 0 stands for a figure
    /// without bound.
    fn of_inverse(inverse: Interval) -> Self {
        /// Inverses below this count as 0.
        const LEAST: f64 = 1e-9;
        let Interval { low, high, level } = inverse;
        // The larger inverse is that of the lower end.
        let high_end = (low > LEAST).then(|| (1.0 / low).max(1.0));
        Self { low: 1.0 / high.clamp(LEAST, 1.0), high: high_end, level }
    }
}

/// A fitted law with its errors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// The law with its parameters.
    #[serde(flatten)]
    pub curve: Curve,
    /// 95 % interval of the contention.
    pub contention_interval: Option<Interval>,
    /// 95 % interval of the coherency.
    pub coherency_interval: Option<Interval>,
    /// Standard errors of the parameters; `None` if there were too few rounds.
    pub errors: Option<Errors>,
    /// Workers at the peak of the speed-up, if it has one.
    pub peak: Option<f64>,
    /// 95 % interval of the peak.
    pub peak_interval: Option<HalfBounded>,
    /// Least upper bound on the speed-up, if there is one.
    pub limit: Option<f64>,
    /// 95 % interval of the limit.
    pub limit_interval: Option<HalfBounded>,
    /// Relative standard error of the points about the curve.
    pub misfit: f64,
    /// Predictions for twice and four times the largest fitted thread count.
    pub predictions: Vec<Prediction>,
    /// Measured thread counts that exceed the processors. The law was not fitted to them.
    pub unused: Vec<usize>,
}

impl Fit {
    /// Whether a further parameter of this law makes it better than that of the simpler `other`: the interval of the
    /// coherency is above 0, or, without intervals, the points lie nearer. The misfit counts the parameters.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        let has_peak = self.curve.coherency > NEGLIGIBLE;
        let is_beyond_noise = self.coherency_interval.map(|interval| interval.low > 0.0);
        has_peak && is_beyond_noise.unwrap_or(self.misfit < other.misfit)
    }
}

/// Why a law was not fitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FitRefusal {
    /// The law.
    pub law: Law,
    /// The reason in words.
    pub refused: String,
}

impl FitRefusal {
    /// Only `used` thread counts can be used, and `oversubscribed` exceed the processors.
    fn too_few(law: Law, used: usize, oversubscribed: usize) -> Self {
        let used = counted(used, "thread count");
        let mut refused = format!("found {used}, needs {}", law.points_needed());
        if oversubscribed > 0 {
            refused += &format!(" ({oversubscribed} more exceed the processors and are not used)");
        }
        Self { law, refused }
    }
}

/// A fit, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FitOutcome {
    /// The law was fitted.
    Fit(Box<Fit>),
    /// Why the law was not fitted.
    Refused(FitRefusal),
}

impl FitOutcome {
    /// The fit, if there is one.
    pub fn fit(&self) -> Option<&Fit> {
        match self {
            Self::Fit(fit) => Some(fit),
            Self::Refused(_) => None,
        }
    }
}

/// Fits `law` to the median times. Each thread count has its unit times, one a round. Thread counts above `processors`
/// are left out.
pub fn fit(law: Law, times: &[(usize, Vec<f64>)], processors: usize) -> FitOutcome {
    let mut oversubscribed = Vec::new();
    let mut used = Vec::new();
    for (threads, unit_times) in times {
        if *threads > processors {
            oversubscribed.push(*threads);
        } else if !unit_times.is_empty() {
            used.push((*threads, unit_times.as_slice()));
        }
    }
    if used.len() < law.points_needed() {
        return FitOutcome::Refused(FitRefusal::too_few(law, used.len(), oversubscribed.len()));
    }
    let most_threads = used.iter().map(|(threads, _)| *threads).max().unwrap_or(1);
    let (threads, rounds): (Vec<f64>, Vec<&[f64]>) =
        used.into_iter().map(|(threads, times)| (threads as f64, times)).unzip();
    let medians: Vec<f64> = rounds.iter().map(|times| statistics::median(times)).collect();
    let curve = solve(law, &threads, &medians);
    let degrees_of_freedom = threads.len() - law.parameters();
    let residuals = curve.squared_residuals(&threads, &medians);
    let misfit = (residuals / degrees_of_freedom as f64).sqrt();
    let refits = Refits::new(curve, misfit, &threads, &rounds);
    FitOutcome::Fit(Box::new(Fit {
        contention_interval: refits.parameter_interval(|curve| curve.contention),
        coherency_interval: refits.parameter_interval(|curve| curve.coherency),
        errors: refits.errors(),
        peak: curve.peak(),
        // Only the universal law has a peak, and Gustafson's has no limit.
        peak_interval: refits.interval_by_inverse(Curve::peak).filter(|_| law == Law::Universal),
        limit: curve.limit(),
        limit_interval: refits.interval_by_inverse(Curve::limit).filter(|_| law != Law::Gustafson),
        curve,
        misfit,
        predictions: [2, 4].map(|factor| refits.prediction(factor * most_threads)).to_vec(),
        unused: oversubscribed,
    }))
}

/// A fitted curve, and the curves fitted to rounds drawn again from those measured.
struct Refits {
    curve: Curve,
    resampled: Vec<Curve>,
    /// Number of rounds that were measured.
    rounds: usize,
}

impl Refits {
    /// Fits the law of `curve` to drawn rounds. Noise is added to each drawn time, as large as the typical distance of the
    /// points from the curve.
    fn new(curve: Curve, misfit: f64, threads: &[f64], rounds: &[&[f64]]) -> Self {
        let mut resampled = Vec::new();
        // The seed is fixed, so that reports of the same times say the same.
        statistics::resample_rounds(rounds, &mut Random::from_seed(1), |drawn, random| {
            let mut times = drawn.to_vec();
            for time in &mut times {
                // Times stay positive however bad the fit is.
                *time *= (1.0 + misfit * random.normal()).max(0.1);
            }
            resampled.push(solve(curve.law, threads, &times));
        });
        let rounds = rounds.iter().map(|times| times.len()).min().unwrap_or(0);
        Self { curve, resampled, rounds }
    }

    fn interval(&self, figure: impl Fn(&Curve) -> f64) -> Option<Interval> {
        let mut figures: Vec<f64> = self.resampled.iter().map(&figure).collect();
        Interval::resampled(&mut figures, figure(&self.curve), self.rounds)
    }

    /// The interval of a parameter. No parameter is negative.
    fn parameter_interval(&self, figure: fn(&Curve) -> f64) -> Option<Interval> {
        self.interval(figure).map(|interval| Interval { low: interval.low.max(0.0), ..interval })
    }

    /// The interval of a figure that may have no value, because it is without bound. Its inverse counts as 0 then.
    fn interval_by_inverse(&self, figure: fn(&Curve) -> Option<f64>) -> Option<HalfBounded> {
        let inverse = self.interval(|curve| figure(curve).map_or(0.0, |value| 1.0 / value));
        inverse.map(HalfBounded::of_inverse)
    }

    fn errors(&self) -> Option<Errors> {
        Some(Errors {
            one: self.standard_error(|curve| curve.one)?,
            contention: self.standard_error(|curve| curve.contention)?,
            coherency: self.standard_error(|curve| curve.coherency)?,
        })
    }

    /// The standard error of a parameter.
    fn standard_error(&self, figure: fn(&Curve) -> f64) -> Option<f64> {
        let figures: Vec<f64> = self.resampled.iter().map(figure).collect();
        let degrees_of_freedom = self.rounds.saturating_sub(1).max(1) as f64;
        // Rounds that are drawn again from few scatter less than rounds that are measured again.
        Some(statistics::stddev(&figures)? * (1.0 + 1.0 / degrees_of_freedom).sqrt())
    }

    fn prediction(&self, threads: usize) -> Prediction {
        let p = threads as f64;
        // An interval of logarithms, since no time is negative.
        let logarithms = self.interval(|curve| curve.time(p).ln());
        let interval = logarithms.map(|logarithms| logarithms.map(f64::exp));
        let seconds = self.curve.time(p);
        Prediction { threads, seconds, interval, speedup: self.curve.speedup(p) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{scaled_serial_fraction, serial_fraction};

    fn exact(curve: Curve, counts: &[usize]) -> Vec<(usize, Vec<f64>)> {
        counts.iter().map(|&p| (p, vec![curve.time(p as f64); 5])).collect()
    }

    #[test]
    fn parameters_of_exact_times_come_back_and_foretell() {
        let universal = [(0.0, 0.0), (0.1, 0.0), (0.02, 0.001), (0.0, 0.01)];
        let truths =
            universal.map(|(contention, coherency)| (Law::Universal, contention, coherency));
        let mut truths = truths.to_vec();
        truths.extend([0.0, 0.1, 0.25].map(|contention| (Law::Amdahl, contention, 0.0)));
        truths.extend([0.0, 0.2, 1.0].map(|contention| (Law::Gustafson, contention, 0.0)));
        for (law, contention, coherency) in truths {
            let truth = Curve { law, one: 3.0, contention, coherency };
            let outcome = fit(law, &exact(truth, &[1, 2, 4, 8, 16, 32]), 32);
            let fit = outcome.fit().unwrap();
            let near = |found: f64, truth: f64| assert!((found - truth).abs() < 1e-7, "{fit:?}");
            near(fit.curve.one, 3.0);
            near(fit.curve.contention, contention);
            near(fit.curve.coherency, coherency);
            near(fit.misfit, 0.0);
            let interval = fit.contention_interval.unwrap();
            near(interval.high, interval.low);
            assert_eq!(fit.peak.is_some(), coherency > 0.0);
            assert_eq!(fit.limit, fit.curve.limit());
            near(fit.errors.unwrap().one, 0.0);
            near(fit.errors.unwrap().contention, 0.0);
            for (at, threads) in fit.predictions.iter().zip([64, 128]) {
                assert_eq!(at.threads, threads);
                near(at.seconds, truth.time(threads as f64));
                near(at.speedup, truth.speedup(threads as f64));
            }
        }
        let quarter = Curve { law: Law::Amdahl, one: 2.0, contention: 0.25, coherency: 0.0 };
        assert!((quarter.speedup(16.0) - 1.0 / (0.25 + 0.75 / 16.0)).abs() < 1e-12);
    }

    #[test]
    fn peak_is_where_one_more_worker_starts_to_hurt() {
        let curve = Curve { law: Law::Universal, one: 1.0, contention: 0.1, coherency: 0.001 };
        let peak = curve.peak().unwrap();
        assert!((peak - 30.0).abs() < 1e-9);
        assert!(curve.speedup(peak) > curve.speedup(peak - 1.0));
        assert!(curve.speedup(peak) > curve.speedup(peak + 1.0));
        // 30 / (1 + 0.1 * 29 + 0.001 * 30 * 29).
        assert!((curve.limit().unwrap() - 30.0 / 4.77).abs() < 1e-9);
        // Two workers are slower than one, and more are slower still.
        let slower = Curve { law: Law::Universal, one: 1.0, contention: 1.2, coherency: 0.0 };
        assert_eq!(slower.limit(), Some(1.0));
        assert_eq!(Curve { contention: 1.2, coherency: 0.1, ..slower }.limit(), Some(1.0));
        let limit = |law, contention| Curve { law, one: 1.0, contention, coherency: 0.0 }.limit();
        assert_eq!(limit(Law::Amdahl, 0.25), Some(4.0));
        assert_eq!((limit(Law::Amdahl, 0.0), limit(Law::Gustafson, 0.5)), (None, None));
        let open = |low, high| HalfBounded::of_inverse(Interval { low, high, level: 0.95 });
        assert_eq!(open(0.1, 0.5), HalfBounded { low: 2.0, high: Some(10.0), level: 0.95 });
        assert_eq!(open(-0.1, 1.5), HalfBounded { low: 1.0, high: None, level: 0.95 });
    }

    #[test]
    fn faster_than_linear_is_not_negative_contention() {
        let points =
            vec![(1, vec![1.0; 3]), (2, vec![0.45; 3]), (4, vec![0.2; 3]), (8, vec![0.1; 3])];
        let outcome = fit(Law::Universal, &points, 8);
        let fit = outcome.fit().unwrap();
        assert!(fit.curve.contention == 0.0 && fit.curve.coherency == 0.0, "{fit:?}");
        assert!(fit.misfit > 0.05, "and the misfit shows that no law of this kind holds");
    }

    #[test]
    fn too_few_points_are_refused_with_the_reason() {
        let truth = Curve { law: Law::Universal, one: 1.0, contention: 0.1, coherency: 0.0 };
        let points = exact(truth, &[1, 2, 4, 8]);
        let FitOutcome::Refused(why) = fit(Law::Amdahl, &points, 2) else { panic!("fitted") };
        assert_eq!(
            why.refused,
            "found 2 thread counts, needs 3 (2 more exceed the processors and are not used)"
        );
        let unmeasured = [&points[..2], &[(4, vec![])]].concat();
        let FitOutcome::Refused(why) = fit(Law::Amdahl, &unmeasured, 8) else { panic!("fitted") };
        assert_eq!(why.refused, "found 2 thread counts, needs 3", "4 does not exceed 8");
        assert!(fit(Law::Universal, &points[..3], 8).fit().is_none());
        let unused =
            |processors| fit(Law::Amdahl, &points, processors).fit().unwrap().unused.clone();
        assert_eq!((unused(8), unused(7)), (vec![], vec![8]));
        assert!(fit(Law::Amdahl, &points[..3], 8).fit().is_some());
    }

    #[test]
    fn the_serial_share_of_growing_work_stays_between_none_and_all() {
        // Faster than linear, and slower the more there are: both ends hold.
        let ends = [([1.0, 0.4, 0.15], 0.0), ([1.0, 1.1, 1.2], 1.0)];
        for (times, contention) in ends {
            let points: Vec<(usize, Vec<f64>)> =
                [1, 2, 4].into_iter().zip(times.map(|t| vec![t; 5])).collect();
            let outcome = fit(Law::Gustafson, &points, 4);
            let found = outcome.fit().unwrap().curve.contention;
            assert!((found - contention).abs() < 1e-12, "{found}");
        }
    }

    /// Of 150 fits to noisy times.
    #[test]
    fn intervals_of_a_fit_hold_at_least_as_often_as_they_say() {
        let truth = Curve { law: Law::Universal, one: 1.0, contention: 0.05, coherency: 0.002 };
        let contains = |interval: Option<HalfBounded>, truth: f64| {
            let HalfBounded { low, high, .. } = interval.unwrap();
            low <= truth && high.is_none_or(|high| truth <= high)
        };
        for rounds in [3, 7] {
            let mut random = Random::from_seed(7);
            let mut held = [0; 4];
            let mut contentions = Vec::new();
            let mut errors = Vec::new();
            for _ in 0..150 {
                let points = [1, 2, 4, 6, 8, 12, 16].map(|p| {
                    let noisy = |_| truth.time(p as f64) * (1.0 + 0.02 * random.normal());
                    (p, (0..rounds).map(noisy).collect())
                });
                let outcome = fit(Law::Universal, &points, 16);
                let fit = outcome.fit().unwrap();
                for (count, is_held) in held.iter_mut().zip([
                    fit.contention_interval.unwrap().contains(0.05),
                    fit.predictions[0].interval.unwrap().contains(truth.time(32.0)),
                    contains(fit.peak_interval, truth.peak().unwrap()),
                    contains(fit.limit_interval, truth.limit().unwrap()),
                ]) {
                    *count += u32::from(is_held);
                }
                contentions.push(fit.curve.contention);
                errors.push(fit.errors.unwrap().contention);
            }
            let is_often = held.iter().all(|&count| f64::from(count) >= 0.93 * 150.0);
            assert!(is_often, "{rounds} rounds: {held:?} of 150");
            // The standard error of the contention over how far the fits scatter.
            let ratio = statistics::mean(&errors) / statistics::stddev(&contentions).unwrap();
            assert!((0.8..2.0).contains(&ratio), "{rounds} rounds: {ratio}");
        }
    }

    #[test]
    fn serial_fractions_invert_their_laws() {
        let curve = |law| Curve { law, one: 1.0, contention: 0.2, coherency: 0.0 };
        let amdahl = serial_fraction(curve(Law::Amdahl).speedup(8.0), 8, 1).unwrap();
        let gustafson = scaled_serial_fraction(curve(Law::Gustafson).speedup(8.0), 8, 1).unwrap();
        assert!((amdahl - 0.2).abs() < 1e-12 && (gustafson - 0.2).abs() < 1e-12);
        assert_eq!((serial_fraction(1.0, 1, 1), scaled_serial_fraction(1.0, 4, 4)), (None, None));
        // Of eight threads over two.
        let over_two = |law| curve(law).speedup(8.0) / curve(law).speedup(2.0);
        let amdahl = serial_fraction(over_two(Law::Amdahl), 8, 2).unwrap();
        let gustafson = scaled_serial_fraction(over_two(Law::Gustafson), 8, 2).unwrap();
        assert!((amdahl - 0.2).abs() < 1e-12 && (gustafson - 0.2).abs() < 1e-12);
    }
}
