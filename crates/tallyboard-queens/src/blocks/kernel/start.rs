//! What a kernel completes: the rows that still need a queen, and their open squares.

/// Upper bound on the rows of a start.
pub const MAX_ROWS: usize = 32;

/// Upper bound on the rows ahead at which a kernel looks: it shifts by the sum of at most this many successive
/// gaps.
pub(super) const MAX_ROWS_AHEAD: usize = 3;

/// A board with some lines filled, seen from one side.
///
/// `k` rows and `k` columns still need a queen. The rows are listed in the order in which the kernel fills
/// them, each with the distance to the next one, as there may be filled rows between them. Attacked and
/// closed squares are not in `open`, so a kernel has to keep track of its own queens only.
///
/// ```text
///   row   gap  open               . open   # attacked or closed
///    2     1   # . . # . .
///    3     3   . . # . . #        the next row of this start is 3 further on
///    6     -   # . . . # .
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    rows: usize,
    gap: [u32; MAX_ROWS],
    open: [u32; MAX_ROWS],
    columns: u32,
    /// The largest sum of [`MAX_ROWS_AHEAD`] successive gaps.
    reach: u32,
}

impl Start {
    /// A start from its rows, each with its position on the board and its open squares (bit =
    /// column), in ascending or descending order of position. `columns` are those without a queen,
    /// as many as there are rows. The leftmost of them becomes column 0.
    pub fn new(columns: u32, rows: impl ExactSizeIterator<Item = (u32, u32)>) -> Self {
        debug_assert_eq!(columns.count_ones() as usize, rows.len());
        let shift = columns.trailing_zeros().min(31);
        let columns = columns >> shift;
        let mut start =
            Self { rows: 0, gap: [0; MAX_ROWS], open: [0; MAX_ROWS], columns, reach: 0 };
        let mut previous = None;
        for (index, (position, open)) in rows.enumerate() {
            if let Some(previous) = previous {
                start.gap[index - 1] = position.abs_diff(previous);
            }
            start.open[index] = (open >> shift) & columns;
            start.rows += 1;
            previous = Some(position);
        }
        let reaches = start.gap.windows(MAX_ROWS_AHEAD).map(|gaps| gaps.iter().sum());
        start.reach = reaches.max().unwrap_or(0);
        start
    }

    /// The number of rows, and of columns, that need a queen.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The distance from row `index` to the next one of this start.
    pub fn gap(&self, index: usize) -> u32 {
        self.gap[index]
    }

    /// The open squares of row `index`.
    pub fn open(&self, index: usize) -> u32 {
        self.open[index]
    }

    /// The columns without a queen; bit 0 is the first of them.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Whether all columns fit into 16 bits and a kernel never shifts by 16 or more.
    pub fn fits_16_bits(&self) -> bool {
        self.columns >> 16 == 0 && self.reach < 16
    }
}
