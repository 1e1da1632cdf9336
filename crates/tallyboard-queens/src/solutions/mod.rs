//! Every solution of a board, in lexicographic order of its columns.
//!
//! The rows are searched from the top with bitmasks, columns from the left; the last few rows come
//! from a table. A *prefix* is a way to fill the first rows: [`write()`] lists the solutions below several prefixes at
//! once, on many threads, and writes them in order.

mod sample;
mod tails;
mod write;

use std::ops::{ControlFlow, Range};

use tails::Tails;
use tallyboard_base::bits::bits;

use crate::place::{Placement, has_solution};
use crate::position::Attacks;
use crate::solutions::tails::unpack;
use crate::{Board, BoardError, MAX_N};

pub use sample::{Distribution, is_smallest_image, sample};
pub use tails::Prefixes;
pub use write::{Listing, Selection, WriteError, write};

/// The solutions of a board, ready to be listed or counted.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use std::ops::ControlFlow;
/// use tallyboard_queens::solutions::Solutions;
///
/// let solutions = Solutions::new(4)?;
/// let mut all = Vec::new();
/// let _ = solutions.for_each(&[], &mut |columns| {
///     all.push(columns.to_vec());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(all, [[1, 3, 0, 2], [2, 0, 3, 1]]);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
#[derive(Debug)]
pub struct Solutions {
    n: u32,
    tails: Tails,
    /// The squares of each row that are not closed.
    open: Vec<u64>,
    /// Whether every square of the board is open.
    plain: bool,
}

impl Solutions {
    /// Prepares the tables: milliseconds, and at most some 30 MB.
    ///
    /// # Errors
    /// If there is no [`Board`] of this size.
    pub fn new(n: u32) -> Result<Self, BoardError> {
        Ok(Self::on(&Board::new(n)?))
    }

    /// [`new`](Self::new) for a board with placed queens and closed squares.
    pub fn on(board: &Board) -> Self {
        // If placed queens attack each other there are no solutions, and so no open squares.
        let open = match board.attack() {
            Some(_) => vec![0; board.n() as usize],
            None => board.open_rows(),
        };
        let n = board.n();
        Solutions { n, tails: Tails::new(n), open, plain: board.is_plain() }
    }

    /// Whether the queens of the rows from `first_row` on, in these `columns`, stand on open squares.
    fn allow(&self, first_row: usize, columns: &[u8]) -> bool {
        self.plain || self.open[first_row..].iter().zip(columns).all(|(open, c)| open >> c & 1 == 1)
    }

    /// Whether these columns are a solution: a queen in each row, on an open square, no two of them in one column or on one
    /// diagonal. No code of the search takes part.
    pub fn is_solution(&self, columns: &[u8]) -> bool {
        if columns.len() != self.open.len() {
            return false;
        }
        // The lines with a queen. A board has at most 32 rows, and beyond its edge no square is open.
        let (mut files, mut rising, mut falling) = (0_u64, 0_u64, 0_u64);
        let mut are_open = true;
        for row in 0..columns.len() {
            let column = usize::from(columns[row]).min(63);
            are_open &= self.open[row] >> column & 1 == 1;
            let file = 1_u64 << column;
            files |= file;
            rising |= file << row;
            falling |= file << 31 >> row;
        }
        let lines = [files, rising, falling].map(u64::count_ones);
        are_open && lines == [self.n; 3]
    }

    /// The ways to fill the first quarter of the rows, rounded down.
    pub fn prefixes(&self) -> Prefixes {
        Prefixes::new(self.open.clone(), self.n as usize / 4)
    }

    /// Calls `found` with the columns of every solution that begins with `prefix`, which is empty or one of the
    /// [`prefixes`](Self::prefixes), in lexicographic order, until `found` breaks. Constant memory.
    ///
    /// # Panics
    /// If the prefix is of another board: longer than the rows that are searched, or with a column past the edge.
    pub fn for_each(
        &self,
        prefix: &[u8],
        found: &mut impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_while(prefix, &|| true, found)
    }

    /// [`for_each`](Self::for_each) that also ends soon after `go_on` returns false, even if solutions are rare.
    pub(crate) fn for_each_while(
        &self,
        prefix: &[u8],
        go_on: &impl Fn() -> bool,
        found: &mut impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let searched = self.searched_rows();
        self.search(prefix, go_on, &mut |columns, attacks| {
            let mut flow = ControlFlow::Continue(());
            self.tails.for_each(attacks, |tail| {
                if flow.is_break() {
                    return;
                }
                tails::unpack(tail, &mut columns[searched..]);
                if self.allow(searched, &columns[searched..]) {
                    flow = found(columns);
                }
            });
            flow
        })
    }

