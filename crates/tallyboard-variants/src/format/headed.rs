//! The puzzles of a public collection (puzzlekit): the number of rows and of columns above, then a picture, perhaps between clues
//! of the four sides, or above a second one. Sudokus whose boxes are no squares stand below the rows and columns of these.

use tallyboard_base::text::lines::content;

use super::{Parsed, cages, is_blank_word, number_or_blank, with_givens};
use crate::error::{Error, Place};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule};
use crate::rules::Rules;

/// Reads a puzzle; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let lines = content(text, &["#"]).map(|(_, line)| line.split_whitespace().collect());
    let lines: Vec<Vec<&str>> = lines.collect();
    let (head, rows) = lines.split_first()?;
    // A third number states the greatest value, as above skyscrapers, and a letter behind it that the diagonals have each value once.
    let [rows_stated, columns, ref greatest @ ..] = head[..] else { return None };
    let (greatest, has_diagonals) = match greatest {
        [greatest, "D"] => (std::slice::from_ref(greatest), true),
        greatest => (greatest, false),
    };
    let side: usize = rows_stated.parse().ok()?;
    if let Some(puzzle) = below_its_box(&head[..], rows) {
        return Some(puzzle.map_err(|error| (Place::Whole, error)));
    }
    let is_square = rows_stated == columns
        && matches!(greatest, [] | [_])
        && greatest.iter().all(|greatest| *greatest == columns);
    let size = Size::new(side).ok().filter(|_| is_square)?;
    if rows.iter().any(|row| row.len() != side) {
        return None;
    }
    let puzzle = match rows.len() {
        count if has_diagonals => {
            let is_around = count == side + SIDES;
            is_around.then(|| around(size, rows, Latin::WithDiagonals)).flatten()
        }
        count if count == side => parities(size, rows),
        // As many rows have two grids of four; a grid of numbers alone is the second of them.
        count if [side + SIDES, 2 * side].contains(&count) => {
            let latin = if greatest.is_empty() { Latin::Unknown } else { Latin::Stated };
            two_grids(size, rows).or_else(|| around(size, rows, latin))
        }
        _ => None,
    }?;
    Some(puzzle.map_err(|error| (Place::Whole, error)))
}

/// A sudoku of boxes that are wider than high, below their rows and columns.
fn below_its_box(head: &[&str], rows: &Rows) -> Option<Result<Puzzle, Error>> {
    let &[height, width] = head else { return None };
    let shape = (height.parse::<usize>().ok()?, width.parse::<usize>().ok()?);
    let size = Size::new(rows.len()).ok().filter(|size| size.box_shape() == shape)?;
    let is_wide = 1 < shape.0 && shape.0 < shape.1;
    if !is_wide || rows.iter().any(|row| row.len() != size.side()) {
        return None;
    }
    let values = values(size, rows)?;
    Some(Rules::new(size.side()).and_then(|rules| with_givens(Puzzle::new(rules), values)))
}

/// Lines of clues above a picture: those of the top, the bottom, the left and the right.
const SIDES: usize = 4;

type Rows<'a> = [Vec<&'a str>];

/// The values of cells, 0 for none; `None` if one is no value of a grid of this size.
fn values(size: Size, rows: &Rows) -> Option<Vec<u32>> {
    let value = |word: &&str| number_or_blank(word).filter(|&value| value as usize <= size.side());
    rows.iter().flatten().map(value).collect()
}

/// A sudoku in which `E` and `O` mark even and odd cells.
fn parities(size: Size, rows: &Rows) -> Option<Result<Puzzle, Error>> {
    let words = rows.concat();
    let cells = |letter: &str| -> Vec<Cell> {
        let marked = words.iter().enumerate().filter(|(_, word)| **word == letter);
        marked.map(|(number, _)| size.cell(number)).collect()
    };
    let (even, odd) = (cells("E"), cells("O"));
    if even.is_empty() && odd.is_empty() || !size.has_boxes() {
        return None;
    }
    let value =
        |word: &&str| if matches!(*word, "E" | "O") { Some(0) } else { number_or_blank(word) };
    let values: Vec<u32> = words.iter().map(value).collect::<Option<_>>()?;
    let puzzle = || {
        let rules = Rules::new(size.side())?
            .with(Rule::Marked(Marked::Even, even))?
            .with(Rule::Marked(Marked::Odd, odd))?;
        with_givens(Puzzle::new(rules), values)
    };
    Some(puzzle())
}

