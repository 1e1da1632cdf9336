//! Puzzles that f-puzzles exports: JSON with a list for each kind of rule.

use serde_json::{Map, Value};

use super::json::{At, at, cell, cells, ensure_square, items, list, number, texts};
use crate::cell::Cell;
use crate::error::{Error, Place};
use crate::puzzle::Puzzle;
use crate::rule::{Mark, Rule};
use crate::rules::Rules;

/// What says nothing about the solution: names, texts, settings of the editor, the setter's own solution.
const SILENT: [&str; 12] = [
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "solution",
    "negative",
    "highlightConflicts",
    "disabledlogic",
    "truecandidatesoptions",
    "successMessage",
    "metadata",
];

/// Reads a puzzle of f-puzzles.
pub(super) fn read(puzzle: &Map<String, Value>) -> At<Puzzle> {
    let rows = list(puzzle, "grid")?;
    let side = match puzzle.get("size") {
        Some(size) => number("size", size)? as usize,
        None => rows.len(),
    };
    let mut rules = Rules::new(side).map_err(at("size"))?;
    ensure_square("grid", rows, side)?;
    if let Some(regions) = regions(rows, side)? {
        rules.add(regions).map_err(at("grid"))?;
    }
    for (name, value) in puzzle {
        for rule in rules_of(name, value, puzzle)? {
            rules.add(rule).map_err(at(name))?;
        }
    }
    let mut read = Puzzle::new(rules);
    give(&mut read, rows)?;
    for (name, remainder) in [("odd", 1), ("even", 0)] {
        let values: Vec<u8> = (1..=side as u8).filter(|value| value % 2 == remainder).collect();
        for item in items(puzzle, name)? {
            let cell = cell(name, item.get("cell").unwrap_or(&Value::Null))?;
            read.allow(cell, &values).map_err(at(name))?;
        }
    }
    Ok(read)
}

/// The regions, if they are not the boxes of the size.
fn regions(rows: &[Value], side: usize) -> At<Option<Rule>> {
    let cells = rows.iter().flat_map(|row| row.as_array().into_iter().flatten());
    let named: Vec<Option<&Value>> = cells.map(|cell| cell.get("region")).collect();
    if named.iter().all(Option::is_none) {
        return Ok(None);
    }
    let size = crate::size::Size::new(side).map_err(|error| (Place::Whole, error))?;
    let mut numbers = Vec::new();
    for (index, name) in named.into_iter().enumerate() {
        numbers.push(match name {
            Some(name) => number("region", name)? as usize,
            None if index < size.cells() => size.box_of(index),
            None => 0,
        });
    }
    let is_boxes = numbers.iter().enumerate().all(|(index, &number)| size.box_of(index) == number);
    Ok((!is_boxes).then_some(Rule::Regions(numbers)))
}

fn give(puzzle: &mut Puzzle, rows: &[Value]) -> At<()> {
    let side = puzzle.size().side();
    for (row, cells) in rows.iter().enumerate() {
        for (column, content) in cells.as_array().into_iter().flatten().enumerate() {
            let cell = Cell::new(row + 1, column + 1);
            if content.get("given").and_then(Value::as_bool) == Some(true) {
                let value = number("grid", content.get("value").unwrap_or(&Value::Null))?;
                puzzle.give(cell, narrow(value)).map_err(at("grid"))?;
            }
            if let Some(marks) = content.get("givenPencilMarks").and_then(Value::as_array) {
                let values = marks.iter().map(|mark| Ok(narrow(number("grid", mark)?)));
                let mut values = values.collect::<At<Vec<u8>>>()?;
                values.sort_unstable();
                values.dedup();
                if !values.is_empty() && values.len() < side {
                    puzzle.allow(cell, &values).map_err(at("grid"))?;
                }
            }
        }
    }
    Ok(())
}

