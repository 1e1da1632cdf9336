//! Properties of puzzles that take many searches: the mean number of guesses, superfluous clues.

use std::sync::LazyLock;

use crate::batch::{BAND, Candidate, Puzzles, Solvers, planes};
use crate::codec::Codec;
use crate::unavoidable::UnavoidableSets;
use crate::{Answer, CELLS, Grid, Symmetry, canonical};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::random::Random;
use tallyboard_search::{Stop, Stopped};

/// Images over which guesses are averaged, in addition to the canonical form itself. Rating is to run at a tenth of the speed of
/// solving or faster; with three images it runs at a sixth (`benches/records/2026-11-22-columns.md`).
const RATING_IMAGES: u64 = 3;
/// The symmetries of these images, the same for every puzzle. Another seed would change every rating.
static RATING_SYMMETRIES: LazyLock<Vec<Symmetry>> = LazyLock::new(|| {
    let mut random = Random::from_seed(RATING_IMAGES);
    (0..RATING_IMAGES).map(|_| Symmetry::random(&mut random)).collect()
});

/// The mean number of guesses over the canonical form of each puzzle and images of that, so that all images of a puzzle have
/// one rating; a search ends at `limit` solutions.
pub(super) fn mean_guesses(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    limit: u64,
    stop: &Stop,
) -> Result<Vec<f64>, Stopped> {
    let mut sums = vec![0_u64; puzzles.len()];
    let own = puzzles.guesses(solvers, limit, stop)?;
    // Deduction finds the same in every image: where a puzzle takes no guess, its images take none.
    let guessed: Vec<usize> = (0..puzzles.len()).filter(|&puzzle| own[puzzle] > 0).collect();
    let mut grids = Vec::with_capacity(guessed.len());
    for &puzzle in &guessed {
        stop.check()?;
        grids.push(canonical(&puzzles.puzzle(puzzle)));
    }
    let mut images = Puzzles::default();
    let codec = Codec(Instructions::best());
    let mut cells = Vec::with_capacity(CELLS * grids.len());
    let symmetries = RATING_SYMMETRIES.iter().map(Some);
    for symmetry in std::iter::once(None).chain(symmetries) {
        images.clear();
        cells.clear();
        for grid in &grids {
            let image = symmetry.map_or(*grid, |symmetry| symmetry.image(grid));
            cells.extend_from_slice(image.cells());
        }
        codec.read_cells(&cells, &mut images);
        for (&puzzle, guesses) in guessed.iter().zip(images.guesses(solvers, limit, stop)?) {
            sums[puzzle] = sums[puzzle].saturating_add(guesses);
        }
    }
    Ok(sums.into_iter().map(|sum| sum as f64 / (1 + RATING_IMAGES) as f64).collect())
}

// Superfluous clues: those that a puzzle does not need.
//
// A clue is superfluous if the puzzle has the same solutions without it: if none of these has another digit in its cell. So each
// clue is tried by itself: the puzzle without it is searched for one solution that lacks its digit there. The trials of many
// puzzles are searched together.
//
// In a puzzle with one solution, many clues are needed without a trial: a clue that is the only one in an unavoidable set of
// the solution. Without it, the other filling of the set is a second solution.

/// Puzzles whose clues are tried together: many, so that few of the vectors are the last ones; their grids stay in the cache.
const PUZZLES_AT_ONCE: usize = 256;
/// Clues of a puzzle that are tried together to find out whether any is superfluous.
const CLUES_AT_ONCE: usize = 3;

/// The superfluous clues of each puzzle, a bit a cell.
pub(super) fn superfluous(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<u128>, Stopped> {
    in_blocks(puzzles, solvers, stop, |trials, grids, open| trials.superfluous(grids, &open))
}

/// Whether each puzzle has no superfluous clue. Clues are tried until one is superfluous.
pub(super) fn minimal(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<bool>, Stopped> {
    in_blocks(puzzles, solvers, stop, |trials, grids, mut untried| {
        let mut is_minimal = vec![true; grids.len()];
        while untried.iter().any(|&clues| clues != 0) {
            let wanted: Vec<u128> = untried.iter().map(|&clues| lowest(clues)).collect();
            let superfluous = trials.superfluous(grids, &wanted)?;
            for (puzzle, &superfluous) in superfluous.iter().enumerate() {
                untried[puzzle] &= !wanted[puzzle];
                if superfluous != 0 {
                    is_minimal[puzzle] = false;
                    untried[puzzle] = 0;
                }
            }
        }
        Ok(is_minimal)
    })
}

/// What `find` finds for each puzzle. It gets the grids in blocks, and their clues that may be superfluous, a bit a cell.
fn in_blocks<T>(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
    find: impl Fn(&mut Trials, &[Grid], Vec<u128>) -> Result<Vec<T>, Stopped>,
) -> Result<Vec<T>, Stopped> {
    let mut trials = Trials { solvers, stop, table: Puzzles::default(), removed: Vec::new() };
    let mut found = Vec::with_capacity(puzzles.len());
    for first in (0..puzzles.len()).step_by(PUZZLES_AT_ONCE) {
        let block = first..puzzles.len().min(first + PUZZLES_AT_ONCE);
        let grids: Vec<Grid> = block.map(|puzzle| puzzles.puzzle(puzzle)).collect();
        let open = trials.open_clues(&grids)?;
        found.extend(find(&mut trials, &grids, open)?);
    }
    Ok(found)
}

/// The lowest bits of a set, [`CLUES_AT_ONCE`] at most.
fn lowest(set: u128) -> u128 {
    let others = (0..CLUES_AT_ONCE).fold(set, |others, _| others & others.wrapping_sub(1));
    set & !others
}

/// Grids in which a clue is missing.
struct Trials<'a> {
    solvers: &'a mut Solvers,
    stop: &'a Stop,
    table: Puzzles,
    /// The clue that each grid of the table lacks.
    removed: Vec<Candidate>,
}

impl Trials<'_> {
    /// The clues of each puzzle that may be superfluous, so that they have to be tried.
    fn open_clues(&mut self, grids: &[Grid]) -> Result<Vec<u128>, Stopped> {
        self.table.clear();
        grids.iter().for_each(|grid| self.table.push(grid));
        self.table.solve(self.solvers, 2, self.stop)?;
        let open = grids.iter().enumerate().map(|(puzzle, grid)| {
            let needed = match self.table.answer(puzzle) {
                Answer { count: 1, first: Some(solution) } => {
                    UnavoidableSets::of(solution.cells()).only_clues(grid.cells())
                }
                _ => 0,
            };
            clues(grid) & !needed
        });
        Ok(open.collect())
    }

    /// The `wanted` clues of each puzzle that are superfluous.
    fn superfluous(&mut self, grids: &[Grid], wanted: &[u128]) -> Result<Vec<u128>, Stopped> {
        self.table.clear();
        self.removed.clear();
        for (grid, &wanted) in grids.iter().zip(wanted) {
            let planes = planes(grid.cells());
            self.table.reserve(wanted.count_ones() as usize);
            for cell in cells(wanted) {
                let mut others = planes;
                others.iter_mut().for_each(|plane| plane[cell / BAND] &= !(1 << (cell % BAND)));
                self.table.push_planes(&others);
                self.removed.push(Candidate { cell, digit: grid.cells()[cell] });
            }
        }
        self.table.solve_without(&self.removed, self.solvers, self.stop)?;
        let mut counts = self.table.counts().iter();
        let superfluous = wanted.iter().map(|&wanted| {
            let trials = cells(wanted).zip(counts.by_ref());
            trials.filter(|&(_, &count)| count == 0).fold(0, |set, (cell, _)| set | 1 << cell)
        });
        Ok(superfluous.collect())
    }
}

