//! CSV with a header: the puzzle and the solution are found by the names of their columns, other
//! columns are kept.
//!
//! A record is a line, unless a quoted column goes on in the next one. The splitter does without a
//! crate because it runs from delimiter to delimiter, where the automaton of `csv-core` takes byte after
//! byte, and because rows are written back as they were read, byte for byte, with columns appended.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::codec::Template;
use super::lines::Lines;
use super::syntax::{ADDED, Row, Shown, Syntax};
use super::table::{Answered, Table};
use super::text::{is_between, shape, without_break, write_count};
use crate::sudoku::sized::Size;
use crate::sudoku::{CELLS, LineError};

const PUZZLE_NAMES: [&str; 4] = ["puzzle", "puzzles", "quiz", "quizzes"];
const SOLUTION_NAMES: [&str; 2] = ["solution", "solutions"];
/// A quote that is not closed within so many bytes is a mistake of its line alone.
const LONGEST_QUOTED: usize = 64 << 10;

/// CSV under one header.
#[derive(Debug)]
pub struct Csv {
    header: Vec<u8>,
    delimiter: u8,
    columns: usize,
    puzzle: usize,
    solution: Option<usize>,
    /// Columns that rows get anew.
    replaced: Vec<usize>,
}

impl Csv {
    /// What the line `header` tells, if it names a column of puzzles.
    pub fn of(header: &[u8]) -> Option<Self> {
        [b',', b';', b'\t'].into_iter().find_map(|delimiter| Self::split(header, delimiter))
    }

    fn split(header: &[u8], delimiter: u8) -> Option<Self> {
        let (header, replaced) = (header.to_vec(), Vec::new());
        let csv = Self { header, delimiter, columns: 0, puzzle: 0, solution: None, replaced };
        let mut names = Vec::new();
        csv.columns_of(&csv.header, |_, name| names.push(name.trim_ascii().to_ascii_lowercase()))
            .ok()?;
        let find = |wanted: &[&str]| {
            names.iter().position(|name| wanted.iter().any(|wanted| name == wanted.as_bytes()))
        };
        let (puzzle, solution) = (find(&PUZZLE_NAMES)?, find(&SOLUTION_NAMES));
        let is_added = |column: &usize| ADDED.iter().any(|name| names[*column] == name.as_bytes());
        let replaced = (0..names.len()).filter(is_added).collect();
        Some(Self { columns: names.len(), puzzle, solution, replaced, ..csv })
    }

    /// Writes the columns of `record` that rows do not get anew; byte for byte as it is, if that is all.
    fn keep_columns(&self, record: &[u8], out: &mut Vec<u8>) {
        if self.replaced.is_empty() {
            return out.extend_from_slice(record);
        }
        let mut kept = 0;
        let take = |column, text: Cow<[u8]>| {
            if !self.replaced.contains(&column) {
                out.extend((kept > 0).then_some(self.delimiter));
                self.column(&text, out);
                kept += 1;
            }
        };
        // It was read before.
        let _ = self.columns_of(record, take);
    }

    /// Hands the columns of a record without its line break to `take`; their number.
    fn columns_of<'a>(
        &self,
        record: &'a [u8],
        mut take: impl FnMut(usize, Cow<'a, [u8]>),
    ) -> Result<usize, LineError> {
        let (mut column, mut at) = (0, 0);
        loop {
            let (text, length) = self.column_of(&record[at..]).ok_or(LineError::OpenQuote)?;
            take(column, text);
            (column, at) = (column + 1, at + length + 1);
            if at > record.len() {
                return Ok(column);
            }
        }
    }

