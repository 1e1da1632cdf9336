//! Estimating the number of solutions of a grid, by generations of grids that branch together ([`draw`]).

use super::Grid;
use crate::single::{Choice, Propagation, State};
use tallyboard_base::random::Random;
use tallyboard_base::statistics::Estimate;
use tallyboard_search::{Entered, Generation, draw, draw_generations, estimate_by};

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
    estimate_by(probes, seed, |width, random| draw(start.clone(), width, random, enter, child))
}

/// A grid that has been propagated, and the choice at which it branches.
type Branching<const SIDE: usize, const CELLS: usize> = (State<SIDE, CELLS>, Choice);

/// Enters a node of a random descent.
fn enter<const SIDE: usize, const CELLS: usize>(
    mut grid: State<SIDE, CELLS>,
) -> Entered<Branching<SIDE, CELLS>> {
    match grid.propagate() {
        Propagation::Dead => Entered::Leaves(0),
        Propagation::Solved => Entered::Leaves(1),
        Propagation::Branch(choice) => Entered::Open((grid, choice), choice.count().into()),
    }
}

/// The child with this number.
fn child<const SIDE: usize, const CELLS: usize>(
    (grid, choice): &mut Branching<SIDE, CELLS>,
    number: u64,
) -> State<SIDE, CELLS> {
    let alternative = choice.alternatives().nth(number as usize);
    grid.child(alternative.expect("one of the alternatives"))
}

/// The independent estimates of [`upper_estimate`], and the nodes of a generation that each keeps. All together take about 15 ms.
const ESTIMATES: u32 = 10;
const WIDTH: u64 = 100;
/// The bits behind the binary point of estimates and their weights.
const FRACTION: u32 = 32;
/// The bits behind the binary point of [`exp`].
const EXP_FRACTION: u32 = 60;
/// The square of Student's quantile at 97.5 % for nine degrees of freedom, 2.262, in millionths.
const T_SQUARED: u128 = 5_116_644;

/// An estimate of the number of solutions that errs upward, rounded up: the upper end of the 95 % interval of [`estimate`] with a
/// thousand descents and the seed 1, and three times the estimate where there is no interval.
///
/// It is the same on every machine, since it is computed by whole numbers: logarithms differ between platforms in their last bit.
pub(super) fn upper_estimate(grid: &Grid) -> u128 {
    let Some(start) = State::<9, 81>::new(grid.cells()) else { return 0 };
    let mut random = Random::from_seed(1);
    let drawn: Vec<Vec<Generation>> = (0..ESTIMATES)
        .map(|_| draw_generations(start.clone(), WIDTH, &mut random, enter, child))
        .collect();
    let estimates: Vec<u128> =
        drawn.iter().map(|generations| weighted_leaves(generations)).collect();
    let is_exact = drawn.iter().flatten().all(|generation| generation.kept == generation.children);
    if is_exact { estimates[0] >> FRACTION } else { upper_end(&estimates) }
}

/// The estimate of the number of leaves, in units of 2^-32. It saturates.
fn weighted_leaves(generations: &[Generation]) -> u128 {
    let mut weight = 1_u128 << FRACTION;
    let mut sum = 0_u128;
    for Generation { leaves, children, kept } in generations {
        let leaves = leaves.iter().sum();
        sum = sum.saturating_add(weight.saturating_mul(leaves));
        // The last generation has no children.
        weight = weight.saturating_mul((*children).into()) / u128::from(*kept).max(1);
    }
    sum
}

/// The upper end of the interval of the mean of ten `estimates`, as that of [`estimate`], in whole solutions.
fn upper_end(estimates: &[u128]) -> u128 {
    let count = u128::from(ESTIMATES);
    let sum = estimates.iter().fold(0_u128, |sum, &estimate| sum.saturating_add(estimate));
    if sum == 0 {
        return 0;
    }
    // The leading 60 bits are kept, so that no product below overflows.
    let dropped = (u128::BITS - sum.leading_zeros()).saturating_sub(60);
    let sum = sum >> dropped;
    // Deviations as shares of the mean, in units of 2^-32: at most 9. The variance of the mean is their sum of squares by 90.
    let square =
        |&estimate: &u128| (((count * (estimate >> dropped)).abs_diff(sum) << 32) / sum).pow(2);
    let squares: u128 = estimates.iter().map(square).sum();
    let error_squared = squares * T_SQUARED / (count * (count - 1) * 1_000_000);
    let error = error_squared.isqrt();
    let factor =
        if error > 1 << 32 { 3 << EXP_FRACTION } else { exp(error + (error_squared >> 32)) };
    let point = EXP_FRACTION + FRACTION - dropped;
    (sum * factor / count).div_ceil(1 << point)
}

