//! The eight images of a board under rotation and reflection.

use crate::MAX_N;

/// Whether no rotation or reflection of the board is lexicographically smaller. This holds for exactly one
/// solution of each class, the *fundamental* one.
///
/// ```
/// use tallyboard_queens::solutions::is_smallest_image;
///
/// assert!(is_smallest_image(&[1, 3, 0, 2]));
/// assert!(!is_smallest_image(&[2, 0, 3, 1])); // its mirror image
/// ```
///
/// # Panics
/// If `columns` is no permutation of `0..columns.len()` or longer than 32.
pub fn is_smallest_image(columns: &[u8]) -> bool {
    let n = columns.len();
    let Some(last) = n.checked_sub(1) else { return true };
    // A quick answer for half of all boards: their mirror image is smaller.
    if columns[0] > last as u8 - columns[0] {
        return false;
    }
    // The board reflected in its diagonal: the row of each column's queen.
    let mut rows = [0u8; MAX_N as usize];
    for (row, &column) in columns.iter().enumerate() {
        rows[column as usize] = row as u8;
    }
    // Each of the two, as it is, mirrored left and right, upside down, and both: the eight images.
    [columns, &rows[..n]].into_iter().all(|board| {
        let columns = || columns.iter().copied();
        let as_is = board.iter().copied();
        let mirrored = board.iter().map(|&column| last as u8 - column);
        columns().le(as_is.clone())
            && columns().le(mirrored.clone())
            && columns().le(as_is.rev())
            && columns().le(mirrored.rev())
    })
}
