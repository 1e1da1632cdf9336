//! Cells in AVX2 registers, 32 bytes at a time.
//!
//! ```text
//! read:   for each byte of 32:   known := '0' <= byte <= '9' or byte = '.';  value := byte - '0', or 0
//!         plane q := bit q of each value
//! write:  for each byte of 32:   text := '0' + sum of 2^q where plane q has its bit
//! ```
//!
//! Departures from it:
//!
//! 1. A band is 27 bytes of a register of 32. The last band is taken with the five cells before it, so that the
//!    register ends where the cells do. The other bands are taken with the five cells behind them. Masks leave
//!    these out on reading; on writing, the next band overwrites them.
//! 2. A subtraction and an unsigned comparison tell digits from the rest. To read a plane, bit q of all values is
//!    moved to the top of their bytes, and one instruction collects the top bits.
//! 3. To write a plane, it is spread over 32 bytes: a byte shuffle, and a test of one bit in each byte.

use std::arch::x86_64::*;

use super::Digits;
use crate::CELLS;
use crate::batch::{BAND, Planes, Puzzles};

kernel_functions!(avx2);

/// Where the 32 bytes of each band begin, and which of them is the band's first cell.
const WINDOWS: [(usize, u32); 3] = [(0, 0), (BAND, 0), (2 * BAND - 5, 5)];

#[inline]
#[target_feature(enable = "avx2")]
fn load(line: &[u8; CELLS], at: usize) -> __m256i {
    let bytes: &[u8; 32] = line[at..][..32].try_into().expect("32 bytes");
    // SAFETY: reads the 32 bytes of the array.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Ones in the bytes that are at most 9.
#[inline]
#[target_feature(enable = "avx2")]
fn up_to_nine(bytes: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(9)), bytes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(target: &mut Digits, at: usize, bytes: __m256i) {
    let target = &mut target[at..][..32];
    // SAFETY: writes the 32 bytes of the slice.
    unsafe { _mm256_storeu_si256(target.as_mut_ptr().cast(), bytes) }
}

/// The planes of a line's cells; `None` if it has other characters. With `NUMBERS`, the bytes 0 to 9 are digits, too.
#[inline]
#[target_feature(enable = "avx2")]
fn planes<const NUMBERS: bool>(line: &[u8; CELLS]) -> Option<Planes> {
    const FULL: u32 = (1 << BAND) - 1;
    let mut planes = [[0; 3]; 4];
    let mut known = _mm256_set1_epi8(-1);
    for (band, (at, first)) in WINDOWS.into_iter().enumerate() {
        let bytes = load(line, at);
        let value = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
        let mut digit = up_to_nine(value);
        let dot = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'.' as i8));
        let mut value = _mm256_and_si256(value, digit);
        if NUMBERS {
            let number = up_to_nine(bytes);
            value = _mm256_or_si256(value, _mm256_and_si256(bytes, number));
            digit = _mm256_or_si256(digit, number);
        }
        known = _mm256_and_si256(known, _mm256_or_si256(digit, dot));
        let top_bits = |moved: __m256i| _mm256_movemask_epi8(moved) as u32 >> first & FULL;
        // Bit q moves to the top of its byte; what enters from the neighbour stays below it.
        planes[0][band] = top_bits(_mm256_slli_epi16::<7>(value));
        planes[1][band] = top_bits(_mm256_slli_epi16::<6>(value));
        planes[2][band] = top_bits(_mm256_slli_epi16::<5>(value));
        planes[3][band] = top_bits(_mm256_slli_epi16::<4>(value));
    }
    (_mm256_movemask_epi8(known) == -1).then_some(planes)
}

/// Writes the cells of `planes`, a byte each: `ZERO` and the cell's value.
#[inline]
#[target_feature(enable = "avx2")]
fn spell<const ZERO: u8>(planes: &Planes, target: &mut Digits) {
    // Byte i of a vector tests bit i of the word: its byte i / 8, and there bit i % 8.
    let byte_of =
        _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bit_of = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    for (band, (at, first)) in WINDOWS.into_iter().enumerate() {
        let mut text = _mm256_set1_epi8(ZERO as i8);
        for (q, plane) in planes.iter().enumerate() {
            let before = if first == 0 { 0 } else { plane[band - 1] >> (BAND as u32 - first) };
            let word = (plane[band] << first | before) as i32;
            let word = _mm256_shuffle_epi8(_mm256_set1_epi32(word), byte_of);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(word, bit_of), bit_of);
            text = _mm256_add_epi8(text, _mm256_and_si256(set, _mm256_set1_epi8(1 << q)));
        }
        store(target, at, text);
    }
}
