//! The lines (rows or columns) of each box that may still hold each digit.

use super::layout::{State, at, count_candidates};
use super::rating::{One, deduce, state_of_grid};
use crate::bands::{BoxLines, LINE_BITS, Lines};
use crate::{CELLS, Grid};
use tallyboard_base::array::array;

/// For each box of `grid`, the rows and the columns that may hold each digit after deduction; and the number
/// of candidates to remove: in each cell, all candidates but one. `None` if deduction solves the grid or finds
/// that it has no solution.
pub fn lines_of(grid: &Grid) -> Option<(BoxLines, u32)> {
    let mut state = state_of_grid(grid);
    if deduce(&mut state).is_some() {
        return None;
    }
    let side = |place: fn(usize, usize) -> usize| {
        array(|band| array(|stack| lines_of_box(&state, 3 * stack + band, place)))
    };
    let lines = BoxLines {
        rows: side(|row, column| 3 * row + column),
        columns: side(|column, row| 3 * row + column),
    };
    Some((lines, count_candidates(&state).0[0] - CELLS as u32))
}

/// The digits of each line of a box. `place` maps a line and a position in it to a place in the box.
fn lines_of_box(state: &State<One>, box_number: usize, place: fn(usize, usize) -> usize) -> Lines {
    let mut lines = 0;
    for line in 0..3 {
        for major in 0..3 {
            let word = |position| state[at(major, 0, 0) + place(line, position)].0[0];
            // One bit for each minor.
            let three = (word(0) | word(1) | word(2)) >> box_number & 0o001_001_001;
            let digits = (three | three >> 8 | three >> 16) & 0b111;
            lines |= digits << (LINE_BITS * line as u32 + 3 * major as u32);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::single;
    use crate::test_grids::SOLVED;

    #[test]
    fn lines_hold_their_clues_and_every_solution_and_little_more() {
        let mut seen = 0;
        for number in 0..80 {
            let puzzle = Generator::for_tests(None, 31).puzzle(number);
            let Some((BoxLines { rows, columns }, candidates)) = lines_of(&puzzle) else {
                continue;
            };
            seen += 1;
            let solution = single::solve_up_to(&puzzle, 1).first.unwrap();
            let digits = [rows, columns].map(|lines| {
                lines.as_flattened().iter().map(|lines| lines.count_ones()).sum::<u32>()
            });
            // Nine digits in each box, each with at least one line and at most as many as candidates.
            assert!(digits.iter().all(|&digits| (82..=81 + candidates).contains(&digits)));
            for cell in 0..CELLS {
                let (row, column) = (cell / 9, cell % 9);
                let digit = u32::from(solution.cells()[cell]) - 1;
                let lines_with =
                    |lines: Lines| (0..3).map(move |line| lines >> (LINE_BITS * line + digit) & 1);
                let is_clue = puzzle.cells()[cell] > 0;
                for (lines, line) in [(&rows, row % 3), (&columns, column % 3)] {
                    let with: Vec<u32> = lines_with(lines[row / 3][column / 3]).collect();
                    assert_eq!(with[line], 1, "{puzzle}");
                    assert!(!is_clue || with.iter().sum::<u32>() == 1, "{puzzle}");
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn solved_and_dead_grids_have_none() {
        assert!(lines_of(&SOLVED.parse().unwrap()).is_none());
        assert!(lines_of(&format!("11{}", ".".repeat(79)).parse().unwrap()).is_none());
    }
}
