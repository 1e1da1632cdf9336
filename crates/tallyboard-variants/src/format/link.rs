//! Puzzles in links: JSON, compressed by lz-string and written in base 64. SudokuPad also shortens the JSON.

use serde_json::Value;

use super::{Parsed, lz};
use crate::error::{Error, Place};

/// What comes before the puzzle in a link of f-puzzles.
pub(super) const OF_F_PUZZLES: &str = "?load=";
/// What comes before the puzzle in a link of SudokuMaker.
const OF_SUDOKUMAKER: &str = "sudokumaker.app/?puzzle=";
/// The addresses of SudokuPad, behind which comes the puzzle or its name.
const OF_SUDOKUPAD: [&str; 3] =
    ["sudokupad.app/", "app.crackingthecryptic.com/", "sudokupad.svencodes.com/"];
/// What comes before a compressed puzzle: the longest first, since they begin alike.
const FORMATS: [&str; 5] = ["fpuzzles", "fpuz", "sclzles", "scl", "ctc"];

/// What a text is.
pub(super) enum Link<'a> {
    /// No link of these programs.
    None,
    /// A link, or the end of one, that holds this compressed puzzle.
    Puzzle(&'a str),
    /// A link that holds the cells of a sudoku.
    Scf(&'a str),
    /// A link that names a puzzle.
    Name,
}

/// What a text is.
pub(super) fn link(text: &str) -> Link<'_> {
    let text = text.trim();
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Link::None;
    }
    for before in [OF_F_PUZZLES, OF_SUDOKUMAKER] {
        if let Some((_, payload)) = text.split_once(before) {
            return Link::Puzzle(payload.split('&').next().unwrap_or_default());
        }
    }
    let address = OF_SUDOKUPAD.iter().find_map(|address| text.split_once(address));
    let id = address.map_or(text, |(_, id)| id.strip_prefix("sudoku/").unwrap_or(id));
    let id = id.split_once("?puzzleid=").map_or(id, |(_, id)| id);
    let payload = FORMATS.iter().find_map(|format| id.strip_prefix(format));
    // Compressed puzzles are long, and base 64 of lz-string begins with N for `{`.
    if let Some(payload) = payload.filter(|payload| payload.starts_with('N') || address.is_some()) {
        return Link::Puzzle(payload.split(['&', '?']).next().unwrap_or_default());
    }
    if let Some(cells) = id.strip_prefix("scf").filter(|_| address.is_some()) {
        return Link::Scf(cells.split(['&', '?']).next().unwrap_or_default());
    }
    let is_f_puzzles = text.starts_with("http") && text.contains("f-puzzles.com/");
    if address.is_some() || is_f_puzzles { Link::Name } else { Link::None }
}

/// The JSON of a compressed puzzle. A double slash that became a single one on its way is repaired.
pub(super) fn decompress(payload: &str) -> Parsed<Value> {
    /// The most repairs that are tried: each takes some tens of microseconds.
    const MOST_TRIES: usize = 3_000;
    /// The first slashes, which may be double. All repairs of up to four of so many are tried: there are 2,517.
    const MOST_SLASHES: usize = 16;
    let plain = without_escapes(payload);
    let slashes: Vec<usize> =
        plain.match_indices('/').map(|(at, _)| at).take(MOST_SLASHES).collect();
    let mut repairs: Vec<u32> = (0..1 << slashes.len()).collect();
    // The fewest repairs first.
    repairs.sort_by_key(|repair| repair.count_ones());
    for repair in repairs.into_iter().take(MOST_TRIES) {
        let mut repaired = plain.clone();
        for (number, &at) in slashes.iter().enumerate().rev() {
            if repair >> number & 1 == 1 {
                repaired.insert(at, '/');
            }
        }
        if let Some(json) = decompressed(&repaired) {
            return Ok(json);
        }
    }
    let found = "a link whose puzzle cannot be decompressed".to_owned();
    Err((Place::Whole, Error::Json { found, expected: "the whole link" }))
}

fn decompressed(base64: &str) -> Option<Value> {
    // SudokuMaker writes other signs for the slash and the end.
    let base64 = base64.replace('-', "/").replace('$', "=");
    let text = decompressed_text(&base64)?;
    if !text.starts_with('{') {
        return None;
    }
    let plain = serde_json::from_str(&text).ok();
    plain.or_else(|| serde_json::from_str(&lengthened(&text)).ok().map(with_long_names))
}

