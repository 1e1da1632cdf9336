//! Puzzles as text: the form of this crate, and those of other programs.

mod arrows;
mod cages;
mod edited;
pub(crate) mod forms;
mod fpuzzles;
mod futoshiki;
mod game_ids;
mod headed;
mod jigsaw;
mod json;
pub(crate) mod kinds;
mod ksudoku;
mod lettered;
mod link;
mod lz;
mod minizinc;
mod parts;
#[cfg(feature = "penpa")]
mod penpa;
mod pzpr;
mod records;
mod scf;
mod script;
mod skyscrapers;
mod solo;
mod sudokumaker;
mod sudokupad;
mod text;

pub use edited::{Edited, read_edited};
pub use kinds::{KINDS, Kind};
pub use link::lengthened;
#[cfg(feature = "penpa")]
pub use penpa::{StarBattle, star_battle};
pub use records::Records;
use serde_json::Value;
use tallyboard_base::text::{is_blank, lines::text_of};
pub use text::{write, write_rule};

use crate::error::{Error, Place};
use crate::puzzle::Puzzle;
use link::Link;
use parts::Part;

/// Reads a puzzle: the text form, a bare grid of any size, JSON of f-puzzles, SudokuMaker or SudokuPad, a link that holds a puzzle of
/// theirs or of puzz.link, a game that KSudoku saved, a game id of Simon Tatham's collection, with the feature `penpa` a link of Penpa, or one of the forms that solvers have for
/// cages, futoshiki and skyscrapers (`FORMS`). `file` is its name in messages.
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
/// [`Error::File`] names the line, what was found and what was expected. What is only drawn beside the rules is an error, and so are
/// several puzzles, which `read_all` of the crate of variants reads.
pub fn read(bytes: &[u8], file: &str) -> Result<Puzzle, Error> {
    let Located { line, puzzle, drawings, .. } = only(bytes, file)?;
    match drawings.is_empty() {
        true => Ok(puzzle),
        false => Err(in_file(file)((Place::of(line), Error::Drawings(drawings)))),
    }
}

/// Reads a puzzle as [`read`] does, and leaves out what is only drawn, of which it returns a list.
///
/// # Errors
/// As for [`read`].
pub fn read_without_drawings(bytes: &[u8], file: &str) -> Result<(Puzzle, Vec<String>), Error> {
    let Located { puzzle, drawings, .. } = only(bytes, file)?;
    Ok((puzzle, drawings))
}

/// The only puzzle of a file.
fn only(bytes: &[u8], file: &str) -> Result<Located, Error> {
    let mut found = read_all(bytes, file)?;
    if let [_, second, ..] = &found[..] {
        return Err(in_file(file)((Place::Line(second.line), Error::Several(found.len()))));
    }
    Ok(found.remove(0))
}

/// A puzzle of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What was drawn beside its rules, which may stand for more.
    pub drawings: Vec<String>,
    /// Whether it is a link among other words, which were not read.
    pub is_in_text: bool,
}

/// Reads the puzzles of a file, one or several: in any form that [`read`] reads, a line or a value of JSON each; in the text form each
/// from its line `size` on; in the forms of solvers each below its head, or blocks between empty lines; links in any text.
///
/// # Errors
/// As for [`read`], but for drawings and the number of puzzles. There is one puzzle at least.
pub fn read_all(bytes: &[u8], file: &str) -> Result<Vec<Located>, Error> {
    let text = text_of(bytes).map_err(|line| in_file(file)((Place::Line(line), Error::NotUtf8)))?;
    let found = each(text).and_then(|found| found.map(|(_, read)| read).collect());
    found.map_err(in_file(file))
}

/// The parts of a text that are puzzles, each read when it is asked for, or what is wrong with the whole text.
fn each(text: &str) -> Parsed<impl Iterator<Item = (Part<'_>, Parsed<Located>)>> {
    let whole = Part { line: 1, text: text.into() };
    let (whole, error) = match read_part(&whole, false) {
        Ok(read) => (Some((whole, Ok(read))), None),
        Err(error) => (None, Some(error)),
    };
    let (parts, is_in_text) = match error {
        None => (Vec::new(), false),
        Some(error) => match parts::parts(text).or_else(|| parts::grids(text)) {
            Some(parts) => (parts, false),
            None => (parts::links(text).unwrap_or(Err(error))?, true),
        },
    };
    let parts = parts.into_iter().map(move |part| {
        let read = read_part(&part, is_in_text);
        (part, read)
    });
    Ok(whole.into_iter().chain(parts))
}

/// The puzzle of a part of a file; the place of a mistake is that in the file.
fn read_part(part: &Part, is_in_text: bool) -> Parsed<Located> {
    match read_alone(&part.text) {
        Ok(Read { puzzle, drawings }) => {
            Ok(Located { line: part.line, puzzle, drawings, is_in_text })
        }
        Err((place, error)) => Err((place.below(part.line), error)),
    }
}

/// Whether bytes are of a form of other programs that puzzles of no other kind have: a link, a game id, JSON of f-puzzles or
/// SudokuPad, or several of these. What is wrong with such a puzzle is told by [`read_all`].
pub fn is_of_another_program(bytes: &[u8]) -> bool {
    let Ok(text) = text_of(bytes) else { return false };
    is_alone(text) || of_a_solver(text).is_some() || parts::parts(text).is_some()
}

