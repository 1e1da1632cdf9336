//! Positions whose queens were placed in any order, and the open squares of each row and column.

/// The board without its queens: its size and its closed squares, by row and by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub n: u32,
    closed_in_row: [u32; 32],
    closed_in_column: [u32; 32],
}

/// The lines that the queens on the board attack.
///
/// Diagonals are numbered by row + column, and by column - row and row - column, to which n - 1 is added so that
/// they are not negative. The last two number the same diagonals in opposite order: with both, a column can be
/// read in the same way as a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Position {
    rows: u32,
    columns: u32,
    sums: u64,
    column_minus_row: u64,
    row_minus_column: u64,
}

/// A row or a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowOrColumn {
    Row(u32),
    Column(u32),
}

impl RowOrColumn {
    /// The row and the column of its square number `index`, from 0.
    pub fn square(self, index: u32) -> (u32, u32) {
        match self {
            Self::Row(row) => (row, index),
            Self::Column(column) => (index, column),
        }
    }
}

impl Field {
    /// An n × n field without closed squares.
    pub fn new(n: u32) -> Self {
        Self { n, closed_in_row: [0; 32], closed_in_column: [0; 32] }
    }

    /// Closes a square.
    pub fn close(&mut self, row: u32, column: u32) {
        self.closed_in_row[row as usize] |= 1 << column;
        self.closed_in_column[column as usize] |= 1 << row;
    }

    /// One bit for each row or column.
    pub fn full(&self) -> u32 {
        u32::MAX >> (32 - self.n)
    }

    /// The rows that need a queen.
    pub fn rows_left(&self, position: &Position) -> u32 {
        self.full() & !position.rows
    }

    /// The columns that need a queen.
    pub fn columns_left(&self, position: &Position) -> u32 {
        self.full() & !position.columns
    }

    /// The columns of the squares in `row` that are neither attacked nor closed, given that no
    /// queen stands in that row.
    pub fn open_in_row(&self, position: &Position, row: u32) -> u32 {
        let attacked = (position.sums >> row) as u32
            | (position.column_minus_row >> (self.n - 1 - row)) as u32
            | position.columns;
        self.full() & !attacked & !self.closed_in_row[row as usize]
    }

    /// The rows of the squares in `column` that are neither attacked nor closed, given that no
    /// queen stands in that column.
    pub fn open_in_column(&self, position: &Position, column: u32) -> u32 {
        let attacked = (position.sums >> column) as u32
            | (position.row_minus_column >> (self.n - 1 - column)) as u32
            | position.rows;
        self.full() & !attacked & !self.closed_in_column[column as usize]
    }

    /// The position with one more queen, on an open square.
    pub fn place(&self, position: &Position, row: u32, column: u32) -> Position {
        let corner = self.n - 1;
        Position {
            rows: position.rows | 1 << row,
            columns: position.columns | 1 << column,
            sums: position.sums | 1 << (row + column),
            column_minus_row: position.column_minus_row | 1 << (column + corner - row),
            row_minus_column: position.row_minus_column | 1 << (row + corner - column),
        }
    }

    /// The position with one more queen; `None` if its square is attacked or closed.
    pub fn try_place(&self, position: &Position, row: u32, column: u32) -> Option<Position> {
        let free_row = self.rows_left(position) >> row & 1 == 1;
        let open = self.open_in_row(position, row) >> column & 1 == 1;
        (free_row && open).then(|| self.place(position, row, column))
    }

    /// Of the outermost rows and columns that still need a queen, the one with the fewest open squares, with these
    /// squares as bits. `None` on a full board.
    pub fn tightest_border(&self, position: &Position) -> Option<(RowOrColumn, u32)> {
        let rows = self.rows_left(position);
        let columns = self.columns_left(position);
        if rows == 0 {
            return None;
        }
        let outermost = |lines: u32| [lines.trailing_zeros(), 31 - lines.leading_zeros()];
        let rows =
            outermost(rows).map(|row| (RowOrColumn::Row(row), self.open_in_row(position, row)));
        let columns = outermost(columns)
            .map(|column| (RowOrColumn::Column(column), self.open_in_column(position, column)));
        rows.into_iter().chain(columns).min_by_key(|(_, open)| open.count_ones())
    }
}

// The state of a row-by-row search: the squares of the next row that the queens above attack.

/// The squares of the next row that queens above attack, along each kind of line: bit c for column c.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attacks {
    /// Columns that hold a queen.
    pub columns: u64,
    /// Squares on diagonals that run up to the right. One row further down the diagonal attacks the column
    /// to the left.
    pub rising: u64,
    /// Squares on diagonals that run down to the right. One row further down the diagonal attacks the column
    /// to the right.
    pub falling: u64,
}

impl Attacks {
    /// The attacks on the row after the first ones, each of which has a queen in one of `columns`.
    pub fn of(columns: impl IntoIterator<Item = u32>) -> Self {
        columns.into_iter().fold(Self::default(), |attacks, column| attacks.place(1 << column))
    }

    /// The squares of `open` that nothing attacks.
    #[inline]
    pub fn free(self, open: u64) -> u64 {
        open & !(self.columns | self.rising | self.falling)
    }

    /// The attacks on the row after this one, with a queen on `square` (a single bit) of this row. Bits of
    /// diagonals may move past the edge of the board, where no square is open.
    #[inline]
    pub fn place(self, square: u64) -> Self {
        Self {
            columns: self.columns | square,
            rising: (self.rising | square) >> 1,
            falling: (self.falling | square) << 1,
        }
    }
}

/// One bit for each of `n` columns, 1 to 64.
pub const fn full(n: u32) -> u64 {
    u64::MAX >> (64 - n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_agree_on_what_is_open() {
        let mut field = Field::new(7);
        field.close(2, 5);
        field.close(6, 0);
        let position = field.place(&field.place(&Position::default(), 0, 3), 4, 1);
        for row in [1, 2, 3, 5, 6] {
            for column in [0, 2, 4, 5, 6] {
                let in_row = field.open_in_row(&position, row) >> column & 1;
                let in_column = field.open_in_column(&position, column) >> row & 1;
                let attacked =
                    [(0, 3), (4, 1)].iter().any(|&(queen_row, queen_column): &(u32, u32)| {
                        queen_row.abs_diff(row) == queen_column.abs_diff(column)
                    });
                let closed = [(2, 5), (6, 0)].contains(&(row, column));
                assert_eq!(in_row, u32::from(!attacked && !closed), "row {row} column {column}");
                assert_eq!(in_row, in_column, "row {row} column {column}");
            }
        }
    }
}
