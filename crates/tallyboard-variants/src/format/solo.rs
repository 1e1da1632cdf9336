//! Game ids of Solo in Simon Tatham's collection of puzzles: `3x3:…`, with letters for diagonals, jigsaws and killers.
//!
//! The size is followed by parts that commas separate: the givens, the regions of a jigsaw, and of a killer its cages and
//! their sums. A part of numbers has a letter for each run of cells without one, `a` for one such cell. A part of areas has a
//! letter for each run of neighbours in the same area.

use std::collections::BTreeSet;

use tallyboard_base::text::areas::areas as by_borders;

use super::with_givens;
use crate::error::Error;
use crate::grid::Size;
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// A game id: the size and letters, and what follows the colon.
pub(super) struct Id<'a> {
    /// The first number of the size.
    pub first: usize,
    /// The number behind an `x`.
    pub second: Option<usize>,
    pub letters: &'a str,
    pub parts: &'a str,
}

/// Reads a game id.
pub(super) fn read(id: &Id<'_>) -> Result<Puzzle, Error> {
    // Those behind a `d` are of the difficulty.
    let letters = id.letters.split('d').next().unwrap_or_default();
    let is_jigsaw = letters.contains('j');
    let (across, down) = match id.second {
        Some(second) => (id.first, second),
        None if is_jigsaw => (id.first, 1),
        None => (id.first, id.first),
    };
    let side = across.saturating_mul(down);
    let mut rules = Rules::new(side)?;
    let size = rules.size();
    let mut parts = id.parts.split(',');
    let mut part =
        |name| parts.next().ok_or_else(|| wrong(name, "nothing", "a part behind a comma"));
    let givens = numbers(size, part("givens")?)?;
    if is_jigsaw {
        rules.add(Rule::Regions(areas(size, part("regions")?)?))?;
    } else {
        // A block is as wide as there are blocks in a column, and as high as there are in a row.
        let region = |cell: usize| cell / side / across * across + cell % side / down;
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

pub(super) fn wrong(part: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: part.to_owned(), found: found.to_owned(), expected }
}

/// The number of each cell, 0 for none.
pub(super) fn numbers(size: Size, part: &str) -> Result<Vec<u32>, Error> {
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

/// The letters of a part of areas: in Keen a number behind one tells how often it stands there.
fn without_repeats(part: &str) -> Vec<char> {
    /// More borders are in no grid.
    const MOST: usize = 1 << 10;
    let mut letters = Vec::new();
    let mut rest = part;
    while let Some(letter) = rest.chars().next().filter(|_| letters.len() < MOST) {
        rest = &rest[letter.len_utf8()..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let times = if letter.is_ascii_digit() { None } else { rest[..digits].parse().ok() };
        letters.extend(std::iter::repeat_n(letter, times.unwrap_or(1).min(MOST)));
        rest = if times.is_some() { &rest[digits..] } else { rest };
    }
    letters
}

/// The number of each cell's area, from 0 in reading order of their first cells.
pub(super) fn areas(size: Size, part: &str) -> Result<Vec<usize>, Error> {
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
    for letter in without_repeats(part) {
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
