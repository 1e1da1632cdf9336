//! Compares the solution that a record states with the one found.

use super::Record;
use crate::sudoku::LineError;
use crate::sudoku::sized::{Notation, Size};

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
    let found = || text(record.solution.unwrap_or_default(), size);
    let grid = |text: &[u8]| size.parse(text, notation).ok();
    let right = match (record.count, record.solution) {
        (0, _) => stated.is_empty(),
        (_, Some(found)) if found == stated => true,
        _ if stated.is_empty() => return Some(LineError::Unstated { found: found() }),
        _ => grid(record.puzzle)
            .zip(grid(stated))
            .is_some_and(|(puzzle, stated)| stated.solves(&puzzle)),
    };
    (!right).then(|| LineError::Disagrees { stated: text(stated, size), found: found() })
}

fn text(cells: &[u8], size: Size) -> String {
    match &cells[..cells.len().min(2 * size.side().pow(2))] {
        b"" => "none".to_owned(),
        cells => String::from_utf8_lossy(cells).into_owned(),
    }
}
