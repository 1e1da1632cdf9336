//! The symmetries of sudoku: 3,359,232 ways to move the cells, with any renaming of the digits.

use std::sync::LazyLock;

use super::batch::{Puzzles, Solvers};
use super::format::Codec;
use super::{CELLS, Grid};
use base::cpu::Instructions;
use base::random::Random;
use search::{Stop, Stopped};

/// A symmetry: the cell that each cell of the image comes from, and the new name of each digit.
#[derive(Debug, Clone)]
pub struct Symmetry {
    sources: [u8; CELLS],
    digits: [u8; 10],
}

impl Symmetry {
    /// One of all symmetries and renamings, each as likely as any other.
    fn random(random: &mut Random) -> Self {
        let [rows, columns] = [(); 2].map(|()| lines(random));
        let transposed = random.below(2) == 1;
        let source = |cell: usize| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            if transposed { column * 9 + row } else { row * 9 + column }
        };
        let mut digits = std::array::from_fn(|digit| digit as u8);
        random.shuffle(&mut digits[1..]);
        Self { sources: std::array::from_fn(|cell| source(cell) as u8), digits }
    }

    /// Random symmetries that follow from a puzzle and a seed alone, each as likely as any other.
    ///
    /// ```
    /// use tallyboard::unstable::sudoku::{Symmetry, canonical, generate::{Generator, Requirements}};
    /// let puzzle = Generator::new(Requirements::default(), 1)?.puzzle(0);
    /// for symmetry in Symmetry::of(&puzzle, 7).take(3) {
    ///     assert_eq!(canonical(&symmetry.image(&puzzle)), canonical(&puzzle));
    /// }
    /// # Ok::<(), tallyboard::unstable::sudoku::generate::WishError>(())
    /// ```
    pub fn of(puzzle: &Grid, seed: u64) -> impl Iterator<Item = Self> + use<> {
        // FNV-1a.
        let add = |hash: u64, &cell: &u8| (hash ^ u64::from(cell)).wrapping_mul(0x100_0000_01b3);
        let hash = puzzle.cells().iter().fold(0xcbf2_9ce4_8422_2325, add);
        let mut random = Random::from_seed(hash ^ Random::from_seed(seed).bits());
        std::iter::repeat_with(move || Self::random(&mut random))
    }

    /// The image of a grid. The image of its solution is the solution of its image.
    pub fn image(&self, grid: &Grid) -> Grid {
        let cell = |source: u8| self.digits[usize::from(grid.cells()[usize::from(source)])];
        Grid::new(self.sources.map(cell)).expect("digits have digits as names")
    }
}

/// Nine lines, threes kept together, in random order.
fn lines(random: &mut Random) -> [usize; 9] {
    let mut three = || {
        let mut three = [0, 1, 2];
        random.shuffle(&mut three);
        three
    };
    let (bands, within) = (three(), [three(), three(), three()]);
    std::array::from_fn(|at| 3 * bands[at / 3] + within[at / 3][at % 3])
}

/// Images over which guesses are averaged, in addition to the puzzle itself. A tenth of the speed of solving
/// was wanted for rating; with three images, a file of minimal puzzles is rated at a sixth
/// (`benches/records/2026-11-22-columns.md`).
const RATING_IMAGES: u64 = 3;
static RATING_SYMMETRIES: LazyLock<Vec<Symmetry>> = LazyLock::new(|| {
    let mut random = Random::from_seed(RATING_IMAGES);
    (0..RATING_IMAGES).map(|_| Symmetry::random(&mut random)).collect()
});

/// The mean number of guesses over each puzzle and its images.
pub(super) fn mean_guesses(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    limit: u64,
    stop: &Stop,
) -> Result<Vec<f64>, Stopped> {
    let mut sums = puzzles.guesses(solvers, limit, stop)?;
    // Deduction does not depend on the order of lines: without a guess here, no image takes one.
    let guessed: Vec<usize> = (0..puzzles.len()).filter(|&puzzle| sums[puzzle] > 0).collect();
    let grids: Vec<Grid> = guessed.iter().map(|&puzzle| puzzles.puzzle(puzzle)).collect();
    let (mut images, codec) = (Puzzles::default(), Codec(Instructions::best()));
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
    use crate::solve_up_to;

    #[test]
    fn the_image_of_the_solution_solves_the_image() {
        let random = &mut Random::from_seed(3);
        let generator = Generator::for_tests(None, 3);
        let mut seen = std::collections::HashSet::new();
        for number in 0..50 {
            let puzzle = generator.puzzle(number);
            let symmetry = Symmetry::random(random);
            let solution = solve_up_to(&puzzle, 2).first.unwrap();
            let found = solve_up_to(&symmetry.image(&puzzle), 2);
            assert_eq!((found.count, found.first), (1, Some(symmetry.image(&solution))));
            seen.insert(symmetry.sources[0]);
        }
        assert!(seen.len() > 25, "{seen:?}");
    }

    #[test]
    fn ratings_are_means_over_the_same_images() {
        let generator = Generator::for_tests(None, 8);
        let (mut puzzles, mut solvers, stop) = (Puzzles::default(), Solvers::best(), Stop::new());
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
