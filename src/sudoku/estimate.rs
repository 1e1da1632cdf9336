//! How many solutions a grid has, about: Knuth's estimator.
//!
//! A random descent takes one alternative at every branching; the product of the numbers of
//! alternatives on its way, or 0 if it ends dead, has the number of solutions as its expectation.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Grid;
use super::kernel::state::{State, Step};
use crate::random::below;

/// An estimated number of solutions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean of the descents.
    pub mean: f64,
    /// The lower end of a 95 % interval for the number (normal approximation).
    pub low: f64,
    /// Its upper end.
    pub high: f64,
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
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Some(start) = State::<SIDE, CELLS>::new(cells) else {
        return Estimate { mean: 0.0, low: 0.0, high: 0.0, probes };
    };
    // Welford's running mean and sum of squared deviations.
    let (mut mean, mut squares) = (0.0, 0.0);
    for probe in 1..=probes {
        let found = descend(start.clone(), &mut random);
        let deviation = found - mean;
        mean += deviation / probe as f64;
        squares += deviation * (found - mean);
    }
    let variance = squares / probes.saturating_sub(1).max(1) as f64;
    let margin = 1.96 * (variance / probes.max(1) as f64).sqrt();
    Estimate { mean, low: (mean - margin).max(0.0), high: mean + margin, probes }
}

fn descend<const SIDE: usize, const CELLS: usize>(
    mut state: State<SIDE, CELLS>,
    random: &mut Xoshiro256PlusPlus,
) -> f64 {
    let mut product = 1.0;
    loop {
        let choice = match state.propagate() {
            Step::Dead => return 0.0,
            Step::Solved => return product,
            Step::Branch(choice) => choice,
        };
        product *= f64::from(choice.alternatives());
        let taken = below(random, u64::from(choice.alternatives())) as usize;
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
        let count = solve(&grid, u64::MAX).count as f64;
        let wide = estimate(&grid, 20_000, 7);
        assert!(wide.low <= count && count <= wide.high, "{count} {wide:?}");
    }

    #[test]
    fn solved_and_impossible_grids_are_exact() {
        let clash: Grid = format!("11{}", ".".repeat(79)).parse().unwrap();
        assert_eq!(estimate(&clash, 10, 1).mean, 0.0);
        let solved: Grid =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
                .parse()
                .unwrap();
        assert_eq!(estimate(&solved, 10, 1).high, 1.0);
    }
}
