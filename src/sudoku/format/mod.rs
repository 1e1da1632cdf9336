//! The forms in which sudokus are written: how a stream's text is cut, read and written back.
//!
//! A format is a type with the trait `Syntax`: it splits records off a text, which both cuts the
//! input into chunks and reads them, and writes the row of a record. What was read stands in a
//! `Table`, which any solver answers and any format writes.

mod codec;
pub mod compress;
mod csv;
mod form;
#[cfg(any(test, not(feature = "zstd")))]
mod frames;
mod jsonl;
mod lines;
mod one;
mod picture;
mod sniff;
mod syntax;
mod table;
mod text;

pub(super) use codec::{Codec, Shape};
pub use form::Form;
pub use one::OnePuzzle;
pub use sniff::{Head, sniff};
pub use syntax::Row;
pub(super) use table::Table;

use std::sync::Arc;

use super::sized::Size;
use crate::named::named;
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
    /// Columns under a header that names one of them `puzzle` or `quiz`.
    Csv,
    /// Nine lines of nine cells, without frames when written.
    Sdk,
    /// Nine lines of nine cells in frames of `|`, `-` and `+`; the frames are optional when read.
    Grid,
    /// One JSON object a line, with a string under `puzzle` or `quiz`.
    Jsonl,
}

named! {
    /// Every format, in the order in which help texts list them.
    Format { Lines = "lines", Csv = "csv", Sdk = "sdk", Grid = "grid", Jsonl = "jsonl" }
}

impl Format {
    /// The format of an input whose first line is `first`; lines if nothing else fits. Pictures are 9 × 9.
    fn find(first: &[u8], size: Option<Size>) -> Result<Self, FormError> {
        let first = first.trim_ascii();
        Ok(match first {
            [b'{', ..] => Self::Jsonl,
            _ if jsonl::is_array(first) => return Err(FormError::Array),
            _ if Csv::of(first).is_some() => Self::Csv,
            _ if size.is_none_or(|it| it == Size::Nine) && picture::begins(first) => Self::Grid,
            _ => Self::Lines,
        })
    }

    /// How it is cut, read and written, under this header if it has one.
    fn syntax(self, header: &[u8]) -> Result<Arc<dyn Syntax>, FormError> {
        Ok(match self {
            Self::Lines => Arc::new(Lines),
            Self::Csv => Arc::new(Csv::of(header).ok_or_else(|| {
                let found = String::from_utf8_lossy(&header[..header.len().min(100)]);
                FormError::NoPuzzleColumn(found.into_owned())
            })?),
            Self::Sdk => Arc::new(GridPicture { framed: false }),
            Self::Grid => Arc::new(GridPicture { framed: true }),
            Self::Jsonl => Arc::new(Jsonl),
        })
    }

    /// Whether it draws grids, which are 9 × 9.
    fn is_picture(self) -> bool {
        matches!(self, Self::Sdk | Self::Grid)
    }
}

/// Why an input has no form that it can be read in.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The first line of a CSV file, this one, names no puzzle column.
    #[error("the header {0:?} names no puzzle column, expected one called puzzle or quiz")]
    NoPuzzleColumn(String),
    /// A check was asked for where nothing states solutions.
    #[error(
        "nothing to check: {0} input states no solutions, expected puzzle,solution in each line, a CSV file with a column solution, or JSON lines with a member solution"
    )]
    NothingToCheck(Format),
    /// Only 9 × 9 grids are told how they are solved.
    #[error("statistics tell how 9 × 9 grids are solved; found {0}")]
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
