//! Documents that hold puzzles among other things: XML of OpenSudoku and KSudoku, JSON with lists of rows, and the games that
//! GNOME Sudoku saves. They are read and not written.
//!
//! In XML of OpenSudoku a record ends with a `>`, and in a JSON list of puzzles with the comma behind a member, so such documents of any
//! length are read in pieces. Any other document is one record.

use std::ops::Range;

use memchr::memchr;
use serde_json::Value as Json;
use tallyboard_base::text::value::Brackets;
use tallyboard_base::text::xml::{self, Element};

use super::cells::spelled;
use super::jsonl::Jsonl;
use super::syntax::{Input, PUZZLE_NAMES, Style, Syntax, record_at};
use super::table::{Record, Table};
use super::text::lines_with_breaks;
use crate::{CELLS, Grid, LineError};

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// OpenSudoku's XML.
    Xml,
    /// A game that KSudoku saved.
    Game,
    Json,
    /// A JSON list of puzzles, of which the first begins behind so many `[`.
    List(usize),
}

impl Document {
    /// The kind of the document that begins so; `None` if it is none of those that are read here.
    pub fn of(head: &[u8]) -> Option<Self> {
        let text = head.trim_ascii_start();
        let has = |name: &[u8]| memchr::memmem::find(text, name).is_some();
        match text.first()? {
            b'<' if has(b"<ksudoku") => Some(Self::Game),
            b'<' if has(b"<opensudoku") || has(b"<game ") => Some(Self::Xml),
            b'[' | b'{' => is_json(text).then(|| list_of_puzzles(text).unwrap_or(Self::Json)),
            _ => None,
        }
    }

    /// Reads a piece of XML: text up to a tag, and the tag.
    fn read_xml(piece: &[u8], source: Range<usize>, lines: usize, table: &mut Table) {
        let tag = &piece[memchr(b'<', piece).unwrap_or(piece.len())..];
        let names = ["data", "cells_data"];
        let data = names.iter().find_map(|name| attribute(tag, name));
        match data.filter(|_| tag.starts_with(b"<game")) {
            Some(data) if data.starts_with(SAVED_CELLS) => match saved_cells(data) {
                Some(cells) => table.add_puzzle(source, lines, &cells, b""),
                None => {
                    let version = data[SAVED_CELLS.len()..].first().map(|&byte| char::from(byte));
                    let error = format!(
                        "found cells that OpenSudoku saved in version {}, expected 81 cells in version 1 to 4",
                        version.unwrap_or('?')
                    );
                    table.add_bad(source, lines, 0, LineError::Document(error));
                }
            },
            Some(data) => table.add_puzzle(source, lines, data, b""),
            None => table.skip_lines(lines),
        }
    }

    /// Reads a game of KSudoku. Its rules stand before or behind its values, so it is read as a whole.
    fn read_game(text: &[u8], source: Range<usize>, lines: usize, table: &mut Table) {
        let text = String::from_utf8_lossy(text);
        match game(&text) {
            Ok(cells) => table.add_puzzle(source, lines, &cells, b""),
            Err((line, error)) => table.add_bad(source, lines, line - 1, error),
        }
    }

    /// Reads the next member of a list of puzzles, up to the comma or bracket behind it.
    fn read_member(text: &[u8], place: Range<usize>, depth: usize, table: &mut Table) {
        let piece = &text[place.clone()];
        let Member { place: within, is_ended, .. } = member(piece, depth, Input::HasEnded)
            .unwrap_or(Member { place: 0..piece.len(), is_ended: false, length: 0 });
        let breaks = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
        table.skip_lines(breaks(&piece[..within.start]));
        let lines = breaks(&piece[within.start..]);
        let source = place.start + within.start..place.start + within.end;
        let puzzle = &piece[within];
        if puzzle.is_empty() && is_ended {
            return table.skip_lines(lines);
        }
        if !is_ended {
            let error = "found no ',' or ']' behind a member of a list, expected one of them";
            return table.add_bad(source, lines, 0, LineError::Document(error.to_owned()));
        }
        match of_member(puzzle) {
            Ok(Found { puzzle, stated }) => table.add_puzzle(source, lines, &puzzle, &stated),
            Err((line, error)) => table.add_bad(source, lines, line, error),
        }
    }

