//! A puzzle as the editor f-puzzles passes it to a solver at its side: compressed as in its links, with what was entered since, and
//! with wishes of the editor's user.

use serde_json::{Map, Value};

use super::fpuzzles;
use super::json::{cell_value, grid, items, list, texts, wrong};
use super::link::{OF_F_PUZZLES, decompressed_text};
use super::{Parsed, Read, in_file};
use crate::error::{Error, Place};
use crate::puzzle::Puzzle;

/// A puzzle in its editor.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// The puzzle; with what was entered, if that was asked for.
    pub puzzle: Puzzle,
    /// What is only drawn beside its rules, and may stand for more.
    pub drawings: Vec<String>,
    /// How the table of candidates is to be, in the words of the editor's script.
    pub wishes: Vec<String>,
    /// What the editor shows in each cell as a set of values, bit `v - 1` for `v`: a value, or the marks in its centre.
    pub shown: Vec<u16>,
}

/// Reads what the editor's script sends. `with_entries` takes values and marks in the centre of cells that were entered for givens and
/// for pencil marks; without, only what is given counts.
///
/// # Errors
/// [`Error::File`] says what was found and what was expected. What is only drawn is no error here.
pub fn read_edited(data: &str, with_entries: bool) -> Result<Edited, Error> {
    read(data, with_entries).map_err(in_file("puzzle"))
}

fn read(data: &str, with_entries: bool) -> Parsed<Edited> {
    let base64 = data.split_once(OF_F_PUZZLES).map_or(data, |(_, base64)| base64);
    let text = decompressed_text(base64)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| not_packed("no text that lz-string has compressed to base 64".to_owned()))?;
    let puzzle =
        serde_json::from_str(&text).map_err(|error| not_packed(format!("no JSON ({error})")));
    let mut puzzle: Map<String, Value> = match puzzle? {
        Value::Object(puzzle) if fpuzzles::is_puzzle(&puzzle) => puzzle,
        other => return Err(wrong("data", &other, EXPECTED)),
    };
    let wishes = match puzzle.get("truecandidatesoptions") {
        Some(wishes @ Value::Array(_)) => texts("truecandidatesoptions", wishes)?,
        _ => Vec::new(),
    };
    let shown = shown(list(&puzzle, "grid")?)?;
    if with_entries {
        enter(&mut puzzle);
    }
    let Read { puzzle, drawings } = fpuzzles::read(&puzzle)?;
    Ok(Edited { puzzle, drawings, wishes, shown })
}

const EXPECTED: &str = "a puzzle of f-puzzles, compressed as in its links";

fn not_packed(found: String) -> (Place, Error) {
    (Place::Whole, Error::Json { found, expected: EXPECTED })
}

/// See [`Edited::shown`].
fn shown(rows: &[Value]) -> Parsed<Vec<u16>> {
    let bit = |value: &Value| {
        let value = u32::from(cell_value("grid", value)?);
        Ok(value.checked_sub(1).and_then(|place| 1_u16.checked_shl(place)).unwrap_or(0))
    };
    let of_cell = |content: &Value| match entered_value(content) {
        Some(value) => bit(value),
        None => {
            let marks = content.as_object().map(|content| items(content, MARKS)).transpose()?;
            let bits = marks.unwrap_or_default().iter().map(bit);
            bits.collect::<Parsed<Vec<u16>>>().map(|bits| bits.iter().fold(0, |set, bit| set | bit))
        }
    };
    grid(rows).map(|(_, content)| of_cell(content)).collect()
}

/// The field with the marks in the centre of a cell.
const MARKS: &str = "centerPencilMarks";

/// The value of a cell, given or entered.
fn entered_value(content: &Value) -> Option<&Value> {
    content.get("value").filter(|value| !value.is_null() && value.as_u64() != Some(0))
}

/// Gives what was entered. Marks of the user come before those of the setter, as in the editor's own solver.
fn enter(puzzle: &mut Map<String, Value>) {
    let rows = puzzle.get_mut("grid").and_then(Value::as_array_mut).into_iter().flatten();
    for content in rows.filter_map(Value::as_array_mut).flatten() {
        let has_value = entered_value(content).is_some();
        let Some(content) = content.as_object_mut() else { continue };
        if has_value {
            content.insert("given".to_owned(), true.into());
            content.remove("givenPencilMarks");
        } else if let Some(marks @ Value::Array(_)) = content.get(MARKS).cloned()
            && marks != Value::Array(Vec::new())
        {
            content.insert("givenPencilMarks".to_owned(), marks);
        }
    }
}
