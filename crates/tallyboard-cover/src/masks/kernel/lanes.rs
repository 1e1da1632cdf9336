//! The operations on vectors of masks that the search uses.

use crate::masks::bits::Extraction;

/// A vector of `N` words: the same word of the masks of `N` options.
///
/// The first values are made by [`splat`](Self::splat) or [`load`](Self::load), which are unsafe because the CPU has to have the
/// instructions. Arithmetic is safe, because values exist only on such a CPU.
pub trait Lanes: Copy {
    /// Proof of the instructions.
    type Proof: Copy;
    /// One truth value for each lane.
    type Mask: Copy;
    /// Options in a vector.
    const N: usize;
    /// The number of halvings from `N` lanes to one.
    const STAGES: usize;

    /// `word` in every lane.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation.
    unsafe fn splat(word: u64) -> Self;
    /// Reads `N` words.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation; `from` is valid for `N` words.
    unsafe fn load(from: *const u64) -> Self;
    /// Writes `N` words.
    ///
    /// # Safety
    /// `to` is valid for `N` words.
    unsafe fn store(self, to: *mut u64);
    /// Writes the words of the lanes in `mask` without gaps, and arbitrary words after them: at most `N` words in
    /// all.
    ///
    /// # Safety
    /// `to` is valid for `N` words.
    unsafe fn squeeze(self, mask: Self::Mask, to: *mut u64);
    /// The first `count` lanes, or all if there are no more.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation.
    unsafe fn first(count: usize) -> Self::Mask;

    /// `self | other`
    fn or(self, other: Self) -> Self;
    /// `self & other`
    fn and(self, other: Self) -> Self;
    /// `self ^ other`
    fn xor(self, other: Self) -> Self;
    /// `self | (b & c)`
    fn or_and(self, b: Self, c: Self) -> Self;
    /// `self ^ b ^ c`
    fn xor3(self, b: Self, c: Self) -> Self;
    /// The bits in at least two of `self`, `b` and `c`.
    fn majority(self, b: Self, c: Self) -> Self;
    /// The words of the lanes in `mask`, and zeros elsewhere.
    fn keep(self, mask: Self::Mask) -> Self;
    /// The lanes that are zero.
    fn zeros(self) -> Self::Mask;
    /// The lanes in both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each lane, the first one lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// Two vectors whose sum has in half of its lanes the sums of two lanes of `a` each, and in the other half those of `b`. So
    /// the two stages of AVX2 make one vector out of four, in which each lane is the sum of all lanes of one of the four:
    ///
    /// ```text
    /// stage 0   a0 a1 b0 b1 + a2 a3 b2 b3 = a02 a13 b02 b13       likewise c02 c13 d02 d13
    /// stage 1   a02 c02 b02 d02 + a13 c13 b13 d13 = a c b d
    /// ```
    fn fold<const STAGE: usize>(a: Self, b: Self) -> (Self, Self);
    /// A vector whose sum with this one is that of [`fold`](Self::fold) of this vector with itself. It may be used in place of
    /// `fold` in all stages, or in the last one only.
    fn other_half<const STAGE: usize>(self) -> Self;

    /// The bits of `word` under the mask of `extraction`, without gaps.
    #[inline(always)]
    fn extract(extraction: &Extraction, word: u64, _proof: Self::Proof) -> u64 {
        extraction.extract(word)
    }

    /// The vector and the lane that have the sum of word `word` after all stages.
    fn place(word: usize) -> (usize, usize);
    /// Counts covers of masks of `words` words, in a function compiled for these instructions.
    fn count(
        proof: Self::Proof,
        words: usize,
        job: super::job::Job<'_>,
        budget: &mut tallyboard_search::NodeBudget<'_>,
    ) -> Result<u128, tallyboard_search::Halt>;
}

/// Whether no bit is set.
#[inline(always)]
pub fn is_zero<const W: usize>(mask: &[u64; W]) -> bool {
    let mut any = 0;
    for i in 0..W {
        any |= mask[i];
    }
    any == 0
}
