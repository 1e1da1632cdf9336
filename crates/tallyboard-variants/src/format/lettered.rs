//! Cages as a picture of names with their clues, as in `A=24x, B=5-`, below it, above it or in the first cell of each cage: a
//! KenKen if clues have operations, and a killer if none has.

use tallyboard_base::text::lines::content;

use super::{Parsed, cages, cells_of_row};
use crate::error::{Error, Place};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::Calculation;

/// The parts of a text: the names of cages row by row, and each clue with the number of its line.
struct Cages<'a> {
    side: usize,
    names: Vec<&'a str>,
    clues: Vec<(usize, &'a str, String)>,
    /// Values of cells by number, 0 for none.
    values: Vec<(usize, u8)>,
}

/// The parts of a text; `None` if it is of another form.
fn parse(text: &str) -> Option<Cages<'_>> {
    let lines = content(text, &["#"]).filter(|(_, line)| *line != "START");
    let (mut rows, mut clues, mut stated) = (Vec::new(), Vec::new(), Vec::new());
    for (number, line) in lines {
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(found) = clues_of(line) {
            clues.extend(found.into_iter().map(|(name, clue)| (number, name, clue)));
        } else if rows.is_empty() && stated.is_empty() && line.split_whitespace().all(is_number) {
            // The side, or the side and the number of cages.
            stated =
                line.split_whitespace().take(3).map(str::parse).collect::<Result<_, _>>().ok()?;
        } else {
            rows.push((number, cells_of_row(line)));
        }
    }
    let side = rows.len();
    if side < 3
        || rows.iter().any(|(_, row)| row.len() != side)
        || stated.len() > 2
        || stated.first().is_some_and(|&stated: &usize| stated != side)
    {
        return None;
    }
    let mut names = Vec::with_capacity(side * side);
    for &(line, ref row) in &rows {
        for cell in row {
            let sign = cell.find([':', '=', '.']).filter(|&at| at > 0);
            let (name, clue) = sign.map_or((*cell, ""), |at| cell.split_at(at));
            if clue.len() > 1 {
                clues.push((line, name, clue[1..].to_owned()));
            }
            names.push(name);
        }
    }
    let mut values = Vec::new();
    for (number, name) in names.iter_mut().enumerate() {
        // A value or a blank may stand before the name, as in `8C1` and `.C1`.
        let (value, rest) = name.split_at_checked(1).unwrap_or_default();
        if !clues.iter().any(|clue| clue.1 == *name) && clues.iter().any(|clue| clue.1 == rest) {
            values.push((number, value.replace('.', "0").parse().ok()?));
            *name = rest;
        }
    }
    let has_clue = |name: &str| clues.iter().any(|clue| clue.1 == name);
    let is_name =
        |name: &&str| name.starts_with(char::is_alphabetic) || has_clue(name) || is_value(name);
    let has_names = names.iter().any(|name| has_clue(name));
    (has_names && names.iter().all(is_name)).then_some(Cages { side, names, clues, values })
}

/// Whether a cell without a clue states its value.
fn is_value(name: &str) -> bool {
    name.parse::<u8>().is_ok_and(|value| value > 0)
}

/// The clues of a line: names with `=` or `:`, or a name, an operation and a number.
fn clues_of(line: &str) -> Option<Vec<(&str, String)>> {
    let mut words = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
    let words: Vec<&str> = words.by_ref().filter(|word| !word.is_empty()).collect();
    if let [name, sign, value] = words[..]
        && cages::operation(sign).is_some_and(|operation| operation.is_some())
        && value.parse::<u32>().is_ok()
    {
        return Some(vec![(name, format!("{value}{sign}"))]);
    }
    let mut clues: Vec<(&str, String)> = Vec::new();
    for word in words {
        let is_open = clues.last().is_some_and(|clue| clue.1.is_empty());
        let is_sign = cages::operation(word).is_some_and(|operation| operation.is_some());
        match word.split_once(['=', ':']) {
            Some((name, clue)) if !name.is_empty() && !is_open => {
                clues.push((name, clue.to_owned()))
            }
            // A sign, or the whole clue, may stand behind a gap.
            None if is_open || is_sign => clues.last_mut()?.1 += word,
            _ => return None,
        }
    }
    clues.iter().all(|clue| !clue.1.is_empty()).then_some(clues)
}

/// Reads a picture of cages with clues; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    parse(text).map(puzzle)
}

fn puzzle(found: Cages) -> Parsed<Puzzle> {
    let at = |error| (Place::Whole, error);
    let size = Size::new(found.side).map_err(at)?;
    let Cages { side, names: all, mut clues, values: stated } = found;
    let mut names = all.clone();
    names.sort_unstable();
    names.dedup();
    let stated = stated.into_iter().filter(|(_, value)| *value > 0);
    let mut values: Vec<_> = stated.map(|(number, value)| (size.cell(number), value)).collect();
    let mut read = Vec::new();
    for name in names {
        let cells = cells_of(size, &all, name);
        let Some(found) = clues.iter().position(|clue| clue.1 == name) else {
            if let Ok(value) = name.parse() {
                values.extend(cells.into_iter().map(|cell| (cell, value)));
                continue;
            }
            return Err(at(wrong(name, "no clue", "one such as A=24x beside the picture")));
        };
        let (line, _, clue) = clues.remove(found);
        let (operation, value) = clue_of(&clue).map_err(|error| (Place::Line(line), error))?;
        read.push((line, operation, value, cells));
    }
    if let Some((line, name, _)) = clues.first() {
        let expected = "one for each cage of the picture";
        return Err((Place::Line(*line), wrong(name, "a clue", expected)));
    }
    let mut puzzle = cages::puzzle(side, read.into_iter())?;
    for (cell, value) in values {
        puzzle.give(cell, value).map_err(at)?;
    }
    Ok(puzzle)
}

fn cells_of(size: Size, names: &[&str], name: &str) -> Vec<Cell> {
    let numbers = (0..names.len()).filter(|&number| names[number] == name);
    numbers.map(|number| size.cell(number)).collect()
}

/// The operation and the number of a clue, the operation before or behind the number.
fn clue_of(clue: &str) -> Result<(Option<Calculation>, u32), Error> {
    let wrong = || wrong("cage", clue, "a number with one of + - x / before or behind it");
    let number = clue.trim_matches(|c: char| !c.is_ascii_digit());
    let sign = clue.replacen(number, "", 1);
    let operation = cages::operation(sign.trim()).ok_or_else(wrong)?;
    Ok((operation, number.parse().map_err(|_| wrong())?))
}

fn wrong(rule: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: rule.to_owned(), found: found.to_owned(), expected }
}
