//! Vectors as arrays of bytes.

use super::Vectors;
use tallyboard_base::array::array;

/// The operations by plain arithmetic.
#[derive(Clone, Copy)]
pub(super) struct Arrays;

type Bytes = [u8; 16];

/// A word of a vector.
#[inline(always)]
fn word(bytes: Bytes, at: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]])
}

/// A vector of eight words.
#[inline(always)]
fn of_words(word: impl Fn(usize) -> u16) -> Bytes {
    array(|at| word(at / 2).to_le_bytes()[at % 2])
}

impl Vectors for Arrays {
    type V = Bytes;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> Bytes {
        *bytes
    }

    #[inline(always)]
    fn of(self, low: u64, high: u64) -> Bytes {
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
    }

    #[inline(always)]
    fn bytes(vector: Bytes) -> Bytes {
        vector
    }

    #[inline(always)]
    fn lookup(table: Bytes, at: Bytes) -> Bytes {
        array(|byte| table[usize::from(at[byte] & 15)])
    }

    #[inline(always)]
    fn and(a: Bytes, b: Bytes) -> Bytes {
        array(|byte| a[byte] & b[byte])
    }

    #[inline(always)]
    fn or(a: Bytes, b: Bytes) -> Bytes {
        array(|byte| a[byte] | b[byte])
    }

    #[inline(always)]
    fn min_bytes(a: Bytes, b: Bytes) -> Bytes {
        array(|byte| a[byte].min(b[byte]))
    }

    #[inline(always)]
    fn max_bytes(a: Bytes, b: Bytes) -> Bytes {
        array(|byte| a[byte].max(b[byte]))
    }

    #[inline(always)]
    fn equal_bytes(a: Bytes, b: Bytes) -> Bytes {
        array(|byte| if a[byte] == b[byte] { u8::MAX } else { 0 })
    }

    #[inline(always)]
    fn select(mask: Bytes, a: Bytes, b: Bytes) -> Bytes {
        array(|byte| a[byte] & !mask[byte] | b[byte] & mask[byte])
    }

    #[inline(always)]
    fn top_bits(vector: Bytes) -> u16 {
        let mut bits = 0;
        for byte in 0..16 {
            bits |= u16::from(vector[byte] >> 7) << byte;
        }
        bits
    }

    #[inline(always)]
    fn min_words(a: Bytes, b: Bytes) -> Bytes {
        of_words(|at| word(a, at).min(word(b, at)))
    }

    #[inline(always)]
    fn max_words(a: Bytes, b: Bytes) -> Bytes {
        of_words(|at| word(a, at).max(word(b, at)))
    }

    #[inline(always)]
    fn equal_words(a: Bytes, b: Bytes) -> Bytes {
        of_words(|at| if word(a, at) == word(b, at) { u16::MAX } else { 0 })
    }

    #[inline(always)]
    fn left(vector: Bytes) -> Bytes {
        of_words(|at| word(vector, at) << 4)
    }

    #[inline(always)]
    fn right(vector: Bytes) -> Bytes {
        of_words(|at| word(vector, at) >> 4)
    }

    #[inline(always)]
    fn least_word(vector: Bytes) -> u16 {
        let mut least = u16::MAX;
        for at in 0..8 {
            least = least.min(word(vector, at));
        }
        least
    }
}
