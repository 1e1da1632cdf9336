//! Sets of up to 256 cells or clues, whatever the size of the grid.

/// A set of up to 256 cells or clues as bits.
pub(crate) type Wide = [u64; 4];

pub(crate) fn insert(set: &mut Wide, member: usize) {
    set[member / 64] |= 1 << (member % 64);
}

pub(crate) fn contains(set: &Wide, member: usize) -> bool {
    set[member / 64] >> (member % 64) & 1 == 1
}

pub(crate) fn remove(set: &mut Wide, member: usize) {
    set[member / 64] &= !(1 << (member % 64));
}
