//! The eight images of a board under rotation and reflection.

/// Whether no rotation or reflection of the board is lexicographically smaller. This holds for exactly one
/// solution of each class, the *fundamental* one.
///
/// ```
/// use tallyboard::unstable::queens::solutions::is_smallest_image;
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
    let mut rows = [0u8; 32];
    for (row, &column) in columns.iter().enumerate() {
        rows[column as usize] = row as u8;
    }
    [columns, &rows[..n]].into_iter().all(|board| {
        let upright = board.iter().copied();
        let mirrored = board.iter().map(|&column| last as u8 - column);
        columns.iter().copied().le(upright.clone())
            && columns.iter().copied().le(mirrored.clone())
            && columns.iter().copied().le(upright.rev())
            && columns.iter().copied().le(mirrored.rev())
    })
}
