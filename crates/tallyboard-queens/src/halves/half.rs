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
    /// A half board for each key, in four parts: the plain ones, then the [`PARTS`].
    #[cfg(test)]
    pub(super) fn of(keys: [&[u64]; 4]) -> Self {
        let end = |part| keys[..=part].iter().map(|keys| keys.len()).sum();
        Self { keys: keys.concat(), parts: [end(0), end(1), end(2)] }
    }

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
mod half_tests {
    use super::*;

    /// The kinds of half boards, in the order of the parts of a [`Half`].
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Tie {
        Plain,
        First,
        Same,
        Second,
    }
    use Tie::{First, Plain, Same, Second};

    /// The weights of the table in `case`, for a pair of half boards of which neither, one or both tie.
    fn weight(tied: bool, left: Tie, right: Tie) -> u64 {
        match (tied, left, right) {
            (false, Plain, Plain) => 8,
            (false, Plain, tie) | (false, tie, Plain) => match tie {
                First => 8,
                Same => 4,
                Plain | Second => 0,
            },
            (false, ..) => 8,
            (true, Plain, Plain) => 4,
            (true, Plain, _) | (true, _, Plain) => 0,
            (true, ..) => 2,
        }
    }

    #[test]
    fn every_kind_of_tie_has_its_weight() {
        // Different numbers of each kind, so that no two kinds can be taken for one another.
        let parts = [
            (Plain, vec![0b1, 0b10, 0b100, 0b1000, 0b10000]),
            (First, vec![0b11, 0b110, 0b1100]),
            (Same, vec![0b101, 0b1010]),
            (Second, vec![0b1001]),
        ];
        let list = |reversed: bool| -> Vec<(Tie, u64)> {
            let keys = parts.iter().flat_map(|(tie, keys)| keys.iter().map(|&key| (*tie, key)));
            keys.map(|(tie, key)| (tie, if reversed { key ^ 0b11111 } else { key << 1 })).collect()
        };
        let half = |list: &[(Tie, u64)]| {
            let of = |tie| list.iter().filter(|k| k.0 == tie).map(|k| k.1).collect::<Vec<_>>();
            let keys = [Plain, First, Same, Second].map(of);
            Half::of(keys.each_ref().map(Vec::as_slice))
        };
        let pairs = |left: &[u64], right: &[u64]| -> Result<u64, ()> {
            Ok(left.iter().map(|l| right.iter().filter(|&r| l & r == 0).count() as u64).sum())
        };
        let lists = [list(false), list(true)];
        for (left, right) in [(0, 0), (0, 1), (1, 0)].map(|(l, r)| (&lists[l], &lists[r])) {
            for tied in [false, true] {
                let mut expected = 0;
                for (left, l) in left {
                    let met = right.iter().filter(|(_, r)| l & r == 0);
                    expected += met.map(|&(right, _)| weight(tied, *left, right)).sum::<u64>();
                }
                let found = solutions(tied, &half(left), &half(right), pairs);
                assert_eq!(found, Ok(expected), "tied: {tied}, {left:?} {right:?}");
            }
        }
    }

    #[test]
    fn the_bytes_of_a_half_are_those_of_its_keys() {
        assert_eq!(Half::of([&[1, 2], &[3], &[], &[4]]).bytes(), 32);
    }
}