    /// Reads a JSON document: a puzzle, a list of puzzles, or a saved game. Lists as languages other than JSON write them are
    /// read, too.
    fn read_json(text: &[u8], source: Range<usize>, lines: usize, table: &mut Table) {
        let found = match serde_json::from_slice::<Json>(text) {
            Ok(Json::Object(game)) if game.get("cells").is_some_and(Json::is_array) => {
                match gnome_game(&game) {
                    Some(grid) => vec![Ok(Found::of(grid.to_bytes()))],
                    None => vec![Err(LineError::Document(NO_PUZZLE.to_owned()))],
                }
            }
            Ok(value @ Json::Object(_)) => match object(text) {
                Ok(found) => vec![Ok(found)],
                Err(error) => match nested(&value) {
                    puzzles if puzzles.is_empty() => vec![Err(error)],
                    puzzles => puzzles.into_iter().map(Ok).collect(),
                },
            },
            Ok(Json::Array(items)) => puzzles_of(&items),
            Ok(_) => Vec::new(),
            Err(_) if spelled(text).is_some() => vec![Ok(Found::of(text))],
            Err(error) => {
                let line = error.line().saturating_sub(1);
                let error = LineError::Document(format!("expected a JSON document: {error}"));
                return table.add_bad(source, lines, line, error);
            }
        };
        if found.is_empty() {
            table.add_bad(source.clone(), lines, 0, LineError::Document(NO_PUZZLE.to_owned()));
        }
        add_all(found, source, lines, table);
    }
}

/// Adds the puzzles of a record of so many lines.
pub fn add_all(
    found: Vec<Result<Found, LineError>>,
    source: Range<usize>,
    lines: usize,
    table: &mut Table,
) {
    for (number, puzzle) in found.into_iter().enumerate() {
        let (source, lines) = (source.clone(), if number == 0 { lines } else { 0 });
        match puzzle {
            Ok(Found { puzzle, stated }) => table.add_puzzle(source, lines, &puzzle, &stated),
            Err(error) => table.add_bad(source, lines, 0, error),
        }
    }
}

/// A puzzle of a document, and the solution that is stated beside it.
pub struct Found {
    pub puzzle: Vec<u8>,
    pub stated: Vec<u8>,
}

impl Found {
    fn of(puzzle: impl AsRef<[u8]>) -> Self {
        Self { puzzle: puzzle.as_ref().to_vec(), stated: Vec::new() }
    }
}

/// What the cells begin with that OpenSudoku exports from a game that was played.
const SAVED_CELLS: &[u8] = b"version: ";

/// The givens of cells that OpenSudoku saved: for each its value, its notes, since version 4 of two kinds, and whether it may be
/// edited.
fn saved_cells(data: &[u8]) -> Option<Vec<u8>> {
    let version = data.strip_prefix(SAVED_CELLS)?;
    let parts = match version.first()? {
        b'1'..=b'3' => 3,
        b'4' => 4,
        _ => return None,
    };
    // A line break, as XML may write it, is before the first cell.
    let rest = &version[1..];
    let rest = rest.strip_prefix(b"&#10;").unwrap_or(rest).trim_ascii();
    let fields = rest.split(|&byte| byte == b'|').filter(|field| !field.is_empty());
    let fields: Vec<&[u8]> = fields.collect();
    let cell = |cell: &[&[u8]]| match (cell[0], cell[parts - 1]) {
        ([value @ b'0'..=b'9'], b"0") => Some(*value),
        (_, b"1") => Some(b'0'),
        _ => None,
    };
    let is_whole = fields.len() == parts * CELLS;
    is_whole.then(|| fields.chunks(parts).map(cell).collect())?
}

