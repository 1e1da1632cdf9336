//! Placements as text: written and read in every layout that people use.

use std::io::{self, BufRead, Read};
use std::str::FromStr;

use super::place::Placement;

/// A layout of one placement. All but boards and JSON count columns from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A line of `Q` and `.` for each row, and an empty line after the last.
    Board,
    /// The column of each row's queen: `2 4 1 3`.
    Vector,
    /// An array of the rows of the board: `[".Q..","...Q","Q...","..Q."]`.
    Json,
    /// As the vector, with commas: `2,4,1,3`.
    Csv,
    /// Rows as chess positions are noted, numbers for runs of empty squares: `1Q2/3Q/Q3/2Q1`.
    Fen,
}

impl Layout {
    /// Appends a placement, columns from 0; all but boards without a line break at the end.
    pub fn append(self, columns: impl ExactSizeIterator<Item = u32>, text: &mut Vec<u8>) {
        let n = columns.len();
        match self {
            Layout::Board => {
                columns.for_each(|column| {
                    append_row(column, n, text);
                    text.push(b'\n');
                });
            }
            Layout::Vector => append_vector(columns, text, b' '),
            Layout::Csv => append_vector(columns, text, b','),
            Layout::Json => {
                text.push(b'[');
                append_joined(columns, text, b',', |column, text| {
                    text.push(b'"');
                    append_row(column, n, text);
                    text.push(b'"');
                });
                text.push(b']');
            }
            Layout::Fen => append_joined(columns, text, b'/', |column, text| {
                append_run(column, text);
                text.push(b'Q');
                append_run(n as u32 - 1 - column, text);
            }),
        }
    }
}

fn append_joined(
    columns: impl Iterator<Item = u32>,
    text: &mut Vec<u8>,
    separator: u8,
    append: impl Fn(u32, &mut Vec<u8>),
) {
    for (row, column) in columns.enumerate() {
        if row > 0 {
            text.push(separator);
        }
        append(column, text);
    }
}

fn append_row(column: u32, n: usize, text: &mut Vec<u8>) {
    let begin = text.len();
    text.resize(begin + n, b'.');
    text[begin + column as usize] = b'Q';
}

fn append_run(empty: u32, text: &mut Vec<u8>) {
    if empty > 0 {
        append_number(empty.into(), text);
    }
}

fn append_vector(columns: impl ExactSizeIterator<Item = u32>, text: &mut Vec<u8>, separator: u8) {
    if columns.len() <= SHORT {
        return append_short_vector(columns, text, separator);
    }
    append_joined(columns, text, separator, |column, text| {
        append_number(u64::from(column) + 1, text);
    });
}

/// Vectors up to this length have columns of at most two digits.
const SHORT: usize = 64;

/// Lists of all solutions consist of these: each number is stored as two bytes in a buffer of known
/// size, and the next one overwrites the second of them if it is not needed.
fn append_short_vector(columns: impl Iterator<Item = u32>, text: &mut Vec<u8>, separator: u8) {
    let mut buffer = [separator; 3 * SHORT];
    let mut at = 0;
    for column in columns {
        let number = column as u8 + 1;
        let (tens, ones) = (number / 10, number % 10);
        let two = u8::from(tens > 0);
        // One digit: it comes first, and a separator follows anyway.
        buffer[at] = b'0' + if tens > 0 { tens } else { ones };
        buffer[at + 1] = if tens > 0 { b'0' + ones } else { separator };
        buffer[at + 2] = separator;
        at += 2 + usize::from(two);
    }
    text.extend_from_slice(&buffer[..at.saturating_sub(1)]);
}