    /// The first column of `text`, without quotes, and where it ends; `None` if a quote stays open.
    fn column_of<'a>(&self, text: &'a [u8]) -> Option<(Cow<'a, [u8]>, usize)> {
        let end = |from: usize| {
            let end = memchr2(self.delimiter, b'\n', &text[from..]);
            end.map_or(text.len(), |end| from + end)
        };
        if text.first() != Some(&b'"') {
            let end = end(0);
            return Some((text[..end].into(), end));
        }
        let mut column = Cow::Borrowed(&text[..0]);
        let mut at = 1;
        loop {
            let quote = at + memchr(b'"', &text[at..])?;
            let piece = &text[at..quote];
            if column.is_empty() {
                column = piece.into();
            } else {
                column.to_mut().extend_from_slice(piece);
            }
            if text.get(quote + 1) != Some(&b'"') {
                let end = end(quote + 1);
                if end > quote + 1 {
                    column.to_mut().extend_from_slice(&text[quote + 1..end]);
                }
                return Some((column, end));
            }
            column.to_mut().push(b'"');
            at = quote + 2;
        }
    }

    /// Where a record ends whose first line has quotes; `None` if one of them stays open.
    fn quoted_end(&self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            at += self.column_of(&text[at..])?.1;
            if text.get(at) != Some(&self.delimiter) {
                return Some(at);
            }
            at += 1;
        }
    }
}

impl Syntax for Csv {
    fn extent(&self, text: &[u8], ended: bool) -> Option<usize> {
        let (length, line) = match memchr(b'\n', text) {
            Some(end) => (end + 1, &text[..end]),
            None if ended => (text.len(), text),
            None => return None,
        };
        if is_between(line) || memchr(b'"', line).is_none() {
            return Some(length);
        }
        let near = &text[..text.len().min(LONGEST_QUOTED)];
        let cannot_close = ended || near.len() == LONGEST_QUOTED;
        match self.quoted_end(near) {
            Some(end) if end < near.len() => Some(end + 1),
            Some(end) if ended && end == text.len() && end < LONGEST_QUOTED => Some(end),
            _ => cannot_close.then_some(length),
        }
    }

    fn record(&self, text: &[u8], source: Range<usize>, next: usize, table: &mut Table) -> usize {
        let record = &text[source.clone()];
        if is_between(record) {
            table.keep(source);
            return next;
        }
        let (mut puzzle, mut stated) = (Cow::default(), Cow::default());
        let found = self.columns_of(record, |column, text| {
            if column == self.puzzle {
                puzzle = text;
            } else if Some(column) == self.solution {
                stated = text;
            }
        });
        let quoted = memchr(b'"', record).is_some();
        let lines = if quoted { 1 + memchr_iter(b'\n', record).count() } else { 1 };
        let first = &text[source.start..next];
        match found {
            Ok(found) if found == self.columns => {
                table.puzzle(source, lines, &puzzle, &stated);
                if let Some(shape) = shape(first, &puzzle).filter(|_| !quoted) {
                    return table
                        .run(text, next, shape, |other| self.alike(first, other, shape.at));
                }
            }
            Ok(found) => {
                let error = LineError::Columns { found, expected: self.columns };
                table.bad(source, lines, 0, error);
            }
            Err(error) => table.bad(source, lines, 0, error),
        }
        next
    }

    fn cut(&self, text: &[u8]) -> usize {
        match memchr(b'"', text) {
            None => memrchr(b'\n', text).map_or(0, |end| end + 1),
            Some(_) => self.cut_by_extents(text),
        }
    }

    fn states_solutions(&self, _: &[u8], _: Size) -> bool {
        self.solution.is_some()
    }

    fn header(&self, shown: Shown) -> Vec<u8> {
        let mut header = Vec::new();
        self.keep_columns(&self.header, &mut header);
        for name in shown.names() {
            header.push(self.delimiter);
            header.extend_from_slice(name.as_bytes());
        }
        header.push(b'\n');
        header
    }

    fn template(&self, first: &[u8], at: usize, shown: Shown) -> Option<Template> {
        let copied = match shown.own {
            true if self.replaced.is_empty() => 0..without_break(first).len(),
            true => return None,
            false => at..at + CELLS,
        };
        let delimiter = self.delimiter;
        match shown.row {
            Row::Solution => Some(Template::new(b"", copied, &[delimiter, b'?', delimiter], b"\n")),
            Row::SolutionOnly => Some(Template::new(b"", copied, &[delimiter], b"\n")),
            Row::Count => None,
        }
    }

