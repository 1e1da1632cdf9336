//! Sudokus in short links of SudokuPad: `scf`, the cells, and letters for more rules.
//!
//! A character stands for a digit, 0 for none, and for up to five empty cells behind it.

use super::json::{foreign, in_part, wrong};
use super::{Parsed, with_givens};
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// Reads what follows `scf` in a link.
pub(super) fn read(data: &str) -> Parsed<Puzzle> {
    const CELLS: usize = 81;
    let (cells, behind_star) = match data.split_once('*') {
        Some((cells, letters)) => (cells, Some(letters)),
        None => (data, None),
    };
    let mut givens: Vec<u32> = Vec::new();
    let mut rest = cells.chars();
    while givens.len() < CELLS
        && let Some(code) = rest.next().and_then(code)
    {
        givens.push(code % 10);
        givens.resize(givens.len() + code as usize / 10, 0);
    }
    // Without a star, the letters follow the cells.
    let letters = behind_star.unwrap_or(rest.as_str());
    if givens.len() != CELLS || behind_star.is_some() && !rest.as_str().is_empty() {
        return Err(wrong("scf", &data.into(), "the whole link, which has 81 cells"));
    }
    let mut rules = Rules::new(9).map_err(in_part("scf"))?;
    for rule in rules_of(letters)? {
        rules.add(rule).map_err(in_part("scf"))?;
    }
    with_givens(Puzzle::new(rules), givens).map_err(in_part("scf"))
}

/// A digit, plus ten for each empty cell behind it: `0` to `9`, then `A` to `Z` and `a` to `x`.
fn code(character: char) -> Option<u32> {
    match character {
        '0'..='9' => character.to_digit(10),
        'A'..='Z' => Some(character as u32 - 'A' as u32 + 10),
        'a'..='x' => Some(character as u32 - 'a' as u32 + 36),
        _ => None,
    }
}

/// The rules of letters: `w` for the windows, `x` for both diagonals. A title or an author has a letter, too, and ends with a star.
fn rules_of(letters: &str) -> Parsed<Vec<Rule>> {
    let mut rules = Vec::new();
    // A star in a title is written twice.
    let letters = letters.replace("**", "");
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        match letter {
            'w' => rules.push(Rule::Windoku),
            'x' => rules.extend([Rule::FallingDiagonal, Rule::RisingDiagonal]),
            't' | 'a' => drop(rest.find(|&end| end == '*')),
            _ => return Err(foreign(format!("{letter} of scf"))),
        }
    }
    Ok(rules)
}
