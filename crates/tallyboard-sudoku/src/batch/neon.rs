//! Eight lanes in pairs of NEON registers.
//!
//! Departures from the loops over `[u32; N]` in [`lanes`](super::lanes), which say what each operation
//! does:
//!
//! 1. Each operation is one instruction per register, also a selection by a mask; a majority is two.
//! 2. A set of lanes is one sum across a register, to which each lane adds its bit.
//! 3. Lanes are moved by one byte table look-up per register. A lane whose index is beyond the table stays
//!    unchanged.

use std::arch::aarch64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use super::lanes::Lanes;
use super::{Job, SearchAndPool, Solve};
use tallyboard_base::array::array;
use tallyboard_search::{Stop, Stopped};

solvers_in!(NeonLanes, Neon, neon);

/// Eight lanes; made only in [`new_solvers`] and [`solve`].
#[derive(Clone, Copy)]
#[repr(transparent)]
struct NeonLanes([uint32x4_t; 2]);

macro_rules! intrinsic {
    ($call:expr) => {{
        // SAFETY: every aarch64 CPU has NEON, and nothing here goes beyond the arrays that it is given.
        unsafe { $call }
    }};
}

/// The bit of each lane in a set.
const BITS: [[u32; 4]; 2] = [[1, 2, 4, 8], [16, 32, 64, 128]];

/// For each set of lanes, their numbers, in order.
static NUMBERS: [[u8; 8]; 256] = by_set(false);
/// For each set of lanes, the rank of each lane in the set; 255 for lanes outside it.
static RANKS: [[u8; 8]; 256] = by_set(true);

const fn by_set(ranks: bool) -> [[u8; 8]; 256] {
    let mut table = [[u8::MAX; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut before) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                let (at, item) = if ranks { (lane, before) } else { (before, lane) };
                table[set][at] = item as u8;
                before += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
}

/// An operator by an instruction that takes two registers.
macro_rules! operator {
    ($operator:ident::$method:ident: $instruction:ident) => {
        impl $operator for NeonLanes {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(array(|half| intrinsic!($instruction(self.0[half], other.0[half]))))
            }
        }
    };
}

operator!(BitAnd::bitand: vandq_u32);
operator!(BitOr::bitor: vorrq_u32);
operator!(BitXor::bitxor: veorq_u32);
operator!(Add::add: vaddq_u32);

impl Not for NeonLanes {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(array(|half| intrinsic!(vmvnq_u32(self.0[half]))))
    }
}

impl Shl<u32> for NeonLanes {
    type Output = Self;

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Self(array(|half| intrinsic!(vshlq_u32(self.0[half], vdupq_n_s32(bits as i32)))))
    }
}

impl Shr<u32> for NeonLanes {
    type Output = Self;

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Self(array(|half| intrinsic!(vshlq_u32(self.0[half], vdupq_n_s32(-(bits as i32))))))
    }
}

impl Lanes for NeonLanes {
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self([intrinsic!(vdupq_n_u32(word)); 2])
    }

    #[inline(always)]
    fn only(lanes: u32) -> Self {
        Self(array(|half| {
            intrinsic!(vtstq_u32(vdupq_n_u32(lanes), vld1q_u32(BITS[half].as_ptr())))
        }))
    }

    #[inline(always)]
    fn words(&self) -> &[u32] {
        // SAFETY: a register is four integers, and an array of them asks for less alignment. It gives
        // access to single lanes without a copy.
        unsafe { &*std::ptr::from_ref(self).cast::<[u32; 8]>() }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u32] {
        // SAFETY: as in `words`; every array of integers is a register.
        unsafe { &mut *std::ptr::from_mut(self).cast::<[u32; 8]>() }
    }

    #[inline(always)]
    fn same(self, other: Self) -> u32 {
        let bits: [_; 2] = array(|half| {
            intrinsic!(vandq_u32(
                vceqq_u32(self.0[half], other.0[half]),
                vld1q_u32(BITS[half].as_ptr())
            ))
        });
        intrinsic!(vaddvq_u32(vorrq_u32(bits[0], bits[1])))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        // Where `self` and `b` agree, they are the majority; elsewhere `c` decides.
        (self ^ b).select(c, self)
    }

    #[inline(always)]
    fn select(self, set: Self, clear: Self) -> Self {
        Self(array(|half| intrinsic!(vbslq_u32(self.0[half], set.0[half], clear.0[half]))))
    }

    #[inline(always)]
    fn with(self, to: u32, other: Self, from: u32) -> Self {
        let other = uint8x16x2_t(
            intrinsic!(vreinterpretq_u8_u32(other.0[0])),
            intrinsic!(vreinterpretq_u8_u32(other.0[1])),
        );
        let order = order(to, from);
        Self(array(|half| {
            intrinsic!(vreinterpretq_u32_u8(vqtbx2q_u8(
                vreinterpretq_u8_u32(self.0[half]),
                other,
                order[half]
            )))
        }))
    }
}

/// Indices for the look-up: the bytes of the lanes `from` at the places of the lanes `to`, in
/// order; elsewhere indices beyond the table.
#[inline(always)]
fn order(to: u32, from: u32) -> [uint8x16_t; 2] {
    /// Each lane's number at its four bytes.
    const SPREAD: [[u8; 16]; 2] = [
        [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3],
        [4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7],
    ];
    const BYTES: u32 = u32::from_le_bytes([0, 1, 2, 3]);
    let set = |lanes: u32| (lanes & 0xff) as usize;
    intrinsic!({
        let numbers = vld1_u8(NUMBERS[set(from)].as_ptr());
        // A rank of 255 is beyond the table and stays.
        let ranks = vld1_u8(RANKS[set(to)].as_ptr());
        let lanes = vtbx1_u8(ranks, numbers, ranks);
        let lanes = vcombine_u8(lanes, lanes);
        array(|half| {
            let spread = vqtbl1q_u8(lanes, vld1q_u8(SPREAD[half].as_ptr()));
            vorrq_u8(vshlq_n_u8::<2>(spread), vreinterpretq_u8_u32(vdupq_n_u32(BYTES)))
        })
    })
}
