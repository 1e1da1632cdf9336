//! A sudoku: givens and found digits told apart.

use super::picture::{Anchor, Picture};
use crate::sudoku::Grid;

const CELL: f64 = 48.0;
const MARGIN: f64 = 20.0;

/// A picture of `puzzle` with the other digits of `solution`, if there is one: givens are bold, found
/// digits thin, blue and on a tint.
pub fn sudoku(puzzle: &Grid, solution: Option<&Grid>) -> Picture {
    let side = 9.0 * CELL;
    let title = if solution.is_some() { "a solved sudoku" } else { "a sudoku" };
    let mut svg = Picture::new(side + 2.0 * MARGIN, side + 2.0 * MARGIN, title);
    let shown = solution.unwrap_or(puzzle);
    for (cell, (&given, &digit)) in puzzle.cells().iter().zip(shown.cells()).enumerate() {
        let (x, y) = (MARGIN + (cell % 9) as f64 * CELL, MARGIN + (cell / 9) as f64 * CELL);
        if given == 0 && digit != 0 {
            svg.rect("found", x, y, CELL, CELL);
        }
        if digit != 0 {
            let class = if given == 0 { "blue" } else { "ink" };
            let at = (x + CELL / 2.0 + 0.8, y + CELL / 2.0 + 11.0);
            svg.text(class, Anchor::Middle, at, 22.0, given != 0, &digit.to_string());
        }
    }
    for line in 0..=9 {
        let (class, width) = if line % 3 == 0 { ("ink", 2.2) } else { ("faint", 0.8) };
        let at = MARGIN + f64::from(line) * CELL;
        svg.line(class, width, (at, MARGIN), (at, MARGIN + side));
        svg.line(class, width, (MARGIN, at), (MARGIN + side, at));
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_digits_stand_on_a_tint() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let answer = crate::sudoku::solve(&puzzle, 1);
        let found = |solution| sudoku(&puzzle, solution).svg().matches(r#"class="found""#).count();
        assert_eq!((found(answer.first.as_ref()), found(None)), (81 - puzzle.clues(), 0));
    }
}
