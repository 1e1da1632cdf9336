//! Lists of keys, four at a time: lanes of a mask moved together, and bits counted in samples.

use std::arch::aarch64::*;

use crate::halves::kernel::portable::Squeeze;
use crate::halves::kernel::{Key, SAMPLES, Writer};
use crate::pack::{BYTES32, BYTES64};
use tallyboard_base::array::array;

/// Keys that are looked at together.
const LANES: usize = 4;
/// What each lane adds to the sum over a mask: its bit of the mask, and 16 to count the lane.
const LANE_BITS: [u32; LANES] = [0x11, 0x12, 0x14, 0x18];

/// The mask of the lanes that hold their [`LANE_BITS`], and the number of these lanes.
#[inline]
#[target_feature(enable = "neon")]
fn lanes(bits: uint32x4_t) -> (usize, usize) {
    let sum = vaddvq_u32(bits) as usize;
    (sum % 16, sum / 16)
}

#[inline]
#[target_feature(enable = "neon")]
fn lane_bits() -> uint32x4_t {
    half_words::load(&LANE_BITS)
}

/// The functions that read alike for both widths.
macro_rules! lists {
    ($key:ty) => {
        /// Calls `each` with four keys and their number, until all keys have been taken. The last four may be fewer:
        /// then the other lanes are zero.
        #[inline]
        #[target_feature(enable = "neon")]
        fn fours(keys: &[$key], mut each: impl FnMut(Lanes, usize)) {
            let (whole, rest) = keys.as_chunks::<LANES>();
            for keys in whole {
                each(load(keys), LANES);
            }
            if !rest.is_empty() {
                let mut last = [0; LANES];
                for i in 0..rest.len() {
                    last[i] = rest[i];
                }
                each(load(&last), rest.len());
            }
        }

        /// Replaces `without` by the keys that lack `bit`, and if `WITH`, `with` by the rest. Returns the bits in each.
        #[inline]
        #[target_feature(enable = "neon")]
        pub(in super::super) fn split<const WITH: bool>(
            keys: &[$key],
            bit: u32,
            without: &mut Vec<$key>,
            with: &mut Vec<$key>,
        ) -> [u64; 2] {
            without.clear();
            with.clear();
            let mut without = Writer::new(without, keys.len());
            let mut with = Writer::new(with, if WITH { keys.len() } else { 0 });
            let mut union = [splat(0); 2];
            let bit = splat(1 << bit);
            fours(keys, |keys, len| {
                let (mask, count) = lanes(vbicq_u32(lane_bits(), meets(keys, bit)));
                let have = LANES - count;
                // SAFETY: no writer gets a key twice, and each that is used has room for all keys.
                unsafe {
                    let lack = pack(keys, mask, 0);
                    without.push(lack, len - have);
                    union[0] = or(union[0], lack);
                    if WITH {
                        let others = pack(keys, mask, 1);
                        with.push(others, have);
                        union[1] = or(union[1], others);
                    }
                }
            });
            // SAFETY: no writer has been given more than all keys.
            unsafe {
                without.finish();
                with.finish();
            }
            array(|i| self::union(union[i]))
        }

        /// The number of samples that have each bit.
        #[inline]
        #[target_feature(enable = "neon")]
        pub(in super::super) fn bit_frequencies(keys: &[$key]) -> [u16; 64] {
            let mut digits = [vdupq_n_u8(0); 8];
            let mut place = 0;
            while place < usize::from(SAMPLES) / LANES {
                let samples;
                (samples, place) = self::samples(keys, place);
                add_eight(&mut digits, samples);
            }
            spread(&digits, size_of::<$key>())
        }
    };
}

/// Four keys in one register.
pub(super) mod half_words {
    use super::*;

