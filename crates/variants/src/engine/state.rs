//! A node of the search: the cells that may hold each value.

use super::cells::Cells;

/// A set of clues, each of which has one of 256 bits.
pub(crate) type Due = [u64; 4];

/// The candidates of a grid, value by value, and what has to be looked at again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State<C, const VALUES: usize> {
    /// The cells that may hold each value.
    pub boards: [C; VALUES],
    /// For each value, the houses in which it has no cell of its own yet: bit `h` is house `h`.
    pub open: [u128; VALUES],
    /// The cells with one candidate, which their peers no longer have.
    pub placed: C,
    /// The cells whose relations are due.
    pub stale: C,
    /// The clues that are due.
    pub due: Due,
    /// The values whose houses are due: bit 0 is value 1.
    pub dirty: u16,
    /// The values whose locked candidates are due.
    pub unlocked: u16,
}

impl<C: Cells, const VALUES: usize> State<C, VALUES> {
    /// Takes `cells` away from the cells of a value.
    #[inline(always)]
    pub fn remove(&mut self, value: usize, cells: C) {
        let removed = self.boards[value] & cells;
        if !removed.is_empty() {
            self.boards[value] ^= removed;
            self.stale |= removed;
            self.dirty |= 1 << value;
        }
    }

    /// Takes from a cell all values that are not in the set `kept`.
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
