//! Every solution of a plain board, in lexicographic order of its columns.
//!
//! The rows are searched from the top with bitmasks, columns from the left; the last few rows come
//! from a table instead. The first rows split the search into ordered [`Prefix`]es, which
//! [`write()`] lists on many threads and writes in order.

mod images;
mod prefix;
mod sample;
mod tails;
mod write;

use std::ops::ControlFlow;

use super::{Board, BoardError};
use tails::Tails;

pub use images::is_smallest_image;
pub use prefix::{Prefix, Prefixes};
pub use sample::{Distribution, sample};
pub use write::{Listing, Wanted, WriteError, write};

/// The solutions of an n x n board, ready to be gone through.
///
/// ```
/// use std::ops::ControlFlow;
/// use tallyboard::queens::solutions::{Prefix, Solutions};
///
/// let solutions = Solutions::new(4)?;
/// let mut all = Vec::new();
/// let _ = solutions.each(&Prefix::default(), &mut |columns| {
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
}

impl Solutions {
    /// Prepares the tables: milliseconds, and at most some 30 MB.
    ///
    /// # Errors
    /// If there is no [`Board`] of this size.
    pub fn new(n: u32) -> Result<Self, BoardError> {
        Board::plain(n)?;
        Ok(Solutions { n, tails: Tails::new(n) })
    }

    /// Board size.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Calls `found` with the columns of every solution that begins with `prefix`, in lexicographic
    /// order, until it breaks off. Constant memory.
    ///
    /// # Panics
    /// If the prefix is none of this board: too long, or with a column past the edge.
    pub fn each<F>(&self, prefix: &Prefix, found: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&[u8]) -> ControlFlow<()>,
    {
        self.each_while(prefix, || true, found)
    }

    /// [`each`](Self::each), which also breaks off soon after `wanted` says no, however far apart
    /// the solutions are.
    fn each_while<F>(
        &self,
        prefix: &Prefix,
        wanted: impl Fn() -> bool,
        found: &mut F,
    ) -> ControlFlow<()>
    where
        F: FnMut(&[u8]) -> ControlFlow<()>,
    {
        // A prefix that reaches into the rows of the table picks among its tails.
        let picks = prefix.columns().len() > self.searched_rows();
        self.each_end(prefix, &mut |columns, state| {
            if !wanted() {
                return ControlFlow::Break(());
            }
            let mut flow = ControlFlow::Continue(());
            self.tails.each(state.columns, state.left, state.right, |tail| {
                if flow.is_continue() {
                    self.tails.unpack(tail, &mut columns[self.searched_rows()..]);
                    if !picks || columns.starts_with(prefix.columns()) {
                        flow = found(columns);
                    }
                }
            });
            flow
        })
    }

    /// How many solutions begin with `prefix`; several times as fast as going through them.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    pub fn count(&self, prefix: &Prefix) -> u64 {
        let mut count = 0;
        let _ = self.count_each(prefix, &mut |more| {
            count += more;
            ControlFlow::Continue(())
        });
        count
    }

    /// The same in many small parts, until `counted` breaks off. Parts may be 0.
    fn count_each<F>(&self, prefix: &Prefix, counted: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64) -> ControlFlow<()>,
    {
        if prefix.columns().len() > self.searched_rows() {
            return self.each(prefix, &mut |_| counted(1));
        }
        self.each_end(prefix, &mut |_, state| {
            counted(self.tails.count(state.columns, state.left, state.right))
        })
    }

    /// Rows that are searched; a table holds the rest.
    fn searched_rows(&self) -> usize {
        (self.n - self.tails.rows()) as usize
    }

    /// Calls `end` with every way to fill the searched rows that begins like `prefix`, and what it
    /// leaves of the row after them.
    fn each_end<F>(&self, prefix: &Prefix, end: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut [u8], State) -> ControlFlow<()>,
    {
        let prefix = prefix.columns();
        let on_board = prefix.iter().all(|&column| u32::from(column) < self.n);
        assert!(prefix.len() <= self.n as usize && on_board, "a prefix of another board");
        let rows = self.searched_rows();
        let begin = &prefix[..prefix.len().min(rows)];
        let mut columns = [0; 32];
        let columns = &mut columns[..self.n as usize];
        columns[..begin.len()].copy_from_slice(begin);
        fill(columns, begin.len(), rows, State::after(self.n, begin), end)
    }
}

