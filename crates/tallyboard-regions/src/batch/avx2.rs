//! Vectors of AVX2: a block in two registers.

use super::lanes::{Block, Lanes, kernel};
use super::search::{Limits, Tasks, search};
use std::arch::x86_64::*;
use tallyboard_base::cpu::{avx2, operations};
use tallyboard_search::{Stop, Stopped};

/// 32 lanes of 16 bits.
#[derive(Clone, Copy)]
pub struct Narrow(__m256i, __m256i);

/// 16 lanes of 32 bits.
#[derive(Clone, Copy)]
pub struct Wide(__m256i, __m256i);

macro_rules! lanes {
    (
        $vector:ident, $word:ty, $lanes:literal, $splat:ident, $add:ident, $down:ident, $equals:ident,
        |$bytes:ident| $sum:expr, |$low:ident, $high:ident| $bits:expr
    ) => {
        impl Lanes for $vector {
            type Word = $word;

            operations! {
                unsafe {
                    fn splat(word: u32) -> Self = Self($splat(word as _), $splat(word as _));
                    fn load(block: &Block<$word, $lanes>) -> Self = {
                        let halves: *const __m256i = block.0.as_ptr().cast();
                        Self(_mm256_load_si256(halves), _mm256_load_si256(halves.add(1)))
                    };
                }
                fn and(self, other: Self) -> Self =
                    Self(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1));
                fn or(self, other: Self) -> Self =
                    Self(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1));
                fn without(self, other: Self) -> Self =
                    Self(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1));
                fn xor(self, other: Self) -> Self =
                    Self(_mm256_xor_si256(self.0, other.0), _mm256_xor_si256(self.1, other.1));
                fn less_one(self) -> Self = {
                    let minus_one = _mm256_set1_epi32(-1);
                    Self($add(self.0, minus_one), $add(self.1, minus_one))
                };
                fn plus(self, other: Self) -> Self =
                    Self($add(self.0, other.0), $add(self.1, other.1));
                fn up(self) -> Self = Self($add(self.0, self.0), $add(self.1, self.1));
                fn down(self) -> Self = Self($down::<1>(self.0), $down::<1>(self.1));
                fn fill_down(self) -> Self = {
                    let mut bits = self.or(self.down());
                    bits = bits.or(Self($down::<2>(bits.0), $down::<2>(bits.1)));
                    bits = bits.or(Self($down::<4>(bits.0), $down::<4>(bits.1)));
                    bits = bits.or(Self($down::<8>(bits.0), $down::<8>(bits.1)));
                    bits.or(Self($down::<16>(bits.0), $down::<16>(bits.1)))
                };
                fn equals(self, other: Self) -> Self =
                    Self($equals(self.0, other.0), $equals(self.1, other.1));
                fn ones(self) -> Self = {
                    let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                    ));
                    let nibble = _mm256_set1_epi8(15);
                    let mut halves = [self.0, self.1];
                    for half in 0..2 {
                        let low = _mm256_and_si256(halves[half], nibble);
                        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(halves[half]), nibble);
                        let $bytes = _mm256_add_epi8(
                            _mm256_shuffle_epi8(table, low),
                            _mm256_shuffle_epi8(table, high),
                        );
                        halves[half] = $sum;
                    }
                    Self(halves[0], halves[1])
                };
                fn bits(self) -> u32 = {
                    let ($low, $high) = (self.0, self.1);
                    $bits
                };
            }

            #[inline(always)]
            fn store(self, block: &mut Block<$word, $lanes>) {
                let halves: *mut __m256i = block.0.as_mut_ptr().cast();
                // SAFETY: a block is 64 bytes, aligned to as many; a vector exists only where its instructions do.
                unsafe {
                    _mm256_store_si256(halves, self.0);
                    _mm256_store_si256(halves.add(1), self.1);
                }
            }
        }
    };
}

lanes! {
    Narrow, u16, 32, _mm256_set1_epi16, _mm256_add_epi16, _mm256_srli_epi16, _mm256_cmpeq_epi16,
    |bytes| _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)),
    |low, high| {
        // Packing works within halves of a register, so the middle quarters are swapped.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
        _mm256_movemask_epi8(packed) as u32
    }
}
lanes! {
    Wide, u32, 16, _mm256_set1_epi32, _mm256_add_epi32, _mm256_srli_epi32, _mm256_cmpeq_epi32,
    |bytes| _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1)),
    |low, high| {
        let low = _mm256_movemask_ps(_mm256_castsi256_ps(low)) as u32;
        low | (_mm256_movemask_ps(_mm256_castsi256_ps(high)) as u32) << 8
    }
}
kernel! { avx2, Narrow, Wide }
