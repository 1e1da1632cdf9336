//! A sudoku solver too simple to be wrong: tries every digit in the first blank cell and looks at
//! rows, columns and boxes cell by cell. It shares no code with the library.

/// The number of solutions of 81 characters, blanks as `.`, up to `limit`.
pub fn count(puzzle: &str, limit: u64) -> u64 {
    let mut cells: Vec<u8> =
        puzzle.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    assert_eq!(cells.len(), 81);
    for cell in 0..81 {
        let digit = std::mem::take(&mut cells[cell]);
        if digit != 0 && !fits(&cells, cell, digit) {
            return 0;
        }
        cells[cell] = digit;
    }
    descend(&mut cells, limit)
}

fn descend(cells: &mut [u8], limit: u64) -> u64 {
    let Some(cell) = cells.iter().position(|&digit| digit == 0) else { return 1 };
    let mut found = 0;
    for digit in 1..=9 {
        if found < limit && fits(cells, cell, digit) {
            cells[cell] = digit;
            found += descend(cells, limit - found);
            cells[cell] = 0;
        }
    }
    found
}

/// Whether no other cell of the row, column and box holds `digit`.
fn fits(cells: &[u8], cell: usize, digit: u8) -> bool {
    let (row, column) = (cell / 9, cell % 9);
    (0..9).all(|i| {
        let in_box = (row / 3 * 3 + i / 3) * 9 + column / 3 * 3 + i % 3;
        cells[row * 9 + i] != digit && cells[i * 9 + column] != digit && cells[in_box] != digit
    })
}

/// Whether `solution` is complete, valid and keeps the givens of `puzzle`.
pub fn solves(puzzle: &str, solution: &str) -> bool {
    let keeps =
        puzzle.bytes().zip(solution.bytes()).all(|(given, cell)| given == b'.' || given == cell);
    keeps && solution.len() == 81 && !solution.contains('.') && count(solution, 2) == 1
}
