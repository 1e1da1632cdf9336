//! The forms in which sudokus are written: how a stream's text is cut, read and written back.
//!
//! A format is a type with the trait `Syntax`: it splits records off a text, which both cuts the
//! input into chunks and reads them, and writes the row of a record. What was read stands in a
//! `Table`, which any solver answers and any format writes.

mod check;
pub mod compress;
mod csv;
#[cfg(any(test, not(feature = "zstd")))]
mod frames;
mod jsonl;
mod lines;
mod picture;
mod single;
mod sniff;
mod syntax;
mod table;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use memchr::memchr;
pub use single::{Puzzle, Single};
pub use sniff::{Head, sniff};
pub use syntax::Row;
use syntax::{Records, Shown, Syntax};
pub(super) use table::{Item, Record, Table};

use super::CELLS;
use super::block::{Kernel, Run, Shape};
use super::error::BadLine;
use super::sized::{Notation, Size};
use csv::Csv;
use jsonl::Jsonl;
use lines::Lines;
use picture::Picture;

/// A way to write sudokus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One puzzle a line: its cells, then any text after a separator.
    Lines,
    /// Columns under a header that names one of them `puzzle` or `quiz`.
    Csv,
    /// Nine lines of nine cells, without frames when written.
    Sdk,
    /// Nine lines of nine cells in frames of `|`, `-` and `+`; the frames are optional when read.
    Grid,
    /// One JSON object a line, with a string under `puzzle` or `quiz`.
    Jsonl,
}

impl Format {
    /// Every format, in the order in which help texts list them.
    pub const ALL: [Self; 5] = [Self::Lines, Self::Csv, Self::Sdk, Self::Grid, Self::Jsonl];

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Csv => "csv",
            Self::Sdk => "sdk",
            Self::Grid => "grid",
            Self::Jsonl => "jsonl",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let named = Self::ALL.into_iter().find(|format| format.name() == name);
        named.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A name that is no format's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {0:?}, expected one of lines, csv, sdk, grid, jsonl")]
pub struct UnknownFormat(String);

/// Why an input has no form that it can be read in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The first line of a CSV file names no puzzle column.
    #[error("the header {found:?} names no puzzle column, expected one called puzzle or quiz")]
    NoPuzzleColumn {
        /// The first line.
        found: String,
    },
    /// A check was asked for where nothing states solutions.
    #[error(
        "nothing to check: {0} input states no solutions, expected puzzle,solution in each line, a CSV file with a solution column, or JSON lines"
    )]
    NothingToCheck(Format),
    /// Only 9 × 9 grids are told how they are solved.
    #[error("nothing tells how {0} grids are solved, expected 9 × 9")]
    NoStats(Size),
    /// Grids of this size cannot be drawn.
    #[error("{0} grids are read and written as lines, csv or jsonl; found format {1}")]
    NoPicture(Size, Format),
    /// A JSON array.
    #[error("found a JSON array, expected one object a line; try jq -c '.[]'")]
    Array,
    /// Text in another encoding, or no text.
    #[error("found {0}, expected UTF-8 text; {1}")]
    NoText(&'static str, &'static str),
}

/// What is asked of a stream's form; what is left out is found from the input's first lines.
#[derive(Debug, Default, Clone, Copy)]
pub struct Wanted {
    /// The format of the input.
    pub format: Option<Format>,
    /// The format of the output; that of the input by default.
    pub output: Option<Format>,
    /// The size of the grids.
    pub size: Option<Size>,
    /// Compare with the solutions that the input states.
    pub check: bool,
    /// Tell of each puzzle how it is solved.
    pub stats: bool,
}

/// How the text of one stream is read and written.
#[derive(Debug, Clone)]
pub struct Form {
    input: Arc<dyn Syntax>,
    /// Another format for the output.
    other: Option<Arc<dyn Syntax>>,
    /// Rows are those of plain lines.
    plain: bool,
    size: Size,
    notation: Option<Notation>,
    check: bool,
    stats: bool,
    /// The text up to the end of the header, which is no record.
    preamble: Vec<u8>,
}

