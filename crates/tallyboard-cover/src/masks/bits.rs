//! Packing the bits under a mask, and unpacking them.

/// Copies `words` to the beginning of `target`: `copy_from_slice`, but inlined, for the reason that
/// `crates/tallyboard-base/src/array.rs` gives.
#[inline(always)]
pub fn copy_words(target: &mut [u64], words: &[u64]) {
    let target = &mut target[..words.len()];
    for i in 0..words.len() {
        target[i] = words[i];
    }
}

/// Steps that move the bits of a word under a mask to its low end (parallel suffix, as in Warren's *Hacker's Delight*). They are
/// used on CPUs without a fast instruction for it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extraction {
    mask: u64,
    /// The bits that step `i` moves down by 2^i.
    moved: [u64; 6],
}

impl Extraction {
    pub fn new(mask: u64) -> Self {
        let mut moved = [0; 6];
        let mut rest = mask;
        // The zeros of the mask below each bit that the earlier steps have not accounted for. A bit with an odd number of them
        // moves in this step.
        let mut zeros = !mask << 1;
        for (step, moved) in moved.iter_mut().enumerate() {
            // For each bit, the parity of the zeros at and below it.
            let mut parity = zeros;
            for shift in [1, 2, 4, 8, 16, 32] {
                parity ^= parity << shift;
            }
            *moved = parity & rest;
            rest = rest ^ *moved | *moved >> (1 << step);
            zeros &= !parity;
        }
        Self { mask, moved }
    }

    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "for the instruction"))]
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The number of bits under the mask.
    pub fn len(&self) -> u32 {
        self.mask.count_ones()
    }

    /// The bits of `word` under the mask, without gaps.
    #[inline(always)]
    pub fn extract(&self, word: u64) -> u64 {
        let mut bits = word & self.mask;
        for step in 0..6 {
            let moved = bits & self.moved[step];
            bits = bits ^ moved | moved >> (1 << step);
        }
        bits
    }

    /// The inverse of [`extract`](Self::extract): moves the lowest bits to the places under the mask.
    #[inline(always)]
    pub fn expand(&self, mut bits: u64) -> u64 {
        for step in (0..6).rev() {
            let moved = self.moved[step];
            bits = bits & !moved | bits << (1 << step) & moved;
        }
        bits & self.mask
    }
}

/// The bits of masks of several words in which live options can differ, packed into fewer words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Window {
    words: usize,
    /// Bits outside of the window that the union of the live options has.
    settled: [u64; super::MAX_WORDS],
    extractions: [Extraction; super::MAX_WORDS],
    /// The number of bits in the window of each word.
    lens: [u32; super::MAX_WORDS],
}

impl Window {
    /// The window of the bits in `kept`, without those in `settled`.
    pub fn new(kept: &[u64], settled: &[u64]) -> Self {
        let mut window = Self { words: kept.len(), ..Self::default() };
        copy_words(&mut window.settled, settled);
        for (i, &kept) in kept.iter().enumerate() {
            window.extractions[i] = Extraction::new(kept);
            window.lens[i] = window.extractions[i].len();
        }
        window
    }

    /// Writes the bits of `mask` in the window to `narrow`, which is zero.
    pub fn extract(&self, mask: &[u64], narrow: &mut [u64]) {
        self.extract_by(mask, narrow, Extraction::extract);
    }

    /// As [`extract`](Self::extract), with a function that extracts the bits of a word.
    #[inline(always)]
    pub fn extract_by(
        &self,
        mask: &[u64],
        narrow: &mut [u64],
        extract: impl Fn(&Extraction, u64) -> u64,
    ) {
        let mut place = 0;
        let mut i = 0;
        while i < mask.len() {
            let bits = extract(&self.extractions[i], mask[i]);
            let len = self.lens[i];
            let (word, shift) = (place / 64, place % 64);
            if len > 0 {
                narrow[word as usize] |= bits << shift;
                if shift + len > 64 {
                    narrow[word as usize + 1] |= bits >> (64 - shift);
                }
            }
            place += len;
            i += 1;
        }
    }

    /// The union of options whose bits in the window are `narrow`.
    pub fn expand(&self, narrow: &[u64; super::MAX_WORDS]) -> [u64; super::MAX_WORDS] {
        let mut mask = [0; super::MAX_WORDS];
        let mut place = 0;
        for i in 0..self.words {
            let len = self.lens[i];
            let (word, shift) = (place / 64, place % 64);
            if len > 0 {
                let mut bits = narrow[word as usize] >> shift;
                if shift + len > 64 {
                    bits |= narrow[word as usize + 1] << (64 - shift);
                }
                // Bits of later words are above the `len` bits of this one.
                let bits = if len < 64 { bits & ((1 << len) - 1) } else { bits };
                mask[i] = self.extractions[i].expand(bits);
            }
            mask[i] |= self.settled[i];
            place += len;
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    fn extracted_bit_by_bit(word: u64, mask: u64) -> u64 {
        let mut bits = 0;
        let under_mask = (0..64).filter(|bit| mask >> bit & 1 == 1);
        for (len, bit) in under_mask.enumerate() {
            bits |= (word >> bit & 1) << len;
        }
        bits
    }

    #[test]
    fn extracted_bits_are_those_under_the_mask() {
        for i in 0..10_000 {
            let word = mix(i);
            let mask = match i % 5 {
                0 => mix(!i),
                1 => mix(!i) & mix(i << 20),
                2 => mix(!i) | mix(i << 20),
                3 => u64::MAX << (i % 64),
                _ => u64::MAX >> (i % 64),
            };
            let extraction = Extraction::new(mask);
            let bits = extraction.extract(word);
            assert_eq!(bits, extracted_bit_by_bit(word, mask), "{mask:x}");
            assert_eq!(extraction.expand(bits), word & mask, "{mask:x}");
        }
    }

    #[test]
    fn a_window_gives_back_what_was_in_it() {
        for i in 0..1_000_u64 {
            let kept: Vec<u64> =
                (0..4).map(|word| mix(i * 16 + word) & mix(i * 16 + word + 8)).collect();
            let mask: Vec<u64> =
                (0..4).map(|word| mix(!(i * 16 + word)) & kept[word as usize]).collect();
            let settled: Vec<u64> =
                (0..4).map(|word| mix(i * 32 + word) & !kept[word as usize]).collect();
            let mut narrow = [0; super::super::MAX_WORDS];
            let window = Window::new(&kept, &settled);
            window.extract(&mask, &mut narrow);
            let union: Vec<u64> =
                mask.iter().zip(&settled).map(|(mask, bits)| mask | bits).collect();
            assert_eq!(&window.expand(&narrow)[..4], union);
        }
    }
}
