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
//! 1943). Strata spread the points evenly. Neighbours on the line begin with the same queens and are much
//! alike, so most of the variance is between strata, where it does not enter the estimate.

use base::random::Random;

/// The subtrees laid end to end.
#[derive(Debug)]
pub(super) struct CostLine {
    /// Where each subtree ends.
    ends: Vec<u64>,
}

/// Two subtrees (perhaps the same one twice) for each stratum, in random order of the strata.
pub(super) type Pairs = Vec<([usize; 2], Stratum)>;

/// What a pair tells of the variance within its stratum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Stratum {
    /// Its draws are two subtrees, whose difference estimates the variance.
    Two,
    /// Both draws fell on the same one of several subtrees, which tells nothing.
    Twice,
    /// The stratum lies in one subtree: there is no variance.
    Within,
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

    /// The subtree at `offset` within stratum `stratum` of `strata`. Offsets go from 0 to the length
    /// of the line: a stratum is as long as the line in steps of 1 / `strata`, so that all are
    /// exactly equal.
    fn subtree_at(&self, stratum: u64, strata: u64, offset: u64) -> usize {
        let point = u128::from(stratum) * u128::from(self.length()) + u128::from(offset);
        let point = (point / u128::from(strata)) as u64;
        self.ends.partition_point(|&end| end <= point)
    }

    fn what_it_tells(&self, pair: [usize; 2], stratum: u64, strata: u64) -> Stratum {
        let ends = [0, self.length() - 1].map(|at| self.subtree_at(stratum, strata, at));
        match pair {
            [a, b] if a != b => Stratum::Two,
            _ if ends[0] == ends[1] => Stratum::Within,
            _ => Stratum::Twice,
        }
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
                (pair, self.what_it_tells(pair, stratum, count))
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
        assert_eq!(pairs, [0, 1, 2, 3].map(|it| ([it, it], Stratum::Within)));
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
            draws.map(|([a, b], stratum)| (a.min(b), a.max(b), stratum)).collect()
        };
        let within = Stratum::Within;
        let twice = Stratum::Twice;
        let mixed = [(0, 0, twice), (0, 1, Stratum::Two), (1, 1, twice)];
        assert!(kinds(1).into_iter().eq(mixed));
        assert!(kinds(2).into_iter().eq([&mixed[..1], &[(0, 0, within)], &mixed[1..]].concat()));
        assert!(kinds(4).into_iter().eq([(0, 0, within), (1, 1, within)]));
    }

    #[test]
    fn points_reach_whole_subtrees_as_often_as_they_cost() {
        let costs = [1, 2, 3, 4];
        let line = CostLine::new(costs.into_iter());
        let mut drawn = [0u64; 4];
        for seed in 0..5_000 {
            line.draw(1, seed)[0].0.iter().for_each(|&subtree| drawn[subtree] += 1);
        }
        for (count, cost) in drawn.into_iter().zip(costs) {
            assert!(count.abs_diff(cost * 1_000) < 150, "{drawn:?}");
        }
    }
}
