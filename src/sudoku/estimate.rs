//! How many solutions a grid has, about: Knuth's estimator.
//!
//! A random descent takes one alternative at every branching; the product of the numbers of
//! alternatives on its way, or 0 if it ends dead, has the number of solutions as its expectation.

use super::Grid;
use super::single::state::{Propagated, State};
use crate::random::Random;

/// The logarithm of no solutions.
const NONE: f64 = f64::NEG_INFINITY;

/// An estimated number of solutions, as natural logarithms: grids of 25 × 25 may have 10^362. Minus
/// infinity stands for none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean of the descents.
    pub ln: f64,
    /// The lower end of a 95 % interval for the number (normal approximation).
    pub ln_low: f64,
    /// Its upper end.
    pub ln_high: f64,
    /// Random descents taken.
    pub probes: u64,
}

/// Estimates the number of solutions of `grid` from `probes` random descents, reproducibly by
/// `seed`. A descent takes some microseconds.
///
/// Where solutions are few, most descents end dead: an exact count is cheaper there. The interval is
/// only as good as the sample, whose distribution has a long upper tail.
pub fn estimate(grid: &Grid, probes: u64, seed: u64) -> Estimate {
    estimate_cells::<9, 81>(grid.cells(), probes, seed)
}

/// The same for a grid of any size.
pub(super) fn estimate_cells<const SIDE: usize, const CELLS: usize>(
    cells: &[u8; CELLS],
    probes: u64,
    seed: u64,
) -> Estimate {
    let mut random = Random::from_seed(seed);
    let Some(start) = State::<SIDE, CELLS>::new(cells) else {
        return Estimate { ln: NONE, ln_low: NONE, ln_high: NONE, probes };
    };
    // Sums relative to the largest descent so far, so that nothing overflows.
    let (mut largest, mut sum, mut squares) = (NONE, 0.0, 0.0);
    for ln in (0..probes).map(|_| descend(start.clone(), &mut random)).filter(|&ln| ln != NONE) {
        if ln > largest {
            let factor = (largest - ln).exp();
            (largest, sum, squares) = (ln, sum * factor, squares * factor * factor);
        }
        let relative = (ln - largest).exp();
        (sum, squares) = (sum + relative, squares + relative * relative);
    }
    let count = probes as f64;
    let mean = sum / count;
    let variance = (squares - sum * mean).max(0.0) / (count - 1.0).max(1.0);
    let margin = 1.96 * (variance / count).sqrt();
    let ln = |relative: f64| largest + relative.max(0.0).ln();
    Estimate { ln: ln(mean), ln_low: ln(mean - margin), ln_high: ln(mean + margin), probes }
}

/// The logarithm of what one descent finds.
fn descend<const SIDE: usize, const CELLS: usize>(
    mut state: State<SIDE, CELLS>,
    random: &mut Random,
) -> f64 {
    let mut ln = 0.0;
    loop {
        let choice = match state.propagate() {
            Propagated::Dead => return NONE,
            Propagated::Solved => return ln,
            Propagated::Branch(choice) => choice,
        };
        ln += f64::from(choice.alternatives()).ln();
        let taken = random.below(choice.alternatives()) as usize;
        let step = choice.moves().nth(taken).expect("one of the alternatives");
        state = state.child(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::solve;

    #[test]
    fn the_interval_holds_a_known_count() {
        let grid: Grid =
            "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8."
                .parse()
                .unwrap();
        let count = (solve(&grid, u64::MAX).count as f64).ln();
        let wide = estimate(&grid, 20_000, 7);
        assert!(wide.ln_low <= count && count <= wide.ln_high, "{count} {wide:?}");
    }

    #[test]
    fn solved_and_impossible_grids_are_exact() {
        let clash: Grid = format!("11{}", ".".repeat(79)).parse().unwrap();
        assert_eq!(estimate(&clash, 10, 1).ln, f64::NEG_INFINITY);
        let solved: Grid =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
                .parse()
                .unwrap();
        assert_eq!(estimate(&solved, 10, 1).ln_high, 0.0);
    }

    #[test]
    fn numbers_beyond_any_float_have_an_interval() {
        let empty = estimate_cells::<25, 625>(&[0; 625], 50, 1);
        assert!(empty.ln > 154.0 * std::f64::consts::LN_10, "{empty:?}");
        assert!(empty.ln_low < empty.ln && empty.ln < empty.ln_high, "{empty:?}");
        assert!(empty.ln_high.is_finite(), "{empty:?}");
    }

    /// The sums are rescaled whenever a larger descent comes: the interval stays that of all descents.
    #[test]
    fn the_interval_is_that_of_the_descents_themselves() {
        let grid: Grid =
            "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8."
                .parse()
                .unwrap();
        let (probes, mut random) = (500, Random::from_seed(3));
        let start = State::<9, 81>::new(grid.cells()).unwrap();
        let descents: Vec<f64> =
            (0..probes).map(|_| descend(start.clone(), &mut random).exp()).collect();
        let count = probes as f64;
        let mean = descents.iter().sum::<f64>() / count;
        let variance = descents.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let high = mean + 1.96 * (variance / count).sqrt();
        let found = estimate(&grid, probes, 3);
        assert!((found.ln.exp() / mean - 1.0).abs() < 1e-9, "{mean} {found:?}");
        assert!((found.ln_high.exp() / high - 1.0).abs() < 1e-9, "{high} {found:?}");
    }
}
