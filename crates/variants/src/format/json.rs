//! Parts of JSON that imported puzzles have, with errors that name the part.

use base::figures::counted;
use serde_json::{Map, Value};

use crate::cell::Cell;
use crate::error::{Error, Place};

/// What was read, or a mistake and its place.
pub(super) type At<T> = Result<T, (Place, Error)>;

/// Names the part that a mistake is in.
pub(super) fn at(part: &str) -> impl FnOnce(Error) -> (Place, Error) {
    let part = part.to_owned();
    move |error| (Place::Part(part), error)
}

/// The error of a part with another form.
pub(super) fn wrong(part: &str, found: &Value, expected: &'static str) -> (Place, Error) {
    /// More would fill the screen.
    const MOST_CHARACTERS: usize = 60;
    let mut text = found.to_string();
    if let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    at(part)(Error::Json { found: text, expected })
}

/// The list in a field, which must be there.
pub(super) fn list<'a>(object: &'a Map<String, Value>, part: &str) -> At<&'a [Value]> {
    let value = object.get(part).unwrap_or(&Value::Null);
    value.as_array().map(Vec::as_slice).ok_or_else(|| wrong(part, value, "a list"))
}

/// The list in a field; empty without one.
pub(super) fn items<'a>(object: &'a Map<String, Value>, part: &str) -> At<&'a [Value]> {
    match object.get(part) {
        None | Some(Value::Null) => Ok(&[]),
        Some(_) => list(object, part),
    }
}

/// Fails unless `rows` are as many lists of `side` items each.
pub(super) fn ensure_square(part: &'static str, rows: &[Value], side: usize) -> At<()> {
    if rows.len() != side {
        return Err(at(part)(Error::Rows { rule: part, found: rows.len(), expected: side }));
    }
    for row in rows {
        let cells = row.as_array().ok_or_else(|| wrong(part, row, "a list of cells"))?;
        if cells.len() != side {
            return Err(at(part)(Error::Columns {
                rule: part,
                found: counted(cells.len(), "cell"),
                expected: side,
            }));
        }
    }
    Ok(())
}

/// A number, or a text that is one.
pub(super) fn number(part: &str, value: &Value) -> At<u32> {
    let of_text = || value.as_str().and_then(|text| text.trim().parse().ok());
    let found = value.as_u64().and_then(|number| u32::try_from(number).ok()).or_else(of_text);
    found.ok_or_else(|| wrong(part, value, "a number"))
}

/// A cell such as `R3C5`.
pub(super) fn cell(part: &str, value: &Value) -> At<Cell> {
    let text = value.as_str().ok_or_else(|| wrong(part, value, "a cell such as R3C5"))?;
    Cell::parse(text).ok_or_else(|| {
        let error = Error::CellOfRule { rule: part.to_owned(), found: text.to_owned() };
        at(part)(error)
    })
}

/// A list of texts.
pub(super) fn texts(part: &str, value: &Value) -> At<Vec<String>> {
    let expected = "a list of texts";
    let items = value.as_array().ok_or_else(|| wrong(part, value, expected))?;
    items
        .iter()
        .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| wrong(part, value, expected)))
        .collect()
}

/// The cells of an item with a field `cells`.
pub(super) fn cells(part: &str, item: &Value) -> At<Vec<Cell>> {
    let names = texts(part, item.get("cells").unwrap_or(&Value::Null))?;
    names.iter().map(|name| cell(part, &name.as_str().into())).collect()
}
