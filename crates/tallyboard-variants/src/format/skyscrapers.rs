//! Skyscrapers, Latin squares with clues at the border: as a picture with a frame of clues, as a line of clues for each side, or as a
//! list of all clues.

use tallyboard_base::text::lines::content;

use super::{Parsed, number_or_blank, with_givens};
use crate::error::{Error, Place};
use crate::grid::Cell;
use crate::puzzle::Puzzle;
use crate::rule::{Outside, Rule};
use crate::rules::Rules;

/// The clues of each side, from the left or from the top, 0 for none, and the values of cells, 0 for none.
pub(super) struct Skyscrapers {
    side: usize,
    top: Vec<u32>,
    bottom: Vec<u32>,
    left: Vec<u32>,
    right: Vec<u32>,
    values: Vec<u32>,
}

/// Reads skyscrapers; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let lines = words(text);
    let found = sides(&lines).or_else(|| around(text)).or_else(|| frame(&lines));
    found.map(Skyscrapers::puzzle).or_else(|| clues_alone(text))
}

impl Skyscrapers {
    /// Those with `side` clues above, then below, at the left and at the right.
    pub fn of_sides(side: usize, clues: &[u32], values: Vec<u32>) -> Self {
        let of_side = |number: usize| clues[number * side..][..side].to_vec();
        let [top, bottom, left, right] = [0, 1, 2, 3].map(of_side);
        Self { side, top, bottom, left, right, values }
    }

    /// The puzzle of these clues and values.
    pub fn puzzle(self) -> Parsed<Puzzle> {
        let at = |error| (Place::Whole, error);
        let side = self.side;
        let mut rules =
            Rules::new(side).and_then(|rules| rules.with(Rule::NoRegions)).map_err(at)?;
        for index in 0..side {
            let row: Vec<Cell> = (0..side).map(|at| Cell::new(index + 1, at + 1)).collect();
            let column: Vec<Cell> = (0..side).map(|at| Cell::new(at + 1, index + 1)).collect();
            let back = |cells: &[Cell]| cells.iter().rev().copied().collect();
            let clues = [
                (self.bottom[index], back(&column)),
                (self.right[index], back(&row)),
                (self.top[index], column),
                (self.left[index], row),
            ];
            for (clue, cells) in clues.into_iter().filter(|(clue, _)| *clue > 0) {
                rules.add(Rule::Outside(Outside::Skyscraper, clue, cells)).map_err(at)?;
            }
        }
        with_givens(Puzzle::new(rules), self.values).map_err(at)
    }
}

/// The words of each line with content.
fn words(text: &str) -> Vec<Vec<&str>> {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';' || c == '|';
    let words = content(text, &["#"])
        .map(|(_, line)| line.split(is_gap).filter(|word| !word.is_empty()).collect());
    words.filter(|words: &Vec<&str>| !words.is_empty()).collect()
}

/// The numbers of words, 0 for a blank; `None` if one is neither.
fn numbers(words: &[&str]) -> Option<Vec<u32>> {
    words.iter().map(|word| number_or_blank(word)).collect()
}

/// Reads the side, and lines that begin with `G`, `D`, `L`, `P`, the Polish letters of top, bottom, left and right.
fn sides(lines: &[Vec<&str>]) -> Option<Skyscrapers> {
    let ([side], rest) = lines.split_first().map(|(first, rest)| (&first[..], rest))? else {
        return None;
    };
    let side: usize = side.parse().ok().filter(|&side| side <= 16)?;
    let of = |letter: &str| -> Option<Vec<u32>> {
        let line = rest.iter().find(|line| line[0] == letter)?;
        let clues = numbers(&line[1..])?;
        (clues.len() == side).then_some(clues)
    };
    let [top, bottom, left, right] = [of("G")?, of("D")?, of("L")?, of("P")?];
    (rest.len() == 4).then(|| Skyscrapers {
        side,
        top,
        bottom,
        left,
        right,
        values: vec![0; side * side],
    })
}

