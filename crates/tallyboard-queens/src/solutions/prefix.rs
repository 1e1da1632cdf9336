//! The ways to fill the first rows of a board, in order. As prefixes they split the list of solutions into ordered,
//! independent parts.

use crate::attacks::Attacks;

/// Every way to fill the first rows without an attack, in lexicographic order: the column of each row's queen, from 0.
/// Constant memory.
#[derive(Clone, Debug)]
pub struct Prefixes {
    /// The open squares of every row of the board.
    open: Vec<u64>,
    /// The number of rows to fill.
    rows: usize,
    /// The rows reached, from the top: the attacks on each one, and its squares still to be tried.
    levels: Vec<(Attacks, u64)>,
    /// The columns of the queens; those of the rows that are not filled mean nothing.
    pub(super) columns: Vec<u8>,
}

impl Prefixes {
    /// The prefixes of `rows` rows of a board with these `open` squares.
    pub(crate) fn new(open: Vec<u64>, rows: usize) -> Self {
        let columns = vec![0; open.len()];
        let levels = vec![(Attacks::default(), open[0])];
        Self { open, rows, levels, columns }
    }

    /// The prefixes of as many rows as `first` has, from `first` on. It must be one of them.
    pub(super) fn starting_at(open: Vec<u64>, first: &[u8]) -> Self {
        let mut prefixes = Self::new(open, first.len());
        first.iter().for_each(|&column| prefixes.place(column.into()));
        prefixes
    }

    /// The attacks of the next prefix on the row after it. The first of [`columns`](Self::columns) are then its own.
    pub(super) fn step(&mut self) -> Option<Attacks> {
        loop {
            let row = self.levels.len().checked_sub(1)?;
            let (attacks, untried) = self.levels[row];
            if row == self.rows {
                self.levels.pop();
                return Some(attacks);
            }
            if untried == 0 {
                // Every square of this row has been tried: back to the row above.
                self.levels.pop();
            } else {
                self.place(untried.trailing_zeros());
            }
        }
    }

    /// Places a queen in the last row reached. The squares left of it, and its own, are not tried again.
    fn place(&mut self, column: u32) {
        let row = self.levels.len() - 1;
        let (attacks, untried) = &mut self.levels[row];
        *untried &= u64::MAX << column << 1;
        let below = attacks.place(1 << column);
        self.columns[row] = column as u8;
        self.levels.push((below, self.open.get(row + 1).map_or(0, |&open| below.free(open))));
    }
}

impl Iterator for Prefixes {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.step().map(|_| self.columns[..self.rows].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    fn prefixes(n: u32, rows: usize) -> Prefixes {
        Prefixes::new(Board::new(n).unwrap().open_rows(), rows)
    }

    #[test]
    fn the_first_two_rows_of_four() {
        let prefixes: Vec<Vec<u8>> = prefixes(4, 2).collect();
        assert_eq!(prefixes, [[0, 2], [0, 3], [1, 3], [2, 0], [3, 0], [3, 1]]);
    }

    #[test]
    fn prefixes_can_start_at_any_of_them() {
        let open = Board::new(7).unwrap().open_rows();
        let all: Vec<Vec<u8>> = prefixes(7, 3).collect();
        for (index, first) in all.iter().enumerate() {
            assert!(Prefixes::starting_at(open.clone(), first).eq(all[index..].iter().cloned()));
        }
    }
}
