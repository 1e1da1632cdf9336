//! From drawn subtrees to the whole: an unbiased estimate and its 95 % interval.

use serde::Serialize;

use super::design::PairKind;
use tallyboard_base::statistics::{student_t, student_tail};

/// An estimated total.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Total {
    /// The unbiased estimate.
    #[serde(rename = "estimate")]
    pub value: f64,
    /// The standard error of the estimate.
    pub standard_error: f64,
    /// The lower end of the 95 % interval (Student's t), at least 0.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Degrees of freedom of the standard error; infinite if every subtree was counted.
    #[serde(skip)]
    freedom: f64,
}

/// The fewest pairs of two different subtrees that give an interval. With one or two, intervals miss the
/// truth far too often where subtrees are few: simulated for n = 6 to 14 with 2 to 80 draws.
pub(super) const FEWEST_PAIRS: usize = 4;

/// A deviation that is less probable than this contradicts the estimate.
const LEAST_PROBABILITY: f64 = 1e-6;

impl Total {
    /// A total that is known.
    pub(super) fn exact(value: f64) -> Self {
        Self { value, standard_error: 0.0, low: value, high: value, freedom: f64::INFINITY }
    }

    /// Whether `truth` is further away from the estimate than by chance in one sample of a million.
    pub fn contradicts(&self, truth: f64) -> bool {
        if self.standard_error == 0.0 {
            return self.freedom.is_infinite() && !self.contains(truth);
        }
        let distance = (truth - self.value).abs();
        student_tail(distance / self.standard_error, self.freedom) < LEAST_PROBABILITY
    }

    /// Whether `truth` lies in the interval, but for rounding.
    pub fn contains(&self, truth: f64) -> bool {
        let rounding = truth * 1e-12;
        (self.low - rounding..=self.high + rounding).contains(&truth)
    }
}

/// One round of draws. `T` is a draw, or the estimate of the whole from one draw alone.
#[derive(Debug, Clone)]
pub(super) struct Round<T> {
    /// How many strata the round has.
    pub strata: usize,
    /// The two draws of each finished stratum, in random order of the strata.
    pub pairs: Vec<([T; 2], PairKind)>,
}

impl<T> Round<T> {
    /// The round with `figure(draw)` in place of each draw.
    pub fn map<U>(&self, figure: impl Fn(&T) -> U) -> Round<U> {
        let map_pair = |(pair, kind): &([T; 2], PairKind)| (pair.each_ref().map(&figure), *kind);
        Round { strata: self.strata, pairs: self.pairs.iter().map(map_pair).collect() }
    }
}

/// A part of the variance.
struct VarianceComponent {
    variance: f64,
    /// Its degrees of freedom.
    freedom: f64,
}

impl Round<f64> {
    fn mean(&self) -> f64 {
        self.pairs.iter().map(|([a, b], _)| (a + b) / 2.0).sum::<f64>() / self.pairs.len() as f64
    }

    fn pairs_of(&self, wanted: PairKind) -> impl Iterator<Item = &[f64; 2]> {
        self.pairs.iter().filter(move |(_, kind)| *kind == wanted).map(|(pair, _)| pair)
    }

    /// Whether the finished pairs are enough to estimate the variance.
    fn is_enough(&self) -> bool {
        let pairs = self.pairs.len();
        let has_no_variance = self.pairs_of(PairKind::OneSubtree).count() == pairs;
        pairs > 0
            && pairs >= self.strata.min(FEWEST_PAIRS)
            && (has_no_variance || self.pairs_of(PairKind::TwoSubtrees).count() >= FEWEST_PAIRS)
    }

    /// The parts of the variance of the mean, each times `weight`².
    ///
    /// The variance within a stratum is half the squared difference of its pair. Strata with a repeated pair get the mean
    /// of the others. If the round was interrupted, the finished strata are a random sample of all strata, without
    /// replacement, and the variance between strata comes on top (Cochran, *Sampling techniques*, 1977, section 11.3).
    fn variance_components(&self, weight: f64) -> Vec<VarianceComponent> {
        let finished = self.pairs.len() as f64;
        let strata = self.strata as f64;
        let different = self.pairs_of(PairKind::TwoSubtrees).count();
        let repeated = self.pairs_of(PairKind::Repeated).count();
        // Each pair of two subtrees also has a share of the repeated pairs.
        let share = (different + repeated) as f64 / different.max(1) as f64;
        let mut components = Vec::new();
        for [a, b] in self.pairs_of(PairKind::TwoSubtrees) {
            // The mean of a pair has half the variance of a draw, which is (a - b)² / 2.
            let within = (a - b).powi(2) / 4.0 / (finished * strata) * share;
            let variance = within * weight.powi(2);
            components.push(VarianceComponent { variance, freedom: 1.0 });
        }
        if self.pairs.len() < self.strata {
            let mean = self.mean();
            let square = |([a, b], _): &([f64; 2], PairKind)| ((a + b) / 2.0 - mean).powi(2);
            let squares: f64 = self.pairs.iter().map(square).sum();
            let between = squares / (finished - 1.0) / finished * (1.0 - finished / strata);
            let variance = between * weight.powi(2);
            components.push(VarianceComponent { variance, freedom: finished - 1.0 });
        }
        components
    }
}

