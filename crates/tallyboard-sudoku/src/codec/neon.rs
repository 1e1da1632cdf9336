//! Cells in pairs of NEON registers, 32 bytes at a time.
//!
//! ```text
//! read:
//!     for each byte of 32:
//!         known := '0' <= byte <= '9' or byte = '.'
//!         value := byte - '0' for a digit, or else 0
//!     plane q := bit q of each value
//! write:
//!     for each byte of 32:
//!         text := '0' + sum of 2^q over the planes q that have its bit
//! ```
//!
//! Departures of the code from these steps:
//!
//! 1. A band is 27 of 32 bytes. The last band is taken with the five cells before it, so that the 32 bytes end
//!    where the cells do. The other bands are taken with the five cells behind them. Masks leave these out on
//!    reading; on writing, the next band overwrites them.
//! 2. To read a plane, each byte keeps its bit among eight neighbours, and sums of neighbours turn four planes, in
//!    eight registers, into one register with a plane in each lane.
//! 3. To write a plane, it is spread over 32 bytes: a byte table look-up, and a test of one bit in each byte.

use std::arch::aarch64::*;

use super::Digits;
use crate::CELLS;
use crate::batch::{BAND, Planes, Puzzles};
use tallyboard_base::array::array;

// The functions that the codec calls, made of `planes` and `spell` below.
kernel_functions!(neon);

/// Where the 32 bytes of each band begin, and which of them is the band's first cell.
const WINDOWS: [(usize, u32); 3] = [(0, 0), (BAND, 0), (2 * BAND - 5, 5)];

/// The bit of each byte among its eight neighbours.
const BITS: u64 = 0x8040_2010_0804_0201;

/// The 32 bytes of a line from `at` on.
#[inline]
#[target_feature(enable = "neon")]
fn load(line: &[u8; CELLS], at: usize) -> [uint8x16_t; 2] {
    let bytes: &[u8; 32] = line[at..][..32].try_into().expect("32 bytes");
    // SAFETY: reads the 32 bytes of the array.
    unsafe { [vld1q_u8(bytes.as_ptr()), vld1q_u8(bytes[16..].as_ptr())] }
}

/// Writes 32 bytes of `target` from `at` on.
#[inline]
#[target_feature(enable = "neon")]
fn store(target: &mut Digits, at: usize, bytes: [uint8x16_t; 2]) {
    let target = &mut target[at..][..32];
    // SAFETY: writes the 32 bytes of the slice.
    unsafe {
        vst1q_u8(target.as_mut_ptr().cast(), bytes[0]);
        vst1q_u8(target[16..].as_mut_ptr().cast(), bytes[1]);
    }
}

/// The value of each cell, and a mask: all bits are set in the bytes that are characters of cells. With `NUMBERS`, the bytes 0
/// to 9 are cells, too.
#[inline]
#[target_feature(enable = "neon")]
fn values<const NUMBERS: bool>(bytes: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    let nine = vdupq_n_u8(9);
    let mut value = vsubq_u8(bytes, vdupq_n_u8(b'0'));
    let mut digit = vcleq_u8(value, nine);
    value = vandq_u8(value, digit);
    if NUMBERS {
        let number = vcleq_u8(bytes, nine);
        value = vbslq_u8(number, bytes, value);
        digit = vorrq_u8(digit, number);
    }
    (value, vorrq_u8(digit, vceqq_u8(bytes, vdupq_n_u8(b'.'))))
}

/// The planes of the cells in `line`; `None` if a byte is no cell.
#[inline]
#[target_feature(enable = "neon")]
fn planes<const NUMBERS: bool>(line: &[u8; CELLS]) -> Option<Planes> {
    const FULL: u32 = (1 << BAND) - 1;
    let bits = vreinterpretq_u8_u64(vdupq_n_u64(BITS));
    let mut known = vdupq_n_u8(u8::MAX);
    let mut bands = [vdupq_n_u32(0); 3];
    for (band, (at, first)) in WINDOWS.into_iter().enumerate() {
        let bytes = load(line, at);
        let ((low, low_known), (high, high_known)) =
            (values::<NUMBERS>(bytes[0]), values::<NUMBERS>(bytes[1]));
        known = vandq_u8(known, vandq_u8(low_known, high_known));
        let mut pairs = [vdupq_n_u8(0); 4];
        for q in 0..4 {
            let bit = vdupq_n_u8(1 << q);
            let [low, high] =
                [vandq_u8(vtstq_u8(low, bit), bits), vandq_u8(vtstq_u8(high, bit), bits)];
            pairs[q] = vpaddq_u8(low, high);
        }
        let (first_two, last_two) = (vpaddq_u8(pairs[0], pairs[1]), vpaddq_u8(pairs[2], pairs[3]));
        let planes = vreinterpretq_u32_u8(vpaddq_u8(first_two, last_two));
        let planes = vshlq_u32(planes, vdupq_n_s32(-(first as i32)));
        bands[band] = vandq_u32(planes, vdupq_n_u32(FULL));
    }
    let mut planes: Planes = [[0; 3]; 4];
    // SAFETY: twelve words, the bands of each plane side by side.
    unsafe { vst3q_u32(planes.as_mut_ptr().cast(), uint32x4x3_t(bands[0], bands[1], bands[2])) };
    (vminvq_u8(known) != 0).then_some(planes)
}

/// Writes the cells of `planes`, a byte each: `ZERO` and the cell's value.
#[inline]
#[target_feature(enable = "neon")]
fn spell<const ZERO: u8>(planes: &Planes, target: &mut Digits) {
    // Byte i of 32 tests bit i of the word: its byte i / 8, and there bit i % 8.
    let byte_of =
        [vcombine_u8(vdup_n_u8(0), vdup_n_u8(1)), vcombine_u8(vdup_n_u8(2), vdup_n_u8(3))];
    let bits = vreinterpretq_u8_u64(vdupq_n_u64(BITS));
    for (band, (at, first)) in WINDOWS.into_iter().enumerate() {
        let mut text = [vdupq_n_u8(ZERO); 2];
        for (q, plane) in planes.iter().enumerate() {
            let before = if first == 0 { 0 } else { plane[band - 1] >> (BAND as u32 - first) };
            let word = vreinterpretq_u8_u32(vdupq_n_u32(plane[band] << first | before));
            let bit = vdupq_n_u8(1 << q);
            text = array(|half| {
                let set = vtstq_u8(vqtbl1q_u8(word, byte_of[half]), bits);
                vbslq_u8(bit, set, text[half])
            });
        }
        store(target, at, text);
    }
}
