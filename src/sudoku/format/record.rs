//! The records of one block: its puzzles as plain lines, and what it takes to write them back.

use crate::sudoku::kernel::state::State;
use crate::sudoku::{CELLS, LineError, parse_line};

use super::rows::Solved;

/// A block's records, and its puzzles as plain lines.
#[derive(Debug, Default)]
pub struct Batch<'a> {
    /// The puzzles, one a line of 81 cells, in the order of the entries that hold one.
    pub plain: Vec<u8>,
    /// Everything in the block, in order.
    pub entries: Vec<Entry<'a>>,
    /// The number of lines in the block.
    pub lines: u64,
}

/// One record of the input.
#[derive(Debug)]
pub struct Entry<'a> {
    /// The line it begins on, from 1 within the block; of a bad picture, the line that is wrong.
    pub line: u64,
    /// Its text without the last line break.
    pub source: &'a [u8],
    /// What it holds.
    pub kind: Kind<'a>,
}

/// What a record holds.
#[derive(Debug)]
pub enum Kind<'a> {
    /// A comment or an empty line.
    Kept,
    /// The header of a CSV file.
    Header,
    /// No puzzle.
    Bad(LineError),
    /// A puzzle, and the solution that the input states for it, if it has a place for one.
    Puzzle {
        /// The stated solution; may be empty or wrong.
        stated: Option<&'a [u8]>,
    },
}

impl<'a> Batch<'a> {
    /// Takes a record whose puzzle is the text `puzzle`.
    pub fn puzzle(&mut self, source: &'a [u8], puzzle: &[u8], stated: Option<&'a [u8]>) {
        let kind = match parse_line(puzzle) {
            Ok(_) => {
                self.plain.extend_from_slice(&puzzle[..CELLS]);
                self.plain.push(b'\n');
                Kind::Puzzle { stated }
            }
            Err(error) => Kind::Bad(error),
        };
        self.push(source, kind);
    }

    /// Takes a record that ends on the last line counted.
    pub fn push(&mut self, source: &'a [u8], kind: Kind<'a>) {
        self.entries.push(Entry { line: self.lines, source, kind });
    }
}

/// The lines of `text` without their line breaks (LF or CRLF).
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ended = text.strip_suffix(b"\n").unwrap_or(text);
    // A text of nothing but a line break is one empty line; no text is no line.
    let whole = (!text.is_empty()).then(|| ended.split(|&byte| byte == b'\n'));
    whole.into_iter().flatten().map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Compares the solution that a record states with the one found.
///
/// A stated solution is right if it solves the puzzle, even if it is not the only one; nothing is
/// right where there is none.
pub fn check(answer: &Solved, stated: Option<&[u8]>) -> Result<(), LineError> {
    let stated = stated.unwrap_or_default().trim_ascii();
    let right = match answer.count {
        b"0" => stated.is_empty(),
        _ => solves(answer.puzzle, stated),
    };
    if right {
        return Ok(());
    }
    let text = |bytes: &[u8]| match bytes {
        b"" => "none".to_owned(),
        _ => String::from_utf8_lossy(&bytes[..bytes.len().min(CELLS)]).into_owned(),
    };
    Err(LineError::Disagrees { stated: text(stated), found: text(answer.solution) })
}

fn solves(puzzle: &[u8], stated: &[u8]) -> bool {
    if stated.len() != CELLS {
        return false;
    }
    let (Ok(puzzle), Ok(stated)) = (parse_line(puzzle), parse_line(stated)) else { return false };
    let keeps_givens = puzzle
        .cells()
        .iter()
        .zip(stated.cells())
        .all(|(&given, &cell)| given == 0 || given == cell);
    let state = State::<9, 81>::new(stated.cells());
    keeps_givens && state.is_some_and(|state| state.blank_cells().is_empty())
}
