//! How many solutions use each square, by the same roots, subtrees and starts as the count.
//!
//! A subtree remembers where its queens stand, 32 bytes. The kernel gives the number of ways below a start that use
//! each square of the start (`kernel/trail.rs`). These are added to the table of the subtree's own orientation, and with
//! them the number of ways to each queen that stood before the start. At the end of the subtree that table is added once
//! for each image of its root, with squares carried along: so of a board with all symmetries an eighth is searched.

use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::idle::Idle;
use tallyboard_search::{CellSum, Costs, Error, Overflow, Stop, Stopped, Table, Tabulate};

use super::kernel::{self, MAX_ROWS, StackMemory, Uses};
use super::roots::{Orientation, Root, roots};
use super::{
    Board, MAX_START_SQUARES, MIN_CUT_SQUARES, Subtree, Trace, for_each_subtree, subtrees,
};
use crate::Square;
use crate::board::comma_list;
use crate::position::Position;
use crate::position::RowOrColumn::{Column, Row};
use crate::solutions::Solutions;

/// The column of the queen of each row; [`NO_QUEEN`] without one.
#[derive(Debug, Clone, Copy)]
struct Queens([u8; MAX_ROWS]);

const NO_QUEEN: u8 = u8::MAX;

impl Queens {
    fn of(root: &Root) -> Self {
        let none = Self([NO_QUEEN; MAX_ROWS]);
        root.queens.iter().fold(none, |queens, queen| queens.place(queen.rank(), queen.file()))
    }
}

impl Trace for Queens {
    fn place(mut self, row: u32, column: u32) -> Self {
        self.0[row as usize] = column as u8;
        self
    }
}

/// What a worker keeps from start to start.
#[derive(Debug)]
struct Memory {
    stacks: StackMemory,
    uses: Box<Uses>,
}

/// The engine for one board, which it has split.
#[derive(Debug)]
pub(crate) struct TallyBlocks {
    board: Board,
    idle: Idle<Memory>,
    roots: Vec<Root>,
    subtrees: Vec<Subtree<Queens>>,
    instructions: Instructions,
    max_start_squares: f64,
}

impl TallyBlocks {
    pub fn new(board: Board, instructions: Instructions) -> Self {
        Self::with_limits(board, instructions, MIN_CUT_SQUARES, MAX_START_SQUARES)
    }

    fn with_limits(
        board: Board,
        instructions: Instructions,
        min_cut_squares: f64,
        max_start_squares: f64,
    ) -> Self {
        let roots = roots(&board);
        let subtrees = subtrees(&roots, Queens::of, min_cut_squares);
        Self { board, idle: Idle::default(), roots, subtrees, instructions, max_start_squares }
    }

    /// The cell of a square of the table: row by row from the top.
    fn cell(&self, square: Square) -> usize {
        let n = self.board.n();
        ((n - 1 - square.rank()) * n + square.file()) as usize
    }

    /// Adds to `table`, without symmetry, the squares of the start of `side`.
    fn add_start(
        &self,
        root: &Root,
        position: &Position,
        side: &Orientation,
        uses: &Uses,
        table: &mut Table,
    ) -> Result<(), Overflow> {
        let lines = (root.field.rows_left(position), root.field.columns_left(position));
        let (lines, across) = if side.by_column { (lines.1, lines.0) } else { lines };
        let count = side.start.rows();
        for (index, line) in bits(lines).map(u32::trailing_zeros).enumerate() {
            let line = if side.by_column { Column(line) } else { Row(line) };
            let uses = &uses[if side.reversed { count - 1 - index } else { index }];
            for crossing in bits(across).map(u32::trailing_zeros) {
                let (row, column) = line.square(crossing);
                let ways = uses[(crossing - across.trailing_zeros()) as usize];
                table.add(self.cell(Square::new(column, row)), ways.into())?;
            }
        }
        Ok(())
    }

