//! 256-bit lanes: 16 nodes of 16 bits, or 8 nodes of 32 bits.
//!
//! Departures from the arithmetic of [`super::portable`]:
//!
//! 1. AVX2 cannot compress: a table gives, for each of the 256 masks of eight lanes, the
//!    permutation that moves the lanes of the mask together.
//! 2. Sixteen words of 16 bits are squeezed as two halves of eight, the second written where the
//!    first one ends.
//! 3. Masks are vectors of all-ones or zero lanes until a table or a count needs their bits.

use std::arch::x86_64::*;

use super::batch::{self, Scratch};
use super::lanes::Lanes;
use super::start::Start;
use crate::cpu::{Avx2, avx2};
use crate::search::{Stop, Stopped};

pub(super) fn count(
    proof: Avx2,
    start: &Start,
    scratch: &mut Scratch,
    stop: &Stop,
) -> Result<u64, Stopped> {
    if start.fits_16_bits() {
        count16(proof, start, scratch, stop)
    } else {
        count32(proof, start, scratch, stop)
    }
}

avx2! {
    fn count16(start: &Start, scratch: &mut Scratch, stop: &Stop) -> Result<u64, Stopped> {
        // SAFETY: compiled for these vectors; `count` has seen that the start fits.
        unsafe { batch::count::<Words16>(start, scratch, stop) }
    }

    fn count32(start: &Start, scratch: &mut Scratch, stop: &Stop) -> Result<u64, Stopped> {
        // SAFETY: compiled for these vectors; every start fits 32 bits.
        unsafe { batch::count::<Words32>(start, scratch, stop) }
    }
}

#[derive(Clone, Copy)]
struct Words16(__m256i);

#[derive(Clone, Copy)]
struct Words32(__m256i);

/// Arithmetic on vectors at hand.
macro_rules! have {
    ($expression:expr) => {
        // SAFETY: a vector is at hand, and whoever made the first one promised that the CPU has
        // the instructions.
        unsafe { $expression }
    };
}

/// What the two widths share but for the names of the instructions.
macro_rules! shared {
    ($word:ty, $set1:ident, $add:ident, $equal:ident) => {
        type Word = $word;
        type Mask = __m256i;
        const N: usize = 32 / size_of::<$word>();
        const BATCH: usize = 1024 / size_of::<$word>();

        #[inline(always)]
        unsafe fn splat(value: u32) -> Self {
            // SAFETY: the caller's promise.
            unsafe { Self($set1(value as _)) }
        }
        #[inline(always)]
        unsafe fn load(from: *const $word) -> Self {
            // SAFETY: the caller's promise.
            unsafe { Self(_mm256_loadu_si256(from.cast())) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut $word) {
            // SAFETY: the caller's promise.
            unsafe { _mm256_storeu_si256(to.cast(), self.0) }
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            have!(Self(_mm256_or_si256(self.0, other.0)))
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            have!(Self(_mm256_and_si256(self.0, other.0)))
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            have!(Self(_mm256_xor_si256(self.0, other.0)))
        }
        #[inline(always)]
        fn or_and(self, b: Self, c: Self) -> Self {
            self.or(b.and(c))
        }
        #[inline(always)]
        fn nor(self, b: Self, c: Self) -> Self {
            have!(Self(_mm256_xor_si256(self.or(b).or(c).0, $set1(-1))))
        }
        #[inline(always)]
        fn without_lowest(self) -> Self {
            have!(Self(_mm256_and_si256(self.0, $add(self.0, $set1(-1)))))
        }
        #[inline(always)]
        fn meets(self, other: Self) -> __m256i {
            have!(_mm256_xor_si256($equal(self.and(other).0, _mm256_setzero_si256()), $set1(-1)))
        }
        #[inline(always)]
        fn equals(self, other: Self) -> __m256i {
            have!($equal(self.0, other.0))
        }
        #[inline(always)]
        fn both(a: __m256i, b: __m256i) -> __m256i {
            have!(_mm256_and_si256(a, b))
        }
        #[inline(always)]
        fn but_not(a: __m256i, b: __m256i) -> __m256i {
            have!(_mm256_andnot_si256(b, a))
        }
        #[inline(always)]
        fn lanes(mask: __m256i) -> u64 {
            let bytes = have!(_mm256_movemask_epi8(mask)).count_ones();
            u64::from(bytes) / size_of::<$word>() as u64
        }
    };
}

impl Lanes for Words16 {
    shared!(u16, _mm256_set1_epi16, _mm256_add_epi16, _mm256_cmpeq_epi16);
    type Distance = __m128i;

    #[inline(always)]
    unsafe fn distance(distance: u32) -> __m128i {
        // SAFETY: the caller's promise.
        unsafe { _mm_cvtsi32_si128(distance as i32) }
    }
    #[inline(always)]
    fn up(self, distance: __m128i) -> Self {
        have!(Self(_mm256_sll_epi16(self.0, distance)))
    }
    #[inline(always)]
    fn down(self, distance: __m128i) -> Self {
        have!(Self(_mm256_srl_epi16(self.0, distance)))
    }
    #[inline(always)]
    unsafe fn squeeze(mask: __m256i, parts: [Self; 4], to: [*mut u16; 4]) -> usize {
        // SAFETY: the caller's promise on the pointers, for the first half ends after at most eight
        // words; a mask of eight lanes is below 256; vectors are at hand.
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
}

impl Lanes for Words32 {
    shared!(u32, _mm256_set1_epi32, _mm256_add_epi32, _mm256_cmpeq_epi32);
    type Distance = __m256i;

    #[inline(always)]
    unsafe fn distance(distance: u32) -> __m256i {
        // The remainder tells the compiler that nothing is shifted out altogether.
        // SAFETY: the caller's promise.
        unsafe { _mm256_set1_epi32((distance % 32) as i32) }
    }
    #[inline(always)]
    fn up(self, distance: __m256i) -> Self {
        have!(Self(_mm256_sllv_epi32(self.0, distance)))
    }
    #[inline(always)]
    fn down(self, distance: __m256i) -> Self {
        have!(Self(_mm256_srlv_epi32(self.0, distance)))
    }
    #[inline(always)]
    unsafe fn squeeze(mask: __m256i, parts: [Self; 4], to: [*mut u32; 4]) -> usize {
        // SAFETY: the caller's promise on the pointers; a mask of eight lanes is below 256;
        // vectors are at hand.
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
}

#[repr(C, align(32))]
struct Aligned<T>(T);

/// The lanes of a mask of eight, in order, then zeros.
const fn lanes_of(mask: usize) -> [u8; 8] {
    let mut lanes = [0; 8];
    let (mut lane, mut count) = (0, 0);
    while lane < 8 {
        if mask >> lane & 1 == 1 {
            lanes[count] = lane as u8;
            count += 1;
        }
        lane += 1;
    }
    lanes
}

/// Byte numbers that move the 16-bit lanes of a mask together.
static ORDER16: Aligned<[[u8; 16]; 256]> = Aligned({
    let mut order = [[0; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let lanes = lanes_of(mask);
        let mut byte = 0;
        while byte < 16 {
            order[mask][byte] = 2 * lanes[byte / 2] + (byte % 2) as u8;
            byte += 1;
        }
        mask += 1;
    }
    order
});

/// Lane numbers that move the 32-bit lanes of a mask together.
static ORDER32: Aligned<[[u32; 8]; 256]> = Aligned({
    let mut order = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let lanes = lanes_of(mask);
        let mut lane = 0;
        while lane < 8 {
            order[mask][lane] = lanes[lane] as u32;
            lane += 1;
        }
        mask += 1;
    }
    order
});
