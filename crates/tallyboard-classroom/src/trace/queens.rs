//! The textbook backtracking for queens, to be shown: step by step, as a tree, and as figures for each row.

use crate::backtrack::{Descendants, Fate, Node, Puzzle};
use tallyboard_base::bits::bits;
use tallyboard_queens::place::Line;
use tallyboard_queens::position::{Attacks, full};
use tallyboard_queens::{Board, BoardError, Square};

/// The puzzle of placing queens row by row from the top; in each row every square is tried, from the left.
/// [`Steps`](crate::backtrack::Steps) shows how it is searched.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The open squares of each row from the top, a bit for each column.
    open: Vec<u64>,
}

/// Why no queen can stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The square is closed, or its row has its queen on another one.
    Closed,
    /// A queen in a row above attacks the square.
    Attacked {
        /// The first such queen, from the top.
        by: Square,
        /// Along which line.
        line: Line,
    },
    /// No square of a row is open and free.
    NoSquare {
        /// The rank of the row, from 1 at the bottom.
        rank: u32,
    },
}

impl Rows {
    /// The search on a board.
    pub fn new(board: &Board) -> Self {
        Self { open: board.open_rows() }
    }

    /// The size of the board.
    pub fn n(&self) -> u32 {
        self.open.len() as u32
    }

    /// Whether the board lets a queen stand on `square`.
    pub fn is_open(&self, square: Square) -> bool {
        let (row, column) = self.row_and_column(square);
        self.open[row as usize] >> column & 1 != 0
    }

    /// The number of nodes of a search without pruning: it puts a queen on every open square of each row, even
    /// if the square is attacked, and checks only full boards. `u128::MAX` stands for all larger numbers, from
    /// n = 27 on.
    pub fn unpruned_nodes(&self) -> u128 {
        let mut nodes = 0_u128;
        let mut boards = 1_u128;
        for row in &self.open {
            boards = boards.saturating_mul(row.count_ones().into());
            nodes = nodes.saturating_add(boards);
        }
        nodes
    }

    /// The row of a square, counted from the top as [`Line`] does, and its column.
    fn row_and_column(&self, square: Square) -> (u32, u32) {
        (self.n() - 1 - square.rank(), square.file())
    }
}

impl Puzzle for Rows {
    type Move = Square;
    type Reason = Obstacle;

    fn moves(&self, made: &[Square]) -> Option<Vec<Square>> {
        let n = self.n();
        let row = made.len() as u32;
        (row < n).then(|| (0..n).map(|column| Square::from_top(row, column, n)).collect())
    }

    fn obstacle(&self, made: &[Square], tried: Square) -> Option<Obstacle> {
        if !self.is_open(tried) {
            return Some(Obstacle::Closed);
        }
        let place = self.row_and_column(tried);
        made.iter().find_map(|&by| {
            let line = Line::shared(self.row_and_column(by), place)?;
            Some(Obstacle::Attacked { by, line })
        })
    }

    fn dead_end(&self, made: &[Square]) -> Obstacle {
        Obstacle::NoSquare { rank: self.n() - made.len() as u32 }
    }
}

impl Node<Square> {
    /// The search tree of a board, cut below the first `depth` rows. Nodes at the cut have the numbers of nodes
    /// and solutions below them. Takes about a second at n = 14: the whole tree is searched.
    ///
    /// ```
    /// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
    /// use tallyboard::queens::Board;
    /// use tallyboard_classroom::backtrack::Node;
    ///
    /// let corner = &Node::of_board(&Board::new(8)?, 1).children[0];
    /// assert_eq!(corner.cut.map(|below| below.solutions), Some(4));
    /// # Ok::<(), tallyboard::queens::BoardError>(())
    /// ```
    pub fn of_board(board: &Board, depth: u32) -> Self {
        let rows = Rows::new(board);
        let root = Self::tree(&rows, depth as usize, usize::MAX);
        let mut root = root.expect("no tree has so many nodes");
        root.count_cut(&rows);
        root
    }

