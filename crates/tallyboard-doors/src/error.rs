//! Why a document could not be read.

use std::io;

/// Why a document could not be read in its format.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input could not be read further.
    #[error("cannot read {name}")]
    Io {
        /// Its name.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A file of one puzzle is longer than any.
    #[error("{name}: found more than {} MiB, expected one puzzle", .limit >> 20)]
    TooLong {
        /// Its name.
        name: String,
        /// The most bytes that are read.
        limit: u64,
    },
    /// The sudokus are in no form that is wanted.
    #[error("{name}: {source}")]
    Sudokus {
        /// The name of the document.
        name: String,
        /// What is wrong.
        source: tallyboard_sudoku::format::FormError,
    },
    /// A mistake in a variant, which names its file and line.
    #[error(transparent)]
    Variant(tallyboard_variants::Error),
    /// A mistake in a cover, which names its file and line.
    #[error(transparent)]
    Cover(tallyboard_cover::format::ReadError),
    /// A mistake in a board of queens.
    #[error("{name}:{source}")]
    Queens {
        /// The name of the document.
        name: String,
        /// The line and what is wrong there.
        source: tallyboard_queens::text::TextError,
    },
}
