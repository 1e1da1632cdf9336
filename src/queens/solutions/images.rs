//! The eight images of a board under rotation and reflection.

/// Whether no rotation or reflection of the board is lexicographically smaller, which picks exactly
/// one solution of every class: the *fundamental* ones.
///
/// ```
/// use tallyboard::queens::solutions::is_smallest_image;
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
    // The mirror image decides for half of all boards.
    if columns[0] > last as u8 - columns[0] {
        return false;
    }
    let mut rows = [0u8; 32];
    for (row, &column) in columns.iter().enumerate() {
        rows[column as usize] = row as u8;
    }
    [columns, &rows[..n]].into_iter().all(|board| {
        let upright = board.iter().copied();
        let mirrored = |board: u8| last as u8 - board;
        columns.iter().copied().le(upright.clone())
            && columns.iter().copied().le(upright.clone().map(mirrored))
            && columns.iter().copied().le(upright.clone().rev())
            && columns.iter().copied().le(upright.rev().map(mirrored))
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::{Prefix, Solutions};
    use super::*;

    #[test]
    fn as_many_as_are_known() {
        // OEIS A002562.
        let known = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341];
        for (n, known) in (1..).zip(known) {
            let mut count = 0;
            let _ = Solutions::new(n).unwrap().each(&Prefix::default(), &mut |columns| {
                count += u64::from(is_smallest_image(columns));
                ControlFlow::Continue(())
            });
            assert_eq!(count, known, "n = {n}");
        }
    }
}
