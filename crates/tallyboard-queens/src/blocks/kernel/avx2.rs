//! 256-bit lanes: 16 nodes of 16 bits, or 8 nodes of 32 bits.
//!
//! Departures from the arithmetic of [`super::portable`]:
//!
//! 1. AVX2 has no instruction to compress. A table has, for each of the 256 masks of eight lanes, the
//!    permutation that moves the lanes of the mask to the front.
//! 2. Sixteen words of 16 bits are squeezed as two halves of eight. The second half is written behind
//!    the lanes of the first.
//! 3. Masks are vectors of all-ones or zero lanes until a table or a count needs their bits.

use std::arch::x86_64::*;

use super::batch;
use super::nodes::{Lanes, StackMemory, Start};
use super::trail::Uses;
use crate::pack::{ORDER16, ORDER32};
use tallyboard_base::cpu::{Avx2, avx2, operations};
use tallyboard_search::{Stop, Stopped};

pub(super) fn count(
    proof: Avx2,
    start: &Start,
    memory: &mut StackMemory,
    uses: Option<&mut Uses>,
    stop: &Stop,
) -> Result<u64, Stopped> {
    if start.fits_16_bits() {
        count16(proof, start, memory, uses, stop)
    } else {
        count32(proof, start, memory, uses, stop)
    }
}

avx2! {
    fn count16(
        start: &Start,
        memory: &mut StackMemory,
        uses: Option<&mut Uses>,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        // SAFETY: this function is compiled for these instructions; `count` has checked that the start fits.
        unsafe { batch::count::<Words16>(start, memory, uses, stop) }
    }

    fn count32(
        start: &Start,
        memory: &mut StackMemory,
        uses: Option<&mut Uses>,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        // SAFETY: this function is compiled for these instructions; every start fits 32 bits.
        unsafe { batch::count::<Words32>(start, memory, uses, stop) }
    }
}

#[derive(Clone, Copy)]
struct Words16(__m256i);

#[derive(Clone, Copy)]
struct Words32(__m256i);

/// The two widths differ by the names of the instructions, and by how they shift and squeeze.
macro_rules! lanes {
    ($name:ident, $word:ty, $distance:ty, $set1:ident, $add:ident, $times:ident, $equal:ident, $shl:ident,
     $shr:ident, $distance_of:expr, $squeeze:expr) => {
        impl Lanes for $name {
            type Word = $word;
            type Distance = $distance;
            type Mask = __m256i;
            const N: usize = 32 / size_of::<$word>();
            const BATCH: usize = 1024 / size_of::<$word>();

            operations! {
                unsafe {
                    fn splat(value: u32) -> Self = Self($set1(value as _));
                    fn load(from: *const $word) -> Self = Self(_mm256_loadu_si256(from.cast()));
                    fn store(self, to: *mut $word) = _mm256_storeu_si256(to.cast(), self.0);
                    fn squeeze(mask: __m256i, parts: [Self; 4], to: [*mut $word; 4]) -> usize =
                        $squeeze(mask, parts, to);
                    fn distance(distance: u32) -> $distance = $distance_of(distance);
                }

                fn up(self, distance: $distance) -> Self = Self($shl(self.0, distance));
                fn down(self, distance: $distance) -> Self = Self($shr(self.0, distance));
                fn or(self, other: Self) -> Self = Self(_mm256_or_si256(self.0, other.0));
                fn and(self, other: Self) -> Self = Self(_mm256_and_si256(self.0, other.0));
                fn xor(self, other: Self) -> Self = Self(_mm256_xor_si256(self.0, other.0));
                fn or_and(self, b: Self, c: Self) -> Self = self.or(b.and(c));
                fn nor(self, b: Self, c: Self) -> Self =
                    Self(_mm256_xor_si256(self.or(b).or(c).0, $set1(-1)));
                fn times(self, other: Self) -> Self = Self($times(self.0, other.0));
                fn without_lowest(self) -> Self =
                    Self(_mm256_and_si256(self.0, $add(self.0, $set1(-1))));

                fn meets(self, other: Self) -> __m256i =
                    _mm256_xor_si256($equal(self.and(other).0, _mm256_setzero_si256()), $set1(-1));
                fn equals(self, other: Self) -> __m256i = $equal(self.0, other.0);
                fn both(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
                fn but_not(a: __m256i, b: __m256i) -> __m256i = _mm256_andnot_si256(b, a);
                fn lanes(mask: __m256i) -> u64 = {
                    let bytes = _mm256_movemask_epi8(mask).count_ones();
                    u64::from(bytes) / size_of::<$word>() as u64
                };
            }
        }
    };
}

lanes!(
    Words16,
    u16,
    __m128i,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_mullo_epi16,
    _mm256_cmpeq_epi16,
    _mm256_sll_epi16,
    _mm256_srl_epi16,
    distance16,
    squeeze16
);
lanes!(
    Words32,
    u32,
    __m256i,
    _mm256_set1_epi32,
    _mm256_add_epi32,
    _mm256_mullo_epi32,
    _mm256_cmpeq_epi32,
    _mm256_sllv_epi32,
    _mm256_srlv_epi32,
    distance32,
    squeeze32
);

/// # Safety
/// As for [`Lanes::distance`].
#[inline(always)]
unsafe fn distance16(distance: u32) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { _mm_cvtsi32_si128(distance as i32) }
}

/// # Safety
/// As for [`Lanes::distance`].
#[inline(always)]
unsafe fn distance32(distance: u32) -> __m256i {
    // The remainder tells the compiler that the distance is below 32.
    // SAFETY: the caller's promise.
    unsafe { _mm256_set1_epi32((distance % 32) as i32) }
}

/// # Safety
/// As for [`Lanes::squeeze`].
#[inline(always)]
unsafe fn squeeze16(mask: __m256i, parts: [Words16; 4], to: [*mut u16; 4]) -> usize {
    // SAFETY: the pointers are valid by the caller's promise, as the first half ends after at most eight
    // words; a mask of eight lanes is below 256, and the tables are aligned for their entries; a vector exists only if the CPU has the instructions.
    unsafe {
        let bytes = _mm256_packs_epi16(mask, _mm256_setzero_si256());
        let bits = _mm256_movemask_epi8(bytes) as u32;
        let (low, high) = ((bits & 0xff) as usize, (bits >> 16 & 0xff) as usize);
        let middle = low.count_ones() as usize;
        let low_order = _mm_load_si128((&raw const ORDER16.0[low]).cast());
        let high_order = _mm_load_si128((&raw const ORDER16.0[high]).cast());
        for part in 0..4 {
            let (words, to) = (parts[part].0, to[part]);
            let low = _mm_shuffle_epi8(_mm256_castsi256_si128(words), low_order);
            let high = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(words), high_order);
            _mm_storeu_si128(to.cast(), low);
            _mm_storeu_si128(to.add(middle).cast(), high);
        }
        middle + high.count_ones() as usize
    }
}

/// # Safety
/// As for [`Lanes::squeeze`].
#[inline(always)]
unsafe fn squeeze32(mask: __m256i, parts: [Words32; 4], to: [*mut u32; 4]) -> usize {
    // SAFETY: the pointers are valid by the caller's promise; a mask of eight lanes is below 256, and the
    // table is aligned for its entries; a vector exists only if the CPU has the instructions.
    unsafe {
        let bits = _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as usize;
        let order = _mm256_load_si256((&raw const ORDER32.0[bits]).cast());
        for part in 0..4 {
            let packed = _mm256_permutevar8x32_epi32(parts[part].0, order);
            _mm256_storeu_si256(to[part].cast(), packed);
        }
        bits.count_ones() as usize
    }
}
