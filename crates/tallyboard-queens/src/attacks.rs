//! The state of a row-by-row search: the squares of the next row that the queens above attack.

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
