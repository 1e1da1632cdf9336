//! A picture of a sudoku of any size, which shows givens and found values differently.

use tallyboard_picture::picture::{Anchor, Picture};
use tallyboard_sudoku::sized::SizedGrid;

use super::grid::{self, CELL_PX, line_px};

const DIGIT_HEIGHT_PX: f64 = 22.0;
/// The offset of a text's baseline from the middle of its cell, to the right and down. Digits stand on the baseline, so it lies
/// half their height below the middle. The 0.8 to the right is a matter of taste.
const BASELINE_OFFSET_PX: (f64, f64) = (0.8, DIGIT_HEIGHT_PX / 2.0);

/// A picture of `puzzle`. If there is a `solution`, its values are in the blanks. Givens are bold; found values are
/// thin and blue, on a tinted cell.
pub fn sudoku(puzzle: &SizedGrid, solution: Option<&SizedGrid>) -> Picture {
    let side = puzzle.size().side();
    let title = if solution.is_some() { "a solved sudoku" } else { "a sudoku" };
    let mut picture = grid::picture(side, 0.0, title);
    let shown = solution.unwrap_or(puzzle);
    for (cell, (&given, &value)) in puzzle.cells().iter().zip(shown.cells()).enumerate() {
        let (x, y) = (line_px(cell % side), line_px(cell / side));
        if value == 0 {
            continue;
        }
        let (right, down) = BASELINE_OFFSET_PX;
        let at = (x + CELL_PX / 2.0 + right, y + CELL_PX / 2.0 + down);
        if given == 0 {
            picture.rect("found", x, y, CELL_PX, CELL_PX);
            picture.text("blue", Anchor::Middle, at, DIGIT_HEIGHT_PX, &shown.text(cell));
        } else {
            picture.bold_text("ink", Anchor::Middle, at, DIGIT_HEIGHT_PX, &shown.text(cell));
        }
    }
    let box_side = side.isqrt();
    grid::draw_lines(&mut picture, side, grid::CELL_PX, |row, column| {
        (row / box_side, column / box_side)
    });
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_search::Stop;
    use tallyboard_sudoku::sized::Size;

    #[test]
    fn found_values_stand_on_a_tint_in_every_size() {
        let nine =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let four = "1...............";
        // An empty grid of 16 x 16 with two givens of two characters in numbers.
        let sixteen = format!("16 15{}", " 0".repeat(254));
        for (size, puzzle, thick) in
            [(Size::Nine, nine, 4), (Size::Four, four, 3), (Size::Sixteen, &sixteen, 5)]
        {
            let puzzle = size.parse(puzzle.as_bytes(), None).unwrap();
            let (_, solution) = puzzle.solve(1, &Stop::new()).unwrap();
            let svg = |solution| sudoku(&puzzle, solution).svg();
            let blanks = puzzle.cells().iter().filter(|&&cell| cell == 0).count();
            let found = |svg: &str| svg.matches(r#"class="found""#).count();
            assert_eq!((found(&svg(solution.as_ref())), found(&svg(None))), (blanks, 0), "{size}");
            // Lines around the boxes, across and down, a piece a cell.
            let pieces = 2 * thick * size.side();
            assert_eq!(svg(None).matches(r#"stroke-width="2.2""#).count(), pieces, "{size}");
        }
    }
}
