//! CSV with a header: the puzzle and the solution are found by the names of their columns, other
//! columns are kept.
//!
//! A record is one line. Columns may be quoted, with `""` for a quote inside; a quoted line break is
//! an error. This strict splitter does without a crate because rows are written back as they were
//! read, byte for byte, with columns appended.

use super::FormError;
use super::record::{Batch, Kind, lines};
use crate::sudoku::LineError;
use crate::sudoku::stream::Row;

const PUZZLE_NAMES: [&str; 4] = ["puzzle", "puzzles", "quiz", "quizzes"];
const SOLUTION_NAMES: [&str; 2] = ["solution", "solutions"];

/// What the header tells.
#[derive(Debug, Clone)]
pub struct Columns {
    header: Vec<u8>,
    delimiter: u8,
    count: usize,
    puzzle: usize,
    solution: Option<usize>,
}

impl Columns {
    /// Reads the header, the first line of `head` that is neither empty nor a comment.
    pub fn of(head: &[u8]) -> Result<Self, FormError> {
        let header = lines(head).find(|line| !is_kept(line)).unwrap_or_default();
        [b',', b';', b'\t']
            .into_iter()
            .find_map(|delimiter| Self::split(header, delimiter))
            .ok_or_else(|| FormError::NoPuzzleColumn {
                found: String::from_utf8_lossy(&header[..header.len().min(100)]).into_owned(),
            })
    }

    fn split(header: &[u8], delimiter: u8) -> Option<Self> {
        let names: Vec<&[u8]> = Fields { rest: Some(header), delimiter }.collect::<Option<_>>()?;
        let find = |wanted: &[&str]| {
            let named = |name: &[u8]| {
                wanted
                    .iter()
                    .any(|wanted| name.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes()))
            };
            names.iter().position(|name| named(name))
        };
        Some(Self {
            header: header.to_vec(),
            delimiter,
            count: names.len(),
            puzzle: find(&PUZZLE_NAMES)?,
            solution: find(&SOLUTION_NAMES),
        })
    }

    /// Whether there is a solution column.
    pub fn state_solutions(&self) -> bool {
        self.solution.is_some()
    }

    /// What separates the columns.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The header of the output, with its line break.
    pub fn header(&self, row: Row, stats: bool) -> Vec<u8> {
        let mut header = self.header.clone();
        append_names(&mut header, self.delimiter, row, stats);
        header
    }

    /// Reads the records of a block.
    pub fn read<'a>(&self, text: &'a [u8], first: bool, batch: &mut Batch<'a>) {
        let mut header_ahead = first;
        for line in lines(text) {
            batch.lines += 1;
            if is_kept(line) {
                batch.push(line, Kind::Kept);
            } else if header_ahead {
                header_ahead = false;
                batch.push(line, Kind::Header);
            } else {
                match self.fields(line) {
                    Ok((puzzle, stated)) => batch.puzzle(line, puzzle, stated),
                    Err(error) => batch.push(line, Kind::Bad(error)),
                }
            }
        }
    }

    /// The puzzle of a record and the solution it states.
    fn fields<'a>(&self, line: &'a [u8]) -> Result<(&'a [u8], Option<&'a [u8]>), LineError> {
        let (mut found, mut puzzle, mut stated) = (0, &line[..0], None);
        for field in (Fields { rest: Some(line), delimiter: self.delimiter }) {
            let field = field.ok_or(LineError::OpenQuote)?;
            if found == self.puzzle {
                puzzle = field;
            }
            if Some(found) == self.solution {
                stated = Some(field);
            }
            found += 1;
        }
        if found != self.count {
            return Err(LineError::Columns { found, expected: self.count });
        }
        Ok((puzzle, stated))
    }
}

/// Whether `line` reads as a header with a puzzle column.
pub fn is_header(line: &[u8]) -> bool {
    Columns::of(line).is_ok()
}

/// The header of CSV output for input without one.
pub fn plain_header(row: Row, stats: bool) -> Vec<u8> {
    let mut header = b"puzzle".to_vec();
    append_names(&mut header, b',', row, stats);
    header
}

fn append_names(header: &mut Vec<u8>, delimiter: u8, row: Row, stats: bool) {
    let names: &[&str] = match row {
        Row::Solution => &["count", "found"],
        Row::SolutionOnly => &["found"],
        Row::Count => &["count"],
    };
    let stats: &[&str] = if stats { &["method", "guesses"] } else { &[] };
    for name in names.iter().chain(stats) {
        header.push(delimiter);
        header.extend_from_slice(name.as_bytes());
    }
    header.push(b'\n');
}

/// `text` as one quoted column.
pub fn quote(text: &[u8], row: &mut Vec<u8>) {
    row.push(b'"');
    for &byte in text {
        match byte {
            b'"' => row.extend_from_slice(b"\"\""),
            // A bad picture has several lines; a record is one.
            b'\n' => row.push(b' '),
            b'\r' => {}
            _ => row.push(byte),
        }
    }
    row.push(b'"');
}

fn is_kept(line: &[u8]) -> bool {
    line.is_empty() || line[0] == b'#'
}

/// The columns of a line, without the quotes around them; `None` for a quote that stays open.
struct Fields<'a> {
    rest: Option<&'a [u8]>,
    delimiter: u8,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.rest.take()?;
        if line.first() != Some(&b'"') {
            let end = line.iter().position(|&byte| byte == self.delimiter);
            self.rest = end.map(|at| &line[at + 1..]);
            return Some(Some(&line[..end.unwrap_or(line.len())]));
        }
        let mut at = 1;
        loop {
            match (line.get(at), line.get(at + 1)) {
                (Some(b'"'), Some(b'"')) => at += 2,
                (Some(b'"'), None) => return Some(Some(&line[1..at])),
                (Some(b'"'), Some(&next)) if next == self.delimiter => {
                    self.rest = Some(&line[at + 2..]);
                    return Some(Some(&line[1..at]));
                }
                (None, _) | (Some(b'"'), Some(_)) => return Some(None),
                _ => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Option<Vec<&str>> {
        let fields = Fields { rest: Some(line.as_bytes()), delimiter: b',' };
        fields.map(|field| field.map(|bytes| std::str::from_utf8(bytes).unwrap())).collect()
    }

    #[test]
    fn columns_may_be_quoted() {
        assert_eq!(fields("a,\"b,c\",,d"), Some(vec!["a", "b,c", "", "d"]));
        assert_eq!(fields("\"a\"\"b\",c"), Some(vec!["a\"\"b", "c"]));
        assert_eq!(fields(""), Some(vec![""]));
        assert_eq!(fields("\"a"), None);
        assert_eq!(fields("\"a\"b"), None);
    }

    #[test]
    fn headers_are_found_by_name() {
        assert!(is_header(b"id,Puzzle,Solution"));
        assert!(is_header(b"quizzes;solutions\n1;2"));
        assert!(!is_header(b"a,b"));
    }
}