    type Lanes = uint32x4_t;

    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn load(keys: &[u32; LANES]) -> Lanes {
        // SAFETY: four keys fill a register.
        unsafe { vld1q_u32(keys.as_ptr()) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn splat(key: u32) -> Lanes {
        vdupq_n_u32(key)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn or(a: Lanes, b: Lanes) -> Lanes {
        vorrq_u32(a, b)
    }

    /// All ones in the lanes that have a bit in common.
    #[inline]
    #[target_feature(enable = "neon")]
    fn meets(a: Lanes, b: Lanes) -> uint32x4_t {
        vtstq_u32(a, b)
    }

    /// The lanes in `mask`, or if `which` is 1 the other lanes, moved together; zeros follow.
    #[inline]
    #[target_feature(enable = "neon")]
    fn pack(keys: Lanes, mask: usize, which: usize) -> Lanes {
        // SAFETY: an entry of the table is 16 bytes, one register.
        let order = unsafe { vld1q_u8(BYTES32[mask][which].as_ptr()) };
        vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(keys), order))
    }

    /// The bits that occur in some lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn union(keys: Lanes) -> u64 {
        let pairs = vreinterpretq_u64_u32(keys);
        let union = vgetq_lane_u64::<0>(pairs) | vgetq_lane_u64::<1>(pairs);
        (union | union >> 32) & u64::from(u32::MAX)
    }

    /// Eight registers of samples, from `place` on, and the place after them.
    #[inline]
    #[target_feature(enable = "neon")]
    fn samples(keys: &[u32], place: usize) -> ([uint8x16_t; 8], usize) {
        (array(|i| vreinterpretq_u8_u32(load(&near(keys, place + i)))), place + 8)
    }

    lists!(u32);
}

/// Four keys in two registers.
pub(super) mod words {
    use super::*;

    type Lanes = [uint64x2_t; 2];

    #[inline]
    #[target_feature(enable = "neon")]
    fn load(keys: &[u64; LANES]) -> Lanes {
        // SAFETY: two keys fill a register.
        unsafe { [vld1q_u64(keys.as_ptr()), vld1q_u64(keys[2..].as_ptr())] }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn splat(key: u64) -> Lanes {
        [vdupq_n_u64(key); 2]
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn or(a: Lanes, b: Lanes) -> Lanes {
        [vorrq_u64(a[0], b[0]), vorrq_u64(a[1], b[1])]
    }

    /// All ones in the lanes that have a bit in common.
    #[inline]
    #[target_feature(enable = "neon")]
    fn meets(a: Lanes, b: Lanes) -> uint32x4_t {
        let meets = |i: usize| vreinterpretq_u32_u64(vtstq_u64(a[i], b[i]));
        vuzp1q_u32(meets(0), meets(1))
    }

    /// The lanes in `mask`, or if `which` is 1 the other lanes, moved together; zeros follow.
    #[inline]
    #[target_feature(enable = "neon")]
    fn pack(keys: Lanes, mask: usize, which: usize) -> Lanes {
        let bytes = uint8x16x2_t(vreinterpretq_u8_u64(keys[0]), vreinterpretq_u8_u64(keys[1]));
        array(|i| {
            // SAFETY: an entry of the table is 32 bytes, two registers.
            let order = unsafe { vld1q_u8(BYTES64[mask][which][16 * i..].as_ptr()) };
            vreinterpretq_u64_u8(vqtbl2q_u8(bytes, order))
        })
    }

    /// The bits that occur in some lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn union(keys: Lanes) -> u64 {
        let union = vorrq_u64(keys[0], keys[1]);
        vgetq_lane_u64::<0>(union) | vgetq_lane_u64::<1>(union)
    }

    /// Eight registers of samples, from `place` on, and the place after them.
    #[inline]
    #[target_feature(enable = "neon")]
    fn samples(keys: &[u64], place: usize) -> ([uint8x16_t; 8], usize) {
        let fours: [_; 4] = array(|i| load(&near(keys, place + i)));
        (array(|i| vreinterpretq_u8_u64(fours[i / 2][i % 2])), place + 4)
    }

    lists!(u64);

    /// Replaces `out` by the keys, with the bits of the mask moved together at the low end.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn narrow(keys: &[u64], squeeze: &Squeeze, out: &mut Vec<u32>) {
        out.clear();
        let mut out = Writer::new(out, keys.len());
        let (mask, moves) =
            (vdupq_n_u64(squeeze.mask), squeeze.moves.map(|bits| vdupq_n_u64(bits)));
        fours(keys, |keys, len| {
            let narrow = |keys: uint64x2_t| {
                let mut key = vandq_u64(keys, mask);
                // The bits move to places that are zero: an addition puts them there.
                macro_rules! step {
                    ($step:literal, $distance:literal) => {
                        let moving = vandq_u64(key, moves[$step]);
                        key = vsraq_n_u64::<$distance>(veorq_u64(key, moving), moving);
                    };
                }
                step!(0, 1);
                step!(1, 2);
                step!(2, 4);
                step!(3, 8);
                step!(4, 16);
                step!(5, 32);
                vreinterpretq_u32_u64(key)
            };
            let keys = vuzp1q_u32(narrow(keys[0]), narrow(keys[1]));
            // SAFETY: `out` has room for all keys and gets each of them once.
            unsafe { out.push(keys, len) };
        });
        // SAFETY: `out` has been given each key once.
        unsafe { out.finish() };
    }

