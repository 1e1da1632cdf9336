//! The reference for the vectors: a plain loop for each operation.

use super::lanes::{Block, Lanes, Word, kernel};
use super::search::{Limits, Tasks, search};
use tallyboard_base::cpu::portable;
use tallyboard_search::{Stop, Stopped};

macro_rules! lanes {
    ($word:ty, $lanes:literal) => {
        impl Lanes for Block<$word, $lanes> {
            type Word = $word;

            #[inline(always)]
            unsafe fn splat(word: u32) -> Self {
                Self([<$word>::of(word); $lanes])
            }

            #[inline(always)]
            unsafe fn load(block: &Self) -> Self {
                *block
            }

            #[inline(always)]
            fn store(self, block: &mut Self) {
                *block = self;
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self.each(other, |a, b| a & b)
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self.each(other, |a, b| a | b)
            }

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                self.each(other, |a, b| a & !b)
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self.each(other, |a, b| a ^ b)
            }

            #[inline(always)]
            fn less_one(self) -> Self {
                self.each(self, |a, _| a.wrapping_sub(1))
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.each(other, |a, b| a.wrapping_add(b))
            }

            #[inline(always)]
            fn up(self) -> Self {
                self.each(self, |a, _| a << 1)
            }

            #[inline(always)]
            fn down(self) -> Self {
                self.each(self, |a, _| a >> 1)
            }

            #[inline(always)]
            fn fill_down(self) -> Self {
                self.each(self, |a, _| <$word>::MAX.checked_shr(a.leading_zeros()).unwrap_or(0))
            }

            #[inline(always)]
            fn equals(self, other: Self) -> Self {
                self.each(other, |a, b| if a == b { <$word>::MAX } else { 0 })
            }

            #[inline(always)]
            fn ones(self) -> Self {
                self.each(self, |a, _| a.count_ones() as $word)
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                let mut bits = 0;
                for lane in 0..$lanes {
                    bits |= u32::from(self.0[lane] != 0) << lane;
                }
                bits
            }
        }

        impl Block<$word, $lanes> {
            #[inline(always)]
            fn each(mut self, other: Self, operation: impl Fn($word, $word) -> $word) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] = operation(self.0[lane], other.0[lane]);
                }
                self
            }
        }
    };
}

#[cfg(target_arch = "aarch64")]
lanes!(u16, 32);
lanes!(u32, 16);

// Few CPUs run this kernel, so it is compiled for one width: words of 32 bits hold smaller boards too.
kernel! { portable, one_wide Block<u32, 16>, 2; two_wide Block<u32, 16>, 3; three_wide Block<u32, 16>, 4 }
pub use {one_wide as one_narrow, three_wide as three_narrow, two_wide as two_narrow};
