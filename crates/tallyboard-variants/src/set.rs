//! Sets of cells, or of other numbers below 256.

use tallyboard_base::array::array;
use tallyboard_base::bits::bits;

/// A set of numbers below 256: number `n` is bit `n % 64` of word `n / 64`.
pub(crate) type Set256 = [u64; 4];

pub(crate) fn insert(set: &mut Set256, member: usize) {
    set[member / 64] |= 1 << (member % 64);
}

pub(crate) fn contains(set: &Set256, member: usize) -> bool {
    set[member / 64] >> (member % 64) & 1 == 1
}

/// The set of these cells.
pub(crate) fn set_of(cells: impl Iterator<Item = u16>) -> Set256 {
    let mut set = [0; 4];
    cells.for_each(|cell| insert(&mut set, cell.into()));
    set
}

/// The members in ascending order.
pub(crate) fn members(set: &Set256) -> impl Iterator<Item = u16> {
    let words = set.iter().enumerate();
    words.flat_map(|(number, &word)| {
        bits(word).map(move |bit| (64 * number) as u16 + bit.trailing_zeros() as u16)
    })
}

pub(crate) fn is_empty(set: &Set256) -> bool {
    *set == [0; 4]
}

/// The set without the members of `other`.
pub(crate) fn minus(set: &Set256, other: &Set256) -> Set256 {
    array(|number| set[number] & !other[number])
}

/// The members of any of these sets.
pub(crate) fn union<'a>(sets: impl Iterator<Item = &'a Set256>) -> Set256 {
    sets.fold([0; 4], |all, set| array(|number| all[number] | set[number]))
}
