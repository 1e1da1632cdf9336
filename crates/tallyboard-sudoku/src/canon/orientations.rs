//! A grid and its transpose, in the layouts that the search for canonical forms reads.

use crate::Grid;

/// The least pattern of a first row with the clues of each pattern: the numbers of clues in its boxes in order, each from the right.
/// Of two rows without equal digits, the one with the lesser pattern has the lesser text.
const LEAST_PATTERN: [u16; 512] = {
    let mut least = [0; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut right = [0, 1, 3, 7][(pattern & 7_usize).count_ones() as usize];
        let mut middle = [0, 1, 3, 7][(pattern >> 3 & 7).count_ones() as usize];
        let mut left = [0, 1, 3, 7][(pattern >> 6).count_ones() as usize];
        let mut round = 0;
        while round < 2 {
            if left > middle {
                (left, middle) = (middle, left);
            }
            if middle > right {
                (middle, right) = (right, middle);
            }
            round += 1;
        }
        least[pattern] = left << 6 | middle << 3 | right;
        pattern += 1;
    }
    least
};

/// A grid and its transpose: orientation 0 and 1.
pub(super) struct Orientations {
    /// The digits by orientation, row and column; 0 is a blank, and so are columns from 9 on.
    pub cells: [[[u8; 16]; 9]; 2],
    /// The digits by orientation, band and column: a word for each of the three rows, and an empty one.
    pub bands: [[[u64; 9]; 3]; 2],
    /// The columns with a clue, as bits, by orientation and row.
    pub patterns: [[u16; 9]; 2],
    /// The least pattern of each row in an image that begins with it, and the least of all these: an image that begins with
    /// another is not the least, unless there is a clash.
    pub least_patterns: [[u16; 9]; 2],
    pub least_pattern: u16,
    /// Rows without a clue, as bits.
    empty: [u16; 2],
    /// Whether a row or column has a digit twice. Then such digits have equal labels, so neither the least text of a
    /// row nor the order of two texts follows from keys alone: no row is rejected before its text is known.
    pub clash: bool,
}

impl Orientations {
    #[inline(always)]
    pub fn new(grid: &Grid) -> Self {
        let mut orientations = Self {
            cells: [[[0; 16]; 9]; 2],
            bands: [[[0; 9]; 3]; 2],
            patterns: [[0; 9]; 2],
            least_patterns: [[0; 9]; 2],
            least_pattern: u16::MAX,
            empty: [0; 2],
            clash: false,
        };
        // The digits of each row, and whether one of them is there twice in bit 0.
        let mut seen = [[0_u16; 9]; 2];
        let mut clash = 0;
        let (words, last) = grid.cells().as_chunks::<8>();
        for word in 0..=words.len() {
            let digits = if word < words.len() {
                u64::from_le_bytes(words[word])
            } else {
                u64::from(last[0])
            };
            // A digit and 127 make the highest bit of its byte.
            let mut clues = (digits + 0x7f7f_7f7f_7f7f_7f7f) & 0x8080_8080_8080_8080;
            while clues != 0 {
                let bit = clues.trailing_zeros() as usize;
                clues &= clues - 1;
                let digit = (digits >> (bit - 7) & 15) as u8;
                let cell = 8 * word + bit / 8;
                for (orientation, row, column) in [(0, cell / 9, cell % 9), (1, cell % 9, cell / 9)]
                {
                    orientations.cells[orientation][row][column] = digit;
                    orientations.bands[orientation][row / 3][column] |=
                        u64::from(digit) << (16 * (row % 3));
                    orientations.patterns[orientation][row] |= 1 << column;
                    clash |= seen[orientation][row] >> digit;
                    seen[orientation][row] |= 1 << digit;
                }
            }
        }
        orientations.clash = clash & 1 != 0;
        for orientation in 0..2 {
            for row in 0..9 {
                let pattern = orientations.patterns[orientation][row];
                orientations.empty[orientation] |= u16::from(pattern == 0) << row;
                let least = LEAST_PATTERN[usize::from(pattern & 0o777)];
                orientations.least_patterns[orientation][row] = least;
                orientations.least_pattern = orientations.least_pattern.min(least);
            }
        }
        orientations
    }

    /// The rows that may follow the rows `taken`, as bits. A band is finished before another begins. Of the empty rows of
    /// a band, and of several empty bands, only the first is tried.
    #[inline(always)]
    pub fn next_rows(&self, orientation: usize, taken: u16, last: u8) -> u16 {
        let begins_band = taken.count_ones().is_multiple_of(3);
        let mut rows = !taken & if begins_band { 0o777 } else { 7 << (last / 3 * 3) };
        let empty = self.empty[orientation] & rows;
        if empty != 0 {
            // An empty row in front of it in its band is tried.
            rows &= !(empty & (empty << 1 & 0o666 | empty << 2 & 0o444));
            if begins_band {
                let bands = empty & empty >> 1 & empty >> 2 & 0o111;
                // Removes all but the first.
                rows &= !(7 * (bands & bands.wrapping_sub(1)));
            }
        }
        rows
    }
}