    /// Counts what is below the nodes where the tree is cut.
    fn count_cut(&mut self, rows: &Rows) {
        if self.children.is_empty() && self.fate == Fate::Open {
            let attacks = Attacks::of(self.made.iter().map(|queen| queen.file()));
            self.cut = Some(below(&rows.open[self.made.len()..], attacks));
        }
        self.children.iter_mut().for_each(|child| child.count_cut(rows));
    }
}

/// The greatest depth at which the search tree of a board has at most `most_nodes` nodes; at least 1.
pub fn depth_within(board: &Board, most_nodes: u64) -> u32 {
    let open = board.open_rows();
    let fits = |depth: &u32| below(&open[..*depth as usize], Attacks::default()).nodes < most_nodes;
    (2..=board.n()).take_while(fits).last().unwrap_or(1)
}

/// The nodes and solutions of a search of rows with these `open` squares, below queens that make these `attacks`.
fn below(open: &[u64], attacks: Attacks) -> Descendants {
    let Some((&row, rows)) = open.split_first() else { return Descendants::default() };
    let free = attacks.free(row);
    if rows.is_empty() {
        let solutions = u64::from(free.count_ones());
        return Descendants { nodes: solutions, solutions };
    }
    let mut sum = Descendants::default();
    for square in bits(free) {
        let Descendants { nodes, solutions } = below(rows, attacks.place(square));
        sum.nodes += 1 + nodes;
        sum.solutions += solutions;
    }
    sum
}

/// What the search did in one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowProfile {
    /// Squares tried: all of the row, for each placement of the rows above.
    pub squares: u64,
    /// Of these, squares in a column that was taken.
    pub column_taken: u64,
    /// Of the other squares, those on a diagonal that was taken.
    pub diagonal_taken: u64,
    /// Queens put down: the nodes of the search tree.
    pub nodes: u64,
    /// Of these, queens that left the next row without a free square.
    pub dead_ends: u64,
}

/// What the textbook search for all solutions did in each row: how many squares each rule excluded. Symmetry is
/// not used; takes seconds at n = 14.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use tallyboard_classroom::trace::queens::profile;
///
/// let rows = profile(8)?;
/// assert_eq!(rows.iter().map(|row| row.nodes).collect::<Vec<_>>(), [8, 42, 140, 344, 568, 550, 312, 92]);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
///
/// # Errors
/// If there is no [`Board`] of this size.
pub fn profile(n: u32) -> Result<Vec<RowProfile>, BoardError> {
    Board::new(n)?;
    let mut rows = vec![RowProfile::default(); n as usize];
    visit(&mut rows, full(n), Attacks::default());
    Ok(rows)
}

/// Adds the search of these rows, all of whose `full` squares are open, below queens that make these `attacks`.
fn visit(rows: &mut [RowProfile], full: u64, attacks: Attacks) {
    let Some((row, below)) = rows.split_first_mut() else { return };
    let free = attacks.free(full);
    row.squares += number_of(full);
    row.column_taken += number_of(full & attacks.columns);
    row.diagonal_taken += number_of(full & !attacks.columns & !free);
    row.nodes += number_of(free);
    for square in bits(free) {
        let next = attacks.place(square);
        row.dead_ends += u64::from(!below.is_empty() && next.free(full) == 0);
        visit(below, full, next);
    }
}

