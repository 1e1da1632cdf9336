//! The textbook backtracking, looked at from outside: step by step, as a tree, and row by row.

use super::attacks::{Attacks, full};
use super::place::Line;
use super::{Board, BoardError};
use crate::bits::bits;

/// One step of row-by-row backtracking. Rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A square was tried, but it is closed, or its row has its queen on another one.
    Closed {
        /// Row of the square.
        row: u32,
        /// Column of the square.
        column: u32,
    },
    /// A square was tried, but the queen of an earlier row attacks it.
    Attacked {
        /// Row of the square.
        row: u32,
        /// Column of the square.
        column: u32,
        /// The row of the queen that attacks it.
        by: u32,
        /// Along which line.
        line: Line,
    },
    /// A queen was put down.
    Placed {
        /// Its row.
        row: u32,
        /// Its column.
        column: u32,
    },
    /// Every row has its queen.
    Solution,
    /// The row's squares are used up: its queen, if any, is gone, and the search goes back a row.
    BackFrom {
        /// The row.
        row: u32,
    },
}

/// The steps of the whole search for all solutions, in order.
///
/// ```
/// use tallyboard::queens::Board;
/// use tallyboard::queens::trace::{Step, Trace};
///
/// let solutions = Trace::new(&Board::plain(6)?).filter(|step| *step == Step::Solution).count();
/// assert_eq!(solutions, 4);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    open: Vec<u64>,
    queens: Vec<u32>,
    /// The square of the current row to be tried next.
    next_column: u32,
    ended: bool,
}

impl Trace {
    /// The search on a board.
    pub fn new(board: &Board) -> Self {
        Trace { open: board.open_rows(), queens: Vec::new(), next_column: 0, ended: false }
    }

    /// The columns of the queens on the board now, from the top row down.
    pub fn queens(&self) -> &[u32] {
        &self.queens
    }

    fn go_back(&mut self) {
        match self.queens.pop() {
            Some(column) => self.next_column = column + 1,
            None => self.ended = true,
        }
    }
}

impl Iterator for Trace {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.ended {
            return None;
        }
        let (n, row) = (self.open.len() as u32, self.queens.len() as u32);
        if row == n {
            self.go_back();
            return Some(Step::Solution);
        }
        let column = self.next_column;
        if column == n {
            self.go_back();
            return Some(Step::BackFrom { row });
        }
        if self.open[row as usize] >> column & 1 == 0 {
            self.next_column += 1;
            return Some(Step::Closed { row, column });
        }
        if let Some((by, line)) = attacker(&self.queens, column) {
            self.next_column += 1;
            return Some(Step::Attacked { row, column, by, line });
        }
        self.queens.push(column);
        self.next_column = 0;
        Some(Step::Placed { row, column })
    }
}

/// The first queen that attacks the given square of the row below them.
fn attacker(queens: &[u32], column: u32) -> Option<(u32, Line)> {
    let square = (queens.len() as u32, column);
    let mut above = (0..).zip(queens.iter().copied());
    above.find_map(|queen| Some((queen.0, Line::shared(queen, square)?)))
}

/// A placement of queens in the first rows, as a node of the search tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Columns of the queens, from the top row down.
    pub queens: Vec<u32>,
    /// The same with one queen more, from the left.
    pub children: Vec<Node>,
}

impl Node {
    /// The whole search tree of a board; its root has no queens. It grows like the search, so n beyond
    /// 10 or so is no good idea.
    pub fn tree(board: &Board) -> Node {
        Self::below(&board.open_rows(), Vec::new())
    }

    fn below(open: &[u64], queens: Vec<u32>) -> Node {
        let row = open.get(queens.len()).copied().unwrap_or(0);
        let free = bits(Attacks::of(queens.iter().copied()).free(row));
        let children = free
            .map(|square| {
                let mut queens = queens.clone();
                queens.push(square.trailing_zeros());
                Self::below(open, queens)
            })
            .collect();
        Node { queens, children }
    }

    /// Nodes of this subtree, itself included.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Node::size).sum::<usize>()
    }
}