/// A list of all clues between commas, clockwise from the upper left corner. As many numbers as a square has cells are a grid.
fn around(text: &str) -> Option<Skyscrapers> {
    const FEWEST: usize = 5;
    let text = text.trim().trim_matches(['[', ']', '(', ')']);
    let clue = |word: &str| word.trim().parse::<u32>().ok();
    let clues: Vec<u32> = text.split(',').map(clue).collect::<Option<_>>()?;
    let side = clues.len() / 4;
    let is_square = clues.len().isqrt().pow(2) == clues.len();
    let is_list = clues.len() == 4 * side && (FEWEST..=16).contains(&side) && !is_square;
    if !is_list
        || clues.iter().any(|&clue| clue as usize > side)
        || clues.iter().all(|&clue| clue == 0)
    {
        return None;
    }
    let of_side = |number: usize| clues[number * side..][..side].to_vec();
    let back = |clues: Vec<u32>| clues.into_iter().rev().collect();
    Some(Skyscrapers {
        side,
        top: of_side(0),
        right: of_side(1),
        bottom: back(of_side(2)),
        left: back(of_side(3)),
        values: vec![0; side * side],
    })
}

/// A picture: a row of clues, rows of a clue, cells and a clue, and a row of clues. The corners may be blanks; if they are, a
/// puzzle of another kind with as many cells reads the same unless clues repeat along the border.
fn frame(lines: &[Vec<&str>]) -> Option<Skyscrapers> {
    let side = lines.len().checked_sub(2).filter(|side| (3..=16).contains(side))?;
    let (first, last) = (lines.first()?, lines.last()?);
    let rows: Vec<Vec<u32>> = lines[1..=side]
        .iter()
        .map(|row| numbers(row).filter(|row| row.len() == side + 2))
        .collect::<Option<_>>()?;
    let clues = |line: &[&str]| -> Option<Vec<u32>> {
        match &numbers(line)?[..] {
            [0, clues @ .., 0] | clues if clues.len() == side => Some(clues.to_vec()),
            _ => None,
        }
    };
    let (top, bottom) = (clues(first)?, clues(last)?);
    let of_column = |column: usize| rows.iter().map(|row| row[column]).collect::<Vec<u32>>();
    let (left, right) = (of_column(0), of_column(side + 1));
    let repeats = |clues: &[u32]| {
        let is_twice = |at: usize| clues[at] > 0 && clues[..at].contains(&clues[at]);
        (0..clues.len()).any(is_twice)
    };
    // A matrix of 0 and 1 has no greater number, and of a board of numbered regions one number is greater.
    let most = rows.iter().flatten().chain(&top).chain(&bottom).max();
    if most.is_some_and(|&most| most as usize > side)
        || [&top, &bottom, &left, &right].iter().all(|clues| clues.iter().all(|&clue| clue < 2))
    {
        return None;
    }
    let has_no_corners = first.len() == side && last.len() == side;
    let is_framed =
        has_no_corners || [&top, &bottom, &left, &right].iter().any(|clues| repeats(clues));
    let values = rows.iter().flat_map(|row| row[1..=side].to_vec()).collect();
    is_framed.then_some(Skyscrapers { side, top, bottom, left, right, values })
}

/// The mistake of lines with four numbers for each row, which programs read in two orders.
fn clues_alone(text: &str) -> Option<Parsed<Puzzle>> {
    let text = text.replace(['"', '\'', '[', ']'], "");
    let lines = words(&text);
    let count = lines.first()?.len();
    let side = count / 4;
    let is_clue = |word: &&str| word.parse::<usize>().is_ok_and(|clue| clue > 0 && clue <= side);
    let are_clues = |line: &Vec<&str>| line.len() == 4 * side && line.iter().all(is_clue);
    // A full grid in one line has different numbers in each row, and these repeat.
    let of_grid = count.isqrt();
    let is_row = |row: &[&str]| (0..row.len()).all(|at| !row[..at].contains(&row[at]));
    let is_grid = |line: &Vec<&str>| line.chunks(of_grid).all(is_row);
    let are_grids = of_grid.pow(2) == count && lines.iter().all(is_grid);
    if !(4..=16).contains(&side) || are_grids || !lines.iter().all(are_clues) {
        return None;
    }
    let found = format!("{} numbers from 1 to {side} a line and no grid", 4 * side);
    let expected = "for clues of skyscrapers, a row of those above, rows with a clue, the cells and a clue, and a row of those below";
    let rule = "skyscrapers".to_owned();
    let line = 1 + text.lines().position(|line| !words(line).is_empty())?;
    Some(Err((Place::Line(line), Error::Words { rule, found, expected })))
}
