//! Puzzles that f-puzzles exports: JSON with a list for each kind of rule.

use serde_json::{Map, Value};

use super::json::{
    cell, cell_list, cell_value, cells, ensure_square, foreign, grid, in_part, inwards, is_absent,
    items, list, number, ray, region_rules, texts, wrong,
};
use super::{Parsed, Read};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule};
use crate::rules::Rules;

/// The fields that [`read`] reads itself, and those that do not restrict the solution: names, texts, fog, settings of the
/// editor, and the setter's own solution.
const KNOWN_FIELDS: &str = "size grid title author ruleset solution highlightConflicts disabledlogic truecandidatesoptions \
                            successMessage metadata fogofwar foglight";
/// The fields of what is only drawn.
const DRAWINGS: [&str; 5] = ["line", "text", "circle", "rectangle", "cage"];
/// The keys of a cell, of which the last five do not restrict the solution.
const CELL_KEYS: &str = "value given givenPencilMarks region parity extreme c cArray highlight centerPencilMarks \
                         cornerPencilMarks candidates";

/// Whether JSON is a puzzle of f-puzzles: a grid whose cells are objects.
pub(super) fn is_puzzle(object: &Map<String, Value>) -> bool {
    object.get("grid").is_some_and(|grid| grid[0][0].is_object())
}

/// Reads a puzzle of f-puzzles.
pub(super) fn read(puzzle: &Map<String, Value>) -> Parsed<Read> {
    let rows = list(puzzle, "grid")?;
    let side = match puzzle.get("size") {
        Some(size) => number("size", size)? as usize,
        None => rows.len(),
    };
    let mut rules = Rules::new(side).map_err(in_part("size"))?;
    ensure_square("grid", rows, side)?;
    for rule in regions(rows, rules.size())? {
        rules.add(rule).map_err(in_part("grid"))?;
    }
    rules.check_regions_stated().map_err(in_part("grid"))?;
    let mut drawings = Vec::new();
    for (name, value) in puzzle {
        if DRAWINGS.contains(&&name[..]) {
            drawings.extend(drawn(puzzle, name)?);
            continue;
        }
        for rule in rules_of(name, value, puzzle, rules.size())? {
            rules.add(rule).map_err(in_part(name))?;
        }
    }
    for rule in old_marks(rows)? {
        rules.add(rule).map_err(in_part("grid"))?;
    }
    let mut read = Puzzle::new(rules);
    read_cells(&mut read, rows)?;
    Ok(Read { puzzle: read, drawings })
}

/// The name of a field of drawings, with how many there are, unless each is the twin that a plug-in draws for a rule of its own.
fn drawn(puzzle: &Map<String, Value>, name: &str) -> Parsed<Option<String>> {
    let is_twin = |item: &&Value| item["isNewConstraint"].as_bool() == Some(true);
    let number = items(puzzle, name)?.iter().filter(|item| !is_twin(item)).count();
    Ok((number > 0).then(|| tallyboard_base::figures::counted(number, name)))
}

/// The rules of the regions; none if they are the boxes. A cell that states no region is in the one with the number of its box,
/// and one that states `null` is in none: regions are houses then.
fn regions(rows: &[Value], size: Size) -> Parsed<Vec<Rule>> {
    let boxes: Vec<Option<usize>> = (0..size.cells()).map(|cell| Some(size.box_of(cell))).collect();
    let mut numbers = boxes.clone();
    for ((_, content), region) in grid(rows).zip(&mut numbers) {
        match content.get("region") {
            Some(Value::Null) => *region = None,
            Some(stated) => *region = Some(number("region", stated)? as usize),
            None => {}
        }
    }
    Ok(if numbers == boxes { Vec::new() } else { region_rules(&numbers, size) })
}

