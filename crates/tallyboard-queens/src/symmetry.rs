//! The eight symmetries of the square, and the group of those that leave a board unchanged.

use super::{Board, Square};

/// One of the eight ways to lay a square board on itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Symmetry {
    quarter_turns: u8,
    mirrored: bool,
}

impl Symmetry {
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
