//! The sizes of grids, and their boxes.

use crate::cell::Cell;
use crate::error::Error;

/// The side of a grid, which is also the number of its values: 4, 6, 8, 9, 12 or 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size(u8);

impl Size {
    /// All sizes, ascending.
    pub const ALL: [Self; 6] = [Self(4), Self(6), Self(8), Self(9), Self(12), Self(16)];

    /// The size with this side.
    ///
    /// # Errors
    /// [`Error::Size`] if no grid has it.
    pub fn new(side: usize) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|size| size.side() == side).ok_or(Error::Size(side))
    }

    /// Cells of a row, and values.
    pub fn side(self) -> usize {
        self.0.into()
    }

    /// Cells of the grid.
    pub fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// The rows and the columns of a box, as in printed puzzles: 2 × 2, 2 × 3, 2 × 4, 3 × 3, 3 × 4, 4 × 4.
    pub fn box_shape(self) -> (usize, usize) {
        match self.0 {
            4 => (2, 2),
            6 => (2, 3),
            8 => (2, 4),
            9 => (3, 3),
            12 => (3, 4),
            _ => (4, 4),
        }
    }

    /// The number of the box that has a cell, from 0 in reading order.
    pub fn box_of(self, cell: usize) -> usize {
        let (rows, columns) = self.box_shape();
        let boxes_in_a_row = self.side() / columns;
        let row = cell / self.side();
        let column = cell % self.side();
        row / rows * boxes_in_a_row + column / columns
    }

    /// The set of all values: bit 0 stands for the value 1.
    pub fn all_values(self) -> u16 {
        u16::MAX >> (16 - self.0)
    }

    /// The number of a cell in reading order, from 0; `None` if it is outside of the grid.
    pub fn index(self, cell: Cell) -> Option<usize> {
        let row = cell.row().checked_sub(1)?;
        let column = cell.column().checked_sub(1)?;
        let is_inside = row < self.side() && column < self.side();
        is_inside.then_some(row * self.side() + column)
    }

    /// The cell with this number in reading order, from 0.
    pub fn cell(self, index: usize) -> Cell {
        Cell::new(index / self.side() + 1, index % self.side() + 1)
    }

    /// The cells that share a side with a cell: those at the left, at the right, above and below, as far as there are.
    pub(crate) fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        let side = self.side();
        let column = cell % side;
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < side).then_some(cell + 1);
        let above = cell.checked_sub(side);
        let below = (cell + side < self.cells()).then_some(cell + side);
        [left, right, above, below].into_iter().flatten()
    }
}

/// The value that a set holds, or the least of several: bit 0 is value 1.
pub(crate) fn least_value(set: u16) -> u8 {
    set.trailing_zeros() as u8 + 1
}

/// The character of a value from 1: `1` to `9`, then `A` to `G`.
pub fn value_to_char(value: u8) -> char {
    char::from_digit(value.into(), 17).unwrap_or('?').to_ascii_uppercase()
}

/// The value from 1 that a character stands for; `None` if it is no value of this size.
pub fn char_to_value(size: Size, character: char) -> Option<u8> {
    let value = character.to_digit(17)?;
    let is_value = value >= 1 && value as usize <= size.side();
    is_value.then_some(value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_has_its_boxes_and_values() {
        for size in Size::ALL {
            let (rows, columns) = size.box_shape();
            assert_eq!(rows * columns, size.side());
            assert_eq!(size.all_values().count_ones() as usize, size.side());
            for number in 0..size.side() {
                let cells = (0..size.cells()).filter(|&cell| size.box_of(cell) == number);
                assert_eq!(cells.count(), size.side());
            }
        }
        for side in [0, 3, 5, 7, 10, 17] {
            assert_eq!(Size::new(side), Err(Error::Size(side)));
        }
    }

    #[test]
    fn values_are_written_and_read_alike() {
        let sixteen = Size::new(16).unwrap();
        for value in 1..=16 {
            assert_eq!(char_to_value(sixteen, value_to_char(value)), Some(value));
        }
        assert_eq!(value_to_char(16), 'G');
        assert_eq!(char_to_value(Size::new(6).unwrap(), '7'), None);
        assert_eq!(char_to_value(sixteen, '0'), None);
    }
}
