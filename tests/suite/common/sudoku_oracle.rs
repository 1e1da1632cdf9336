//! A sudoku solver too simple to be wrong: in the first blank cell it tries every digit that the row, column and box do
//! not hold. It shares no code with the library.

/// The number of solutions of 81 characters, blanks as `.`, up to `limit`.
pub fn count(puzzle: &str, limit: u64) -> u64 {
    let cells: Vec<u8> =
        puzzle.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    assert_eq!(cells.len(), 81);
    let mut used = Used::default();
    let mut blanks = Vec::new();
    for (cell, &digit) in cells.iter().enumerate() {
        if digit == 0 {
            blanks.push(cell);
        } else if used.has(cell, digit) {
            return 0;
        } else {
            used.flip(cell, digit);
        }
    }
    descend(&blanks, &mut used, limit)
}

/// The number of ways to fill the `blanks`, up to `limit`.
fn descend(blanks: &[usize], used: &mut Used, limit: u64) -> u64 {
    let Some((&cell, further)) = blanks.split_first() else { return 1 };
    let mut found = 0;
    for digit in 1..=9 {
        if found < limit && !used.has(cell, digit) {
            used.flip(cell, digit);
            found += descend(further, used, limit - found);
            used.flip(cell, digit);
        }
    }
    found
}

/// The digits of each row, column and box, as bits.
#[derive(Default)]
struct Used {
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
}

impl Used {
    /// Whether the row, column or box of `cell` holds `digit`.
    fn has(&self, cell: usize, digit: u8) -> bool {
        let (row, column) = (cell / 9, cell % 9);
        let used = self.rows[row] | self.columns[column] | self.boxes[row / 3 * 3 + column / 3];
        used >> digit & 1 == 1
    }

    /// Puts `digit` into `cell`, or takes it out again.
    fn flip(&mut self, cell: usize, digit: u8) {
        let (row, column) = (cell / 9, cell % 9);
        self.rows[row] ^= 1 << digit;
        self.columns[column] ^= 1 << digit;
        self.boxes[row / 3 * 3 + column / 3] ^= 1 << digit;
    }
}

/// Whether `solution` is complete, valid and keeps the givens of `puzzle`.
pub fn solves(puzzle: &str, solution: &str) -> bool {
    let keeps =
        puzzle.bytes().zip(solution.bytes()).all(|(given, cell)| given == b'.' || given == cell);
    keeps && solution.len() == 81 && !solution.contains('.') && count(solution, 2) == 1
}