    fn write(&self, record: &Answered, shown: Shown, out: &mut Vec<u8>) {
        if shown.own {
            self.keep_columns(record.source, out);
        } else {
            self.column(record.puzzle, out);
        }
        if shown.row != Row::SolutionOnly {
            out.push(self.delimiter);
            write_count(record.count, out);
        }
        if shown.row != Row::Count {
            out.push(self.delimiter);
            self.column(record.solution.unwrap_or_default(), out);
        }
        if let Some(rating) = record.rating {
            let delimiter = char::from(self.delimiter);
            let columns = format!("{delimiter}{}{delimiter}{}", rating.means, rating.guesses);
            out.extend_from_slice(columns.as_bytes());
        }
        out.push(b'\n');
    }

    fn keep(&self, line: &[u8], out: &mut Vec<u8>) {
        if !line.trim_ascii().is_empty() {
            Lines.keep(line, out);
        }
    }

    fn bad(&self, source: &[u8], error: &LineError, shown: Shown, out: &mut Vec<u8>) {
        if shown.own && !matches!(error, LineError::Columns { .. } | LineError::OpenQuote) {
            self.keep_columns(source, out);
        } else {
            quote(source, out);
            let columns = self.columns - self.replaced.len();
            out.extend(std::iter::repeat_n(self.delimiter, columns - 1));
        }
        for _ in shown.names() {
            out.extend_from_slice(&[self.delimiter, b'!']);
        }
        out.push(b'\n');
    }
}

impl Csv {
    /// Whether the record `other` is split as `first`, which has no quotes: it has the same delimiters
    /// and line breaks. The puzzles at `at` are left out.
    #[inline(always)]
    fn alike(&self, first: &[u8], other: &[u8], at: usize) -> bool {
        let same = |first: &[u8], other: &[u8]| {
            (0..first.len().min(other.len())).fold(true, |same, i| {
                let is = |byte| (first[i] == byte) == (other[i] == byte);
                same & is(self.delimiter) & is(b'\n') & is(b'\r') & (other[i] != b'"')
            })
        };
        other[0] != b'#' && same(&first[..at], &other[..at]) && {
            let behind = at + CELLS;
            same(&first[behind..], &other[behind..])
        }
    }

    fn column(&self, text: &[u8], out: &mut Vec<u8>) {
        // Puzzles of other sizes may come as numbers with commas between them.
        if text.iter().any(|byte| [self.delimiter, b'"', b'\n', b'\r'].contains(byte)) {
            quote(text, out);
        } else {
            out.extend_from_slice(text);
        }
    }
}

fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(byte);
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Csv {
        Csv::of(b"puzzle").unwrap()
    }

    fn columns(record: &str) -> Option<Vec<String>> {
        let mut columns = Vec::new();
        let take = |_, text: Cow<[u8]>| columns.push(String::from_utf8(text.into()).unwrap());
        plain().columns_of(record.as_bytes(), take).ok().map(|_| columns)
    }

    #[test]
    fn columns_may_be_quoted() {
        let found = |record| columns(record).unwrap().join("|");
        assert_eq!(found("a,\"b,c\",,d"), "a|b,c||d");
        assert_eq!(found("\"a\"\"b\",c"), "a\"b|c");
        assert_eq!(found("\"\"\"\"\"\",\"\""), "\"\"|");
        assert_eq!(found("\"a\"b,c\"d"), "ab|c\"d");
        assert_eq!(found("a,\"b\r\nc\""), "a|b\r\nc");
        assert_eq!(columns(""), Some(vec![String::new()]));
        assert_eq!(columns("\"a"), None);
    }

    #[test]
    fn a_record_ends_where_its_quotes_are_closed() {
        let extent = |text: &str, ended| plain().extent(text.as_bytes(), ended);
        assert_eq!(extent("a\nb", false), Some(2));
        assert_eq!(extent("\"a\nb\"\nc", false), Some(6));
        assert_eq!(extent("\"a\nb", false), None);
        // Never closed: a mistake of the first line alone.
        assert_eq!(extent("\"a\nb", true), Some(3));
        assert_eq!(extent(&format!("\"a\n{}", "b\n".repeat(LONGEST_QUOTED)), false), Some(3));
        assert_eq!(extent("# it\"s\nb", false), Some(7));
    }

    #[test]
    fn headers_are_found_by_name() {
        let is_header = |line: &[u8]| Csv::of(line).is_some();
        assert!(is_header(b"id,Puzzle,Solution"));
        assert!(is_header(b"quizzes;solutions"));
        assert!(!is_header(b"a,b"));
    }
}
