//! A fast hash for problems, names and masks. It need not withstand an attacker: keys with equal hashes make a table slow, but
//! not wrong.

use std::hash::Hasher;

/// 2^64 divided by the golden ratio, rounded to an odd number.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of what is written to it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.write_u64(u64::from_le_bytes(word.try_into().expect("a chunk has 8 bytes")));
        }
        let mut last = 0;
        for &byte in words.remainder() {
            last = last << 8 | u64::from(byte);
        }
        self.write_u64(last ^ (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 = self.0.rotate_left(8) ^ u64::from(byte);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Spreads each bit of `word` over all bits.
#[inline(always)]
pub(crate) fn mix(word: u64) -> u64 {
    let wide = u128::from(word ^ MULTIPLIER) * u128::from(MULTIPLIER);
    (wide as u64) ^ (wide >> 64) as u64
}

/// The hash of a mask of several words.
#[inline(always)]
pub(crate) fn hash_words(words: &[u64]) -> u64 {
    let mut hash = 0;
    for i in 0..words.len() {
        hash = mix(hash ^ words[i]);
    }
    hash
}
