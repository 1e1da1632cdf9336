//! The JSON in which a newspaper publishes its three boards of Pips of a day, and solvers keep them.
//!
//! An object has the members `easy`, `medium` and `hard`, the problems 1, 2 and 3; or it is one problem itself. Of a problem
//! `dominoes` and `regions` are read: a domino is a list of two numbers; a region has `indices`, its cells as pairs of row and column
//! from 0, a `type` and for sums a `target`. Each cell of the board is in a region.

use tallyboard_base::text::value::{self, Value};

use super::{Domino, MOST_PIPS, Pips, Region, Rule};
use crate::mistake::{LocatedMistake, located, mistake};
use crate::picture::{DrawnCell, Puzzle};

/// The members that have problems, in the order of their numbers.
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
/// The largest number of a row or a column.
const MOST_PLACES: i32 = 10_000;

/// Whether a text is such a file, or its beginning.
pub(crate) fn begins_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && ["\"dominoes\"", "\"regions\"", "\"indices\""].iter().all(|key| text.contains(key))
}

/// The problems of a file, each with its level; an object that is one problem has no level.
fn problems(file: &Value) -> Vec<(&'static str, &Value)> {
    let of_level = |level| Some((level, file.get(&[level])?));
    let levels: Vec<_> = LEVELS.into_iter().filter_map(of_level).collect();
    if levels.is_empty() { vec![("", file)] } else { levels }
}

/// The line and the level of each problem; none if the text cannot be read.
pub(crate) fn places(text: &str) -> Vec<(usize, String)> {
    let Ok(file) = value::read_only(text) else { return Vec::new() };
    let problems = problems(&file);
    problems.iter().map(|(level, problem)| (problem.line, (*level).to_owned())).collect()
}

/// Reads one of the problems, which has a number from 1.
pub(crate) fn read_json(text: &str, number: Option<usize>) -> Result<Puzzle, LocatedMistake> {
    let file = value::read_only(text).map_err(located)?;
    let problems = problems(&file);
    let names = || {
        let name =
            |(number, problem): (usize, &(&str, &Value))| format!("{number} ({})", problem.0);
        (1..).zip(&problems).map(name).collect::<Vec<_>>().join(", ")
    };
    let problem = match number.unwrap_or(1).checked_sub(1).and_then(|index| problems.get(index)) {
        Some((_, problem)) if number.is_some() || problems.len() == 1 => problem,
        Some(_) => {
            let found = format!("{} problems: {}", problems.len(), names());
            return Err((1, mistake(found, "the number of one of them: --number 3")));
        }
        None if problems.len() == 1 => {
            let found = format!("the problem {} asked for", number.unwrap_or(0));
            return Err((1, mistake(found, "1, as this file has one problem")));
        }
        None => {
            let found = format!("no problem {}", number.unwrap_or(0));
            return Err((1, mistake(found, format!("one of {}", names()))));
        }
    };
    pips_of(problem)?.puzzle()
}

fn pips_of(problem: &Value) -> Result<Pips, LocatedMistake> {
    let mut pips = Pips { line: problem.line, ..Pips::default() };
    for domino in list(problem, "dominoes")? {
        let ends = pair(domino, MOST_PIPS as i32, "a list of the two numbers of pips of a domino")?;
        pips.dominoes.push(Domino { ends: ends.map(|end| end as u32), line: domino.line });
    }
    for (number, region) in (1..).zip(list(problem, "regions")?) {
        let mut cells = Vec::new();
        for index in list(region, "indices")? {
            let [row, column] = pair(index, MOST_PLACES, "the row and the column of a cell")?;
            let place = [column, row, 0];
            if pips.board.iter().any(|cell| cell.place == place) {
                let found = format!("the cell [{row}, {column}] in a second region");
                return Err((index.line, mistake(found, "each cell in one")));
            }
            cells.push(pips.board.len());
            pips.board.push(DrawnCell { cell: place, place, mark: '.', line: index.line });
        }
        if cells.is_empty() {
            return Err((region.line, mistake("a region without cells", "one at least")));
        }
        let rule = rule_of(region)?;
        pips.regions.push(Region { name: format!("r{number}"), rule, cells, line: region.line });
    }
    if pips.board.is_empty() {
        return Err((problem.line, mistake("no region", "one at least")));
    }
    // The board may stand anywhere in the numbers of rows and columns.
    let least =
        [0, 1].map(|axis| pips.board.iter().map(|cell| cell.place[axis]).min().unwrap_or(0));
    for cell in &mut pips.board {
        cell.place = [cell.place[0] - least[0], cell.place[1] - least[1], 0];
        cell.cell = cell.place;
    }
    Ok(pips)
}

/// The items of a list that an object has under a name.
fn list<'a>(object: &'a Value, name: &str) -> Result<&'a [Value], LocatedMistake> {
    let found = object.get(&[name]);
    found.and_then(Value::items).ok_or_else(|| {
        let line = found.map_or(object.line, |found| found.line);
        let found =
            found.map_or(format!("no \"{name}\""), |found| format!("{found} for \"{name}\""));
        (line, mistake(found, format!("a list of {name}")))
    })
}

/// A list of two numbers from 0 to `most`.
fn pair(value: &Value, most: i32, expected: &str) -> Result<[i32; 2], LocatedMistake> {
    let number =
        |value: &Value| value.text()?.parse().ok().filter(|number| (0..=most).contains(number));
    let found = match value.items() {
        Some([a, b]) => number(a).zip(number(b)),
        _ => None,
    };
    let wrong =
        || (value.line, mistake(value.to_string(), format!("{expected}, from 0 to {most}")));
    found.map(|(a, b)| [a, b]).ok_or_else(wrong)
}

fn rule_of(region: &Value) -> Result<Rule, LocatedMistake> {
    let target = region.get(&["target"]).filter(|target| target.text() != Some("null"));
    let kind = region.get(&["type"]).and_then(Value::text).unwrap_or("");
    let number = target.and_then(Value::text).and_then(|text| text.parse::<u32>().ok());
    let rule = match (kind, target, number) {
        ("sum", _, Some(sum)) => Rule::Sum(sum),
        ("less", _, Some(bound)) => Rule::Less(bound),
        ("greater", _, Some(bound)) => Rule::Greater(bound),
        ("equals", None, _) => Rule::Equal,
        ("unequal", None, _) => Rule::Unequal,
        ("empty", None, _) => Rule::Free,
        _ => {
            let target =
                target.map_or("no target".to_owned(), |target| format!("the target {target}"));
            let found = format!("a region of type {kind:?} with {target}");
            let expected = "sum, less or greater with a target up to 4294967295, or equals, unequal or empty without one";
            return Err((region.line, mistake(found, expected)));
        }
    };
    Ok(rule)
}
