//! Puzzles as text: the form of this crate, and those of other programs.

mod fpuzzles;
mod json;
mod ksudoku;
mod lettered;
mod link;
#[cfg(feature = "penpa")]
mod penpa;
mod solo;
mod sudokupad;
mod text;

use serde_json::Value;
pub use text::write;

use crate::error::{Error, Place};
use crate::puzzle::Puzzle;
use link::Link;

/// Reads a puzzle: the text form, a bare grid of any size, JSON of f-puzzles or SudokuPad, a link that holds a puzzle of theirs, a
/// game that KSudoku saved, a picture of lettered cages with clues below, a game id of Solo, or with the feature `penpa` a link of Penpa.
/// `file` is its name in messages.
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
    match read_any_format(bytes) {
        Ok(Read { puzzle, drawings }) if drawings.is_empty() => Ok(puzzle),
        Ok(Read { drawings, .. }) => Err(in_file(file)((Place::Whole, Error::Drawings(drawings)))),
        Err(error) => Err(in_file(file)(error)),
    }
}

/// Reads a puzzle as [`read`] does, and leaves out what is only drawn, of which it returns a list.
///
/// # Errors
/// As for [`read`].
pub fn read_without_drawings(bytes: &[u8], file: &str) -> Result<(Puzzle, Vec<String>), Error> {
    let read = read_any_format(bytes).map_err(in_file(file))?;
    Ok((read.puzzle, read.drawings))
}

/// Whether bytes are of a form of other programs that puzzles of no other kind have: a link, a game id, JSON of f-puzzles or
/// SudokuPad. What is wrong with such a puzzle is told by [`read`].
pub fn is_of_another_program(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes).map(without_mark) else { return false };
    #[cfg(feature = "penpa")]
    if penpa::payload(text).is_some() {
        return true;
    }
    let is_json = || match serde_json::from_str(text) {
        Ok(Value::Object(puzzle)) => sudokupad::is_puzzle(&puzzle) || fpuzzles::is_puzzle(&puzzle),
        _ => false,
    };
    !matches!(link::link(text), Link::None)
        || solo::is_game_id(text)
        || text.trim_start().starts_with('{') && is_json()
}

/// The text without the byte order mark that editors on Windows write.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn in_file(file: &str) -> impl FnOnce((Place, Error)) -> Error {
    let file = file.to_owned();
    move |(place, error)| Error::File { file, place, error: Box::new(error) }
}

/// What was read, or a mistake and its place in the file.
type Parsed<T> = Result<T, (Place, Error)>;

/// A puzzle, and what was drawn beside its rules.
struct Read {
    puzzle: Puzzle,
    drawings: Vec<String>,
}

fn read_any_format(bytes: &[u8]) -> Parsed<Read> {
    let text = std::str::from_utf8(bytes).map_err(|_| (Place::Whole, Error::NotUtf8))?;
    let text = without_mark(text);
    match link::link(text) {
        Link::Puzzle(payload) => return read_value(link::decompress(payload)?),
        Link::Name => return Err((Place::Whole, Error::ShortLink)),
        Link::None => {}
    }
    if text.trim_start().starts_with('{') {
        return read_json(text);
    }
    #[cfg(feature = "penpa")]
    if let Some(payload) = penpa::payload(text) {
        return penpa::read(payload);
    }
    let puzzle = if solo::is_game_id(text) {
        solo::read(text)?
    } else if ksudoku::is_game(text) {
        ksudoku::read(text)?
    } else if lettered::is_puzzle(text) {
        lettered::read(text)?
    } else {
        text::read(text)?
    };
    Ok(Read { puzzle, drawings: Vec::new() })
}

/// Reads a puzzle of f-puzzles or of SudokuPad.
fn read_json(text: &str) -> Parsed<Read> {
    let not_json = |error: serde_json::Error| {
        let found = format!("no JSON ({error})");
        (Place::Line(error.line()), Error::Json { found, expected: JSON_EXPECTED })
    };
    read_value(serde_json::from_str(text).map_err(not_json)?)
}

const JSON_EXPECTED: &str = "a puzzle of f-puzzles or SudokuPad as JSON";

fn read_value(value: Value) -> Parsed<Read> {
    match value {
        Value::Object(puzzle) if sudokupad::is_puzzle(&puzzle) => sudokupad::read(&puzzle),
        Value::Object(puzzle) => fpuzzles::read(&puzzle),
        other => Err(json::wrong("file", &other, JSON_EXPECTED)),
    }
}