/// What the head tells of a picture between clues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Latin {
    /// A sudoku, unless it has no values.
    Unknown,
    /// A Latin square, of which the greatest value is stated.
    Stated,
    /// The same, with each value once on each diagonal.
    WithDiagonals,
}

/// A sudoku with the sum of the first cells beside each clue, as many as a box has there; or, if no clue is greater than the side, with
/// the number of skyscrapers, which is a Latin square where the greatest value is stated.
fn around(size: Size, rows: &Rows, latin: Latin) -> Option<Result<Puzzle, Error>> {
    let (clues, grid) = rows.split_at(SIDES);
    if grid.len() != size.side() {
        return None;
    }
    let clue = |word: &&str| number_or_blank(word);
    let clues: Vec<Vec<u32>> = clues
        .iter()
        .map(|line| line.iter().map(clue).collect::<Option<_>>())
        .collect::<Option<_>>()?;
    let values = values(size, grid)?;
    let side = size.side();
    let are_sums = clues.iter().flatten().any(|&clue| clue as usize > side);
    if are_sums && (!size.has_boxes() || latin == Latin::WithDiagonals) {
        return None;
    }
    let has_values = values.iter().any(|value| *value > 0);
    let is_latin = !size.has_boxes() || !are_sums && (latin != Latin::Unknown || !has_values);
    let cells = |place: usize, index: usize| -> Vec<Cell> {
        let at = |at: usize| match place {
            0 | 1 => Cell::new(at, index + 1),
            _ => Cell::new(index + 1, at),
        };
        let cells = (1..=side).map(at);
        if place % 2 == 1 { cells.rev().collect() } else { cells.collect() }
    };
    let puzzle = || {
        let mut rules = Rules::new(side)?;
        if is_latin {
            rules.add(Rule::NoRegions)?;
        }
        if latin == Latin::WithDiagonals {
            rules.add(Rule::FallingDiagonal)?;
            rules.add(Rule::RisingDiagonal)?;
        }
        for (place, line) in clues.iter().enumerate() {
            for (index, &clue) in line.iter().enumerate().filter(|(_, clue)| **clue > 0) {
                let mut cells = cells(place, index);
                rules.add(match are_sums {
                    true => {
                        let (height, width) = size.box_shape();
                        cells.truncate(if place < 2 { height } else { width });
                        Rule::Calculation(Calculation::Sum, clue, cells)
                    }
                    false => Rule::Outside(Outside::Skyscraper, clue, cells),
                })?;
            }
        }
        with_givens(Puzzle::new(rules), values)
    };
    Some(puzzle())
}

/// A picture, and one of the numbers of regions, or of bars between cells.
fn two_grids(size: Size, rows: &Rows) -> Option<Result<Puzzle, Error>> {
    let (first, second) = rows.split_at(size.side());
    if second.len() != size.side() {
        return None;
    }
    let numbers = second.iter().flatten().map(|word| word.parse().ok());
    let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
    if let Some(bars) = bars(size, &numbers) {
        return Some(consecutive(size, values(size, first)?, bars));
    }
    let mut regions = std::collections::BTreeMap::<u32, Vec<usize>>::new();
    for (cell, &number) in numbers.iter().enumerate() {
        regions.entry(number).or_default().push(cell);
    }
    let regions: Vec<Vec<usize>> = regions.into_values().collect();
    let words = first.concat();
    let is_clue = |cell: &usize| !is_blank_word(words[*cell]);
    let has_one_clue = |cells: &Vec<usize>| is_clue(&cells[0]) && !cells[1..].iter().any(is_clue);
    if regions.iter().all(has_one_clue) {
        let clues: Option<Vec<_>> = regions.iter().map(|cells| clue(words[cells[0]])).collect();
        return Some(of_cages(size, clues?, &regions));
    }
    let are_fewer = regions.len() < words.len();
    are_fewer.then_some(renbans(size, values(size, first)?, &regions))
}

