//! 128-bit lanes: two options at a time.

use std::arch::aarch64::*;

use super::{Job, Lanes, compile_kernel, search};
use tallyboard_base::cpu::{Neon, neon, operations};
use tallyboard_search::{Halt, NodeBudget};

compile_kernel!(neon, Neon, Words, count, look);

#[derive(Clone, Copy)]
struct Words(uint64x2_t);

/// Two lanes from place `2 - n` on are the mask of the first `n` lanes.
static FIRST: [u64; 4] = [u64::MAX, u64::MAX, 0, 0];

impl Lanes for Words {
    type Proof = Neon;
    type Mask = uint64x2_t;
    const N: usize = 2;
    const STAGES: usize = 1;

    operations! {
        unsafe {
            fn splat(word: u64) -> Self = Self(vdupq_n_u64(word));
            fn load(from: *const u64) -> Self = Self(vld1q_u64(from));
            fn store(self, to: *mut u64) = vst1q_u64(to, self.0);
            // The second word goes over the first one, if that is not kept.
            fn squeeze(self, mask: uint64x2_t, to: *mut u64) = {
                to.write(vgetq_lane_u64::<0>(self.0));
                to.add((vgetq_lane_u64::<0>(mask) & 1) as usize).write(vgetq_lane_u64::<1>(self.0));
            };
            fn first(count: usize) -> uint64x2_t = vld1q_u64(FIRST.as_ptr().add(2 - count.min(2)));
        }

        fn or(self, other: Self) -> Self = Self(vorrq_u64(self.0, other.0));
        fn and(self, other: Self) -> Self = Self(vandq_u64(self.0, other.0));
        fn xor(self, other: Self) -> Self = Self(veorq_u64(self.0, other.0));
        fn or_and(self, b: Self, c: Self) -> Self = self.or(b.and(c));
        fn xor3(self, b: Self, c: Self) -> Self = self.xor(b).xor(c);
        fn majority(self, b: Self, c: Self) -> Self = Self(vbslq_u64(self.xor(b).0, c.0, b.0));
        fn keep(self, mask: uint64x2_t) -> Self = Self(vandq_u64(self.0, mask));
        fn zeros(self) -> uint64x2_t = vceqzq_u64(self.0);
        fn both(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = vandq_u64(a, b);
        fn bits(mask: uint64x2_t) -> u32 =
            (vgetq_lane_u64::<0>(mask) & 1 | vgetq_lane_u64::<1>(mask) & 2) as u32;
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn fold<const STAGE: usize>(a: Self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists, so the CPU has the instructions.
        unsafe { (Self(vzip1q_u64(a.0, b.0)), Self(vzip2q_u64(a.0, b.0))) }
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn other_half<const STAGE: usize>(self) -> Self {
        // SAFETY: a vector exists, so the CPU has the instructions.
        unsafe { Self(vextq_u64::<1>(self.0, self.0)) }
    }

    #[inline(always)]
    fn place(word: usize) -> (usize, usize) {
        (word >> 1, word & 1)
    }

    #[inline(always)]
    fn count(
        proof: Neon,
        words: usize,
        job: Job<'_>,
        budget: &mut NodeBudget<'_>,
    ) -> Result<u128, Halt> {
        count(proof, words, job, budget)
    }
}
