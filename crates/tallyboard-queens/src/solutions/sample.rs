//! Draws random solutions.

use std::iter;
use std::ops::ControlFlow;

use tallyboard_base::bits::bits;
use tallyboard_base::random::Random;

use crate::MAX_N;
use crate::position::Attacks;
use crate::solutions::Solutions;

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

// The eight images of a board under rotation and reflection.

/// Whether no rotation or reflection of the board is lexicographically smaller. This holds for exactly one
/// solution of each class, the *fundamental* one.
///
/// ```
/// use tallyboard_queens::solutions::is_smallest_image;
///
/// assert!(is_smallest_image(&[1, 3, 0, 2]));
/// assert!(!is_smallest_image(&[2, 0, 3, 1])); // its mirror image
/// ```
///
/// # Panics
/// If `columns` is no permutation of `0..columns.len()` or longer than 32.
pub fn is_smallest_image(columns: &[u8]) -> bool {
    let n = columns.len();
    let Some(last) = n.checked_sub(1) else { return true };
    // A quick answer for half of all boards: their mirror image is smaller.
    if columns[0] > last as u8 - columns[0] {
        return false;
    }
    // The board reflected in its diagonal: the row of each column's queen.
    let mut rows = [0u8; MAX_N as usize];
    for (row, &column) in columns.iter().enumerate() {
        rows[column as usize] = row as u8;
    }
    // Each of the two, as it is, mirrored left and right, upside down, and both: the eight images.
    [columns, &rows[..n]].into_iter().all(|board| {
        let columns = || columns.iter().copied();
        let as_is = board.iter().copied();
        let mirrored = board.iter().map(|&column| last as u8 - column);
        columns().le(as_is.clone())
            && columns().le(mirrored.clone())
            && columns().le(as_is.rev())
            && columns().le(mirrored.rev())
    })
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
