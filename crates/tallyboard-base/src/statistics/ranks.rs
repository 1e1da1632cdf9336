//! The rank test: whether one side's values are larger than the other's beyond chance.

/// With more values than this, the rank test takes rank sums as normally distributed; p changes by less than 0.004.
pub(super) const MAX_EXACT_VALUES: usize = 60;

/// Two-sided p-value of the Wilcoxon-Mann-Whitney rank test: the probability that a random split of all values into
/// groups of these sizes has a rank sum at least as far from the mean. Equal values get their mean rank. The result is 1 if
/// a side is empty. It is exact for up to `MAX_EXACT_VALUES` values, and the normal approximation for more.
pub fn rank_test(a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 1.0;
    }
    let mut pooled: Vec<f64> = a.iter().chain(b).copied().collect();
    pooled.sort_by(f64::total_cmp);
    // Twice the mean rank is an integer: the sum of the first and the last place of the equal values.
    let doubled_rank = |v: f64| {
        let first = pooled.partition_point(|&x| x < v);
        let last = pooled.partition_point(|&x| x <= v);
        first + last + 1
    };
    let ranks: Vec<usize> = pooled.iter().map(|&v| doubled_rank(v)).collect();
    let total: usize = ranks.iter().sum();
    let observed: usize = a.iter().map(|&v| doubled_rank(v)).sum();
    let expected = total as f64 * a.len() as f64 / pooled.len() as f64;
    // A little less than measured, so that rounding excludes no split that is exactly as far from the mean.
    let distance = (observed as f64 - expected).abs() - 1e-9;
    if pooled.len() > MAX_EXACT_VALUES {
        return rank_test_of_many(&ranks, a.len(), distance);
    }
    let ways = rank_sums(&ranks, a.len());
    let mut extreme_ways = 0.0;
    for (rank_sum, ways) in ways.iter().enumerate() {
        if (rank_sum as f64 - expected).abs() >= distance {
            extreme_ways += ways;
        }
    }
    extreme_ways / ways.iter().sum::<f64>()
}

/// [`rank_test`] by the normal approximation: the variance is that of the sum of `size` of the doubled
/// `ranks`, drawn without replacement.
fn rank_test_of_many(ranks: &[usize], size: usize, distance: f64) -> f64 {
    let n = ranks.len() as f64;
    let centre = ranks.iter().sum::<usize>() as f64 / n;
    let spread: f64 = ranks.iter().map(|&r| (r as f64 - centre).powi(2)).sum::<f64>() / (n - 1.0);
    let variance = spread * size as f64 * (n - size as f64) / n;
    // Without equal values, doubled rank sums differ by steps of two, so the correction for continuity is one.
    let z = (distance - 1.0).max(0.0) / variance.sqrt();
    if variance > 0.0 { 2.0 * upper_tail(z) } else { 1.0 }
}

/// The share of the normal distribution above `z >= 0`, within 10^-7 (Abramowitz and Stegun 26.2.17).
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let terms = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    sum * (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

/// For each sum, the number of ways to choose `size` of the `ranks` with that sum.
pub(super) fn rank_sums(ranks: &[usize], size: usize) -> Vec<f64> {
    let total: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0f64; total + 1]; size + 1];
    ways[0][0] = 1.0;
    for &rank in ranks {
        for k in (1..=size).rev() {
            for s in (rank..=total).rev() {
                ways[k][s] += ways[k - 1][s - rank];
            }
        }
    }
    ways.pop().expect("there is one for each number of ranks")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn rank_test_counts_the_splits_of_small_cases() {
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
    fn many_runs_are_ranked_as_few_are_and_at_once() {
        let mut random = Random::from_seed(9);
        let mut drawn = |runs: usize, shift: f64| -> Vec<f64> {
            (0..runs).map(|_| random.normal() + shift).collect()
        };
        // The two ways meet: thirty a side by each of them.
        for shift in [0.0, 0.2, 0.5] {
            let a = drawn(30, 0.0);
            let b = drawn(30, shift);
            let exact = rank_test(&a, &b);
            let ranks: Vec<usize> = (1..=60).map(|rank| 2 * rank).collect();
            let mut pooled = [a.clone(), b].concat();
            pooled.sort_by(f64::total_cmp);
            let rank = |v: &f64| 2 * (1 + pooled.partition_point(|x| x < v));
            let distance = (a.iter().map(rank).sum::<usize>() as f64 - 1830.0).abs();
            let approximate = rank_test_of_many(&ranks, 30, distance);
            assert!((exact - approximate).abs() < 0.004, "{exact} {approximate}");
        }
        let a = drawn(5000, 0.0);
        let b = drawn(5000, 0.3);
        assert!(rank_test(&a, &b) < 1e-6);
        assert_eq!(rank_test(&[1.0; 500], &[1.0; 500]), 1.0);
    }
}