/// A number as a value; 255, which no grid has, for larger ones.
fn narrow(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// The rules that one field of the puzzle states.
fn rules_of(name: &str, value: &Value, puzzle: &Map<String, Value>) -> At<Vec<Rule>> {
    if is_nothing(value) {
        return Ok(Vec::new());
    }
    if let Some(rule) = switched_rule(name) {
        return match (value, value.as_u64()) {
            (Value::Bool(true), _) | (_, Some(1)) => Ok(vec![rule]),
            (_, Some(0)) => Ok(Vec::new()),
            _ => Err(super::json::wrong(name, value, "true or false")),
        };
    }
    if name == "negative" {
        return negative_rules(value);
    }
    if SILENT.contains(&name) || matches!(name, "odd" | "even") {
        return Ok(Vec::new());
    }
    let mut rules = Vec::new();
    for item in items(puzzle, name)? {
        add_item(&mut rules, name, item)?;
    }
    Ok(rules)
}

/// The rule of a field that is true or false.
fn switched_rule(name: &str) -> Option<Rule> {
    match name {
        "diagonal+" => Some(Rule::RisingDiagonal),
        "diagonal-" => Some(Rule::FallingDiagonal),
        "antiknight" => Some(Rule::AntiKnight),
        "antiking" => Some(Rule::AntiKing),
        "nonconsecutive" => Some(Rule::NonConsecutive),
        "disjointgroups" => Some(Rule::DisjointGroups),
        _ => None,
    }
}

/// The rules of one item of the list in the field `name`.
fn add_item(rules: &mut Vec<Rule>, name: &str, item: &Value) -> At<()> {
    match name {
        "extraregion" => rules.push(Rule::House(cells(name, item)?)),
        "killercage" => {
            let sum = cage_sum(name, item.get("value"))?;
            rules.push(Rule::Cage { sum, cells: cells(name, item)? });
        }
        "thermometer" => {
            for line in lines(name, item)? {
                rules.push(Rule::Thermometer(line));
            }
        }
        "arrow" => {
            let circle = cells(name, item)?;
            for mut line in lines(name, item)? {
                // The line begins in the circle.
                line.retain(|cell| !circle.contains(cell));
                rules.push(Rule::Arrow { circle: circle.clone(), line });
            }
        }
        "difference" | "ratio" | "xv" => rules.push(mark(name, item)?),
        _ => return Err((Place::Whole, Error::Foreign(name.to_owned()))),
    }
    Ok(())
}

/// Whether a field says that there is none of its kind.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

fn negative_rules(value: &Value) -> At<Vec<Rule>> {
    let names = texts("negative", value)?;
    let has = |name: &str| names.iter().any(|found| found == name);
    let mut rules = Vec::new();
    if has("xv") {
        rules.push(Rule::AllXvGiven);
    }
    match (has("ratio"), has("difference")) {
        (true, true) => rules.push(Rule::AllDotsGiven),
        (false, false) => {}
        (ratio, _) => {
            let name = if ratio { "negative ratio" } else { "negative difference" };
            return Err((Place::Whole, Error::Foreign(format!("{name} alone"))));
        }
    }
    match names.iter().find(|name| !["xv", "ratio", "difference"].contains(&name.as_str())) {
        Some(name) => Err((Place::Whole, Error::Foreign(format!("negative {name}")))),
        None => Ok(rules),
    }
}

/// The sum of a cage, if it has one.
pub(super) fn cage_sum(name: &str, value: Option<&Value>) -> At<Option<u32>> {
    match value {
        None => Ok(None),
        Some(value) if is_nothing(value) => Ok(None),
        Some(value) => number(name, value).map(Some),
    }
}

/// The lines of a thermometer or an arrow.
fn lines(name: &str, item: &Value) -> At<Vec<Vec<Cell>>> {
    let expected = "lines of cells";
    let lines = item.get("lines").and_then(Value::as_array);
    let lines = lines.ok_or_else(|| super::json::wrong(name, item, expected))?;
    lines
        .iter()
        .map(|line| {
            texts(name, line)?.iter().map(|text| cell(name, &text.as_str().into())).collect()
        })
        .collect()
}

/// A dot or a letter between two cells.
fn mark(name: &str, item: &Value) -> At<Rule> {
    let value = item.get("value").map(text_of).unwrap_or_default();
    let mark = match (name, &value[..]) {
        ("difference", "" | "1") => Mark::White,
        ("ratio", "" | "2") => Mark::Black,
        ("xv", "X" | "x") => Mark::X,
        ("xv", "V" | "v") => Mark::V,
        _ => return Err((Place::Whole, Error::Foreign(format!("{name} {value}")))),
    };
    match cells(name, item)?[..] {
        [first, second] => Ok(Rule::Mark(mark, [first, second])),
        _ => Err(super::json::wrong(name, item, "two cells")),
    }
}

/// A text, or a number as text.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
