//! Compares the solution that a record states with the one found.

use super::Record;
use crate::sudoku::LineError;
use crate::sudoku::sized::{Notation, Size, SizedGrid};

/// What is wrong with the solution `stated`, if anything.
///
/// It is right if it solves the puzzle, even if it is not the only one; nothing is right where there
/// is none.
pub fn check(
    record: &Record,
    stated: &[u8],
    size: Size,
    notation: Option<Notation>,
) -> Option<LineError> {
    let grid = |text: &[u8]| size.parse(text, notation).ok();
    let right = match (record.count, record.solution) {
        (0, _) => stated.is_empty(),
        (_, Some(found)) if found == stated => true,
        _ => grid(record.puzzle)
            .zip(grid(stated))
            .is_some_and(|(puzzle, stated)| solves(&puzzle, &stated, size.side())),
    };
    let text = |bytes: &[u8]| match bytes {
        b"" => "none".to_owned(),
        _ => {
            String::from_utf8_lossy(&bytes[..bytes.len().min(2 * size.side().pow(2))]).into_owned()
        }
    };
    let found = record.solution.unwrap_or_default();
    (!right).then(|| LineError::Disagrees { stated: text(stated), found: text(found) })
}

/// Whether `stated` keeps what `puzzle` gives and has every value once in each row, column and box.
fn solves(puzzle: &SizedGrid, stated: &SizedGrid, side: usize) -> bool {
    let (puzzle, stated) = (puzzle.cells(), stated.cells());
    let root = side.isqrt();
    let mut seen = vec![0_u32; 3 * side];
    for (cell, (&given, &value)) in puzzle.iter().zip(stated).enumerate() {
        let (row, column) = (cell / side, cell % side);
        for unit in [row, side + column, 2 * side + row / root * root + column / root] {
            seen[unit] |= 1 << value;
        }
        if given != 0 && given != value {
            return false;
        }
    }
    let all = (1 << (side + 1)) - 2;
    seen.iter().all(|&values| values == all)
}
