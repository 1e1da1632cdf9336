//! The search tree of a sudoku as it is taught: empty cells in reading order, digits from 1.

use super::components::PEERS;
use super::{CELLS, Grid};

/// A digit put into a cell, as a node of the search tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The digit; none at the root, where nothing is filled in yet.
    pub digit: Option<u8>,
    /// Whether the next empty cell has no digit left.
    pub dead: bool,
    /// Whether the grid is full.
    pub solved: bool,
    /// What may go into the next empty cell.
    pub children: Vec<Guess>,
}

/// The empty cells of `puzzle` in reading order, as sudoku solvers call them: `r1c3` is in the first
/// row, third column.
pub fn blanks(puzzle: &Grid) -> impl Iterator<Item = String> + '_ {
    let cells = puzzle.cells().iter().enumerate();
    cells.filter(|(_, digit)| **digit == 0).map(|(at, _)| format!("r{}c{}", at / 9 + 1, at % 9 + 1))
}

impl Guess {
    /// The tree over the first `cells` empty cells of `puzzle`, if it has at most `most` nodes. It grows
    /// up to ninefold a cell, so half a dozen cells make a large picture.
    pub fn tree(puzzle: &Grid, cells: usize, most: usize) -> Option<Guess> {
        Self::below(&mut puzzle.cells().clone(), None, cells, &mut most.clone())
    }

    /// Nodes of this subtree, itself included.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Guess::size).sum::<usize>()
    }

    fn below(
        cells: &mut [u8; CELLS],
        digit: Option<u8>,
        depth: usize,
        left: &mut usize,
    ) -> Option<Guess> {
        *left = left.checked_sub(1)?;
        let Some(blank) = cells.iter().position(|&cell| cell == 0) else {
            return Some(Guess { digit, dead: false, solved: true, children: Vec::new() });
        };
        let open: Vec<u8> = (1..=9).filter(|&digit| fits(cells, blank, digit)).collect();
        let dead = open.is_empty();
        let mut children = Vec::new();
        if depth > 0 {
            for digit in open {
                cells[blank] = digit;
                children.push(Self::below(cells, Some(digit), depth - 1, left)?);
            }
            cells[blank] = 0;
        }
        Some(Guess { digit, dead, solved: false, children })
    }
}

/// Whether no cell of the same row, column or box holds the digit.
fn fits(cells: &[u8; CELLS], cell: usize, digit: u8) -> bool {
    (0..CELLS).all(|other| PEERS[cell] >> other & 1 == 0 || cells[other] != digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn the_whole_tree_holds_the_one_solution() {
        fn solutions(guess: &Guess) -> usize {
            usize::from(guess.solved) + guess.children.iter().map(solutions).sum::<usize>()
        }
        let tree = Guess::tree(&PUZZLE.parse().unwrap(), CELLS, usize::MAX).unwrap();
        assert_eq!(solutions(&tree), 1);
    }

    #[test]
    fn the_first_cell_has_three_candidates() {
        let tree = Guess::tree(&PUZZLE.parse().unwrap(), 1, 4).unwrap();
        assert_eq!(Guess::tree(&PUZZLE.parse().unwrap(), 1, 3), None);
        let digits: Vec<Option<u8>> = tree.children.iter().map(|child| child.digit).collect();
        assert_eq!(digits, [Some(1), Some(2), Some(4)]);
        assert!(tree.children.iter().all(|child| child.children.is_empty()));
    }
}
