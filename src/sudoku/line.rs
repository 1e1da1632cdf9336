//! One puzzle a line: 81 characters, then anything after a separator.

use super::grid::{CELLS, Grid};
use crate::plural::s;

/// Why a line is no puzzle: what was found, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Fewer than 81 cells.
    #[error("found {found} cell{}, expected 81", s(*found))]
    Short {
        /// The number of cells found.
        found: usize,
    },
    /// A further cell, or something glued to the last one.
    #[error(
        "found {found:?} right after the 81 cells, expected the end of the line or a separator"
    )]
    Long {
        /// The character found.
        found: char,
    },
    /// A character that is no cell.
    #[error("found {found:?} in column {column}, expected 1-9 or a blank (. 0 _ * - x X)")]
    Stray {
        /// The character found (the replacement character stands for bytes that are no UTF-8).
        found: char,
        /// Its column, from 1.
        column: usize,
    },
    /// A CSV record with more or fewer columns than its header.
    #[error("found {found} column{}, expected {expected} as in the header", s(*found))]
    Columns {
        /// The number of columns found.
        found: usize,
        /// The number of columns in the header.
        expected: usize,
    },
    /// A CSV record with a quote that is not closed.
    #[error("found a quoted column without its closing quote, expected it within 64 KiB")]
    OpenQuote,
    /// A line of a picture with more or fewer cells than nine.
    #[error("found {found} cell{} in this row of the grid, expected 9", s(*found))]
    PictureRow {
        /// The number of cells found.
        found: usize,
    },
    /// A picture that ends early.
    #[error("found a grid of {found} row{}, expected 9", s(*found))]
    PictureRows {
        /// The number of rows found.
        found: usize,
    },
    /// A line that is no JSON object with a puzzle.
    #[error("expected a JSON object with a string under \"puzzle\" or \"quiz\": {0}")]
    Json(String),
    /// A cell of a 4 × 4, 16 × 16 or 25 × 25 grid that is none.
    #[error("found {found:?} in cell {cell}, expected a value from 1 to {side} or a blank")]
    Value {
        /// The text of the cell.
        found: String,
        /// Its number in reading order, from 1.
        cell: usize,
        /// The largest value.
        side: usize,
    },
    /// More or fewer cells than a grid of another size than 9 × 9 has.
    #[error("found {found} cell{}, expected {expected}", s(*found))]
    Cells {
        /// The number of cells found.
        found: usize,
        /// The number of cells of the size.
        expected: usize,
    },
    /// The input states no solution of a puzzle that has one.
    #[error("no solution is stated here, found {found}")]
    Unstated {
        /// What was found.
        found: String,
    },
    /// The input states a solution that is not one.
    #[error("the solution stated here is {stated}, found {found}")]
    Disagrees {
        /// What the input states.
        stated: String,
        /// What was found.
        found: String,
    },
}

/// The digit of a cell character, 0 for a blank; `None` for any other character.
fn cell(byte: u8) -> Option<u8> {
    match byte {
        b'1'..=b'9' => Some(byte - b'0'),
        b'.' | b'0' | b'_' | b'*' | b'-' | b'x' | b'X' => Some(0),
        _ => None,
    }
}

/// Reads one puzzle from a line without its line break.
///
/// The first 81 characters are the cells. Text may follow after a separator (a blank, a tab, a
/// comma, a semicolon, a colon or `#`) and is ignored.
///
/// # Errors
/// [`LineError`] tells what was found and what was expected.
pub fn parse_line(line: &[u8]) -> Result<Grid, LineError> {
    let mut cells = [0; CELLS];
    for (index, target) in cells.iter_mut().enumerate() {
        let &byte = line.get(index).ok_or(LineError::Short { found: index })?;
        *target = cell(byte)
            .ok_or_else(|| LineError::Stray { found: char_at(line, index), column: index + 1 })?;
    }
    match line.get(CELLS) {
        None | Some(b' ' | b'\t' | b',' | b';' | b':' | b'#') => {}
        Some(_) => return Err(LineError::Long { found: char_at(line, CELLS) }),
    }
    Ok(Grid::new(cells).expect("every cell is a digit"))
}

/// The character that begins at `index`.
fn char_at(line: &[u8], index: usize) -> char {
    let end = line.len().min(index + 4);
    let text = String::from_utf8_lossy(&line[index..end]);
    text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_blank_is_read() {
        for blank in ".0_*-xX".chars() {
            let line = format!("1{}", blank.to_string().repeat(80));
            assert_eq!(parse_line(line.as_bytes()).unwrap().clues(), 1);
        }
    }

    #[test]
    fn text_after_a_separator_is_ignored() {
        let line = format!("{} # a note", ".".repeat(81));
        assert!(parse_line(line.as_bytes()).is_ok());
    }

    #[test]
    fn errors_say_what_was_found() {
        let parse = |text: String| parse_line(text.as_bytes()).unwrap_err();
        assert_eq!(parse(".".repeat(80)), LineError::Short { found: 80 });
        assert_eq!(parse(".".repeat(82)), LineError::Long { found: '.' });
        let stray = format!("..é{}", ".".repeat(78));
        assert_eq!(parse(stray), LineError::Stray { found: 'é', column: 3 });
    }
}
