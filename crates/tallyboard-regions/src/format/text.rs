//! Boards in text: rows of letters or numbers, and lines.

use super::Names;
use crate::board::{Board, BoardError, MAX_SIZE};

/// A board, and what the file calls its regions.
pub type Named = (Board, Names);

/// The name of a region and its cells, by row and column.
pub type Region = (String, Vec<(usize, usize)>);

/// The label of a cell in no region.
const NO_REGION: u32 = u32::MAX;

/// The cells of a board as they were read.
#[derive(Debug, Default)]
pub struct Cells {
    /// A label for each cell, row by row; equal words have equal numbers.
    labels: Vec<u32>,
    /// The words.
    names: Vec<String>,
    /// Cells with their row and column, and whether they have a star; the others are crossed out.
    pub marks: Vec<(usize, usize, bool)>,
}

impl Cells {
    /// The cells of these rows, which must be a square. A word that ends in `*` has a star, one that ends in `-` is crossed out, and `@`
    /// or `#` is a cell in no region. Such a cell has no star: the regions have as many as the rows.
    pub fn of_rows(rows: Vec<Vec<String>>) -> Result<Self, String> {
        let mut cells = Self::default();
        let size = rows.len();
        if size > MAX_SIZE {
            return Err(format!("found {size} rows, expected at most {MAX_SIZE}"));
        }
        for (row, words) in rows.into_iter().enumerate() {
            if words.len() != size {
                let found = words.len();
                return Err(format!(
                    "row {} has {found} cells, expected {size}: as many as there are rows",
                    row + 1
                ));
            }
            for (column, word) in words.into_iter().enumerate() {
                if word == "@" || word == "#" {
                    cells.marks.push((row, column, false));
                    cells.labels.push(NO_REGION);
                    continue;
                }
                let name = match word.chars().last() {
                    Some(mark @ ('*' | '-')) if word.chars().count() > 1 => {
                        cells.marks.push((row, column, mark == '*'));
                        word[..word.len() - 1].to_owned()
                    }
                    _ => word,
                };
                if !name.chars().any(|sign| sign.is_alphanumeric() || is_coloured(sign)) {
                    let (row, column) = (row + 1, column + 1);
                    return Err(format!(
                        "row {row}, column {column} has {name:?}, expected the letter or number of a region, or a coloured square as emoji"
                    ));
                }
                cells.push(name);
            }
        }
        cells.join_to_neighbours(size);
        Ok(cells)
    }

    /// Gives each cell in no region to the region of a neighbour. As the cell is crossed out, that changes no solution.
    fn join_to_neighbours(&mut self, size: usize) {
        let labels = &mut self.labels;
        let cells = labels.len();
        let mut join = |cell: usize, beside: Option<usize>| match beside {
            Some(beside) if labels[cell] == NO_REGION => labels[cell] = labels[beside],
            _ => {}
        };
        for cell in 0..cells {
            join(cell, (cell % size > 0).then(|| cell - 1));
            join(cell, cell.checked_sub(size));
        }
        for cell in (0..cells).rev() {
            join(cell, (cell % size + 1 < size).then_some(cell + 1));
            join(cell, (cell + size < cells).then_some(cell + size));
        }
    }

    /// The cells of regions that list their places, by row and column, from 0 or from 1. Each cell of a square is in one region.
    pub fn of_places(regions: &[Region]) -> Result<Self, String> {
        let all = || regions.iter().flat_map(|(_, places)| places);
        let size = all().count().isqrt();
        let least = all().flat_map(|&(row, column)| [row, column]).min().unwrap_or(0).min(1);
        let mut rows = vec![vec![String::new(); size]; size];
        for (name, places) in regions {
            for &(row, column) in places {
                let place = format!("row {}, column {}", row + 1 - least, column + 1 - least);
                let cell = rows.get_mut(row - least).and_then(|row| row.get_mut(column - least));
                match cell {
                    None => {
                        return Err(format!(
                            "found {place}, expected the cells of a square, each in one region"
                        ));
                    }
                    Some(cell) if !cell.is_empty() => {
                        return Err(format!(
                            "found {place} twice, expected each cell in one region"
                        ));
                    }
                    Some(cell) => name.clone_into(cell),
                }
            }
        }
        match all().count() - size * size {
            0 => Self::of_rows(rows),
            more => Err(format!("found {more} cells more than a square has, expected a square")),
        }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.labels.len().isqrt()
    }

    /// The cells of one line, a character each.
    pub fn of_line(line: &str) -> Result<Self, String> {
        let count = line.chars().count();
        let size = count.isqrt();
        if size * size != count || size == 0 {
            return Err(BoardError::Cells(count).to_string());
        }
        let words: Vec<String> = line.chars().map(String::from).collect();
        Self::of_rows(words.chunks(size).map(<[String]>::to_vec).collect())
    }

