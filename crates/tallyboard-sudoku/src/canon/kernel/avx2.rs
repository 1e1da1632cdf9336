//! Vectors in registers of 128 bits, with the instructions of AVX2.

use std::arch::x86_64::*;

use super::{Vectors, search};
use crate::Grid;
use tallyboard_base::cpu::{Avx2, avx2, operations};

/// The operations by AVX2, and proof that this CPU has it.
#[derive(Clone, Copy)]
pub(super) struct Registers(());

impl Registers {
    pub(super) fn new(_: Avx2) -> Self {
        Self(())
    }
}

avx2! {
    pub fn canonical(registers: Registers, grid: &Grid) -> Grid {
        search(registers, grid)
    }
}

impl Vectors for Registers {
    type V = __m128i;

    // Vectors are first made by the two methods that take `self`, which exists only if the CPU has these instructions.
    operations! {
        unsafe {}
        fn load(self, bytes: &[u8; 16]) -> __m128i = _mm_loadu_si128(bytes.as_ptr().cast());
        fn of(self, low: u64, high: u64) -> __m128i = _mm_set_epi64x(high as i64, low as i64);
        fn bytes(vector: __m128i) -> [u8; 16] = std::mem::transmute::<__m128i, [u8; 16]>(vector);
        fn lookup(table: __m128i, at: __m128i) -> __m128i = _mm_shuffle_epi8(table, at);
        fn and(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        fn or(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        fn min_bytes(a: __m128i, b: __m128i) -> __m128i = _mm_min_epu8(a, b);
        fn max_bytes(a: __m128i, b: __m128i) -> __m128i = _mm_max_epu8(a, b);
        fn equal_bytes(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi8(a, b);
        fn select(mask: __m128i, a: __m128i, b: __m128i) -> __m128i = _mm_blendv_epi8(a, b, mask);
        fn top_bits(vector: __m128i) -> u16 = _mm_movemask_epi8(vector) as u16;
        fn min_words(a: __m128i, b: __m128i) -> __m128i = _mm_min_epu16(a, b);
        fn max_words(a: __m128i, b: __m128i) -> __m128i = _mm_max_epu16(a, b);
        fn equal_words(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi16(a, b);
        fn left(vector: __m128i) -> __m128i = _mm_slli_epi16::<4>(vector);
        fn right(vector: __m128i) -> __m128i = _mm_srli_epi16::<4>(vector);
        fn least_word(vector: __m128i) -> u16 = _mm_extract_epi16::<0>(_mm_minpos_epu16(vector)) as u16;
    }
}
