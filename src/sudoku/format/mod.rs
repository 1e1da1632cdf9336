//! The forms in which sudokus are written: how a stream's text is cut, read and written back.
//!
//! A [`Form`] turns a block of text in any format into plain puzzle lines, which are solved like
//! those of a plain file, and the solved lines back into rows of the output format. Every block
//! holds whole records, so that workers convert blocks side by side.

mod blocks;
pub mod compress;
mod csv;
mod jsonl;
mod lines;
mod picture;
mod record;
mod rows;
mod sniff;

use std::fmt;
use std::str::FromStr;

pub use blocks::{Blocks, ReadError};
pub use record::{Batch, Entry, Kind, lines};
pub use sniff::{Head, sniff};

use super::LineError;
use super::sized::Size;
use super::stream::Row;
use csv::Columns;

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
        "nothing to check: {0} input states no solutions, expected a CSV file with a solution column or JSON lines"
    )]
    NothingToCheck(Format),
    /// Only 9 × 9 grids are told how they are solved.
    #[error("nothing tells how {0} grids are solved, expected 9 × 9")]
    NoStats(Size),
    /// Grids of this size come one a line only.
    #[error("{0} grids are read and written one a line; found format {1}")]
    LinesOnly(Size, Format),
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
    input: Input,
    output: Format,
    check: bool,
    stats: bool,
}

#[derive(Debug, Clone)]
enum Input {
    Lines,
    Sized(Size),
    Csv(Columns),
    Picture,
    Jsonl,
}

impl Form {
    /// One 9 × 9 puzzle a line, in and out.
    pub const LINES: Self =
        Self { input: Input::Lines, output: Format::Lines, check: false, stats: false };

    /// The form of an input that begins with `head` (some first lines, uncompressed).
    ///
    /// # Errors
    /// [`FormError`] if what is wanted does not fit what was found.
    pub fn find(head: &[u8], wanted: &Wanted) -> Result<Self, FormError> {
        let head = sniff::without_mark(head);
        let size = wanted.size.or_else(|| sniff::size(head)).unwrap_or(Size::Nine);
        let format = wanted.format.unwrap_or_else(|| match size {
            Size::Nine => sniff::format(head),
            _ => Format::Lines,
        });
        let output = wanted.output.unwrap_or(format);
        if size != Size::Nine
            && let Some(other) = [format, output].into_iter().find(|&it| it != Format::Lines)
        {
            return Err(FormError::LinesOnly(size, other));
        }
        if size != Size::Nine && wanted.stats {
            return Err(FormError::NoStats(size));
        }
        let input = match format {
            Format::Lines if size == Size::Nine => Input::Lines,
            Format::Lines => Input::Sized(size),
            Format::Csv => Input::Csv(Columns::of(head)?),
            Format::Sdk | Format::Grid => Input::Picture,
            Format::Jsonl => Input::Jsonl,
        };
        let states_solutions = match &input {
            Input::Csv(columns) => columns.state_solutions(),
            Input::Jsonl => true,
            _ => false,
        };
        if wanted.check && !states_solutions {
            return Err(FormError::NothingToCheck(format));
        }
        Ok(Self { input, output, check: wanted.check, stats: wanted.stats })
    }

    /// Whether text passes without conversion: one 9 × 9 puzzle a line, in and out, nothing added.
    pub fn is_plain(&self) -> bool {
        matches!(self.input, Input::Lines) && self.output == Format::Lines && !self.stats
    }

    /// Whether rows tell how their puzzles are solved.
    pub fn stats(&self) -> bool {
        self.stats
    }

    /// The size of the grids.
    pub fn size(&self) -> Size {
        match self.input {
            Input::Sized(size) => size,
            _ => Size::Nine,
        }
    }

    /// What is written before the first row.
    pub fn preamble(&self, row: Row) -> Vec<u8> {
        match (&self.output, &self.input) {
            (Format::Csv, Input::Csv(columns)) => columns.header(row, self.stats),
            (Format::Csv, _) => csv::plain_header(row, self.stats),
            _ => Vec::new(),
        }
    }

    /// Where the last whole record of `text` ends; `text` begins with a record.
    pub fn last_cut(&self, text: &[u8]) -> usize {
        match self.input {
            Input::Picture => picture::last_cut(text),
            _ => text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1),
        }
    }

    /// Reads a block of whole records; `first` if it is the first of its input.
    pub fn read<'a>(&self, text: &'a [u8], first: bool) -> Batch<'a> {
        let mut batch = Batch::default();
        match &self.input {
            Input::Lines | Input::Sized(_) => lines::read(text, &mut batch),
            Input::Csv(columns) => columns.read(text, first, &mut batch),
            Input::Picture => picture::read(text, &mut batch),
            Input::Jsonl => jsonl::read(text, &mut batch),
        }
        batch
    }

    /// Writes the rows of a batch, whose puzzles were solved to `solved` (lines of
    /// `puzzle:count:solution`, and `:method:guesses` behind if the form has stats; counts need no
    /// solutions), to `rows`, and hands bad records to `bad`: the number of their line in the block, what
    /// is wrong, and where their row begins.
    pub fn write(
        &self,
        batch: &Batch,
        solved: &[u8],
        row: Row,
        rows: &mut Vec<u8>,
        bad: &mut dyn FnMut(u64, LineError, usize),
    ) {
        let mut solved = solved.split(|&byte| byte == b'\n');
        let target = self.target(row);
        for entry in &batch.entries {
            match &entry.kind {
                Kind::Kept => rows::keep(self.output, entry, rows),
                Kind::Header => {}
                Kind::Bad(error) => {
                    bad(entry.line, error.clone(), rows.len());
                    rows::write_bad(&target, entry, error, rows);
                }
                Kind::Puzzle { stated } => {
                    let line = solved.next().unwrap_or_default();
                    let answer = rows::Solved::new(line);
                    if self.check
                        && let Err(error) = record::check(&answer, *stated)
                    {
                        bad(entry.line, error, rows.len());
                    }
                    rows::write(&target, entry, &answer, rows);
                }
            }
        }
    }

    fn target(&self, row: Row) -> rows::Target {
        let (input, delimiter) = match &self.input {
            Input::Lines | Input::Sized(_) => (Format::Lines, b','),
            Input::Csv(columns) => (Format::Csv, columns.delimiter()),
            Input::Picture => (Format::Grid, b','),
            Input::Jsonl => (Format::Jsonl, b','),
        };
        rows::Target { output: self.output, input, delimiter, row, stats: self.stats }
    }
}
