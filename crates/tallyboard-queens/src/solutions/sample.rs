//! Draws random solutions.

use std::iter;
use std::ops::ControlFlow;

use super::Solutions;
use crate::attacks::Attacks;
use tallyboard_base::bits::bits;
use tallyboard_base::random::Random;

/// The probability with which each solution is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Every solution equally likely, each draw independent. All solutions are counted first.
    Uniform,
    /// A random free square in one row after another; if a row has none, from the first row again. Every solution can be
    /// drawn, but not with equal probability: a solution's is proportional to the product, over the rows, of
    /// 1 / (free squares of the row). So solutions whose rows had few free squares are drawn more often.
    RandomRows,
}

impl Distribution {
    /// The largest n at which counting all solutions takes seconds at most.
    const MAX_UNIFORM_N: u32 = 15;

    /// The default: uniform if that takes seconds at most.
    pub fn usual(n: u32) -> Self {
        if n <= Self::MAX_UNIFORM_N { Self::Uniform } else { Self::RandomRows }
    }
}

/// Draws `number` solutions, with replacement, each when the iterator is asked for it. There are none if the board has
/// no solution.
///
/// Uniform draws first count all solutions. Random rows take some thousand short tries per draw; on a board with
/// placed queens or closed squares they first search for a solution, which may take for ever on a large board.
pub fn sample(
    solutions: &Solutions,
    number: usize,
    distribution: Distribution,
    seed: u64,
) -> Box<dyn Iterator<Item = Vec<u8>> + '_> {
    let mut random = Random::from_seed(seed);
    match distribution {
        Distribution::Uniform => Box::new(uniform(solutions, random).take(number)),
        Distribution::RandomRows if solutions.has_any() => {
            let tries = iter::repeat_with(move || random_rows(&solutions.open, &mut random));
            Box::new(tries.flatten().take(number))
        }
        Distribution::RandomRows => Box::new(iter::empty()),
    }
}

/// Draws without end, each solution with equal probability; nothing if there are none.
fn uniform(solutions: &Solutions, mut random: Random) -> impl Iterator<Item = Vec<u8>> + '_ {
    let counts: Vec<(Vec<u8>, u64)> =
        solutions.prefixes().map(|prefix| (prefix.clone(), solutions.count(&prefix))).collect();
    let total = counts.iter().try_fold(0u64, |sum, (_, count)| sum.checked_add(*count));
    let total = total.expect("solutions are counted one by one: 2^64 of them take centuries");
    iter::from_fn(move || {
        if total == 0 {
            return None;
        }
        let mut rank = random.below_wide(total);
        for (prefix, count) in &counts {
            if rank < *count {
                return Some(nth(solutions, prefix, rank));
            }
            rank -= count;
        }
        unreachable!("the rank is below the total")
    })
}

/// The solution with `rank` others before it among those that begin with `prefix`.
fn nth(solutions: &Solutions, prefix: &[u8], mut rank: u64) -> Vec<u8> {
    let mut found = Vec::new();
    let _ = solutions.for_each(prefix, &mut |columns| {
        if rank == 0 {
            found = columns.to_vec();
            return ControlFlow::Break(());
        }
        rank -= 1;
        ControlFlow::Continue(())
    });
    found
}

/// A random free square in one row after another; `None` if a row has none.
fn random_rows(open: &[u64], random: &mut Random) -> Option<Vec<u8>> {
    let mut attacks = Attacks::default();
    let mut columns = Vec::with_capacity(open.len());
    for &open in open {
        let free = attacks.free(open);
        if free == 0 {
            return None;
        }
        let square = bits(free).nth(random.below(free.count_ones()) as usize)?;
        attacks = attacks.place(square);
        columns.push(square.trailing_zeros() as u8);
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::board::board;

    #[test]
    fn draws_are_even_up_to_15_queens() {
        assert_eq!([1, 14, 15].map(Distribution::usual), [Distribution::Uniform; 3]);
        assert_eq!([16, 17].map(Distribution::usual), [Distribution::RandomRows; 2]);
    }

    #[test]
    fn uniform_draws_are_even() {
        let solutions = Solutions::new(6).unwrap();
        let mut seen = BTreeMap::new();
        for columns in sample(&solutions, 4000, Distribution::Uniform, 1) {
            *seen.entry(columns).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 4);
        assert!(seen.values().all(|count| (900..1100).contains(count)), "{seen:?}");
    }

    #[test]
    fn random_rows_give_solutions() {
        let solutions = Solutions::new(20).unwrap();
        let drawn: Vec<_> = sample(&solutions, 20, Distribution::RandomRows, 1).collect();
        assert_eq!(drawn.len(), 20);
        for columns in drawn {
            let columns: Vec<u32> = columns.into_iter().map(u32::from).collect();
            assert_eq!(crate::place::check(&columns), Ok(()));
        }
        let three = Solutions::new(3).unwrap();
        for distribution in [Distribution::RandomRows, Distribution::Uniform] {
            assert_eq!(sample(&three, 5, distribution, 1).next(), None);
        }
    }

    #[test]
    fn random_rows_keep_to_placed_queens_and_open_squares() {
        let solutions = Solutions::on(&board(16, "c16", "a15 e15"));
        let drawn: Vec<_> = sample(&solutions, 20, Distribution::RandomRows, 1).collect();
        assert_eq!(drawn.len(), 20);
        assert!(drawn.iter().all(|columns| columns[0] == 2 && ![0, 4].contains(&columns[1])));
        let attacking = Solutions::on(&board(16, "a1 a2", ""));
        assert_eq!(sample(&attacking, 5, Distribution::RandomRows, 1).next(), None);
    }
}