/// Whether a text that begins with a bracket is one JSON document, or a list of another language, and not one on each line.
fn is_json(text: &[u8]) -> bool {
    let first = lines_with_breaks(text).next().unwrap_or_default().trim_ascii();
    let second = text[1..].trim_ascii_start().first();
    match serde_json::from_slice::<Json>(first) {
        // Lists and objects on a line each are lines. A list of several puzzles is none of them.
        Ok(value @ Json::Object(_)) => object(first).is_err() && !nested(&value).is_empty(),
        Ok(Json::Array(items)) => {
            spelled(first).is_none() && puzzles_of(&items).iter().any(Result::is_ok)
        }
        Ok(_) => false,
        Err(_) if spelled(first).is_some() => false,
        // The first of several objects on a line each may be damaged.
        Err(_) if text[0] == b'{' => {
            let is_object = |line: &[u8]| {
                line.starts_with(b"{") && serde_json::from_slice::<Json>(line).is_ok()
            };
            let are_lines = lines_with_breaks(text).skip(1).any(is_object);
            let is_named = |name: &&str| {
                let name = format!("\"{name}\"");
                memchr::memmem::find(text, name.as_bytes()).is_some()
            };
            let names = ["cells", "grid", "board", "value"];
            let has_puzzle = || names.iter().chain(&PUZZLE_NAMES).any(is_named);
            !are_lines && (second == Some(&b'{') || has_puzzle())
        }
        // Cells with blanks alone between them are rows of a picture.
        Err(_) => {
            let is_item = |byte: &u8| b"[{\"'".contains(byte) || byte.is_ascii_digit();
            let is_row = first.iter().any(u8::is_ascii_digit) && !first.contains(&b',');
            second.is_some_and(is_item) && (!is_row || first.len() < CELLS / 9)
        }
    }
}

/// A member of a list.
struct Member {
    /// Where it stands; empty behind the last one.
    place: Range<usize>,
    /// Whether a comma or the bracket that closes the list is behind it.
    is_ended: bool,
    /// The length of the text up to the next member.
    length: usize,
}

/// The member that `text` begins with, for the first one behind the brackets of a list that has so many before its first puzzle. `None`
/// if later text may belong to it.
fn member(text: &[u8], depth: usize, input: Input) -> Option<Member> {
    let begin_at = |from: usize| {
        let blanks = text[from..].iter().take_while(|byte| byte.is_ascii_whitespace());
        from + blanks.count()
    };
    let is_opening = leading_brackets(text) == depth;
    let begin = if is_opening { begin_at(begin_at(0) + 1) } else { begin_at(0) };
    let rest = text.get(begin..).filter(|rest| !rest.is_empty());
    let length = match rest.and_then(|rest| rest.first()) {
        None => None,
        Some(b'[' | b'{') => Brackets::default().end(&text[begin..]),
        Some(b'"') => {
            let mut is_escaped = false;
            let end = text[begin + 1..].iter().position(|&byte| {
                let is_end = byte == b'"' && !is_escaped;
                is_escaped = byte == b'\\' && !is_escaped;
                is_end
            });
            end.map(|end| end + 2)
        }
        Some(_) => text[begin..].iter().position(|byte| b",]".contains(byte)),
    };
    let end = length.map(|length| begin + length);
    let behind = end.map(begin_at).filter(|&behind| behind < text.len());
    match (end, behind) {
        (Some(end), Some(behind)) => {
            let is_ended = matches!(text[behind], b',' | b']');
            let next = if is_ended { behind + 1 } else { behind.max(begin + 1) };
            let length = if text[behind] == b']' { begin_at(next) } else { next };
            Some(Member { place: begin..end, is_ended, length })
        }
        _ if input == Input::Continues => None,
        _ => {
            Some(Member { place: begin..text.len(), is_ended: rest.is_none(), length: text.len() })
        }
    }
}

/// How many `[` a text begins with.
fn leading_brackets(text: &[u8]) -> usize {
    text.iter().filter(|byte| !byte.is_ascii_whitespace()).take_while(|&&byte| byte == b'[').count()
}

