//! The cells of a 9 × 9 puzzle in spellings other than 81 characters, as programs and people write them in a line.

use super::text::place_of;
use crate::grid::digit_of;
use crate::marks::Marks;
use crate::{CELLS, Grid, parse_line};
use std::ops::Range;

/// What a line says of a puzzle.
#[derive(Debug, PartialEq)]
pub struct Spelled {
    pub marks: Marks,
    /// Where the line states a solution.
    pub stated: Option<Range<usize>>,
}

impl Spelled {
    fn of(grid: &Grid) -> Self {
        Self { marks: Marks::of(grid), stated: None }
    }
}

/// Reads a line that does not begin with its 81 cells: the first of these spellings that it has.
///
/// * a line of HoDoKu's library, `:0000:x:PUZZLE:DELETED:…`
/// * a list, or a list of lists (JSON, Python)
/// * the puzzle in quotes, or behind blanks
/// * 729 pencil marks, nine characters a cell
/// * nine rows, with `,`, `/`, `|`, `;` or blanks between them
/// * some fields of which one is a puzzle, and perhaps one a full grid, its solution
pub fn spelled(line: &[u8]) -> Option<Spelled> {
    let bare = unquoted(line);
    let digits = |line: &[u8]| parse_line(line).ok().map(|grid| Spelled::of(&grid));
    library(line)
        .or_else(|| list(bare))
        .or_else(|| if bare == line { None } else { digits(bare) })
        .or_else(|| pencil_marks(bare))
        .or_else(|| joined_rows(bare))
        .or_else(|| only_field(line))
}

/// `line` without blanks, quotes and a comma around it, and without the marks of a quoted mail.
fn unquoted(line: &[u8]) -> &[u8] {
    let mut line = line.trim_ascii();
    while let Some(rest) = line.strip_prefix(b">") {
        line = rest.trim_ascii();
    }
    line = line.strip_suffix(b",").unwrap_or(line).trim_ascii_end();
    for quote in [b"\"", b"'", b"`"] {
        if let Some(inner) = line.strip_prefix(quote).and_then(|line| line.strip_suffix(quote)) {
            return inner.trim_ascii();
        }
    }
    line
}

/// `:TECHNIQUE:CANDIDATES:CELLS:DELETED:…` of HoDoKu. A `+` marks a cell that was solved and is no given. Deleted candidates
/// are numbers: digit, row, column. What follows them says what the technique removes, which is not done yet.
fn library(line: &[u8]) -> Option<Spelled> {
    let rest = line.trim_ascii().strip_prefix(b":")?;
    let mut fields = rest.split(|&byte| byte == b':').skip(2);
    let cells: Vec<u8> = fields.next()?.iter().copied().filter(|&byte| byte != b'+').collect();
    if cells.len() != CELLS {
        return None;
    }
    let mut found = Spelled::of(&parse_line(&cells).ok()?);
    let deleted = fields.next().unwrap_or_default();
    for number in deleted.split(|&byte| byte == b' ').filter(|number| !number.is_empty()) {
        let &[digit, row, column] = number else { return None };
        let [digit, row, column] = [digit, row, column].map(|byte| byte.wrapping_sub(b'1'));
        if digit.max(row).max(column) > 8 {
            return None;
        }
        found.marks.0[usize::from(row) * 9 + usize::from(column)] &= !(1 << digit);
    }
    Some(found)
}

