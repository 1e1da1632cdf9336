//! Vectors of AVX-512: a block in a register.

use super::lanes::{Block, Lanes, kernel};
use super::search::{Limits, Tasks, search};
use std::arch::x86_64::*;
use tallyboard_base::cpu::{avx512, operations};
use tallyboard_search::{Stop, Stopped};

/// 32 lanes of 16 bits.
#[derive(Clone, Copy)]
pub struct Narrow(__m512i);

/// 16 lanes of 32 bits.
#[derive(Clone, Copy)]
pub struct Wide(__m512i);

macro_rules! lanes {
    (
        $vector:ident, $word:ty, $lanes:literal, $splat:ident, $add:ident, $down:ident, $equals:ident, $spread:ident,
        $mask:ident, |$bytes:ident| $sum:expr
    ) => {
        impl Lanes for $vector {
            type Word = $word;

            operations! {
                unsafe {
                    fn splat(word: u32) -> Self = Self($splat(word as _));
                    fn load(block: &Block<$word, $lanes>) -> Self =
                        Self(_mm512_load_si512(block.0.as_ptr().cast()));
                }
                fn and(self, other: Self) -> Self = Self(_mm512_and_si512(self.0, other.0));
                fn or(self, other: Self) -> Self = Self(_mm512_or_si512(self.0, other.0));
                fn without(self, other: Self) -> Self = Self(_mm512_andnot_si512(other.0, self.0));
                fn xor(self, other: Self) -> Self = Self(_mm512_xor_si512(self.0, other.0));
                fn less_one(self) -> Self = Self($add(self.0, _mm512_set1_epi32(-1)));
                fn plus(self, other: Self) -> Self = Self($add(self.0, other.0));
                fn up(self) -> Self = Self($add(self.0, self.0));
                fn down(self) -> Self = Self($down::<1>(self.0));
                fn fill_down(self) -> Self = {
                    let mut bits = self.or(self.down());
                    bits = bits.or(Self($down::<2>(bits.0)));
                    bits = bits.or(Self($down::<4>(bits.0)));
                    bits = bits.or(Self($down::<8>(bits.0)));
                    bits.or(Self($down::<16>(bits.0)))
                };
                fn equals(self, other: Self) -> Self = Self($spread($equals(self.0, other.0)));
                fn ones(self) -> Self = {
                    let table = _mm512_broadcast_i32x4(_mm_setr_epi8(
                        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                    ));
                    let nibble = _mm512_set1_epi8(15);
                    let low = _mm512_and_si512(self.0, nibble);
                    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), nibble);
                    let $bytes = _mm512_add_epi8(
                        _mm512_shuffle_epi8(table, low),
                        _mm512_shuffle_epi8(table, high),
                    );
                    Self($sum)
                };
                fn bits(self) -> u32 = u32::from($mask(self.0));
            }

            #[inline(always)]
            fn store(self, block: &mut Block<$word, $lanes>) {
                // SAFETY: a block is aligned to 64 bytes; a vector exists only where its instructions do.
                unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), self.0) }
            }
        }
    };
}

lanes! {
    Narrow, u16, 32, _mm512_set1_epi16, _mm512_add_epi16, _mm512_srli_epi16, _mm512_cmpeq_epi16_mask,
    _mm512_movm_epi16, _mm512_movepi16_mask, |bytes| _mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1))
}
lanes! {
    Wide, u32, 16, _mm512_set1_epi32, _mm512_add_epi32, _mm512_srli_epi32, _mm512_cmpeq_epi32_mask,
    _mm512_movm_epi32, _mm512_movepi32_mask,
    |bytes| _mm512_madd_epi16(_mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)), _mm512_set1_epi16(1))
}
kernel! { avx512, Narrow, Wide }