/// The exponential of `x`, which is at most 2 and in units of 2^-32, by its series, in units of 2^-60.
fn exp(x: u128) -> u128 {
    let first = 1_u128 << EXP_FRACTION;
    let terms = std::iter::successors(Some((first, 1)), |&(term, number)| {
        let next = ((term * x) >> 32) / number;
        (next > 0).then_some((next, number + 1))
    });
    terms.map(|(term, _)| term).sum()
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

    /// What the choice of an engine went by before: the logarithms of the platform.
    fn upper_by_logarithms(grid: &Grid) -> f64 {
        let estimate = estimate(grid, 1000, 1);
        estimate.interval.map_or(estimate.ln + 3_f64.ln(), |(_, high)| high).exp()
    }

    /// Grids with 40 clues down to none, whose solutions are few enough to be walked whole, or not.
    #[test]
    fn the_upper_estimate_by_whole_numbers_is_that_by_logarithms() {
        let mut random = Random::from_seed(5);
        let mut kinds = [0; 2];
        for round in 0..6 {
            let mut cells: Vec<char> = SOLVED.chars().collect();
            let mut places: Vec<usize> = (0..81).collect();
            random.shuffle(&mut places);
            for (removed, &place) in places.iter().enumerate() {
                cells[place] = '.';
                if removed < 40 || (removed + round) % 7 > 0 {
                    continue;
                }
                let grid = grid(&cells.iter().collect::<String>());
                let expected = upper_by_logarithms(&grid);
                let found = upper_estimate(&grid);
                let is_near = (found as f64 - expected).abs() <= 1.0 + expected * 1e-7;
                assert!(is_near, "{found}, not {expected}: {grid}");
                kinds[usize::from(found > 1_000_000)] += 1;
            }
        }
        assert!(kinds.iter().all(|&seen| seen > 0), "{kinds:?}");
        assert_eq!(upper_estimate(&grid(&format!("11{}", ".".repeat(79)))), 0);
    }

    #[test]
    fn numbers_in_place_of_logarithms_are_right() {
        for x in [0.0, 0.25, 1.0, 1.5, 2.0_f64] {
            let found = exp((x * 2_f64.powi(32)) as u128) as f64 / 2_f64.powi(60);
            assert!((found / x.exp() - 1.0).abs() < 1e-9, "{x}: {found}");
        }
        let whole = |leaves: u128| leaves << FRACTION;
        assert_eq!(upper_end(&[0; 10]), 0);
        assert_eq!(upper_end(&[whole(7); 10]), 7);
        // One estimate outweighs the others: there is no interval. The mean is 100.
        let mut one = [0; 10];
        one[3] = whole(1000);
        assert_eq!(upper_end(&one), 300);
        // As above, the mean is 200, and its error 2.262 · sqrt(40,000 / 90 · 10 / 40,000 / 10).
        let two: Vec<u128> = (0..10).map(|at| whole(100 + 200 * (at % 2))).collect();
        let error = 2.262 * (0.25 / 9_f64).sqrt();
        assert_eq!(upper_end(&two), (200.0 * (error + error * error).exp()).ceil() as u128);
        // 3 children of which 2 are kept: a weight of 3/2; and 4 of which one is kept, of 6.
        let generation = |leaves: &[u128], children, kept| Generation {
            leaves: leaves.to_vec(),
            children,
            kept,
        };
        let drawn = [generation(&[], 3, 2), generation(&[2], 4, 1), generation(&[1, 4], 0, 0)];
        assert_eq!(weighted_leaves(&drawn), whole(3 + 30));
        let deep = vec![generation(&[], u64::MAX, 1); 4];
        assert!(weighted_leaves(&[deep, vec![generation(&[1], 0, 0)]].concat()) > 1 << 120);
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
