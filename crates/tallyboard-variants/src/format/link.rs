//! Puzzles in links: JSON, compressed by lz-string and written in base 64.

use super::Parsed;
use crate::error::{Error, Place};

/// What comes before the puzzle in a link of f-puzzles, and in one of SudokuPad that shows a puzzle of f-puzzles.
const PREFIXES: [&str; 3] = ["?load=", "/fpuzzles", "/fpuz"];

/// The compressed puzzle in a link; `None` if the text is not a link with a puzzle.
pub(super) fn payload(text: &str) -> Option<&str> {
    let text = text.trim();
    if !text.starts_with("http") || text.contains(char::is_whitespace) {
        return None;
    }
    let found = PREFIXES.iter().find_map(|prefix| text.split_once(prefix));
    found.map(|(_, payload)| payload.split('&').next().unwrap_or_default())
}

/// The JSON of a compressed puzzle.
pub(super) fn decompress(payload: &str) -> Parsed<String> {
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
