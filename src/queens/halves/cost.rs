//! How long the row sets take, roughly, before anything is counted.
//!
//! Two queens in rows at distance d and in different columns, otherwise at random, share a diagonal
//! with probability 2 (h - d) / h (h - 1). Taking the pairs of rows as independent gives the number of
//! half boards for a set of rows up to a factor; the work grows a little slower than the product of
//! the two lists of a row set. Only products and square roots are used, whose results are the
//! same on every machine, because the costs decide where the subtrees are cut.

use super::corner::Sizes;
use super::subsets::elements;

/// Estimates for one board.
#[derive(Debug)]
pub(super) struct CostModel {
    sizes: Sizes,
    /// Probability that queens in two rows at this distance do not attack each other.
    peace: Vec<f64>,
    /// The product of the probabilities of all pairs of rows of a set within a quarter.
    within: Vec<f64>,
}

impl CostModel {
    pub(super) fn new(sizes: Sizes) -> Self {
        let h = f64::from(sizes.h);
        let peace: Vec<f64> =
            (0..=sizes.n)
                .map(|d| {
                    if d < sizes.h { 1.0 - 2.0 * (h - f64::from(d)) / (h * (h - 1.0)) } else { 1.0 }
                })
                .map(|peace| peace.max(0.05))
                .collect();
        let mut within = vec![1.0; 1 << sizes.h];
        for set in 1..within.len() {
            let first = set.trailing_zeros();
            let rest = set & (set - 1);
            within[set] = within[rest] * product(rest as u32, |row| peace[(row - first) as usize]);
        }
        Self { sizes, peace, within }
    }

    /// The relative number of half boards with the rows `top` and `bottom`, for many bottoms.
    pub(super) fn half_boards(&self, top: u32) -> impl Fn(u32) -> f64 {
        let Sizes { n, h } = self.sizes;
        let across: Vec<f64> =
            (0..h).map(|i| product(top, |row| self.peace[(n - 1 - i - row) as usize])).collect();
        move |bottom| {
            self.within[top as usize]
                * self.within[bottom as usize]
                * product(bottom, |row| across[row as usize])
        }
    }

    /// About how many fillings each row set of a quarter has, rather more than fewer.
    fn quarters(&self) -> impl Iterator<Item = f64> {
        let h = self.sizes.h;
        self.within.iter().zip(0u32..).map(move |(within, set)| {
            within * (h - set.count_ones() + 1..=h).map(f64::from).product::<f64>()
        })
    }

    /// About how many fillings all row sets of a quarter have together.
    pub(super) fn all_quarters(&self) -> f64 {
        self.quarters().sum()
    }

    /// About how many fillings the row set of a quarter has that has most of them.
    pub(super) fn longest_quarter(&self) -> f64 {
        self.quarters().fold(0.0, f64::max)
    }

    /// More half boards than the most crowded row set has.
    pub(super) fn longest_half(&self) -> f64 {
        let h = self.sizes.h;
        let ways: f64 = (1..=h).map(f64::from).product();
        // Every other row of the board is crowded, if not the most crowded: that has up to 1.4
        // times as many for every n to 23. Which rows the quarters begin with makes a difference.
        let alternate = |first: u32| (first..h).step_by(2).fold(0, |set, row| set | 1 << row);
        let most = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(top, bottom)| self.half_boards(alternate(top))(alternate(bottom)))
            .into_iter()
            .fold(0.0, f64::max);
        1.0 + 1.5 * most * ways
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
