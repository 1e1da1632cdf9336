//! Cells, which setters name by row and column: `r3c5`.

use std::fmt;

/// A cell: its row and its column, each from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    row: u8,
    column: u8,
}

impl Cell {
    /// The cell at a row and column, each from 1. Numbers above 255 become 255, which no grid has.
    pub fn new(row: usize, column: usize) -> Self {
        let narrow = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        Self { row: narrow(row), column: narrow(column) }
    }

    /// The cell of this name; `None` if it names none.
    pub fn parse(text: &str) -> Option<Self> {
        let (row, column) = text.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !is_number(row) || !is_number(column) {
            return None;
        }
        Some(Self::new(row.parse().ok()?, column.parse().ok()?))
    }

    /// The row, from 1.
    pub fn row(self) -> usize {
        self.row.into()
    }

    /// The column, from 1.
    pub fn column(self) -> usize {
        self.column.into()
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "r{}c{}", self.row, self.column)
    }
}
