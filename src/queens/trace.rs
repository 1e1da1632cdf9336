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
#[non_exhaustive]
pub struct Node {
    /// Columns of the queens, from the top row down.
    pub queens: Vec<u32>,
    /// The same with one queen more, from the left; none where the tree is cut.
    pub children: Vec<Node>,
    /// What the search finds below this node, if the tree is cut here.
    pub cut: Option<Below>,
}

/// What the search finds below a node of its tree, the node itself not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Below {
    /// Nodes of the search tree, solutions included.
    pub nodes: u64,
    /// Solutions.
    pub solutions: u64,
}

impl Node {
    /// The whole search tree of a board; its root has no queens. It grows like the search, so n beyond
    /// 10 or so is no good idea.
    pub fn tree(board: &Board) -> Self {
        Self::tree_to(board, board.n())
    }

    /// The search tree of a board, cut below the first `depth` rows. A node with children that are not
    /// shown tells how much lies below it. The search of the whole tree takes about a second at n = 14.
    ///
    /// ```
    /// use tallyboard::queens::Board;
    /// use tallyboard::queens::trace::Node;
    ///
    /// let corner = &Node::tree_to(&Board::plain(8)?, 1).children[0];
    /// assert_eq!(corner.cut.map(|below| below.solutions), Some(4));
    /// # Ok::<(), tallyboard::queens::BoardError>(())
    /// ```
    pub fn tree_to(board: &Board, depth: u32) -> Self {
        Self::grow(&board.open_rows(), Vec::new(), depth)
    }

    /// The greatest depth at which the tree of a board has at most `most_nodes` nodes; at least 1.
    pub fn depth_within(board: &Board, most_nodes: u64) -> u32 {
        let open = board.open_rows();
        let fits =
            |depth: &u32| below(&open[..*depth as usize], Attacks::default()).nodes < most_nodes;
        (2..=board.n()).take_while(fits).last().unwrap_or(1)
    }

    fn grow(open: &[u64], queens: Vec<u32>, depth: u32) -> Self {
        let attacks = Attacks::of(queens.iter().copied());
        if queens.len() == depth as usize {
            let cut = below(&open[queens.len()..], attacks);
            return Self {
                queens,
                children: Vec::new(),
                cut: Some(cut).filter(|cut| cut.nodes > 0),
            };
        }
        let row = open.get(queens.len()).copied().unwrap_or(0);
        let children = bits(attacks.free(row))
            .map(|square| {
                let mut queens = queens.clone();
                queens.push(square.trailing_zeros());
                Self::grow(open, queens, depth)
            })
            .collect();
        Self { queens, children, cut: None }
    }

    /// Nodes of this tree that are shown, this one included.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Self::size).sum::<usize>()
    }

    /// Nodes without children: dead ends, solutions, and those at which the tree is cut.
    pub fn leaves(&self) -> usize {
        self.children.iter().map(Self::leaves).sum::<usize>().max(1)
    }

    /// The most queens that a node of this tree adds.
    pub fn depth(&self) -> usize {
        self.children.iter().map(|child| 1 + child.depth()).max().unwrap_or(0)
    }

    /// What the search finds below this node, shown or not; a tree of n rows needs `n` to tell solutions.
    pub fn below(&self, n: u32) -> Below {
        let mut sum = self.cut.unwrap_or_default();
        for child in &self.children {
            let Below { nodes, solutions } = child.below(n);
            sum.nodes += 1 + nodes;
            sum.solutions += solutions + u64::from(child.queens.len() == n as usize);
        }
        sum
    }
}

/// Searches the rows that are `open`, below rows that attack them.
fn below(open: &[u64], attacks: Attacks) -> Below {
    let Some((&row, rows)) = open.split_first() else { return Below::default() };
    let free = attacks.free(row);
    if rows.is_empty() {
        let solutions = u64::from(free.count_ones());
        return Below { nodes: solutions, solutions };
    }
    let mut sum = Below::default();
    for square in bits(free) {
        let Below { nodes, solutions } = below(rows, attacks.place(square));
        sum.nodes += 1 + nodes;
        sum.solutions += solutions;
    }
    sum
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
    fn a_cut_tree_accounts_for_every_node_of_the_whole_one() {
        for board in [
            Board::plain(7).unwrap(),
            Board::new(7, &["c7".parse().unwrap()], &["a1".parse().unwrap()]).unwrap(),
        ] {
            let whole = Node::tree(&board);
            assert_eq!(whole.cut, None);
            let solutions = Trace::new(&board).filter(|step| *step == Step::Solution).count();
            let all = Below { nodes: whole.size() as u64 - 1, solutions: solutions as u64 };
            for depth in 0..=7 {
                let cut = Node::tree_to(&board, depth);
                assert_eq!(cut.below(7), all, "depth {depth}");
                assert!(cut.size() <= whole.size());
                assert_eq!(Node::depth_within(&board, cut.size() as u64) == depth, depth > 0);
            }
        }
    }

    #[test]
    fn a_dead_end_at_the_cut_stays_a_dead_end() {
        // On 3 x 3 a queen on a3 leaves c2, after which rank 1 has no free square.
        let tree = Node::tree_to(&Board::plain(3).unwrap(), 2);
        let node = &tree.children[0].children[0];
        assert_eq!((node.queens.as_slice(), node.cut), ([0, 2].as_slice(), None));
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