impl Form {
    /// One 9 × 9 puzzle a line, in and out.
    pub fn lines() -> Self {
        Self {
            input: Arc::new(Lines),
            other: None,
            plain: true,
            size: Size::Nine,
            notation: None,
            check: false,
            stats: false,
            preamble: Vec::new(),
        }
    }

    /// The form of an input that begins with `head`: uncompressed text up to the end of the first line
    /// that is neither empty nor a comment, or more.
    ///
    /// # Errors
    /// [`FormError`] if what is wanted does not fit what was found.
    pub fn find(head: &[u8], wanted: &Wanted) -> Result<Self, FormError> {
        sniff::text(head)?;
        let head = sniff::without_mark(head);
        let (before, first) = sniff::first_line(head);
        let format = match wanted.format {
            Some(format) => format,
            None => sniff::format(first, wanted.size)?,
        };
        let (output, other) = match wanted.output.filter(|&output| output != format) {
            Some(output) => (output, Some(output)),
            None => (format, None),
        };
        let syntax = |format, header| {
            Ok::<Arc<dyn Syntax>, FormError>(match format {
                Format::Lines => Arc::new(Lines),
                Format::Csv => Arc::new(Csv::of(header)?),
                Format::Sdk | Format::Grid => Arc::new(Picture { framed: format == Format::Grid }),
                Format::Jsonl => Arc::new(Jsonl),
            })
        };
        let input = syntax(format, without_break(first))?;
        let header = if format == Format::Csv { before + first.len() } else { 0 };
        let (_, record) = sniff::first_line(&head[header..]);
        let (size, notation) = sniff::size(record, &*input, wanted.size);
        let picture =
            [format, output].into_iter().find(|&it| matches!(it, Format::Sdk | Format::Grid));
        if let Some(picture) = picture.filter(|_| size != Size::Nine) {
            return Err(FormError::NoPicture(size, picture));
        }
        if size != Size::Nine && wanted.stats {
            return Err(FormError::NoStats(size));
        }
        if wanted.check && !input.states_solutions(without_break(first), size) {
            return Err(FormError::NothingToCheck(format));
        }
        Ok(Self {
            input,
            other: other.map(|other| syntax(other, b"puzzle")).transpose()?,
            plain: output == Format::Lines && !wanted.stats,
            size,
            notation,
            check: wanted.check,
            stats: wanted.stats,
            preamble: head[..header].to_vec(),
        })
    }

    /// Whether this is what [`lines`](Self::lines) gives: any run of lines is a stream by itself.
    pub fn is_plain(&self) -> bool {
        self.plain && self.other.is_none() && self.size == Size::Nine
    }

    /// Whether rows tell how their puzzles are solved.
    pub fn stats(&self) -> bool {
        self.stats
    }

    /// The size of the grids.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Where the last whole record of `text` ends; `text` begins with a record.
    pub fn last_cut(&self, text: &[u8]) -> usize {
        self.input.cut(text)
    }

    fn output(&self) -> &dyn Syntax {
        self.other.as_ref().unwrap_or(&self.input).as_ref()
    }

    /// A table for the records of this form, read and written in the vectors of `kernel`.
    pub(super) fn table(&self, kernel: Kernel) -> Table {
        Table::new(kernel, self.size, self.notation, self.check)
    }

    /// What is written before the first row: what stands before it in the input, and a header.
    pub(super) fn begin(&self, row: Row) -> Vec<u8> {
        let mut begin = Vec::new();
        let mut lines: Vec<_> = lines(&self.preamble).collect();
        lines.pop();
        lines.iter().for_each(|line| self.output().keep(line, &mut begin));
        begin.extend(self.output().header(Shown { row, stats: self.stats }));
        begin
    }

    /// The most bytes that may stand before the records: a byte order mark and the preamble.
    pub(super) fn longest_head(&self) -> usize {
        sniff::MARK.len() + self.preamble.len()
    }

