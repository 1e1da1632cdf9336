//! CSV with a header: the puzzle and the solution are found by the names of their columns, other columns are kept.
//!
//! A record is a line, unless a quoted column continues in the next line. No crate splits the records, for two
//! reasons: this splitter searches for delimiters, where `csv-core` examines each byte; and rows are written as they
//! were read, byte for byte, with columns appended.

use std::borrow::Cow;
use std::ops::Range;

use super::syntax::{Field, Input, Style, Syntax, find_columns, line_lengths, record_at, shape};
use super::table::{Record, Table};
use super::text::without_break;
use crate::codec::Template;
use crate::columns::Content;
use crate::sized::Size;
use crate::{CELLS, LineError};
use memchr::{memchr, memchr_iter, memchr2};
use tallyboard_files::csv::{quote, write_column};

/// If a quote is not closed within this many bytes, its line alone is bad.
const MAX_QUOTED_BYTES: usize = 64 << 10;

/// The characters that may separate columns; the header shows which one does.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// CSV under one header.
#[derive(Debug)]
pub struct Csv {
    header: Vec<u8>,
    delimiter: u8,
    names: Vec<String>,
    /// The column that holds puzzles.
    puzzle: usize,
    /// The column that holds solutions.
    solution: Option<usize>,
}

impl Csv {
    /// The CSV under the line `header`, if that names a column of puzzles: `wanted` if that is given, or a usual name.
    pub fn of(header: &[u8], wanted: Option<&str>) -> Option<Self> {
        DELIMITERS.into_iter().find_map(|delimiter| {
            let columns = Columns::of(header, delimiter);
            let name = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let names = columns.map(|column| Some(name(&column.ok()?.0)));
            let names = names.collect::<Option<Vec<String>>>()?;
            let (puzzle, solution) = find_columns(names.iter().map(String::as_str), wanted)?;
            Some(Self { header: header.to_vec(), delimiter, names, puzzle, solution })
        })
    }

    /// A table of these columns, for records that came in another format: the puzzle alone if none of them has puzzles.
    pub fn with_columns(names: &[String], wanted: Option<&str>) -> Self {
        let mut header = Vec::new();
        write_columns(names.iter().map(String::as_bytes), b',', &mut header);
        match find_columns(names.iter().map(String::as_str), wanted) {
            Some((puzzle, solution)) => {
                Self { header, delimiter: b',', names: names.to_vec(), puzzle, solution }
            }
            None => Self::of(b"puzzle", None).expect("a column of puzzles"),
        }
    }

    /// The columns of a record without its line break.
    fn columns<'a>(&self, record: &'a [u8]) -> Columns<'a> {
        Columns::of(record, self.delimiter)
    }

    /// The texts of the columns of a record. It was read before, so no quote is open.
    fn texts_of<'a>(&self, record: &'a [u8]) -> impl Iterator<Item = Cow<'a, [u8]>> {
        self.columns(record).flatten().map(|(text, _)| text)
    }

    /// Whether rows in `style` replace this column.
    fn is_replaced(&self, column: usize, style: Style) -> bool {
        let name = self.names[column].trim_ascii();
        column != self.puzzle && style.row.names().any(|added| name.eq_ignore_ascii_case(added))
    }

    /// The columns of the input that rows in `style` keep.
    fn kept_columns(&self, style: Style) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |&column| !self.is_replaced(column, style))
    }

    fn keeps_all(&self, style: Style) -> bool {
        self.kept_columns(style).count() == self.names.len()
    }

    /// Writes the columns of `record` that rows keep; the bytes of the record if they keep all.
    fn write_kept_columns(&self, record: &[u8], style: Style, out: &mut Vec<u8>) {
        if self.keeps_all(style) {
            return out.extend_from_slice(record);
        }
        let columns = self.texts_of(record).enumerate();
        let kept = columns.filter(|&(column, _)| !self.is_replaced(column, style));
        write_columns(kept.map(|(_, text)| text), self.delimiter, out);
    }

    /// Writes the columns of a record that came in another format, under the names of the header.
    fn write_fields(&self, fields: &[Field], style: Style, out: &mut Vec<u8>) {
        let texts = self.kept_columns(style).map(|column| {
            let is_named = |(name, _): &&Field| *name == self.names[column];
            // Most records have their columns in the order of the header.
            let at_same_place = fields.get(column).filter(is_named);
            let found = at_same_place.or_else(|| fields.iter().find(is_named));
            found.map_or(&[][..], |(_, text)| text)
        });
        write_columns(texts, self.delimiter, out);
    }

    /// Where a record with quotes ends; `None` if one of them is not closed.
    fn quoted_end(&self, text: &[u8]) -> Option<usize> {
        for column in self.columns(text) {
            let end = column.ok()?.1.end;
            if text.get(end) != Some(&self.delimiter) {
                return Some(end);
            }
        }
        None
    }

    /// Whether the record `other` has its columns where `first`, a record without quotes, has them: its delimiters and
    /// line breaks are at the same places, and so is a blank before the puzzle. The puzzles at `at` are not compared.
    #[inline(always)]
    fn same_layout(&self, first: &[u8], other: &[u8], at: usize) -> bool {
        let after = at + CELLS;
        (at == 0 || first[at - 1] == other[at - 1])
            && self.same_delimiters(&first[..at], &other[..at])
            && self.same_delimiters(&first[after..], &other[after..])
    }

    /// Whether two texts have their delimiters and line breaks at the same places, and `other` has no quotes.
    #[inline(always)]
    fn same_delimiters(&self, first: &[u8], other: &[u8]) -> bool {
        (0..first.len().min(other.len())).fold(true, |same, i| {
            let agree_on = |byte| (first[i] == byte) == (other[i] == byte);
            let breaks_agree = agree_on(b'\n') & agree_on(b'\r');
            same & agree_on(self.delimiter) & breaks_agree & (other[i] != b'"')
        })
    }
}