/// The estimate from all rounds, each weighted by its draws; `None` without enough of them for an interval.
pub(super) fn estimate(rounds: &[Round<f64>]) -> Option<Total> {
    // A round that has too few pairs is left out.
    let rounds = || rounds.iter().filter(|round| round.is_enough());
    let pairs: usize = rounds().map(|round| round.pairs.len()).sum();
    if pairs == 0 {
        return None;
    }
    let mut value = 0.0;
    let mut components = Vec::new();
    for round in rounds() {
        let weight = round.pairs.len() as f64 / pairs as f64;
        value += weight * round.mean();
        components.extend(round.variance_components(weight));
    }
    let variance: f64 = components.iter().map(|part| part.variance).sum();
    // Satterthwaite's degrees of freedom.
    let spread: f64 = components.iter().map(|part| part.variance.powi(2) / part.freedom).sum();
    let freedom = if components.is_empty() {
        f64::INFINITY
    } else if spread == 0.0 {
        pairs as f64
    } else {
        variance.powi(2) / spread
    };
    let margin = student_t(freedom) * variance.sqrt();
    Some(Total {
        value,
        standard_error: variance.sqrt(),
        low: (value - margin).max(0.0),
        high: value + margin,
        freedom,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(values: &[[f64; 2]]) -> Vec<([f64; 2], PairKind)> {
        values.iter().map(|&pair| (pair, PairKind::TwoSubtrees)).collect()
    }

    const FOUR: [[f64; 2]; 4] = [[1.0, 3.0], [101.0, 103.0], [1.0, 3.0], [101.0, 103.0]];

    #[test]
    fn a_finished_round_has_the_scatter_within_its_strata_alone() {
        let found = estimate(&[Round { strata: 4, pairs: pairs(&FOUR) }]).unwrap();
        assert_eq!(found.value, 52.0);
        // Each mean has the variance 1; a quarter of their sum has a quarter.
        assert!((found.standard_error.powi(2) - 0.25).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn an_interrupted_round_has_the_scatter_between_strata_too() {
        let found = estimate(&[Round { strata: 8, pairs: pairs(&FOUR) }]).unwrap();
        // Between: s² = 10000 / 3, by 4 strata, half of them left out. Within: 4 / (4 · 8).
        let expected = 10_000.0 / 3.0 / 4.0 / 2.0 + 0.125;
        assert!((found.standard_error.powi(2) - expected).abs() < 1e-9, "{found:?}");
        assert_eq!(estimate(&[Round { strata: 8, pairs: pairs(&FOUR[1..]) }]), None);
        assert_eq!(estimate(&[Round { strata: 4, pairs: vec![] }]), None);
    }

    #[test]
    fn rounds_count_by_their_draws() {
        let short = Round { strata: 4, pairs: pairs(&[[10.0, 10.0]; 4]) };
        let long = Round { strata: 12, pairs: pairs(&[[2.0, 2.0]; 12]) };
        let unfinished = Round { strata: 90, pairs: pairs(&[[7.0, 7.0]; 3]) };
        assert_eq!(estimate(&[short, long, unfinished]).unwrap().value, 4.0);
    }

    #[test]
    fn a_pair_that_fell_on_one_subtree_twice_is_no_sign_of_agreement() {
        let mut some = pairs(&FOUR);
        some.extend([([50.0, 50.0], PairKind::Repeated); 4]);
        let variance = |pairs: &[_]| {
            let round = Round { strata: pairs.len(), pairs: pairs.to_vec() };
            estimate(&[round]).map(|found| found.standard_error.powi(2))
        };
        // Eight strata with the variance 1 each.
        assert!((variance(&some).unwrap() - 1.0 / 8.0).abs() < 1e-12);
        assert_eq!(variance(&some[1..]), None);
        // Where a stratum lies in one subtree its scatter is known.
        assert_eq!(variance(&[([5.0, 5.0], PairKind::OneSubtree); 2]), Some(0.0));
    }
}
