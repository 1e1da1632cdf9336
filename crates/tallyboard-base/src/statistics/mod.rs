//! Medians, standard deviations, confidence intervals and tests, for every estimate and measurement.

pub mod ranks;

use crate::random::Random;
use ranks::{MAX_EXACT_VALUES, rank_sums};

/// The number of samples drawn for every bootstrap interval.
pub const BOOTSTRAP_SAMPLES: usize = 2_000;

/// The confidence level that intervals aim at; with few values they have a lower one.
pub const WANTED_LEVEL: f64 = 0.95;

/// A confidence interval, both ends in the unit of the figure it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The probability that an interval made this way contains the true value: 0.95, or less if there are too
    /// few runs for that.
    pub level: f64,
}

impl Interval {
    /// The interval of the median: the narrowest between two of the sorted values that contains the median for 95 % of
    /// all samples, whatever the distribution (the inverse of the sign test, Thompson 1936). With fewer than six values
    /// it is their whole range, at a lower level: 75 % for three values. `None` for fewer than three.
    pub fn of_median(values: &[f64]) -> Option<Self> {
        let n = values.len();
        if n < 3 {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (cut, missed) = if n > MAX_EXACT_VALUES {
            normal_cut(n as f64 / 2.0, (n as f64).sqrt() / 2.0)
        } else {
            // The median lies below the k-th smallest value if fewer than k values lie below the median.
            let first = (0, 0.5f64.powi(n as i32));
            let chances = std::iter::successors(Some(first), |&(k, chance)| {
                Some((k + 1, chance * ((n - k) as f64 / (k + 1) as f64)))
            });
            exact_cut(chances.map(|(_, chance)| chance).take(n / 2))
        };
        let level = (1.0 - 2.0 * missed).max(0.0);
        Some(Self { low: sorted[cut], high: sorted[n - 1 - cut], level })
    }

    /// The bootstrap interval of an `estimate` from `rounds` rounds: `values` are the estimates from resampled rounds.
    /// It is their middle 95 %, widened about `estimate` by Student's quantile and the missing degree of freedom
    /// (Hesterberg 2015), since the bootstrap of few rounds is too narrow. `None` if there are no values.
    pub fn resampled(values: &mut [f64], estimate: f64, rounds: usize) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let freedom = rounds.saturating_sub(1).max(1) as f64;
        let stretch = student_t(freedom) / NORMAL_QUANTILE * (1.0 + 1.0 / freedom).sqrt();
        let end = |q| Some(estimate + stretch * (quantile(values, q)? - estimate));
        Some(Self { low: end(0.025)?, high: end(0.975)?, level: WANTED_LEVEL })
    }

    /// The interval of the factor between two independent samples: it lies between two of the sorted ratios
    /// `a / b` of all pairs (the inverse of the rank test, Hodges and Lehmann 1963). With few values it is the
    /// whole range of the ratios, at a lower level. `None` if a sample has fewer than three values.
    pub fn of_ratio(a: &[f64], b: &[f64]) -> Option<Self> {
        if a.len() < 3 || b.len() < 3 {
            return None;
        }
        let mut ratios: Vec<f64> = a.iter().flat_map(|a| b.iter().map(move |b| a / b)).collect();
        ratios.sort_by(f64::total_cmp);
        let (cut, missed) = if a.len() + b.len() > MAX_EXACT_VALUES {
            let n = a.len() as f64;
            let m = b.len() as f64;
            normal_cut(n * m / 2.0, (n * m * (n + m + 1.0) / 12.0).sqrt())
        } else {
            let ranks: Vec<usize> = (1..=a.len() + b.len()).collect();
            let ways = rank_sums(&ranks, a.len());
            let all: f64 = ways.iter().sum();
            let least = a.len() * (a.len() + 1) / 2;
            exact_cut(ways[least..].iter().map(|ways| ways / all))
        };
        let level = 1.0 - 2.0 * missed;
        Some(Self { low: ratios[cut], high: ratios[ratios.len() - 1 - cut], level })
    }

    /// The interval of a figure that rises with this one: `end` gives its ends.
    pub fn map(self, end: impl Fn(f64) -> f64) -> Self {
        Self { low: end(self.low), high: end(self.high), ..self }
    }

