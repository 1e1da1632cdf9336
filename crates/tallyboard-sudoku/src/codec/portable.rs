//! The reference, in plain Rust: all cells of a line are looked at in one loop, and become text again eight at a time.

use super::Digits;
use crate::CELLS;
use crate::batch::{self, BAND, Planes, Puzzles, eight_digits};

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
            let text = u64::from_le_bytes([ZERO; 8]) + eight_digits(planes, band, eight);
            let text = text.to_le_bytes();
            for cell in 0..target.len().min(text.len()) {
                target[cell].write(text[cell]);
            }
        }
    }
}
