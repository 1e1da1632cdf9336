//! What may be meant otherwise in a file that was recognised.

use tallyboard_base::cpu::Instructions;
use tallyboard_regions::format::Records;
use tallyboard_regions::{Limits, solve_all};
use tallyboard_search::Stop;
use tallyboard_sudoku::sized::Puzzle;
use tallyboard_variants::Form;

use crate::head::Head;

/// What to say of a single sudoku that has no solution since a value stands twice in a box, though in no row or column.
pub fn note_on_boxes(head: &Head<'_>) -> Option<&'static str> {
    let (cells, side) = match head.only_sudoku()? {
        Puzzle::Nine(grid) => (&grid.cells()[..], 9),
        Puzzle::Sized(grid) => (grid.cells(), grid.size().side()),
    };
    let part = side.isqrt();
    let of_box = |cell: usize| cell / side / part * part + cell % side / part;
    let is_jigsaw = has_twice(cells, of_box)
        && !has_twice(cells, |cell| cell / side)
        && !has_twice(cells, |cell| cell % side);
    is_jigsaw.then_some(
        "a value stands twice in a box, but in no row or column: without a solution as a sudoku, it may be a jigsaw or another variant \
         whose rules are not in this file",
    )
}

/// What to say of a list of all clues of skyscrapers, whose order a file does not show.
pub fn note_on_clues(head: &Head<'_>) -> Option<&'static str> {
    let is_list =
        head.variant()?.form == Form::Skyscrapers && head.text()?.trim().lines().count() == 1;
    is_list.then_some(
        "the clues of these skyscrapers were read clockwise from the upper left corner, as Codewars has them: those below from the right, \
         those at the left from below",
    )
}

/// Whether a value stands twice in a house, where `house` tells the house of each cell. Values and houses are at most 25.
fn has_twice(cells: &[u8], house: impl Fn(usize) -> usize) -> bool {
    let mut values_in = [0_u32; 25];
    cells.iter().enumerate().filter(|(_, value)| **value > 0).any(|(cell, value)| {
        let values = &mut values_in[house(cell)];
        let is_twice = *values >> value & 1 == 1;
        *values |= 1 << value;
        is_twice
    })
}

/// What to say of a board that has one solution only with two stars in each row, where the file states no number.
pub fn note_on_stars(head: &Head<'_>) -> Option<&'static str> {
    /// Real puzzles need fewer, and so many take no time.
    const MOST_GUESSES: u64 = 10_000;
    let one = &head.board()?.board.as_ref().ok().filter(|one| one.board.stars() == 1)?.board;
    let two = Records::new(head.whole_lines(), Some(2)).next()?.ok()?.board;
    let limits = Limits { guesses: MOST_GUESSES, ..Limits::solutions(2) };
    let boards = [one.clone(), two];
    let answers = solve_all(&boards, limits, Instructions::best(), &Stop::new()).ok()?;
    (!answers[0].is_unique() && answers[1].is_unique()).then_some(
        "with one star in each row, column and region the board has not one solution; with --stars 2 it has",
    )
}
