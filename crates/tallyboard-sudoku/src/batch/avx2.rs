//! Eight lanes in AVX2 registers.
//!
//! Departures from the loops over `[u32; N]` in [`lanes`](super::lanes), which say what each operation
//! does:
//!
//! 1. Each operation is an instruction or two, on a value that stays in a register.
//! 2. Lanes are moved by one permutation, not one by one.
//! 3. A set of lanes becomes a mask by comparing a bit of each lane, and a comparison becomes a set by
//!    collecting the signs of the lanes.

use std::arch::x86_64::*;

use super::lanes::{Lanes, operators};
use super::{Job, SearchAndPool, Solve};
use tallyboard_search::{Stop, Stopped};

solvers_in!(Avx2Lanes, Avx2, avx2);

/// Eight lanes; made only in [`new_solvers`] and [`solve`].
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Avx2Lanes(__m256i);

macro_rules! intrinsic {
    ($call:expr) => {{
        // SAFETY: an `Avx2Lanes` is made only in `new_solvers` and `solve`, whose caller has proved what the
        // CPU has. Methods of a trait cannot have target features; inlined into these two, this is
        // one instruction.
        unsafe { $call }
    }};
}

/// The numbers of the lanes, a byte each.
const ASCENDING: u64 = 0x0706_0504_0302_0100;

/// A set of lanes as eight bytes, all ones or zero.
#[inline(always)]
fn bytes_of(lanes: u32) -> u64 {
    intrinsic!(_pdep_u64(lanes.into(), 0x0101_0101_0101_0101)) * 0xff
}

impl Avx2Lanes {
    /// The lanes in another order: the bytes of `order` are the numbers of their sources.
    #[inline(always)]
    fn permuted(self, order: u64) -> Self {
        let order = intrinsic!(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64)));
        Self(intrinsic!(_mm256_permutevar8x32_epi32(self.0, order)))
    }
}

operators!(Avx2Lanes {
    BitAnd::bitand: _mm256_and_si256,
    BitOr::bitor: _mm256_or_si256,
    BitXor::bitxor: _mm256_xor_si256,
    Add::add: _mm256_add_epi32,
    << _mm256_sllv_epi32, >> _mm256_srlv_epi32,
});

impl Lanes for Avx2Lanes {
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(intrinsic!(_mm256_set1_epi32(word as i32)))
    }

    #[inline(always)]
    fn only(lanes: u32) -> Self {
        let bits = intrinsic!(_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128));
        let chosen = Self::splat(lanes) & Self(bits);
        Self(intrinsic!(_mm256_cmpeq_epi32(chosen.0, bits)))
    }

    #[inline(always)]
    fn words(&self) -> &[u32] {
        // SAFETY: a register holds eight integers, whose array needs less alignment. It gives
        // access to single lanes without a copy.
        unsafe { &*std::ptr::from_ref(self).cast::<[u32; 8]>() }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u32] {
        // SAFETY: as in `words`; every array of eight integers is a valid register.
        unsafe { &mut *std::ptr::from_mut(self).cast::<[u32; 8]>() }
    }

    #[inline(always)]
    fn same(self, other: Self) -> u32 {
        let equal = intrinsic!(_mm256_cmpeq_epi32(self.0, other.0));
        intrinsic!(_mm256_movemask_ps(_mm256_castsi256_ps(equal))) as u32
    }

    #[inline(always)]
    fn with(self, to: u32, other: Self, from: u32) -> Self {
        let (to, from) = (bytes_of(to), bytes_of(from));
        let order = intrinsic!(_pdep_u64(_pext_u64(ASCENDING, from), to));
        // Not by `only`, from whose comparison the compiler makes a masked store of select and store: some forty
        // operations for a word on AMD.
        let to = intrinsic!(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(to as i64)));
        Self(to).select(other.permuted(order), self)
    }
}
