//! The grid: its sizes with their boxes and values.

pub(crate) use crate::cell::Cell;
use crate::error::Error;

/// The side of a grid, 3 to 16, which is also the number of its values, and its first value.
///
/// Values are counted from 1 everywhere but in the text and the rules: where the first value is 0, value 1 is written `0`, and
/// counts as 0 in sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    side: u8,
    first: u8,
}

impl Size {
    /// All sizes, ascending, with values from 1.
    pub const ALL: [Self; 14] = {
        let mut all = [Self { side: 3, first: 1 }; 14];
        let mut number = 0;
        while number < all.len() {
            all[number].side += number as u8;
            number += 1;
        }
        all
    };

    /// The size with this side.
    ///
    /// # Errors
    /// [`Error::Size`] if no grid has it.
    pub fn new(side: usize) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|size| size.side() == side).ok_or(Error::Size(side))
    }

    /// Cells of a row, and values.
    pub fn side(self) -> usize {
        self.side.into()
    }

    /// This size with another first value.
    ///
    /// # Errors
    /// [`Error::Values`] if there is no character for the last value, of which 16 is the greatest.
    pub fn with_first_value(self, first: u8) -> Result<Self, Error> {
        let size = Self { first, ..self };
        let most = 17 - self.side;
        if first <= most { Ok(size) } else { Err(Error::Values { found: first, most }) }
    }

    /// The first value, as it is written: usually 1.
    pub fn first_value(self) -> u32 {
        self.first.into()
    }

    /// The last value, as it is written.
    pub fn last_value(self) -> u32 {
        u32::from(self.first) + u32::from(self.side) - 1
    }

    /// All values, as they are written.
    pub(crate) fn values(self) -> impl Iterator<Item = u32> {
        self.first_value()..=self.last_value()
    }

    /// A value, counted from 1, as it is written.
    pub(crate) fn written(self, value: u8) -> u8 {
        value + self.first - 1
    }

    /// The character of a value, counted from 1: `1` to `9`, then `A` to `G` where the first one is 1.
    pub fn value_to_char(self, value: u8) -> char {
        value_to_char(self.written(value))
    }

    /// Cells of the grid.
    pub fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// The rows and the columns of a box, as in printed puzzles: 2 × 3 at side 6, 3 × 3 at 9. A side without such boxes, as 7,
    /// has 1 × 7, a row.
    pub fn box_shape(self) -> (usize, usize) {
        let side = self.side();
        let rows = (1..=side.isqrt()).rev().find(|&rows| side.is_multiple_of(rows)).unwrap_or(1);
        (rows, side / rows)
    }

    /// Whether this side has boxes of more than a row.
    pub fn has_boxes(self) -> bool {
        self.box_shape().0 > 1
    }

    /// The rows, and the columns too, from 0, in which the extra boxes of a windoku begin: a line apart. None if boxes are no squares.
    pub fn windows(self) -> Vec<usize> {
        let (rows, columns) = self.box_shape();
        let begins = (1..).step_by(rows + 1).take_while(|first| first + rows < self.side());
        if rows == columns { begins.collect() } else { Vec::new() }
    }

    /// The number of the box that has a cell, from 0 in reading order.
    pub fn box_of(self, cell: usize) -> usize {
        let (rows, columns) = self.box_shape();
        let boxes_in_a_row = self.side() / columns;
        let row = cell / self.side();
        let column = cell % self.side();
        row / rows * boxes_in_a_row + column / columns
    }

    /// The set of all values: bit 0 stands for the first one.
    pub fn all_values(self) -> u16 {
        u16::MAX >> (16 - self.side)
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

/// The character of a value as it is written: `0` to `9`, then `A` to `G`.
pub fn value_to_char(value: u8) -> char {
    char::from_digit(value.into(), 17).unwrap_or('?').to_ascii_uppercase()
}

/// The value, counted from 1, that a character stands for; `None` if it is no value of this size.
pub fn char_to_value(size: Size, character: char) -> Option<u8> {
    let value = (character.to_digit(17)? + 1).checked_sub(size.first_value())?;
    let is_value = value >= 1 && value as usize <= size.side();
    is_value.then_some(value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

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
        let shapes = [4, 6, 8, 9, 10, 12, 16].map(|side| Size::new(side).unwrap().box_shape());
        assert_eq!(shapes, [(2, 2), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4), (4, 4)]);
        assert!(!Size::new(7).unwrap().has_boxes() && Size::new(9).unwrap().has_boxes());
        for side in [0, 1, 2, 17, 25] {
            assert_eq!(Size::new(side), Err(Error::Size(side)));
        }
    }

    #[test]
    fn values_are_written_and_read_alike() {
        let sixteen = Size::new(16).unwrap();
        for value in 1..=16 {
            assert_eq!(char_to_value(sixteen, sixteen.value_to_char(value)), Some(value));
        }
        assert_eq!(sixteen.value_to_char(16), 'G');
        let from_zero = Size::new(9).unwrap().with_first_value(0).unwrap();
        assert_eq!((from_zero.value_to_char(1), from_zero.value_to_char(9)), ('0', '8'));
        assert_eq!(['0', '8', '9'].map(|c| char_to_value(from_zero, c)), [Some(1), Some(9), None]);
        assert_eq!(Size::new(9).unwrap().with_first_value(8).unwrap().value_to_char(9), 'G');
        let error = Error::Values { found: 9, most: 8 };
        assert_eq!(Size::new(9).unwrap().with_first_value(9), Err(error));
        assert_eq!(char_to_value(Size::new(6).unwrap(), '7'), None);
        assert_eq!(char_to_value(sixteen, '0'), None);
    }

    #[test]
    fn cells_are_written_as_they_are_read() {
        for (text, row, column) in [("r1c1", 1, 1), ("R9C4", 9, 4), ("r16c12", 16, 12)] {
            let cell: Cell = text.parse().unwrap();
            assert_eq!((cell.row(), cell.column()), (row, column));
            assert_eq!(cell.to_string(), text.to_lowercase());
        }
        for wrong in ["", "r1", "c1r1", "r1c", "rc1", "r-1c2", "r1c2x", "r1 c2", "1,2"] {
            assert_eq!(wrong.parse::<Cell>(), Err(Error::Cell(wrong.to_owned())), "{wrong}");
        }
    }
}
