//! Areas of a grid that are drawn by their borders.

/// The number of each cell's area, from 0 in reading order of their first cells, in a grid of so many rows and columns.
/// `is_border` tells whether a border is between two neighbours, of which the first is at the left or above.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_base as base; }
/// use tallyboard::base::text::areas::areas;
/// // A border below the first cell and one at its right.
/// assert_eq!(areas(2, 2, |one, _| one == 0), [0, 1, 1, 1]);
/// ```
pub fn areas(rows: usize, columns: usize, is_border: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut areas = vec![None; rows * columns];
    let mut number = 0;
    for first in 0..areas.len() {
        if areas[first].is_some() {
            continue;
        }
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            if areas[cell].replace(number).is_some() {
                continue;
            }
            let (row, column) = (cell / columns, cell % columns);
            let neighbours = [
                (column > 0).then(|| (cell - 1, cell)),
                (column + 1 < columns).then_some((cell, cell + 1)),
                (row > 0).then(|| (cell - columns, cell)),
                (row + 1 < rows).then_some((cell, cell + columns)),
            ];
            for (one, other) in neighbours.into_iter().flatten() {
                let next = if one == cell { other } else { one };
                if areas[next].is_none() && !is_border(one, other) {
                    open.push(next);
                }
            }
        }
        number += 1;
    }
    areas.into_iter().flatten().collect()
}
