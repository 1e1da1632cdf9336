//! Parts of JSON that imported puzzles have, with errors that name the part.

use serde_json::{Map, Value};
use tallyboard_base::figures::counted;

use super::Parsed;
use super::text::read_cell;
use crate::error::{Error, Place};
use crate::grid::{Cell, Size};
use crate::rule::Rule;

/// Adds to an error the part of the puzzle that it is in.
pub(super) fn in_part(part: &str) -> impl FnOnce(Error) -> (Place, Error) {
    move |error| (Place::Part(part.to_owned()), error)
}

/// The error of a rule that this crate does not know.
pub(super) fn foreign(rule: impl Into<String>) -> (Place, Error) {
    (Place::Whole, Error::Foreign(rule.into()))
}

/// The error of a part that is not of the expected form.
pub(super) fn wrong(part: &str, found: &Value, expected: &'static str) -> (Place, Error) {
    /// More would fill the screen.
    const MOST_CHARACTERS: usize = 60;
    let mut text = found.to_string();
    if let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    in_part(part)(Error::Json { found: text, expected })
}

/// The list in a field, which must be there.
pub(super) fn list<'a>(object: &'a Map<String, Value>, part: &str) -> Parsed<&'a [Value]> {
    let value = object.get(part).unwrap_or(&Value::Null);
    value.as_array().map(Vec::as_slice).ok_or_else(|| wrong(part, value, "a list"))
}

/// The list in a field; empty without the field.
pub(super) fn items<'a>(object: &'a Map<String, Value>, part: &str) -> Parsed<&'a [Value]> {
    match object.get(part) {
        None | Some(Value::Null) => Ok(&[]),
        Some(_) => list(object, part),
    }
}

/// Fails unless `rows` are `side` lists of `side` items each.
pub(super) fn ensure_square(part: &'static str, rows: &[Value], side: usize) -> Parsed<()> {
    if rows.len() != side {
        return Err(in_part(part)(Error::Rows { rule: part, found: rows.len(), expected: side }));
    }
    for row in rows {
        let cells = row.as_array().ok_or_else(|| wrong(part, row, "a list of cells"))?;
        if cells.len() != side {
            return Err(in_part(part)(Error::Columns {
                rule: part,
                found: counted(cells.len(), "cell"),
                expected: side,
            }));
        }
    }
    Ok(())
}

/// The cells of a square of rows, and what stands for each.
pub(super) fn grid(rows: &[Value]) -> impl Iterator<Item = (Cell, &Value)> {
    rows.iter().zip(1..).flat_map(|(row, number)| {
        let contents = row.as_array().into_iter().flatten();
        contents.zip(1..).map(move |(content, column)| (Cell::new(number, column), content))
    })
}

/// Whether the value of a field means that the field states nothing.
pub(super) fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// A value of a cell. Numbers above 255 become 255, which no grid has.
pub(super) fn cell_value(part: &str, value: &Value) -> Parsed<u8> {
    Ok(u8::try_from(number(part, value)?).unwrap_or(u8::MAX))
}

/// A number, or a text that is a number.
pub(super) fn number(part: &str, value: &Value) -> Parsed<u32> {
    let of_text = || value.as_str().and_then(|text| text.trim().parse().ok());
    let found = value.as_u64().and_then(|number| u32::try_from(number).ok()).or_else(of_text);
    found.ok_or_else(|| wrong(part, value, "a number"))
}

/// A cell such as `R3C5`.
pub(super) fn cell(part: &str, value: &Value) -> Parsed<Cell> {
    let text = value.as_str().ok_or_else(|| wrong(part, value, "a cell such as R3C5"))?;
    read_cell(part, text).map_err(in_part(part))
}

/// A list of texts.
pub(super) fn texts(part: &str, value: &Value) -> Parsed<Vec<String>> {
    let expected = "a list of texts";
    let items = value.as_array().ok_or_else(|| wrong(part, value, expected))?;
    items
        .iter()
        .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| wrong(part, value, expected)))
        .collect()
}

/// A list of cells such as `R3C5`.
pub(super) fn cell_list(part: &str, value: &Value) -> Parsed<Vec<Cell>> {
    texts(part, value)?.iter().map(|name| read_cell(part, name).map_err(in_part(part))).collect()
}

/// The cells of an item with a field `cells`.
pub(super) fn cells(part: &str, item: &Value) -> Parsed<Vec<Cell>> {
    cell_list(part, &item["cells"])
}

/// The rules of regions by the number of each cell's region, `None` for a cell in no region; none if they are the boxes.
pub(super) fn region_rules(numbers: &[Option<usize>], size: Size) -> Vec<Rule> {
    let mut names: Vec<usize> = Vec::new();
    for name in numbers.iter().flatten() {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    // Boxes are counted in the order of their first cells, too.
    let place = |name: usize| names.iter().position(|&known| known == name).unwrap_or_default();
    let places: Vec<Option<usize>> = numbers.iter().map(|name| name.map(place)).collect();
    if size.has_boxes() && (0..).zip(&places).all(|(cell, &place)| place == Some(size.box_of(cell)))
    {
        return Vec::new();
    }
    if let Some(numbers) = places.iter().copied().collect() {
        return vec![Rule::Regions(numbers)];
    }
    let mut rules = vec![Rule::NoRegions];
    for region in 0..names.len() {
        let cells = (0..size.cells()).filter(|&cell| places[cell] == Some(region));
        let cells: Vec<Cell> = cells.map(|cell| size.cell(cell)).collect();
        match cells.len() {
            1 => {}
            all if all == size.side() => rules.push(Rule::House(cells)),
            _ => rules.push(Rule::Different(cells)),
        }
    }
    rules
}

/// The cells from a place on, itself if it is in the grid, as long as there are. Rows and columns count from 1.
pub(super) fn ray(size: Size, at: (isize, isize), step: (isize, isize)) -> Vec<Cell> {
    let is_inside = |(row, column): &(isize, isize)| {
        (1..=size.side() as isize).contains(row) && (1..=size.side() as isize).contains(column)
    };
    let places = (0..).map(|steps| (at.0 + steps * step.0, at.1 + steps * step.1));
    let inside = places.skip(usize::from(!is_inside(&at))).take_while(is_inside);
    inside.map(|(row, column)| Cell::new(row as usize, column as usize)).collect()
}

/// The step from a place beside the grid into it, along a row or a column.
pub(super) fn inwards(size: Size, (row, column): (isize, isize)) -> (isize, isize) {
    match (row, column) {
        (_, 0) => (0, 1),
        (_, column) if column == size.side() as isize + 1 => (0, -1),
        (0, _) => (1, 0),
        _ => (-1, 0),
    }
}
