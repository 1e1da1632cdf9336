//! Mistakes in files and symmetries: what was found, and what was expected.

use crate::cover::CoverError;

/// A mistake in a line of a file, or in a symmetry.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// A mistake in an item or an option.
    #[error(transparent)]
    Cover(#[from] CoverError),
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
    Knuth(Box<Mistake>),
}

/// The number of a line, from 1, and the mistake in it.
pub(crate) type LocatedMistake = (usize, Mistake);

/// The mistake of something that does not belong where it is.
pub(crate) fn mistake(found: impl Into<String>, expected: impl Into<String>) -> Mistake {
    Mistake::Found { found: found.into(), expected: expected.into() }
}