    /// Whether `value` lies inside, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The name of an interval with its level: `95 % interval`.
    pub fn name_of(interval: Option<Self>) -> String {
        let percent = |interval: Self| 100.0 * interval.level.min(WANTED_LEVEL);
        interval.map_or("interval".to_owned(), |known| format!("{:.0} % interval", percent(known)))
    }
}

/// How many of the sorted values an interval leaves out at each end: as many as [`WANTED_LEVEL`] allows, or none.
/// Returns also the probability that the true value lies beyond one end of the interval. `chances` are the
/// probabilities that the true value lies before the first value, between the first and the second, and so on.
fn exact_cut(mut chances: impl Iterator<Item = f64>) -> (usize, f64) {
    let mut cut = 0;
    let mut missed = chances.next().unwrap_or(0.0);
    for chance in chances {
        // The interval may miss the true value at either end.
        if 2.0 * (missed + chance) > 1.0 - WANTED_LEVEL {
            break;
        }
        cut += 1;
        missed += chance;
    }
    (cut, missed)
}

/// [`exact_cut`] for many values: the number of values below the true one is nearly normal, with this `mean` and
/// this standard `deviation`.
fn normal_cut(mean: f64, deviation: f64) -> (usize, f64) {
    // A half is the correction for continuity.
    ((mean - NORMAL_QUANTILE * deviation - 0.5) as usize, (1.0 - WANTED_LEVEL) / 2.0)
}

/// The quantile of the normal distribution at 97.5 %.
const NORMAL_QUANTILE: f64 = 1.959_964;

/// Quantile `q` of sorted values, linear between neighbours.
fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let place = q * (sorted.len().checked_sub(1)?) as f64;
    let below = place.floor() as usize;
    let above = place.ceil() as usize;
    Some(sorted[below] + (sorted[above] - sorted[below]) * place.fract())
}

/// The middle value, or the mean of the two middle values.
///
/// # Panics
/// If `values` is empty.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5).expect("a median needs at least one value")
}

/// Arithmetic mean; NaN for no values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Sample standard deviation (divisor n - 1); `None` below two values.
pub fn stddev(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// An estimated number of solutions, as natural logarithms, since it may have thousands of digits. Minus infinity
/// stands for none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Logarithm of the number of solutions.
    pub ln: f64,
    /// Logarithms of the ends of the 95 % interval, equal if the number is exact; `None` if there is too little to tell
    /// how far off the number is.
    pub interval: Option<(f64, f64)>,
    /// Whether the whole search tree was walked, so that the number is the exact count.
    pub exact: bool,
}

impl Estimate {
    /// The exact count.
    #[doc(hidden)]
    pub fn exactly(ln: f64) -> Self {
        Self { ln, interval: Some((ln, ln)), exact: true }
    }

    /// An estimate by samples, or a guess.
    #[doc(hidden)]
    pub fn about(ln: f64, interval: Option<(f64, f64)>) -> Self {
        Self { ln, interval, exact: false }
    }
}

/// The mean of independent estimates of a number that may be too large for an `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogMean {
    /// Natural logarithm of the mean.
    pub ln: f64,
    /// Half the width of the 95 % interval of the mean, as a share of the mean (Student's t).
    pub error: f64,
}

impl LogMean {
    /// The mean of estimates given as natural logarithms, minus infinity for 0. `None` if all are 0. One
    /// estimate alone has an infinite error.
    pub fn of(logarithms: &[f64]) -> Option<Self> {
        // Divided by the largest, so that nothing overflows.
        let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return None;
        }
        let relative: Vec<f64> = logarithms.iter().map(|ln| (ln - largest).exp()).collect();
        let count = relative.len() as f64;
        let mean = mean(&relative);
        let error = stddev(&relative).map_or(f64::INFINITY, |deviation| {
            student_t(count - 1.0) * deviation / count.sqrt() / mean
        });
        Some(Self { ln: largest + mean.ln(), error })
    }
}