    /// What the regions are called, and which of them have one cell only, which is mostly a slip.
    fn told_names(&self) -> String {
        let mut text = format!("those found are called {}", self.names.join(" "));
        let size = self.size();
        for (label, name) in (0..).zip(&self.names) {
            let mut cells = (0..self.labels.len()).filter(|&cell| self.labels[cell] == label);
            if let (Some(cell), None) = (cells.next(), cells.next()) {
                text += &format!("; {name} has one cell, r{}c{}", cell / size + 1, cell % size + 1);
            }
        }
        text
    }

    fn push(&mut self, name: String) {
        let number = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        self.labels.push(number as u32);
    }
}

/// Whether a character is one of the emoji of squares and circles that have a colour.
fn is_coloured(sign: char) -> bool {
    matches!(sign, '⚪' | '⚫' | '⬛' | '⬜' | '🔴' | '🔵' | '🟠'..='🟫')
}

/// The board of one line, a character each.
pub fn board_of_line(line: &str, stars: Option<usize>) -> Result<Named, String> {
    // Mistakes are found and named by the slow way.
    plain_board(line, stars.unwrap_or(1))
        .map_or_else(|| Cells::of_line(line).and_then(|cells| board(&cells, stars)), Ok)
}

/// The board of one line of letters and digits; `None` if anything is wrong with it.
fn plain_board(line: &str, stars: usize) -> Option<Named> {
    let size = line.len().isqrt();
    if size == 0 || size > MAX_SIZE || size * size != line.len() {
        return None;
    }
    let mut numbers = [u8::MAX; 128];
    let mut signs = [0; MAX_SIZE];
    let mut next = 0;
    let mut regions: Box<[u8]> = line.as_bytes().into();
    for region in &mut regions {
        if !region.is_ascii_alphanumeric() {
            return None;
        }
        let number = &mut numbers[usize::from(*region)];
        if *number == u8::MAX {
            *signs.get_mut(usize::from(next))? = *region;
            *number = next;
            next += 1;
        }
        *region = *number;
    }
    let board = (usize::from(next) == size).then(|| Board::of_regions(regions, stars).ok());
    Some((board.flatten()?, Names::of_signs(signs)))
}

/// The board of these cells, with one star for each row if no other number is known.
pub fn board(cells: &Cells, stars: Option<usize>) -> Result<Named, String> {
    if cells.names.is_empty() && !cells.labels.is_empty() {
        let error = BoardError::Regions { found: 0, size: cells.size() };
        return Err(format!("{error}; each cell is `@` or `#`, which are in none"));
    }
    let mut board = Board::new(&cells.labels, stars.unwrap_or(1)).map_err(|error| match error {
        BoardError::Regions { .. } => format!("{error}; {}", cells.told_names()),
        error => error.to_string(),
    })?;
    for &(row, column, is_star) in &cells.marks {
        let marked = if is_star { board.give(row, column) } else { board.block(row, column) };
        board = marked.map_err(|error| error.to_string())?;
    }
    let names = Names::of_cells(&board, |cell| &cells.names[cells.labels[cell] as usize]);
    Ok((board, names))
}

/// The words of a row: apart by blanks, commas, semicolons or bars, or else a character each.
pub fn words(line: &str) -> Vec<String> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
    // Behind an emoji may stand that it is to be shown in colour.
    let line = line.replace('\u{fe0f}', "");
    let line = line.trim_matches(is_separator);
    if line.contains(is_separator) {
        line.split(is_separator).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    } else {
        line.chars().map(String::from).collect()
    }
}

/// The regions of a block with a line for each, its cells as `row,column` from 1, those with the stars of the solution before a bar;
/// and the number of stars. The size is in the first line, as in `10x10`. `None` of another block.
pub fn listed(lines: &[&str]) -> Option<(Vec<Region>, Option<usize>)> {
    let (head, rest) = lines.split_first()?;
    let (rows, columns) = head.trim().split_once(['x', 'X'])?;
    let size = rows.parse().ok().filter(|size| *size == rest.len() && columns == rows)?;
    let places = |text: &str| {
        let place = |word: &str| {
            let (row, column) = word.split_once(',')?;
            Some((row.parse().ok()?, column.parse().ok()?))
        };
        text.split_whitespace().map(place).collect::<Option<Vec<(usize, usize)>>>()
    };
    let mut stars = Vec::with_capacity(size);
    let mut regions = Vec::with_capacity(size);
    for (number, line) in rest.iter().enumerate() {
        let (with_stars, others) = line.split_once('|')?;
        let (with_stars, others) = (places(with_stars)?, places(others)?);
        stars.push(with_stars.len());
        regions.push(((number + 1).to_string(), [with_stars, others].concat()));
    }
    stars.dedup();
    Some((
        regions,
        stars.first().copied().filter(|&stars_of_each| stars_of_each > 0 && stars.len() == 1),
    ))
}

/// The first word of a line, without quotes.
pub fn first_word(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches('"');
    let end = line.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"'));
    &line[..end.unwrap_or(line.len())]
}