/// The text that lz-string has compressed; `None` if it is none, or longer than any puzzle.
pub(super) fn decompressed_text(base64: &str) -> Option<String> {
    /// Puzzles with pictures in their decoration have some hundred thousand units.
    const MOST_UNITS: usize = 1 << 22;
    String::from_utf16(&lz::decompress(base64, MOST_UNITS)?).ok()
}

/// Replaces the escapes of characters of base 64 by these characters.
pub(super) fn without_escapes(text: &str) -> String {
    let mut plain = text.to_owned();
    for (escape, character) in [("%2B", "+"), ("%2F", "/"), ("%3D", "="), ("%24", "$")] {
        plain = plain.replace(escape, character).replace(&escape.to_lowercase(), character);
    }
    plain
}

/// The JSON that SudokuPad has shortened: names without quotes, `'` for `"`, nothing for `{}`, `t` and `f` for true and false.
pub fn lengthened(text: &str) -> String {
    let mut json = String::with_capacity(2 * text.len());
    let mut characters = text.chars().peekable();
    // Whether a value has to come: behind `[`, and behind `,` in a list.
    let mut misses_value = false;
    let mut lists = Vec::new();
    while let Some(character) = characters.next() {
        match character {
            '\'' | '"' => read_string(character, &mut characters, &mut json),
            '[' | '{' => {
                lists.push(character == '[');
                json.push(character);
            }
            ',' | ']' | '}' => {
                if misses_value {
                    json.push_str("{}");
                }
                if character != ',' {
                    lists.pop();
                }
                json.push(character);
            }
            ':' => json.push(':'),
            _ => {
                let mut word = character.to_string();
                while let Some(next) =
                    characters.next_if(|next| !matches!(next, ',' | ':' | '[' | ']' | '{' | '}'))
                {
                    word.push(next);
                }
                let is_name = characters.peek() == Some(&':');
                json.push_str(&word_as_json(&word, is_name));
            }
        }
        misses_value = character == '[' || character == ',' && lists.last() == Some(&true);
    }
    json
}

/// A name or a value without quotes as JSON.
fn word_as_json(word: &str, is_name: bool) -> String {
    match word {
        "t" if !is_name => "true".to_owned(),
        "f" if !is_name => "false".to_owned(),
        _ if !is_name && serde_json::from_str::<Value>(word).is_ok() => word.to_owned(),
        _ => Value::from(word).to_string(),
    }
}

/// Copies a string up to its closing quote, with the quotes and escapes of JSON.
fn read_string(
    quote: char,
    characters: &mut std::iter::Peekable<std::str::Chars<'_>>,
    json: &mut String,
) {
    json.push('"');
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\'') => json.push('\''),
                Some(escaped) => json.extend(['\\', escaped]),
                None => {}
            },
            _ if character == quote => break,
            '"' => json.push_str("\\\""),
            _ => json.push(character),
        }
    }
    json.push('"');
}

/// The names that SudokuPad shortens, of those that puzzles are read by.
const SHORT_NAMES: [(&str, &str); 20] = [
    ("ce", "cells"),
    ("re", "regions"),
    ("ca", "cages"),
    ("v", "value"),
    ("cs", "cellSize"),
    ("a", "arrows"),
    ("o", "overlays"),
    ("u", "underlays"),
    ("l", "lines"),
    ("wp", "wayPoints"),
    ("t", "title"),
    ("te", "text"),
    ("c", "color"),
    ("c1", "borderColor"),
    ("c2", "backgroundColor"),
    ("ct", "center"),
    ("w", "width"),
    ("h", "height"),
    ("r", "rounded"),
    ("th", "thickness"),
];

/// The same JSON with the long names.
fn with_long_names(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(with_long_names).collect(),
        Value::Object(fields) => {
            let long = |name: String| {
                let known = SHORT_NAMES.iter().find(|(short, _)| *short == name);
                known.map_or(name, |(_, long)| (*long).to_owned())
            };
            fields.into_iter().map(|(name, value)| (long(name), with_long_names(value))).collect()
        }
        other => other,
    }
}
