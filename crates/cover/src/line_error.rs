//! Mistakes in a line of a file.

use crate::cover::CoverError;
use crate::symmetry::SymmetryError;

/// A mistake in a line of a file.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A mistake in an item or an option.
    #[error(transparent)]
    Cover(#[from] CoverError),
    /// A permutation that is not a symmetry.
    #[error(transparent)]
    Symmetry(#[from] SymmetryError),
    /// Something that does not belong where it is.
    #[error("found {found}, expected {expected}")]
    Found {
        /// What was found.
        found: String,
        /// What belongs there.
        expected: String,
    },
    /// A file without items.
    #[error(
        "found the end of the file, expected a drawn puzzle, which begins with 'board:', a line that names items and \
         a line for each option, 'p ec', or rows of 0 and 1"
    )]
    NoItems,
    /// An error in a file that was read as Knuth's format because its first line is of no other format.
    #[error(
        "{0} (read as Knuth's format: the first line begins neither with 'board:' nor as any other format does)"
    )]
    Knuth(Box<LineError>),
}

/// The number of a line, from 1, and the mistake in it.
pub(crate) type LocatedError = (usize, LineError);

/// The mistake of something that does not belong where it is.
pub(crate) fn mistake(found: impl Into<String>, expected: impl Into<String>) -> LineError {
    LineError::Found { found: found.into(), expected: expected.into() }
}
