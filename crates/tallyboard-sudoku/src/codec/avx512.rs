//! Cells in AVX-512 registers of 32 bytes, where a plane is a mask.
//!
//! ```text
//! read:   for each byte of a band:   digit := '0' <= byte <= '9';  known := digit or byte = '.'
//!         plane q := bit q of each byte, where it is a digit
//! write:  for each byte of a band:   text := '0' + sum of 2^q where plane q has its bit
//! ```
//!
//! Departures from it:
//!
//! 1. Loads and stores are masked, because a band is five bytes short of a register.
//! 2. A comparison and a test give a mask, and a mask chooses where to add: no shuffles are needed.

use std::arch::x86_64::*;

use super::Digits;
use crate::CELLS;
use crate::batch::{BAND, Planes, Puzzles};

kernel_functions!(avx512);

/// The bytes of a band.
const FULL: __mmask32 = (1 << BAND) - 1;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn planes<const NUMBERS: bool>(line: &[u8; CELLS]) -> Option<Planes> {
    let mut planes = [[0; 3]; 4];
    let mut known = FULL;
    for band in 0..3 {
        // SAFETY: reads the 27 bytes of a band, of 81. One load a band.
        let bytes = unsafe { _mm256_maskz_loadu_epi8(FULL, line.as_ptr().add(BAND * band).cast()) };
        let value = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
        let mut digit = _mm256_cmple_epu8_mask(value, _mm256_set1_epi8(9));
        if NUMBERS {
            // The low bits of a digit's character are those of its number.
            digit |= _mm256_cmple_epu8_mask(bytes, _mm256_set1_epi8(9));
        }
        known &= digit | _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(b'.' as i8));
        for (q, plane) in planes.iter_mut().enumerate() {
            plane[band] = _mm256_mask_test_epi8_mask(digit, bytes, _mm256_set1_epi8(1 << q));
        }
    }
    (known == FULL).then_some(planes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn spell<const ZERO: u8>(planes: &Planes, target: &mut Digits) {
    for band in 0..3 {
        let mut text = _mm256_set1_epi8(ZERO as i8);
        for (q, plane) in planes.iter().enumerate() {
            text = _mm256_mask_add_epi8(text, plane[band], text, _mm256_set1_epi8(1 << q));
        }
        // SAFETY: writes the 27 bytes of a band, of 81. One store a band.
        unsafe {
            _mm256_mask_storeu_epi8(target.as_mut_ptr().add(BAND * band).cast(), FULL, text);
        }
    }
}
