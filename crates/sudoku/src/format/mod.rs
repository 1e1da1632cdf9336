//! The formats of sudokus: how a stream's text is cut, read and written.
//!
//! A format is a type with the trait `Syntax`: it splits records off a text, which both cuts the
//! input into chunks and reads them, and writes the row of a record. It reads into a `Table`, which any solver
//! answers and any format writes.

mod codec;
#[cfg(feature = "compression")]
pub mod compress;
mod csv;
mod form;
#[cfg(all(feature = "compression", any(test, not(feature = "zstd"))))]
mod frames;
mod jsonl;
mod lines;
mod one;
mod picture;
mod sniff;
mod syntax;
mod table;
mod text;

pub(super) use codec::Codec;
pub use form::Form;
pub use one::OnePuzzle;
pub use sniff::{Head, sniff};
pub(super) use table::{PuzzleRows, Table};

use std::sync::Arc;

pub use super::columns::{Column, RecordPart, Row, RowUnit, Value};
use super::sized::Size;
use base::named::named;
use csv::Csv;
use jsonl::Jsonl;
use lines::Lines;
use picture::GridPicture;
use syntax::Syntax;

/// A way to write sudokus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One puzzle a line: its cells, then any text after a separator.
    Lines,
    /// Columns under a header, one of which is called `puzzle`, `quiz`, `sudoku` or `question`.
    Csv,
    /// Nine lines of nine cells, written without frames.
    Sdk,
    /// Nine lines of nine cells in frames of `|`, `-` and `+`; the frames are optional when read.
    Grid,
    /// One JSON object a line, with a string under one of these names.
    Jsonl,
}

named! {
    /// Every format, in the order in which help texts list them.
    Format { Lines = "lines", Csv = "csv", Sdk = "sdk", Grid = "grid", Jsonl = "jsonl" }
}

impl Format {
    /// The format of an input with this first record or header: the first below that fits, or else lines.
    fn find(first: &[u8], title: Option<&[u8]>, wanted: &FormOptions) -> Result<Self, FormError> {
        let first = first.trim_ascii();
        let column = wanted.column.as_deref();
        Ok(match first {
            [b'{', ..] => Self::Jsonl,
            _ if jsonl::is_array(first) => return Err(FormError::Array),
            _ if Csv::of(first, column).is_some() => Self::Csv,
            _ if column.is_some() => return Err(no_column(title.unwrap_or(first), column)),
            _ if wanted.size.is_none_or(|it| it == Size::Nine) && picture::begins(first) => {
                Self::Grid
            }
            _ if title.is_some_and(|title| csv::may_be_header(title, first)) => {
                return Err(no_column(title.unwrap_or_default(), None));
            }
            _ => Self::Lines,
        })
    }

    /// The syntax for output with columns of these names, if the format has columns; `column` is
    /// the name of the puzzle's, if that is given.
    fn output(self, names: &[String], column: Option<&str>) -> Arc<dyn Syntax> {
        let puzzle = || Csv::of(b"puzzle", None);
        match self {
            Self::Lines => Arc::new(Lines),
            Self::Csv => {
                Arc::new(Csv::with(names, column).or_else(puzzle).expect("a column of puzzles"))
            }
            Self::Sdk => Arc::new(GridPicture { has_frames: false }),
            Self::Grid => Arc::new(GridPicture { has_frames: true }),
            Self::Jsonl => Arc::new(Jsonl::default()),
        }
    }

    /// Whether a puzzle takes several lines. Only 9 × 9 grids are written so.
    fn is_multi_line(self) -> bool {
        matches!(self, Self::Sdk | Self::Grid)
    }
}

fn no_column(header: &[u8], column: Option<&str>) -> FormError {
    let header = String::from_utf8_lossy(&header[..header.len().min(100)]).trim().to_owned();
    match column {
        Some(name) => FormError::NoColumn { header, name: name.to_owned() },
        None => FormError::NoPuzzleColumn(header),
    }
}

/// Why an input cannot be read, or not as wanted.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The first line of a CSV file, this one, names no puzzle column.
    #[error(
        "the header {0:?} names no puzzle column, expected one called puzzle, quiz, sudoku or question; \
         --column takes another name"
    )]
    NoPuzzleColumn(String),
    /// The first line of an input has no column of the name that was asked for.
    #[error(
        "found no column {name:?} in {header:?}, expected its name in the header of a CSV file or in JSON lines"
    )]
    NoColumn {
        /// The first line.
        header: String,
        /// What was asked for.
        name: String,
    },
    /// Rows of another input have other columns.
    #[error(
        "found rows with the columns {header:?}, expected those of the first file, {expected:?}"
    )]
    OtherColumns {
        /// The header of these rows.
        header: String,
        /// The header that is written already.
        expected: String,
    },
    /// A check was asked for where nothing states solutions.
    #[error(
        "nothing to check: {0} input states no solutions, expected puzzle,solution in each line, or a CSV \
         file or JSON lines with a column solution, answer or found"
    )]
    NothingToCheck(Format),
    /// Only 9 × 9 grids have this column.
    #[error("the column {0} is one of 9 × 9 grids; found {1}")]
    NoColumnOf(&'static str, Size),
    /// Only 9 × 9 grids have several rows.
    #[error("expected 9 × 9 grids, found {0}")]
    NineOnly(Size),
    /// Grids of this size are written in one line each; the format takes several.
    #[error("{0} grids are read and written as lines, csv or jsonl; found format {1}")]
    LinesOnly(Size, Format),
    /// A JSON array.
    #[error("found a JSON array, expected one object a line; try jq -c '.[]'")]
    Array,
    /// Text in another encoding, or no text.
    #[error("found {0}, expected UTF-8 text; {1}")]
    NoText(&'static str, &'static str),
}

/// The form that the caller wants for a stream. Whatever is `None` follows from the input's first lines.
#[derive(Debug, Default, Clone)]
pub struct FormOptions {
    /// The format of the input.
    pub format: Option<Format>,
    /// The format of the output; that of the input by default.
    pub output: Option<Format>,
    /// The size of the grids.
    pub size: Option<Size>,
    /// The name of the column that holds the puzzles; by default `puzzle`, `quiz`, `sudoku`, `question` or
    /// the plural of one of these, the first of them that is there.
    pub column: Option<String>,
    /// Compare with the solutions that the input states.
    pub check: bool,
}
