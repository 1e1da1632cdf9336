//! CSV with a header: the puzzle and the solution are found by the names of their columns, other
//! columns are kept.
//!
//! A record is a line, unless a quoted column continues in the next line. No crate splits the records, for two
//! reasons: this splitter searches for delimiters, where `csv-core` examines each byte; and rows are written as they
//! were read, byte for byte, with columns appended.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::codec::Template;
use super::lines::Lines;
use super::syntax::{Column, Style, Syntax, find_columns};
use super::table::{Record, Table};
use super::text::{shape, without_break};
use crate::columns::Content;
use crate::sized::Size;
use crate::{CELLS, LineError};

/// If a quote is not closed within this many bytes, its line alone is bad.
const MAX_QUOTED_BYTES: usize = 64 << 10;

/// The characters that may separate columns; the header tells which of them does.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// CSV under one header.
#[derive(Debug)]
pub struct Csv {
    header: Vec<u8>,
    delimiter: u8,
    names: Vec<String>,
    puzzle: usize,
    solution: Option<usize>,
}

impl Csv {
    /// The CSV under the line `header`, if that names a column of puzzles: `wanted` if that is
    /// given, or a usual name.
    pub fn of(header: &[u8], wanted: Option<&str>) -> Option<Self> {
        let split = |delimiter| Self::split(header, delimiter, wanted);
        DELIMITERS.into_iter().find_map(split)
    }

    /// A table of these columns, for records that came in another format.
    pub fn with(names: &[String], wanted: Option<&str>) -> Option<Self> {
        let mut header = Vec::new();
        for (at, name) in names.iter().enumerate() {
            header.extend((at > 0).then_some(b','));
            write_column(name.as_bytes(), b',', &mut header);
        }
        Self::split(&header, b',', wanted)
    }

    fn split(header: &[u8], delimiter: u8, wanted: Option<&str>) -> Option<Self> {
        let (header, names) = (header.to_vec(), Vec::new());
        let csv = Self { header, delimiter, names, puzzle: 0, solution: None };
        let mut names = Vec::new();
        let take = |_, name: Cow<[u8]>| names.push(String::from_utf8_lossy(&name).into_owned());
        csv.split_record(&csv.header, take).ok()?;
        let (puzzle, solution) = find_columns(names.iter().map(String::as_str), wanted)?;
        Some(Self { names, puzzle, solution, ..csv })
    }

    /// Whether rows in `style` replace this column.
    fn is_replaced(&self, column: usize, style: Style) -> bool {
        let name = self.names[column].trim_ascii();
        column != self.puzzle && style.row.names().any(|added| name.eq_ignore_ascii_case(added))
    }

    fn replaced(&self, style: Style) -> usize {
        (0..self.names.len()).filter(|&column| self.is_replaced(column, style)).count()
    }

    /// Writes the columns of `record` that rows keep; the bytes of the record if they keep all.
    fn keep_columns(&self, record: &[u8], style: Style, out: &mut Vec<u8>) {
        if self.replaced(style) == 0 {
            return out.extend_from_slice(record);
        }
        let mut kept = 0;
        let take = |column, text: Cow<[u8]>| {
            if !self.is_replaced(column, style) {
                out.extend((kept > 0).then_some(self.delimiter));
                self.column(&text, out);
                kept += 1;
            }
        };
        // The record was read before, so it can be split.
        let _ = self.split_record(record, take);
    }

    /// Passes the columns of a record without its line break to `take`. Returns their number.
    fn split_record<'a>(
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

