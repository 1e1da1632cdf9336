//! Properties of puzzles that take many searches: the mean number of guesses, superfluous clues.

use std::sync::LazyLock;

use crate::batch::{BAND, Planes, Puzzles, Solvers, planes};
use crate::codec::Codec;
use crate::single::GridState;
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
// A clue is superfluous if the puzzle has the same solutions without it. So no solution of the puzzle without the clue has
// another digit in its cell. Each clue is tried by itself; the trials of many puzzles are searched together:
//
// ```text
// puzzle with one solution:   is there a second one without the clue?
// with none:                  is there one without the clue?
// with several:               is there one with any other digit in place of the clue?
// ```
//
// In a puzzle with one solution, many clues are needed without a trial: a clue that is the only one in an unavoidable set of
// the solution. Without it, the other filling of the set is a second solution.

/// Puzzles whose clues are tried together. With 25 clues each they fill the vectors, and their grids stay in the cache.
const PUZZLES_AT_ONCE: usize = 64;
/// Clues of a puzzle that are tried together to find out whether any is superfluous.
const CLUES_AT_ONCE: usize = 3;

/// The superfluous clues of each puzzle, a bit a cell.
pub(super) fn superfluous(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<u128>, Stopped> {
    in_blocks(puzzles, solvers, stop, |trials, grids, open| {
        let wanted: Vec<u128> = open.iter().map(|open| open.clues).collect();
        trials.superfluous(grids, open, &wanted)
    })
}

/// Whether each puzzle has no superfluous clue. Clues are tried until one is superfluous.
pub(super) fn minimal(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<bool>, Stopped> {
    in_blocks(puzzles, solvers, stop, |trials, grids, open| {
        let mut untried: Vec<u128> = open.iter().map(|open| open.clues).collect();
        let mut is_minimal = vec![true; grids.len()];
        while untried.iter().any(|&clues| clues != 0) {
            let wanted: Vec<u128> = untried.iter().map(|&clues| lowest(clues)).collect();
            let superfluous = trials.superfluous(grids, open, &wanted)?;
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

/// What `find` finds for each puzzle. It gets the grids in blocks, and their clues that may be superfluous.
fn in_blocks<T>(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
    find: impl Fn(&mut Trials, &[Grid], &[OpenClues]) -> Result<Vec<T>, Stopped>,
) -> Result<Vec<T>, Stopped> {
    let mut trials = Trials { solvers, stop, table: Puzzles::default(), trials: Vec::new() };
    let mut found = Vec::with_capacity(puzzles.len());
    for first in (0..puzzles.len()).step_by(PUZZLES_AT_ONCE) {
        let block = first..puzzles.len().min(first + PUZZLES_AT_ONCE);
        let grids: Vec<Grid> = block.map(|puzzle| puzzles.puzzle(puzzle)).collect();
        let open = trials.open_clues(&grids)?;
        found.extend(find(&mut trials, &grids, &open)?);
    }
    Ok(found)
}

/// The lowest bits of a set, [`CLUES_AT_ONCE`] at most.
fn lowest(set: u128) -> u128 {
    let others = (0..CLUES_AT_ONCE).fold(set, |others, _| others & others.wrapping_sub(1));
    set & !others
}

/// The clues of a puzzle that may be superfluous.
struct OpenClues {
    /// A bit a cell.
    clues: u128,
    /// The number of solutions of the puzzle, 2 for several.
    count: u64,
}

/// A clue that is tried.
#[derive(Clone, Copy)]
struct Trial {
    puzzle: usize,
    cell: usize,
    /// The number of solutions that the grid has if the clue is superfluous: 0 or 1.
    expected: u64,
}

/// Grids in which a clue is missing or replaced.
struct Trials<'a> {
    solvers: &'a mut Solvers,
    stop: &'a Stop,
    table: Puzzles,
    /// The trial that each grid of the table belongs to.
    trials: Vec<Trial>,
}

impl Trials<'_> {
    /// The clues that may be superfluous, so that they have to be tried.
    fn open_clues(&mut self, grids: &[Grid]) -> Result<Vec<OpenClues>, Stopped> {
        self.table.clear();
        grids.iter().for_each(|grid| self.table.push(grid));
        self.table.solve(self.solvers, 2, self.stop)?;
        let open = grids.iter().enumerate().map(|(puzzle, grid)| {
            let answer = self.table.answer(puzzle);
            let clues = clues(grid);
            let needed = match answer {
                Answer { count: 1, first: Some(solution) } => {
                    UnavoidableSets::of(solution.cells()).only_clues(grid.cells())
                }
                _ => 0,
            };
            OpenClues { clues: clues & !needed, count: answer.count.min(2) }
        });
        Ok(open.collect())
    }

    /// The `wanted` clues of each puzzle that are superfluous; all of them are open.
    fn superfluous(
        &mut self,
        grids: &[Grid],
        open: &[OpenClues],
        wanted: &[u128],
    ) -> Result<Vec<u128>, Stopped> {
        self.table.clear();
        self.trials.clear();
        for (puzzle, grid) in grids.iter().enumerate() {
            if wanted[puzzle] == 0 {
                continue;
            }
            let planes = planes(grid.cells());
            // Candidates are needed only for a puzzle with several solutions. Such a puzzle has no clash, so it has a state.
            let state = GridState::new(grid.cells()).filter(|_| open[puzzle].count > 1);
            for cell in (0..CELLS).filter(|&cell| wanted[puzzle] >> cell & 1 != 0) {
                let (digits, expected) = match &state {
                    // Digit 1 is bit 0 there. The clue is no candidate of its own cell, so only other digits are tried.
                    Some(state) => (state.candidates(cell) << 1, 0),
                    None => (BLANK, open[puzzle].count),
                };
                self.push(Trial { puzzle, cell, expected }, &planes, digits);
            }
        }
        // Nobody looks at the solutions of the trials, so they are only counted.
        self.table.count_up_to(self.solvers, 2, self.stop)?;
        let mut superfluous = wanted.to_vec();
        for (&Trial { puzzle, cell, expected }, &count) in
            self.trials.iter().zip(self.table.counts())
        {
            if count.min(2) != expected {
                superfluous[puzzle] &= !(1 << cell);
            }
        }
        Ok(superfluous)
    }

    /// Adds a grid for each digit of the set `digits` (bit 0 is a blank): the puzzle with these planes, in which that digit
    /// replaces the clue in the cell of `trial`.
    fn push(&mut self, trial: Trial, planes: &Planes, digits: u32) {
        let band = trial.cell / BAND;
        let bit = 1 << (trial.cell % BAND);
        let mut other = *planes;
        for digit in (0..=9).filter(|digit| digits >> digit & 1 != 0) {
            for (q, plane) in other.iter_mut().enumerate() {
                plane[band] = plane[band] & !bit | if digit >> q & 1 != 0 { bit } else { 0 };
            }
            self.table.reserve(1);
            self.table.push_planes(&other);
            self.trials.push(trial);
        }
    }
}

/// A set of digits: 0 alone, which is a blank.
const BLANK: u32 = 1;

/// The cells of the clues of a grid, a bit each.
fn clues(grid: &Grid) -> u128 {
    (0..CELLS).filter(|&cell| grid.cells()[cell] != 0).fold(0, |set, cell| set | 1 << cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Rating;
    use crate::generate::Generator;

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