/// The half width, in standard errors, of the interval that holds 95 % of Student's distribution with
/// `freedom` degrees of freedom (at least 1, not necessarily whole): 12.71 for 1, 1.96 for very many.
pub fn student_t(freedom: f64) -> f64 {
    /// The quantiles for 1 to 10 degrees of freedom, from tables.
    const QUANTILES: [f64; 10] =
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let freedom = freedom.max(1.0);
    if freedom < QUANTILES.len() as f64 {
        // The quantile is nearly linear in the reciprocal of the degrees of freedom. `part` is how far 1 / `freedom` has
        // come from 1 / `below` to 1 / (`below` + 1).
        let below = freedom.floor();
        let part = (1.0 - below / freedom) * (below + 1.0);
        let index = below as usize - 1;
        return QUANTILES[index] + (QUANTILES[index + 1] - QUANTILES[index]) * part;
    }
    // Fisher's expansion about the normal quantile.
    let z = NORMAL_QUANTILE;
    let z3 = z.powi(3);
    let z5 = z.powi(5);
    z + (z3 + z) / (4.0 * freedom) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
}

/// The probability that Student's t with `freedom` degrees of freedom (rounded down) is further from 0 than
/// `t`, by its finite series (Abramowitz and Stegun, 26.7.3 and 26.7.4).
pub fn student_tail(t: f64, freedom: f64) -> f64 {
    // Above 200 degrees of freedom the distribution is nearly constant.
    let freedom = freedom.clamp(1.0, 200.0) as u32;
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let square = angle.cos().powi(2);
    let odd = freedom % 2;
    let mut term = if odd == 1 { angle.cos() } else { 1.0 };
    let mut sum = 0.0;
    for k in 1..=(freedom - odd) / 2 {
        sum += term;
        let k = f64::from(2 * k);
        term *= square * if odd == 1 { k / (k + 1.0) } else { (k - 1.0) / k };
    }
    let within = angle.sin() * sum;
    1.0 - if odd == 1 { (angle + within) * std::f64::consts::FRAC_2_PI } else { within }
}

