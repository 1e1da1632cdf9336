//! Sudokus and skyscrapers of pzpr, the editor of puzz.link: its links and the texts that it saves.

use tallyboard_base::text::pzpr::{self, Body, Wrong};

use super::skyscrapers::Skyscrapers;
use super::{Parsed, with_givens};
use crate::error::{Error, Place};
use crate::puzzle::Puzzle;
use crate::rules::Rules;

/// Whether a text is a sudoku or skyscrapers of pzpr.
pub(super) fn is_puzzle(text: &str) -> bool {
    matches!(pzpr::genre(text).as_deref(), Some("sudoku" | "skyscrapers"))
}

/// Reads a puzzle; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    if !is_puzzle(text) {
        return None;
    }
    let wrong = |Wrong { found, expected }| (Place::Whole, Error::Json { found, expected });
    let puzzle = pzpr::read(text)?.map_err(wrong).and_then(|puzzle| match &puzzle.genre[..] {
        "sudoku" => sudoku(&puzzle).map_err(wrong)?.map_err(|error| (Place::Whole, error)),
        _ => skyscrapers(&puzzle).map_err(wrong)?.puzzle(),
    });
    Some(puzzle)
}

/// Why a puzzle of pzpr of another genre is refused; `None` of any other text.
pub(super) fn refuse(text: &str) -> Option<(Place, Error)> {
    let found = format!("a puzzle of puzz.link of the genre {}", pzpr::genre(text)?);
    let expected = "sudoku or skyscrapers; `tallyboard regions` reads starbattle";
    Some((Place::Whole, Error::Json { found, expected }))
}

/// A sudoku. Its boxes have as many rows as the root of its side, and as many columns but for a side of 6.
fn sudoku(puzzle: &pzpr::Puzzle) -> Result<Result<Puzzle, Error>, Wrong> {
    let side = puzzle.side()?;
    if side != 6 && side.isqrt().pow(2) != side {
        return Err(Wrong::new(
            format!("a sudoku with {side} rows"),
            "4, 6, 9 or 16, which have boxes",
        ));
    }
    let values = match &puzzle.body {
        Body::Codes(codes) => end(pzpr::numbers(codes, side * side)?)?,
        // The rows below these are of whoever has begun to solve it.
        Body::Lines(lines) => {
            let rows = rows(lines, side, side)?;
            rows.into_iter().map(|word| number(word, "")).collect::<Result<_, _>>()?
        }
    };
    let values = values.into_iter().map(Option::unwrap_or_default);
    Ok(Rules::new(side).and_then(|rules| with_givens(Puzzle::new(rules), values)))
}

/// Skyscrapers: the clues above, below, at the left and at the right, then values, which are marked in a text by `q`.
fn skyscrapers(puzzle: &pzpr::Puzzle) -> Result<Skyscrapers, Wrong> {
    let side = puzzle.side()?;
    let (clues, values) = match &puzzle.body {
        Body::Codes(codes) => {
            let (clues, rest) = pzpr::numbers(codes, 4 * side)?;
            // Values are left out where there is none.
            let values = match rest.is_empty() {
                true => vec![None; side * side],
                false => end(pzpr::numbers(rest, side * side)?)?,
            };
            (clues, values)
        }
        Body::Lines(lines) => {
            let rows = rows(lines, side + 2, side + 2)?;
            let at = |row: usize, column: usize| rows[row * (side + 2) + column];
            let inner = 1..=side;
            let above = inner.clone().map(|column| at(0, column));
            let below = inner.clone().map(|column| at(side + 1, column));
            let left = inner.clone().map(|row| at(row, 0));
            let right = inner.clone().map(|row| at(row, side + 1));
            let clues = above.chain(below).chain(left).chain(right).map(|word| number(word, ""));
            // Numbers without the mark are of whoever has begun to solve it.
            let cells =
                inner.clone().flat_map(|row| inner.clone().map(move |column| at(row, column)));
            let values =
                cells.map(|word| if word.starts_with('q') { number(word, "q") } else { Ok(None) });
            (clues.collect::<Result<_, _>>()?, values.collect::<Result<_, _>>()?)
        }
    };
    let [clues, values] = [clues, values]
        .map(|numbers| numbers.into_iter().map(Option::unwrap_or_default).collect::<Vec<u32>>());
    Ok(Skyscrapers::of_sides(side, &clues, values))
}

/// The numbers, if no codes are left behind them.
fn end((numbers, rest): (Vec<Option<u32>>, &str)) -> Result<Vec<Option<u32>>, Wrong> {
    match rest.is_empty() {
        true => Ok(numbers),
        false => Err(Wrong::new(format!("'{rest}' behind the last cell"), "the end of the link")),
    }
}

/// The words of the first rows, which are so long.
fn rows(lines: &[Vec<String>], rows: usize, columns: usize) -> Result<Vec<&str>, Wrong> {
    let first = lines.iter().take(rows);
    if first.len() < rows {
        return Err(Wrong::new(format!("{} rows", first.len()), "as many as are stated above"));
    }
    if let Some(row) = first.clone().find(|row| row.len() != columns) {
        let found = format!("a row with {} cells", row.len());
        return Err(Wrong::new(found, "as many as are stated above"));
    }
    Ok(first.flatten().map(String::as_str).collect())
}

/// The number of a word behind a mark; `None` for a point.
fn number(word: &str, mark: &str) -> Result<Option<u32>, Wrong> {
    if word == "." {
        return Ok(None);
    }
    let number = word.strip_prefix(mark).and_then(|digits| digits.parse().ok());
    let wrong = || Wrong::new(format!("'{word}' in a cell"), "a number, or a point for none");
    number.map(Some).ok_or_else(wrong)
}