    /// The first column of `text`, without quotes, and where it ends; `None` if a quote is not closed.
    fn column_of<'a>(&self, text: &'a [u8]) -> Option<(Cow<'a, [u8]>, usize)> {
        let end = |from: usize| {
            let end = memchr2(self.delimiter, b'\n', &text[from..]);
            end.map_or(text.len(), |end| from + end)
        };
        // Many files have a blank after each delimiter.
        let blanks = text.iter().take_while(|&&byte| byte == b' ').count();
        if text.get(blanks) != Some(&b'"') {
            let end = end(0);
            return Some((text[..end].into(), end));
        }
        let mut column = Cow::Borrowed(&text[..0]);
        let mut at = blanks + 1;
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

    /// Where a record with quotes ends; `None` if one of them is not closed.
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
        if memchr(b'"', line).is_none() || line.trim_ascii().is_empty() {
            return Some(length);
        }
        let near = &text[..text.len().min(MAX_QUOTED_BYTES)];
        let cannot_close = ended || near.len() == MAX_QUOTED_BYTES;
        match self.quoted_end(near) {
            Some(end) if end < near.len() || ended && end < MAX_QUOTED_BYTES => {
                let is_comment = self.is_between(without_break(&near[..end]));
                Some(if is_comment { length } else { text.len().min(end + 1) })
            }
            _ => cannot_close.then_some(length),
        }
    }

    /// A line that begins with `#` is a record if it has the columns of one.
    fn is_between(&self, line: &[u8]) -> bool {
        let is_record = || {
            let columns = self.split_record(line, |_, _| ());
            self.names.len() > 1 && columns.is_ok_and(|columns| columns == self.names.len())
        };
        line.trim_ascii().is_empty() || line.first() == Some(&b'#') && !is_record()
    }

    fn record(&self, text: &[u8], source: Range<usize>, next: usize, table: &mut Table) -> usize {
        let record = &text[source.clone()];
        if self.is_between(record) {
            table.keep(source);
            return next;
        }
        let (mut column, mut stated) = (Cow::default(), Cow::default());
        let found = self.split_record(record, |number, text| {
            if number == self.puzzle {
                column = text;
            } else if Some(number) == self.solution {
                stated = text;
            }
        });
        let quoted = memchr(b'"', record).is_some();
        let lines = if quoted { 1 + memchr_iter(b'\n', record).count() } else { 1 };
        let first = &text[source.start..next];
        match found {
            Ok(found) if found == self.names.len() => {
                let puzzle = column.trim_ascii();
                table.column(source, lines, puzzle, &stated);
                // `same_layout` compares one byte before the puzzle.
                let is_alone = column.len() - puzzle.len() <= usize::from(column.starts_with(b" "));
                if let Some(shape) = shape(first, puzzle).filter(|_| !quoted && is_alone) {
                    return table
                        .run(text, next, shape, |other| self.same_layout(first, other, shape.at));
                }
            }
            Ok(found) => {
                let error = LineError::Columns { found, expected: self.names.len() };
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

    fn names(&self) -> &[String] {
        &self.names
    }

    fn columns<'a>(&self, record: &Record<'a>) -> Vec<Column<'a>> {
        let mut columns = Vec::with_capacity(self.names.len());
        // The record was read before, so it can be split.
        let _ = self.split_record(record.source, |column, text| {
            columns.push((self.names[column].trim_ascii().to_owned().into(), text));
        });
        columns
    }

    fn places(&self, source: &[u8]) -> [Option<Range<usize>>; 2] {
        let (mut places, mut at) = ([None, None], 0);
        for column in 0..self.names.len() {
            let Some((_, length)) = self.column_of(&source[at..]) else { break };
            if column == self.puzzle {
                places[0] = Some(at..at + length);
            } else if Some(column) == self.solution {
                places[1] = Some(at..at + length);
            }
            at += length + 1;
        }
        places
    }

    fn header(&self, style: Style) -> Vec<u8> {
        let mut header = Vec::new();
        self.keep_columns(&self.header, style, &mut header);
        for name in style.row.names() {
            header.push(self.delimiter);
            header.extend_from_slice(name.as_bytes());
        }
        header.push(b'\n');
        header
    }

    fn template(&self, first: &[u8], at: usize, style: Style) -> Option<Template> {
        let copied = match style.from {
            None if self.replaced(style) == 0 => 0..without_break(first).len(),
            Some(from) if from.names().is_empty() => at..at + CELLS,
            _ => return None,
        };
        let delimiter = self.delimiter;
        let middle: &[u8] = match style.count_and_solution()? {
            (true, _) => &[delimiter, b'?', delimiter],
            (false, _) => &[delimiter],
        };
        Some(Template::new(b"", copied, middle, b"\n"))
    }

    fn write(&self, record: &Record, style: Style, out: &mut Vec<u8>) {
        match style.from {
            None => self.keep_columns(record.source, style, out),
            Some(from) => self.write_columns(&from.columns(record), style, out),
        }
        record.for_each(style.row, |_, cell| {
            out.push(self.delimiter);
            match cell {
                Content::Text(text) => self.column(text, out),
                cell => cell.write(out),
            }
        });
        out.push(b'\n');
    }

    fn keep(&self, line: &[u8], out: &mut Vec<u8>) {
        if !line.trim_ascii().is_empty() {
            Lines.keep(line, out);
        }
    }

    fn bad(&self, source: &[u8], error: &LineError, style: Style, out: &mut Vec<u8>) {
        let is_split =
            !matches!(error, LineError::Columns { .. } | LineError::OpenQuote | LineError::TooLong);
        if style.from.is_none() && is_split {
            self.keep_columns(source, style, out);
        } else {
            quote(source, out);
            let columns = self.names.len() - self.replaced(style);
            out.extend(std::iter::repeat_n(self.delimiter, columns - 1));
        }
        for _ in style.row.names() {
            out.extend_from_slice(&[self.delimiter, b'!']);
        }
        out.push(b'\n');
    }
}

