//! Sixteen lanes in AVX-512 registers.
//!
//! ```text
//! for each lane: word[lane] := op(a[lane], b[lane], c[lane])
//! ```
//!
//! Departures from the loops over `[u32; N]` in [`lanes`](super::lanes), which say what each operation
//! does:
//!
//! 1. Any function of three operands is one instruction with a truth table (`fused!`). So a round
//!    takes little more than half the operations of AVX2, on twice the lanes.
//! 2. A set of lanes is a mask register.
//! 3. Lanes are moved by one masked permutation, not one by one.

use std::arch::x86_64::*;

use super::lanes::{Lanes, operators};
use super::{Job, SearchAndPool, Solve};
use tallyboard_search::{Stop, Stopped};

solvers_in!(Avx512Lanes, Avx512, avx512);

/// Sixteen lanes; made only in [`new_solvers`] and [`solve`].
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Avx512Lanes(__m512i);

macro_rules! intrinsic {
    ($call:expr) => {{
        // SAFETY: an `Avx512Lanes` is made only in `new_solvers` and `solve`, whose caller has proved what the CPU
        // has. Methods of a trait cannot have target features; inlined into these two, this is one
        // instruction.
        unsafe { $call }
    }};
}

/// The numbers of the lanes.
#[inline(always)]
fn ascending() -> __m512i {
    intrinsic!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
}

operators!(Avx512Lanes {
    BitAnd::bitand: _mm512_and_epi32,
    BitOr::bitor: _mm512_or_epi32,
    BitXor::bitxor: _mm512_xor_epi32,
    Add::add: _mm512_add_epi32,
    << _mm512_sllv_epi32, >> _mm512_srlv_epi32,
});

impl Lanes for Avx512Lanes {
    const COUNT: usize = 16;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(intrinsic!(_mm512_set1_epi32(word as i32)))
    }

    #[inline(always)]
    fn only(lanes: u32) -> Self {
        Self(intrinsic!(_mm512_maskz_set1_epi32(lanes as __mmask16, -1)))
    }

    #[inline(always)]
    fn words(&self) -> &[u32] {
        // SAFETY: a register holds sixteen integers, whose array needs less alignment. It gives
        // access to single lanes without a copy.
        unsafe { &*std::ptr::from_ref(self).cast::<[u32; 16]>() }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u32] {
        // SAFETY: as in `words`; every array of sixteen integers is a valid register.
        unsafe { &mut *std::ptr::from_mut(self).cast::<[u32; 16]>() }
    }

    #[inline(always)]
    fn same(self, other: Self) -> u32 {
        u32::from(intrinsic!(_mm512_cmpeq_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn with(self, to: u32, other: Self, from: u32) -> Self {
        let packed = intrinsic!(_mm512_maskz_compress_epi32(from as __mmask16, ascending()));
        let order = intrinsic!(_mm512_maskz_expand_epi32(to as __mmask16, packed));
        Self(intrinsic!(_mm512_mask_permutexvar_epi32(self.0, to as __mmask16, order, other.0)))
    }

    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self, _plain: Self) -> Self {
        Self(intrinsic!(_mm512_ternarylogic_epi32::<TABLE>(self.0, b.0, c.0)))
    }
}