fn append_number(number: u64, text: &mut Vec<u8>) {
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Why text is no placement.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The input cannot be read.
    #[error("cannot read")]
    Read(#[source] io::Error),
    /// Something else was found, on this line.
    #[error("{line}: found {found}, expected {expected}")]
    Bad {
        /// Line number, from 1.
        line: u64,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
}

/// The placements of an input in any [`Layout`] (also zero-based vectors, JSON arrays of numbers,
/// documents with a `columns` array, and the pictures that this crate draws).
///
/// Linear in the input; memory for one line and one placement, or for a whole JSON document unless
/// it has a placement a line, as lists do.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line_number: u64,
    line: Vec<u8>,
    /// Whether the input is a picture, in which only marked lines matter.
    is_picture: bool,
    /// Columns of the board that is being read row by row, and its size.
    rows: Vec<u32>,
    width: usize,
    /// Read, but not handed out yet; the next one last.
    ready: Vec<(u64, Placement)>,
}

/// No line is longer, nor a JSON document of several: a vector of ten million queens takes 79 MB.
const LONGEST_LINE: u64 = 128 << 20;

impl<R: BufRead> Reader<R> {
    /// Reads `input` as it is asked for placements.
    pub fn new(input: R) -> Self {
        Reader {
            input,
            line_number: 0,
            line: Vec::new(),
            is_picture: false,
            rows: Vec::new(),
            width: 0,
            ready: Vec::new(),
        }
    }

    /// The next placement and the line on which it ends; `None` at the end of the input.
    ///
    /// # Errors
    /// [`TextError`] with the line that is no part of a placement.
    pub fn next_placement(&mut self) -> Result<Option<(u64, Placement)>, TextError> {
        loop {
            if let Some(placement) = self.ready.pop() {
                return Ok(Some(placement));
            }
            self.line.clear();
            let mut input = self.input.by_ref().take(LONGEST_LINE);
            if input.read_until(b'\n', &mut self.line).map_err(TextError::Read)? == 0 {
                return if self.rows.is_empty() {
                    Ok(None)
                } else {
                    Err(self.bad(format!("{} rows", self.rows.len()), "as many rows as columns"))
                };
            }
            self.line_number += 1;
            if self.line.len() as u64 == LONGEST_LINE && !self.line.ends_with(b"\n") {
                let found = format!("no end of the line within {} MiB", LONGEST_LINE >> 20);
                return Err(self.bad(found, "a placement of queens"));
            }
            let line = std::mem::take(&mut self.line);
            let text = line.trim_ascii();
            let read = self.read_line(text);
            self.line = line;
            read?;
        }
    }

    fn read_line(&mut self, text: &[u8]) -> Result<(), TextError> {
        const EXPECTED: &str = "a placement of queens";
        self.is_picture |= text.starts_with(b"<");
        match text {
            _ if self.is_picture => self.read_picture(text),
            b"[" if !self.has_an_item_a_line()? => self.read_json(text),
            [] | [b'#', ..] | b"[" | b"]" => Ok(()),
            [b'r', b'o', b'w', ..] => Ok(()),
            [b'[' | b'{', ..] => self.read_json(text),
            _ if text.iter().all(|byte| b"Q.".contains(byte)) => self.read_row(text),
            _ if text.contains(&b'Q') => self.read_fen(text),
            [b'0'..=b'9', ..] => self.read_vector(text),
            _ => Err(self.bad(quote(text), EXPECTED)),
        }
    }

    /// Whether the line after an opening bracket begins with a whole placement, as in our lists.
    fn has_an_item_a_line(&mut self) -> Result<bool, TextError> {
        let ahead = self.input.fill_buf().map_err(TextError::Read)?;
        let ahead = ahead.trim_ascii_start();
        Ok(matches!(ahead, [b'[', b'"' | b'0'..=b'9', ..] | [b']', ..]))
    }

    fn read_row(&mut self, row: &[u8]) -> Result<(), TextError> {
        const EXPECTED: &str = "a row with one queen, as long as the rows before it";
        if self.rows.is_empty() {
            self.width = row.len();
        }
        let mut queens = row.iter().enumerate().filter(|&(_, &square)| square == b'Q');
        let (Some((column, _)), None) = (queens.next(), queens.next()) else {
            return Err(self.bad(quote(row), EXPECTED));
        };
        if row.len() != self.width {
            return Err(self.bad(quote(row), EXPECTED));
        }
        self.rows.push(column as u32);
        if self.rows.len() == self.width {
            let columns = std::mem::take(&mut self.rows);
            self.finish(columns);
        }
        Ok(())
    }

    fn read_fen(&mut self, text: &[u8]) -> Result<(), TextError> {
        let rows = text.split(|&byte| byte == b'/');
        let columns: Option<Vec<u32>> = rows.map(fen_column).collect();
        let columns = columns.ok_or_else(|| self.bad(quote(text), "rows such as 1Q2 between /"))?;
        self.finish(columns);
        Ok(())
    }

    fn read_vector(&mut self, text: &[u8]) -> Result<(), TextError> {
        let fields = text.split(|byte| b" ,\t;".contains(byte)).filter(|field| !field.is_empty());
        let mut columns = Vec::new();
        for field in fields {
            match number(field) {
                Some(column) => columns.push(column),
                None => return Err(self.bad(quote(field), "a column number")),
            }
        }
        self.finish_vector(columns);
        Ok(())
    }

    fn read_picture(&mut self, text: &[u8]) -> Result<(), TextError> {
        const MARK: &str = "data-queens=\"";
        let text = String::from_utf8_lossy(text);
        for part in text.split(MARK).skip(1) {
            self.read_vector(part.split('"').next().unwrap_or_default().as_bytes())?;
        }
        // They were put up in order, and are taken from the end.
        self.ready.reverse();
        Ok(())
    }

    fn read_json(&mut self, text: &[u8]) -> Result<(), TextError> {
        let line = text.strip_suffix(b",").unwrap_or(text);
        let value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(_) => {
                let mut whole = text.to_vec();
                let mut input = self.input.by_ref().take(LONGEST_LINE);
                input.read_to_end(&mut whole).map_err(TextError::Read)?;
                serde_json::from_slice(&whole)
                    .map_err(|error| self.bad(error.to_string(), "JSON"))?
            }
        };
        self.read_value(&value)?;
        self.ready.reverse();
        Ok(())
    }

    fn read_value(&mut self, value: &serde_json::Value) -> Result<(), TextError> {
        use serde_json::Value;
        const EXPECTED: &str = "an array of rows or of columns";
        match value {
            Value::Object(object) if object.contains_key("columns") => {
                self.read_value(&object["columns"])
            }
            Value::Array(items) if items.iter().all(Value::is_u64) && !items.is_empty() => {
                let columns = items.iter().filter_map(Value::as_u64);
                let columns: Result<Vec<u32>, _> = columns.map(u32::try_from).collect();
                let columns =
                    columns.map_err(|_| self.bad("a number past 2^32".to_owned(), EXPECTED))?;
                self.finish_vector(columns);
                Ok(())
            }
            Value::Array(items) => items.iter().try_for_each(|item| match item {
                Value::String(row) => self.read_row(row.as_bytes()),
                item => self.read_value(item),
            }),
            other => Err(self.bad(quote(other.to_string().as_bytes()), EXPECTED)),
        }
    }

    /// A vector counts from 0 if it has a 0, else from 1.
    fn finish_vector(&mut self, mut columns: Vec<u32>) {
        if !columns.contains(&0) {
            columns.iter_mut().for_each(|column| *column -= 1);
        }
        self.finish(columns);
    }

    fn finish(&mut self, columns: Vec<u32>) {
        self.ready.push((self.line_number, Placement::new(columns)));
    }

    fn bad(&self, found: String, expected: &'static str) -> TextError {
        TextError::Bad { line: self.line_number, found, expected }
    }
}