impl Csv {
    /// Whether the record `other` has its columns where `first`, a record without quotes, has them: its delimiters and
    /// line breaks are at the same places, and so is a blank before the puzzle. The puzzles at `at` are not compared.
    #[inline(always)]
    fn same_layout(&self, first: &[u8], other: &[u8], at: usize) -> bool {
        let same = |first: &[u8], other: &[u8]| {
            (0..first.len().min(other.len())).fold(true, |same, i| {
                let is = |byte| (first[i] == byte) == (other[i] == byte);
                same & is(self.delimiter) & is(b'\n') & is(b'\r') & (other[i] != b'"')
            })
        };
        (at == 0 || first[at - 1] == other[at - 1]) && same(&first[..at], &other[..at]) && {
            let after = at + CELLS;
            same(&first[after..], &other[after..])
        }
    }

    /// Writes the columns of a record that came in another format, under the names of the header.
    fn write_columns(&self, columns: &[Column], style: Style, out: &mut Vec<u8>) {
        let kept = (0..self.names.len()).filter(|&column| !self.is_replaced(column, style));
        for (index, column) in kept.enumerate() {
            out.extend((index > 0).then_some(self.delimiter));
            let is_it = |(name, _): &&Column| *name == self.names[column];
            let found = columns.get(column).filter(is_it).or_else(|| columns.iter().find(is_it));
            if let Some((_, text)) = found {
                self.column(text, out);
            }
        }
    }

    fn column(&self, text: &[u8], out: &mut Vec<u8>) {
        write_column(text, self.delimiter, out);
    }
}

/// Writes a column, in quotes if it has to be.
fn write_column(text: &[u8], delimiter: u8, out: &mut Vec<u8>) {
    // Puzzles of other sizes may come as numbers with commas between them.
    if text.iter().any(|byte| [delimiter, b'"', b'\n', b'\r'].contains(byte)) {
        quote(text, out);
    } else {
        out.extend_from_slice(text);
    }
}

/// Whether the line `title` may be a header that names no puzzles: the line `first` has equally
/// many columns, one of which is a puzzle.
pub fn may_be_header(title: &[u8], first: &[u8]) -> bool {
    let is_puzzle = |text: &[u8]| Size::ALL.iter().any(|size| size.parse(text, None).is_ok());
    DELIMITERS.into_iter().any(|delimiter| {
        let columns = |line| without_break(line).split(move |&byte| byte == delimiter);
        let number = columns(first).count();
        number > 1 && columns(title).count() == number && columns(first).any(is_puzzle)
    })
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
        Csv::of(b"puzzle", None).unwrap()
    }

    fn columns(record: &str) -> Option<Vec<String>> {
        let mut columns = Vec::new();
        let take = |_, text: Cow<[u8]>| columns.push(String::from_utf8(text.into()).unwrap());
        plain().split_record(record.as_bytes(), take).ok().map(|_| columns)
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
        assert_eq!(extent(&format!("\"a\n{}", "b\n".repeat(MAX_QUOTED_BYTES)), false), Some(3));
        assert_eq!(extent("# it\"s\nb", false), Some(7));
    }

    #[test]
    fn headers_are_found_by_name() {
        let is_header = |line: &[u8]| Csv::of(line, None).is_some();
        assert!(is_header(b"id,Puzzle,Solution"));
        assert!(is_header(b"quizzes;solutions"));
        assert!(!is_header(b"a,b"));
    }
}
