//! Boards in JSON and in scripts.

use super::literal::{self, Value};
use super::read::Record;
use super::text::{Cells, board};

/// Names under which files have the regions.
pub const REGION_KEYS: [&str; 4] = ["regions", "colorRegions", "board", "cells"];
/// Names of stars that are given.
const GIVEN_KEYS: [&str; 3] = ["queens", "givens", "stars_given"];
/// Names of cells that are crossed out.
const BLOCKED_KEYS: [&str; 2] = ["blocked", "crossed"];

/// The boards of a value: an object, a list of rows, or a list of either.
pub fn boards(value: &Value, stars: Option<usize>) -> Result<Vec<Record>, String> {
    match value {
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Object(_))) => {
            let each = items.iter().enumerate().map(|(index, item)| {
                let error = |error| format!("board {}: {error}", index + 1);
                board_of(item, stars).map_err(error)
            });
            each.collect()
        }
        // Boards are lists of rows, and rows are lists or strings: three deep is a list of boards.
        Value::List(items) if depth(value) == 3 => {
            items.iter().map(|item| board_of(item, stars)).collect()
        }
        _ => Ok(vec![board_of(value, stars)?]),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::List(items) => 1 + items.first().map_or(0, depth),
        _ => 0,
    }
}

/// The board of an object or of a list of rows.
fn board_of(value: &Value, stars: Option<usize>) -> Result<Record, String> {
    let regions = match value {
        Value::Object(_) => value.get(&REGION_KEYS).ok_or(
            "found an object without \"regions\" and \"colorRegions\", expected one of them",
        )?,
        _ => value,
    };
    let number = |names: &[&str]| match value.get(names) {
        Some(Value::Word(word)) => {
            let error = |_| format!("found {word:?} under {:?}, expected a number", names[0]);
            word.parse::<u64>().map(Some).map_err(error)
        }
        _ => Ok(None),
    };
    let stated = number(&["solutionsCount", "solutions"])?;
    let stars =
        stars.map_or_else(|| number(&["stars"]).map(|k| k.map(|k| k as usize)), |k| Ok(Some(k)))?;
    let mut cells = rows(regions)?;
    for (names, is_star) in [(&GIVEN_KEYS[..], true), (&BLOCKED_KEYS[..], false)] {
        if let Some(places) = value.get(names) {
            cells
                .marks
                .extend(marks(places, names[0])?.map(|(row, column)| (row, column, is_star)));
        }
    }
    let board = board(&cells, stars)?;
    Ok(Record { board, line: 0, stated })
}

/// The cells of a list of rows, or of a string.
fn rows(value: &Value) -> Result<Cells, String> {
    let word = |value: &Value| match value {
        Value::Word(word) => Ok(word.clone()),
        _ => Err("found a list, expected the letter or number of a region".to_owned()),
    };
    let row = |value: &Value| match value {
        Value::List(cells) => cells.iter().map(word).collect::<Result<Vec<_>, _>>(),
        Value::Word(cells) => Ok(cells.chars().map(String::from).collect()),
        Value::Object(_) => Err("found an object, expected a row of the board".to_owned()),
    };
    match value {
        Value::List(rows) => Cells::of_rows(rows.iter().map(row).collect::<Result<_, _>>()?),
        Value::Word(cells) => Cells::of_line(cells),
        Value::Object(_) => Err("found an object, expected the rows of a board".to_owned()),
    }
}

/// Places of cells: pairs of row and column counted from 0, or a word for each cell of the board, of which `0` and `false` mark none.
fn marks(value: &Value, name: &str) -> Result<impl Iterator<Item = (usize, usize)>, String> {
    let wrong = || {
        format!(
            "found no places under {name:?}, expected pairs [row, column] counted from 0, or a 0 or 1 for each cell"
        )
    };
    let Value::List(items) = value else { return Err(wrong()) };
    let numbers = |item: &Value| match item {
        Value::List(pair) => {
            let number = |value: &Value| match value {
                Value::Word(word) if word == "true" => Ok(1),
                Value::Word(word) if word == "false" => Ok(0),
                Value::Word(word) => word.parse::<usize>().map_err(|_| wrong()),
                _ => Err(wrong()),
            };
            pair.iter().map(number).collect::<Result<Vec<_>, _>>()
        }
        _ => Err(wrong()),
    };
    let lists: Vec<Vec<usize>> = items.iter().map(numbers).collect::<Result<_, _>>()?;
    let is_pairs = lists.iter().all(|list| list.len() == 2);
    if !is_pairs && lists.iter().any(|list| list.len() != lists.len()) {
        return Err(wrong());
    }
    let mut places = Vec::new();
    for (row, list) in lists.iter().enumerate() {
        match list[..] {
            [row, column] if is_pairs => places.push((row, column)),
            _ => {
                places.extend((0..list.len()).filter(|&column| list[column] != 0).map(|c| (row, c)))
            }
        }
    }
    Ok(places.into_iter())
}

/// The boards of a script: each list behind the name of regions and a colon or an equals sign.
pub fn of_script(text: &str, stars: Option<usize>) -> Result<Vec<Record>, (usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((begin, behind)) = next_regions(text, at) {
        let line = text[..begin].matches('\n').count() + 1;
        let (value, rest) = literal::read(&text[behind..]).map_err(|error| (line, error))?;
        let mut record = board_of(&value, stars).map_err(|error| (line, error))?;
        record.line = line;
        at = text.len() - rest.len();
        let end = next_regions(text, at).map_or(text.len(), |(begin, _)| begin);
        record.stated = stated(&text[at..end]);
        found.push(record);
    }
    if found.is_empty() {
        let message = "found no list behind the name regions or colorRegions, expected the rows of a board there";
        return Err((1, message.to_owned()));
    }
    Ok(found)
}

/// Where the name of regions stands from `at` on, and where the list behind it begins.
fn next_regions(text: &str, at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    loop {
        let found = text[from..].find("egions").map(|place| from + place)?;
        let behind = found + "egions".len();
        let value = text[behind..].trim_start_matches(['"', '\'']).trim_start();
        if let Some(value) = value.strip_prefix([':', '=']).map(str::trim_start)
            && value.starts_with('[')
        {
            return Some((found, text.len() - value.len()));
        }
        from = behind;
    }
}

/// The number behind `solutionsCount:`.
fn stated(text: &str) -> Option<u64> {
    let (_, behind) = text.split_once("solutionsCount")?;
    let behind = behind.trim_start_matches(['"', '\'', ':', ' ']);
    let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    behind[..end].parse().ok()
}