fn number_of(squares: u64) -> u64 {
    squares.count_ones().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::{Counts, Step, Steps};
    use tallyboard_queens::known;

    fn board(n: u32) -> Board {
        Board::new(n).unwrap()
    }

    /// The steps of the search on a board.
    fn steps(board: &Board) -> Steps<Rows> {
        Steps::new(Rows::new(board))
    }

    fn counts(board: &Board) -> Counts {
        let mut counts = Counts::default();
        steps(board).for_each(|step| counts.add(&step));
        counts
    }

    #[test]
    fn queens_that_stand_and_closed_squares_prune_trace_and_tree_alike() {
        let with_b6 = board(6).place("b6").unwrap();
        assert_eq!(counts(&with_b6).solutions, 1);
        let board = with_b6.block("d5").unwrap();
        assert_eq!(counts(&board).solutions, 0, "the one solution with b6 has d5");
        assert_eq!(Node::of_board(&board, board.n()).size() as u64, counts(&board).nodes + 1);
        let a6 = "a6".parse().unwrap();
        assert_eq!(steps(&board).next(), Some(Step::Refused { tried: a6, why: Obstacle::Closed }));
    }

    #[test]
    fn trace_tree_and_profile_tell_the_same_story() {
        for n in 1..=7 {
            let board = board(n);
            let rows = profile(n).unwrap();
            let counts = counts(&board);
            let sum = |figure: fn(&RowProfile) -> u64| rows.iter().map(figure).sum::<u64>();
            assert_eq!(Node::of_board(&board, board.n()).size() as u64, counts.nodes + 1);
            assert_eq!(counts.nodes, sum(|row| row.nodes));
            assert_eq!(counts.dead_ends, sum(|row| row.dead_ends));
            assert_eq!(Some(counts.solutions.into()), known::solutions(n));
            let attacked = steps(&board).filter(|step| {
                matches!(step, Step::Refused { why: Obstacle::Attacked { .. }, .. })
            });
            assert_eq!(attacked.count() as u64, sum(|row| row.column_taken + row.diagonal_taken));
        }
    }

    /// Boards with a queen on some open square of each of the first rows, one after the other.
    fn visit_unpruned(board: &Board, row: u32) -> u128 {
        if row == board.n() {
            return 0;
        }
        let open = board.open_rows()[row as usize];
        bits(open).map(|_| 1 + visit_unpruned(board, row + 1)).sum()
    }

    #[test]
    fn a_search_without_pruning_visits_as_many_boards_as_is_said() {
        let closed = board(5).place("a1").unwrap().block("c3").unwrap();
        for board in (1..=7).map(board).chain([closed]) {
            assert_eq!(Rows::new(&board).unpruned_nodes(), visit_unpruned(&board, 0), "{board:?}");
        }
        assert_eq!(Rows::new(&board(32)).unpruned_nodes(), u128::MAX);
    }

    #[test]
    fn a_cut_tree_accounts_for_every_node_of_the_whole_one() {
        let closed = board(7).place("c7").unwrap().block("a1").unwrap();
        for board in [board(7), closed] {
            let whole = Node::of_board(&board, board.n());
            assert_eq!(whole.cut, None);
            let solutions = counts(&board).solutions;
            let all = Descendants { nodes: whole.size() as u64 - 1, solutions };
            for depth in 0..=7 {
                let cut = Node::of_board(&board, depth);
                assert_eq!(cut.below(), all, "depth {depth}");
                assert!(cut.size() <= whole.size());
                assert_eq!(depth_within(&board, cut.size() as u64) == depth, depth > 0);
            }
        }
    }

    #[test]
    fn a_dead_end_at_the_cut_stays_a_dead_end() {
        // On 3 x 3 a queen on a3 leaves c2, after which rank 1 has no free square.
        let tree = Node::of_board(&board(3), 2);
        let node = &tree.children[0].children[0];
        assert_eq!(node.made[1].to_string(), "c2");
        assert_eq!((node.fate, node.cut), (Fate::DeadEnd, None));
    }

    #[test]
    fn a_board_past_the_masks_is_refused() {
        assert_eq!(profile(33).unwrap_err(), Board::new(33).unwrap_err());
    }

    #[test]
    fn the_first_steps_on_two_by_two() {
        let steps: Vec<_> = steps(&board(2)).take(5).collect();
        let [a2, a1, b1] = ["a2", "a1", "b1"].map(|name| name.parse().unwrap());
        let attacked = |line| Obstacle::Attacked { by: a2, line };
        assert_eq!(
            steps,
            [
                Step::Made(a2),
                Step::Refused { tried: a1, why: attacked(Line::Column) },
                Step::Refused { tried: b1, why: attacked(Line::FallingDiagonal) },
                Step::DeadEnd(Obstacle::NoSquare { rank: 1 }),
                Step::Back { to: 0, undone: a2 },
            ]
        );
    }
}