    /// The table of a subtree without the images of its solutions.
    fn without_images(
        &self,
        Subtree { root, position, trace, .. }: &Subtree<Queens>,
        stop: &Stop,
    ) -> Result<Table, Stopped> {
        let root = &self.roots[*root];
        let n = self.board.n();
        let new = || Memory {
            stacks: StackMemory::with_trails(n as usize),
            uses: Box::new([[0; MAX_ROWS]; MAX_ROWS]),
        };
        let mut memory = self.idle.take().unwrap_or_else(new);
        let Memory { stacks, uses } = &mut memory;
        let mut table = Table::new((n * n) as usize);
        let limit = self.max_start_squares;
        for_each_subtree(&root.field, position, *trace, limit, &mut |position, queens, side| {
            let ways = kernel::tally(self.instructions, &side.start, stacks, uses, stop)?;
            if ways > 0 {
                let added = table.count(ways.into()).and_then(|()| {
                    let rows = (0..n).filter(|&row| queens.0[row as usize] != NO_QUEEN);
                    rows.map(|row| Square::new(queens.0[row as usize].into(), row))
                        .try_for_each(|queen| table.add(self.cell(queen), ways.into()))?;
                    self.add_start(root, position, &side, uses, &mut table)
                });
                added.unwrap_or_else(|overflow| Error::from(overflow).raise());
            }
            Ok(())
        })?;
        self.idle.put(memory);
        Ok(table)
    }

    /// `table`, added once for each image of `root`.
    fn with_images(&self, root: &Root, table: &Table) -> Result<Table, Overflow> {
        let n = self.board.n();
        let mut sum = Table::new((n * n) as usize);
        for &symmetry in &root.images {
            sum.count(table.solutions())?;
            for (cell, &ways) in (0..).zip(table.cells()) {
                let square = Square::from_top(cell / n, cell % n, n);
                sum.add(self.cell(symmetry.image(square, n)), ways)?;
            }
        }
        Ok(sum)
    }
}

impl Tabulate for TallyBlocks {
    fn cells(&self) -> usize {
        (self.board.n() * self.board.n()) as usize
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    /// With a larger number whenever boards are cut in another way.
    fn identity(&self) -> String {
        let [placed, blocked] = [self.board.placed(), self.board.blocked()].map(comma_list);
        format!("queens n={} placed={placed} blocked={blocked} table=1", self.board.n())
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(|subtree| subtree.cost).collect())
    }

    fn tabulate(&self, subtree: usize, stop: &Stop) -> Result<Table, Stopped> {
        let subtree = &self.subtrees[subtree];
        let table = self.without_images(subtree, stop)?;
        let sum = self.with_images(&self.roots[subtree.root], &table);
        Ok(sum.unwrap_or_else(|overflow| Error::from(overflow).raise()))
    }

    fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped> {
        let n = self.board.n() as usize;
        let mut table = Table::new(n * n);
        let go_on = || !stop.requested();
        let _ = Solutions::on(&self.board).for_each_while(&[], &go_on, &mut |columns| {
            let squares = columns.iter().enumerate();
            table.add_solution(squares.map(|(row, &column)| row * n + usize::from(column)), limit)
        });
        stop.check()?;
        Ok(table)
    }

    /// Each row and each column has one queen.
    fn sums(&self) -> Vec<CellSum> {
        let n = self.board.n() as usize;
        let rows = (0..n).map(|row| CellSum::once(row * n..(row + 1) * n));
        let columns = (0..n).map(|column| CellSum::once((0..n).map(|row| row * n + column)));
        rows.chain(columns).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::tests::boards;
    use tallyboard_search::TableRun;

    /// The table of all solutions, from their list.
    fn listed(board: &Board) -> Table {
        let engine = TallyBlocks::new(board.clone(), Instructions::best());
        engine.first(u64::MAX, &Stop::new()).unwrap()
    }

    #[test]
    fn tables_are_those_of_the_lists_of_solutions_however_finely_a_board_is_split() {
        for board in boards() {
            let expected = listed(&board);
            for (subtree_cost, start_cost) in
                [(MIN_CUT_SQUARES, MAX_START_SQUARES), (0.0, 0.0), (0.0, 1e9), (300.0, 20.0)]
            {
                let best = Instructions::best();
                let engine =
                    TallyBlocks::with_limits(board.clone(), best, subtree_cost, start_cost);
                let table = TableRun::new(engine).threads(2).run().unwrap();
                assert_eq!(table, expected, "{board:?} {subtree_cost} {start_cost}");
            }
        }
    }

    #[test]
    fn a_limit_takes_the_first_solutions_of_the_list() {
        let board = Board::new(6).unwrap();
        let table = board.tally().limit(1).run().unwrap();
        let first = board.solutions().next().unwrap();
        assert!(table.is_cut() && table.solutions() == 1);
        for (row, &column) in first.columns().iter().enumerate() {
            assert_eq!(table.cells()[6 * row + column as usize], 1);
        }
        let whole = board.tally().run().unwrap();
        assert_eq!(board.tally().limit(4).run().unwrap(), whole);
    }
}
