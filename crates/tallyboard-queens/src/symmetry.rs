//! The eight symmetries of the square, and the group of those that leave a board unchanged.

use tallyboard_base::bits::bits;
use tallyboard_search::{Stop, Stopped};

use crate::position::{Field, Position};
use crate::{Board, Square};

/// One of the eight ways to lay a square board on itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Symmetry {
    quarter_turns: u8,
    mirrored: bool,
}

impl Symmetry {
    /// The symmetry that moves no square.
    pub const IDENTITY: Self = Self { quarter_turns: 0, mirrored: false };

    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        let turned = |mirrored| (0..4).map(move |quarter_turns| Self { quarter_turns, mirrored });
        [false, true].into_iter().flat_map(turned)
    }

    /// The image of `square` on a board of size `n`.
    pub fn image(self, square: Square, n: u32) -> Square {
        let last = n - 1;
        let mut file = square.file();
        let mut rank = square.rank();
        for _ in 0..self.quarter_turns {
            (file, rank) = (rank, last - file);
        }
        if self.mirrored {
            file = last - file;
        }
        Square::new(file, rank)
    }

    /// The images of `squares`, sorted.
    pub fn images(self, squares: &[Square], n: u32) -> Vec<Square> {
        let mut images: Vec<_> = squares.iter().map(|&square| self.image(square, n)).collect();
        images.sort_unstable();
        images
    }
}

/// The symmetries that carry `board` with its queens and closed squares to itself. They form a
/// group: all eight on a plain board, the identity alone on most others.
pub(crate) fn group(board: &Board) -> Vec<Symmetry> {
    let n = board.n();
    let unchanged = Symmetry::all().filter(|symmetry| {
        symmetry.images(board.placed(), n) == board.placed()
            && symmetry.images(board.blocked(), n) == board.blocked()
    });
    unchanged.collect()
}

// The solutions that a half turn or a quarter turn leaves unchanged. Their numbers give the number of classes of
// solutions under rotation and reflection.

/// The numbers of solutions of the plain n × n board that a turn leaves unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetricSolutions {
    /// By a half turn (OEIS A032522).
    pub half_turn: u64,
    /// By a quarter turn (OEIS A033148).
    pub quarter_turn: u64,
}

/// The numbers of classes of solutions, where turned and mirrored solutions are one class, by the number of
/// solutions in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// Classes without symmetry: eight solutions each.
    pub of_eight: u128,
    /// Classes that a half turn leaves unchanged and a quarter turn does not: four solutions each.
    pub of_four: u128,
    /// Classes that a quarter turn leaves unchanged: two solutions each.
    pub of_two: u128,
    /// The board of one square, whose only solution is its own mirror image.
    pub of_one: u128,
}

impl SymmetricSolutions {
    /// Searches the plain board of `n` × `n` squares on one thread. Takes milliseconds up to n = 20, seconds at
    /// n = 24, and ten times as long for every two rows more.
    ///
    /// # Panics
    /// If `n` is not from 1 to 32.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn search(n: u32, stop: &Stop) -> Result<Self, Stopped> {
        assert!((1..=32).contains(&n), "a board of 1 to 32 rows");
        let field = &Field::new(n);
        let last = n - 1;
        let quarter = OrbitSearch { field, turn: |(row, column)| (column, last - row), stop };
        let half = OrbitSearch { field, turn: |(row, column)| (last - row, last - column), stop };
        Ok(Self { half_turn: half.count()?, quarter_turn: quarter.count()? })
    }
}

impl Classes {
    /// The classes of the plain n × n board with `solutions` solutions, of which `symmetric` are symmetric;
    /// `None` if the numbers contradict each other.
    ///
    /// The number of solutions in a class is eight, the number of symmetries, divided by the number of
    /// symmetries that leave a solution unchanged. On more than one square no solution is its own mirror image,
    /// so only turns leave one unchanged.
    ///
    /// ```
    /// # mod tallyboard { pub use ::tallyboard_search as search; }
    /// use tallyboard_queens::{Classes, SymmetricSolutions};
    /// use tallyboard::search::Stop;
    ///
    /// let classes = Classes::of(8, 92, SymmetricSolutions::search(8, &Stop::new())?).unwrap();
    /// assert_eq!((classes.of_eight, classes.of_four, classes.of_two), (11, 1, 0));
    /// assert_eq!(classes.total(), 12);
    /// # Ok::<(), tallyboard::search::Stopped>(())
    /// ```
    pub fn of(n: u32, solutions: u128, symmetric: SymmetricSolutions) -> Option<Self> {
        if n == 1 {
            return Some(Self { of_eight: 0, of_four: 0, of_two: 0, of_one: solutions });
        }
        let half = u128::from(symmetric.half_turn);
        let quarter = u128::from(symmetric.quarter_turn);
        let in_eights = solutions.checked_sub(half)?;
        let in_fours = half.checked_sub(quarter)?;
        Some(Self {
            of_eight: exact_quotient(in_eights, 8)?,
            of_four: exact_quotient(in_fours, 4)?,
            of_two: exact_quotient(quarter, 2)?,
            of_one: 0,
        })
    }