/// What the search did in one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowProfile {
    /// Squares looked at: all of the row, for each placement of the rows above.
    pub squares: u64,
    /// Of these, squares in a column that was taken.
    pub column_taken: u64,
    /// Of the rest, squares on a diagonal that was taken.
    pub diagonal_taken: u64,
    /// Queens put down: the nodes of the search tree.
    pub nodes: u64,
    /// Of these, queens that left the next row without a free square.
    pub dead_ends: u64,
}

/// The textbook search for all solutions, row by row: how much each rule pruned. Without symmetry,
/// so it takes as many steps as there are nodes: seconds at n = 14.
///
/// ```
/// use tallyboard::queens::trace::profile;
///
/// let rows = profile(8)?;
/// assert_eq!(rows.iter().map(|row| row.nodes).collect::<Vec<_>>(), [8, 42, 140, 344, 568, 550, 312, 92]);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
///
/// # Errors
/// If there is no [`Board`] of this size.
pub fn profile(n: u32) -> Result<Vec<RowProfile>, BoardError> {
    Board::plain(n)?;
    let mut rows = vec![RowProfile::default(); n as usize];
    visit(&mut rows, full(n), Attacks::default());
    Ok(rows)
}

fn visit(rows: &mut [RowProfile], full: u64, attacks: Attacks) {
    let Some((row, below)) = rows.split_first_mut() else { return };
    let count = |squares: u64| u64::from(squares.count_ones());
    let free = attacks.free(full);
    row.squares += count(full);
    row.column_taken += count(full & attacks.columns);
    row.diagonal_taken += count(full & !attacks.columns & !free);
    row.nodes += count(free);
    for square in bits(free) {
        let next = attacks.place(square);
        row.dead_ends += u64::from(!below.is_empty() && next.free(full) == 0);
        visit(below, full, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::known;

    #[test]
    fn queens_that_stand_and_closed_squares_prune_trace_and_tree_alike() {
        let board = Board::new(6, &["b6".parse().unwrap()], &["d5".parse().unwrap()]).unwrap();
        let solutions = Trace::new(&board).filter(|step| *step == Step::Solution).count();
        assert_eq!(solutions, 0, "the one solution with b6 has d5");
        let placed = Trace::new(&board).filter(|step| matches!(step, Step::Placed { .. })).count();
        assert_eq!(Node::tree(&board).size(), placed + 1);
        assert_eq!(Trace::new(&board).next(), Some(Step::Closed { row: 0, column: 0 }));
        let board = Board::new(6, &["b6".parse().unwrap()], &[]).unwrap();
        assert_eq!(Trace::new(&board).filter(|step| *step == Step::Solution).count(), 1);
    }

    #[test]
    fn trace_tree_and_profile_tell_the_same_story() {
        for n in 1..=7 {
            let (board, rows) = (Board::plain(n).unwrap(), profile(n).unwrap());
            let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
            assert_eq!(Node::tree(&board).size() as u64, nodes + 1);
            let placed =
                Trace::new(&board).filter(|step| matches!(step, Step::Placed { .. })).count();
            assert_eq!(placed as u64, nodes);
            let solutions = Trace::new(&board).filter(|step| *step == Step::Solution).count();
            assert_eq!(Some(solutions as u128), known::solutions(n));
            let attacked =
                Trace::new(&board).filter(|s| matches!(s, Step::Attacked { .. })).count();
            let pruned: u64 = rows.iter().map(|row| row.column_taken + row.diagonal_taken).sum();
            assert_eq!(attacked as u64, pruned);
        }
    }

    #[test]
    fn a_board_past_the_masks_is_refused() {
        assert_eq!(profile(33).unwrap_err(), Board::plain(33).unwrap_err());
    }

    #[test]
    fn the_first_steps_on_two_by_two() {
        let steps: Vec<Step> = Trace::new(&Board::plain(2).unwrap()).take(4).collect();
        assert_eq!(
            steps,
            [
                Step::Placed { row: 0, column: 0 },
                Step::Attacked { row: 1, column: 0, by: 0, line: Line::Column },
                Step::Attacked { row: 1, column: 1, by: 0, line: Line::FallingDiagonal },
                Step::BackFrom { row: 1 },
            ]
        );
    }
}