/// The cells of the clues of a grid, a bit each.
fn clues(grid: &Grid) -> u128 {
    (0..CELLS).filter(|&cell| grid.cells()[cell] != 0).fold(0, |set, cell| set | 1 << cell)
}

/// The cells of a set.
fn cells(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (cell < u128::BITS).then_some(cell as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Rating;
    use crate::generate::Generator;
    use crate::grid::test_grids::changed;
    use crate::solve_up_to;

    #[test]
    fn superfluous_clues_are_those_without_which_the_solutions_are_the_same() {
        let few = Generator::for_tests(None, 5);
        let many = Generator::for_tests(Some(28), 6);
        let mut puzzles = Puzzles::default();
        for number in 0..90 {
            let puzzle = if number % 2 == 0 { many.puzzle(number) } else { few.puzzle(number) };
            // A third of the puzzles have several solutions, and a third a wrong clue, which leaves none.
            let clues: Vec<usize> = cells(clues(&puzzle)).collect();
            let cell = clues[number as usize % clues.len()];
            let digit = puzzle.cells()[cell];
            puzzles.push(&changed(&puzzle, |cells| match number % 3 {
                0 => {}
                1 => clues.iter().step_by(9).for_each(|&clue| cells[clue] = 0),
                _ => cells[cell] = digit % 9 + 1,
            }));
        }
        let (mut solvers, stop) = (Solvers::best(), Stop::new());
        let found = superfluous(&puzzles, &mut solvers, &stop).unwrap();
        let are_minimal = minimal(&puzzles, &mut solvers, &stop).unwrap();
        // By the number of solutions, up to 2: superfluous clues, and needed ones.
        let mut seen = [[0; 2]; 3];
        for (number, &found) in found.iter().enumerate() {
            let puzzle = puzzles.puzzle(number);
            let all = solve_up_to(&puzzle, u64::MAX).count;
            for cell in cells(clues(&puzzle)) {
                let others = changed(&puzzle, |cells| cells[cell] = 0);
                let is_needed = solve_up_to(&others, all + 1).count != all;
                assert_eq!(found >> cell & 1 == 0, is_needed, "{puzzle} {cell}");
                seen[all.min(2) as usize][usize::from(is_needed)] += 1;
            }
            assert_eq!(found & !clues(&puzzle), 0);
            assert_eq!(are_minimal[number], found == 0, "{puzzle}");
        }
        assert!(seen.as_flattened().iter().all(|&clues| clues > 5), "{seen:?}");
    }

    #[test]
    fn ratings_are_means_over_the_same_images() {
        let generator = Generator::for_tests(None, 8);
        let mut puzzles = Puzzles::default();
        let mut solvers = Solvers::best();
        let stop = Stop::new();
        (0..60).for_each(|number| puzzles.push(&generator.puzzle(number)));
        let means = mean_guesses(&puzzles, &mut solvers, 2, &stop).unwrap();
        assert!(means.iter().any(|&mean| mean.fract() != 0.0) && means.contains(&0.0));
        for (number, mean) in means.into_iter().enumerate() {
            let puzzle = canonical(&puzzles.puzzle(number));
            let images = RATING_SYMMETRIES.iter().map(|symmetry| symmetry.image(&puzzle));
            let guesses = |grid: Grid| Rating::of(&grid, 2, &stop).unwrap().guesses;
            let sum: u64 = images.chain([puzzle]).map(guesses).sum();
            assert_eq!(mean, sum as f64 / 4.0);
        }
    }
}
