//! Estimating the number of solutions of a grid: Knuth's estimator, for many grids at a time.
//!
//! Knuth's random descent takes one alternative at every branching. It estimates the number of solutions as the
//! product of the numbers of alternatives on its way, or as 0 if it ends dead; the expectation of that is the
//! number of solutions. But few descents come to a solution, and a few of those outweigh all others, so the mean
//! of some hundred is mostly too low.
//!
//! Here a *generation* of grids branches together. If all its alternatives are too many to keep, the estimate
//! keeps evenly spaced ones from a random start, and raises their weight. Every alternative is kept with equal
//! probability, so the estimate is unbiased; if all are kept it is exact. Several independent estimates are
//! made; their scatter gives the interval.

use super::Grid;
use crate::single::{Propagation, State};
use tallyboard_base::random::Random;
use tallyboard_base::statistics::{Estimate, LogMean};

/// The logarithm of 0.
const LN_ZERO: f64 = f64::NEG_INFINITY;

/// The least number of independent estimates that give an interval.
const MIN_ESTIMATES: u64 = 10;

/// The most alternatives that one estimate keeps at each step; if more descents are wanted, there are more estimates. A
/// generation of this many 25 × 25 grids takes some 20 MB.
const MAX_WIDTH: u64 = 4096;

/// No interval is given if half its width (a difference of logarithms) is above this: one estimate or two then outweigh the
/// others.
const MAX_LN_ERROR: f64 = 1.0;

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
        return Estimate::exactly(LN_ZERO);
    };
    let mut random = Random::from_seed(seed);
    let mut exact = true;
    // Without a probe there is no estimate.
    let count = MIN_ESTIMATES.max(probes.div_ceil(MAX_WIDTH)).min(probes);
    let mut ln_estimate = || sample(&start, probes / count, &mut random, &mut exact);
    let ln_estimates: Vec<f64> = (0..count).map(|_| ln_estimate()).collect();
    match ln_estimates.first() {
        Some(&ln) if exact => Estimate::exactly(ln),
        _ => mean(&ln_estimates),
    }
}

/// The mean of independent estimates, which are given as logarithms.
fn mean(ln_estimates: &[f64]) -> Estimate {
    let Some(LogMean { ln, error }) = LogMean::of(ln_estimates) else {
        return Estimate::about(LN_ZERO, None);
    };
    // The estimates have a long upper tail: their logarithms are nearly normal, but a mean of few estimates is still too
    // low. Without the square, the count lay above the interval in 6 % of the estimates by 100 descents.
    let is_reliable = ln_estimates.len() as u64 >= MIN_ESTIMATES && error <= MAX_LN_ERROR;
    let interval = is_reliable.then_some((ln - error, ln + error + error * error));
    Estimate::about(ln, interval)
}

/// The logarithm of one estimate that keeps at most `width` alternatives at each step. Clears `exact` if it drops any.
fn sample<const SIDE: usize, const CELLS: usize>(
    start: &State<SIDE, CELLS>,
    width: u64,
    random: &mut Random,
    exact: &mut bool,
) -> f64 {
    let mut grids = vec![start.clone()];
    // The logarithm of the weight that each grid of this generation has; those of the solutions found.
    let mut ln_weight = 0.0;
    let mut ln_solutions = Vec::new();
    loop {
        let mut open = Vec::new();
        for mut grid in grids.drain(..) {
            match grid.propagate() {
                Propagation::Dead => {}
                Propagation::Solved => ln_solutions.push(ln_weight),
                Propagation::Branch(choice) => open.push((grid, choice)),
            }
        }
        let alternatives: u64 = open.iter().map(|(_, choice)| u64::from(choice.count())).sum();
        if alternatives == 0 {
            return ln_of_sum(&ln_solutions);
        }
        let kept = alternatives.min(width);
        *exact &= kept == alternatives;
        ln_weight += (alternatives as f64 / kept as f64).ln();
        let mut numbers = random.evenly(kept, alternatives).peekable();
        // The number of the first alternative of `grid`: alternatives are numbered through all grids.
        let mut begin = 0;
        for (grid, choice) in &open {
            let end = begin + u64::from(choice.count());
            while let Some(number) = numbers.next_if(|&number| number < end) {
                let alternative = choice.alternatives().nth((number - begin) as usize);
                grids.push(grid.child(alternative.expect("one of the alternatives")));
            }
            begin = end;
        }
    }
}

/// The logarithm of the sum of numbers given as `logarithms`.
fn ln_of_sum(logarithms: &[f64]) -> f64 {
    let largest = logarithms.iter().copied().fold(LN_ZERO, f64::max);
    match largest {
        LN_ZERO => LN_ZERO,
        largest => largest + logarithms.iter().map(|ln| (ln - largest).exp()).sum::<f64>().ln(),
    }
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
        assert_eq!((clash.ln, clash.interval), (LN_ZERO, Some((LN_ZERO, LN_ZERO))));
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
            assert_eq!((found.ln, found.interval), (LN_ZERO, None), "{probes}");
        }
        assert_eq!(estimate(&hard, 15, 1).interval, None);
        // Nine estimates are too few for Student's t with nine degrees of freedom.
        assert_eq!(estimate(&grid(MANY), MIN_ESTIMATES - 1, 1).interval, None);
    }

    #[test]
    fn numbers_beyond_any_float_are_estimated() {
        let empty = estimate_cells::<25, 625>(&[0; 625], 50, 1);
        assert!(empty.ln > 154.0 * std::f64::consts::LN_10 && empty.ln.is_finite(), "{empty:?}");
        // An estimate or two outweigh all others.
        assert_eq!(empty.interval, None);
    }

    #[test]
    fn an_interval_reaches_further_up_than_down_and_not_too_far() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        let samples: Vec<f64> = (0..10).map(|at| f64::from(at % 2) / 10.0).collect();
        let LogMean { ln, error } = LogMean::of(&samples).unwrap();
        let found = mean(&samples);
        let (low, high) = found.interval.unwrap();
        near(found.ln, ln);
        near(low, ln - error);
        near(high, ln + error + error * error);
        let scattered: Vec<f64> = (0..10).map(f64::from).collect();
        assert_eq!(mean(&scattered).interval, None);
        assert_eq!(mean(&samples[1..]).interval, None);
    }

    #[test]
    fn sums_of_logarithms_do_not_overflow() {
        assert!((ln_of_sum(&[5_000.0, 5_000.0]) - 5_000.0 - 2f64.ln()).abs() < 1e-9);
        assert_eq!(ln_of_sum(&[]), LN_ZERO);
    }
}
