//! One board for all that are alike: the eight symmetries of the square, and other names of the regions.

use crate::board::{Board, Row};

/// The image that is the first of a board's eight: by its regions, numbered in the order of their first cells, then by its
/// stars and crossed cells. Two boards have the same image if and only if a symmetry of the square and a renaming of the
/// regions make one of the other.
pub fn canonical(board: &Board) -> Board {
    let images = (0..8).map(|symmetry| image(board, symmetry));
    let key = |board: &Board| {
        let rows: Vec<(u32, u32)> =
            board.rows().iter().map(|row| (row.possible, row.stars)).collect();
        (board.regions().to_vec(), rows)
    };
    images.min_by_key(key).expect("there are eight images")
}

/// The board after a symmetry: bit 0 first swaps rows and columns; then bit 1 reverses the order of the rows, and bit 2 that of
/// the columns.
fn image(board: &Board, symmetry: u32) -> Board {
    let size = board.size();
    let source = |row: usize, column: usize| {
        let row = if symmetry & 2 == 0 { row } else { size - 1 - row };
        let column = if symmetry & 4 == 0 { column } else { size - 1 - column };
        if symmetry & 1 == 0 { (row, column) } else { (column, row) }
    };
    let mut labels = Vec::with_capacity(size * size);
    let mut rows = vec![Row::default(); size];
    for row in 0..size {
        for column in 0..size {
            let (from_row, from_column) = source(row, column);
            labels.push(u32::from(board.regions()[from_row * size + from_column]));
            let from = board.rows()[from_row];
            rows[row].possible |= (from.possible >> from_column & 1) << column;
            rows[row].stars |= (from.stars >> from_column & 1) << column;
        }
    }
    let image = Board::new(&labels, board.stars()).expect("the image of a board");
    image.with_rows(rows)
}
