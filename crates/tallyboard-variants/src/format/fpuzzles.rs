//! Puzzles that f-puzzles exports: JSON with a list for each kind of rule.

use serde_json::{Map, Value};

use super::Parsed;
use super::json::{
    cell, cell_list, cell_value, cells, ensure_square, foreign, grid, in_part, items, list, number,
    texts, wrong,
};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Mark, Rule};
use crate::rules::Rules;

/// The fields that [`read`] reads itself, and those that do not restrict the solution: names, texts, settings of the editor,
/// and the setter's own solution.
const KNOWN_FIELDS: &str = "size grid odd even title author ruleset solution highlightConflicts disabledlogic \
                            truecandidatesoptions successMessage metadata";

/// Reads a puzzle of f-puzzles.
pub(super) fn read(puzzle: &Map<String, Value>) -> Parsed<Puzzle> {
    let rows = list(puzzle, "grid")?;
    let side = match puzzle.get("size") {
        Some(size) => number("size", size)? as usize,
        None => rows.len(),
    };
    let mut rules = Rules::new(side).map_err(in_part("size"))?;
    ensure_square("grid", rows, side)?;
    if let Some(regions) = regions(rows, rules.size())? {
        rules.add(regions).map_err(in_part("grid"))?;
    }
    for (name, value) in puzzle {
        for rule in rules_of(name, value, puzzle)? {
            rules.add(rule).map_err(in_part(name))?;
        }
    }
    let mut read = Puzzle::new(rules);
    read_cells(&mut read, rows)?;
    for (name, remainder) in [("odd", 1), ("even", 0)] {
        let values: Vec<u8> = (1..=side as u8).filter(|value| value % 2 == remainder).collect();
        for item in items(puzzle, name)? {
            let cell = cell(name, &item["cell"])?;
            read.allow(cell, &values).map_err(in_part(name))?;
        }
    }
    Ok(read)
}

/// The rule of the regions; `None` if they are the boxes. A cell that states no region is in the one with the number of its box.
fn regions(rows: &[Value], size: Size) -> Parsed<Option<Rule>> {
    let boxes: Vec<usize> = (0..size.cells()).map(|cell| size.box_of(cell)).collect();
    let mut numbers = boxes.clone();
    for ((_, content), region) in grid(rows).zip(&mut numbers) {
        if let Some(stated) = content.get("region") {
            *region = number("region", stated)? as usize;
        }
    }
    Ok((numbers != boxes).then_some(Rule::Regions(numbers)))
}

/// Reads givens and pencil marks.
fn read_cells(puzzle: &mut Puzzle, rows: &[Value]) -> Parsed<()> {
    let side = puzzle.size().side();
    for (cell, content) in grid(rows) {
        if content.get("given").and_then(Value::as_bool) == Some(true) {
            let value = cell_value("grid", &content["value"])?;
            puzzle.give(cell, value).map_err(in_part("grid"))?;
        }
        if let Some(marks) = content.get("givenPencilMarks").and_then(Value::as_array) {
            let values = marks.iter().map(|mark| cell_value("grid", mark));
            let mut values = values.collect::<Parsed<Vec<u8>>>()?;
            values.sort_unstable();
            values.dedup();
            if !values.is_empty() && values.len() < side {
                puzzle.allow(cell, &values).map_err(in_part("grid"))?;
            }
        }
    }
    Ok(())
}

/// The rules that one field of the puzzle states, without those of [`KNOWN_FIELDS`].
fn rules_of(name: &str, value: &Value, puzzle: &Map<String, Value>) -> Parsed<Vec<Rule>> {
    if is_absent(value) {
        return Ok(Vec::new());
    }
    if let Some(rule) = switched_rule(name) {
        return match value.as_u64().or(value.as_bool().map(u64::from)) {
            Some(1) => Ok(vec![rule]),
            Some(0) => Ok(Vec::new()),
            _ => Err(wrong(name, value, "true or false")),
        };
    }
    if name == "negative" {
        return negative_rules(value);
    }
    if KNOWN_FIELDS.split(' ').any(|known| known == name) {
        return Ok(Vec::new());
    }
    let mut rules = Vec::new();
    for item in items(puzzle, name)? {
        rules.extend(rules_of_item(name, item)?);
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
fn rules_of_item(name: &str, item: &Value) -> Parsed<Vec<Rule>> {
    match name {
        "extraregion" => Ok(vec![Rule::House(cells(name, item)?)]),
        "killercage" => {
            let sum = cage_sum(name, &item["value"])?;
            Ok(vec![Rule::Cage { sum, cells: cells(name, item)? }])
        }
        "thermometer" => Ok(lines(name, item)?.into_iter().map(Rule::Thermometer).collect()),
        "arrow" => {
            let circle = cells(name, item)?;
            let mut arrows = Vec::new();
            for mut line in lines(name, item)? {
                // The line begins in the circle.
                line.retain(|cell| !circle.contains(cell));
                arrows.push(Rule::Arrow { circle: circle.clone(), line });
            }
            Ok(arrows)
        }
        "difference" | "ratio" | "xv" => Ok(vec![mark(name, item)?]),
        _ => Err(foreign(name)),
    }
}

/// Whether the value of a field means that the field states nothing.
fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// The rules of `negative`, which lists the kinds of marks of which all are given. Rules know the dots of both colours together
/// only.
fn negative_rules(value: &Value) -> Parsed<Vec<Rule>> {
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
            return Err(foreign(format!("{name} alone")));
        }
    }
    match names.iter().find(|name| !["xv", "ratio", "difference"].contains(&name.as_str())) {
        Some(name) => Err(foreign(format!("negative {name}"))),
        None => Ok(rules),
    }
}

/// The sum of a cage, if it has one.
pub(super) fn cage_sum(name: &str, value: &Value) -> Parsed<Option<u32>> {
    if is_absent(value) { Ok(None) } else { number(name, value).map(Some) }
}

/// The lines of a thermometer or an arrow.
fn lines(name: &str, item: &Value) -> Parsed<Vec<Vec<Cell>>> {
    let lines = item["lines"].as_array().ok_or_else(|| wrong(name, item, "lines of cells"))?;
    lines.iter().map(|line| cell_list(name, line)).collect()
}

/// The rule of a dot or a letter between two cells.
fn mark(name: &str, item: &Value) -> Parsed<Rule> {
    let value = item.get("value").map(text_of).unwrap_or_default();
    let mark = match (name, &value[..]) {
        ("difference", "" | "1") => Mark::White,
        ("ratio", "" | "2") => Mark::Black,
        ("xv", "X" | "x") => Mark::X,
        ("xv", "V" | "v") => Mark::V,
        _ => return Err(foreign(format!("{name} {value}"))),
    };
    match cells(name, item)?[..] {
        [first, second] => Ok(Rule::Mark(mark, [first, second])),
        _ => Err(wrong(name, item, "two cells")),
    }
}

/// A text, or a number as text.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
