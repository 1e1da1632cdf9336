//! Cages as a grid with the sum of each cage in one of its cells, and in the others a sign that points at a neighbour in the same cage.

use tallyboard_base::text::lines::content;

use super::{Parsed, cages, cells_of_row};
use crate::error::{Error, Place};
use crate::grid::Size;
use crate::puzzle::Puzzle;

/// Reads such a grid; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let rows: Vec<Vec<&str>> = content(text, &["#"]).map(|line| cells_of_row(line.1)).collect();
    let size = Size::new(rows.len()).ok()?;
    let side = rows.len();
    if rows.iter().any(|row| row.len() != side) {
        return None;
    }
    let words = rows.concat();
    let is_sum = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let next = |cell: usize| match words[cell] {
        "<" if !cell.is_multiple_of(side) => Some(cell - 1),
        ">" if !(cell + 1).is_multiple_of(side) => Some(cell + 1),
        "^" => cell.checked_sub(side),
        "v" | "V" => Some(cell + side).filter(|cell| *cell < side * side),
        sum => is_sum(sum).then_some(cell),
    };
    let next: Vec<usize> = (0..side * side).map(next).collect::<Option<_>>()?;
    let signs = words.iter().filter(|word| !is_sum(word)).count();
    if signs == 0 || signs == words.len() {
        return None;
    }
    // Signs that point at each other in a circle reach no sum.
    let end = |cell: usize| (0..side * side).fold(cell, |at, _| next[at]);
    let ends: Vec<usize> = (0..side * side).map(end).collect();
    if let Some(cell) = (0..side * side).find(|cell| !is_sum(words[ends[*cell]])) {
        let (rule, found) = (size.cell(cell).to_string(), format!("'{}'", words[cell]));
        let expected = "a sign that leads to the sum of its cage";
        return Some(Err((Place::Whole, Error::Words { rule, found, expected })));
    }
    let sums: Vec<(usize, u32)> = (0..side * side)
        .filter(|&cell| next[cell] == cell)
        .map(|cell| Some((cell, words[cell].parse().ok()?)))
        .collect::<Option<_>>()?;
    let cells = |sum: usize| {
        (0..side * side).filter(|&cell| ends[cell] == sum).map(|cell| size.cell(cell)).collect()
    };
    Some(cages::puzzle(side, sums.iter().map(|&(cell, sum)| (0, None, sum, cells(cell)))))
}