impl Syntax for Csv {
    fn is_multi_line(&self, text: &[u8]) -> bool {
        memchr(b'"', text).is_some()
    }

    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let has_ended = input == Input::HasEnded;
        let (length, _) = line_lengths(text);
        let line = &text[..length];
        if !line.ends_with(b"\n") && !has_ended {
            return None;
        }
        if memchr(b'"', line).is_none() || line.trim_ascii().is_empty() {
            return Some(length);
        }
        let near = &text[..text.len().min(MAX_QUOTED_BYTES)];
        match self.quoted_end(near) {
            Some(end) if end < near.len() || has_ended && end < MAX_QUOTED_BYTES => {
                let is_comment = self.is_comment(without_break(&near[..end]));
                Some(if is_comment { length } else { text.len().min(end + 1) })
            }
            _ => {
                let cannot_close = has_ended || near.len() == MAX_QUOTED_BYTES;
                cannot_close.then_some(length)
            }
        }
    }

    /// A line that begins with `#` is a record if it has as many columns as the header, two at least.
    fn is_comment(&self, line: &[u8]) -> bool {
        match line.trim_ascii_start().first() {
            None => return true,
            Some(b'#') => {}
            Some(_) => return false,
        }
        let is_split = self.columns(line).all(|column| column.is_ok());
        let has_columns_of_header = is_split && self.columns(line).count() == self.names.len();
        self.names.len() == 1 || !has_columns_of_header
    }

    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        let first = &text[place.clone()];
        let (record, mut source) = record_at(text, place);
        if self.is_comment(record) {
            table.add_comment(source);
            return next;
        }
        let is_quoted = memchr(b'"', record).is_some();
        let lines = if is_quoted { 1 + memchr_iter(b'\n', record).count() } else { 1 };
        let mut puzzle_column = Cow::default();
        let mut stated = Cow::default();
        let mut found = 0;
        for next_column in self.columns(record) {
            match next_column {
                Ok((text, _)) if found == self.puzzle => puzzle_column = text,
                Ok((text, _)) if Some(found) == self.solution => stated = text,
                Ok(_) => {}
                Err(error) => {
                    table.add_bad(source, lines, 0, error);
                    return next;
                }
            }
            found += 1;
        }
        let expected = self.names.len();
        // Some programs end a row with a delimiter that their header lacks (qqwing --csv --stats).
        let is_ended_twice = found == expected + 1 && record.last() == Some(&self.delimiter);
        if is_ended_twice {
            source.end -= 1;
        } else if found != expected {
            table.add_bad(source, lines, 0, LineError::Columns { found, expected });
            return next;
        }
        let puzzle = puzzle_column.trim_ascii();
        table.add_column(source, lines, puzzle, &stated);
        // `same_layout` compares one byte before the puzzle.
        let is_alone =
            puzzle_column.len() - puzzle.len() <= usize::from(puzzle_column.starts_with(b" "));
        match shape(first, puzzle) {
            Some(shape) if is_alone && !is_quoted && !is_ended_twice => {
                table.add_run(text, next, shape, |other| self.same_layout(first, other, shape.at))
            }
            _ => next,
        }
    }

    fn states_solutions(&self, _: &[u8], _: Size) -> bool {
        self.solution.is_some()
    }

    fn column_names(&self) -> &[String] {
        &self.names
    }

    fn fields<'a>(&self, record: &Record<'a>) -> Vec<Field<'a>> {
        let mut fields: Vec<Field> = Vec::new();
        for (name, text) in self.names.iter().zip(self.texts_of(record.source)) {
            let title = name.trim_ascii();
            // Objects have one member of a name. A repeated title is numbered, as tools for tables do.
            let repeats = |name: &str| fields.iter().any(|(known, _)| known == name);
            let numbered = (2..).map(|number| format!("{title}_{number}"));
            let unique = if repeats(title) {
                numbered.into_iter().find(|name| !repeats(name))
            } else {
                None
            };
            fields.push((unique.unwrap_or_else(|| title.to_owned()).into(), text));
        }
        fields
    }

    fn cell_places(&self, source: &[u8]) -> [Option<Range<usize>>; 2] {
        let place = |column| self.columns(source).flatten().nth(column).map(|(_, place)| place);
        [place(self.puzzle), self.solution.and_then(place)]
    }

    fn header(&self, style: Style) -> Vec<u8> {
        let mut header = Vec::new();
        self.write_kept_columns(&self.header, style, &mut header);
        for name in style.row.names() {
            header.push(self.delimiter);
            header.extend_from_slice(name.as_bytes());
        }
        header.push(b'\n');
        header
    }

    fn template(&self, first: &[u8], at: usize, style: Style) -> Option<Template> {
        let copied = match style.foreign_input {
            None if self.keeps_all(style) => 0..without_break(first).len(),
            Some(input) if input.column_names().is_empty() => at..at + CELLS,
            _ => return None,
        };
        let (has_count, _) = style.count_and_solution()?;
        let middle = [self.delimiter, b'?', self.delimiter];
        let middle = if has_count { &middle[..] } else { &middle[..1] };
        Some(Template::new(b"", copied, middle, b"\n"))
    }

    fn write(&self, record: &Record, style: Style, out: &mut Vec<u8>) {
        match style.foreign_input {
            None => self.write_kept_columns(record.source, style, out),
            Some(input) => self.write_fields(&input.fields(record), style, out),
        }
        record.for_each(style.row, |_, content| {
            out.push(self.delimiter);
            match content {
                Content::Text(text) => write_column(text, self.delimiter, out),
                content => content.write(out),
            }
        });
        out.push(b'\n');
    }

    fn write_bad(&self, source: &[u8], error: &LineError, style: Style, out: &mut Vec<u8>) {
        let is_split =
            !matches!(error, LineError::Columns { .. } | LineError::OpenQuote | LineError::TooLong);
        if style.foreign_input.is_none() && is_split {
            self.write_kept_columns(source, style, out);
        } else {
            quote(source, out);
            out.extend(std::iter::repeat_n(self.delimiter, self.kept_columns(style).count() - 1));
        }
        for _ in style.row.names() {
            out.extend_from_slice(&[self.delimiter, b'!']);
        }
        out.push(b'\n');
    }
}

