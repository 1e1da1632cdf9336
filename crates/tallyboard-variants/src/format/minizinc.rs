//! The data of MiniZinc models for sudokus and Latin squares: `N=9;` or `S=3;`, and `start=[|…|…|];`.

use super::{Parsed, with_givens};
use crate::error::Place;
use crate::grid::Size;
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// Reads such data; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let lines = text.lines().map(|line| line.split('%').next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join(" ");
    let (mut side_of_box, mut side_above, mut side_below) = (None, None, None);
    let mut values = None;
    for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
        let (name, value) =
            item.split_once('=').map(|(name, value)| (name.trim(), value.trim()))?;
        match (value.parse::<usize>(), name) {
            (Ok(number), "s" | "S") if number < 6 && side_of_box.is_none() => {
                side_of_box = Some(number);
            }
            (Ok(number), "N") if side_above.is_none() => side_above = Some(number),
            (Ok(number), "n") if side_below.is_none() => side_below = Some(number),
            (Err(_), "start" | "puzzle" | "grid") if values.is_none() => {
                values = Some(square(value)?)
            }
            _ => return None,
        }
    }
    let values: Vec<Vec<u8>> = values?;
    let side = values.len();
    // A model of sudokus may call the side of a box `n`.
    let stated: Vec<usize> = [side_of_box, side_above, side_below].into_iter().flatten().collect();
    let is_box = |part: usize| part.checked_mul(part) == Some(side);
    let fits = |&number: &usize| number == side || is_box(number);
    if stated.is_empty() || !stated.iter().all(fits) || side_of_box.is_some_and(|it| !is_box(it)) {
        return None;
    }
    let has_boxes = stated.into_iter().any(is_box);
    let size = Size::new(side).ok()?;
    Some(puzzle(size, has_boxes, &values.concat()).map_err(|error| (Place::Whole, error)))
}

fn puzzle(size: Size, has_boxes: bool, values: &[u8]) -> Result<Puzzle, crate::Error> {
    let mut rules = Rules::new(size.side())?;
    if !has_boxes {
        rules.add(Rule::NoRegions)?;
    }
    with_givens(Puzzle::new(rules), values.iter().copied())
}

/// The rows of a square `[| 1, 2 | 3, 4 |]`.
fn square(text: &str) -> Option<Vec<Vec<u8>>> {
    let inner = text.strip_prefix("[|")?.strip_suffix("|]")?;
    let rows = inner.split('|').filter(|row| !row.trim().is_empty());
    let cells = |row: &str| {
        row.split(',')
            .map(|cell| match cell.trim() {
                "_" => Some(0),
                cell => cell.parse().ok(),
            })
            .collect::<Option<Vec<u8>>>()
    };
    let rows: Vec<Vec<u8>> = rows.map(cells).collect::<Option<_>>()?;
    rows.iter().all(|row| row.len() == rows.len()).then_some(rows)
}
