//! Small unavoidable sets of a solved grid: cells that can be filled in another way while all others stay the same.
//!
//! Exchange two digits in one row: each now stands twice in a column and in a box. Exchange them there too, and so on,
//! until nothing stands twice. The cells that changed are such a set. Likewise, exchange the digits of two rows of a band
//! (of two columns of a stack) in one column: each now stands twice in a row, and is exchanged in its other column, too.

use crate::CELLS;

/// Larger sets are not looked for: they hardly ever lose all their clues.
const MAX_SET_CELLS: usize = 12;

/// Passes to `visit` each unavoidable set of at most twelve cells that comes from exchanging two digits, two rows or two
/// columns.
pub(crate) fn for_each_unavoidable_set(cells: &[u8; CELLS], mut visit: impl FnMut(&[u8])) {
    // For each digit: its column and its box in each row; its row, as a bit, in each column and box.
    let mut column_in = [[0; 9]; 9];
    let mut box_in = [[0; 9]; 9];
    let mut row_of_column = [[0_u32; 9]; 9];
    let mut row_of_box = [[0_u32; 9]; 9];
    for (cell, &digit) in cells.iter().enumerate() {
        let row = cell / 9;
        let column = cell % 9;
        let digit = usize::from(digit) - 1;
        let box_number = row / 3 * 3 + column / 3;
        column_in[digit][row] = column;
        box_in[digit][row] = box_number;
        row_of_column[digit][column] = 1 << row;
        row_of_box[digit][box_number] = 1 << row;
    }
    for (one, other) in (0..9).flat_map(|one| (0..one).map(move |other| (one, other))) {
        // In a row, `other` comes to the cell of `one`, but stands in its column and its box already: in the rows that have to
        // change too.
        let forced_rows =
            |row| row_of_column[other][column_in[one][row]] | row_of_box[other][box_in[one][row]];
        let pair = |row| [9 * row + column_in[one][row], 9 * row + column_in[other][row]];
        for_each_part(forced_rows, pair, &mut visit);
    }
    for (one, other) in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (6, 7), (6, 8), (7, 8)] {
        // Rows `one` and `other`: a digit comes from row `other` to row `one`, but stands there already, in the column that has
        // to change too. Then columns `one` and `other`.
        let digit = |cell: usize| usize::from(cells[cell]) - 1;
        let forced_column = |column| 1 << column_in[digit(9 * other + column)][one];
        for_each_part(forced_column, |column| [9 * one + column, 9 * other + column], &mut visit);
        let forced_row = |row| row_of_column[digit(9 * row + other)][one];
        for_each_part(forced_row, |row| [9 * row + one, 9 * row + other], &mut visit);
    }
}

/// Passes to `visit` the cells of each small part of the nine places that is closed under the
/// exchange. `pair` gives the two cells at a place, and `forced_places` the places that have to change with it.
#[inline(always)]
fn for_each_part(
    forced_places: impl Fn(usize) -> u32,
    pair: impl Fn(usize) -> [usize; 2],
    visit: &mut impl FnMut(&[u8]),
) {
    let mut unvisited: u32 = 0x1ff;
    while unvisited != 0 {
        // The places of the part that were visited, and those to be visited.
        let mut part = 0;
        let mut ahead = unvisited & unvisited.wrapping_neg();
        let mut set = [0; 18];
        let mut length = 0;
        while ahead != 0 {
            let place = ahead.trailing_zeros() as usize;
            part |= 1 << place;
            for cell in pair(place) {
                set[length] = cell as u8;
                length += 1;
            }
            ahead = (ahead | forced_places(place)) & !part;
        }
        unvisited &= !part;
        if length <= MAX_SET_CELLS {
            visit(&set[..length]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::solved_grid;
    use crate::{Grid, solve_up_to};
    use tallyboard_base::random::Random;

    #[test]
    fn every_set_can_be_filled_in_another_way() {
        let random = &mut Random::from_seed(3);
        for _ in 0..20 {
            let solved = *solved_grid(random).cells();
            let mut found = 0;
            for_each_unavoidable_set(&solved, |set| {
                found += 1;
                let mut cells = solved;
                set.iter().for_each(|&cell| cells[usize::from(cell)] = 0);
                assert!(solve_up_to(&Grid::new(cells).unwrap(), 2).count > 1, "{set:?}");
            });
            assert!(found > 20, "{found}");
        }
    }
}
