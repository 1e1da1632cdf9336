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
    /// If the prefix leaves fewer rows than a table fills (at most half of the board).
    pub fn each<F>(&self, prefix: &Prefix, found: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&[u8]) -> ControlFlow<()>,
    {
        let mut columns = [0; 32];
        let columns = &mut columns[..self.n as usize];
        columns[..prefix.columns().len()].copy_from_slice(prefix.columns());
        let mut search = Search { solutions: self, columns, found };
        search.fill(prefix.columns().len(), State::after(self.n, prefix.columns()))
    }

    /// How many solutions begin with `prefix`; several times as fast as going through them.
    pub fn count(&self, prefix: &Prefix) -> u64 {
        let rows_left = self.n - prefix.columns().len() as u32;
        self.count_below(State::after(self.n, prefix.columns()), rows_left)
    }

    fn count_below(&self, state: State, rows_left: u32) -> u64 {
        if rows_left == self.tails.rows() {
            return self.tails.count(state.columns, state.left, state.right);
        }
        let mut free = state.free();
        let mut count = 0;
        while free != 0 {
            let square = free & free.wrapping_neg();
            free ^= square;
            let next = state.place(square);
            if next.free() != 0 || rows_left == 1 {
                count += self.count_below(next, rows_left - 1);
            }
        }
        count
    }
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

struct Search<'a, F> {
    solutions: &'a Solutions,
    columns: &'a mut [u8],
    found: &'a mut F,
}

impl<F: FnMut(&[u8]) -> ControlFlow<()>> Search<'_, F> {
    fn fill(&mut self, row: usize, state: State) -> ControlFlow<()> {
        if row + self.solutions.tails.rows() as usize == self.columns.len() {
            return self.finish(row, state);
        }
        let mut free = state.free();
        while free != 0 {
            let square = free & free.wrapping_neg();
            free ^= square;
            self.columns[row] = square.trailing_zeros() as u8;
            let next = state.place(square);
            if next.free() != 0 || row + 1 == self.columns.len() {
                self.fill(row + 1, next)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self, row: usize, state: State) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.solutions.tails.each(state.columns, state.left, state.right, |tail| {
            if flow.is_continue() {
                self.solutions.tails.unpack(tail, &mut self.columns[row..]);
                flow = (self.found)(self.columns);
            }
        });
        flow
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
            for rows in 0..=n / 2 {
                let parts: Vec<_> = Prefixes::new(n, rows).flat_map(|p| all(n, &p)).collect();
                assert_eq!(parts, all(n, &Prefix::default()), "n = {n}, {rows} rows");
            }
        }
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
