//! Puzzles as text: the form of this crate, and those of other programs.

mod fpuzzles;
mod json;
mod link;
mod sudokupad;
mod text;

use serde_json::Value;

use crate::error::{Error, Place};
use crate::puzzle::Puzzle;

/// Reads a puzzle: the text form, JSON of f-puzzles or SudokuPad, or a link that holds a puzzle of f-puzzles. `file` is its name in messages.
///
/// ```
/// let text = "size 4\ncage 5 r1c1 r1c2\ngivens\n1...\n....\n....\n....\n";
/// let puzzle = tallyboard::variants::read(text.as_bytes(), "puzzle.txt")?;
/// assert_eq!(puzzle.solutions().count(), 24);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::File`] names the line, what was found and what was expected.
pub fn read(bytes: &[u8], file: &str) -> Result<Puzzle, Error> {
    let fail = |place, error| Error::File { file: file.to_owned(), place, error: Box::new(error) };
    let text = std::str::from_utf8(bytes).map_err(|_| fail(Place::Whole, Error::NotUtf8))?;
    // Editors on Windows write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(payload) = link::payload(text) {
        let json = link::decompress(payload).map_err(|(place, mistake)| fail(place, mistake))?;
        return read_json(&json).map_err(|(place, mistake)| fail(place, mistake));
    }
    if text.trim_start().starts_with('{') {
        return read_json(text).map_err(|(place, mistake)| fail(place, mistake));
    }
    text::read(text).map_err(|(line, mistake)| fail(Place::Line(line), mistake))
}

/// Reads a puzzle of f-puzzles or of SudokuPad.
fn read_json(text: &str) -> Result<Puzzle, (Place, Error)> {
    let expected = "a puzzle of f-puzzles or SudokuPad as JSON";
    let not_json = |error: serde_json::Error| {
        let found = format!("no JSON ({error})");
        (Place::Line(error.line()), Error::Json { found, expected })
    };
    match serde_json::from_str(text).map_err(not_json)? {
        Value::Object(puzzle) if sudokupad::is_puzzle(&puzzle) => sudokupad::read(&puzzle),
        Value::Object(puzzle) => fpuzzles::read(&puzzle),
        other => Err(json::wrong("file", &other, expected)),
    }
}

/// The text form of a puzzle, which [`read`] reads as an equal one.
pub fn write(puzzle: &Puzzle) -> String {
    text::write(puzzle)
}