/// The marks that old exports have in the cells.
fn old_marks(rows: &[Value]) -> Parsed<Vec<Rule>> {
    let mut rules = Vec::new();
    for (key, name, marked) in [
        ("parity", "Odd", Marked::Odd),
        ("parity", "Even", Marked::Even),
        ("extreme", "Minimum", Marked::Minimum),
        ("extreme", "Maximum", Marked::Maximum),
    ] {
        let has = |content: &Value| content[key].as_str() == Some(name);
        let cells: Vec<Cell> =
            grid(rows).filter(|(_, content)| has(content)).map(|(cell, _)| cell).collect();
        if !cells.is_empty() {
            rules.push(Rule::Marked(marked, cells));
        }
    }
    Ok(rules)
}

/// Reads givens and pencil marks.
fn read_cells(puzzle: &mut Puzzle, rows: &[Value]) -> Parsed<()> {
    let side = puzzle.size().side();
    for (cell, content) in grid(rows) {
        let mut keys = content.as_object().into_iter().flat_map(Map::iter);
        let is_unknown = |(key, value): &(&String, &Value)| {
            !CELL_KEYS.split(' ').any(|known| known == *key) && !is_absent(value)
        };
        if let Some((key, _)) = keys.find(is_unknown) {
            return Err(foreign(format!("{key} of {cell}")));
        }
        for (key, names) in [("parity", ["Odd", "Even"]), ("extreme", ["Minimum", "Maximum"])] {
            let value = &content[key];
            if !is_absent(value) && !value.as_str().is_some_and(|text| names.contains(&text)) {
                return Err(wrong(
                    "grid",
                    value,
                    "Odd or Even as parity, Minimum or Maximum as extreme",
                ));
            }
        }
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
fn rules_of(
    name: &str,
    value: &Value,
    puzzle: &Map<String, Value>,
    size: Size,
) -> Parsed<Vec<Rule>> {
    if is_absent(value) {
        return Ok(Vec::new());
    }
    if let Some(rule) = switched_rule(name, puzzle) {
        return match value.as_u64().or(value.as_bool().map(u64::from)) {
            Some(1) => Ok(vec![rule]),
            Some(0) => Ok(Vec::new()),
            _ => Err(wrong(name, value, "true or false")),
        };
    }
    if name == "negative" {
        return negative_rules(value);
    }
    if name == "activeConstraints" {
        return check_active(value, puzzle);
    }
    if KNOWN_FIELDS.split(' ').any(|known| known == name) {
        return Ok(Vec::new());
    }
    if let Some(marked) = marked(name) {
        // Minimum and maximum are compared with the neighbours that no other item marks.
        let mut cells = Vec::new();
        for item in items(puzzle, name)? {
            match item.get("cells") {
                Some(_) => cells.extend(super::json::cells(name, item)?),
                None => cells.push(cell(name, &item["cell"])?),
            }
        }
        return Ok(vec![Rule::Marked(marked, cells)]);
    }
    let mut rules = Vec::new();
    for item in items(puzzle, name)? {
        rules.extend(rules_of_item(name, item, size)?);
    }
    Ok(rules)
}

/// The rule of a field that is true or false. `nonconsecutive` spares neighbours with a dot, whatever it says.
fn switched_rule(name: &str, puzzle: &Map<String, Value>) -> Option<Rule> {
    let has = |field| puzzle.get(field).is_some_and(|value| !is_absent(value));
    match name {
        "diagonal+" => Some(Rule::RisingDiagonal),
        "diagonal-" => Some(Rule::FallingDiagonal),
        "antiknight" => Some(Rule::AntiKnight),
        "antiking" => Some(Rule::AntiKing),
        "nonconsecutive" if has("difference") || has("ratio") => Some(Rule::AllDifferencesGiven),
        "nonconsecutive" => Some(Rule::NonConsecutive),
        "disjointgroups" => Some(Rule::DisjointGroups),
        _ => None,
    }
}

/// The mark of a field that lists cells.
fn marked(name: &str) -> Option<Marked> {
    match name {
        "odd" => Some(Marked::Odd),
        "even" => Some(Marked::Even),
        "minimum" => Some(Marked::Minimum),
        "maximum" => Some(Marked::Maximum),
        "rowindexer" => Some(Marked::RowIndexer),
        "columnindexer" => Some(Marked::ColumnIndexer),
        "boxindexer" => Some(Marked::BoxIndexer),
        _ => None,
    }
}

/// The editor's list of the kinds of rules that it shows states nothing by itself, if each of them has its field.
fn check_active(value: &Value, puzzle: &Map<String, Value>) -> Parsed<Vec<Rule>> {
    for name in value.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let field: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
        if !puzzle.contains_key(&field) {
            return Err(foreign(name));
        }
    }
    Ok(Vec::new())
}

/// The rules of one item of the list in the field `name`.
fn rules_of_item(name: &str, item: &Value, size: Size) -> Parsed<Vec<Rule>> {
    if let Some(line) = line(name, item, size)? {
        // A line of one cell states nothing, and neither do two circles with nothing between them.
        let fewest = if line == Line::DoubleArrow { 3 } else { 2 };
        let lines = lines(name, item)?.into_iter().filter(|cells| cells.len() >= fewest);
        return Ok(lines.map(|cells| Rule::Line(line, cells)).collect());
    }
    if let Some(outside) = outside(name) {
        return outside_rule(outside, name, item, size).map(|rule| rule.into_iter().collect());
    }
    match name {
        "extraregion" => {
            let cells = cells(name, item)?;
            let is_house = cells.len() == size.side();
            Ok(match cells.len() {
                0 | 1 => Vec::new(),
                _ if is_house => vec![Rule::House(cells)],
                _ => vec![Rule::Different(cells)],
            })
        }
        "killercage" => {
            let cells = cells(name, item)?;
            let sum = cage_sum(name, &item["value"])?;
            // A cage of one cell without a sum states nothing.
            let states = sum.is_some() || cells.len() > 1;
            Ok(if states { vec![Rule::Cage { sum, cells }] } else { Vec::new() })
        }
        "thermometer" => {
            let lines = lines(name, item)?.into_iter().filter(|cells| cells.len() > 1);
            Ok(lines.map(Rule::Thermometer).collect())
        }
        "arrow" => {
            let circle = cells(name, item)?;
            // The line begins with the cell of the circle that it leaves.
            let shafts =
                lines(name, item)?.into_iter().map(|line| line[1.min(line.len())..].to_vec());
            let shafts = shafts.filter(|shaft| !shaft.is_empty());
            Ok(shafts.map(|line| Rule::Arrow { circle: circle.clone(), line }).collect())
        }
        "difference" | "ratio" | "xv" => Ok(mark(name, item)?.into_iter().collect()),
        "quadruple" => {
            let values = item["values"].as_array().map(Vec::as_slice).unwrap_or_default();
            let values = values.iter().map(|value| cell_value(name, value));
            let values = values.collect::<Parsed<Vec<u8>>>()?;
            let cells = cells(name, item)?;
            Ok(if values.is_empty() { Vec::new() } else { vec![Rule::Quadruple(values, cells)] })
        }
        "clone" => {
            let pairs = cells(name, item)?.into_iter().zip(cell_list(name, &item["cloneCells"])?);
            let pairs = pairs.filter(|(cell, clone)| cell != clone);
            Ok(pairs.map(|(cell, clone)| Rule::Marked(Marked::Same, vec![cell, clone])).collect())
        }
        _ => Err(foreign(name)),
    }
}

/// The line rule of a field, with the number of the item or the usual one.
fn line(name: &str, item: &Value, size: Size) -> Parsed<Option<Line>> {
    let known = match name {
        "whispers" => "whispers",
        "palindrome" => "palindrome",
        "renban" => "renban",
        "betweenline" => "between",
        "regionsumline" => "region-sums",
        "entropicline" => "entropic",
        "modularline" => "modular",
        "nabner" => "nabner",
        "zipperline" => "zipper",
        "doublearrow" => "double-arrow",
        "slowthermometer" => "slow-thermometer",
        _ => return Ok(None),
    };
    let line = Line::all(size.side() as u32).into_iter().find(|line| line.name() == known);
    let stated = item.get("value").filter(|value| !is_absent(value));
    match (line, stated) {
        (Some(line @ Line::Whispers(_)), Some(value)) => {
            Ok(Some(line.with_number(number(name, value)?)))
        }
        (_, Some(value)) => Err(wrong(name, value, "no value for this kind of line")),
        (line, None) => Ok(line),
    }
}

/// The clue of a field of clues outside of the grid.
fn outside(name: &str) -> Option<Outside> {
    match name {
        "littlekillersum" => Some(Outside::LittleKiller),
        "sandwichsum" => Some(Outside::Sandwich),
        "xsum" => Some(Outside::XSum),
        "skyscraper" => Some(Outside::Skyscraper),
        _ => None,
    }
}

/// The rule of a clue at a place such as `R0C3` beside the grid; `None` if it has no value.
fn outside_rule(outside: Outside, name: &str, item: &Value, size: Size) -> Parsed<Option<Rule>> {
    let Some(value) = item.get("value").filter(|value| !is_absent(value)) else { return Ok(None) };
    let value = number(name, value)?;
    let at = cell(name, &item["cell"])?;
    let at = (at.row() as isize, at.column() as isize);
    let step = match outside {
        Outside::LittleKiller => match item["direction"].as_str() {
            Some("DR") => (1, 1),
            Some("DL") => (1, -1),
            Some("UR") => (-1, 1),
            Some("UL") => (-1, -1),
            _ => return Err(wrong(name, &item["direction"], "a direction: DR, DL, UR or UL")),
        },
        _ => inwards(size, at),
    };
    let cells = ray(size, at, step);
    if cells.is_empty() {
        return Err(wrong(name, &item["cell"], "a cell beside the grid"));
    }
    // A sum of 0 of a little killer is the lack of one: no cell has it.
    let states = outside != Outside::LittleKiller || value > 0;
    Ok(states.then_some(Rule::Outside(outside, value, cells)))
}

/// The rules of `negative`, which lists the kinds of marks of which all are given: ratios, or X and V.
fn negative_rules(value: &Value) -> Parsed<Vec<Rule>> {
    let rule = |name: &String| match &name[..] {
        "xv" => Ok(Rule::AllXvGiven),
        "ratio" => Ok(Rule::AllRatiosGiven),
        _ => Err(foreign(format!("negative {name}"))),
    };
    texts("negative", value)?.iter().map(rule).collect()
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

/// The rule of a dot or a letter between two cells; `None` for a letter that is missing.
fn mark(name: &str, item: &Value) -> Parsed<Option<Rule>> {
    let value = item.get("value").map(text_of).unwrap_or_default();
    let [first, second] = cells(name, item)?[..] else {
        return Err(wrong(name, item, "two cells"));
    };
    let pair = [first, second];
    let number = value.parse().ok();
    Ok(Some(match (name, &value[..], number) {
        ("xv", "", _) => return Ok(None),
        ("xv", "X" | "x", _) => Rule::Mark(Mark::X, pair),
        ("xv", "V" | "v", _) => Rule::Mark(Mark::V, pair),
        ("difference", "" | "1", _) => Rule::Mark(Mark::White, pair),
        ("ratio", "" | "2", _) => Rule::Mark(Mark::Black, pair),
        ("difference", _, Some(number)) => {
            Rule::Calculation(Calculation::Difference, number, pair.to_vec())
        }
        ("ratio", _, Some(number)) => {
            Rule::Calculation(Calculation::Quotient, number, pair.to_vec())
        }
        _ => return Err(foreign(format!("{name} {value}"))),
    }))
}

/// A text, or a number as text.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
