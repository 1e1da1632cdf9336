//! The subsets of the h rows or columns of a quarter board, by size, and the order that breaks the
//! symmetry of the square.

use super::corner::Sizes;
use tallyboard_base::bits::bits;

/// All subsets of `0..h`, as masks.
#[derive(Debug, Clone)]
pub(super) struct Subsets {
    pub sizes: Sizes,
    /// The subsets of each size, as ascending numbers.
    of_size: Vec<Vec<u32>>,
    /// The index of each subset among those of its size.
    position: Vec<u32>,
    /// See [`Subsets::rank`].
    rank: Vec<u32>,
}

impl Subsets {
    pub(super) fn new(sizes: Sizes) -> Self {
        let h = sizes.h;
        let full = (1 << h) - 1;
        let mut of_size = vec![Vec::new(); h as usize + 1];
        let mut position = Vec::with_capacity(1 << h);
        for set in 0u32..=full {
            let same_size = &mut of_size[set.count_ones() as usize];
            position.push(same_size.len() as u32);
            same_size.push(set);
        }
        let mut in_order: Vec<u32> = (0..=full).collect();
        in_order.sort_by_key(|&set| order_key(set));
        let mut place = vec![0; 1 << h];
        for (rank, &set) in in_order.iter().enumerate() {
            place[set as usize] = rank as u32;
        }
        let rank =
            (0..=full).map(|set| place[set as usize].max(place[(full & !set) as usize])).collect();
        Self { sizes, of_size, position, rank }
    }

    /// The subset that has all elements.
    pub(super) fn full(&self) -> u32 {
        (1 << self.sizes.h) - 1
    }

    /// The subsets with `size` elements, as ascending numbers; none if there cannot be any.
    pub(super) fn of_size(&self, size: u32) -> &[u32] {
        self.of_size.get(size as usize).map_or(&[], Vec::as_slice)
    }

    /// The index of `set` in [`Subsets::of_size`].
    pub(super) fn position(&self, set: u32) -> usize {
        self.position[set as usize] as usize
    }

    /// The place in the order of [`order_key`] of `set` or of its complement, whichever comes later. The two have the same
    /// rank, and no other set has it.
    pub(super) fn rank(&self, set: u32) -> u32 {
        self.rank[set as usize]
    }

    /// Whether `set` comes after its complement in the order of [`order_key`].
    pub(super) fn exceeds_complement(&self, set: u32) -> bool {
        order_key(set) > order_key(self.full() & !set)
    }
}

/// Orders the subsets. A set with more elements comes later. Of two sets of one size, the one that has the least element in
/// which they differ comes later: elements are counted from the border of the board. Of the orders tried, this one leaves the
/// fewest pairs to test.
fn order_key(set: u32) -> (u32, u32) {
    (set.count_ones(), set.reverse_bits())
}

/// The elements of a set, ascending.
pub(super) fn elements(set: u32) -> impl Iterator<Item = u32> {
    bits(set).map(u32::trailing_zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_ranked_in_pairs() {
        for h in 1..=8 {
            let subsets = Subsets::new(Sizes::new(2 * h));
            let mut seen = vec![0; 1 << h];
            for set in 0..=subsets.full() {
                assert_eq!(subsets.rank(set), subsets.rank(subsets.full() & !set));
                let same_size = subsets.of_size(set.count_ones());
                assert_eq!(same_size[subsets.position(set)], set);
                seen[subsets.rank(set) as usize] += 1;
                let other = subsets.full() & !set;
                assert_ne!(subsets.exceeds_complement(set), subsets.exceeds_complement(other));
            }
            assert!(seen.iter().all(|&count| count == 0 || count == 2));
        }
    }
}
