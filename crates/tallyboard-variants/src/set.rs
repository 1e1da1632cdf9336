//! Sets of cells, or of other numbers below 256.

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
