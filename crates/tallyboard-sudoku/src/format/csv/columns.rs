//! The columns of a line of CSV, split and written.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::LineError;

/// The columns of a text, one after the other, without quotes, each with its place. An unquoted line break ends a
/// column, too. After a quote that is not closed there are no more.
pub struct Columns<'a> {
    text: &'a [u8],
    delimiter: u8,
    /// Where the next column begins; beyond the text at the end.
    next: usize,
}

impl<'a> Columns<'a> {
    pub fn of(text: &'a [u8], delimiter: u8) -> Self {
        Self { text, delimiter, next: 0 }
    }

    /// Where a column ends that has no quote from `from` on: one whose last quote stands before, or an unquoted one.
    fn end(&self, from: usize) -> usize {
        let end = memchr2(self.delimiter, b'\n', &self.text[from..]);
        end.map_or(self.text.len(), |end| from + end)
    }

    /// The text of the quoted column whose first quote stands before `at`, and where it ends; `None` if the quote is
    /// not closed.
    fn quoted(&self, mut at: usize) -> Option<(Cow<'a, [u8]>, usize)> {
        let mut column = Cow::default();
        loop {
            let quote = at + memchr(b'"', &self.text[at..])?;
            append(&mut column, &self.text[at..quote]);
            if self.text.get(quote + 1) != Some(&b'"') {
                let end = self.end(quote + 1);
                append(&mut column, &self.text[quote + 1..end]);
                return Some((column, end));
            }
            append(&mut column, b"\"");
            at = quote + 2;
        }
    }
}

impl<'a> Iterator for Columns<'a> {
    type Item = Result<(Cow<'a, [u8]>, Range<usize>), LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.next;
        let text = self.text.get(begin..)?;
        // Many files have spaces after each delimiter. Before a quote they are no part of the
        // column. An unquoted column keeps them: it is taken as it stands.
        let blanks = text.iter().take_while(|&&byte| byte == b' ').count();
        let found = if text.get(blanks) == Some(&b'"') {
            self.quoted(begin + blanks + 1)
        } else {
            let end = self.end(begin);
            Some((self.text[begin..end].into(), end))
        };
        self.next = found.as_ref().map_or(usize::MAX, |(_, end)| end + 1);
        Some(found.map(|(column, end)| (column, begin..end)).ok_or(LineError::OpenQuote))
    }
}

/// Appends a piece to a column. A column of one piece borrows it; the second piece makes the column own its text.
fn append<'a>(column: &mut Cow<'a, [u8]>, piece: &'a [u8]) {
    if column.is_empty() {
        *column = piece.into();
    } else if !piece.is_empty() {
        column.to_mut().extend_from_slice(piece);
    }
}

/// Writes columns, each in quotes if it has to be.
pub fn write_columns<T: AsRef<[u8]>>(
    columns: impl Iterator<Item = T>,
    delimiter: u8,
    out: &mut Vec<u8>,
) {
    for (index, column) in columns.enumerate() {
        if index > 0 {
            out.push(delimiter);
        }
        write_column(column.as_ref(), delimiter, out);
    }
}

/// Writes a column, in quotes if it has to be.
pub fn write_column(text: &[u8], delimiter: u8, out: &mut Vec<u8>) {
    // Puzzles of other sizes may come as numbers with commas between them.
    if text.iter().any(|byte| [delimiter, b'"', b'\n', b'\r'].contains(byte)) {
        quote(text, out);
    } else {
        out.extend_from_slice(text);
    }
}

pub fn quote(text: &[u8], out: &mut Vec<u8>) {
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

    fn columns(record: &str) -> Option<Vec<String>> {
        let columns = Columns::of(record.as_bytes(), b',');
        columns.map(|column| Some(String::from_utf8(column.ok()?.0.into()).unwrap())).collect()
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
}
