//! Which subtrees are counted again, and what that proves.

use crate::random::Random;

/// Subtrees drawn in two ways, each in the order of its draws, so that the first ones of either are a sample too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draws {
    /// Each subtree with equal chance, none twice.
    pub equal: Vec<usize>,
    /// Each solution with equal chance: subtrees in proportion to their subtotals, perhaps the same one again.
    pub by_solutions: Vec<usize>,
}

impl Draws {
    /// Draws `number` subtrees in each way, from those with these subtotals; the same ones for the same `seed`. All
    /// subtrees, once, if there are no more.
    ///
    /// # Panics
    /// If the subtotals add up to 2^128 or more.
    pub fn new(subtotals: &[u128], number: usize, seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let mut equal: Vec<usize> = (0..subtotals.len()).collect();
        random.shuffle(&mut equal);
        equal.truncate(number);
        let mut sum = 0u128;
        let ends: Vec<u128> = subtotals
            .iter()
            .map(|subtotal| {
                sum = sum.checked_add(*subtotal).expect("a count fits in 128 bits");
                sum
            })
            .collect();
        let all = number >= subtotals.len() || sum == 0;
        let by_solutions = (0..if all { 0 } else { number }).map(|_| {
            let point = below(&mut random, sum);
            ends.partition_point(|&end| end <= point)
        });
        Self { by_solutions: by_solutions.collect(), equal }
    }

    /// The subtrees of both in turns.
    pub fn in_turns(&self) -> impl Iterator<Item = usize> {
        let longer = self.equal.len().max(self.by_solutions.len());
        (0..longer).flat_map(|at| {
            [self.equal.get(at), self.by_solutions.get(at)].into_iter().flatten().copied()
        })
    }
}

/// A number below `bound`, each with equal chance.
pub(super) fn below(random: &mut Random, bound: u128) -> u128 {
    let bits = u128::BITS - (bound - 1).leading_zeros();
    loop {
        let number = u128::from(random.bits()) << 64 | u128::from(random.bits());
        // Half of all numbers are below the bound, or more.
        let number = number.checked_shr(u128::BITS - bits).unwrap_or(0);
        if number < bound {
            return number;
        }
    }
}

/// The probability that `drawn` of `total` subtrees, drawn with equal chance and none twice, hold at least one of
/// `wrong` ones.
pub fn detection(total: usize, wrong: usize, drawn: usize) -> f64 {
    let missed = |at: usize| total.saturating_sub(wrong + at) as f64 / (total - at) as f64;
    1.0 - (0..drawn.min(total)).map(missed).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probability_is_that_of_the_urn() {
        assert_eq!(detection(100, 0, 40), 0.0);
        assert_eq!(detection(100, 1, 100), 1.0);
        assert!((detection(100, 1, 40) - 0.4).abs() < 1e-12);
        assert!((detection(10, 2, 3) - (1.0 - 56.0 / 120.0)).abs() < 1e-12);
        // The number in the documents.
        assert!((detection(12_171_271, 121_713, 40) - 0.331).abs() < 5e-4);
    }

    #[test]
    fn draws_are_a_matter_of_the_seed_and_go_by_subtrees_and_by_solutions() {
        let subtotals = [1, 0, 2, 3, 0, 1 << 70, 1 << 70];
        let mut times = [[0u32; 7]; 2];
        for seed in 0..3_000 {
            let draws = Draws::new(&subtotals, 2, seed);
            assert_eq!(draws, Draws::new(&subtotals, 2, seed));
            assert_ne!(draws.equal[0], draws.equal[1]);
            draws.equal.iter().for_each(|&id| times[0][id] += 1);
            draws.by_solutions.iter().for_each(|&id| times[1][id] += 1);
            let in_turns: Vec<usize> = draws.in_turns().collect();
            assert_eq!((in_turns[0], in_turns[3]), (draws.equal[0], draws.by_solutions[1]));
        }
        assert!(times[0].iter().all(|&count| count.abs_diff(6_000 / 7) < 120), "{times:?}");
        assert!(times[1][..5].iter().all(|&count| count == 0), "{times:?}");
        assert!(times[1][5].abs_diff(3_000) < 180, "{times:?}");

        let small: Vec<u128> = [1, 2, 3, 4].into();
        let mut times = [0u32; 4];
        for seed in 0..4_000 {
            Draws::new(&small, 1, seed).by_solutions.iter().for_each(|&id| times[id] += 1);
        }
        for (count, subtotal) in times.into_iter().zip(1..) {
            assert!(count.abs_diff(400 * subtotal) < 120, "{times:?}");
        }
        let all = Draws::new(&small, 9, 1);
        assert_eq!((all.equal.len(), all.by_solutions.len()), (4, 0));
    }
}
