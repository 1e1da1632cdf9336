//! Sudokus that overlap: samurais, of which five make 21 rows, and the other arrangements that magazines and collections have.

use tallyboard_base::text::is_blank;

use super::content;
use crate::cover::{Cover, Entry, Kind, NO_COLOUR};
use crate::mistake::LocatedMistake;

/// The first row and column of each sudoku of an arrangement.
type Grids = [(usize, usize)];

/// A samurai, a windmill and a sohei of 21 rows, eight in two rows of three and one of two, a shogun, a sumo, and a butterfly.
const ARRANGEMENTS: [&Grids; 7] = [
    &[(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)],
    &[(0, 3), (3, 12), (6, 6), (9, 0), (12, 9)],
    &[(0, 6), (6, 0), (6, 12), (12, 6)],
    &[(0, 0), (0, 12), (0, 24), (6, 6), (6, 18), (12, 0), (12, 12), (12, 24)],
    &[
        (0, 0),
        (0, 12),
        (0, 24),
        (0, 36),
        (6, 6),
        (6, 18),
        (6, 30),
        (12, 0),
        (12, 12),
        (12, 24),
        (12, 36),
    ],
    &[
        (0, 0),
        (0, 12),
        (0, 24),
        (6, 6),
        (6, 18),
        (12, 0),
        (12, 12),
        (12, 24),
        (18, 6),
        (18, 18),
        (24, 0),
        (24, 12),
        (24, 24),
    ],
    &BUTTERFLY,
];
/// Its rows are as many as those of a single sudoku of another size, so that the numbers of rows and columns have to stand above it.
const BUTTERFLY: [(usize, usize); 4] = [(0, 0), (0, 3), (3, 0), (3, 3)];

/// The number of a line and the values of its cells, 0 for none; cells of no sudoku are `None`.
type Row = (usize, Vec<Option<u8>>);

/// Sudokus that overlap.
struct Overlapping {
    grids: &'static Grids,
    rows: Vec<Row>,
}

/// The rows and columns of all sudokus of an arrangement.
fn size(grids: &Grids) -> (usize, usize) {
    let most = |place: fn(&(usize, usize)) -> usize| grids.iter().map(place).max().unwrap_or(0) + 9;
    (most(|grid| grid.0), most(|grid| grid.1))
}

/// Whether a cell belongs to a sudoku.
fn is_cell(grids: &Grids, row: usize, column: usize) -> bool {
    let is_in = |&(top, left): &(usize, usize)| {
        (top..top + 9).contains(&row) && (left..left + 9).contains(&column)
    };
    grids.iter().any(is_in)
}

/// The sudokus of a text whose values fit one arrangement alone; `None` of another text.
fn overlapping(text: &str) -> Option<Overlapping> {
    let mut found = ARRANGEMENTS.into_iter().filter_map(|grids| {
        let rows = rows(grids, text)?;
        Some(Overlapping { grids, rows })
    });
    let only = found.next()?;
    found.next().is_none().then_some(only)
}

/// The rows of an arrangement, perhaps below their number; `None` of another text. Cells of no sudoku are blanks, or are left out in
/// all rows that have some.
fn rows(grids: &Grids, text: &str) -> Option<Vec<Row>> {
    let (height, width) = size(grids);
    let is_size = |line: &str| {
        let words = line.split_whitespace().map(|word| word.parse().ok());
        match words.collect::<Option<Vec<usize>>>().as_deref() {
            Some([rows, columns]) => (*rows, *columns) == (height, width),
            Some([rows]) => *rows == height && height == width,
            _ => false,
        }
    };
    let mut lines = content(text).peekable();
    if lines.next_if(|(_, line)| is_size(line)).is_none() && *grids == BUTTERFLY {
        return None;
    }
    let lines: Vec<(usize, &str)> = lines.take(height + 1).collect();
    if lines.len() != height {
        return None;
    }
    let read = lines.into_iter().enumerate().map(|(row, line)| read_row(grids, width, row, line));
    let rows: Vec<Row> = read.collect::<Option<_>>()?;
    // A matrix has no greater values than 1.
    let is_value = |cell: &Option<u8>| cell.is_some_and(|value| value > 1);
    rows.iter().any(|(_, cells)| cells.iter().any(is_value)).then_some(rows)
}

fn read_row(grids: &Grids, width: usize, row: usize, (number, line): (usize, &str)) -> Option<Row> {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';' || c == '|';
    let signs: Vec<char> = line.chars().filter(|c| !is_gap(*c)).collect();
    let is_of_all = signs.len() == width;
    let places = (0..width).filter(|&column| is_of_all || is_cell(grids, row, column));
    let places: Vec<usize> = places.collect();
    if places.len() != signs.len() {
        return None;
    }
    let mut cells = vec![None; width];
    for (column, sign) in places.into_iter().zip(signs) {
        let value = match sign {
            '1'..='9' => sign as u8 - b'0',
            sign if sign == '0' || is_blank(sign) => 0,
            _ => return None,
        };
        match is_cell(grids, row, column) {
            true => cells[column] = Some(value),
            false if value > 0 => return None,
            false => {}
        }
    }
    Some((number, cells))
}

pub(super) fn is_samurai(text: &str) -> bool {
    overlapping(text).is_some()
}

/// Reads sudokus that overlap: an option for each value of each cell, and an item for each cell and for each value of each row, column
/// and box of the sudokus, which are called `A`, `B` and so on.
pub(super) fn read(text: &str) -> Result<Cover, LocatedMistake> {
    let Overlapping { grids, rows } = overlapping(text).expect("it was recognised");
    let first = rows[0].0;
    let mut cover = Cover::new();
    let mut items = Vec::new();
    for letter in ('A'..='Z').take(grids.len()) {
        for house in ['r', 'c', 'b'] {
            for number in 1..=9 {
                for value in 1..=9 {
                    items.push(format!("{letter}{house}{number}={value}"));
                }
            }
        }
    }
    let (height, width) = size(grids);
    let cells = |row: usize| (0..width).filter(move |&column| is_cell(grids, row, column));
    items.extend(
        (0..height)
            .flat_map(|row| cells(row).map(move |column| format!("r{}c{}", row + 1, column + 1))),
    );
    for item in &items {
        cover.add_item(item, Kind::ONCE).map_err(|error| (first, error.into()))?;
    }
    let mut of_cell = (items.len() - (0..height).flat_map(cells).count()) as u32;
    for (row, (number, values)) in rows.iter().enumerate() {
        for column in cells(row) {
            let given = values[column].unwrap_or(0);
            for value in (1..=9).filter(|&value| given == 0 || given == value) {
                let entry = |item| Entry { item, colour: NO_COLOUR };
                let houses = houses(grids, row, column).into_iter();
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
fn houses(grids: &Grids, row: usize, column: usize) -> Vec<usize> {
    let mut houses = Vec::new();
    for (grid, &(top, left)) in grids.iter().enumerate() {
        let inner = (row.wrapping_sub(top), column.wrapping_sub(left));
        if let (row @ 0..9, column @ 0..9) = inner {
            let of_grid = [row, 9 + column, 18 + row / 3 * 3 + column / 3];
            houses.extend(of_grid.map(|house| 27 * grid + house));
        }
    }
    houses
}