    /// `text`, the beginning of an input, without what stands before the records.
    pub(super) fn behind_head<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        sniff::without_mark(text).get(self.preamble.len()..).unwrap_or_default()
    }

    /// The number of lines that are no records of the stream, but stand before them.
    pub(super) fn lines_before(&self) -> u64 {
        lines_of(&self.preamble).count() as u64
    }

    /// Reads a chunk of whole records.
    pub(super) fn read(&self, text: &[u8], table: &mut Table) {
        self.input.read(text, table);
    }

    /// Writes the rows of `text`, which was read into `table` and solved there. Gives the bad records,
    /// their lines numbered within the text, and where the row of the first of them begins.
    pub(super) fn write(
        &self,
        text: &[u8],
        table: &Table,
        row: Row,
        rows: &mut Vec<u8>,
    ) -> (Vec<BadLine>, Option<usize>) {
        let (output, own) = (self.output(), self.other.is_none());
        let shown = Shown { row, stats: self.stats };
        let (mut bad, mut first_bad) = (Vec::new(), None);
        table.walk(text, |item| match item {
            Item::Run(run) => self.write_run(run, table, row, rows),
            Item::Kept(line) => output.keep(line, rows),
            Item::Bad { line, source, error } => {
                first_bad.get_or_insert(rows.len());
                bad.push(BadLine { line, error: error.clone() });
                output.bad(source, own, error, shown, rows);
            }
            Item::Puzzle { line, record, stated } => {
                if let Some(error) = stated
                    .and_then(|stated| check::check(&record, stated, self.size, self.notation))
                {
                    first_bad.get_or_insert(rows.len());
                    bad.push(BadLine { line, error });
                }
                output.write(&record, row, own, rows);
            }
        });
        (bad, first_bad)
    }

    /// Writes the rows of a run: by the vector those that can be, the others one by one.
    fn write_run(&self, mut run: Run, table: &Table, row: Row, rows: &mut Vec<u8>) {
        let (output, own) = (self.output(), self.other.is_none());
        let Shape { length, at } = run.shape;
        let frame = output.frame(&run.records[..length], at, row, own).filter(|_| !self.stats);
        while !run.records.is_empty() {
            let written = frame.map_or(0, |frame| table.write_run(run, &frame, rows));
            run.records = &run.records[written * length..];
            run.first += written;
            if let Some((record, rest)) = run.records.split_at_checked(length) {
                let (source, mut digits) = (without_break(record), [0; CELLS]);
                let record = table.record(run.first, source, &record[at..][..CELLS], &mut digits);
                output.write(&record, row, own, rows);
                (run.records, run.first) = (rest, run.first + 1);
            }
        }
    }
}

/// Whether a line stands between records: it is empty or a comment.
fn is_between(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || line.trim_ascii().is_empty()
}

/// The shape of records like `first`, a line, whose puzzle is the piece `puzzle` of it; `None` if the
/// puzzle is not a piece of it or not 81 characters, or the line not whole.
fn shape(first: &[u8], puzzle: &[u8]) -> Option<Shape> {
    let at = (puzzle.as_ptr() as usize).wrapping_sub(first.as_ptr() as usize);
    let is_piece = puzzle.len() == CELLS && at < first.len() && at + CELLS < first.len();
    (is_piece && first.ends_with(b"\n")).then_some(Shape { length: first.len(), at })
}

/// The length of the first line of `text`, with and without its line break.
fn line_end(text: &[u8]) -> (usize, usize) {
    let length = memchr(b'\n', text).map_or(text.len(), |end| end + 1);
    (length, without_break(&text[..length]).len())
}

/// `line` without its line break (LF or CRLF).
fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The lines of `text` with their line breaks.
fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// The lines of `text` without their line breaks.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines_of(text).map(without_break)
}

/// Writes a number of solutions.
fn write_count(count: u128, out: &mut Vec<u8>) {
    if count < 10 {
        out.push(b'0' + count as u8);
    } else {
        out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
    }
}
