//! The symmetries of sudoku: 3,359,232 ways to move the cells, with any renaming of the digits.

use super::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::random::Random;

/// A symmetry: the cell that each cell of the image comes from, and the new name of each digit.
#[derive(Debug, Clone)]
pub struct Symmetry {
    sources: [u8; CELLS],
    digits: [u8; 10],
}

impl Symmetry {
    /// One of all symmetries and renamings, each as likely as any other.
    pub(super) fn random(random: &mut Random) -> Self {
        let rows = line_order(random);
        let columns = line_order(random);
        let transposed = random.below(2) == 1;
        let source = |cell: usize| {
            let row = rows[cell / 9];
            let column = columns[cell % 9];
            if transposed { column * 9 + row } else { row * 9 + column }
        };
        let mut digits = std::array::from_fn(|digit| digit as u8);
        random.shuffle(&mut digits[1..]);
        Self { sources: std::array::from_fn(|cell| source(cell) as u8), digits }
    }

    /// An endless sequence of random symmetries, each as likely as any other. The puzzle and `seed` together seed the random
    /// numbers: the same puzzle and the same `seed` give the same sequence.
    ///
    /// ```
    /// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
    /// use tallyboard::sudoku::{Generator, Requirements, Symmetry, canonical};
    /// let puzzle = Generator::new(Requirements::default(), 1)?.puzzle(0);
    /// for symmetry in Symmetry::of(&puzzle, 7).take(3) {
    ///     assert_eq!(canonical(&symmetry.image(&puzzle)), canonical(&puzzle));
    /// }
    /// # Ok::<(), tallyboard::sudoku::WishError>(())
    /// ```
    pub fn of(puzzle: &Grid, seed: u64) -> impl Iterator<Item = Self> + use<> {
        // The hash FNV-1a, with its usual constants.
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for &cell in puzzle.cells() {
            hash = (hash ^ u64::from(cell)).wrapping_mul(0x100_0000_01b3);
        }
        let mut random = Random::from_seed(hash ^ Random::from_seed(seed).bits());
        std::iter::repeat_with(move || Self::random(&mut random))
    }

    /// The image of a grid. The image of its solution is the solution of its image.
    pub fn image(&self, grid: &Grid) -> Grid {
        let cell = |place| {
            let source = usize::from(self.sources[place]);
            self.digits[usize::from(grid.cells()[source])]
        };
        Grid::new(array(cell)).expect("digits are renamed to digits")
    }
}

/// A random order of nine rows that keeps bands together, or of nine columns that keeps stacks together.
fn line_order(random: &mut Random) -> [usize; 9] {
    let mut order_of_three = || {
        let mut order = [0, 1, 2];
        random.shuffle(&mut order);
        order
    };
    let bands = order_of_three();
    let within = [(); 3].map(|()| order_of_three());
    std::array::from_fn(|at| 3 * bands[at / 3] + within[at / 3][at % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_cell_of_an_image_comes_from_any_cell() {
        let random = &mut Random::from_seed(3);
        let sources: HashSet<u8> = (0..1000).map(|_| Symmetry::random(random).sources[0]).collect();
        assert_eq!(sources.len(), CELLS);
    }
}
