//! 512-bit lanes: eight options at a time.
//!
//! Departures from the arithmetic of [`super::portable`]:
//!
//! 1. One instruction packs the words of the lanes in a mask, and another one stores them. (The one that does both is
//!    far slower.)
//! 2. Any function of three inputs is one instruction.
//! 3. Comparisons give mask registers.

use std::arch::x86_64::*;

use crate::masks::bits::Extraction;

use super::{Job, Lanes, compile_kernel, search};
use tallyboard_base::cpu::{Avx512, avx512, operations};
use tallyboard_search::{Halt, NodeBudget};

compile_kernel!(avx512, Avx512, Words, count, look);

#[derive(Clone, Copy)]
struct Words(__m512i);

impl Lanes for Words {
    type Proof = Avx512;
    type Mask = u8;
    const N: usize = 8;
    const STAGES: usize = 3;

    operations! {
        unsafe {
            fn splat(word: u64) -> Self = Self(_mm512_set1_epi64(word as i64));
            fn load(from: *const u64) -> Self = Self(_mm512_loadu_si512(from.cast()));
            fn store(self, to: *mut u64) = _mm512_storeu_si512(to.cast(), self.0);
            fn squeeze(self, mask: u8, to: *mut u64) =
                _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi64(mask, self.0));
            fn first(count: usize) -> u8 = (0xff_u32 >> (8 - count.min(8))) as u8;
        }

        fn or(self, other: Self) -> Self = Self(_mm512_or_si512(self.0, other.0));
        fn and(self, other: Self) -> Self = Self(_mm512_and_si512(self.0, other.0));
        fn xor(self, other: Self) -> Self = Self(_mm512_xor_si512(self.0, other.0));
        fn or_and(self, b: Self, c: Self) -> Self =
            Self(_mm512_ternarylogic_epi64::<0xf8>(self.0, b.0, c.0));
        fn xor3(self, b: Self, c: Self) -> Self =
            Self(_mm512_ternarylogic_epi64::<0x96>(self.0, b.0, c.0));
        fn majority(self, b: Self, c: Self) -> Self =
            Self(_mm512_ternarylogic_epi64::<0xe8>(self.0, b.0, c.0));
        fn keep(self, mask: u8) -> Self = Self(_mm512_maskz_mov_epi64(mask, self.0));
        fn zeros(self) -> u8 = _mm512_testn_epi64_mask(self.0, self.0);
        fn both(a: u8, b: u8) -> u8 = a & b;
        fn bits(mask: u8) -> u32 = mask.into();
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn fold<const STAGE: usize>(a: Self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists, so the CPU has the instructions.
        unsafe {
            match STAGE {
                0 => (
                    Self(_mm512_shuffle_i64x2::<0x44>(a.0, b.0)),
                    Self(_mm512_shuffle_i64x2::<0xee>(a.0, b.0)),
                ),
                1 => (
                    Self(_mm512_shuffle_i64x2::<0x88>(a.0, b.0)),
                    Self(_mm512_shuffle_i64x2::<0xdd>(a.0, b.0)),
                ),
                _ => (Self(_mm512_unpacklo_epi64(a.0, b.0)), Self(_mm512_unpackhi_epi64(a.0, b.0))),
            }
        }
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn other_half<const STAGE: usize>(self) -> Self {
        // SAFETY: a vector exists, so the CPU has the instructions.
        unsafe {
            match STAGE {
                0 => Self(_mm512_shuffle_i64x2::<0x4e>(self.0, self.0)),
                1 => Self(_mm512_shuffle_i64x2::<0xb1>(self.0, self.0)),
                _ => Self(_mm512_shuffle_epi32::<0x4e>(self.0)),
            }
        }
    }

    #[inline(always)]
    fn extract(extraction: &Extraction, word: u64, _: Avx512) -> u64 {
        // SAFETY: the proof says that the CPU has BMI2. It packs a mask in a fifth of the steps.
        unsafe { _pext_u64(word, extraction.mask()) }
    }

    /// The vector has words 0, 4, 1, 5, 2, 6, 3, 7: stages 0 and 1 put words into halves and quarters in their order,
    /// stage 2 into every second lane. There are at most eight words.
    #[inline(always)]
    fn place(word: usize) -> (usize, usize) {
        (0, 2 * (word & 3) + (word >> 2))
    }

    #[inline(always)]
    fn count(
        proof: Avx512,
        words: usize,
        job: Job<'_>,
        budget: &mut NodeBudget<'_>,
    ) -> Result<u128, Halt> {
        count(proof, words, job, budget)
    }
}
