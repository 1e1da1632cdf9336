//! Reads placements from text in any notation, a line at a time.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use crate::BoardError;
use crate::place::Placement;
use tallyboard_base::bound::{Line, MAX_VECTOR_BYTES, read_line};

/// Why text is no placement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    /// The board that begins on this line cannot be counted.
    #[error("{line}: {error}")]
    Board {
        /// Line number, from 1.
        line: u64,
        /// Why not.
        error: BoardError,
    },
}

/// Reads the placements of an input in any [`Notation`](super::Notation), and also zero-based vectors, JSON arrays of
/// numbers, JSON documents with a `columns` array, what `minizinc -a` prints, and the SVG pictures that `tallyboard` draws.
///
/// Takes time linear in the input, and memory for one line and one placement. A JSON document is held in memory
/// as a whole, unless it has one placement per line, as the lists that `tallyboard` writes have.
pub struct Reader<'a> {
    /// Not a type parameter: callers without an optimiser would compile the reader again, and it would take three times
    /// as long.
    input: Box<dyn BufRead + 'a>,
    line_number: u64,
    line: Vec<u8>,
    /// Whether the input is an SVG picture, in which only `data-queens` attributes are read.
    is_svg: bool,
    /// The columns of the queens in the rows read so far of a board that is drawn row by row.
    rows: Vec<u32>,
    /// The length of those rows.
    width: usize,
    /// Whether names of files may follow: the line before was the last row of a board, or names of files.
    below_board: bool,
    /// Placements that were read and not returned yet.
    ready: VecDeque<(u64, Placement)>,
}

const A_PLACEMENT: &str = "a placement of queens";

impl<'a> Reader<'a> {
    /// A reader of `input`, which is read as placements are asked for.
    pub fn new(input: impl BufRead + 'a) -> Self {
        Reader {
            input: Box::new(input),
            line_number: 0,
            line: Vec::new(),
            is_svg: false,
            rows: Vec::new(),
            width: 0,
            below_board: false,
            ready: VecDeque::new(),
        }
    }

    /// The next placement and the line on which it ends; `None` at the end of the input.
    ///
    /// # Errors
    /// [`TextError`] with the line that is no part of a placement.
    pub fn next_placement(&mut self) -> Result<Option<(u64, Placement)>, TextError> {
        loop {
            if let Some(placement) = self.ready.pop_front() {
                return Ok(Some(placement));
            }
            self.line.clear();
            let read = read_line(&mut self.input, &mut self.line, MAX_VECTOR_BYTES);
            let read = read.map_err(TextError::Read)?;
            if read == Line::None {
                return if self.rows.is_empty() { Ok(None) } else { Err(self.incomplete_board()) };
            }
            self.line_number += 1;
            if read == Line::Long {
                let found = format!("no end of the line within {} MiB", MAX_VECTOR_BYTES >> 20);
                return Err(self.error(found, A_PLACEMENT));
            }
            let line = std::mem::take(&mut self.line);
            // Editors on Windows begin a file with a byte order mark.
            let byte_order_mark: &[u8] = if self.line_number == 1 { b"\xef\xbb\xbf" } else { b"" };
            let text = line.strip_prefix(byte_order_mark).unwrap_or(&line).trim_ascii();
            let result = self.read_line(text);
            self.line = line;
            result?;
        }
    }

    fn read_line(&mut self, text: &[u8]) -> Result<(), TextError> {
        self.is_svg |= text.starts_with(b"<");
        let below_board = std::mem::take(&mut self.below_board);
        match text {
            _ if self.is_svg => self.read_svg(text),
            // A list with a placement per line is read line by line, so its bracket is skipped below.
            b"[" if self.rows.is_empty() && !self.placement_follows()? => self.read_json(text),
            [b'#', ..] => Ok(()),
            [_, ..] if is_row(without_rank(text)) => self.read_row(without_rank(text)),
            _ if !self.rows.is_empty() => Err(self.incomplete_board()),
            // MiniZinc ends each solution with dashes, and all of them with equals signs.
            [] | b"[" | b"]" | b"----------" | b"==========" => Ok(()),
            // The header of a CSV file: `row1`, `rank8` …
            _ if text.starts_with(b"row") || text.starts_with(b"rank") => Ok(()),
            // Names of two letters take two lines.
            _ if below_board && names_files(text) => {
                self.below_board = true;
                Ok(())
            }
            [b'[' | b'{', ..] => self.read_json(text),
            _ if text.contains(&b'Q') => self.read_fen(text),
            [b'0'..=b'9', ..] => self.read_vector(text),
            _ => Err(self.error(quote(text), A_PLACEMENT)),
        }
    }

    /// Whether the line after the opening bracket of a JSON document has a placement, or ends the list, as in the lists
    /// that `tallyboard` writes.
    fn placement_follows(&mut self) -> Result<bool, TextError> {
        let ahead = self.input.fill_buf().map_err(TextError::Read)?;
        Ok(matches!(ahead.trim_ascii_start(), [b'[', b'"' | b'0'..=b'9', ..] | [b']', ..]))
    }

    fn read_row(&mut self, row: &[u8]) -> Result<(), TextError> {
        const EXPECTED: &str = "a row with one queen, as long as the rows before it";
        if self.rows.is_empty() {
            self.width = row.len();
        }
        let mut queens = row.iter().enumerate().filter(|&(_, &square)| square == b'Q');
        let (Some((column, _)), None, true) =
            (queens.next(), queens.next(), row.len() == self.width)
        else {
            return Err(self.error(quote(row), EXPECTED));
        };
        self.rows.push(column as u32);
        if self.rows.len() == self.width {
            let columns = std::mem::take(&mut self.rows);
            self.push(columns);
            self.below_board = true;
        }
        Ok(())
    }

