//! Puzzles as text: the form of this crate, and those of other programs.

mod error;
mod text;

pub use error::{Mistake, Place, ReadError};

use crate::puzzle::Puzzle;

/// Reads a puzzle. `file` is its name in messages.
///
/// ```
/// let text = "size 4\ncage 5 r1c1 r1c2\ngivens\n1...\n....\n....\n....\n";
/// let puzzle = tallyboard_variants::read(text.as_bytes(), "puzzle.txt")?;
/// assert_eq!(puzzle.solutions().count(), 24);
/// # Ok::<(), tallyboard_variants::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] names the line, what was found and what was expected.
pub fn read(bytes: &[u8], file: &str) -> Result<Puzzle, ReadError> {
    let fail = |place, error| ReadError { file: file.to_owned(), place, error };
    let text = std::str::from_utf8(bytes).map_err(|_| fail(Place::Whole, Mistake::NotUtf8))?;
    text::read(text).map_err(|(line, mistake)| fail(Place::Line(line), mistake))
}

/// The text form of a puzzle, which [`read`] reads as an equal one.
pub fn write(puzzle: &Puzzle) -> String {
    text::write(puzzle)
}
