//! Draws subtrees: pairs of random points on the line of all costs.
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

use tallyboard_base::random::Random;

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
}
