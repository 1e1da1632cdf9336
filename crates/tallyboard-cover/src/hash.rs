//! A fast hash for problems, names and masks. It need not withstand an attacker: keys with equal hashes make a table slow, but
//! not wrong.

/// 2^64 divided by the golden ratio, rounded to an odd number.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of what is added to it.
#[derive(Debug, Default)]
pub(crate) struct Hash(pub u64);

impl Hash {
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        let last = rest.iter().fold(0, |last, &byte| last << 8 | u64::from(byte));
        self.add(last ^ (bytes.len() as u64) << 56);
    }

    pub fn add(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
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
