//! A node of the search: the cells that may hold each value.

use super::cells::Cells;
use crate::wide::Set256;

/// The candidates of a grid, value by value, and the rules that are due: that have to be applied again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State<C, const VALUES: usize> {
    /// The cells that may hold each value.
    pub boards: [C; VALUES],
    /// For each value, the houses in which it is not placed: bit `h` is house `h`.
    pub open_houses: [u128; VALUES],
    /// The cells whose only candidate was removed from their peers.
    pub placed: C,
    /// The cells that lost candidates: their relations are due.
    pub changed: C,
    /// The clues that are due, numbered as in [`CompiledRules::clues_of`](super::compiled::CompiledRules::clues_of).
    pub due_clues: Set256,
    /// The values for which hidden singles are due: bit 0 is value 1.
    pub due_for_hidden: u16,
    /// The values for which locked candidates are due.
    pub due_for_locked: u16,
}

impl<C: Cells, const VALUES: usize> State<C, VALUES> {
    /// Removes a value from the candidates of `cells`.
    #[inline(always)]
    pub fn remove(&mut self, value: usize, cells: C) {
        let removed = self.boards[value] & cells;
        if !removed.is_empty() {
            self.boards[value] ^= removed;
            self.changed |= removed;
            self.due_for_hidden |= 1 << value;
        }
    }

    /// Removes from a cell all candidates that are not in `kept`.
    #[inline(always)]
    pub fn restrict(&mut self, cell: usize, kept: u16) {
        let cell = C::one(cell);
        for value in 0..VALUES {
            if kept >> value & 1 == 0 {
                self.remove(value, cell);
            }
        }
    }

    /// The candidates of a cell: bit 0 is value 1.
    #[inline(always)]
    pub fn candidates(&self, cell: usize) -> u16 {
        let mut candidates = 0;
        for value in 0..VALUES {
            candidates |= self.boards[value].bit(cell) << value;
        }
        candidates
    }
}
