//! Puzzles that stand on a command line in place of the name of a file.

use tallyboard_base::text::is_blank;
use tallyboard_regions::format::is_sbn;
use tallyboard_variants::is_of_another_program;

/// Whether a text is a puzzle, and no name that people give to files: several lines, the cells of a sudoku or of a board of regions
/// in one, a link, a game id, SBN, JSON, or more digits than a name has.
pub fn is_typed_puzzle(text: &str) -> bool {
    let text = text.trim();
    text.contains('\n')
        || is_sudoku(text)
        || is_board(text)
        || is_sbn(text)
        || is_json(text)
        || is_long_grid(text)
        || is_of_another_program(text.as_bytes())
}

/// A list or an object.
fn is_json(text: &str) -> bool {
    [('[', ']'), ('{', '}')]
        .iter()
        .any(|(open, close)| text.starts_with(*open) && text.ends_with(*close))
}

/// Digits and blanks of a sudoku, perhaps too many or too few: a message about the cells helps whoever typed them.
fn is_long_grid(text: &str) -> bool {
    const FEWEST: usize = 60;
    text.len() >= FEWEST && text.chars().all(|c| c.is_ascii_digit() || is_blank(c))
}

/// The cells of a sudoku of 4 × 4, 6 × 6 or 9 × 9: values that it may have, and blanks.
fn is_sudoku(text: &str) -> bool {
    let Some(most) = [4, 6, 9].into_iter().find(|side| text.len() == side * side) else {
        return false;
    };
    let is_value =
        |c: char| c.to_digit(10).is_some_and(|value| (1..=most).contains(&(value as usize)));
    text.chars().all(|c| is_value(c) || c == '0' || is_blank(c))
}

/// A board of regions as a letter for each cell: n² letters, of which n are different.
fn is_board(text: &str) -> bool {
    let side = text.len().isqrt();
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters.dedup();
    side >= 4
        && side * side == text.len()
        && letters.len() == side
        && letters.iter().all(char::is_ascii_alphabetic)
}
