//! The solutions of a board as an iterator: the search of [`for_each`](super::Solutions::for_each), a step at a time.

use super::tails::unpack;
use super::{Prefixes, Solutions};
use crate::place::Placement;

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