/// The start of `text`, for a message.
fn quote(text: &[u8]) -> String {
    const MOST: usize = 40;
    let shown = String::from_utf8_lossy(&text[..text.len().min(MOST)]);
    if text.len() > MOST { format!("'{shown}...'") } else { format!("'{shown}'") }
}

fn number(digits: &[u8]) -> Option<u32> {
    u32::from_str(std::str::from_utf8(digits).ok()?).ok()
}

/// The column of the one queen of a row such as `1Q2`.
fn fen_column(row: &[u8]) -> Option<u32> {
    let at = row.iter().position(|&byte| byte == b'Q')?;
    let runs_are_numbers = row[at + 1..].iter().all(u8::is_ascii_digit);
    let before = if at == 0 { Some(0) } else { number(&row[..at]) };
    before.filter(|_| runs_are_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Vec<Vec<u32>>, String> {
        let mut reader = Reader::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some((_, placement)) = reader.next_placement().map_err(|e| e.to_string())? {
            found.push(placement.columns().to_vec());
        }
        Ok(found)
    }

    fn written(layout: Layout, columns: &[u32]) -> String {
        let mut text = Vec::new();
        layout.append(columns.iter().copied(), &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn the_layouts() {
        let columns = [1, 3, 0, 2];
        assert_eq!(written(Layout::Board, &columns), ".Q..\n...Q\nQ...\n..Q.\n");
        assert_eq!(written(Layout::Vector, &columns), "2 4 1 3");
        assert_eq!(written(Layout::Json, &columns), r#"[".Q..","...Q","Q...","..Q."]"#);
        assert_eq!(written(Layout::Csv, &columns), "2,4,1,3");
        assert_eq!(written(Layout::Fen, &columns), "1Q2/3Q/Q3/2Q1");
    }

    #[test]
    fn other_ways_to_write_a_vector() {
        let expected = Ok(vec![vec![1, 3, 0, 2]]);
        for text in [
            "1 3 0 2",
            "[2, 4, 1, 3]",
            "[\n  2,\n  4,\n  1,\n  3\n]\n",
            r#"{"n":4,"columns":[2,4,1,3]}"#,
            r#"<g data-queens="2 4 1 3">"#,
            "# a comment\nrow1,row2,row3,row4\n2,4,1,3\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("[[1,3,0,2],\n [2,0,3,1]]"), Ok(vec![vec![1, 3, 0, 2], vec![2, 0, 3, 1]]));
        assert_eq!(read(""), Ok(vec![]));
    }

    #[test]
    fn what_is_wrong_and_where() {
        assert_eq!(
            read("2 4 1 3\n2 x 1 3\n").unwrap_err(),
            "2: found 'x', expected a column number"
        );
        assert_eq!(
            read("Q...\n.QQ.\n").unwrap_err(),
            "2: found '.QQ.', expected a row with one queen, as long as the rows before it"
        );
        assert_eq!(read("Q.\n").unwrap_err(), "1: found 1 rows, expected as many rows as columns");
        assert_eq!(read("what\n").unwrap_err(), "1: found 'what', expected a placement of queens");
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let endless = std::io::BufReader::new(std::io::repeat(b'1'));
        let error = Reader::new(endless).next_placement().unwrap_err();
        assert!(error.to_string().starts_with("1: found no end of the line within"), "{error}");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(columns in (1u32..140).prop_flat_map(|n| {
            Just((0..n).collect::<Vec<u32>>()).prop_shuffle()
        })) {
            for layout in [Layout::Board, Layout::Vector, Layout::Json, Layout::Csv, Layout::Fen] {
                prop_assert_eq!(read(&written(layout, &columns)).unwrap(), vec![columns.clone()]);
            }
        }
    }
}
