//! Game ids of Solo in Simon Tatham's collection of puzzles: `3x3:…`, with letters for diagonals, jigsaws and killers.
//!
//! The size is followed by parts that commas separate: the givens, the regions of a jigsaw, and of a killer its cages and
//! their sums. A part of numbers has a letter for each run of cells without one, `a` for one such cell. A part of areas has a
//! letter for each run of neighbours in the same area.

use std::collections::BTreeSet;

use tallyboard_base::text::areas::areas as by_borders;

use super::{Parsed, with_givens};
use crate::error::{Error, Place};
use crate::grid::Size;
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// The size and the letters of a game id, and what follows the colon.
pub(super) struct GameId<'a> {
    /// The blocks in a row of blocks; 1 for a jigsaw that states its side alone.
    columns: usize,
    rows: usize,
    letters: &'a str,
    parts: &'a str,
}

/// The parts of a game id; `None` if the text is none.
fn parse(text: &str) -> Option<GameId<'_>> {
    let (head, parts) = text.trim().split_once(':')?;
    if parts.is_empty() || parts.contains(char::is_whitespace) {
        return None;
    }
    let letters_from =
        head.find(|c: char| c.is_ascii_lowercase() && c != 'x').unwrap_or(head.len());
    // The `x` between two numbers is no letter, but the one behind them is.
    let letters_from = match head[..letters_from].rfind('x') {
        Some(at) if at + 1 == letters_from => at,
        _ => letters_from,
    };
    let (size, letters) = head.split_at(letters_from);
    let (columns, rows) = size.split_once('x').unwrap_or((size, "1"));
    Some(GameId { columns: columns.parse().ok()?, rows: rows.parse().ok()?, letters, parts })
}

/// The game id that a text is, or that the link of a page of Solo ends with.
pub(super) fn game_id(text: &str) -> Option<GameId<'_>> {
    let text = text.trim_start();
    let id = match text.split_once('#') {
        Some((address, id)) if address.starts_with("http") && address.contains("solo") => id,
        _ => text,
    };
    parse(id).filter(|_| id.starts_with(|c: char| c.is_ascii_digit()))
}

/// Reads a game id.
pub(super) fn read(id: &GameId) -> Parsed<Puzzle> {
    read_id(id).map_err(|error| (Place::Line(1), error))
}

fn read_id(id: &GameId<'_>) -> Result<Puzzle, Error> {
    let side = id.columns.saturating_mul(id.rows);
    let mut rules = Rules::new(side)?;
    let size = rules.size();
    let mut parts = id.parts.split(',');
    let mut part =
        |name| parts.next().ok_or_else(|| wrong(name, "nothing", "a part behind a comma"));
    let givens = numbers(size, part("givens")?)?;
    let letters = id.letters.split('d').next().unwrap_or_default();
    if letters.contains('j') {
        rules.add(Rule::Regions(areas(size, part("regions")?)?))?;
    } else {
        // A block is as wide as there are blocks in a column, and as high as there are in a row.
        let region = |cell: usize| cell / side / id.columns * id.columns + cell % side / id.rows;
        let numbers: Vec<usize> = (0..size.cells()).map(region).collect();
        if (0..size.cells()).any(|cell| numbers[cell] != size.box_of(cell)) {
            rules.add(Rule::Regions(numbers))?;
        }
    }
    if letters.contains('x') {
        rules.add(Rule::FallingDiagonal)?;
        rules.add(Rule::RisingDiagonal)?;
    }
    if letters.contains('k') {
        let cages = areas(size, part("cages")?)?;
        let sums = numbers(size, part("sums")?)?;
        for cage in 0..=cages.iter().copied().max().unwrap_or(0) {
            let cells = || (0..size.cells()).filter(|&cell| cages[cell] == cage);
            let sum = cells().map(|cell| sums[cell]).find(|&sum| sum > 0);
            let cells: Vec<_> = cells().map(|cell| size.cell(cell)).collect();
            if sum.is_some() || cells.len() > 1 {
                rules.add(Rule::Cage { sum, cells })?;
            }
        }
    }
    if let Some(found) = parts.next() {
        return Err(wrong("game id", found, "no further part"));
    }
    with_givens(Puzzle::new(rules), givens)
}

fn wrong(part: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: part.to_owned(), found: found.to_owned(), expected }
}

/// The number of each cell, 0 for none.
fn numbers(size: Size, part: &str) -> Result<Vec<u32>, Error> {
    let mut numbers = Vec::new();
    let mut rest = part;
    while let Some(first) = rest.chars().next() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            let number = rest[..digits].parse();
            numbers
                .push(number.map_err(|_| wrong("numbers", &rest[..digits], "a smaller number"))?);
            rest = &rest[digits..];
            continue;
        }
        match first {
            'a'..='z' => numbers.resize(numbers.len() + (first as usize - 'a' as usize) + 1, 0),
            '_' => {}
            _ => return Err(wrong("numbers", rest, "digits, letters for blanks, or _")),
        }
        rest = &rest[first.len_utf8()..];
    }
    if numbers.len() == size.cells() {
        return Ok(numbers);
    }
    let (found, cells) = (numbers.len(), size.cells());
    Err(Error::Length { found, cells, marks: cells * size.side() })
}

/// The number of each cell's area, from 0 in reading order of their first cells.
fn areas(size: Size, part: &str) -> Result<Vec<usize>, Error> {
    /// The pairs without a border that `z` stands for, behind which there is no border either.
    const LONGEST_RUN: usize = 25;
    let side = size.side();
    let across =
        (0..size.cells()).filter(|cell| cell % side + 1 < side).map(|cell| (cell, cell + 1));
    // The pairs one above the other come column by column.
    let down = (0..side).flat_map(|column| {
        (0..side - 1).map(move |row| (row * side + column, (row + 1) * side + column))
    });
    let pairs: Vec<(usize, usize)> = across.chain(down).collect();
    let mut joined: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut at = 0;
    for letter in part.chars() {
        let run = match letter {
            '_' => 0,
            'a'..='y' => letter as usize - 'a' as usize + 1,
            'z' => LONGEST_RUN,
            _ => return Err(wrong("borders", part, "letters, or _")),
        };
        joined.extend(pairs.iter().skip(at).take(run));
        at += run + usize::from(letter != 'z');
    }
    // The last border is behind the last pair.
    if at != pairs.len() + 1 {
        return Err(wrong("borders", part, "a letter for each run of neighbours in an area"));
    }
    Ok(by_borders(side, side, |one, other| !joined.contains(&(one, other))))
}
