//! A node of the search: the cells that may hold each value, as bits of a word: 64 bits for grids up to 8 × 8, 128 for 9 × 9,
//! 256 for larger ones.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOrAssign, BitXorAssign};

use crate::set::Set256;

/// A set of cells.
pub(crate) trait Cells:
    Copy
    + Debug
    + PartialEq
    + BitAnd<Output = Self>
    + BitOrAssign
    + BitXorAssign
    + Send
    + Sync
    + 'static
{
    /// A set of values for each cell.
    type Sets: Copy + Debug + AsRef<[u16]> + AsMut<[u16]> + Send + Sync;

    /// No cell.
    const EMPTY: Self;

    /// No value for each cell.
    const NO_SETS: Self::Sets;

    /// One cell.
    fn one(cell: usize) -> Self;

    /// The set with the members of `set`, which all fit in this type.
    fn from_wide(set: &Set256) -> Self;

    fn is_empty(self) -> bool;

    /// Whether the set, which is not empty, has one cell.
    fn is_one(self) -> bool {
        self.without_first().is_empty()
    }

    /// The first cell of a set that is not empty.
    fn first(self) -> usize;

    fn without_first(self) -> Self;

    /// The number of cells.
    fn count(self) -> u32;

    /// 1 if the cell is in the set, or else 0. The caller shifts it into a set of candidates, which has 16 bits.
    fn bit(self, cell: usize) -> u16;

    /// The set without the cells of `other`.
    fn minus(self, other: Self) -> Self;
}

macro_rules! cells_in_an_integer {
    ($integer:ty) => {
        impl Cells for $integer {
            type Sets = [u16; <$integer>::BITS as usize];

            const EMPTY: Self = 0;

            const NO_SETS: Self::Sets = [0; <$integer>::BITS as usize];

            #[inline(always)]
            fn one(cell: usize) -> Self {
                1 << cell
            }

            fn from_wide(wide: &Set256) -> Self {
                let word = |number: usize| wide[number] as $integer;
                let words = (<$integer>::BITS / 64) as usize;
                (0..words).fold(0, |set, number| set | word(number) << (64 * number))
            }

            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn bit(self, cell: usize) -> u16 {
                (self >> cell) as u16 & 1
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self & !other
            }
        }
    };
}

cells_in_an_integer!(u64);
cells_in_an_integer!(u128);

/// A set of up to 256 cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cells256(Set256);

impl Cells256 {
    #[inline(always)]
    fn combined(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for number in 0..4 {
            words[number] = combine(words[number], other.0[number]);
        }
        Self(words)
    }
}

impl BitAnd for Cells256 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.combined(other, |a, b| a & b)
    }
}

impl BitOrAssign for Cells256 {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = self.combined(other, |a, b| a | b);
    }
}

impl BitXorAssign for Cells256 {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = self.combined(other, |a, b| a ^ b);
    }
}

impl Cells for Cells256 {
    type Sets = [u16; 256];

    const EMPTY: Self = Self([0; 4]);

    const NO_SETS: Self::Sets = [0; 256];

    #[inline(always)]
    fn one(cell: usize) -> Self {
        let mut words = [0; 4];
        // `% 4` changes nothing: it spares a bounds check.
        words[cell / 64 % 4] = 1 << (cell % 64);
        Self(words)
    }

    fn from_wide(wide: &Set256) -> Self {
        Self(*wide)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    #[inline(always)]
    fn first(self) -> usize {
        for number in 0..3 {
            if self.0[number] != 0 {
                return 64 * number + self.0[number].trailing_zeros() as usize;
            }
        }
        192 + self.0[3].trailing_zeros() as usize
    }

    #[inline(always)]
    fn without_first(self) -> Self {
        let mut words = self.0;
        for word in &mut words {
            if *word != 0 {
                *word &= *word - 1;
                break;
            }
        }
        Self(words)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn bit(self, cell: usize) -> u16 {
        // `% 4` as in `one`.
        (self.0[cell / 64 % 4] >> (cell % 64)) as u16 & 1
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.combined(other, |a, b| a & !b)
    }
}

/// The candidates of a grid, value by value and cell by cell, and the rules that are due: that have to be applied again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State<C: Cells, const VALUES: usize> {
    /// The cells that may hold each value.
    pub boards: [C; VALUES],
    /// For each value, the houses in which it is not placed: bit `h` is house `h`.
    pub open_houses: [u128; VALUES],
    /// The cells whose only candidate was removed from their peers.
    pub placed: C,
    /// The cells that lost candidates: their relations are due.
    pub changed: C,
    /// The clues that are due, numbered as in [`CompiledRules::clues_of`](super::propagate::CompiledRules::clues_of).
    pub due_clues: Set256,
    /// The values for which hidden singles are due: bit 0 is value 1.
    pub due_for_hidden: u16,
    /// The values for which locked candidates are due.
    pub due_for_locked: u16,
    /// The candidates cell by cell: bit 0 is value 1. Clues ask for them more often than they change.
    pub sets: C::Sets,
}

impl<C: Cells, const VALUES: usize> State<C, VALUES> {
    /// Removes a value from the candidates of `cells`.
    #[inline(always)]
    pub fn remove(&mut self, value: usize, cells: C) {
        self.remove_each(value, cells, |_| {});
    }

    /// Removes a value from the candidates of `cells`, and tells each of them that had it.
    #[inline(always)]
    pub fn remove_each(&mut self, value: usize, cells: C, mut each: impl FnMut(usize)) {
        let mut removed = self.boards[value] & cells;
        if removed.is_empty() {
            return;
        }
        self.boards[value] ^= removed;
        self.changed |= removed;
        self.due_for_hidden |= 1 << value;
        while !removed.is_empty() {
            let cell = removed.first();
            removed = removed.without_first();
            self.sets.as_mut()[cell] &= !(1 << value);
            each(cell);
        }
    }

    /// The candidates of a cell: bit 0 is value 1.
    #[inline(always)]
    pub fn candidates(&self, cell: usize) -> u16 {
        self.sets.as_ref()[cell]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::insert;

    fn check<C: Cells>(members: &[usize]) {
        let mut wide = [0; 4];
        members.iter().for_each(|&member| insert(&mut wide, member));
        let mut set = C::from_wide(&wide);
        let mut again = C::EMPTY;
        for &member in members {
            assert!(!set.is_empty());
            assert_eq!(set.first(), member);
            assert_eq!(set.bit(member), 1);
            assert_eq!(set.is_one(), member == *members.last().unwrap());
            again |= C::one(member);
            set = set.without_first();
        }
        assert!(set.is_empty());
        assert!(again == C::from_wide(&wide) && again.minus(again) == C::EMPTY);
        again ^= C::one(members[0]);
        assert_eq!(again.bit(members[0]), 0);
    }

    #[test]
    fn sets_of_every_width_hold_their_members() {
        check::<u64>(&[0, 1, 35, 63]);
        check::<u128>(&[0, 63, 64, 80, 127]);
        check::<Cells256>(&[0, 63, 64, 127, 128, 143, 191, 192, 255]);
    }
}