    fn read_fen(&mut self, text: &[u8]) -> Result<(), TextError> {
        let rows: Vec<&[u8]> = text.split(|&byte| byte == b'/').collect();
        let columns: Option<Vec<u32>> =
            rows.iter().map(|row| fen_column(row, rows.len())).collect();
        let columns =
            columns.ok_or_else(|| self.error(quote(text), "rows such as 1Q2 between /"))?;
        self.push(columns);
        Ok(())
    }

    fn read_vector(&mut self, text: &[u8]) -> Result<(), TextError> {
        if text.len() > 1 && text.iter().all(u8::is_ascii_digit) {
            return self.read_digits(text);
        }
        let fields = text.split(|byte| b" ,\t;".contains(byte)).filter(|field| !field.is_empty());
        let columns: Result<Vec<u32>, TextError> = fields
            .map(|field| number(field).ok_or_else(|| self.error(quote(field), "a column number")))
            .collect();
        self.push_vector(columns?);
        Ok(())
    }

    /// Reads columns without separators, as in 15863724: a digit each, so at most ten.
    fn read_digits(&mut self, digits: &[u8]) -> Result<(), TextError> {
        const EXPECTED: &str = "column numbers with blanks or commas between them";
        if digits.len() > 10 {
            return Err(self.error(quote(digits), EXPECTED));
        }
        self.push_vector(digits.iter().map(|digit| u32::from(digit - b'0')).collect());
        Ok(())
    }

    fn read_svg(&mut self, text: &[u8]) -> Result<(), TextError> {
        const ATTRIBUTE: &str = "data-queens=\"";
        let text = String::from_utf8_lossy(text);
        for after in text.split(ATTRIBUTE).skip(1) {
            let vector = after.split('"').next().unwrap_or_default();
            self.read_vector(vector.as_bytes())?;
        }
        Ok(())
    }

    /// Reads a JSON value that begins with `text`: it ends on this line, or it is all the rest of the input.
    fn read_json(&mut self, text: &[u8]) -> Result<(), TextError> {
        let line = text.strip_suffix(b",").unwrap_or(text);
        let value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(_) => {
                let mut whole = text.to_vec();
                let mut input = self.input.by_ref().take(MAX_VECTOR_BYTES as u64);
                input.read_to_end(&mut whole).map_err(TextError::Read)?;
                serde_json::from_slice(&whole)
                    .map_err(|error| self.error(error.to_string(), "JSON"))?
            }
        };
        self.read_value(&value)
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
                    columns.map_err(|_| self.error("a number past 2^32".to_owned(), EXPECTED))?;
                self.push_vector(columns);
                Ok(())
            }
            Value::Array(items) => {
                for item in items {
                    match item {
                        Value::String(row) => self.read_row(row.as_bytes())?,
                        _ if !self.rows.is_empty() => return Err(self.incomplete_board()),
                        _ => self.read_value(item)?,
                    }
                }
                if self.rows.is_empty() { Ok(()) } else { Err(self.incomplete_board()) }
            }
            other => Err(self.error(quote(other.to_string().as_bytes()), EXPECTED)),
        }
    }

    /// Keeps the placement of a vector. One that contains a 0 counts columns from 0, any other from 1.
    fn push_vector(&mut self, mut columns: Vec<u32>) {
        if !columns.contains(&0) {
            columns.iter_mut().for_each(|column| *column -= 1);
        }
        self.push(columns);
    }

    fn incomplete_board(&self) -> TextError {
        self.error(format!("{} of {} rows", self.rows.len(), self.width), "as many rows as columns")
    }

    /// Keeps a placement to be returned.
    fn push(&mut self, columns: Vec<u32>) {
        self.ready.push_back((self.line_number, Placement::new(columns)));
    }

    fn error(&self, found: String, expected: &'static str) -> TextError {
        TextError::Bad { line: self.line_number, found, expected }
    }
}

/// Whether this is a line of file names as below a board: `abc` and so on.
pub(super) fn names_files(text: &[u8]) -> bool {
    text.iter().zip(b'a'..=b'z').all(|(&found, letter)| found == letter)
        && text.iter().all(u8::is_ascii_lowercase)
}

/// A row of a board without the rank before it.
fn without_rank(text: &[u8]) -> &[u8] {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match text[digits..].split_first() {
        Some((b' ', row)) if digits > 0 => row,
        _ => text,
    }
}

fn is_row(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| b"Q.".contains(byte))
}

/// The start of `text`, for a message.
pub(super) fn quote(text: &[u8]) -> String {
    const MAX_BYTES: usize = 40;
    let shown = String::from_utf8_lossy(&text[..text.len().min(MAX_BYTES)]);
    if text.len() > MAX_BYTES { format!("'{shown}...'") } else { format!("'{shown}'") }
}

fn number(digits: &[u8]) -> Option<u32> {
    // `parse` would take a sign.
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The number of empty squares beside a queen. A row has no `digits` there if there are none.
fn empty_squares(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() { Some(0) } else { number(digits) }
}

/// The column of the one queen of a row such as `1Q2`, which has to be `width` squares long.
fn fen_column(row: &[u8], width: usize) -> Option<u32> {
    let queen = row.iter().position(|&byte| byte == b'Q')?;
    let before = empty_squares(&row[..queen])?;
    let after = empty_squares(&row[queen + 1..])?;
    let squares = u64::from(before) + 1 + u64::from(after);
    (squares == width as u64).then_some(before)
}
