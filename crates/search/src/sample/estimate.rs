//! From drawn subtrees to the whole: an unbiased estimate and its 95 % interval.

use serde::Serialize;

use super::design::Stratum;
use base::statistics::{student_t, student_tail};

/// An estimated total.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Total {
    /// The estimate, right on average.
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
pub(super) const FEWEST: usize = 4;

/// Below this probability, a deviation is not put down to chance.
const BY_CHANCE: f64 = 1e-6;

impl Total {
    /// A total that is known.
    pub(super) fn exact(value: f64) -> Self {
        Self { value, standard_error: 0.0, low: value, high: value, freedom: f64::INFINITY }
    }

    /// Whether `truth` is so far off that chance cannot be why: once in a million samples at most.
    pub fn contradicts(&self, truth: f64) -> bool {
        if self.standard_error == 0.0 {
            return self.freedom.is_infinite() && !self.holds(truth);
        }
        let distance = (truth - self.value).abs();
        student_tail(distance / self.standard_error, self.freedom) < BY_CHANCE
    }

    /// Whether `truth` lies in the interval, but for rounding.
    pub fn holds(&self, truth: f64) -> bool {
        let rounding = truth * 1e-12;
        (self.low - rounding..=self.high + rounding).contains(&truth)
    }
}

/// One round of draws: for each finished stratum, in random order, its two draws, or the estimate of the
/// whole by each draw alone.
#[derive(Debug, Clone)]
pub(super) struct Round<T> {
    /// How many strata the round has.
    pub strata: usize,
    pub pairs: Vec<([T; 2], Stratum)>,
}

impl<T> Round<T> {
    /// The round with `figure` of each draw in its place.
    pub fn map<U>(&self, figure: impl Fn(&T) -> U) -> Round<U> {
        let pair = |(pair, stratum): &([T; 2], Stratum)| (pair.each_ref().map(&figure), *stratum);
        Round { strata: self.strata, pairs: self.pairs.iter().map(pair).collect() }
    }
}

/// A part of the variance.
struct Component {
    variance: f64,
    /// Its degrees of freedom.
    freedom: f64,
}

impl Round<f64> {
    fn mean(&self) -> f64 {
        self.pairs.iter().map(|([a, b], _)| (a + b) / 2.0).sum::<f64>() / self.pairs.len() as f64
    }

    fn pairs_of(&self, kind: Stratum) -> impl Iterator<Item = &[f64; 2]> {
        self.pairs.iter().filter(move |(_, stratum)| *stratum == kind).map(|(pair, _)| pair)
    }

    /// Whether the finished pairs are enough to estimate the variance.
    fn tells(&self) -> bool {
        let pairs = self.pairs.len();
        let all_within = self.pairs_of(Stratum::Within).count() == pairs;
        pairs > 0
            && pairs >= self.strata.min(FEWEST)
            && (all_within || self.pairs_of(Stratum::Two).count() >= FEWEST)
    }

    /// The parts of the variance of the mean, each times `weight`².
    ///
    /// Within a stratum it is half the squared difference of the pair. Strata whose pair fell on one of their
    /// subtrees twice get the mean of the others. If the round was interrupted, the finished strata are a
    /// random sample of all, without replacement, and the variance between strata comes on top (Cochran,
    /// *Sampling techniques*, 1977, section 11.3).
    fn components(&self, weight: f64, found: &mut Vec<Component>) {
        let done = self.pairs.len() as f64;
        let all = self.strata as f64;
        let [two, twice] = [Stratum::Two, Stratum::Twice].map(|kind| self.pairs_of(kind).count());
        // The pairs of two subtrees stand for those of one, too.
        let stands_for = (two + twice) as f64 / two.max(1) as f64;
        for [a, b] in self.pairs_of(Stratum::Two) {
            let within = (a - b).powi(2) / 4.0 / (done * all) * stands_for;
            found.push(Component { variance: within * weight.powi(2), freedom: 1.0 });
        }
        if self.pairs.len() < self.strata {
            let mean = self.mean();
            let scatter = |([a, b], _): &([f64; 2], Stratum)| ((a + b) / 2.0 - mean).powi(2);
            let squares: f64 = self.pairs.iter().map(scatter).sum();
            let between = squares / (done - 1.0) / done * (1.0 - done / all);
            found.push(Component { variance: between * weight.powi(2), freedom: done - 1.0 });
        }
    }
}

/// The estimate from all rounds, each weighted by its draws; `None` without enough of them for an
/// interval.
pub(super) fn estimate(rounds: &[Round<f64>]) -> Option<Total> {
    // A round that has too few pairs is left out.
    let rounds = || rounds.iter().filter(|round| round.tells());
    let draws: usize = rounds().map(|round| round.pairs.len()).sum();
    if draws == 0 {
        return None;
    }
    let mut value = 0.0;
    let mut components = Vec::new();
    for round in rounds() {
        let weight = round.pairs.len() as f64 / draws as f64;
        value += weight * round.mean();
        round.components(weight, &mut components);
    }
    let variance: f64 = components.iter().map(|part| part.variance).sum();
    // Satterthwaite's degrees of freedom.
    let spread: f64 = components.iter().map(|part| part.variance.powi(2) / part.freedom).sum();
    let freedom = if components.is_empty() {
        f64::INFINITY
    } else if spread == 0.0 {
        draws as f64
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

    fn pairs(values: &[[f64; 2]]) -> Vec<([f64; 2], Stratum)> {
        values.iter().map(|&pair| (pair, Stratum::Two)).collect()
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
        some.extend([([50.0, 50.0], Stratum::Twice); 4]);
        let variance = |pairs: &[_]| {
            let round = Round { strata: pairs.len(), pairs: pairs.to_vec() };
            estimate(&[round]).map(|found| found.standard_error.powi(2))
        };
        // Eight strata with the variance 1 each.
        assert!((variance(&some).unwrap() - 1.0 / 8.0).abs() < 1e-12);
        assert_eq!(variance(&some[1..]), None);
        // Where a stratum lies in one subtree its scatter is known.
        assert_eq!(variance(&[([5.0, 5.0], Stratum::Within); 2]), Some(0.0));
    }
}
