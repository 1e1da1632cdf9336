//! Random puzzles with exactly one solution, the same on every machine for the same seed.
//!
//! A random solved grid loses clues in random order as long as its solution stays the only one.
//! Clues are first taken out many at a time; where that loses uniqueness, half as many are tried.
//! The puzzles are varied but not a uniform sample of all puzzles.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::kernel::state::{State, Step};
use super::{CELLS, Grid, solve};
use crate::random::{below, shuffle};

/// The fewest clues of any puzzle with one solution.
pub const FEWEST_CLUES: usize = 17;

/// What puzzles are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The number of clues, exactly.
    pub clues: Option<usize>,
    /// No clue (with [`symmetric`](Self::symmetric), no pair of clues) can go without a second
    /// solution appearing.
    pub minimal: bool,
    /// The pattern of clues looks the same after a half turn.
    pub symmetric: bool,
}

/// Makes puzzles, each a function of the seed and its own number alone.
///
/// ```
/// use tallyboard::sudoku::generate::{Generator, Wish};
/// use tallyboard::sudoku::solve;
///
/// let wish = Wish { clues: Some(30), minimal: false, symmetric: true };
/// let puzzle = Generator::new(wish, 42).puzzle(0);
/// assert_eq!(puzzle.clues(), 30);
/// assert_eq!(solve(&puzzle, 2).count, 1);
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    wish: Wish,
    base: u64,
}

impl Generator {
    /// A generator for `wish` and `seed`.
    pub fn new(wish: Wish, seed: u64) -> Self {
        Self { wish, base: Xoshiro256PlusPlus::seed_from_u64(seed).next_u64() }
    }

    /// Puzzle number `number`.
    ///
    /// Takes a fraction of a millisecond from about 24 clues up. Fewer clues are found by trying
    /// again and again: 20 take seconds, and [`FEWEST_CLUES`] more than a lifetime.
    pub fn puzzle(&self, number: u64) -> Grid {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.base.wrapping_add(number));
        loop {
            let puzzle = self.attempt(&mut random);
            if self.wish.clues.is_none_or(|clues| puzzle.clues() == clues) {
                return puzzle;
            }
        }
    }

    fn attempt(&self, random: &mut Xoshiro256PlusPlus) -> Grid {
        let mut digging = Digging { cells: *solved_grid(random).cells(), clues: CELLS };
        let mut groups: Vec<Group> = if self.wish.symmetric {
            (0..=CELLS / 2).map(|cell| [cell, CELLS - 1 - cell]).collect()
        } else {
            (0..CELLS).map(|cell| [cell; 2]).collect()
        };
        shuffle(&mut groups, random);
        let floor = match self.wish {
            Wish { minimal: false, clues: Some(clues), .. } => clues,
            _ => 0,
        };
        digging.dig(&groups, floor);
        Grid::new(digging.cells).expect("cells of a solved grid or blanks")
    }
}

/// Clues that go together: a pair, or one cell named twice.
type Group = [usize; 2];

struct Digging {
    cells: [u8; CELLS],
    clues: usize,
}

impl Digging {
    /// Takes out what can go of `groups`, keeping `floor` clues.
    fn dig(&mut self, groups: &[Group], floor: usize) {
        let size: usize = groups.iter().map(|[one, two]| if one == two { 1 } else { 2 }).sum();
        if self.clues >= floor + size {
            let mut cells = self.cells;
            groups.iter().flatten().for_each(|&cell| cells[cell] = 0);
            let puzzle = Grid::new(cells).expect("cells of a solved grid or blanks");
            // Fewer clues than this are never enough.
            if self.clues - size >= FEWEST_CLUES && solve(&puzzle, 2).count == 1 {
                self.cells = cells;
                self.clues -= size;
                return;
            }
        }
        if groups.len() > 1 {
            let (first, second) = groups.split_at(groups.len() / 2);
            self.dig(first, floor);
            self.dig(second, floor);
        }
    }
}

/// A random solved grid.
pub fn solved_grid(random: &mut impl Rng) -> Grid {
    let empty = State::<9, 81>::new(&[0; CELLS]).expect("the empty grid has no clash");
    let mut state = empty.clone();
    loop {
        match state.propagate() {
            Step::Solved => return Grid::new(*state.cells()).expect("every cell is a digit"),
            Step::Dead => state = empty.clone(),
            Step::Branch(choice) => {
                let taken = below(random, u64::from(choice.alternatives())) as usize;
                let step = choice.moves().nth(taken).expect("one of the alternatives");
                state = state.child(step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzles(wish: Wish, seed: u64) -> Vec<Grid> {
        let generator = Generator::new(wish, seed);
        (0..20).map(|number| generator.puzzle(number)).collect()
    }

    fn without(grid: &Grid, removed: &[usize]) -> Grid {
        let mut cells = *grid.cells();
        removed.iter().for_each(|&cell| cells[cell] = 0);
        Grid::new(cells).unwrap()
    }

    #[test]
    fn minimal_puzzles_can_spare_no_clue() {
        for puzzle in puzzles(Wish { clues: None, minimal: true, symmetric: false }, 1) {
            assert_eq!(solve(&puzzle, 2).count, 1);
            for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0) {
                assert_eq!(solve(&without(&puzzle, &[cell]), 2).count, 2);
            }
        }
    }

    #[test]
    fn symmetric_puzzles_look_the_same_upside_down() {
        for puzzle in puzzles(Wish { clues: Some(32), minimal: false, symmetric: true }, 2) {
            assert_eq!((puzzle.clues(), solve(&puzzle, 2).count), (32, 1));
            let cells = puzzle.cells();
            assert!((0..CELLS).all(|cell| (cells[cell] == 0) == (cells[CELLS - 1 - cell] == 0)));
        }
    }

    #[test]
    fn seeds_decide() {
        let wish = Wish { clues: Some(30), minimal: false, symmetric: false };
        assert_eq!(puzzles(wish, 3), puzzles(wish, 3));
        assert_ne!(puzzles(wish, 3), puzzles(wish, 4));
    }
}