/// Whether a text is a single link, game id, or object of another program.
fn is_alone(text: &str) -> bool {
    #[cfg(feature = "penpa")]
    if penpa::payload(text).is_some() {
        return true;
    }
    !matches!(link::link(text), Link::None)
        || pzpr::is_puzzle(text)
        || game_ids::game_id(text).is_some()
        || text.trim_start().starts_with('{')
            && serde_json::from_str(text).is_ok_and(|value| is_puzzle(&value))
}

/// Whether a text is a link that only names a puzzle.
fn is_name(text: &str) -> bool {
    matches!(link::link(text), Link::Name)
}

/// Whether a value is a puzzle of f-puzzles, SudokuMaker or SudokuPad, or a list of cages.
fn is_puzzle(value: &Value) -> bool {
    let of_editors = [sudokupad::is_puzzle, fpuzzles::is_puzzle, sudokumaker::is_puzzle];
    let is_of_an_editor = |object| of_editors.iter().any(|is_puzzle| is_puzzle(object));
    value.as_object().is_some_and(is_of_an_editor) || cages::is_list(value)
}

/// Puzzles of 256 cells are shorter in the forms that solvers have, each cell being named once with a few words beside it.
const MOST_BYTES: usize = 1 << 16;

/// The puzzle of a text in one of the forms that solvers have; `None` if it is in none.
fn of_a_solver(text: &str) -> Option<Parsed<Puzzle>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    forms::OF_SOLVERS.iter().find_map(|(_, read)| read(text))
}

/// The words of a row, between bars, commas, semicolons or blanks, or its characters if it is one word.
fn cells_of_row(row: &str) -> Vec<&str> {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';' || c == '|';
    let words: Vec<&str> = row.split(is_gap).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [word] => word.split("").filter(|letter| !letter.is_empty()).collect(),
        _ => words,
    }
}

/// Whether a word is a single sign for a blank.
fn is_blank_word(word: &str) -> bool {
    word.len() == 1 && word.chars().all(is_blank)
}

/// A number; 0 for a sign that solvers write for a blank.
fn number_or_blank(word: &str) -> Option<u32> {
    if is_blank_word(word) { Some(0) } else { word.parse().ok() }
}

/// `puzzle` with these values in reading order, 0 for none.
fn with_givens(
    mut puzzle: Puzzle,
    values: impl IntoIterator<Item = impl Into<u32>>,
) -> Result<Puzzle, Error> {
    let size = puzzle.size();
    for (number, value) in values.into_iter().map(Into::into).enumerate() {
        if value > 0 {
            puzzle.give(size.cell(number), u8::try_from(value).unwrap_or(u8::MAX))?;
        }
    }
    Ok(puzzle)
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

impl From<Puzzle> for Read {
    fn from(puzzle: Puzzle) -> Self {
        Self { puzzle, drawings: Vec::new() }
    }
}

fn read_alone(text: &str) -> Parsed<Read> {
    match link::link(text) {
        Link::Puzzle(payload) => return read_value(link::decompress(payload)?),
        Link::Scf(cells) => return scf::read(cells).map(Read::from),
        Link::Name => return Err((Place::Whole, Error::ShortLink)),
        Link::None => {}
    }
    if text.trim_start().starts_with('{') {
        return match cages::read(text) {
            Some(puzzle) => puzzle.map(Read::from),
            None => read_json(text),
        };
    }
    #[cfg(feature = "penpa")]
    if let Some(payload) = penpa::payload(text) {
        return penpa::read(payload);
    }
    let puzzle = if let Some(puzzle) = pzpr::read(text) {
        puzzle?
    } else if let Some(id) = game_ids::game_id(text) {
        id.read()?
    } else if ksudoku::is_game(text) {
        ksudoku::read(text)?
    } else {
        let puzzle = of_a_solver(text).or_else(|| pzpr::refuse(text).map(Err));
        puzzle.unwrap_or_else(|| text::read(text))?
    };
    Ok(Read::from(puzzle))
}

/// Reads a puzzle of an editor.
fn read_json(text: &str) -> Parsed<Read> {
    let not_json = |error: serde_json::Error| {
        let found = format!("no JSON ({error})");
        (Place::Line(error.line()), Error::Json { found, expected: JSON_EXPECTED })
    };
    read_value(serde_json::from_str(text).map_err(not_json)?)
}

const JSON_EXPECTED: &str = "a puzzle of f-puzzles, SudokuMaker or SudokuPad as JSON";

fn read_value(value: Value) -> Parsed<Read> {
    match value {
        Value::Object(puzzle) if sudokumaker::is_puzzle(&puzzle) => sudokumaker::read(&puzzle),
        Value::Object(puzzle) if sudokupad::is_puzzle(&puzzle) => sudokupad::read(&puzzle),
        Value::Object(puzzle) => fpuzzles::read(&puzzle),
        other => Err(json::wrong("file", &other, JSON_EXPECTED)),
    }
}
