//! Ratings of puzzles: the mean number of guesses over a puzzle and images of it.

use std::sync::LazyLock;

use super::batch::{Puzzles, Solvers};
use super::codec::Codec;
use super::{CELLS, Grid, Symmetry};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::random::Random;
use tallyboard_search::{Stop, Stopped};

/// Images over which guesses are averaged, in addition to the puzzle itself. Rating is to run at a tenth of the speed of
/// solving or faster; with three images it runs at a sixth (`benches/records/2026-11-22-columns.md`).
const RATING_IMAGES: u64 = 3;
/// The symmetries of these images, the same for every puzzle. Another seed would change every rating.
static RATING_SYMMETRIES: LazyLock<Vec<Symmetry>> = LazyLock::new(|| {
    let mut random = Random::from_seed(RATING_IMAGES);
    (0..RATING_IMAGES).map(|_| Symmetry::random(&mut random)).collect()
});

/// The mean number of guesses over each puzzle and its images; a search ends at `limit` solutions.
pub(super) fn mean_guesses(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    limit: u64,
    stop: &Stop,
) -> Result<Vec<f64>, Stopped> {
    let mut sums = puzzles.guesses(solvers, limit, stop)?;
    // Deduction finds the same in every image: where a puzzle takes no guess, its images take none.
    let guessed: Vec<usize> = (0..puzzles.len()).filter(|&puzzle| sums[puzzle] > 0).collect();
    let grids: Vec<Grid> = guessed.iter().map(|&puzzle| puzzles.puzzle(puzzle)).collect();
    let mut images = Puzzles::default();
    let codec = Codec(Instructions::best());
    let mut cells = Vec::with_capacity(CELLS * grids.len());
    for symmetry in &*RATING_SYMMETRIES {
        images.clear();
        cells.clear();
        grids.iter().for_each(|grid| cells.extend_from_slice(symmetry.image(grid).cells()));
        codec.read_cells(&cells, &mut images);
        for (&puzzle, guesses) in guessed.iter().zip(images.guesses(solvers, limit, stop)?) {
            sums[puzzle] = sums[puzzle].saturating_add(guesses);
        }
    }
    Ok(sums.into_iter().map(|sum| sum as f64 / (1 + RATING_IMAGES) as f64).collect())
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
            let puzzle = puzzles.puzzle(number);
            let images = RATING_SYMMETRIES.iter().map(|symmetry| symmetry.image(&puzzle));
            let guesses = |grid: Grid| Rating::of(&grid, 2, &stop).unwrap().guesses;
            let sum: u64 = images.chain([puzzle]).map(guesses).sum();
            assert_eq!(mean, sum as f64 / 4.0);
        }
    }
}
