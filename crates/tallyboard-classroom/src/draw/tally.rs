//! A picture of a tally: the share of all solutions that each square, or each value of each cell, has.

use tallyboard_base::figures::grouped;
use tallyboard_picture::Picture;
use tallyboard_picture::picture::Anchor;

use super::grid::{self, CELL_PX, MARGIN_PX};

/// The numbers of a table, as they are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Tally<'a> {
    /// How many rows and columns the grid has.
    pub side: usize,
    /// The names of the values that each cell has; none for squares with a number each.
    pub values: &'a [String],
    /// The region of each cell, between which lines are thick; empty for none.
    pub regions: &'a [usize],
    /// The number of solutions.
    pub solutions: u128,
    /// How many of them use each cell, or each value of each cell, row by row.
    pub numbers: &'a [u128],
}

const DIGIT_PX: f64 = 8.0;
/// The height of the digit of a cell that has one value in all solutions.
const ONLY_PX: f64 = 18.0;
/// The side of the place of a value in its cell.
const PLACE_PX: f64 = 22.0;

/// The table as a picture: the darker, the more solutions, of all or, of squares, of the square that most use. A value is written in
/// its place of the cell, if any solution has it, and large if all have it.
pub fn tally(table: Tally) -> Picture {
    let Tally { side, values, solutions, numbers, .. } = table;
    let longest = numbers.iter().map(|&number| grouped(number).len()).max().unwrap_or(1);
    let across = values.len().isqrt() + usize::from(values.len().isqrt().pow(2) < values.len());
    let cell_px = match values.len() {
        0 => CELL_PX.max(Picture::text_width(&"0".repeat(longest), DIGIT_PX) + 10.0),
        _ => across as f64 * PLACE_PX,
    };
    let of_cell = values.len().max(1);
    let size = 2.0 * MARGIN_PX + side as f64 * cell_px;
    let title = format!("how many of {} solutions use each place", grouped(solutions));
    let mut picture = Picture::new(size, size, &title);
    let most =
        if values.is_empty() { numbers.iter().copied().max().unwrap_or(0) } else { solutions };
    let share = |number: u128| if most == 0 { 0.0 } else { number as f64 / most as f64 };
    for (cell, numbers) in numbers.chunks(of_cell).enumerate() {
        let x = MARGIN_PX + (cell % side) as f64 * cell_px;
        let y = MARGIN_PX + (cell / side) as f64 * cell_px;
        let centre = |height: f64| (x + cell_px / 2.0, y + (cell_px + height) / 2.0);
        if values.is_empty() {
            picture.shade(share(numbers[0]), x, y, cell_px, cell_px);
            let text = grouped(numbers[0]);
            picture.text("ink", Anchor::Middle, centre(DIGIT_PX), DIGIT_PX, &text);
            continue;
        }
        let only = numbers.iter().position(|&number| number == solutions && solutions > 0);
        if let Some(value) = only {
            let value = &values[value];
            let fitting = ONLY_PX * (cell_px - 4.0) / Picture::bold_text_width(value, ONLY_PX);
            let height = ONLY_PX.min(fitting);
            picture.bold_text("ink", Anchor::Middle, centre(height), height, value);
            continue;
        }
        for (value, &number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
            let x = x + (value % across) as f64 * PLACE_PX;
            let y = y + (value / across) as f64 * PLACE_PX;
            picture.shade(share(number), x, y, PLACE_PX, PLACE_PX);
            let middle = (x + PLACE_PX / 2.0, y + (PLACE_PX + DIGIT_PX) / 2.0);
            picture.text("ink", Anchor::Middle, middle, DIGIT_PX, &values[value]);
        }
    }
    grid::draw_lines(&mut picture, side, cell_px, |row, column| {
        table.regions.get(row * side + column)
    });
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[&str], numbers: &[u128]) -> String {
        let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
        let table = Tally { side: 2, values: &values, regions: &[], solutions: 4, numbers };
        tally(table).svg()
    }

    #[test]
    fn the_shade_of_a_square_is_its_share_of_the_most() {
        let svg = drawn(&[], &[1, 2, 0, 1]);
        let shades: Vec<&str> =
            svg.split("fill-opacity=\"").skip(1).map(|it| it.split('"').next().unwrap()).collect();
        // A square that no solution uses has no shade.
        assert_eq!(shades, ["0.5", "1", "0.5"]);
    }

    #[test]
    fn values_of_no_solution_are_left_out_and_those_of_all_are_large() {
        let svg = drawn(&["a", "b"], &[1, 3, 4, 0, 0, 4, 2, 2]);
        assert_eq!(svg.matches(">a</text>").count(), 3);
        assert_eq!(svg.matches(">b</text>").count(), 3);
        assert_eq!(svg.matches("font-weight=\"bold\"").count(), 2);
    }

    #[test]
    fn a_puzzle_without_solutions_is_an_empty_grid() {
        assert!(!drawn(&["a", "b"], &[0; 8]).contains("fill-opacity"));
    }
}
