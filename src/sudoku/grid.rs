//! A 9 × 9 grid: a digit or a blank in each cell.

use std::fmt;
use std::str::FromStr;

use super::line::{LineError, parse_line};

/// The number of cells.
pub const CELLS: usize = 81;

/// A sudoku grid, row by row from the top left; 0 is a blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid([u8; CELLS]);

impl Grid {
    /// The grid with these cells; `None` if a value is over 9.
    pub fn new(cells: [u8; CELLS]) -> Option<Self> {
        cells.iter().all(|&cell| cell <= 9).then_some(Self(cells))
    }

    /// The cells, row by row; 0 is a blank.
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The number of cells that hold a digit.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&cell| cell != 0).count()
    }

    /// The grid as 81 characters, blanks as `.`.
    pub fn to_bytes(&self) -> [u8; CELLS] {
        self.0.map(|cell| if cell == 0 { b'.' } else { b'0' + cell })
    }
}

impl Default for Grid {
    /// The empty grid.
    fn default() -> Self {
        Self([0; CELLS])
    }
}

impl FromStr for Grid {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        parse_line(text.as_bytes())
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.to_bytes().iter().try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}
