//! The board to fill: its size.

/// The largest board that the exact engines count.
pub const MAX_N: u32 = 32;

/// A board of n × n squares, to be filled with n queens that do not attack each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    n: u32,
}

/// A board that cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The size is out of range.
    #[error("found a board size of {found}, expected 1 to {MAX_N}")]
    Size {
        /// The size asked for.
        found: u32,
    },
}

impl Board {
    /// An empty board of `n` × `n` squares.
    ///
    /// # Errors
    /// [`BoardError::Size`] unless `n` is from 1 to [`MAX_N`].
    pub fn plain(n: u32) -> Result<Self, BoardError> {
        if (1..=MAX_N).contains(&n) { Ok(Self { n }) } else { Err(BoardError::Size { found: n }) }
    }

    /// The number of rows, of columns and of queens.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// A mask with the lowest n bits set: one bit a column.
    pub(crate) fn full(&self) -> u32 {
        u32::MAX >> (32 - self.n)
    }
}
