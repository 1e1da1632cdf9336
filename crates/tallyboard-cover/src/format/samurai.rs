//! Samurai sudokus: five sudokus, of which the middle one shares a box with each of the others, as 21 rows.

use tallyboard_base::text::is_blank;

use super::content;
use crate::cover::{Cover, Entry, Kind, NO_COLOUR};
use crate::mistake::LocatedMistake;

/// The rows and columns of all five.
const SIDE: usize = 21;
/// The first row and column of each.
const GRIDS: [(usize, usize); 5] = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)];

/// The number of a line and the values of its cells, 0 for none; cells of no sudoku are `None`.
type Row = (usize, Vec<Option<u8>>);

/// Whether a cell belongs to a sudoku.
fn is_cell(row: usize, column: usize) -> bool {
    let is_in = |&(top, left): &(usize, usize)| {
        (top..top + 9).contains(&row) && (left..left + 9).contains(&column)
    };
    GRIDS.iter().any(is_in)
}

/// The rows of a samurai, perhaps below their number; `None` of another text. Cells of no sudoku are blanks, or are left out in all
/// rows that have some.
fn rows(text: &str) -> Option<Vec<Row>> {
    let is_size = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], ["21"] | ["21", "21"])
    };
    let mut lines = content(text).peekable();
    lines.next_if(|(_, line)| is_size(line));
    let lines: Vec<(usize, &str)> = lines.take(SIDE + 1).collect();
    if lines.len() != SIDE {
        return None;
    }
    let rows: Vec<Row> = (0..SIDE).map(|row| read_row(row, lines[row])).collect::<Option<_>>()?;
    // A matrix has no greater values than 1.
    let is_value = |cell: &Option<u8>| cell.is_some_and(|value| value > 1);
    rows.iter().any(|(_, cells)| cells.iter().any(is_value)).then_some(rows)
}

fn read_row(row: usize, (number, line): (usize, &str)) -> Option<Row> {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';' || c == '|';
    let signs: Vec<char> = line.chars().filter(|c| !is_gap(*c)).collect();
    let places = (0..SIDE).filter(|&column| signs.len() == SIDE || is_cell(row, column));
    let places: Vec<usize> = places.collect();
    if places.len() != signs.len() {
        return None;
    }
    let mut cells = vec![None; SIDE];
    for (column, sign) in places.into_iter().zip(signs) {
        let value = match sign {
            '1'..='9' => sign as u8 - b'0',
            sign if sign == '0' || is_blank(sign) => 0,
            _ => return None,
        };
        match is_cell(row, column) {
            true => cells[column] = Some(value),
            false if value > 0 => return None,
            false => {}
        }
    }
    Some((number, cells))
}

pub(super) fn is_samurai(text: &str) -> bool {
    rows(text).is_some()
}

/// Reads a samurai: an option for each value of each cell, and an item for each cell and for each value of each row, column and box
/// of the sudokus `A` to `E`.
pub(super) fn read(text: &str) -> Result<Cover, LocatedMistake> {
    let rows = rows(text).expect("it was recognised");
    let first = rows[0].0;
    let mut cover = Cover::new();
    let mut items = Vec::new();
    for letter in 'A'..='E' {
        for house in ['r', 'c', 'b'] {
            for number in 1..=9 {
                for value in 1..=9 {
                    items.push(format!("{letter}{house}{number}={value}"));
                }
            }
        }
    }
    let cells = |row: usize| (0..SIDE).filter(move |&column| is_cell(row, column));
    items.extend(
        (0..SIDE)
            .flat_map(|row| cells(row).map(move |column| format!("r{}c{}", row + 1, column + 1))),
    );
    for item in &items {
        cover.add_item(item, Kind::ONCE).map_err(|error| (first, error.into()))?;
    }
    let mut of_cell = (items.len() - (0..SIDE).flat_map(cells).count()) as u32;
    for (row, (number, values)) in rows.iter().enumerate() {
        for column in cells(row) {
            let given = values[column].unwrap_or(0);
            for value in (1..=9).filter(|&value| given == 0 || given == value) {
                let entry = |item| Entry { item, colour: NO_COLOUR };
                let houses = houses(row, column).into_iter();
                let items = houses.map(|house| (9 * house + usize::from(value) - 1) as u32);
                let entries = std::iter::once(of_cell).chain(items).map(entry);
                cover.add_option(entries).map_err(|error| (*number, error.into()))?;
            }
            of_cell += 1;
        }
    }
    Ok(cover)
}

/// The numbers of the rows, columns and boxes that a cell is in, in the order of their items.
fn houses(row: usize, column: usize) -> Vec<usize> {
    let mut houses = Vec::new();
    for (grid, (top, left)) in GRIDS.into_iter().enumerate() {
        let inner = (row.wrapping_sub(top), column.wrapping_sub(left));
        if let (row @ 0..9, column @ 0..9) = inner {
            let of_grid = [row, 9 + column, 18 + row / 3 * 3 + column / 3];
            houses.extend(of_grid.map(|house| 27 * grid + house));
        }
    }
    houses
}
