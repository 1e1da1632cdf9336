//! 512-bit lanes: 32 nodes of 16 bits, or 16 nodes of 32 bits.
//!
//! Departures from the arithmetic of [`super::portable`]:
//!
//! 1. To squeeze four registers by one mask, the lane numbers are compressed once; then all four registers
//!    are permuted by them. Compressions and permutations use the same port; a compression takes two of its
//!    cycles, a permutation one. (The instruction that compresses to memory is far slower.)
//! 2. Any function of three inputs is one instruction.
//! 3. Comparisons give mask registers, which combine without further vector work.

use std::arch::x86_64::*;

use super::batch;
use super::nodes::{Lanes, StackMemory, Start};
use super::trail::Uses;
use tallyboard_base::cpu::{Avx512, avx512, operations, vbmi2};
use tallyboard_search::{Stop, Stopped};

/// Boards of at most 16 open columns are counted at twice the speed if VBMI2 can compress 16-bit words.
pub(super) fn count(
    proof: Avx512,
    start: &Start,
    memory: &mut StackMemory,
    uses: Option<&mut Uses>,
    stop: &Stop,
) -> Result<u64, Stopped> {
    match proof.vbmi2() {
        Some(proof) if start.fits_16_bits() => count16(proof, start, memory, uses, stop),
        _ => count32(proof, start, memory, uses, stop),
    }
}

vbmi2! {
    fn count16(
        start: &Start,
        memory: &mut StackMemory,
        uses: Option<&mut Uses>,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        // SAFETY: this function is compiled for these instructions; `count` has checked that the start fits.
        unsafe { batch::count::<Words16>(start, memory, uses, stop) }
    }
}

avx512! {
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
struct Words16(__m512i);

#[derive(Clone, Copy)]
struct Words32(__m512i);

/// The numbers of the lanes.
static NUMBERS16: [u16; 32] = {
    let mut numbers = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        numbers[lane] = lane as u16;
        lane += 1;
    }
    numbers
};
static NUMBERS32: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The two widths differ by the names of the instructions only.
macro_rules! lanes {
    ($name:ident, $word:ty, $mask:ty, $numbers:expr, $set1:ident, $add:ident, $times:ident, $shl:ident,
     $shr:ident, $test:ident, $equal:ident, $compress:ident, $permute:ident) => {
        impl Lanes for $name {
            type Word = $word;
            type Distance = __m512i;
            type Mask = $mask;
            const N: usize = <$mask>::BITS as usize;
            const BATCH: usize = 1024 / size_of::<$word>();

            operations! {
                unsafe {
                    fn splat(value: u32) -> Self = Self($set1(value as _));
                    fn load(from: *const $word) -> Self = Self(_mm512_loadu_si512(from.cast()));
                    fn store(self, to: *mut $word) = _mm512_storeu_si512(to.cast(), self.0);
                    fn squeeze(mask: $mask, parts: [Self; 4], to: [*mut $word; 4]) -> usize = {
                        let numbers = _mm512_loadu_si512((&raw const $numbers).cast());
                        let order = $compress(mask, numbers);
                        for part in 0..4 {
                            _mm512_storeu_si512(to[part].cast(), $permute(order, parts[part].0));
                        }
                        mask.count_ones() as usize
                    };
                    // The remainder tells the compiler that the distance is below the width of a word, which
                    // saves a test at every shift.
                    fn distance(distance: u32) -> __m512i = $set1((distance % <$word>::BITS) as _);
                }

                fn up(self, distance: __m512i) -> Self = Self($shl(self.0, distance));
                fn down(self, distance: __m512i) -> Self = Self($shr(self.0, distance));
                fn or(self, other: Self) -> Self = Self(_mm512_or_si512(self.0, other.0));
                fn and(self, other: Self) -> Self = Self(_mm512_and_si512(self.0, other.0));
                fn xor(self, other: Self) -> Self = Self(_mm512_xor_si512(self.0, other.0));
                fn or_and(self, b: Self, c: Self) -> Self =
                    Self(_mm512_ternarylogic_epi64::<0xf8>(self.0, b.0, c.0));
                fn nor(self, b: Self, c: Self) -> Self =
                    Self(_mm512_ternarylogic_epi64::<0x01>(self.0, b.0, c.0));
                fn times(self, other: Self) -> Self = Self($times(self.0, other.0));
                fn without_lowest(self) -> Self =
                    Self(_mm512_and_si512(self.0, $add(self.0, $set1(-1))));

                fn meets(self, other: Self) -> $mask = $test(self.0, other.0);
                fn equals(self, other: Self) -> $mask = $equal(self.0, other.0);
                fn both(a: $mask, b: $mask) -> $mask = a & b;
                fn but_not(a: $mask, b: $mask) -> $mask = a & !b;
                fn lanes(mask: $mask) -> u64 = mask.count_ones().into();
            }
        }
    };
}

lanes!(
    Words16,
    u16,
    u32,
    NUMBERS16,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_mullo_epi16,
    _mm512_sllv_epi16,
    _mm512_srlv_epi16,
    _mm512_test_epi16_mask,
    _mm512_cmpeq_epi16_mask,
    _mm512_maskz_compress_epi16,
    _mm512_permutexvar_epi16
);
lanes!(
    Words32,
    u32,
    u16,
    NUMBERS32,
    _mm512_set1_epi32,
    _mm512_add_epi32,
    _mm512_mullo_epi32,
    _mm512_sllv_epi32,
    _mm512_srlv_epi32,
    _mm512_test_epi32_mask,
    _mm512_cmpeq_epi32_mask,
    _mm512_maskz_compress_epi32,
    _mm512_permutexvar_epi32
);
