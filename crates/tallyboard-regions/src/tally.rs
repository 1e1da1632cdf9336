//! How many solutions of a board have a star in each cell.
//!
//! The subtrees and the search in lanes are those of the count, which visits each solution. A solution adds one to a number of 64
//! bits for each of its stars; a subtree adds one number for each cell to a table of 128 bits.

use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{CellSum, Error, Problem, Stop, Stopped, Table, TableRun, Tabulate};

use crate::board::Board;
use crate::count::Count;
use crate::solutions::Solutions;

/// How many solutions of `board` have a star in each cell, to be [run](TableRun::run). The cells of the table are those of the
/// board, row by row.
///
/// ```
/// use tallyboard_regions::{Board, tally};
///
/// // Five rows as regions.
/// let rows: Vec<u32> = (0..25).map(|cell| cell / 5).collect();
/// let table = tally(&Board::new(&rows, 1)?).run()?;
/// assert_eq!(table.solutions(), 14);
/// assert_eq!(table.cells()[..5], [2, 3, 4, 3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tally(board: &Board) -> TableRun<'static> {
    TableRun::new(BoardTally(Count::new(board)))
}

/// [`tally`] by these instructions.
#[doc(hidden)]
pub fn tally_by(board: &Board, instructions: Instructions) -> TableRun<'static> {
    TableRun::new(BoardTally(Count::with(board, instructions)))
}

/// The engine, which is that of a count.
#[derive(Debug)]
struct BoardTally(Count);

/// The numbers of the cells of a solution with these stars in each row.
fn cells(stars: &[u32]) -> impl Iterator<Item = usize> {
    let size = stars.len();
    stars.iter().enumerate().flat_map(move |(row, &stars)| {
        bits(stars).map(move |star| row * size + star.trailing_zeros() as usize)
    })
}

impl Tabulate for BoardTally {
    fn cells(&self) -> usize {
        self.0.board().size().pow(2)
    }

    fn subtrees(&self) -> usize {
        self.0.subtrees()
    }

    fn identity(&self) -> String {
        self.0.identity() + " table=1"
    }

    fn tabulate(&self, subtree: usize, stop: &Stop) -> Result<Table, Stopped> {
        // Each number counts solutions that were visited, so 64 bits are enough.
        let mut uses = vec![0_u64; self.cells()];
        let add = |stars: &[u32]| cells(stars).for_each(|cell| uses[cell] += 1);
        let solutions = self.0.visit(subtree, add, stop)?;
        let mut table = Table::new(self.cells());
        let mut numbers = uses.iter().enumerate();
        table
            .count(solutions.into())
            .and_then(|()| numbers.try_for_each(|(cell, &uses)| table.add(cell, uses.into())))
            .unwrap_or_else(|overflow| Error::from(overflow).raise());
        Ok(table)
    }

    fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped> {
        let mut table = Table::new(self.cells());
        for solution in Solutions::new(self.0.board()) {
            stop.check()?;
            if table.add_solution(cells(&solution), limit).is_break() {
                break;
            }
        }
        Ok(table)
    }

    /// Each row, each column and each region has as many stars as the board says.
    fn sums(&self) -> Vec<CellSum> {
        let board = self.0.board();
        let (size, times) = (board.size(), board.stars() as u32);
        let sum = |cells: Vec<usize>| CellSum { cells, times };
        let rows = (0..size).map(|row| sum((row * size..(row + 1) * size).collect()));
        let columns = (0..size).map(|column| sum((column..size * size).step_by(size).collect()));
        let regions = (0..size).map(|region| {
            let cells = board.regions().iter().enumerate();
            let of_region = cells.filter(|&(_, &of)| usize::from(of) == region);
            sum(of_region.map(|(cell, _)| cell).collect())
        });
        rows.chain(columns).chain(regions).collect()
    }
}
