//! Game ids of Simon Tatham's collection of puzzles: which game one is of, and Unequal, Towers and Keen, which are Latin squares.
//!
//! An id is the size, letters, a colon and a description. It does not name its game: the address of a page may, else its parts show it.

use super::Parsed;
use super::futoshiki::Futoshiki;
use super::headed::{consecutive, of_cages};
use super::skyscrapers::Skyscrapers;
use super::solo::{self, Id, areas, numbers, wrong};
use crate::error::{Error, Place};
use crate::grid::Size;
use crate::puzzle::Puzzle;
use crate::rule::Calculation;

/// A game of the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Game {
    Solo,
    Unequal,
    Towers,
    Keen,
}

/// The games by the names of their pages.
const PAGES: [(&str, Game); 4] = [
    ("solo", Game::Solo),
    ("unequal", Game::Unequal),
    ("towers", Game::Towers),
    ("keen", Game::Keen),
];

/// A game id, and of which game it is.
pub(super) struct GameId<'a> {
    game: Game,
    id: Id<'a>,
}

/// The game id that a text is, or that the link of a page ends with.
pub(super) fn game_id(text: &str) -> Option<GameId<'_>> {
    let text = text.trim();
    let page = text.split_once('#').filter(|(address, _)| address.starts_with("http"));
    let of_page =
        |(name, _): &&(&str, Game)| page.is_some_and(|(address, _)| address.contains(name));
    let game = PAGES.iter().find(of_page).map(|(_, game)| *game);
    let id = page.filter(|_| game.is_some()).map_or(text, |(_, id)| id);
    let (head, parts) = id.split_once(':')?;
    if parts.is_empty() || parts.contains(char::is_whitespace) {
        return None;
    }
    let (first, rest) = number(head)?;
    let (second, letters) = match rest.strip_prefix('x').and_then(number) {
        Some((second, letters)) => (Some(second), letters),
        None => (None, rest),
    };
    let game = game.unwrap_or_else(|| shown(second.is_none(), parts));
    letters
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric())
        .then_some(GameId { game, id: Id { first, second, letters, parts } })
}

/// A number at the beginning of a text, and what follows.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The game that a description shows; only those of one number have Latin squares.
fn shown(has_one_number: bool, description: &str) -> Game {
    /// A sudoku has four parts at most.
    const MOST_PARTS: usize = 4;
    let mut parts = description.trim_end_matches(',').split(',');
    let is_clue = |part: &str| {
        part.starts_with(['a', 'm', 's', 'd'])
            && part[1..].starts_with(|c: char| c.is_ascii_digit())
    };
    match (parts.next(), parts.next(), parts.count()) {
        _ if !has_one_number => Game::Solo,
        (Some(first), ..) if first.contains('/') => Game::Towers,
        (_, Some(second), 0) if is_clue(second) => Game::Keen,
        (_, _, others) if others + 2 > MOST_PARTS => Game::Unequal,
        _ => Game::Solo,
    }
}

impl GameId<'_> {
    /// Whether it is a sudoku.
    pub fn is_solo(&self) -> bool {
        self.game == Game::Solo
    }

    /// Reads it.
    pub fn read(&self) -> Parsed<Puzzle> {
        let at = |error| (Place::Whole, error);
        match self.game {
            Game::Solo => solo::read(&self.id).map_err(at),
            Game::Unequal => unequal(&self.id),
            Game::Towers => towers(&self.id).map_err(at)?.puzzle(),
            Game::Keen => keen(&self.id).map_err(at),
        }
    }
}

