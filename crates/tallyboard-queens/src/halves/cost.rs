//! A rough estimate of the work of each row set, before anything is counted.
//!
//! Take two queens in rows at distance d, in random but different columns of h. They share a diagonal
//! with probability 2 (h - d) / h (h - 1). The product over all pairs of rows, taken as independent, gives
//! the number of half boards of a row set up to a constant factor. The work grows a little slower than the
//! product of the lengths of the two lists. The costs decide where the subtrees are cut, so they must be
//! equal on every machine: only operations that IEEE 754 rounds exactly are used, such as square roots.

use super::corner::Sizes;
use super::subsets::elements;

/// Estimates for one board.
#[derive(Debug)]
pub(super) struct CostModel {
    sizes: Sizes,
    /// Probability, by distance, that queens in two rows do not attack each other.
    no_attack_probability: Vec<f64>,
    /// For each set of rows of a quarter, the product of `no_attack_probability` over its pairs of rows.
    within: Vec<f64>,
}

impl CostModel {
    pub(super) fn new(sizes: Sizes) -> Self {
        let h = f64::from(sizes.h);
        let probability = |d: u32| {
            if d < sizes.h { 1.0 - 2.0 * (h - f64::from(d)) / (h * (h - 1.0)) } else { 1.0 }
        };
        // On the smallest boards the formula gives 0 or less.
        let no_attack_probability: Vec<f64> =
            (0..=sizes.n).map(|d| probability(d).max(0.05)).collect();
        let mut within = vec![1.0; 1 << sizes.h];
        for set in 1..within.len() {
            let first = set.trailing_zeros();
            let others = set & (set - 1);
            within[set] = within[others]
                * product(others as u32, |row| no_attack_probability[(row - first) as usize]);
        }
        Self { sizes, no_attack_probability, within }
    }

    /// Given rows above the middle, returns a function from rows below it to the relative number of half boards.
    pub(super) fn half_boards(&self, top: u32) -> impl Fn(u32) -> f64 {
        let Sizes { n, h } = self.sizes;
        // For each row below the middle, the probability that its queen attacks none above the middle.
        let across: Vec<f64> = (0..h)
            .map(|i| product(top, |row| self.no_attack_probability[(n - 1 - i - row) as usize]))
            .collect();
        move |bottom| {
            self.within[top as usize]
                * self.within[bottom as usize]
                * product(bottom, |row| across[row as usize])
        }
    }

    /// Estimated number of fillings of each row set of a quarter, rather too many than too few.
    pub(super) fn quarters(&self) -> impl Iterator<Item = f64> {
        let h = self.sizes.h;
        self.within.iter().zip(0u32..).map(move |(within, set)| {
            within * (h - set.count_ones() + 1..=h).map(f64::from).product::<f64>()
        })
    }

    /// Upper estimate of the half boards of any row set.
    pub(super) fn longest_half(&self) -> f64 {
        let h = self.sizes.h;
        // The number of ways to choose the columns.
        let permutations: f64 = (1..=h).map(f64::from).product();
        // The row set of every other row has many half boards; no row set has more than 1.4 times as many,
        // for n up to 23. All four ways to begin the two quarters are tried.
        let alternate: [u32; 2] =
            [0, 1].map(|first| (first..h).step_by(2).fold(0, |set, row| set | 1 << row));
        let most = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(top, bottom)| self.half_boards(alternate[top])(alternate[bottom]))
            .into_iter()
            .fold(0.0, f64::max);
        1.0 + 1.5 * most * permutations
    }
}

/// The work for lists of these relative lengths.
pub(super) fn work(left: f64, right: f64) -> f64 {
    // (left × right)^(3/4)
    let pairs = left * right;
    pairs.sqrt() * pairs.sqrt().sqrt()
}

fn product(set: u32, factor: impl Fn(u32) -> f64) -> f64 {
    elements(set).map(factor).product()
}