/// The items of a list, or of a list of lists of equal lengths: brackets and quotes are left out. An item of several characters
/// is a row. `None` if the text is no list.
pub fn list_items(text: &[u8]) -> Option<Vec<&[u8]>> {
    let text = text.trim_ascii();
    let text = text.strip_suffix(b",").unwrap_or(text);
    let is_list = matches!(
        (text.first(), text.last()),
        (Some(b'['), Some(b']')) | (Some(b'('), Some(b')')) | (Some(b'{'), Some(b'}'))
    );
    if !is_list {
        return None;
    }
    let is_around = |byte: &u8| b"[](){}\"' \t\r\n".contains(byte);
    let mut items: Vec<&[u8]> = text.split(|&byte| byte == b',').collect();
    // Many languages allow a comma behind the last item.
    if items.len() > 1
        && items.last().is_some_and(|item| item.iter().all(|byte| b"])} \r\n\t".contains(byte)))
    {
        items.pop();
    }
    let items = items.into_iter().map(|item| {
        let begin = item.iter().position(|byte| !is_around(byte)).unwrap_or(item.len());
        let end = item.iter().rposition(|byte| !is_around(byte)).map_or(begin, |last| last + 1);
        &item[begin..end]
    });
    Some(items.collect())
}

/// A list of 81 items, or of nine rows.
fn list(text: &[u8]) -> Option<Spelled> {
    let items = list_items(text)?;
    let mut cells = Vec::with_capacity(CELLS);
    for item in &items {
        match *item {
            b"" | b"null" | b"None" => cells.push(b'.'),
            item => cells.extend_from_slice(item),
        }
    }
    let is_even =
        items.len() == CELLS || items.len() == 9 && items.iter().all(|row| row.len() == 9);
    let grid = if is_even && cells.len() == CELLS { parse_line(&cells).ok() } else { None };
    grid.map(|grid| Spelled::of(&grid))
}

/// Nine characters a cell: a digit that it may hold, or `.` or `0`.
fn pencil_marks(line: &[u8]) -> Option<Spelled> {
    if line.len() != 9 * CELLS {
        return None;
    }
    let mut marks = Marks([0; CELLS]);
    for (marks, text) in marks.0.iter_mut().zip(line.chunks(9)) {
        for &byte in text {
            match byte {
                b'1'..=b'9' => *marks |= 1 << (byte - b'1'),
                byte if digit_of(byte) == Some(0) => {}
                _ => return None,
            }
        }
    }
    Some(Spelled { marks, stated: None })
}

/// Nine rows of nine cells with something between them.
fn joined_rows(line: &[u8]) -> Option<Spelled> {
    let mut rows = line.split(|byte| b",/|; \t".contains(byte)).filter(|row| !row.is_empty());
    let mut cells = [0; CELLS];
    for target in cells.chunks_mut(9) {
        let row = unquoted(rows.next()?);
        if row.len() != target.len() {
            return None;
        }
        target.copy_from_slice(row);
    }
    let rest = rows.next().is_none();
    parse_line(&cells).ok().filter(|_| rest).map(|grid| Spelled::of(&grid))
}

/// The one field of a line that is a puzzle. Beside it may stand one full grid, which is the solution.
fn only_field(line: &[u8]) -> Option<Spelled> {
    let is_cell = |byte: &u8| digit_of(*byte).is_some();
    let is_puzzle = |field: &[u8]| field.len() == CELLS && field.iter().all(is_cell);
    let fields = line.split(|byte| b" \t,;|".contains(byte)).map(unquoted);
    // A field as long as half a puzzle is one with a mistake: the line is to be reported. So is one that this program has marked.
    let (puzzles, others): (Vec<_>, Vec<_>) = fields.partition(|field| is_puzzle(field));
    if line.starts_with(b"!") || others.iter().any(|field| field.len() > CELLS / 2) {
        return None;
    }
    let is_full = |field: &[u8]| field.iter().all(|byte| (b'1'..=b'9').contains(byte));
    let (full, open): (Vec<_>, Vec<_>) = puzzles.into_iter().partition(|field| is_full(field));
    let (puzzle, stated) = match (&open[..], &full[..]) {
        (&[puzzle], []) | ([], &[puzzle]) => (puzzle, None),
        (&[puzzle], &[solution]) => (puzzle, place_of(solution, line)),
        _ => return None,
    };
    let grid = parse_line(puzzle).ok()?;
    Some(Spelled { stated, ..Spelled::of(&grid) })
}
