//! Draws the subtrees to count again, and computes the probability that they show a mistake.

use tallyboard_base::random::Random;

/// Subtrees drawn in two ways. Both lists are in the order of drawing, so their first entries are a random sample
/// too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draws {
    /// Each subtree with equal probability, none twice.
    pub equal: Vec<usize>,
    /// Each subtree with a probability in proportion to its subtotal, with repetitions.
    pub by_solutions: Vec<usize>,
}

impl Draws {
    /// Draws `number` subtrees in each way, given all `subtotals`. Equal seeds give equal draws. If there are not
    /// more than `number` subtrees, `equal` has all of them and `by_solutions` none.
    ///
    /// # Panics
    /// If the subtotals add up to 2^128 or more.
    pub fn new(subtotals: &[u128], number: usize, seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let mut equal: Vec<usize> = (0..subtotals.len()).collect();
        random.shuffle(&mut equal);
        equal.truncate(number);
        let mut by_solutions = Vec::new();
        if number < subtotals.len() {
            let draw = ProportionalDraw::new(subtotals);
            by_solutions.extend((0..number).map_while(|_| draw.draw(&mut random)));
        }
        Self { equal, by_solutions }
    }

    /// The subtrees of both lists, taken in turns.
    pub fn in_turns(&self) -> impl Iterator<Item = usize> {
        let longer = self.equal.len().max(self.by_solutions.len());
        (0..longer).flat_map(|index| {
            [self.equal.get(index), self.by_solutions.get(index)].into_iter().flatten().copied()
        })
    }
}

/// Draws from a list of counts, each with a probability in proportion to its size.
pub(super) struct ProportionalDraw {
    /// For each count, the sum of those up to and including it.
    ends: Vec<u128>,
}

impl ProportionalDraw {
    /// # Panics
    /// If the counts add up to 2^128 or more.
    pub fn new(counts: &[u128]) -> Self {
        let mut sum = 0u128;
        let mut ends = Vec::with_capacity(counts.len());
        for &count in counts {
            sum = sum.checked_add(count).expect("a count fits in 128 bits");
            ends.push(sum);
        }
        Self { ends }
    }

    /// The sum of all counts.
    pub fn sum(&self) -> u128 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Draws the index of a count; `None` if there are no solutions.
    pub fn draw(&self, random: &mut Random) -> Option<usize> {
        let sum = self.sum();
        (sum > 0).then(|| self.index_of(below(random, sum)))
    }

    /// The index of the count to which a solution belongs, if all solutions are numbered from 0, count after count.
    fn index_of(&self, solution: u128) -> usize {
        self.ends.partition_point(|&end| end <= solution)
    }
}

/// A number below `bound`, each with equal probability.
fn below(random: &mut Random, bound: u128) -> u128 {
    let bits = u128::BITS - (bound - 1).leading_zeros();
    loop {
        let number = u128::from(random.bits()) << 64 | u128::from(random.bits());
        // Each try succeeds with a probability of at least one half.
        let number = number.checked_shr(u128::BITS - bits).unwrap_or(0);
        if number < bound {
            return number;
        }
    }
}

/// The probability that at least one of `wrong` subtrees is among `drawn` of `total` subtrees, drawn with equal
/// probability and none twice.
pub fn detection(total: usize, wrong: usize, drawn: usize) -> f64 {
    // At each draw, the share of right subtrees among those not drawn yet.
    let missed: f64 = (0..drawn.min(total))
        .map(|draw| total.saturating_sub(wrong + draw) as f64 / (total - draw) as f64)
        .product();
    1.0 - missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detection_is_the_probability_for_draws_without_repetition() {
        assert_eq!(detection(100, 0, 40), 0.0);
        assert_eq!(detection(100, 1, 100), 1.0);
        assert!((detection(100, 1, 40) - 0.4).abs() < 1e-12);
        assert!((detection(10, 2, 3) - (1.0 - 56.0 / 120.0)).abs() < 1e-12);
        // The figure that the documentation states.
        assert!((detection(12_171_271, 121_713, 40) - 0.331).abs() < 5e-4);
    }

    #[test]
    fn parts_are_drawn_by_their_solutions() {
        let counts = ProportionalDraw::new(&[2, 0, 3]);
        let drawn: Vec<usize> = (0..5).map(|number| counts.index_of(number)).collect();
        assert_eq!((drawn, counts.sum()), (vec![0, 0, 2, 2, 2], 5));
        let none = ProportionalDraw::new(&[0, 0]);
        assert_eq!((none.draw(&mut Random::from_seed(1)), none.sum()), (None, 0));
    }

    #[test]
    fn draws_depend_on_the_seed_and_are_equal_or_by_solutions() {
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