/// The list of puzzles that begins so, if its first member is one: a list of rows is not.
fn list_of_puzzles(text: &[u8]) -> Option<Document> {
    let depth = leading_brackets(text);
    let first = (depth > 0).then(|| member(text, depth, Input::Continues))??;
    let first = &text[first.place];
    let is_puzzle = match first.first()? {
        b'{' => object(first).is_ok(),
        _ => spelled(first).is_some(),
    };
    is_puzzle.then_some(Document::List(depth))
}

/// The puzzle of a member of a list; or a line, from 0, and what is wrong there.
fn of_member(text: &[u8]) -> Result<Found, (usize, LineError)> {
    let not_json = |error: serde_json::Error| {
        let line = error.line().saturating_sub(1);
        (line, LineError::Document(format!("expected a JSON document: {error}")))
    };
    let value: Json = serde_json::from_slice(text).map_err(not_json)?;
    let no_puzzle = || Err(LineError::Document(NO_PUZZLE.to_owned()));
    let found = match &value {
        Json::Object(_) => object(text),
        value => puzzles_of(std::slice::from_ref(value)).pop().unwrap_or_else(no_puzzle),
    };
    found.map_err(|error| (0, error))
}

/// Why a document is refused that has none of the shapes that are read.
const NO_PUZZLE: &str = "found a document without a puzzle, expected a list of nine rows of nine cells, a list of puzzles, an \
                         object with a puzzle, or a game that KSudoku or GNOME Sudoku saved";

/// The cells of a game that KSudoku saved; or a line, from 1, and what is wrong there.
fn game(text: &str) -> Result<[u8; CELLS], (usize, LineError)> {
    let elements = xml::elements(text)
        .map_err(|mistake| (mistake.line, LineError::Document(mistake.to_string())))?;
    let is_rule = |element: &&Element| match element.name() {
        "graph" => element.attribute("type") != Some("sudoku"),
        name => matches!(name, "cage" | "clique" | "roxdokugroups"),
    };
    if let Some(rule) = elements.iter().find(is_rule) {
        let error = LineError::Rules(format!("<{}> in a game of KSudoku", rule.name()));
        return Err((rule.line, error));
    }
    let values = elements.iter().find(|element| element.name() == "values");
    let values = values.ok_or_else(|| (1, LineError::Document(NO_PUZZLE.to_owned())))?;
    let text = values.text.trim().as_bytes();
    ksudoku_cells(text).ok_or_else(|| {
        let found = text.len();
        let error = format!(
            "found {found} values of a game of KSudoku, expected 81, each _ or b (1) to j (9)"
        );
        (values.line, LineError::Document(error))
    })
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let begin = memchr::memmem::find(tag, format!(" {name}=").as_bytes())? + name.len() + 2;
    let quote = *tag.get(begin)?;
    let value = &tag[begin + 1..];
    memchr(quote, value).map(|end| &value[..end])
}

/// The values of a game of KSudoku as cells: `_` is a blank, and `b` is 1. KSudoku counts cells column by column.
fn ksudoku_cells(values: &[u8]) -> Option<[u8; CELLS]> {
    let values: &[u8; CELLS] = values.try_into().ok()?;
    let is_value = |&byte: &u8| matches!(byte, b'_' | b'b'..=b'j');
    values.iter().all(is_value).then(|| {
        std::array::from_fn(|cell| match values[cell % 9 * 9 + cell / 9] {
            b'_' => b'.',
            byte => byte - b'b' + b'1',
        })
    })
}

/// The givens of a game that GNOME Sudoku saved: cells with a position, a value, and whether it is fixed.
fn gnome_game(game: &serde_json::Map<String, Json>) -> Option<Grid> {
    let mut cells = [0; CELLS];
    for cell in game.get("cells")?.as_array()? {
        let number = |value: &Json, below| value.as_u64().filter(|&number| number < below);
        let position = cell.get("position")?.as_array()?;
        let [row, column] = position.as_slice() else { return None };
        let at = number(row, 9)? * 9 + number(column, 9)?;
        if cell.get("fixed")?.as_bool()? {
            cells[at as usize] = number(cell.get("value")?, 10)? as u8;
        }
    }
    Grid::new(cells)
}

