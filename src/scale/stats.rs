//! The few statistics a scaling report needs: medians, spreads, resampled
//! intervals and one rank test.

use serde::{Deserialize, Serialize};

/// Resamples drawn for every bootstrap interval.
pub const RESAMPLES: usize = 2_000;

/// A 95 % interval, both ends in the unit of the figure it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// 2.5 % of the resampled values lie below.
    pub low: f64,
    /// 2.5 % of the resampled values lie above.
    pub high: f64,
}

impl Interval {
    /// The middle 95 % of `values` (sorted in place); `None` if there are none.
    pub fn middle(values: &mut [f64]) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        Some(Self { low: quantile(values, 0.025)?, high: quantile(values, 0.975)? })
    }

    /// Whether `value` lies inside, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Quantile `q` of sorted values, linear between neighbours.
fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let place = q * (sorted.len().checked_sub(1)?) as f64;
    let below = place.floor() as usize;
    let above = place.ceil() as usize;
    Some(sorted[below] + (sorted[above] - sorted[below]) * place.fract())
}

/// The middle value; the mean of the middle two for an even number.
///
/// # Panics
/// If `values` is empty.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5).expect("a median needs at least one value")
}

/// Arithmetic mean; NaN for no values.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Sample standard deviation (divisor n - 1); `None` below two values.
#[must_use]
pub fn stddev(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// The half width, in standard errors, of the interval that holds 95 % of Student's distribution with
/// `freedom` degrees of freedom (at least 1, not necessarily whole): 12.71 for 1, 1.96 for very many.
#[must_use]
pub fn student_t(freedom: f64) -> f64 {
    /// From tables, for 1 to 10.
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let freedom = freedom.max(1.0);
    if freedom < FEW.len() as f64 {
        // The quantile is nearly linear in the reciprocal.
        let (below, part) =
            (freedom.floor(), (1.0 - freedom.floor() / freedom) * (freedom.floor() + 1.0));
        let index = below as usize - 1;
        return FEW[index] + (FEW[index + 1] - FEW[index]) * part;
    }
    // Fisher's expansion about the normal quantile.
    let z = 1.959_964_f64;
    let (z3, z5) = (z.powi(3), z.powi(5));
    z + (z3 + z) / (4.0 * freedom) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
}

/// SplitMix64: small, seeded, and good enough to draw resamples with. Reports
/// of the same times therefore always show the same intervals.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A stream of draws fixed by `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..below`; the bias of the multiplication is below 2^-32
    /// for the few hundred items a report has.
    pub fn below(&mut self, below: usize) -> usize {
        (((self.bits() >> 32) * below as u64) >> 32) as usize
    }

    /// A standard normal number (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let unit = |bits: u64| ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        let (u, v) = (unit(self.bits()), unit(self.bits()));
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Puts `items` into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Calls `each` with the medians of every series under [`RESAMPLES`] resamples.
///
/// Runs are interleaved in rounds, so whole rounds are drawn: what drifts with
/// the machine hits all thread counts of a round and cancels in their ratios.
/// Does nothing below three rounds, where resampling says nothing.
pub fn resample_rounds(
    series: &[&[f64]],
    dice: &mut Dice,
    mut each: impl FnMut(&[f64], &mut Dice),
) {
    let rounds = series.iter().map(|s| s.len()).min().unwrap_or(0);
    if rounds < 3 {
        return;
    }
    let mut drawn = vec![0.0; rounds];
    let mut medians = vec![0.0; series.len()];
    for _ in 0..RESAMPLES {
        let picks: Vec<usize> = (0..rounds).map(|_| dice.below(rounds)).collect();
        for (median_of, times) in medians.iter_mut().zip(series) {
            for (slot, &pick) in drawn.iter_mut().zip(&picks) {
                *slot = times[pick];
            }
            *median_of = median(&drawn);
        }
        each(&medians, dice);
    }
}

/// Two-sided exact p-value of the Wilcoxon-Mann-Whitney rank test: how often
/// a random split of the pooled values into the same two sizes is at least as
/// lopsided. Ties get their mean rank. 1 if either side is empty.
///
/// Costs O(n m (n + m)^2) additions: microseconds for tens of runs.
#[must_use]
pub fn rank_test(a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 1.0;
    }
    let mut pooled: Vec<f64> = a.iter().chain(b).copied().collect();
    pooled.sort_by(f64::total_cmp);
    // Twice the mean rank is an integer: first place + last place of the tie.
    let doubled = |v: f64| {
        let first = pooled.partition_point(|&x| x < v);
        let last = pooled.partition_point(|&x| x <= v);
        first + last + 1
    };
    let ranks: Vec<usize> = pooled.iter().map(|&v| doubled(v)).collect();
    let total: usize = ranks.iter().sum();
    let observed: usize = a.iter().map(|&v| doubled(v)).sum();

    // ways[k][s]: subsets of k values with doubled rank sum s.
    let mut ways = vec![vec![0.0f64; total + 1]; a.len() + 1];
    ways[0][0] = 1.0;
    for &rank in &ranks {
        for k in (1..=a.len()).rev() {
            for s in (rank..=total).rev() {
                ways[k][s] += ways[k - 1][s - rank];
            }
        }
    }
    let expected = total as f64 * a.len() as f64 / pooled.len() as f64;
    let distance = (observed as f64 - expected).abs() - 1e-9;
    let all: f64 = ways[a.len()].iter().sum();
    let extreme: f64 = ways[a.len()]
        .iter()
        .enumerate()
        .filter(|(s, _)| (*s as f64 - expected).abs() >= distance)
        .map(|(_, w)| w)
        .sum();
    extreme / all
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
    fn median_of_odd_even_and_single() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
    }

    #[test]
    fn stddev_divides_by_n_minus_one() {
        assert_eq!(stddev(&[1.0]), None);
        assert_eq!(stddev(&[1.0, 3.0]), Some(2f64.sqrt()));
    }

    #[test]
    fn rank_test_matches_published_small_cases() {
        // Complete separation of 4 and 4: 2 of C(8,4) = 70 splits.
        let low = [1.0, 2.0, 3.0, 4.0];
        let high = [5.0, 6.0, 7.0, 8.0];
        assert!((rank_test(&low, &high) - 2.0 / 70.0).abs() < 1e-12);
        assert!((rank_test(&high, &low) - 2.0 / 70.0).abs() < 1e-12);
        // 3 and 3 can never reach 5 %.
        assert!((rank_test(&low[..3], &high[..3]) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn rank_test_of_equal_values_is_one() {
        assert_eq!(rank_test(&[2.0; 5], &[2.0; 6]), 1.0);
        assert_eq!(rank_test(&[], &[1.0]), 1.0);
    }

    #[test]
    fn drift_common_to_a_round_cancels_in_the_ratio() {
        let slow: Vec<f64> = (0..9).map(|i| 2.0 * (1.0 + f64::from(i))).collect();
        let fast: Vec<f64> = (0..9).map(|i| 1.0 + f64::from(i)).collect();
        let mut ratios = Vec::new();
        resample_rounds(&[&slow, &fast], &mut Dice::new(1), |m, _| ratios.push(m[0] / m[1]));
        let interval = Interval::middle(&mut ratios).unwrap();
        assert!((interval.low - 2.0).abs() < 1e-12 && (interval.high - 2.0).abs() < 1e-12);
    }

    #[test]
    fn interval_of_the_median_covers_it_about_as_often_as_promised() {
        let mut dice = Dice::new(42);
        let mut covered = 0;
        for _ in 0..200 {
            let sample: Vec<f64> = (0..25).map(|_| 10.0 + dice.normal()).collect();
            let mut medians = Vec::new();
            resample_rounds(&[&sample], &mut dice, |m, _| medians.push(m[0]));
            covered += u32::from(Interval::middle(&mut medians).unwrap().contains(10.0));
        }
        assert!((180..=198).contains(&covered), "{covered} of 200");
    }
}