    /// Appends the unions of all disjoint pairs to `out`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in super::super) fn unions(top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
        let (long, short) = if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
        let mut out = Writer::new(out, long.len() * short.len());
        let used = |len: usize| {
            let lanes = array(|lane| if lane < len { LANE_BITS[lane] } else { 0 });
            half_words::load(&lanes)
        };
        fours(long, |keys, len| {
            let bits = if len == LANES { lane_bits() } else { used(len) };
            for &key in short {
                let key = splat(key);
                let (mask, count) = lanes(vbicq_u32(bits, meets(keys, key)));
                // SAFETY: `out` has room for a key of each pair and gets no more.
                unsafe { out.push(pack(or(keys, key), mask, 0), count) };
            }
        });
        // SAFETY: `out` has been given at most one key for each pair.
        unsafe { out.finish() };
    }
}

/// The samples of [`Lists::bit_frequencies`](crate::halves::kernel::Lists::bit_frequencies) at one of 64 places along the list.
#[inline]
fn near<K: Key>(keys: &[K], place: usize) -> [K; LANES] {
    match keys.len().checked_sub(LANES) {
        Some(last) => {
            let first = last * place / (usize::from(SAMPLES) / LANES);
            array(|i| keys[first + i])
        }
        None => array(|i| keys[(place * LANES + i) % keys.len()]),
    }
}

/// Adds eight registers to binary counters, one for each bit of a register; `digits[d]` holds their digits for 2^d.
#[inline]
#[target_feature(enable = "neon")]
fn add_eight(digits: &mut [uint8x16_t; 8], mut carries: [uint8x16_t; 8]) {
    for digit in 0..3 {
        for i in 0..4 >> digit {
            carries[i] = add_bits(&mut digits[digit], carries[2 * i], carries[2 * i + 1]);
        }
    }
    let mut carry = carries[0];
    for digit in &mut digits[3..] {
        let next = vandq_u8(*digit, carry);
        *digit = veorq_u8(*digit, carry);
        carry = next;
    }
}

/// Adds two registers to `sum`, bit by bit; returns the carries.
#[inline]
#[target_feature(enable = "neon")]
fn add_bits(sum: &mut uint8x16_t, b: uint8x16_t, c: uint8x16_t) -> uint8x16_t {
    let differ = veorq_u8(*sum, b);
    *sum = veorq_u8(differ, c);
    vbslq_u8(differ, c, b)
}

/// How often each bit of a key occurs. `digits` has a counter for each bit of a register. Those for the same bit of a
/// key are added up: a register has several keys, of `bytes` bytes each.
#[inline]
#[target_feature(enable = "neon")]
fn spread(digits: &[uint8x16_t; 8], bytes: usize) -> [u16; 64] {
    let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    let mut sums = [vdupq_n_u16(0); 8];
    for part in 0..8 {
        let order = vcombine_u8(vdup_n_u8(2 * part as u8), vdup_n_u8(2 * part as u8 + 1));
        let mut numbers = vdupq_n_u8(0);
        for &digit in digits.iter().rev() {
            let ones = vtstq_u8(vqtbl1q_u8(digit, order), bits);
            numbers = vsubq_u8(vaddq_u8(numbers, numbers), ones);
        }
        let at = 2 * part % bytes;
        sums[at] = vaddw_u8(sums[at], vget_low_u8(numbers));
        sums[at + 1] = vaddw_high_u8(sums[at + 1], numbers);
    }
    let mut frequencies = [0; 64];
    for (sum, eight) in sums.into_iter().zip(frequencies.as_chunks_mut::<8>().0) {
        // SAFETY: eight numbers fill a register.
        unsafe { vst1q_u16(eight.as_mut_ptr(), sum) };
    }
    frequencies
}
