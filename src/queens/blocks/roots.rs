//! Where the search of a board begins: one root, or with symmetries one root for each set of patterns.
//!
//! Each of the four border lines holds one queen. Call its distance to the nearer corner of its
//! line its *depth*, and look at the deepest of the four: the *pattern* of a solution is their depth
//! and the squares of all border queens that reach it. A symmetry of the board carries solutions
//! with one pattern to solutions with the image of that pattern, so it is enough to count one of
//! each set of patterns that the symmetries exchange, and to weigh it by the size of the set:
//! symmetries of the board / symmetries that leave the pattern as it is.
//!
//! A pattern prunes well: its queens are placed, and on the other border lines all squares as deep or deeper
//! are closed.

use crate::queens::position::RowOrColumn::{self, Column, Row};
use crate::queens::position::{Field, Position};
use crate::queens::symmetry::{Symmetry, group};
use crate::queens::{Board, Square};

/// A position and how many solutions each of its solutions stands for.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub field: Field,
    pub position: Position,
    pub weight: u64,
}

/// The roots of `board`. Every solution of the board is the image of exactly one solution below
/// them, counted with its weight.
pub(super) fn roots(board: &Board) -> Vec<Root> {
    let Some(whole) = whole(board) else { return Vec::new() };
    let symmetries = group(board);
    // Two corners always attack each other. So from n = 2 on some border queen stands outside the corners,
    // and each of the deepest queens stands on one border line only.
    if symmetries.len() == 1 || board.n() == 1 {
        return vec![whole];
    }
    let deepest = (board.n() - 1) / 2;
    (1..=deepest)
        .flat_map(|depth| patterns(board.n(), depth))
        .filter_map(|pattern| {
            let weight = pattern.weight(board.n(), &symmetries)?;
            pattern.restrict(&whole, board.placed(), weight)
        })
        .collect()
}

/// The board with its queens and closed squares; `None` if they contradict each other.
fn whole(board: &Board) -> Option<Root> {
    let mut field = Field::new(board.n());
    for square in board.blocked() {
        field.close(square.rank(), square.file());
    }
    let position = board.placed().iter().try_fold(Position::default(), |position, square| {
        field.try_place(&position, square.rank(), square.file())
    })?;
    Some(Root { field, position, weight: 1 })
}

/// Which border queens are the deepest, and where.
#[derive(Debug)]
struct Pattern {
    depth: u32,
    /// The squares of the deepest border queens, sorted.
    queens: Vec<Square>,
    /// The borders whose queen is nearer to a corner.
    others: Vec<RowOrColumn>,
}

/// All patterns of this depth: each border has a deepest queen near its low end or near its high
/// end, or another one, and at least one border has a deepest queen.
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
        let (depth, queens, others) = (self.depth, &self.queens, &self.others);
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

    /// The number of different images of this pattern; `None` if one of them comes before it and stands for
    /// all.
    fn weight(&self, n: u32, symmetries: &[Symmetry]) -> Option<u64> {
        let mut fixed = 0;
        for symmetry in symmetries {
            match symmetry.images(&self.queens, n).cmp(&self.queens) {
                std::cmp::Ordering::Less => return None,
                std::cmp::Ordering::Equal => fixed += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
        Some(symmetries.len() as u64 / fixed)
    }

    /// The board with this pattern; `None` if it cannot have it. `placed` are the queens of the board itself.
    fn restrict(&self, whole: &Root, placed: &[Square], weight: u64) -> Option<Root> {
        let Root { mut field, mut position, .. } = whole.clone();
        let n = field.n();
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