/// Draws [`BOOTSTRAP_SAMPLES`] bootstrap samples of the rounds, and calls `with_medians` for each sample with the medians
/// of all series.
///
/// Each round has a run of each series, and whole rounds are drawn. A machine that grows slower slows all series of a
/// round, so the drift cancels in their ratios. Does nothing for fewer than three rounds.
pub fn resample_rounds(
    series: &[&[f64]],
    random: &mut Random,
    mut with_medians: impl FnMut(&[f64], &mut Random),
) {
    let rounds = series.iter().map(|s| s.len()).min().unwrap_or(0);
    if rounds < 3 {
        return;
    }
    let mut drawn = vec![0.0; rounds];
    let mut medians = vec![0.0; series.len()];
    for _ in 0..BOOTSTRAP_SAMPLES {
        let picks: Vec<usize> = (0..rounds).map(|_| random.below(rounds as u32) as usize).collect();
        for (median_of_series, times) in medians.iter_mut().zip(series) {
            for (slot, &pick) in drawn.iter_mut().zip(&picks) {
                *slot = times[pick];
            }
            *median_of_series = median(&drawn);
        }
        with_medians(&medians, random);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_is_as_in_the_tables() {
        let table = [
            (1.0, 12.706),
            (2.0, 4.303),
            (5.0, 2.571),
            (6.0, 2.447),
            (7.0, 2.365),
            (15.0, 2.131),
            (30.0, 2.042),
            (1e9, 1.960),
        ];
        for (freedom, expected) in table {
            let found = student_t(freedom);
            assert!((found - expected).abs() < 0.004, "{freedom}: {found}, not {expected}");
        }
        let rising: Vec<f64> =
            (10..100).map(|tenths| student_t(f64::from(tenths) / 10.0)).collect();
        assert!(rising.windows(2).all(|pair| pair[1] < pair[0]));
    }

    #[test]
    fn tails_are_those_of_the_tables() {
        for (freedom, t, tail) in [
            (1.0, 12.706, 0.05),
            (2.0, 4.303, 0.05),
            (5.0, 2.571, 0.05),
            (10.0, 3.169, 0.01),
            (11.9, 3.106, 0.01),
            (5.0, 6.869, 0.001),
            (1.0, 636.62, 0.001),
        ] {
            let found = student_tail(t, freedom);
            assert!((found / tail - 1.0).abs() < 0.01, "{freedom} {t}: {found}");
        }
        assert!(student_tail(4.6, 150.0) > 1e-6 && student_tail(5.3, 150.0) < 1e-6);
    }

    #[test]
    fn a_mean_of_logarithms_is_that_of_the_numbers() {
        let numbers: [f64; 4] = [1.0, 2.0, 3.0, 6.0];
        // Standard deviation sqrt(14 / 3), of the mean half of that; Student's t for 3 is 3.182.
        let error = 3.182 * (14.0f64 / 3.0).sqrt() / 2.0 / 3.0;
        for factor in [0.0, 5_000.0, -5_000.0] {
            let found = LogMean::of(&numbers.map(|number| number.ln() + factor)).unwrap();
            assert!((found.ln - factor - 3f64.ln()).abs() < 1e-9, "{found:?}");
            assert!((found.error - error).abs() < 1e-9, "{found:?}, not {error}");
        }
        let none = f64::NEG_INFINITY;
        assert_eq!(LogMean::of(&[none, 0.0]).unwrap().ln, 0.5f64.ln());
        assert_eq!(LogMean::of(&[2.0]), Some(LogMean { ln: 2.0, error: f64::INFINITY }));
        assert_eq!([&[none; 3][..], &[]].map(LogMean::of), [None; 2]);
    }

    #[test]
    fn medians_are_in_the_middle_and_stddev_divides_by_n_minus_one() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(stddev(&[1.0]), None);
        assert_eq!(stddev(&[1.0, 3.0]), Some(2f64.sqrt()));
    }

    #[test]
    fn drift_common_to_a_round_cancels_in_the_ratio() {
        let slow: Vec<f64> = (0..9).map(|i| 2.0 * (1.0 + f64::from(i))).collect();
        let fast: Vec<f64> = (0..9).map(|i| 1.0 + f64::from(i)).collect();
        let mut ratios = Vec::new();
        resample_rounds(&[&slow, &fast], &mut Random::from_seed(1), |m, _| {
            ratios.push(m[0] / m[1])
        });
        let interval = Interval::resampled(&mut ratios, 2.0, 9).unwrap();
        assert!((interval.low - 2.0).abs() < 1e-12 && (interval.high - 2.0).abs() < 1e-12);
    }

    /// The share of 4,000 trials in which `covers` is true.
    fn coverage(seed: u64, mut covers: impl FnMut(&mut Random) -> bool) -> f64 {
        let mut random = Random::from_seed(seed);
        (0..4000).filter(|_| covers(&mut random)).count() as f64 / 4000.0
    }

    /// Run times: a lower end, and a long tail above it. Their median is 1 + ln 2.
    fn skewed(random: &mut Random) -> f64 {
        1.0 - random.unit().ln()
    }

    #[test]
    fn intervals_of_medians_hold_as_often_as_they_say() {
        for rounds in [3, 4, 5, 6, 7, 9, 12, 15, 20, 25, 61, 1200] {
            let mut level = 0.0;
            let covered = coverage(42, |random| {
                let sample: Vec<f64> = (0..rounds).map(|_| skewed(random)).collect();
                let interval = Interval::of_median(&sample).unwrap();
                level = interval.level;
                interval.contains(1.0 + 2f64.ln())
            });
            assert!((covered - level).abs() < 0.015, "{rounds} rounds: {covered}, not {level}");
            assert!(rounds < 6 || level >= WANTED_LEVEL, "{rounds} rounds: {level}");
        }
        let three = Interval::of_median(&[2.0, 1.0, 5.0]).unwrap();
        assert_eq!(three, Interval { low: 1.0, high: 5.0, level: 0.75 });
        assert_eq!(Interval::name_of(Some(three)), "75 % interval");
        assert_eq!(Interval::of_median(&[1.0, 2.0]), None);
    }

    #[test]
    fn intervals_of_ratios_hold_as_often_as_they_say() {
        for (rounds, others) in [(3, 3), (4, 4), (7, 5), (10, 10), (31, 31)] {
            let mut level = 0.0;
            let covered = coverage(7, |random| {
                let one: Vec<f64> = (0..rounds).map(|_| 3.0 * skewed(random)).collect();
                let other: Vec<f64> = (0..others).map(|_| skewed(random)).collect();
                let interval = Interval::of_ratio(&one, &other).unwrap();
                level = interval.level;
                interval.contains(3.0)
            });
            assert!((covered - level).abs() < 0.015, "{rounds}, {others}: {covered}, not {level}");
            assert!(rounds < 4 || level >= WANTED_LEVEL, "{rounds}, {others}: {level}");
        }
    }
}
