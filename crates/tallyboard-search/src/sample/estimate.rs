//! Draws subtrees, and estimates the whole from them, without bias and with a 95 % interval. Drawn are pairs of random points on
//! the line of all costs.
//!
//! ```text
//! subtrees  |---0---|-1-|-----2-----|--3--|-4-|------5------|     their lengths are their costs
//! strata    |           |           |           |           |     equally long; they may cut subtrees
//! points      .      .     .   .       .    .      .       .      two in each, uniform
//! ```
//!
//! A point falls on a subtree with the probability p = cost / (all costs), so subtotal / p is an unbiased
//! estimate of the whole count (Hansen and Hurwitz, *On the theory of sampling from finite populations*,
//! 1943). Strata spread the points evenly. Neighbours on the line begin with the same placements and are much
//! alike, so most of the variance is between strata, where it does not enter the estimate.

use serde::Serialize;

use tallyboard_base::random::Random;
use tallyboard_base::statistics::{student_t, student_tail};

/// The subtrees laid end to end.
#[derive(Debug)]
pub(super) struct CostLine {
    /// The place on the line where each subtree ends.
    ends: Vec<u64>,
}

/// Two subtrees (perhaps the same one twice) for each stratum, in random order of the strata.
pub(super) type Pairs = Vec<([usize; 2], PairKind)>;

/// What a pair tells of the variance within its stratum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PairKind {
    /// The draws are two subtrees, whose difference estimates the variance.
    TwoSubtrees,
    /// Both draws fell on the same subtree, and the stratum has others. This tells nothing of the variance.
    Repeated,
    /// The stratum lies in one subtree: there is no variance.
    OneSubtree,
}

impl CostLine {
    pub(super) fn new(costs: impl Iterator<Item = u64>) -> Self {
        let ends = costs
            .scan(0u64, |end, cost| {
                // `Costs` have a sum that fits in 64 bits.
                *end += cost.max(1);
                Some(*end)
            })
            .collect();
        Self { ends }
    }

    fn length(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    pub(super) fn subtrees(&self) -> usize {
        self.ends.len()
    }

    /// The probability that a point of the whole line falls on `subtree`.
    pub(super) fn probability(&self, subtree: usize) -> f64 {
        let before = subtree.checked_sub(1).map_or(0, |before| self.ends[before]);
        (self.ends[subtree] - before) as f64 / self.length() as f64
    }

    /// The subtree at `offset` within stratum number `stratum` of `strata`. An offset is below the length of the line and
    /// counts in units of 1 / `strata`. In these units each stratum is exactly as long as the line, so all are equal.
    fn subtree_at(&self, stratum: u64, strata: u64, offset: u64) -> usize {
        let point = u128::from(stratum) * u128::from(self.length()) + u128::from(offset);
        let point = (point / u128::from(strata)) as u64;
        self.ends.partition_point(|&end| end <= point)
    }

    /// The kind of a pair drawn from stratum number `stratum` of `strata`.
    fn kind_of(&self, [a, b]: [usize; 2], stratum: u64, strata: u64) -> PairKind {
        if a != b {
            return PairKind::TwoSubtrees;
        }
        let first = self.subtree_at(stratum, strata, 0);
        let last = self.subtree_at(stratum, strata, self.length() - 1);
        if first == last { PairKind::OneSubtree } else { PairKind::Repeated }
    }

    /// A pair for each of `strata` strata, the same for the same `seed`.
    pub(super) fn draw(&self, strata: usize, seed: u64) -> Pairs {
        let mut random = Random::from_seed(seed);
        let count = strata as u64;
        let mut point = |stratum| {
            let offset = random.below_wide(self.length());
            self.subtree_at(stratum, count, offset)
        };
        let mut pairs: Pairs = (0..count)
            .map(|stratum| {
                let pair = [point(stratum), point(stratum)];
                (pair, self.kind_of(pair, stratum, count))
            })
            .collect();
        random.shuffle(&mut pairs);
        pairs
    }
}

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

    /// Every point of every stratum, weighed as the estimate weighs it, gives the exact sum.
    #[test]
    fn the_mean_over_all_draws_is_the_sum() {
        let costs = [3, 1, 4, 1, 5, 9, 2, 6];
        let subtotals = [30u32, 0, 7, 1000, 5, 2, 2, 61];
        let line = CostLine::new(costs.into_iter());
        for strata in 1..=12 {
            let mut mean = 0.0;
            for stratum in 0..strata {
                for offset in 0..line.length() {
                    let subtree = line.subtree_at(stratum, strata, offset);
                    mean += f64::from(subtotals[subtree]) / line.probability(subtree);
                }
            }
            mean /= (strata * line.length()) as f64;
            let sum = f64::from(subtotals.iter().sum::<u32>());
            assert!((mean / sum - 1.0).abs() < 1e-12, "{strata} strata: {mean}, not {sum}");
        }
    }

    #[test]
    fn pairs_lie_in_their_strata_and_every_stratum_has_one() {
        let line = CostLine::new([10, 10, 10, 10].into_iter());
        let mut pairs = line.draw(4, 7);
        let order = pairs.clone();
        pairs.sort_unstable();
        assert_eq!(pairs, [0, 1, 2, 3].map(|subtree| ([subtree; 2], PairKind::OneSubtree)));
        assert_eq!(order, line.draw(4, 7), "a seed fixes the draw");
        let orders: std::collections::HashSet<Pairs> =
            (0..20).map(|seed| line.draw(4, seed)).collect();
        assert!(orders.len() > 10, "the order of the strata is random");
    }

    #[test]
    fn a_pair_tells_of_its_stratum_what_it_can() {
        let line = CostLine::new([3, 1].into_iter());
        let kinds = |strata| -> std::collections::BTreeSet<_> {
            let draws = (0..50).flat_map(|seed| line.draw(strata, seed));
            draws.map(|([a, b], kind)| (a.min(b), a.max(b), kind)).collect()
        };
        use PairKind::*;
        let mixed = [(0, 0, Repeated), (0, 1, TwoSubtrees), (1, 1, Repeated)];
        assert!(kinds(1).into_iter().eq(mixed));
        let within = [(0, 0, OneSubtree)];
        assert!(kinds(2).into_iter().eq([&mixed[..1], &within, &mixed[1..]].concat()));
        assert!(kinds(4).into_iter().eq([(0, 0, OneSubtree), (1, 1, OneSubtree)]));
    }

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
