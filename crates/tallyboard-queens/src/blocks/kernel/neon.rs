//! 128-bit lanes: 8 nodes of 16 bits, or 4 nodes of 32 bits.
//!
//! Departures from the arithmetic of [`super::portable`]:
//!
//! 1. NEON has no instruction to compress. A table has, for each of the 256 masks of eight lanes, the
//!    byte permutation that moves the lanes of the mask to the front. A lane of 32 bits is two of these lanes.
//! 2. One sum over the lanes of a mask tells which lanes are in it and how many: each lane adds its bit of
//!    the mask, and 256.
//! 3. A shift takes its distance from a register, negative to the right.

use std::arch::aarch64::*;

use super::batch;
use super::nodes::{Lanes, StackMemory, Start};
use super::trail::Uses;
use crate::pack::ORDER16;
use tallyboard_base::cpu::{Neon, neon, operations};
use tallyboard_search::{Stop, Stopped};

pub(super) fn count(
    proof: Neon,
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

neon! {
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
struct Words16(uint16x8_t);

#[derive(Clone, Copy)]
struct Words32(uint32x4_t);

/// What each lane adds to the sum across a mask: its bit in [`ORDER16`]'s masks, and 256 to be counted.
const BITS16: [u16; 8] = [0x101, 0x102, 0x104, 0x108, 0x110, 0x120, 0x140, 0x180];
const BITS32: [u32; 4] = [0x103, 0x10c, 0x130, 0x1c0];

/// The two widths differ by the names of the instructions.
macro_rules! lanes {
    ($name:ident, $word:ty, $signed:ident, $vector:ident, $bits:ident, $bytes:ident, $words:ident,
     $set1:ident, $set1_signed:ident, $load:ident, $store:ident, $shift:ident, $negate:ident, $or:ident,
     $and:ident, $xor:ident, $not:ident, $less:ident, $sub:ident, $times:ident, $test:ident, $equal:ident, $sum:ident) => {
        impl Lanes for $name {
            type Word = $word;
            type Distance = $signed;
            type Mask = $vector;
            const N: usize = 16 / size_of::<$word>();
            const BATCH: usize = 1024 / size_of::<$word>();

            operations! {
                unsafe {
                    fn splat(value: u32) -> Self = Self($set1(value as _));
                    fn load(from: *const $word) -> Self = Self($load(from));
                    fn store(self, to: *mut $word) = $store(to, self.0);
                    fn squeeze(mask: $vector, parts: [Self; 4], to: [*mut $word; 4]) -> usize = {
                        // A mask of eight lanes is below 256, and so is one of four pairs.
                        let sum = usize::from($sum($and(mask, $load($bits.as_ptr()))) as u16);
                        let order = vld1q_u8(ORDER16.0[sum & 0xff].as_ptr());
                        for part in 0..4 {
                            let packed = vqtbl1q_u8($bytes(parts[part].0), order);
                            $store(to[part], $words(packed));
                        }
                        sum >> 8
                    };
                    fn distance(distance: u32) -> $signed = $set1_signed(distance as _);
                }

                fn up(self, distance: $signed) -> Self = Self($shift(self.0, distance));
                fn down(self, distance: $signed) -> Self = Self($shift(self.0, $negate(distance)));
                fn or(self, other: Self) -> Self = Self($or(self.0, other.0));
                fn and(self, other: Self) -> Self = Self($and(self.0, other.0));
                fn xor(self, other: Self) -> Self = Self($xor(self.0, other.0));
                fn or_and(self, b: Self, c: Self) -> Self = self.or(b.and(c));
                fn nor(self, b: Self, c: Self) -> Self = Self($not(self.or(b).or(c).0));
                fn times(self, other: Self) -> Self = Self($times(self.0, other.0));
                fn without_lowest(self) -> Self = Self($and(self.0, $sub(self.0, $set1(1))));

                fn meets(self, other: Self) -> $vector = $test(self.0, other.0);
                fn equals(self, other: Self) -> $vector = $equal(self.0, other.0);
                fn both(a: $vector, b: $vector) -> $vector = $and(a, b);
                fn but_not(a: $vector, b: $vector) -> $vector = $less(a, b);
                fn lanes(mask: $vector) -> u64 = $sum($and(mask, $set1(1))).into();
            }
        }
    };
}

lanes!(
    Words16,
    u16,
    int16x8_t,
    uint16x8_t,
    BITS16,
    vreinterpretq_u8_u16,
    vreinterpretq_u16_u8,
    vdupq_n_u16,
    vdupq_n_s16,
    vld1q_u16,
    vst1q_u16,
    vshlq_u16,
    vnegq_s16,
    vorrq_u16,
    vandq_u16,
    veorq_u16,
    vmvnq_u16,
    vbicq_u16,
    vsubq_u16,
    vmulq_u16,
    vtstq_u16,
    vceqq_u16,
    vaddvq_u16
);
lanes!(
    Words32,
    u32,
    int32x4_t,
    uint32x4_t,
    BITS32,
    vreinterpretq_u8_u32,
    vreinterpretq_u32_u8,
    vdupq_n_u32,
    vdupq_n_s32,
    vld1q_u32,
    vst1q_u32,
    vshlq_u32,
    vnegq_s32,
    vorrq_u32,
    vandq_u32,
    veorq_u32,
    vmvnq_u32,
    vbicq_u32,
    vsubq_u32,
    vmulq_u32,
    vtstq_u32,
    vceqq_u32,
    vaddvq_u32
);
