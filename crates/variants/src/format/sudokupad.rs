//! Puzzles that SudokuPad exports: JSON with cells, regions, cages, and drawings.
//!
//! Most rules are drawings there, which say how a line looks and not what it means. A puzzle with such drawings is
//! refused: what it would count without them is another puzzle.

use serde_json::{Map, Value};

use super::fpuzzles::cage_sum;
use super::json::{At, at, ensure_square, items, list, number, texts, wrong};
use crate::cell::Cell;
use crate::error::{Error, Place};
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// What says nothing about the solution.
const SILENT: [&str; 10] = [
    "id", "title", "author", "rules", "cellSize", "cells", "regions", "cages", "metadata",
    "settings",
];

/// Whether JSON is a puzzle of SudokuPad.
pub(super) fn is_puzzle(object: &Map<String, Value>) -> bool {
    object.contains_key("cells")
}

/// Reads a puzzle of SudokuPad.
pub(super) fn read(puzzle: &Map<String, Value>) -> At<Puzzle> {
    let rows = list(puzzle, "cells")?;
    let mut rules = Rules::new(rows.len()).map_err(at("cells"))?;
    ensure_square("cells", rows, rows.len())?;
    if let Some(regions) = regions(puzzle, &rules)? {
        rules.add(regions).map_err(at("regions"))?;
    }
    for item in items(puzzle, "cages")? {
        if let Some(rule) = cage(item)? {
            rules.add(rule).map_err(at("cages"))?;
        }
    }
    for name in globals(puzzle)? {
        let rule = match &name[..] {
            "antiknight" => Rule::AntiKnight,
            "antiking" => Rule::AntiKing,
            "nonconsecutive" => Rule::NonConsecutive,
            _ => return Err((Place::Whole, Error::Foreign(name))),
        };
        rules.add(rule).map_err(at("global"))?;
    }
    for (name, value) in puzzle {
        let is_empty = value.as_array().is_some_and(Vec::is_empty) || value.is_null();
        if !is_empty && name != "global" && !SILENT.contains(&&name[..]) {
            return Err((Place::Whole, Error::Foreign(name.clone())));
        }
    }
    let mut read = Puzzle::new(rules);
    for (row, cells) in rows.iter().enumerate() {
        for (column, content) in cells.as_array().into_iter().flatten().enumerate() {
            let Some(value) = content.get("value").filter(|value| !value.is_null()) else {
                continue;
            };
            let value = u8::try_from(number("cells", value)?).unwrap_or(u8::MAX);
            let given = read.give(Cell::new(row + 1, column + 1), value);
            given.map_err(at("cells"))?;
        }
    }
    Ok(read)
}

/// The names of rules of the whole grid.
fn globals(puzzle: &Map<String, Value>) -> At<Vec<String>> {
    puzzle.get("global").map_or(Ok(Vec::new()), |names| texts("global", names))
}

/// Cells as pairs of a row and a column, each from 0.
fn cells(part: &str, value: &Value) -> At<Vec<Cell>> {
    let pairs = value.as_array().ok_or_else(|| wrong(part, value, "a list of cells"))?;
    pairs
        .iter()
        .map(|pair| match pair.as_array().map(Vec::as_slice) {
            Some([row, column]) => {
                let row = number(part, row)? as usize;
                let column = number(part, column)? as usize;
                Ok(Cell::new(row + 1, column + 1))
            }
            _ => Err(wrong(part, pair, "a row and a column, as [2,4]")),
        })
        .collect()
}

/// The regions: none if there are none, nothing if they are the boxes.
fn regions(puzzle: &Map<String, Value>, rules: &Rules) -> At<Option<Rule>> {
    let size = rules.size();
    let regions = items(puzzle, "regions")?;
    if regions.is_empty() {
        return Ok(Some(Rule::NoRegions));
    }
    let mut numbers = vec![None; size.cells()];
    for (number, region) in regions.iter().enumerate() {
        for cell in cells("regions", region)? {
            let side = size.side();
            let outside = Error::Outside { rule: "regions", cell, side };
            let index = size.index(cell).ok_or_else(|| at("regions")(outside))?;
            if numbers[index].replace(number).is_some() {
                let twice = Error::Twice { rule: "regions", cell };
                return Err(at("regions")(twice));
            }
        }
    }
    // A cell in no region makes one too many, which is too small.
    let numbers: Vec<usize> =
        numbers.into_iter().map(|number| number.unwrap_or(regions.len())).collect();
    let is_boxes = (0..size.cells()).all(|one| {
        (0..size.cells()).all(|other| {
            (numbers[one] == numbers[other]) == (size.box_of(one) == size.box_of(other))
        })
    });
    Ok((!is_boxes).then_some(Rule::Regions(numbers)))
}

/// A cage; `None` for one without cells, which holds a title or other words.
fn cage(item: &Value) -> At<Option<Rule>> {
    let Some(listed) = item.get("cells").filter(|cells| !cells.is_null()) else { return Ok(None) };
    let cells = cells("cages", listed)?;
    if cells.is_empty() {
        return Ok(None);
    }
    if item.get("unique").and_then(Value::as_bool) == Some(false) {
        return Err((Place::Whole, Error::Foreign("cage with equal values".to_owned())));
    }
    // Exports fill one of the two, and may leave the other empty.
    let stated =
        |name| item.get(name).filter(|value| !value.is_null() && value.as_str() != Some(""));
    let sum = cage_sum("cages", stated("sum").or(stated("value")))?;
    Ok(Some(Rule::Cage { sum, cells }))
}
