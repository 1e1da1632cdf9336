//! The half boards of a row set on one side, and the number of solutions that the pairs of two sides make.

use std::cmp::Ordering;

/// The half boards of one row set on one side of the board, as keys: a plain part, then [`PARTS`].
/// The comment of `case` defines the words:
/// ```text
/// plain | first | same | second      `whole` is plain and first,
///        \------ tied --------/      `parts` has the starts of first, same and second
/// ```
#[derive(Debug, Default)]
pub(super) struct Half {
    pub keys: Vec<u64>,
    /// Index in `keys` of the first key of each of the [`PARTS`].
    pub parts: [usize; 3],
}

/// Numbers of the parts of a [`Half`]. Part 2 is `same`: half boards that are their own image.
pub(super) const PLAIN: usize = 0;
pub(super) const FIRST: usize = 1;
pub(super) const SECOND: usize = 3;

/// How the top quarter of a half board that ties compares to its mirror image, in the parts [`FIRST`] to
/// [`SECOND`]: the greater of two images is the first.
pub(super) const PARTS: [Ordering; 3] = [Ordering::Greater, Ordering::Equal, Ordering::Less];

impl Half {
    pub(super) fn plain(&self) -> &[u64] {
        &self.keys[..self.parts[0]]
    }

    /// The keys of weight 8: the plain ones and the first of two images.
    pub(super) fn whole(&self) -> &[u64] {
        &self.keys[..self.parts[1]]
    }

    pub(super) fn tied(&self) -> &[u64] {
        &self.keys[self.parts[0]..]
    }

    pub(super) fn first(&self) -> &[u64] {
        &self.keys[self.parts[0]..self.parts[1]]
    }

    pub(super) fn same(&self) -> &[u64] {
        &self.keys[self.parts[1]..self.parts[2]]
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>()
    }
}

/// The number of solutions of a row set, images included, by the formulas of `case`. `pairs` counts the
/// disjoint pairs of two lists; `tied` says whether B ties with T.
pub(super) fn solutions<E>(
    tied: bool,
    left: &Half,
    right: &Half,
    mut pairs: impl FnMut(&[u64], &[u64]) -> Result<u64, E>,
) -> Result<u64, E> {
    let tied_pairs = pairs(left.tied(), right.tied())?;
    let solutions = if tied {
        sum_of_products(&[(4, pairs(left.plain(), right.plain())?), (2, tied_pairs)])
    } else {
        sum_of_products(&[
            (8, pairs(left.whole(), right.whole())?),
            (4, pairs(left.same(), right.plain())?),
            (4, pairs(left.plain(), right.same())?),
            (8, tied_pairs - pairs(left.first(), right.first())?),
        ])
    };
    Ok(solutions.expect("a row set's count fits in 64 bits"))
}

fn sum_of_products(products: &[(u64, u64)]) -> Option<u64> {
    products
        .iter()
        .try_fold(0u64, |sum, (weight, pairs)| sum.checked_add(weight.checked_mul(*pairs)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_half_are_those_of_its_keys() {
        assert_eq!(Half { keys: vec![1, 2, 3, 4], parts: [2, 3, 3] }.bytes(), 32);
    }
}
