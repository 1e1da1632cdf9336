//! The layout of a grid in 27 words, and its conversion from and to bit planes.
//!
//! A cell's address has four base-3 digits: its band `b` and its row `r` in the band, its stack `s`
//! and its column `c` in the stack. A value has two base-3 digits: `value - 1 = 3 * major + minor`.
//! Bit `9 * minor + 3 * s + b` of word `(major, r, c)` tells whether the value is possible in the cell.
//! So a word holds one place, `(r, c)`, of all nine boxes, for three values.
//!
//! For example, counted from 0, row 4 is row `r = 1` of band `b = 1`, and column 7 is column `c = 1` of stack `s = 2`. The
//! value 6 has `major = 1` and `minor = 2`. So bit 9 * 2 + 3 * 2 + 1 = 25 of word (1, 1, 1) tells whether that cell may be 6.
//!
//! ```text
//! word (major, r, c):   minor = 2              minor = 1              minor = 0
//!                       s=2   s=1   s=0        s=2   s=1   s=0        s=2   s=1   s=0
//!                       b 210 b 210 b 210      b 210 b 210 b 210      b 210 b 210 b 210
//! ```
//!
//! So most rules of sudoku become operations between whole words. The nine places of a box are nine words for each major.
//! The three cells of a *minirow* (the part of a row inside one box) are three of these words.

use super::lanes::{Lanes, MAX_LANES, ones};
use crate::{CELLS, Grid};
use tallyboard_base::array::array;

/// The cells of a band.
pub const BAND: usize = 27;

/// Words of a state.
pub const WORDS: usize = 27;
/// The bits of a word that are used.
pub const ALL: u32 = 0x07ff_ffff;

/// The possible values of every cell, for one puzzle a lane.
pub type State<V> = [V; WORDS];

/// The index of a word.
#[inline(always)]
pub const fn at(major: usize, r: usize, c: usize) -> usize {
    9 * major + 3 * r + c
}

/// Sixteen grids as bit planes: bit `i` of `planes[q][band][grid]` is bit `q` of the value of cell `i` of the band. The 27
/// cells of a band are counted row by row. A blank has the value 0.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct PackedGrids {
    pub planes: [[[u32; MAX_LANES]; 3]; 4],
}

impl PackedGrids {
    pub const BLANK: Self = Self { planes: [[[0; MAX_LANES]; 3]; 4] };
}

/// Bit `q` of the 27 values of each band, for one grid or for one grid in each lane.
pub type Planes<V = u32> = [[V; 3]; 4];

/// The planes of one grid of many.
#[inline(always)]
pub fn planes_of(grids: &[PackedGrids], grid: usize) -> Planes {
    let planes = &grids[grid / MAX_LANES].planes;
    array(|q| array(|band| planes[q][band][grid % MAX_LANES]))
}

#[inline(always)]
pub fn store_planes(grids: &mut [PackedGrids], grid: usize, planes: &Planes) {
    let target = &mut grids[grid / MAX_LANES].planes;
    for q in 0..4 {
        for band in 0..3 {
            target[q][band][grid % MAX_LANES] = planes[q][band];
        }
    }
}

pub fn planes(cells: &[u8; CELLS]) -> Planes {
    let mut planes: Planes = Default::default();
    for (band, cells) in cells.chunks_exact(BAND).enumerate() {
        for (eight, cells) in cells.chunks(8).enumerate() {
            let mut bytes = [0; 8];
            bytes[..cells.len()].copy_from_slice(cells);
            for (q, plane) in planes.iter_mut().enumerate() {
                plane[band] |= bits_of_bytes(bytes, q) << (8 * eight);
            }
        }
    }
    planes
}

/// Bit `q` of byte i as bit i.
#[inline(always)]
fn bits_of_bytes(bytes: [u8; 8], q: usize) -> u32 {
    let lowest = u64::from_le_bytes(bytes) >> q & u64::from_le_bytes([1; 8]);
    // Byte i of the factor moves bit 0 of byte 7 - i up to bit 7 - i of the highest byte; no two products meet.
    (lowest.wrapping_mul(u64::from_le_bytes([128, 64, 32, 16, 8, 4, 2, 1])) >> 56) as u32
}

/// The digits of the cells from `8 * eight` on in a band, a byte each. Beyond the band they are 0.
#[inline(always)]
pub fn eight_digits(planes: &Planes, band: usize, eight: usize) -> u64 {
    let bits = |q: usize| bits_to_bytes((planes[q][band] >> (8 * eight)) as u8) << q;
    bits(0) | bits(1) | bits(2) | bits(3)
}

/// Bit i as byte i, 0 or 1.
#[inline(always)]
fn bits_to_bytes(bits: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    // Byte i keeps bit i alone. What is not 0 then carries into the highest bit of its byte.
    let alone = (u64::from(bits) * ONES) & u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    (alone + 0x7f * ONES) >> 7 & ONES
}

/// The grid with these planes.
pub fn grid(planes: &Planes) -> Grid {
    let mut digits = [0; CELLS];
    for (band, digits) in digits.chunks_exact_mut(BAND).enumerate() {
        for (eight, digits) in digits.chunks_mut(8).enumerate() {
            let bytes = eight_digits(planes, band, eight).to_le_bytes();
            digits.copy_from_slice(&bytes[..digits.len()]);
        }
    }
    Grid::new(digits).expect("planes hold digits")
}

