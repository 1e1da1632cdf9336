//! Prefixes: the ways to fill the first rows, which split the list of solutions into ordered, independent parts.

use super::OpenRows;
use crate::attacks::Attacks;

/// The columns of the first rows. The default, of no rows, stands for the whole board.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix(Vec<u8>);

impl Prefix {
    /// The column of each row's queen, from 0.
    pub fn columns(&self) -> &[u8] {
        &self.0
    }
}

/// Every way to fill the first rows without an attack, in lexicographic order. Constant memory.
#[derive(Clone, Debug)]
pub struct Prefixes {
    board: OpenRows,
    /// The number of rows to fill.
    rows: usize,
    /// The columns of the queens in the rows filled so far, then the first column to try in the row after them.
    columns: Vec<u8>,
    ended: bool,
}

impl Prefixes {
    pub(super) fn new(board: OpenRows, rows: u32) -> Self {
        Prefixes { board, rows: rows as usize, columns: vec![0], ended: false }
    }

    /// The prefixes of as many rows as `first` has, from `first` on. It must be one of them.
    pub(super) fn starting_at(self, first: &Prefix) -> Self {
        let columns = if first.0.is_empty() { vec![0] } else { first.0.clone() };
        Prefixes { rows: first.0.len(), columns, ..self }
    }
}

impl Iterator for Prefixes {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        if self.rows == 0 && !self.ended {
            self.ended = true;
            return Some(Prefix::default());
        }
        while !self.ended {
            let row = self.columns.len() - 1;
            let above = self.columns[..row].iter().map(|&column| column.into());
            let free = Attacks::of(above).free(self.board.open[row]) >> self.columns[row];
            if free != 0 {
                self.columns[row] += free.trailing_zeros() as u8;
                if self.columns.len() == self.rows {
                    let prefix = Prefix(self.columns.clone());
                    self.columns[row] += 1;
                    return Some(prefix);
                }
                self.columns.push(0);
            } else {
                self.columns.pop();
                match self.columns.last_mut() {
                    Some(above) => *above += 1,
                    None => self.ended = true,
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(n: u32, rows: u32) -> Prefixes {
        Prefixes::new(OpenRows::of(&crate::Board::new(n).unwrap()), rows)
    }

    #[test]
    fn the_first_two_rows_of_four() {
        let prefixes: Vec<Vec<u8>> = prefixes(4, 2).map(|prefix| prefix.0).collect();
        assert_eq!(prefixes, [[0, 2], [0, 3], [1, 3], [2, 0], [3, 0], [3, 1]]);
    }

    #[test]
    fn prefixes_can_start_at_any_of_them() {
        let all: Vec<Prefix> = prefixes(7, 3).collect();
        for (index, first) in all.iter().enumerate() {
            assert!(prefixes(7, 3).starting_at(first).eq(all[index..].iter().cloned()));
        }
    }
}
