//! The solutions of a board as an iterator: the search of [`for_each`](super::Solutions::for_each), a step at a time.

use super::Solutions;
use super::tails::unpack;
use crate::attacks::Attacks;
use crate::place::Placement;

/// Every solution of a board, in lexicographic order of its columns. Constant memory.
#[derive(Debug)]
pub struct Placements {
    solutions: Solutions,
    /// The rows that the search has reached, from the top: the attacks on each one, and its squares still to be tried.
    rows: Vec<(Attacks, u64)>,
    columns: Vec<u8>,
    /// The tails below the searched rows as they are filled, the next one last.
    tails: Vec<u32>,
}

impl Placements {
    /// The solutions that the tables of `solutions` list.
    pub(crate) fn new(solutions: Solutions) -> Self {
        let columns = vec![0; solutions.n as usize];
        let mut placements = Self { solutions, rows: Vec::new(), columns, tails: Vec::new() };
        placements.descend(Attacks::default());
        placements
    }

    /// Begins the next row, given the attacks on it. If all searched rows are filled, looks up the tails instead.
    fn descend(&mut self, attacks: Attacks) {
        let row = self.rows.len();
        if row == self.solutions.searched_rows() {
            self.solutions.tails.for_each(attacks, |tail| self.tails.push(tail));
            self.tails.reverse();
        } else {
            self.rows.push((attacks, attacks.free(self.solutions.rows.open[row])));
        }
    }

    /// The searched rows with the next tail whose queens stand on open squares; `None` if no tail is left.
    fn next_tail(&mut self) -> Option<Placement> {
        let searched = self.solutions.searched_rows();
        while let Some(tail) = self.tails.pop() {
            unpack(tail, &mut self.columns[searched..]);
            if self.solutions.rows.allow(searched, &self.columns[searched..]) {
                return Some(Placement::new(
                    self.columns.iter().map(|&column| column.into()).collect(),
                ));
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
            let row = self.rows.len().checked_sub(1)?;
            let (attacks, untried) = &mut self.rows[row];
            // Every square of this row has been tried: back to the row above.
            if *untried == 0 {
                self.rows.pop();
                continue;
            }
            let square = *untried & untried.wrapping_neg();
            *untried ^= square;
            let below = attacks.place(square);
            self.columns[row] = square.trailing_zeros() as u8;
            self.descend(below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::solutions::Prefix;
    use crate::solutions::tests::below;

    #[test]
    fn the_iterator_and_for_each_list_the_same_solutions() {
        let closed = Board::with(8, &["c1".parse().unwrap()], &["a8".parse().unwrap()]);
        let attacking = Board::with(5, &["a1".parse().unwrap(), "b2".parse().unwrap()], &[]);
        let plain = (1..=9).map(Board::new);
        for board in plain.chain([closed, attacking]).map(Result::unwrap) {
            let expected = below(&Solutions::on(&board), &Prefix::default());
            let found = Placements::new(Solutions::on(&board));
            let columns =
                |placement: Placement| placement.columns().iter().map(|&c| c as u8).collect();
            let found: Vec<Vec<u8>> = found.map(columns).collect();
            assert_eq!(found, expected, "{board:?}");
        }
    }
}