/// Fills the rows from `row` up to `rows` in every way.
fn fill<F>(
    columns: &mut [u8],
    row: usize,
    rows: usize,
    state: State,
    end: &mut F,
) -> ControlFlow<()>
where
    F: FnMut(&mut [u8], State) -> ControlFlow<()>,
{
    if row == rows {
        return end(columns, state);
    }
    let mut free = state.free();
    while free != 0 {
        let square = free & free.wrapping_neg();
        free ^= square;
        columns[row] = square.trailing_zeros() as u8;
        let next = state.place(square);
        if next.free() != 0 || row + 1 == columns.len() {
            fill(columns, row + 1, rows, next, end)?;
        }
    }
    ControlFlow::Continue(())
}

/// Which squares of the next row are open.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Columns without a queen.
    columns: u32,
    /// Squares attacked along diagonals that go one column to the left a row.
    left: u32,
    /// The same to the right. Bits past the board come and go; `columns` hides them.
    right: u32,
}

impl State {
    fn after(n: u32, columns: &[u8]) -> Self {
        let empty = State { columns: ((1u64 << n) - 1) as u32, left: 0, right: 0 };
        columns.iter().fold(empty, |state, &column| state.place(1 << column))
    }

    #[inline]
    fn free(self) -> u32 {
        self.columns & !(self.left | self.right)
    }

    #[inline]
    fn place(self, square: u32) -> Self {
        State {
            columns: self.columns ^ square,
            left: (self.left | square) >> 1,
            right: (self.right | square) << 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::known;

    fn all(n: u32, prefix: &Prefix) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let _ = Solutions::new(n).unwrap().each(prefix, &mut |columns| {
            all.push(columns.to_vec());
            ControlFlow::Continue(())
        });
        all
    }

    #[test]
    fn all_solutions_in_order() {
        for n in 1..=10 {
            let all = all(n, &Prefix::default());
            assert_eq!(Some(all.len() as u128), known::solutions(n), "n = {n}");
            assert!(all.is_sorted_by(|a, b| a < b));
            for columns in all {
                let columns: Vec<u32> = columns.into_iter().map(u32::from).collect();
                assert_eq!(crate::queens::place::check(&columns), Ok(()));
            }
        }
    }

    #[test]
    fn counting_agrees_with_the_known_counts() {
        for n in 1..=12 {
            let count = Solutions::new(n).unwrap().count(&Prefix::default());
            assert_eq!(Some(u128::from(count)), known::solutions(n), "n = {n}");
        }
    }

    #[test]
    fn the_prefixes_together_hold_everything_in_order() {
        for n in [1, 4, 6, 9] {
            let whole = all(n, &Prefix::default());
            let solutions = Solutions::new(n).unwrap();
            for rows in 0..=n {
                let parts: Vec<_> = Prefixes::new(n, rows).flat_map(|p| all(n, &p)).collect();
                assert_eq!(parts, whole, "n = {n}, {rows} rows");
                let count: u64 = Prefixes::new(n, rows).map(|p| solutions.count(&p)).sum();
                assert_eq!(count, whole.len() as u64, "n = {n}, {rows} rows");
            }
        }
    }

    #[test]
    #[should_panic(expected = "a prefix of another board")]
    fn a_prefix_of_a_larger_board_is_refused() {
        let prefix = Prefixes::new(9, 1).last().unwrap();
        Solutions::new(8).unwrap().count(&prefix);
    }

    #[test]
    fn it_stops_when_told() {
        let mut seen = 0;
        let flow = Solutions::new(8).unwrap().each(&Prefix::default(), &mut |_| {
            seen += 1;
            if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((flow, seen), (ControlFlow::Break(()), 3));
    }
}
