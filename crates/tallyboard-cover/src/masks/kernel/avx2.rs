//! 256-bit lanes: four options at a time.
//!
//! Departures from the arithmetic of [`super::portable`]:
//!
//! 1. AVX2 has no instruction to move the words of some lanes together. A table has the permutation for each of the
//!    sixteen masks.
//! 2. Masks are vectors of all-ones or zero lanes until the table or a count needs their bits.

use std::arch::x86_64::*;

use crate::masks::bits::Extraction;

use super::{Job, Lanes, compile_kernel, search};
use tallyboard_base::cpu::{Avx2, avx2, operations};
use tallyboard_search::{Halt, NodeBudget};

compile_kernel!(avx2, Avx2, Words, count, look);

#[derive(Clone, Copy)]
struct Words(__m256i);

/// For each mask of four lanes, its lanes first, as pairs of 32-bit lanes.
static ORDER: [[u32; 8]; 16] = {
    let mut order = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut lane = 0;
        let mut kept = 0;
        while lane < 4 {
            if mask >> lane & 1 == 1 {
                order[mask][2 * kept] = 2 * lane;
                order[mask][2 * kept + 1] = 2 * lane + 1;
                kept += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    order
};

/// Four lanes from place `4 - n` on are the mask of the first `n` lanes.
static FIRST: [u64; 8] = [u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0, 0, 0, 0];

impl Lanes for Words {
    type Proof = Avx2;
    type Mask = __m256i;
    const N: usize = 4;
    const STAGES: usize = 2;

    operations! {
        unsafe {
            fn splat(word: u64) -> Self = Self(_mm256_set1_epi64x(word as i64));
            fn load(from: *const u64) -> Self = Self(_mm256_loadu_si256(from.cast()));
            fn store(self, to: *mut u64) = _mm256_storeu_si256(to.cast(), self.0);
            fn squeeze(self, mask: __m256i, to: *mut u64) = {
                let order = _mm256_loadu_si256(ORDER[Self::bits(mask) as usize].as_ptr().cast());
                _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(self.0, order));
            };
            fn first(count: usize) -> __m256i =
                _mm256_loadu_si256(FIRST.as_ptr().add(4 - count.min(4)).cast());
        }

        fn or(self, other: Self) -> Self = Self(_mm256_or_si256(self.0, other.0));
        fn and(self, other: Self) -> Self = Self(_mm256_and_si256(self.0, other.0));
        fn xor(self, other: Self) -> Self = Self(_mm256_xor_si256(self.0, other.0));
        fn or_and(self, b: Self, c: Self) -> Self = self.or(b.and(c));
        fn xor3(self, b: Self, c: Self) -> Self = self.xor(b).xor(c);
        fn majority(self, b: Self, c: Self) -> Self = self.and(b).or(self.xor(b).and(c));
        fn keep(self, mask: __m256i) -> Self = Self(_mm256_and_si256(self.0, mask));
        fn zeros(self) -> __m256i = _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256());
        fn both(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        fn bits(mask: __m256i) -> u32 = _mm256_movemask_pd(_mm256_castsi256_pd(mask)) as u32;
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn fold<const STAGE: usize>(a: Self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists, so the CPU has the instructions.
        unsafe {
            match STAGE {
                0 => (
                    Self(_mm256_permute2x128_si256::<0x20>(a.0, b.0)),
                    Self(_mm256_permute2x128_si256::<0x31>(a.0, b.0)),
                ),
                _ => (Self(_mm256_unpacklo_epi64(a.0, b.0)), Self(_mm256_unpackhi_epi64(a.0, b.0))),
            }
        }
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn other_half<const STAGE: usize>(self) -> Self {
        // SAFETY: a vector exists, so the CPU has the instructions.
        unsafe {
            match STAGE {
                0 => Self(_mm256_permute2x128_si256::<0x01>(self.0, self.0)),
                _ => Self(_mm256_shuffle_epi32::<0x4e>(self.0)),
            }
        }
    }

    #[inline(always)]
    fn extract(extraction: &Extraction, word: u64, _: Avx2) -> u64 {
        // SAFETY: the proof says that the CPU has BMI2. It packs a mask in a fifth of the steps.
        unsafe { _pext_u64(word, extraction.mask()) }
    }

    /// A vector has words 0, 2, 1, 3: stage 0 puts words into halves, stage 1 into every second lane.
    #[inline(always)]
    fn place(word: usize) -> (usize, usize) {
        (word >> 2, 2 * (word & 1) + (word >> 1 & 1))
    }

    #[inline(always)]
    fn count(
        proof: Avx2,
        words: usize,
        job: Job<'_>,
        budget: &mut NodeBudget<'_>,
    ) -> Result<u128, Halt> {
        count(proof, words, job, budget)
    }
}
