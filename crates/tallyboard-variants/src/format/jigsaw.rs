//! Jigsaws as two pictures, one of the regions and one of the values, in either order.

use tallyboard_base::text::{is_blank, lines::content};

use super::{Parsed, cells_of_row, with_givens};
use crate::error::Place;
use crate::grid::{Size, char_to_value};
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// Reads a jigsaw; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let rows: Vec<Vec<&str>> = content(text, &["#"]).map(|line| cells_of_row(line.1)).collect();
    // The side may stand above.
    let rows = if rows.len() % 2 == 1 && rows[0].len() < 3 { &rows[1..] } else { &rows };
    let side = rows.len() / 2;
    let size = Size::new(side).ok()?;
    if rows.iter().any(|row| row.len() != side) {
        return None;
    }
    let (first, second) = rows.split_at(side);
    let (regions, values) = match (regions(first), regions(second)) {
        (Some(regions), None) => (regions, second.concat()),
        (None, Some(regions)) => (regions, first.concat()),
        _ => return None,
    };
    let value = |word: &&str| {
        let mut characters = word.chars();
        match (characters.next()?, characters.next()) {
            (sign, None) if sign == '0' || is_blank(sign) => Some(0),
            (c, None) => char_to_value(size, c),
            _ => word.parse().ok().filter(|&value: &u8| usize::from(value) <= side),
        }
    };
    let values: Vec<u8> = values.iter().map(value).collect::<Option<_>>()?;
    Some(puzzle(size, regions, &values).map_err(|error| (Place::Whole, error)))
}

fn puzzle(size: Size, regions: Vec<usize>, values: &[u8]) -> Result<Puzzle, crate::Error> {
    let rules = Rules::new(size.side())?.with(Rule::Regions(regions))?;
    with_givens(Puzzle::new(rules), values.iter().copied())
}

/// The number of each cell's region, if the names in these rows are those of regions: as many as rows, each in as many cells, which
/// hang together. No values of a grid do.
fn regions(rows: &[Vec<&str>]) -> Option<Vec<usize>> {
    let side = rows.len();
    let names = rows.concat();
    let mut known: Vec<&str> = Vec::new();
    let mut numbers = Vec::with_capacity(names.len());
    for name in &names {
        numbers.push(known.iter().position(|known| known == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        }));
    }
    let size = Size::new(side).ok()?;
    let hangs_together = |region: usize| {
        let mut found = vec![numbers.iter().position(|&number| number == region).unwrap_or(0)];
        let mut at = 0;
        while let Some(&cell) = found.get(at) {
            let next = size.neighbours(cell).filter(|&next| numbers[next] == region);
            let next: Vec<usize> = next.filter(|next| !found.contains(next)).collect();
            found.extend(next);
            at += 1;
        }
        found.len() == side
    };
    let are_full = numbers.len() == side * known.len() && known.len() == side;
    (are_full && (0..side).all(hangs_together)).then_some(numbers)
}
