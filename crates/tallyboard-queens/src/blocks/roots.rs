//! The *roots*: positions where the search of a board begins. A board has one root, or, if it has symmetries, one for
//! each set of patterns.
//!
//! Each of the four border lines holds one queen. The *depth* of a border queen is its distance to the
//! nearer corner of its line. The *pattern* of a solution is the greatest depth of its border queens,
//! with the squares of all border queens of that depth. A symmetry of the board carries solutions with
//! one pattern to solutions with the image of that pattern. So of each set of patterns that the
//! symmetries exchange, one is counted, times the size of the set: the number of symmetries of the
//! board, divided by the number of symmetries that leave the pattern unchanged.
//!
//! A pattern prunes well: its queens are placed, and on the other border lines all squares of its depth or more
//! are closed.

use crate::position::RowOrColumn::{self, Column, Row};
use crate::position::{Field, Position};
use crate::symmetry::{Symmetry, group};
use crate::{Board, Square};

/// A position, and the number of images that each of its solutions stands for.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub field: Field,
    pub position: Position,
    pub weight: u64,
}

/// The roots of `board`. The number of its solutions is the sum over the roots of solutions times weight.
pub(super) fn roots(board: &Board) -> Vec<Root> {
    let Some(whole) = root_of(board) else { return Vec::new() };
    let symmetries = group(board);
    // Without symmetries there is nothing to save. On one square the only queen is on all four borders. From n = 2 on,
    // two corners always attack each other: so some border queen stands outside the corners, and each of the deepest
    // queens stands on one border only.
    if symmetries.len() == 1 || board.n() == 1 {
        return vec![whole];
    }
    let deepest = (board.n() - 1) / 2;
    (1..=deepest)
        .flat_map(|depth| patterns(board.n(), depth))
        .filter_map(|pattern| {
            let weight = pattern.weight(board.n(), &symmetries)?;
            pattern.root(&whole, board.placed(), weight)
        })
        .collect()
}

/// The board with its queens and closed squares; `None` if they contradict each other.
fn root_of(board: &Board) -> Option<Root> {
    let mut field = Field::new(board.n());
    for square in board.blocked() {
        field.close(square.rank(), square.file());
    }
    let position = board.placed().iter().try_fold(Position::default(), |position, square| {
        field.try_place(&position, square.rank(), square.file())
    })?;
    Some(Root { field, position, weight: 1 })
}

/// The deepest border queens: their depth and their squares.
#[derive(Debug)]
struct Pattern {
    depth: u32,
    /// The squares of the deepest border queens, sorted.
    queens: Vec<Square>,
    /// The borders whose queen is nearer to a corner.
    others: Vec<RowOrColumn>,
}

/// All patterns of this depth. On each border the queen has this depth near the low end, or near the high end,
/// or it has a lower depth. On at least one border it has this depth.
fn patterns(n: u32, depth: u32) -> Vec<Pattern> {
    let mut ends = vec![depth, n - 1 - depth];
    ends.dedup();
    let mut patterns = vec![Pattern { depth, queens: Vec::new(), others: Vec::new() }];
    let last = n - 1;
    for border in [Row(0), Row(last), Column(0), Column(last)] {
        patterns = patterns.iter().flat_map(|pattern| pattern.choices(border, &ends)).collect();
    }
    patterns.retain(|pattern| !pattern.queens.is_empty());
    patterns
}

impl Pattern {
    /// This pattern with each choice for one more border.
    fn choices(&self, border: RowOrColumn, ends: &[u32]) -> Vec<Self> {
        let depth = self.depth;
        let queens = &self.queens;
        let others = &self.others;
        let mut choices = vec![Self {
            depth,
            queens: queens.clone(),
            others: others.iter().copied().chain([border]).collect(),
        }];
        for &end in ends {
            let mut queens = queens.clone();
            let (row, column) = border.square(end);
            queens.push(Square::new(column, row));
            queens.sort_unstable();
            choices.push(Self { depth, queens, others: others.clone() });
        }
        choices
    }

    /// The number of different images of this pattern. `None` if another image is lexicographically smaller: only
    /// the smallest of them is counted.
    fn weight(&self, n: u32, symmetries: &[Symmetry]) -> Option<u64> {
        let mut unchanged_by = 0;
        for symmetry in symmetries {
            match symmetry.images(&self.queens, n).cmp(&self.queens) {
                std::cmp::Ordering::Less => return None,
                std::cmp::Ordering::Equal => unchanged_by += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
        Some(symmetries.len() as u64 / unchanged_by)
    }

    /// The root for this pattern: `whole` with its queens and closed squares. `None` if the board cannot have the
    /// pattern. `placed` are the queens that the board has from the start.
    fn root(&self, whole: &Root, placed: &[Square], weight: u64) -> Option<Root> {
        let Root { mut field, mut position, .. } = whole.clone();
        let n = field.n;
        for queen in self.queens.iter().filter(|queen| !placed.contains(queen)) {
            position = field.try_place(&position, queen.rank(), queen.file())?;
        }
        for border in &self.others {
            for index in self.depth..n - self.depth {
                let (row, column) = border.square(index);
                if placed.contains(&Square::new(column, row)) {
                    return None;
                }
                field.close(row, column);
            }
        }
        Some(Root { field, position, weight })
    }
}