/// A number and its operation, as in `24*`.
fn clue(word: &str) -> Option<(u32, Option<Calculation>)> {
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    Some((word[..end].parse().ok()?, cages::operation(&word[end..])?))
}

/// A KenKen, or a killer if no cage has an operation: a sudoku, where such a grid has boxes.
pub(super) fn of_cages(
    size: Size,
    clues: Vec<(u32, Option<Calculation>)>,
    regions: &[Vec<usize>],
) -> Result<Puzzle, Error> {
    let is_killer = clues.iter().all(|(_, operation)| operation.is_none());
    let mut rules = Rules::new(size.side())?;
    if !is_killer || !size.has_boxes() {
        rules.add(Rule::NoRegions)?;
    }
    for ((value, operation), cells) in clues.into_iter().zip(regions) {
        let cells: Vec<Cell> = cells.iter().map(|&cell| size.cell(cell)).collect();
        rules.add(match operation {
            _ if cells.len() == 1 => Rule::Calculation(Calculation::Sum, value, cells),
            Some(operation) => Rule::Calculation(operation, value, cells),
            // In a collection that has such cages any operation may make the value.
            None if !is_killer => {
                let found = format!("{value} without an operation in a cage of {}", cells[0]);
                return Err(Error::Json {
                    found,
                    expected: "an operation in each cage, or in none",
                });
            }
            None => Rule::Cage { sum: Some(value), cells },
        })?;
    }
    Ok(Puzzle::new(rules))
}

/// A Latin square whose regions have values without a gap.
fn renbans(size: Size, values: Vec<u32>, regions: &[Vec<usize>]) -> Result<Puzzle, Error> {
    let mut rules = Rules::new(size.side())?.with(Rule::NoRegions)?;
    for cells in regions.iter().filter(|cells| cells.len() > 1) {
        let cells = cells.iter().map(|&cell| size.cell(cell)).collect();
        rules.add(Rule::Line(Line::Renban, cells))?;
    }
    with_givens(Puzzle::new(rules), values)
}

/// The pairs of neighbours between which a bar is: the number of each cell is the sum of 1 for one at its right, 2 below, 4 at its left
/// and 8 above. `None` if the numbers are others.
fn bars(size: Size, numbers: &[u32]) -> Option<Vec<[usize; 2]>> {
    let side = size.side();
    let mut bars = Vec::new();
    for (cell, &number) in numbers.iter().enumerate() {
        let (row, column) = (cell / side, cell % side);
        let right = (column + 1 < side).then_some(cell + 1);
        let below = (row + 1 < side).then_some(cell + side);
        let is_at_border = column == 0 && number & 4 > 0 || row == 0 && number & 8 > 0;
        if number > 15 || is_at_border {
            return None;
        }
        for (next, bit, back) in [(right, 1, 4), (below, 2, 8)] {
            let is_back = next.is_some_and(|next| numbers[next] & back > 0);
            if (number & bit > 0) != is_back {
                return None;
            }
            bars.extend(next.filter(|_| is_back).map(|next| [cell, next]));
        }
    }
    (!bars.is_empty()).then_some(bars)
}

/// A Latin square in which values side by side are consecutive where a bar is, and nowhere else.
pub(super) fn consecutive(
    size: Size,
    values: Vec<u32>,
    bars: Vec<[usize; 2]>,
) -> Result<Puzzle, Error> {
    let mut rules = Rules::new(size.side())?.with(Rule::NoRegions)?;
    for bar in bars {
        rules.add(Rule::Mark(Mark::White, bar.map(|cell| size.cell(cell))))?;
    }
    rules.add(Rule::AllDifferencesGiven)?;
    with_givens(Puzzle::new(rules), values)
}
