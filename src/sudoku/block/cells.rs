//! 81 characters ↔ bit planes, 27 cells (a band) at a time.
//!
//! For one band:
//!
//! ```text
//! read:   for each cell:  value := its digit, or 0 for a dot;  anything else: give up
//!         for each q < 4: planes[q] := bit q of the 27 values
//! write:  for each cell:  text := '0' + sum of 2^q where planes[q] has the cell's bit
//! ```
//!
//! Departures of the vectors from it:
//!
//! 1. They take 32 bytes at a time, five more than the band has: those come out of the masks again, and
//!    a text that ends before them goes the plain way.
//! 2. A subtraction and an unsigned comparison tell digits from the rest; a bit of all values is moved
//!    to the top of their bytes and taken from there at once.
//! 3. Writing spreads each plane over 32 bytes (a byte shuffle and a test of one bit each).
//!
//! Digits and dots only: a line with other blanks goes the plain way.

use crate::sudoku::CELLS;

/// Bit `q` of the 27 values of each band.
pub type Planes = [[u32; 3]; 4];

const BAND: usize = 27;

/// Bytes that the vectors touch from the beginning of a line: 81 and five more.
pub const REACH: usize = 2 * BAND + 32;

/// Reads and writes cells with the fastest instructions there are.
#[derive(Clone, Copy)]
pub struct Cells {
    #[cfg(target_arch = "x86_64")]
    avx2: bool,
}

impl Cells {
    /// `fast` allows vectors where the CPU has them.
    pub fn new(fast: bool) -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self { avx2: fast && is_x86_feature_detected!("avx2") };
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = fast;
            Self {}
        }
    }

    /// The planes of the 81 characters that `text` begins with, if they are digits and dots;
    /// `None` may also mean that the quick way cannot tell.
    #[inline]
    pub fn read(self, text: &[u8]) -> Option<Planes> {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            let window = text.first_chunk::<REACH>()?;
            // SAFETY: `new` has seen AVX2; reading a puzzle becomes ten times as fast.
            return unsafe { read_avx2(window) };
        }
        let cells = text.first_chunk::<CELLS>()?;
        let plain = |byte: u8| byte == b'.' || byte.is_ascii_digit();
        cells
            .iter()
            .all(|&byte| plain(byte))
            .then(|| planes(&cells.map(|byte| if byte == b'.' { 0 } else { byte - b'0' })))
    }

    /// Writes a solution's 81 digits to the beginning of `target`, and anything to the rest.
    #[inline]
    pub fn write(self, planes: &Planes, target: &mut [u8; REACH]) {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `new` has seen AVX2; writing a solution becomes ten times as fast.
            return unsafe { write_avx2(planes, target) };
        }
        for (index, byte) in target[..CELLS].iter_mut().enumerate() {
            let bit = |q: usize| (planes[q][index / BAND] >> (index % BAND) & 1) as u8;
            *byte = b'0' + bit(0) + 2 * bit(1) + 4 * bit(2) + 8 * bit(3);
        }
    }
}

/// The planes of 81 values.
pub fn planes(cells: &[u8; CELLS]) -> Planes {
    let mut planes = Planes::default();
    for (band, cells) in cells.chunks_exact(BAND).enumerate() {
        for (place, &value) in cells.iter().enumerate() {
            for (q, plane) in planes.iter_mut().enumerate() {
                plane[band] |= u32::from(value >> q & 1) << place;
            }
        }
    }
    planes
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn read_avx2(text: &[u8; REACH]) -> Option<Planes> {
    use std::arch::x86_64::*;
    const FULL: u32 = (1 << BAND) - 1;
    let mut planes = Planes::default();
    let mut known = FULL;
    for band in 0..3 {
        // SAFETY: 27 * band + 32 is at most REACH. One load a band, and no bounds to check.
        let bytes = unsafe { _mm256_loadu_si256(text.as_ptr().add(BAND * band).cast()) };
        let value = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
        let digit = _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value);
        let dot = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'.' as i8));
        known &= _mm256_movemask_epi8(_mm256_or_si256(digit, dot)) as u32;
        let value = _mm256_and_si256(value, digit);
        // Bit q moves to the top of its byte; what enters from the neighbour stays below it.
        planes[0][band] = _mm256_movemask_epi8(_mm256_slli_epi16::<7>(value)) as u32 & FULL;
        planes[1][band] = _mm256_movemask_epi8(_mm256_slli_epi16::<6>(value)) as u32 & FULL;
        planes[2][band] = _mm256_movemask_epi8(_mm256_slli_epi16::<5>(value)) as u32 & FULL;
        planes[3][band] = _mm256_movemask_epi8(_mm256_slli_epi16::<4>(value)) as u32 & FULL;
    }
    (known == FULL).then_some(planes)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn write_avx2(planes: &Planes, target: &mut [u8; REACH]) {
    use std::arch::x86_64::*;
    // Byte i of a vector looks at bit i of the word: its byte i / 8, and there bit i % 8.
    let byte_of =
        _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bit_of = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    for band in 0..3 {
        let mut text = _mm256_set1_epi8(b'0' as i8);
        for (q, plane) in planes.iter().enumerate() {
            let word = _mm256_shuffle_epi8(_mm256_set1_epi32(plane[band] as i32), byte_of);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(word, bit_of), bit_of);
            text = _mm256_add_epi8(text, _mm256_and_si256(set, _mm256_set1_epi8(1 << q)));
        }
        // SAFETY: 27 * band + 32 is at most REACH. One store a band, and no bounds to check.
        unsafe { _mm256_storeu_si256(target.as_mut_ptr().add(BAND * band).cast(), text) };
    }
}
