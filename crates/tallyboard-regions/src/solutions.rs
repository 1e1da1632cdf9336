//! All solutions of a board, one after the other.

use crate::board::Board;
use crate::position::{Layout, Position, Verdict};

/// The solutions of a board, each a set of columns for each row, in an order that depends on the board alone.
///
/// ```
/// use tallyboard_regions::{Board, Solutions};
///
/// let board = Board::new(&[0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3], 1)?;
/// let all: Vec<Vec<u32>> = Solutions::new(&board).collect();
/// assert_eq!(all, [[0b0010, 0b1000, 0b0001, 0b0100]]);
/// # Ok::<(), tallyboard_regions::BoardError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solutions {
    layout: Layout,
    /// What is left to be searched, the next last.
    open: Vec<Position>,
}

impl Solutions {
    /// The solutions of `board`.
    pub fn new(board: &Board) -> Self {
        Self { layout: Layout::new(board), open: vec![Position::new(board)] }
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        while let Some(mut position) = self.open.pop() {
            match position.deduce(&self.layout) {
                Verdict::Dead => {}
                Verdict::Solved => return Some(position.stars()),
                Verdict::Open => {
                    let [with, without] = position.branch(&self.layout);
                    self.open.extend([without, with]);
                }
            }
        }
        None
    }
}
