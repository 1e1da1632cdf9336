//! Puzzles as text: the form of this crate, those of other programs, and links with a compressed puzzle.

mod fpuzzles;
mod json;
mod sudokupad;
mod text;

use serde_json::Value;
pub use text::write;

use crate::error::{Error, Place};
use crate::puzzle::Puzzle;

/// Reads a puzzle: the text form, JSON of f-puzzles or SudokuPad, or a link with a puzzle of f-puzzles. `file` is its name in
/// messages.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_variants as variants; }
/// let text = "size 4\ncage 5 r1c1 r1c2\ngivens\n1...\n....\n....\n....\n";
/// let puzzle = tallyboard::variants::read(text.as_bytes(), "puzzle.txt")?;
/// assert_eq!(puzzle.solutions().count(), 24);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::File`] names the line, what was found and what was expected.
pub fn read(bytes: &[u8], file: &str) -> Result<Puzzle, Error> {
    read_any_format(bytes).map_err(|(place, error)| Error::File {
        file: file.to_owned(),
        place,
        error: Box::new(error),
    })
}

/// What was read, or a mistake and its place in the file.
type Parsed<T> = Result<T, (Place, Error)>;

fn read_any_format(bytes: &[u8]) -> Parsed<Puzzle> {
    let text = std::str::from_utf8(bytes).map_err(|_| (Place::Whole, Error::NotUtf8))?;
    // Editors on Windows write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(payload) = payload(text) {
        return read_json(&decompress(payload)?);
    }
    if text.trim_start().starts_with('{') {
        return read_json(text);
    }
    text::read(text)
}

/// Reads a puzzle of f-puzzles or of SudokuPad.
fn read_json(text: &str) -> Parsed<Puzzle> {
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

/// What comes before the puzzle in a link of f-puzzles, and in one of SudokuPad that shows a puzzle of f-puzzles.
const PREFIXES: [&str; 3] = ["?load=", "/fpuzzles", "/fpuz"];

/// The compressed puzzle in a link; `None` if the text is not a link with a puzzle.
fn payload(text: &str) -> Option<&str> {
    let text = text.trim();
    if !text.starts_with("http") || text.contains(char::is_whitespace) {
        return None;
    }
    let found = PREFIXES.iter().find_map(|prefix| text.split_once(prefix));
    found.map(|(_, payload)| payload.split('&').next().unwrap_or_default())
}

/// The JSON of a compressed puzzle.
fn decompress(payload: &str) -> Parsed<String> {
    let plain = without_escapes(payload);
    let units = lz_str::decompress_from_base64(&plain).unwrap_or_default();
    match String::from_utf16(&units) {
        Ok(json) if json.starts_with('{') => Ok(json),
        _ => {
            let found = "a link whose puzzle cannot be decompressed".to_owned();
            Err((Place::Whole, Error::Json { found, expected: "the whole link" }))
        }
    }
}

/// Replaces the escapes of characters of base 64 by these characters.
fn without_escapes(text: &str) -> String {
    let mut plain = text.to_owned();
    for (escape, character) in [("%2B", "+"), ("%2F", "/"), ("%3D", "=")] {
        plain = plain.replace(escape, character).replace(&escape.to_lowercase(), character);
    }
    // A plus sign of a link that was decoded as a form has become a blank.
    plain.replace(' ', "+")
}
