//! Documents that hold puzzles among other things: XML of OpenSudoku and KSudoku, JSON with lists of rows, and the games that
//! GNOME Sudoku saves. They are read and not written.
//!
//! In XML of OpenSudoku a record ends with a `>`, so a document of any length is read in pieces. Any other document is one record.

use std::ops::Range;

use memchr::memchr;
use serde_json::Value as Json;

use super::cells::spelled;
use super::syntax::{Input, Style, Syntax, record_at};
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
}

impl Document {
    /// The kind of the document that begins so; `None` if it is none of those that are read here.
    pub fn of(head: &[u8]) -> Option<Self> {
        let text = head.trim_ascii_start();
        match text.first()? {
            b'<' => {
                let has = |name: &[u8]| memchr::memmem::find(text, name).is_some();
                let names: [&[u8]; 3] = [b"<?xml", b"<opensudoku", b"<!DOCTYPE ksudoku"];
                let is_xml = names.iter().any(|name| text.starts_with(name));
                let kind = if has(b"<ksudoku") { Self::Game } else { Self::Xml };
                is_xml.then_some(kind)
            }
            // Lists on a line each, and objects on a line each, are lines.
            b'[' | b'{' => {
                let first = lines_with_breaks(text).next().unwrap_or_default();
                let is_list = text[1..].trim_ascii_start().first() == Some(&b'[');
                let is_game = text[0] == b'{' && memchr::memmem::find(text, b"\"cells\"").is_some();
                let is_whole = serde_json::from_slice::<Json>(first).is_ok();
                (!is_whole && (is_list || is_game)).then_some(Self::Json)
            }
            _ => None,
        }
    }

    /// Reads a piece of XML: text up to a tag, and the tag.
    fn read_xml(piece: &[u8], source: Range<usize>, lines: usize, table: &mut Table) {
        let tag = &piece[memchr(b'<', piece).unwrap_or(piece.len())..];
        match attribute(tag, "data").filter(|_| tag.starts_with(b"<game")) {
            Some(data) => table.add_puzzle(source, lines, data, b""),
            None => table.skip_lines(lines),
        }
    }

    /// Reads a game of KSudoku. Its rules stand before or behind its values, so it is read as a whole.
    fn read_game(text: &[u8], source: Range<usize>, lines: usize, table: &mut Table) {
        let line_of = |at: usize| text[..at].iter().filter(|&&byte| byte == b'\n').count();
        let tags = memchr::memchr_iter(b'<', text);
        let is_rule = |&at: &usize| {
            let tag = &text[at..];
            let kind = attribute(&tag[..memchr(b'>', tag).unwrap_or(tag.len())], "type");
            let rules = ["<cage", "<clique", "<roxdokugroups"];
            rules.iter().any(|rule| tag.starts_with(rule.as_bytes()))
                || tag.starts_with(b"<graph") && kind != Some(b"sudoku")
        };
        if let Some(at) = tags.clone().find(is_rule) {
            let name =
                text[at..].iter().take_while(|byte| !b" />".contains(byte) || **byte == b'<');
            let name = String::from_utf8_lossy(&name.copied().collect::<Vec<_>>()).into_owned();
            let error = LineError::Rules(format!("{name}> in a game of KSudoku"));
            return table.add_bad(source, lines, line_of(at), error);
        }
        let Some(at) = tags.clone().find(|&at| text[at..].starts_with(b"<values>")) else {
            return table.add_bad(source, lines, 0, LineError::Document(NO_PUZZLE.to_owned()));
        };
        let values = &text[at + "<values>".len()..];
        let values = values[..memchr(b'<', values).unwrap_or(values.len())].trim_ascii();
        match ksudoku_cells(values) {
            Some(cells) => table.add_puzzle(source, lines, &cells, b""),
            None => {
                let found = values.len();
                let error = format!(
                    "found {found} values of a game of KSudoku, expected 81, each _ or b (1) to j (9)"
                );
                table.add_bad(source, lines, line_of(at), LineError::Document(error));
            }
        }
    }

    /// Reads a JSON document: a puzzle, a list of puzzles, or a saved game.
    fn read_json(text: &[u8], source: Range<usize>, lines: usize, table: &mut Table) {
        let found = match serde_json::from_slice::<Json>(text) {
            Ok(Json::Object(game)) => gnome_game(&game).map(|grid| vec![grid.to_bytes().to_vec()]),
            Ok(Json::Array(items)) => puzzles_of(&items),
            Ok(_) => None,
            Err(error) => {
                let line = error.line().saturating_sub(1);
                return table.add_bad(
                    source,
                    lines,
                    line,
                    LineError::Document(format!("expected a JSON document: {error}")),
                );
            }
        };
        match found {
            Some(puzzles) => {
                for (number, puzzle) in puzzles.iter().enumerate() {
                    let lines = if number == 0 { lines } else { 0 };
                    table.add_puzzle(source.clone(), lines, puzzle, b"");
                }
            }
            None => {
                table.add_bad(source, lines, 0, LineError::Document(NO_PUZZLE.to_owned()));
            }
        }
    }
}

/// Why a document is refused that has none of the shapes that are read.
const NO_PUZZLE: &str = "found a document without a puzzle, expected a list of nine rows of nine cells, a list of these, or a \
                         game that KSudoku or GNOME Sudoku saved";

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let begin = memchr::memmem::find(tag, format!(" {name}=").as_bytes())? + name.len() + 2;
    let quote = *tag.get(begin)?;
    let value = &tag[begin + 1..];
    memchr(quote, value).map(|end| &value[..end])
}

/// The values of a game of KSudoku as cells: `_` is a blank, and `b` is 1.
fn ksudoku_cells(values: &[u8]) -> Option<[u8; CELLS]> {
    let values: &[u8; CELLS] = values.try_into().ok()?;
    let is_value = |&byte: &u8| matches!(byte, b'_' | b'b'..=b'j');
    values
        .iter()
        .all(is_value)
        .then(|| values.map(|byte| if byte == b'_' { b'.' } else { byte - b'b' + b'1' }))
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

/// The puzzles of a list: it is one, or each of its items is. Each is written as a list in one line.
fn puzzles_of(items: &[Json]) -> Option<Vec<Vec<u8>>> {
    let line = |items: &[Json]| Json::from(items).to_string().into_bytes();
    if spelled(&line(items)).is_some() {
        return Some(vec![line(items)]);
    }
    let each = items.iter().map(|item| item.as_array().map(|items| line(items)));
    each.collect::<Option<Vec<_>>>().filter(|puzzles| !puzzles.is_empty())
}

impl Syntax for Document {
    fn is_multi_line(&self, _: &[u8]) -> bool {
        true
    }

    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let end = match self {
            Self::Xml => memchr(b'>', text).map(|end| end + 1),
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
