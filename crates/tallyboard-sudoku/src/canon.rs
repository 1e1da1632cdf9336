//! The canonical form of a grid: the lexicographically least of its images.
//!
//! Sudoku has 3,359,232 symmetries (rows within bands, bands, columns within stacks, stacks,
//! transposition), and its digits can be relabelled in any way. Images are compared as text, row by
//! row; a blank sorts before every digit. The least image is found row by row:
//!
//! ```text
//! beginnings := the grid and its transpose; no row taken, the columns in any order
//! nine times
//!     for each beginning, for each row that may follow
//!         order the open stacks and columns so that the row reads least:
//!             blanks first, then known labels, then digits that get the next labels
//!         where that leaves a choice, take every order
//!     keep the beginnings with the least row: no other can lead to the least image
//! ```
//!
//! Columns that are blank in every row so far look alike, so their order stays *open* until a row has a clue in one of them;
//! the same holds for stacks. Open columns stand before the others of their stack, and open stacks before the others,
//! because blanks come first.

mod kernel;
mod orientations;
mod search;
mod vectors;

use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::random::Random;

/// The lexicographically least image of `grid` under its symmetries and relabellings.
///
/// Two grids are essentially the same exactly if their canonical forms are equal. Takes one or two
/// microseconds for a puzzle, some hundreds for a solved grid.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, canonical};
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut turned = *puzzle.cells();
/// turned.reverse();
/// assert_eq!(canonical(&Grid::new(turned).unwrap()), canonical(&puzzle));
/// # Ok::<(), tallyboard::sudoku::LineError>(())
/// ```
pub fn canonical(grid: &Grid) -> Grid {
    kernel::canonical(grid)
}

// The symmetries of sudoku: 3,359,232 ways to move the cells, with any renaming of the digits.

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
        let mut digits = std::array::from_fn(|digit| digit as u8);
        random.shuffle(&mut digits[1..]);
        // A loop, since closures of arrays are inlined or not by what else the crate has.
        let mut sources = [0; 81];
        for (cell, source) in sources.iter_mut().enumerate() {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            *source = if transposed { column * 9 + row } else { row * 9 + column } as u8;
        }
        Self { sources, digits }
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
    use crate::generate::Generator;
    use crate::grid::ORDERS;
    use crate::solve;
    use tallyboard_base::cpu::Instructions;
    use tallyboard_base::random::Random;

    /// Every order of nine lines that keeps threes together.
    fn line_orders() -> Vec<[usize; 9]> {
        let mut orders = Vec::with_capacity(1296);
        for threes in ORDERS {
            for inner in 0..216 {
                let within = [ORDERS[inner / 36], ORDERS[inner / 6 % 6], ORDERS[inner % 6]];
                let line = |at: usize| threes[at / 3] * 3 + within[at / 3][at % 3];
                orders.push(std::array::from_fn(line));
            }
        }
        orders
    }

    /// The least image by brute force: each of 3,359,232 symmetries is compared row by row, until
    /// one is above the least so far.
    fn least_of_all(grid: &Grid) -> Grid {
        let orders = line_orders();
        let mut least = [9; CELLS];
        for transposed in [false, true] {
            for rows in &orders {
                for columns in &orders {
                    let mut labels = [0; 10];
                    let mut next = 1;
                    let mut image = [0; CELLS];
                    let mut is_less = false;
                    for cell in 0..CELLS {
                        let row = rows[cell / 9];
                        let column = columns[cell % 9];
                        let from = if transposed { column * 9 + row } else { row * 9 + column };
                        let digit = usize::from(grid.cells()[from]);
                        if digit > 0 && labels[digit] == 0 {
                            labels[digit] = next;
                            next += 1;
                        }
                        image[cell] = labels[digit];
                        if !is_less && image[cell] > least[cell] {
                            break;
                        }
                        is_less |= image[cell] < least[cell];
                        if cell + 1 == CELLS {
                            least = image;
                        }
                    }
                }
            }
        }
        Grid::new(least).unwrap()
    }

    /// The forms that the kernels find, which must be equal.
    fn form_by_all(grid: &Grid) -> Grid {
        let form = canonical(grid);
        for instructions in Instructions::all() {
            let by_kernel = kernel::with(instructions, grid);
            assert_eq!(
                by_kernel.to_string(),
                form.to_string(),
                "{:?}: {grid}",
                instructions.kernel()
            );
        }
        form
    }

    #[test]
    fn no_image_is_less() {
        let random = &mut Random::from_seed(5);
        for number in 0..7 {
            let mut cells = *Generator::for_tests(None, 3).puzzle(number).cells();
            match number {
                // Columns, rows, a stack and a band without a clue.
                1 => (0..CELLS).filter(|cell| cell % 9 < 4).for_each(|cell| cells[cell] = 0),
                2 => cells[..45].fill(0),
                // Digits that stand twice in a row or a column.
                3 => cells.iter_mut().filter(|cell| **cell > 5).for_each(|cell| *cell = 5),
                4 => cells.fill_with(|| (random.below(20) as u8).saturating_sub(16)),
                5 => cells.fill_with(|| u8::from(random.below(12) == 0)),
                // A solved grid.
                6 => cells = *solve(&Grid::new(cells).unwrap()).first.unwrap().cells(),
                _ => {}
            }
            let grid = Grid::new(cells).unwrap();
            assert_eq!(form_by_all(&grid).to_string(), least_of_all(&grid).to_string(), "{grid}");
        }
    }

    #[test]
    fn all_images_have_the_form_of_a_grid() {
        let random = &mut Random::from_seed(7);
        for clues in 0..60_usize {
            let mut cells = [0; CELLS];
            // Clues of one valid grid, and sometimes any others, so that digits stand twice in a row.
            for _ in 0..clues {
                let cell = random.below(81) as usize;
                let digit = (cell % 9 + cell / 9 * 3 + cell / 27) % 9;
                cells[cell] =
                    if clues % 5 == 0 { random.below(9) as u8 + 1 } else { digit as u8 + 1 };
            }
            let grid = Grid::new(cells).unwrap();
            let form = form_by_all(&grid);
            for symmetry in Symmetry::of(&grid, 1).take(8) {
                assert_eq!(
                    form_by_all(&symmetry.image(&grid)).to_string(),
                    form.to_string(),
                    "{grid}"
                );
            }
        }
    }
}

#[cfg(test)]
mod symmetry_tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_cell_of_an_image_comes_from_any_cell() {
        let random = &mut Random::from_seed(3);
        let sources: HashSet<u8> = (0..1000).map(|_| Symmetry::random(random).sources[0]).collect();
        assert_eq!(sources.len(), CELLS);
    }
}