/// A number and the letters of directions for each cell: `U`, `R`, `D`, `L` for a neighbour that is less, or with the letter `a` in the
/// head for one that is consecutive, where all these are shown.
fn unequal(id: &Id<'_>) -> Parsed<Puzzle> {
    let at = |error| (Place::Whole, error);
    let size = Size::new(id.first).map_err(at)?;
    let side = size.side();
    let (mut values, mut signs) = (Vec::new(), Vec::new());
    for item in id.parts.trim_end_matches(',').split(',') {
        // A letter stands for cells without anything.
        let mut rest = item;
        while let Some(letter) = rest.chars().next().filter(char::is_ascii_lowercase) {
            values.resize(values.len() + letter as usize - 'a' as usize + 1, 0);
            rest = &rest[1..];
        }
        let cell = values.len();
        let (value, letters) = number(rest)
            .ok_or_else(|| at(wrong("Unequal", item, "a number for each cell, 0 for none")))?;
        values.push(u32::try_from(value).unwrap_or(u32::MAX));
        for letter in letters.chars() {
            let (row, column) = (cell / side, cell % side);
            let neighbour = match letter {
                'U' => row.checked_sub(1).map(|row| (row, column)),
                'L' => column.checked_sub(1).map(|column| (row, column)),
                'D' => (row + 1 < side).then_some((row + 1, column)),
                'R' => (column + 1 < side).then_some((row, column + 1)),
                _ => None,
            };
            let neighbour = neighbour.ok_or_else(|| {
                at(wrong(
                    "Unequal",
                    item,
                    "U, R, D or L behind a number, for a neighbour in the grid",
                ))
            })?;
            signs.push((1, [neighbour, (row, column)]));
        }
    }
    if values.len() != size.cells() {
        let found = format!("{} cells", values.len());
        return Err(at(wrong("Unequal", &found, "as many as the square has")));
    }
    if id.letters.starts_with('a') {
        let number = |(row, column): (usize, usize)| row * side + column;
        let pairs = signs.into_iter().map(|(_, pair)| pair.map(number));
        // Each is stated by both of its cells.
        let bars = pairs.filter(|[other, cell]| other > cell).map(|[other, cell]| [cell, other]);
        return consecutive(size, values, bars.collect()).map_err(at);
    }
    Futoshiki { side, values, signs }.puzzle()
}

/// The numbers seen from above, below, the left and the right, with `/` between them, then perhaps the numbers of cells.
fn towers(id: &Id<'_>) -> Result<Skyscrapers, Error> {
    let size = Size::new(id.first)?;
    let side = size.side();
    let (clues, grid) = id.parts.split_once(',').unwrap_or((id.parts, ""));
    let clue = |word: &str| if word.is_empty() { Some(0) } else { word.parse().ok() };
    let clues: Option<Vec<u32>> = clues.split('/').map(clue).collect();
    let clues = clues.filter(|clues| clues.len() == 4 * side);
    let clues = clues.ok_or_else(|| {
        wrong("Towers", id.parts, "a number or nothing for each row and column from both sides")
    })?;
    let values = if grid.is_empty() { vec![0; size.cells()] } else { numbers(size, grid)? };
    Ok(Skyscrapers::of_sides(side, &clues, values))
}

/// The borders of cages, and the clue of each: the letter of its operation and a number.
fn keen(id: &Id<'_>) -> Result<Puzzle, Error> {
    let size = Size::new(id.first)?;
    let expected = "the borders, then for each cage a, m, s or d and a number";
    let (borders, rest) = id.parts.split_once(',').unwrap_or((id.parts, ""));
    let cages = areas(size, borders)?;
    let count = cages.iter().max().map_or(0, |last| last + 1);
    let mut rest = rest;
    let mut clues = Vec::new();
    while !rest.is_empty() {
        let operation = match rest.as_bytes()[0] {
            b'a' => Calculation::Sum,
            b'm' => Calculation::Product,
            b's' => Calculation::Difference,
            b'd' => Calculation::Quotient,
            _ => return Err(wrong("Keen", rest, expected)),
        };
        let (value, behind) = number(&rest[1..]).ok_or_else(|| wrong("Keen", rest, expected))?;
        clues.push((u32::try_from(value).unwrap_or(u32::MAX), Some(operation)));
        rest = behind;
    }
    if clues.len() != count {
        let found = format!("{} clues of {count} cages", clues.len());
        return Err(wrong("Keen", &found, expected));
    }
    let cells = |cage| (0..size.cells()).filter(|&cell| cages[cell] == cage).collect();
    let regions: Vec<Vec<usize>> = (0..count).map(cells).collect();
    of_cages(size, clues, &regions)
}
