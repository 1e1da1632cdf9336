//! Estimating the number of solutions of a grid, by generations of grids that branch together ([`draw`]).

use super::Grid;
use crate::single::{Propagation, State};
use tallyboard_base::statistics::Estimate;
use tallyboard_search::{Entered, draw, estimate_by};

/// Estimates the number of solutions of `grid` from `probes` random descents, reproducibly by
/// `seed`. A descent takes some microseconds.
///
/// Where solutions are few, most descents end dead: an exact count is cheaper there. There is no interval where too few
/// descents came to a solution, or some of them outweigh the others.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, estimate};
///
/// let estimate = estimate(&Grid::default(), 5_000, 1);
/// let ratio = estimate.ln.exp() / 6_670_903_752_021_072_936_960.0;
/// assert!((0.5..2.0).contains(&ratio), "{ratio}");
/// ```
pub fn estimate(grid: &Grid, probes: u64, seed: u64) -> Estimate {
    estimate_cells::<9, 81>(grid.cells(), probes, seed)
}

/// As [`estimate`], for a grid of any size.
pub(super) fn estimate_cells<const SIDE: usize, const CELLS: usize>(
    cells: &[u8; CELLS],
    probes: u64,
    seed: u64,
) -> Estimate {
    let Some(start) = State::<SIDE, CELLS>::new(cells) else {
        return Estimate::exactly(f64::NEG_INFINITY);
    };
    let enter = |mut grid: State<SIDE, CELLS>| match grid.propagate() {
        Propagation::Dead => Entered::Leaves(0),
        Propagation::Solved => Entered::Leaves(1),
        Propagation::Branch(choice) => Entered::Open((grid, choice), choice.count().into()),
    };
    estimate_by(probes, seed, |width, random| {
        draw(start.clone(), width, random, enter, |(grid, choice), number| {
            let alternative = choice.alternatives().nth(number as usize);
            grid.child(alternative.expect("one of the alternatives"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::test_grids::SOLVED;
    use crate::solve_up_to;

    const MANY: &str =
        "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8.";

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    /// Single descents by Knuth's method missed 14, 9 and 8 % of the counts, mostly too low.
    #[test]
    fn intervals_hold_known_counts_as_often_as_they_should() {
        let text = include_str!("../../../tests/data/sudoku_sparse_counts.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let counted = lines.map(|line| line.split_once(':').unwrap());
        let ln = |(cells, count): (&str, &str)| (grid(cells), count.parse::<f64>().unwrap().ln());
        let mut grids: Vec<(Grid, f64)> = counted.map(ln).collect();
        grids.push((grid(MANY), (solve_up_to(&grid(MANY), u64::MAX).count as f64).ln()));
        for (probes, seeds) in [(100, 20), (300, 10)] {
            let mut given = 0;
            let mut too_low = 0;
            let mut too_high = 0;
            for (grid, count) in &grids {
                for seed in 0..seeds {
                    let Some((low, high)) = estimate(grid, probes, seed).interval else { continue };
                    given += 1;
                    too_low += u32::from(high < *count);
                    too_high += u32::from(*count < low);
                }
            }
            // The seeds are fixed, so this either always holds or never.
            let message = format!("{probes}: {too_low} too low, {too_high} too high, of {given}");
            assert!(u64::from(given) * 10 >= 9 * seeds * grids.len() as u64, "{message}");
            assert!(100 * (too_low + too_high) <= 7 * given, "{message}");
            assert!(too_low + too_high > 0, "as wide as that is no use: {message}");
        }
    }

    #[test]
    fn what_is_walked_whole_is_exact() {
        let clash = estimate(&grid(&format!("11{}", ".".repeat(79))), 10, 1);
        assert_eq!(
            (clash.ln, clash.interval),
            (f64::NEG_INFINITY, Some((f64::NEG_INFINITY, f64::NEG_INFINITY)))
        );
        let solved = estimate(&grid(SOLVED), 20, 1);
        assert_eq!((solved.ln, solved.interval), (0.0, Some((0.0, 0.0))));
        // A rectangle of two digits can be turned: two solutions.
        let two = grid(&SOLVED.replace(['1', '2'], "."));
        let count = solve_up_to(&two, u64::MAX).count as f64;
        assert!(count > 1.0);
        let found = estimate(&two, 1000, 1);
        assert!((found.ln - count.ln()).abs() < 1e-12, "{found:?}");
        assert_eq!(found.interval, Some((found.ln, found.ln)));
        // Ten estimates of one descent each are not.
        let more = grid(&SOLVED.replace(['1', '2', '3'], "."));
        let intervals = (0..20).filter_map(|seed| estimate(&more, 10, seed).interval);
        assert_eq!(intervals.filter(|(low, high)| low == high).count(), 0);
    }

    /// The mean is right for any width.
    #[test]
    fn the_mean_of_many_estimates_is_the_count() {
        let two = grid(&SOLVED.replace(['1', '2', '3'], "."));
        let count = solve_up_to(&two, u64::MAX).count as f64;
        assert!(count > 5.0, "{count}");
        for probes in [10, 20, 30] {
            let sum: f64 = (0..1000).map(|seed| estimate(&two, probes, seed).ln.exp()).sum();
            let ratio = sum / 1000.0 / count;
            assert!((ratio - 1.0).abs() < 0.04, "{probes}: {ratio}");
        }
    }

    /// These once gave `0, from 0 to 0`.
    #[test]
    fn too_few_descents_to_a_solution_give_no_interval() {
        let hard = grid(
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        );
        for probes in [0, 1] {
            let found = estimate(&hard, probes, 1);
            assert_eq!((found.ln, found.interval), (f64::NEG_INFINITY, None), "{probes}");
        }
        assert_eq!(estimate(&hard, 15, 1).interval, None);
        // Nine estimates are too few for Student's t with nine degrees of freedom.
        assert_eq!(estimate(&grid(MANY), 9, 1).interval, None);
    }

    #[test]
    fn numbers_beyond_any_float_are_estimated() {
        let empty = estimate_cells::<25, 625>(&[0; 625], 50, 1);
        assert!(empty.ln > 154.0 * std::f64::consts::LN_10 && empty.ln.is_finite(), "{empty:?}");
        // An estimate or two outweigh all others.
        assert_eq!(empty.interval, None);
    }
}
