//! Sets as the bits of a word.

use std::ops::{BitAnd, BitXor, Sub};

/// The members of a set as words with one bit each, lowest first.
#[inline]
pub fn bits<M>(mut set: M) -> impl Iterator<Item = M>
where
    M: Copy + PartialEq + From<u8> + Sub<Output = M> + BitAnd<Output = M> + BitXor<Output = M>,
{
    std::iter::from_fn(move || {
        if set == M::from(0) {
            return None;
        }
        let others = set & (set - M::from(1));
        let lowest = set ^ others;
        set = others;
        Some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn the_members_of_a_set_are_its_bits_from_the_lowest_on() {
        assert_eq!(bits(0u16).next(), None);
        assert_eq!(bits(0b1010_0001u32).collect::<Vec<_>>(), [1, 32, 128]);
        assert_eq!(bits(1 << 63 | 4u64).collect::<Vec<_>>(), [4, 1 << 63]);
        assert_eq!(bits(u16::MAX).count(), 16);
    }
}
