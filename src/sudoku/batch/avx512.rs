//! Sixteen lanes in AVX-512 registers.
//!
//! ```text
//! for each lane: word[lane] := op(a[lane], b[lane], c[lane])
//! ```
//!
//! Departures from the loops over `[u32; N]` in [`lanes`](super::lanes), which say what each operation
//! does:
//!
//! 1. Any function of three operands is one instruction with a truth table, which nearly halves the
//!    operations of a round against AVX2, beside twice the lanes.
//! 2. A set of lanes is a mask register.
//! 3. Lanes are moved by one masked permutation, not one by one.

use std::arch::x86_64::*;

use super::Both;
use super::lanes::Lanes;
use super::layout::Sixteen;
use super::search::{Results, Task};
use crate::cpu::avx512;
use crate::search::{Stop, Stopped};

/// The solvers in these vectors, which are made nowhere else.
pub(super) struct Vectors(Box<Both<Wide>>);

avx512! {
    pub(super) fn vectors() -> Vectors {
        Vectors(Box::new(Both::new()))
    }

    pub(super) fn solve(
        vectors: &mut Vectors,
        task: Task,
        results: Results,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        vectors.0.search.solve(task, results, stop)
    }

    pub(super) fn count(
        vectors: &mut Vectors,
        grids: &[Sixteen],
        limit: u64,
        counts: &mut [u64],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        vectors.0.pool.count(grids, limit, counts, stop)
    }
}

/// Sixteen lanes; made only in [`vectors`].
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Wide(__m512i);

macro_rules! intrinsic {
    ($call:expr) => {{
        // SAFETY: a `Wide` is made only in `vectors`, `solve` and `count`, whose caller has proved what the CPU
        // has. The trait's methods cannot be compiled for a CPU of their own; inlined there this is one
        // instruction.
        unsafe { $call }
    }};
}

impl Wide {
    /// The function of three operands whose truth table is `TABLE`.
    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(intrinsic!(_mm512_ternarylogic_epi32::<TABLE>(self.0, b.0, c.0)))
    }
}

/// The truth tables of the operands themselves; functions of them are tables by the same formula.
const A: i32 = 0b1111_0000;
const B: i32 = 0b1100_1100;
const C: i32 = 0b1010_1010;

/// The numbers of the lanes.
#[inline(always)]
fn ascending() -> __m512i {
    intrinsic!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
}

impl Lanes for Wide {
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
        // SAFETY: a register is sixteen integers, and an array of them asks for less alignment. It gives
        // access to single lanes without a copy.
        unsafe { &*std::ptr::from_ref(self).cast::<[u32; 16]>() }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u32] {
        // SAFETY: as in `words`; every array of integers is a register.
        unsafe { &mut *std::ptr::from_mut(self).cast::<[u32; 16]>() }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_andnot_si512(other.0, self.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_xor_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn up<const K: u32>(self) -> Self {
        Self(intrinsic!(_mm512_slli_epi32::<K>(self.0)))
    }

    #[inline(always)]
    fn down<const K: u32>(self) -> Self {
        Self(intrinsic!(_mm512_srli_epi32::<K>(self.0)))
    }

    #[inline(always)]
    fn lowest_bit(self) -> Self {
        let negated = intrinsic!(_mm512_sub_epi32(_mm512_setzero_si512(), self.0));
        self.and(Self(negated))
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
    fn or3(self, b: Self, c: Self) -> Self {
        self.ternary::<{ A | B | C }>(b, c)
    }

    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.ternary::<{ A & B & C }>(b, c)
    }

    #[inline(always)]
    fn two_of(self, b: Self, c: Self) -> Self {
        self.ternary::<{ A & B | A & C | B & C }>(b, c)
    }

    #[inline(always)]
    fn or_else(self, mask: Self, other: Self) -> Self {
        self.ternary::<{ A & B | C & !B & 0xff }>(mask, other)
    }

    #[inline(always)]
    fn or_both(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A | B & C }>(a, b)
    }

    #[inline(always)]
    fn or_unless(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A | B & !C }>(a, b)
    }

    #[inline(always)]
    fn without_both(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A & !(B & C) }>(a, b)
    }

    #[inline(always)]
    fn without_unless(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A & !(B & !C) }>(a, b)
    }

    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.ternary::<{ A ^ B ^ C }>(b, c)
    }

    #[inline(always)]
    fn without_any(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A & !(B | C) }>(a, b)
    }

    #[inline(always)]
    fn without_change(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A & !(B ^ C) }>(a, b)
    }

    #[inline(always)]
    fn or_change(self, a: Self, b: Self) -> Self {
        self.ternary::<{ A | B ^ C }>(a, b)
    }
}