    /// How many solutions begin with `prefix`; several times as fast as listing them.
    ///
    /// # Panics
    /// As for [`for_each`](Self::for_each).
    pub fn count(&self, prefix: &[u8]) -> u64 {
        let mut count = 0;
        let _ = self.count_in_parts(prefix, &|| true, &mut |part| {
            count += part;
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether the board has a solution at all.
    fn has_any(&self) -> bool {
        if self.plain {
            return has_solution(self.n);
        }
        self.for_each(&[], &mut |_| ControlFlow::Break(())).is_break()
    }

    /// [`count`](Self::count) in small parts, which may be 0. Calls `counted` with each part, until `counted` breaks or
    /// `go_on` returns false.
    fn count_in_parts(
        &self,
        prefix: &[u8],
        go_on: &impl Fn() -> bool,
        counted: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.plain {
            return self.for_each_while(prefix, go_on, &mut |_| counted(1));
        }
        self.search(prefix, go_on, &mut |_, attacks| counted(self.tails.count(attacks)))
    }

    /// The number of rows that are searched; the others are looked up in the table.
    fn searched_rows(&self) -> usize {
        (self.n - self.tails.rows) as usize
    }

    /// Calls `filled` with every way to fill the searched rows that begins like `prefix`, and with its attacks on
    /// the row after them. Breaks soon after `go_on` returns false.
    fn search(
        &self,
        prefix: &[u8],
        go_on: &impl Fn() -> bool,
        filled: &mut impl FnMut(&mut [u8], Attacks) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let searched = self.searched_rows();
        let on_board = prefix.iter().all(|&column| u32::from(column) < self.n);
        assert!(prefix.len() <= searched && on_board, "a prefix of another board");
        if !self.allow(0, prefix) {
            return ControlFlow::Continue(());
        }
        let mut columns = [0; MAX_N as usize];
        let columns = &mut columns[..self.n as usize];
        columns[..prefix.len()].copy_from_slice(prefix);
        let attacks = Attacks::of(prefix.iter().map(|&column| column.into()));
        fill(columns, prefix.len()..searched, &self.open, attacks, go_on, filled)
    }
}

/// Calls `filled` with every way to fill `rows`, and with its attacks on the row after them. `open` has the open squares
/// of each row of the board. Calls `go_on` before each row but the last three, which take at most milliseconds, and before
/// `filled`.
fn fill(
    columns: &mut [u8],
    rows: Range<usize>,
    open: &[u64],
    attacks: Attacks,
    go_on: &impl Fn() -> bool,
    filled: &mut impl FnMut(&mut [u8], Attacks) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if !matches!(rows.len(), 1..=3) && !go_on() {
        return ControlFlow::Break(());
    }
    if rows.is_empty() {
        return filled(columns, attacks);
    }
    let row = rows.start;
    for square in bits(attacks.free(open[row])) {
        columns[row] = square.trailing_zeros() as u8;
        let next = attacks.place(square);
        if open.get(row + 1).is_none_or(|&below| next.free(below) != 0) {
            fill(columns, row + 1..rows.end, open, next, go_on, filled)?;
        }
    }
    ControlFlow::Continue(())
}

/// The columns of every solution of the plain board.
#[cfg(test)]
pub(super) fn all(n: u32) -> Vec<Vec<u8>> {
    tests::below(&Solutions::new(n).unwrap(), &[])
}

// The solutions of a board as an iterator: the search of [`for_each`](super::Solutions::for_each), a step at a time.

/// Every solution of a board, in lexicographic order of its columns. Constant memory.
#[derive(Debug)]
pub struct Placements {
    solutions: Solutions,
    /// The ways to fill the searched rows; their columns below them are those of the last tail.
    searched: Prefixes,
    /// The tails below the searched rows as they are filled, the next one last.
    tails: Vec<u32>,
}

impl Placements {
    /// The solutions that the tables of `solutions` list.
    pub(crate) fn new(solutions: Solutions) -> Self {
        let searched = Prefixes::new(solutions.open.clone(), solutions.searched_rows());
        Self { solutions, searched, tails: Vec::new() }
    }

    /// The searched rows with the next tail whose queens stand on open squares; `None` if no tail is left.
    fn next_tail(&mut self) -> Option<Placement> {
        let searched = self.solutions.searched_rows();
        let columns = &mut self.searched.columns;
        while let Some(tail) = self.tails.pop() {
            unpack(tail, &mut columns[searched..]);
            if self.solutions.allow(searched, &columns[searched..]) {
                return Some(Placement::new(columns.iter().map(|&column| column.into()).collect()));
            }
        }
        None
    }
}

impl Iterator for Placements {
    type Item = Placement;

    fn next(&mut self) -> Option<Placement> {
        loop {
            if let Some(placement) = self.next_tail() {
                return Some(placement);
            }
            let attacks = self.searched.step()?;
            self.solutions.tails.for_each(attacks, |tail| self.tails.push(tail));
            self.tails.reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::board;
    use crate::known;

    pub(super) fn below(solutions: &Solutions, prefix: &[u8]) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let _ = solutions.for_each(prefix, &mut |columns| {
            all.push(columns.to_vec());
            ControlFlow::Continue(())
        });
        all
    }

    /// All ways to put a queen into each row, on boards with placed queens and closed squares, and some off the board.
    #[test]
    fn solutions_are_told_from_other_columns() {
        for board in [board(5, "", ""), board(5, "b5", "a1")] {
            let solutions = Solutions::on(&board);
            let ways = (0..6_u32.pow(5))
                .map(|way| (0..5).map(move |row| (way / 6_u32.pow(row) % 6) as u8));
            let mut right: Vec<Vec<u8>> = ways
                .map(Iterator::collect)
                .filter(|way: &Vec<u8>| solutions.is_solution(way))
                .collect();
            right.sort_unstable();
            assert_eq!(right, below(&solutions, &[]));
            assert!(!right.is_empty());
        }
        let solutions = Solutions::new(32).unwrap();
        let mut first = Vec::new();
        let _ = solutions.for_each(&[], &mut |columns| {
            first = columns.to_vec();
            ControlFlow::Break(())
        });
        assert!(solutions.is_solution(&first) && !solutions.is_solution(&first[1..]));
        // A queen beyond any edge, and two in each kind of line.
        for (row, column) in [(0, 200), (31, first[0]), (1, first[0] + 1), (31, 31)] {
            let mut other = first.clone();
            other[row] = column;
            assert_eq!(solutions.is_solution(&other), other == first, "{row} {column}");
        }
    }

    #[test]
    fn all_solutions_in_order_and_one_of_each_class_is_the_smallest() {
        for n in 1..=12 {
            let all = all(n);
            assert_eq!(Some(all.len() as u128), known::solutions(n), "n = {n}");
            let count = Solutions::new(n).unwrap().count(&[]);
            assert_eq!(count, all.len() as u64, "n = {n}");
            assert!(all.is_sorted_by(|a, b| a < b));
            let classes = all.iter().filter(|columns| is_smallest_image(columns)).count();
            assert_eq!(Some(classes as u128), known::classes(n), "n = {n}");
            for columns in all {
                let columns: Vec<u32> = columns.into_iter().map(u32::from).collect();
                assert_eq!(crate::place::check(&columns), Ok(()));
            }
        }
    }

    #[test]
    fn placed_queens_and_closed_squares_leave_the_solutions_that_respect_them() {
        for (n, placed, blocked) in
            [(8, "c1", ""), (8, "", "a8 h5"), (9, "b9 e4", "a1"), (6, "a1", ""), (5, "a1 a2", "")]
        {
            let board = board(n, placed, blocked);
            let open = board.open_rows();
            let fits = |columns: &Vec<u8>| columns.iter().zip(&open).all(|(c, o)| o >> c & 1 == 1);
            let expected: Vec<Vec<u8>> = all(n).into_iter().filter(fits).collect();
            let solutions = Solutions::on(&board);
            let prefixes = solutions.prefixes();
            let found: Vec<_> = prefixes.flat_map(|prefix| below(&solutions, &prefix)).collect();
            assert_eq!(found, expected, "{n}, {placed}, {blocked}");
            assert_eq!(solutions.count(&[]), expected.len() as u64);
        }
    }

    #[test]
    fn the_prefixes_together_hold_everything_in_order() {
        // Boards of 12 have prefixes of three rows.
        for n in (1..=9).chain([12]) {
            let whole = all(n);
            let solutions = Solutions::new(n).unwrap();
            let parts: Vec<_> = solutions.prefixes().flat_map(|p| below(&solutions, &p)).collect();
            assert_eq!(parts, whole, "n = {n}");
            let count: u64 = solutions.prefixes().map(|p| solutions.count(&p)).sum();
            assert_eq!(count, whole.len() as u64, "n = {n}");
        }
    }

    #[test]
    #[should_panic(expected = "a prefix of another board")]
    fn a_prefix_of_a_larger_board_is_refused() {
        let prefix = Solutions::new(9).unwrap().prefixes().last().unwrap();
        Solutions::new(8).unwrap().count(&prefix);
    }

    #[test]
    #[should_panic(expected = "a prefix of another board")]
    fn a_prefix_of_more_rows_than_are_searched_is_refused() {
        Solutions::new(8).unwrap().count(&[0; 8]);
    }

    #[test]
    fn a_listing_ends_when_its_caller_breaks() {
        let mut seen = 0;
        let flow = Solutions::new(8).unwrap().for_each(&[], &mut |_| {
            seen += 1;
            if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((flow, seen), (ControlFlow::Break(()), 3));
    }
}

#[cfg(test)]
mod placements_tests {
    use super::*;
    use crate::board::board;
    use crate::solutions::tests::below;

    #[test]
    fn the_iterator_and_for_each_list_the_same_solutions() {
        let plain = (1..=9).map(|n| board(n, "", ""));
        for board in plain.chain([board(8, "c1", "a8"), board(5, "a1 b2", "")]) {
            let expected = below(&Solutions::on(&board), &[]);
            let found = Placements::new(Solutions::on(&board));
            let columns =
                |placement: Placement| placement.columns().iter().map(|&c| c as u8).collect();
            let found: Vec<Vec<u8>> = found.map(columns).collect();
            assert_eq!(found, expected, "{board:?}");
        }
    }
}