/// Exchanges the index of a word with the lowest base-3 digit of the index of a bit: bit `3 * x + d` of word `w` becomes bit
/// `3 * x + w` of word `d`.
#[inline(always)]
fn exchange_1<V: Lanes>([a, b, c]: [V; 3]) -> [V; 3] {
    let (low, middle) = (V::splat(0o111_111_111), V::splat(0o222_222_222));
    [
        low.select(a, middle.select(b << 1, c << 2)),
        low.select(a >> 1, middle.select(b, c << 1)),
        low.select(a >> 2, middle.select(b >> 1, c)),
    ]
}

/// Exchanges the index of a word with the highest base-3 digit of the index of a bit: bit `9 * d + x` of word `w` becomes bit
/// `9 * w + x` of word `d`.
#[inline(always)]
pub fn exchange_9<V: Lanes>([a, b, c]: [V; 3]) -> [V; 3] {
    let (low, middle) = (V::splat(0x1ff), V::splat(0x1ff << 9));
    [
        low.select(a, middle.select(b << 9, c << 18)),
        low.select(a >> 9, middle.select(b, c << 9)),
        low.select(a >> 18, middle.select(b >> 9, c)),
    ]
}

/// For each number from 0 to 3 the bits at which two planes hold it: the first plane has the number's lower bit, the second
/// its upper bit.
#[inline(always)]
fn by_two_bits<V: Lanes>([one, two]: [V; 2], all: V) -> [V; 4] {
    [all & !(one | two), one & !two, two & !one, one & two]
}

/// The state of these grids from number `first` on: a clue is alone in its cell, a blank cell has all values.
#[inline(always)]
pub fn state_from_planes<V: Lanes>(grids: &PackedGrids, first: usize) -> State<V> {
    let all = V::splat(ALL);
    let mut planes = [[all; 3]; 4];
    for q in 0..4 {
        for band in 0..3 {
            planes[q][band] = V::load(&grids.planes[q][band][first..]);
        }
        // From bit 9 * r + 3 * s + c of word b to bit 9 * r + 3 * s + b of word c.
        planes[q] = exchange_1(planes[q]);
    }
    let mut state = [all; WORDS];
    for c in 0..3 {
        let bits = [planes[0][c], planes[1][c], planes[2][c], planes[3][c]];
        // Indexed by the value of the lower two bits, and by that of the upper two.
        let lower = by_two_bits([bits[0], bits[1]], all);
        let upper = by_two_bits([bits[2], bits[3]], all);
        let blank = lower[0] & upper[0];
        for major in 0..3 {
            let mut minors = [all; 3];
            for (minor, word) in minors.iter_mut().enumerate() {
                let value = 3 * major + minor + 1;
                *word = blank | lower[value % 4] & upper[value / 4];
            }
            // From bit 9 * r + 3 * s + b of word minor to bit 9 * minor + 3 * s + b of word r.
            let rows = exchange_9(minors);
            for r in 0..3 {
                state[at(major, r, c)] = rows[r] & all;
            }
        }
    }
    state
}

/// The number of candidates in all cells.
#[inline(always)]
pub fn count_candidates<V: Lanes>(state: &State<V>) -> V {
    // A full adder makes two bits of three: a sum of weight 1 and a carry of weight 2. The first adders add the three columns of
    // a row. The next ones add the three sums (weights 1 and 2) and the three carries (weights 2 and 4) of the rows.
    let mut sum = V::splat(0);
    for major in 0..3 {
        let (mut one, mut two) = ([V::splat(0); 3], [V::splat(0); 3]);
        for r in 0..3 {
            let (a, b, c) =
                (state[at(major, r, 0)], state[at(major, r, 1)], state[at(major, r, 2)]);
            (one[r], two[r]) = (a ^ b ^ c, a.majority(b, c));
        }
        let (two_of_ones, four) =
            (one[0].majority(one[1], one[2]), two[0].majority(two[1], two[2]));
        let (one, two) = (one[0] ^ one[1] ^ one[2], two[0] ^ two[1] ^ two[2]);
        sum = sum + ones(one) + ((ones(two) + ones(two_of_ones)) << 1) + (ones(four) << 2);
    }
    sum
}

/// The planes of solved grids: the inverse of [`state_from_planes`].
#[inline(always)]
pub fn planes_from_state<V: Lanes>(state: &State<V>) -> Planes<V> {
    let mut planes = [[V::splat(0); 3]; 4];
    for c in 0..3 {
        for major in 0..3 {
            let rows = [state[at(major, 0, c)], state[at(major, 1, c)], state[at(major, 2, c)]];
            // From bit 9 * minor + 3 * s + b of word r to bit 9 * r + 3 * s + b of word minor.
            let minors = exchange_9(rows);
            for (minor, &word) in minors.iter().enumerate() {
                let value = 3 * major + minor + 1;
                for (q, plane) in planes.iter_mut().enumerate() {
                    if value >> q & 1 == 1 {
                        plane[c] = plane[c] | word;
                    }
                }
            }
        }
    }
    for plane in &mut planes {
        // From bit 9 * r + 3 * s + b of word c to bit 9 * r + 3 * s + c of word b.
        *plane = exchange_1(*plane);
        for word in plane {
            *word = *word & V::splat(ALL);
        }
    }
    planes
}
