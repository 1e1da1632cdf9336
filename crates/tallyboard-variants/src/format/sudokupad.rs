//! Puzzles that SudokuPad exports: JSON with cells, regions, cages, and drawings.
//!
//! SudokuPad states most rules as drawings, which tell how a line looks and not what it means. A puzzle with such drawings
//! is refused unless the user says that they are no rules, because without them it may be another puzzle.

use serde_json::{Map, Value};
use tallyboard_base::figures::counted;

use super::fpuzzles::cage_sum;
use super::json::{
    cell_value, ensure_square, foreign, grid, in_part, is_absent, items, list, number,
    region_rules, texts, wrong,
};
use super::{Parsed, Read};
use crate::error::Error;
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Rule};
use crate::rules::Rules;

/// The fields that [`read`] reads, and those that do not restrict the solution.
const KNOWN_FIELDS: &str =
    "id title author rules cellSize cells regions cages global metadata settings";

/// The fields of what is only drawn.
const DRAWINGS: [&str; 4] = ["lines", "arrows", "underlays", "overlays"];

/// Whether JSON is a puzzle of SudokuPad.
pub(super) fn is_puzzle(object: &Map<String, Value>) -> bool {
    // A game of GNOME Sudoku lists its cells, each with its position.
    object.get("cells").is_some_and(|cells| !cells[0].is_object())
}

/// Reads a puzzle of SudokuPad.
pub(super) fn read(puzzle: &Map<String, Value>) -> Parsed<Read> {
    let rows = list(puzzle, "cells")?;
    let mut rules = Rules::new(rows.len()).map_err(in_part("cells"))?;
    ensure_square("cells", rows, rows.len())?;
    for regions in regions(puzzle, rules.size())? {
        rules.add(regions).map_err(in_part("regions"))?;
    }
    for item in items(puzzle, "cages")? {
        if let Some(rule) = cage(item)? {
            rules.add(rule).map_err(in_part("cages"))?;
        }
    }
    for (part, name) in stated_names(puzzle)? {
        let rule = match &name[..] {
            "antiknight" => Rule::AntiKnight,
            "antiking" => Rule::AntiKing,
            "nonconsecutive" => Rule::NonConsecutive,
            "norowcol" => Rule::NoLines,
            _ => return Err(foreign(name)),
        };
        rules.add(rule).map_err(in_part(part))?;
    }
    let mut drawings = Vec::new();
    for (name, value) in puzzle {
        if is_absent(value) || KNOWN_FIELDS.split(' ').any(|known| known == name) {
            continue;
        }
        if !DRAWINGS.contains(&&name[..]) {
            return Err(foreign(name));
        }
        drawings.push(counted(value.as_array().map_or(1, Vec::len), name.trim_end_matches('s')));
    }
    let mut read = Puzzle::new(rules);
    for (cell, content) in grid(rows) {
        if let Some(value) = content.get("value").filter(|value| !value.is_null()) {
            let given = read.give(cell, cell_value("cells", value)?);
            given.map_err(in_part("cells"))?;
        }
    }
    Ok(Read { puzzle: read, drawings })
}

/// The rules of the whole grid, each once, with the part that names them: `global`, or `metadata` alone.
fn stated_names(puzzle: &Map<String, Value>) -> Parsed<Vec<(&'static str, String)>> {
    let globals = puzzle.get("global").map_or(Ok(Vec::new()), |names| texts("global", names))?;
    let mut names: Vec<_> = globals.into_iter().map(|name| ("global", name)).collect();
    for name in ["antiknight", "antiking", "norowcol"] {
        let stated = puzzle.get("metadata").map(|metadata| &metadata[name]);
        let is_stated = stated.is_some_and(|value| !is_absent(value) && value.as_u64() != Some(0));
        if is_stated && !names.iter().any(|(_, known)| known == name) {
            names.push(("metadata", name.to_owned()));
        }
    }
    Ok(names)
}

/// Cells as pairs of a row and a column, each from 0.
fn cells(part: &str, value: &Value) -> Parsed<Vec<Cell>> {
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

/// The rules of the regions; none if they are the boxes.
fn regions(puzzle: &Map<String, Value>, size: Size) -> Parsed<Vec<Rule>> {
    let regions = items(puzzle, "regions")?;
    if regions.is_empty() {
        return Ok(vec![Rule::NoRegions]);
    }
    let mut numbers = vec![None; size.cells()];
    for (number, region) in regions.iter().enumerate() {
        for cell in cells("regions", region)? {
            let side = size.side();
            let outside = Error::Outside { rule: "regions", cell, side };
            let index = size.index(cell).ok_or_else(|| in_part("regions")(outside))?;
            if numbers[index].replace(number).is_some() {
                let twice = Error::Twice { rule: "regions", cell };
                return Err(in_part("regions")(twice));
            }
        }
    }
    // All cells without a region form one more region. Where that has a wrong size, adding the rule fails.
    let numbers: Vec<Option<usize>> =
        numbers.into_iter().map(|number| number.or(Some(regions.len()))).collect();
    Ok(region_rules(&numbers, size))
}

/// The rule of a cage; `None` if it has no cells, but a title or other text.
fn cage(item: &Value) -> Parsed<Option<Rule>> {
    let Some(listed) = item.get("cells").filter(|cells| !cells.is_null()) else { return Ok(None) };
    let cells = cells("cages", listed)?;
    if cells.is_empty() {
        return Ok(None);
    }
    // Exports have the sum in one of two fields, and the other one may be there and empty.
    let is_empty = item["sum"].is_null() || item["sum"].as_str() == Some("");
    let sum = cage_sum("cages", &item[if is_empty { "value" } else { "sum" }])?;
    if item.get("unique").and_then(Value::as_bool) == Some(false) {
        // Without a sum it is a frame.
        return Ok(sum.map(|sum| Rule::Calculation(Calculation::Sum, sum, cells)));
    }
    // A cage of one cell without a sum states nothing.
    Ok((sum.is_some() || cells.len() > 1).then_some(Rule::Cage { sum, cells }))
}