/// Whether the line `title` may be a header that names no puzzles: the line `first` has equally
/// many columns, one of which is a puzzle.
pub fn may_be_header(title: &[u8], first: &[u8]) -> bool {
    let is_puzzle = |text| Size::ALL.iter().any(|size| size.parse(text, None).is_ok());
    DELIMITERS.into_iter().any(|delimiter| {
        let is_delimiter = |&byte: &u8| byte == delimiter;
        let mut columns = without_break(first).split(is_delimiter);
        let count = columns.clone().count();
        let of_title = without_break(title).split(is_delimiter);
        count > 1 && of_title.count() == count && columns.any(is_puzzle)
    })
}

// The columns of a line of CSV, split and written.

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
        // Puzzles of other sizes may come as numbers with commas between them.
        write_column(column.as_ref(), delimiter, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_ends_where_its_quotes_are_closed() {
        let csv = Csv::of(b"puzzle", None).unwrap();
        let length = |text: &str, input| csv.first_record_length(text.as_bytes(), input);
        assert_eq!(length("a\nb", Input::Continues), Some(2));
        assert_eq!(length("\"a\nb\"\nc", Input::Continues), Some(6));
        assert_eq!(length("\"a\nb", Input::Continues), None);
        // Never closed: a mistake of the first line alone.
        assert_eq!(length("\"a\nb", Input::HasEnded), Some(3));
        let open = format!("\"a\n{}", "b\n".repeat(MAX_QUOTED_BYTES));
        assert_eq!(length(&open, Input::Continues), Some(3));
        assert_eq!(length("# it\"s\nb", Input::Continues), Some(7));
    }
}

#[cfg(test)]
mod columns_tests {
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
