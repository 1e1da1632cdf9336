//! Cells of a 9 × 9 grid and the houses they share, by the names that people use.

use std::fmt;
use std::str::FromStr;

use super::components::PEERS;
use super::single::state::GridState;
use super::{CELLS, Grid};

/// A cell. Its name `r4c5` says: row 4 from the top, column 5 from the left.
///
/// ```
/// use tallyboard_sudoku::Cell;
///
/// let cell: Cell = "r4c5".parse()?;
/// assert_eq!((cell.row(), cell.column(), cell.index()), (3, 4, 31));
/// assert!("r0c5".parse::<Cell>().is_err());
/// # Ok::<(), tallyboard_sudoku::CellError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// A text that names no cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the cell `{found}`, expected a row and a column from 1 to 9, like r4c5")]
pub struct CellError {
    /// The text.
    pub found: String,
}

impl Cell {
    /// The cell of this number in reading order, from 0.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(index: usize) -> Self {
        assert!(index < CELLS, "a grid has {CELLS} cells");
        Self(index as u8)
    }

    /// Every cell in reading order.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..CELLS).map(Self::new)
    }

    /// Its number in reading order, from 0.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its row, from 0 at the top.
    pub fn row(self) -> usize {
        self.index() / 9
    }

    /// Its column, from 0 at the left.
    pub fn column(self) -> usize {
        self.index() % 9
    }

    /// Its row, its column and its box.
    pub fn houses(self) -> [House; 3] {
        GridState::HOUSES[self.index()].map(|house| House(house as u8))
    }

    /// The other cells of its houses, in reading order.
    pub fn peers(self) -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(move |peer| PEERS[self.index()] >> peer.index() & 1 != 0)
    }

    /// The first house that it shares with another cell: the row, or else the column, or else the box.
    pub fn shared_house(self, other: Self) -> Option<House> {
        self.houses().into_iter().find(|house| self != other && other.houses().contains(house))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(name: &str) -> Result<Self, CellError> {
        if let &[b'r' | b'R', row @ b'1'..=b'9', b'c' | b'C', column @ b'1'..=b'9'] =
            name.as_bytes()
        {
            return Ok(Self(9 * (row - b'1') + column - b'1'));
        }
        Err(CellError { found: name.to_owned() })
    }
}

/// A row, a column or a box. Boxes are counted in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct House(u8);

impl House {
    /// The rows, then the columns, then the boxes.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..27).map(Self)
    }

    /// Its cells in reading order.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        let number = usize::from(self.0 % 9);
        // The index of the first cell; how far the next cell is within a third of the house, and how far the next third.
        let (first, next_cell, next_third) = match self.0 / 9 {
            0 => (9 * number, 1, 3),
            1 => (number, 9, 27),
            _ => (27 * (number / 3) + 3 * (number % 3), 1, 9),
        };
        (0..9).map(move |at| Cell::new(first + at % 3 * next_cell + at / 3 * next_third))
    }

    /// What kind of house it is: row, column or box.
    pub fn kind(self) -> &'static str {
        ["row", "column", "box"][usize::from(self.0 / 9)]
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.0 % 9 + 1)
    }
}

impl Grid {
    /// The first two cells with the same digit in one house, if there are any.
    #[doc(hidden)]
    pub fn clash(&self) -> Option<(Cell, Cell, House)> {
        for first in Cell::all().filter(|cell| self.cells()[cell.index()] != 0) {
            let digit = self.cells()[first.index()];
            let mut later_peers = first.peers().filter(|&peer| peer > first);
            if let Some(second) = later_peers.find(|peer| self.cells()[peer.index()] == digit) {
                return Some((first, second, first.shared_house(second)?));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cells_agree() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(cell.to_string().to_uppercase().parse(), Ok(cell));
        }
        for wrong in ["", "r1", "r0c1", "r1c0", "c1r1", "r10c1", "r1c1 ", "5", "ré"] {
            assert_eq!(wrong.parse::<Cell>(), Err(CellError { found: wrong.to_owned() }));
        }
    }

    #[test]
    fn two_equal_digits_in_a_house_clash() {
        let grid = |digits: &[(usize, u8)]| {
            let mut cells = [0; CELLS];
            digits.iter().for_each(|&(cell, digit)| cells[cell] = digit);
            Grid::new(cells)
                .unwrap()
                .clash()
                .map(|(first, second, _)| (first.index(), second.index()))
        };
        assert_eq!(grid(&[(0, 5), (12, 5), (80, 3), (79, 4)]), None);
        assert_eq!(grid(&[(0, 5), (12, 5), (20, 5)]), Some((0, 20)));
        assert_eq!(grid(&[(7, 5), (79, 5)]), Some((7, 79)));
    }

    #[test]
    fn houses_have_nine_cells_and_know_them() {
        for house in House::all() {
            let cells: Vec<Cell> = house.cells().collect();
            assert_eq!(cells.len(), 9);
            assert!(cells.is_sorted());
            assert!(cells.iter().all(|cell| cell.houses().contains(&house)));
        }
        let cell = |name: &str| name.parse::<Cell>().unwrap();
        let names = cell("r5c2").houses().map(|house| house.to_string());
        assert_eq!(names, ["row 5", "column 2", "box 4"]);
        let shared = |a, b| cell(a).shared_house(cell(b)).map(|house| house.to_string());
        assert_eq!(shared("r1c1", "r2c2").as_deref(), Some("box 1"));
        assert_eq!(shared("r1c1", "r1c2").as_deref(), Some("row 1"));
        assert_eq!((shared("r1c1", "r4c4"), shared("r1c1", "r1c1")), (None, None));
    }
}
