//! The subsets of the h rows or columns of a quarter board, by size, and the order that breaks the
//! symmetry of the square.

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

// The corners of a board, and the diagonals of a queen in one of them.
//
// ```text
//   column c  0 1 2 ..  h-1 |            rows and columns are counted from the border,
//  row i  0   . . Q .   .   |            so the four corners look alike
//         1   Q . . .   .   |
//        :                 |  middle    number of the falling diagonal: c - i + h
//       h-1  . . . .   Q   |            number of the rising diagonal:  i + c
//         ------------------+
//               middle
// ```
//
// A diagonal of a quarter reaches another quarter only if it crosses the middle column. In the top
// left quarter, all 2h - 1 falling diagonals do, and the rising ones from number n - h on. A *key*
// has one bit for each diagonal across the middle column that holds a queen: in its low 32 bits the
// diagonals that fall on the board, from left to right; in its high 32 bits those that rise, from
// right to left. So no queens of two parts of the board share a diagonal exactly if their keys are
// disjoint. Mirroring left and right swaps the two 32-bit words: this makes right quarters of left ones.
//
// For odd n the middle row counts as row h of the top quarters.

/// The sizes of a board of n × n squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Rows and columns of the board.
    pub n: u32,
    /// Rows and columns of a quarter: half of n, rounded down.
    pub h: u32,
}

impl Sizes {
    pub(super) fn new(n: u32) -> Self {
        Self { n, h: n / 2 }
    }
}

/// One of the two quarters of a half board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    Top,
    Bottom,
}

impl Corner {
    /// The key of a single queen in row i and column c of this quarter of the left half.
    pub(super) fn key(self, Sizes { n, h }: Sizes, i: u32, c: u32) -> u64 {
        // The falling diagonal through the corner of the board is bit h - 1 of the bits 0 to 2h - 2.
        let falling = 1u64 << (c + h - i) >> 1;
        let mirrored = 1u64 << (h + i - c) >> 1;
        let crosses = i + c >= n - h;
        match self {
            Self::Top => falling | if crosses { 1 << (n + h - 2 - i - c) << 32 } else { 0 },
            Self::Bottom => mirrored << 32 | if crosses { 1 << (i + c + h - n) } else { 0 },
        }
    }
}

/// Which half of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    /// Turns a key of the left half into one of this side: mirrored, if this is the right side.
    #[inline]
    pub(super) fn key(self, key: u64) -> u64 {
        match self {
            Self::Left => key,
            Self::Right => key.rotate_left(32),
        }
    }
}

/// Squares of a quarter that queens on the middle row or the middle column attack, for odd n.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Closed {
    /// Falling diagonals, as bits c - i + h.
    pub falling: u64,
    /// Rising diagonals, as bits i + c.
    pub rising: u64,
    /// Columns of the middle row.
    pub middle_row: u32,
}

impl Closed {
    /// The falling diagonals as key bits of the lower left quarter.
    pub(super) fn diagonals(self, Sizes { h, .. }: Sizes) -> u64 {
        // Mirrored upside down, so the order of the diagonals is reversed, and they rise: they are in the high 32 bits.
        // The diagonal through the corner of the drawing is bit h here and bit h - 1 of these.
        (self.falling << (64 - 2 * h)).reverse_bits() << 32
    }
}

#[cfg(test)]
mod subsets_tests {
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

#[cfg(test)]
mod corner_tests {
    use super::*;

    #[test]
    fn keys_are_disjoint_exactly_if_queens_share_no_diagonal() {
        for n in 4..=9u32 {
            let h = n / 2;
            for (i, c, j, d) in
                (0..h.pow(4)).map(|x| (x % h, x / h % h, x / h / h % h, x / h.pow(3)))
            {
                let key = |corner: Corner, i, c| corner.key(Sizes::new(n), i, c);
                let top = key(Corner::Top, i, c);
                let below = key(Corner::Bottom, j, d);
                let share_diagonal = (n - 1 - j - i) == c.abs_diff(d);
                assert_eq!(top & below != 0, share_diagonal, "n = {n}: {i} {c} over {j} {d}");

                // The right half is the mirror image.
                let share_diagonal = (n - 1 - j - i) == n - 1 - d - c;
                let below_right = Side::Right.key(below);
                assert_eq!(top & below_right != 0, share_diagonal, "n = {n}: {i} {c} and {j} {d}");
                let right = Side::Right.key(key(Corner::Top, j, d));
                let share_diagonal = i.abs_diff(j) == n - 1 - d - c;
                assert_eq!(top & right != 0, share_diagonal, "n = {n}: {i} {c} beside {j} {d}");
            }
        }
    }
}
