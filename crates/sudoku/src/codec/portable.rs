//! The reference, in plain Rust: all cells of a line are looked at in one loop, and become text again eight at a time.

use super::Digits;
use crate::CELLS;
use crate::batch::{self, BAND, Planes, Puzzles};

kernel_functions!(portable);

fn planes<const NUMBERS: bool>(line: &[u8; CELLS]) -> Option<Planes> {
    let mut plain = true;
    let mut digits = [0; CELLS];
    // Without an early end, so that compilers make vector instructions of it.
    for cell in 0..CELLS {
        let digit = match line[cell] {
            b'.' => 0,
            byte if NUMBERS && byte <= 9 => byte,
            byte => byte.wrapping_sub(b'0'),
        };
        digits[cell] = digit;
        plain &= digit <= 9;
    }
    plain.then(|| batch::planes(&digits))
}

fn spell<const ZERO: u8>(planes: &Planes, target: &mut Digits) {
    for (band, target) in target.chunks_exact_mut(BAND).enumerate() {
        for (eight, target) in target.chunks_mut(8).enumerate() {
            let bits = |q: usize| bits_to_bytes((planes[q][band] >> (8 * eight)) as u8) << q;
            let text = u64::from_le_bytes([ZERO; 8]) + (bits(0) | bits(1) | bits(2) | bits(3));
            let text = text.to_le_bytes();
            for cell in 0..target.len().min(text.len()) {
                target[cell].write(text[cell]);
            }
        }
    }
}

/// Bit i as byte i, 0 or 1.
fn bits_to_bytes(bits: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    // Byte i keeps bit i alone. What is not 0 then carries into the highest bit of its byte.
    let alone = (u64::from(bits) * ONES) & u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    (alone + 0x7f * ONES) >> 7 & ONES
}