    /// The number of all classes.
    pub fn total(self) -> u128 {
        self.of_eight + self.of_four + self.of_two + self.of_one
    }
}

/// `count / size`; `None` unless it is a whole number.
fn exact_quotient(count: u128, size: u128) -> Option<u128> {
    count.is_multiple_of(size).then_some(count / size)
}

/// With fewer queens than this on the board, the search polls the stop flag: often enough, and rarely in all.
const POLLED_QUEENS: u32 = 12;

/// The search for solutions that a turn leaves unchanged. Each step fills the first row without a queen, and places
/// a whole orbit: the queen and its images under the turn.
struct OrbitSearch<'a, T> {
    field: &'a Field,
    /// The image of a square, given by row and column.
    turn: T,
    stop: &'a Stop,
}

impl<T: Fn((u32, u32)) -> (u32, u32)> OrbitSearch<'_, T> {
    /// Counts the solutions. The mirror image of a symmetric solution is another symmetric solution, so half of
    /// the first row is enough. The sum fits in 64 bits: at n = 32 at most 32 · 30 · … · 2 < 2^61 placements
    /// stay the same under a half turn.
    fn count(&self) -> Result<u64, Stopped> {
        let n = self.field.n;
        let half = n / 2;
        let mut solutions = 0;
        for column in 0..n - half {
            if let Some(position) = self.place(Position::default(), (0, column)) {
                let weight = if column < half { 2 } else { 1 };
                solutions += weight * self.extend(&position)?;
            }
        }
        Ok(solutions)
    }

    /// Counts the solutions that have the queens of `position`.
    fn extend(&self, position: &Position) -> Result<u64, Stopped> {
        let rows_left = self.field.rows_left(position);
        if rows_left == 0 {
            return Ok(1);
        }
        if self.field.n - rows_left.count_ones() < POLLED_QUEENS {
            self.stop.check()?;
        }
        let row = rows_left.trailing_zeros();
        let mut solutions = 0;
        for square in bits(self.field.open_in_row(position, row)) {
            if let Some(next) = self.place(*position, (row, square.trailing_zeros())) {
                solutions += self.extend(&next)?;
            }
        }
        Ok(solutions)
    }

    /// Places a queen and all its images, if none of them is attacked.
    fn place(&self, mut position: Position, first: (u32, u32)) -> Option<Position> {
        let mut square = first;
        loop {
            position = self.field.try_place(&position, square.0, square.1)?;
            square = (self.turn)(square);
            if square == first {
                return Some(position);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::board;

    #[test]
    fn the_eight_images_of_a_square_are_distinct_and_on_the_board() {
        let images = Symmetry::all().map(|symmetry| symmetry.image(Square::new(1, 3), 9));
        let images = BTreeSet::from_iter(images);
        assert_eq!(images.len(), 8);
        assert!(images.iter().all(|image| image.is_on_board(9)));
    }

    #[test]
    fn a_board_keeps_the_symmetries_that_its_squares_share() {
        for (placed, blocked, order) in [
            ("", "", 8),
            ("c3", "", 8),
            ("c2", "", 2),
            ("c2", "c4", 2),
            ("b1", "", 1),
            ("", "b1 e2 d5 a4", 4),
        ] {
            assert_eq!(group(&board(5, placed, blocked)).len(), order, "{placed}, {blocked}");
        }
    }
}

#[cfg(test)]
mod fixed_tests {
    use super::*;
    use crate::solutions::all;

    #[test]
    fn turned_solutions_are_as_many_as_in_the_list_of_all() {
        for n in 1..=9 {
            let all = all(n);
            let unchanged_by = |turn: fn(usize, usize, usize) -> (usize, usize)| {
                let last = n as usize - 1;
                let is_unchanged = |columns: &&Vec<u8>| {
                    (0..=last).all(|row| {
                        let (row, column) = turn(row, columns[row] as usize, last);
                        columns[row] as usize == column
                    })
                };
                all.iter().filter(is_unchanged).count() as u64
            };
            let expected = SymmetricSolutions {
                half_turn: unchanged_by(|row, column, last| (last - row, last - column)),
                quarter_turn: unchanged_by(|row, column, last| (column, last - row)),
            };
            assert_eq!(SymmetricSolutions::search(n, &Stop::new()), Ok(expected), "n = {n}");
        }
    }
}
