//! A 9 × 9 grid: a digit or a blank in each cell, and the line of text that spells it.

use std::fmt;
use std::str::FromStr;

use super::error::LineError;

/// The number of cells.
pub const CELLS: usize = 81;

/// The six orders of three things: of bands, of stacks, of the rows in a band or the columns in a stack.
pub(super) const ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A sudoku grid, row by row from the top left; 0 is a blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid([u8; CELLS]);

impl Grid {
    /// The grid with these cells; `None` if a value is over 9.
    pub fn new(cells: [u8; CELLS]) -> Option<Self> {
        cells.iter().all(|&cell| cell <= 9).then_some(Self(cells))
    }

    /// The grid with these cells, none of which is over 9.
    pub(super) fn of_digits(cells: [u8; CELLS]) -> Self {
        debug_assert!(cells.iter().all(|&cell| cell <= 9));
        Self(cells)
    }

    /// The cells, row by row; 0 is a blank.
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The number of cells that hold a digit.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&cell| cell != 0).count()
    }

    /// The grid as 81 characters, blanks as `.`.
    pub fn to_bytes(&self) -> [u8; CELLS] {
        self.0.map(|cell| if cell == 0 { b'.' } else { b'0' + cell })
    }
}

impl Default for Grid {
    /// The empty grid.
    fn default() -> Self {
        Self([0; CELLS])
    }
}

impl FromStr for Grid {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        parse_line(text.as_bytes())
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.to_bytes().iter().try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

/// The digit of a cell character, 0 for a blank; `None` for any other character.
pub(crate) fn digit_of(byte: u8) -> Option<u8> {
    match byte {
        b'1'..=b'9' => Some(byte - b'0'),
        b'.' | b'0' | b'_' | b'*' | b'-' | b'x' | b'X' => Some(0),
        _ => None,
    }
}

/// Reads one puzzle from a line without its line break: the first 81 characters are the cells. Text may follow after a
/// separator (a space, a tab, a comma, a semicolon, a colon or `#`) and is ignored.
///
/// # Errors
/// [`LineError`] says what was found and what was expected.
pub fn parse_line(line: &[u8]) -> Result<Grid, LineError> {
    let mut cells = [0; CELLS];
    for (index, target) in cells.iter_mut().enumerate() {
        let short = LineError::Cells { found: index, expected: CELLS };
        let &byte = line.get(index).ok_or(short)?;
        *target = digit_of(byte)
            .ok_or_else(|| LineError::Stray { found: char_at(line, index), column: index + 1 })?;
    }
    match line.get(CELLS) {
        None | Some(b' ' | b'\t' | b',' | b';' | b':' | b'#') => {}
        Some(&byte) if digit_of(byte).is_some() => {
            let found = line.iter().take_while(|&&byte| digit_of(byte).is_some()).count();
            return Err(LineError::Cells { found, expected: CELLS });
        }
        Some(_) => return Err(LineError::Long(char_at(line, CELLS))),
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
    fn every_usual_blank_is_read_and_text_after_a_separator_is_ignored() {
        for blank in ".0_*-xX".chars() {
            let line = format!("1{} # a note", blank.to_string().repeat(80));
            assert_eq!(parse_line(line.as_bytes()).unwrap().clues(), 1);
        }
    }

    #[test]
    fn errors_say_what_was_found() {
        let parse = |text: String| parse_line(text.as_bytes()).unwrap_err();
        assert_eq!(parse(".".repeat(80)), LineError::Cells { found: 80, expected: 81 });
        assert_eq!(parse(".".repeat(82)), LineError::Cells { found: 82, expected: 81 });
        assert_eq!(parse(".".repeat(81) + "?"), LineError::Long('?'));
        let stray = format!("..é{}", ".".repeat(78));
        assert_eq!(parse(stray), LineError::Stray { found: 'é', column: 3 });
    }
}