/// The puzzles of a list: it is one, or each of its items is. Lists are written in one line.
pub fn puzzles_of(items: &[Json]) -> Vec<Result<Found, LineError>> {
    let line = |value: &Json| value.to_string().into_bytes();
    let whole = Json::from(items).to_string().into_bytes();
    if spelled(&whole).is_some() {
        return vec![Ok(Found::of(whole))];
    }
    let cells: Option<Vec<u8>> = items.iter().map(value_of_cell).collect();
    if let Some(cells) = cells.filter(|cells| cells.len() == CELLS) {
        return vec![Ok(Found::of(cells))];
    }
    let each = items.iter().map(|item| match item {
        Json::Array(_) => Some(Ok(Found::of(line(item)))),
        Json::String(text) => Some(Ok(Found::of(text))),
        Json::Object(_) => Some(object(&line(item))),
        _ => None,
    });
    each.collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// The value of a cell that is an object with `val` or `value`: a digit, or null or 0 for a blank.
fn value_of_cell(cell: &Json) -> Option<u8> {
    let value = ["val", "value"].into_iter().find_map(|name| cell.get(name))?;
    match value {
        Json::Null => Some(b'.'),
        value => value.as_u64().filter(|&value| value < 10).map(|value| b'0' + value as u8),
    }
}

/// The puzzles that stand deeper in an object: grids called `value`, `puzzle` or as other columns of puzzles are, with the solution
/// beside them.
fn nested(value: &Json) -> Vec<Found> {
    let grid = |value: &Json| {
        let text = value.to_string().into_bytes();
        (value.is_array() && spelled(&text).is_some()).then_some(text)
    };
    match value {
        Json::Array(items) => items.iter().flat_map(nested).collect(),
        Json::Object(members) => {
            let names = ["value"].iter().chain(&PUZZLE_NAMES);
            let puzzle = names.clone().find_map(|name| grid(members.get(*name)?));
            match puzzle {
                Some(puzzle) => {
                    let stated = members.get("solution").and_then(grid).unwrap_or_default();
                    vec![Found { puzzle, stated }]
                }
                None => members.values().flat_map(nested).collect(),
            }
        }
        _ => Vec::new(),
    }
}

/// The puzzle of an object, as in JSON lines.
pub fn object(text: &[u8]) -> Result<Found, LineError> {
    match Jsonl::default().puzzle_of(text) {
        Ok(Some([puzzle, stated])) => {
            Ok(Found { puzzle: puzzle.trim_ascii().to_vec(), stated: stated.to_vec() })
        }
        Ok(None) => Err(LineError::Document(NO_PUZZLE.to_owned())),
        Err(error) => Err(LineError::Json(error)),
    }
}

impl Syntax for Document {
    fn is_multi_line(&self, _: &[u8]) -> bool {
        true
    }

    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let end = match self {
            Self::Xml => memchr(b'>', text).map(|end| end + 1),
            Self::List(depth) => member(text, *depth, input).map(|member| member.length),
            Self::Json | Self::Game => None,
        };
        end.or((input == Input::HasEnded).then_some(text.len()))
    }

    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        let breaks = text[place.clone()].iter().filter(|&&byte| byte == b'\n').count();
        let (record, source) = record_at(text, place);
        match self {
            Self::Xml => Self::read_xml(record, source, breaks, table),
            Self::Game => Self::read_game(record, source, breaks.max(1), table),
            Self::Json => Self::read_json(record, source, breaks.max(1), table),
            Self::List(depth) => Self::read_member(text, source.start..next, *depth, table),
        }
        next
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        line.trim_ascii().is_empty()
    }

    fn write(&self, _: &Record, _: Style, _: &mut Vec<u8>) {
        unreachable!("documents are read and not written: their rows are lines")
    }
}
