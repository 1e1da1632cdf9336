//! The lines of boxes as sets of digits, and the partitions of nine digits into the lines of a box.

use crate::bands::partitions::PARTITION_COUNT;

/// A set of digits for each line (row or column) of a box: bit `LINE_BITS * line + digit`, both from 0.
pub type Lines = u32;
/// The bits of a line: one more than digits, into which adding [`ALL_LINES`] carries if the line has any.
pub const LINE_BITS: u32 = 10;
/// All digits in all lines.
pub const ALL_LINES: Lines = 0o777 | 0o777 << LINE_BITS | 0o777 << (2 * LINE_BITS);

/// The lines of every box, by band and stack, that may hold each digit.
#[derive(Debug, Clone, Copy)]
pub struct BoxLines {
    /// Their rows.
    pub rows: [[Lines; 3]; 3],
    /// Their columns.
    pub columns: [[Lines; 3]; 3],
}

/// A set of partitions, as bits.
pub type PartitionSet = [u64; PARTITION_COUNT.div_ceil(64)];
