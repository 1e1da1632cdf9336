//! The reference: a cell at a time.

use super::Digits;
use crate::array::array;
use crate::sudoku::CELLS;
use crate::sudoku::batch::{self, BAND, Planes, Puzzles};

kernel_functions!(portable);

fn planes<const NUMBERS: bool>(line: &[u8; CELLS]) -> Option<Planes> {
    let is_number = |byte: u8| NUMBERS && byte <= 9;
    let plain = line.iter().all(|&byte| byte == b'.' || byte.is_ascii_digit() || is_number(byte));
    let digit = |cell: usize| match line[cell] {
        b'.' => 0,
        byte if is_number(byte) => byte,
        byte => byte - b'0',
    };
    plain.then(|| batch::planes(&array(digit)))
}

fn spell<const ZERO: u8>(planes: &Planes, target: &mut Digits) {
    for (index, byte) in target.iter_mut().enumerate() {
        let bit = |q: usize| (planes[q][index / BAND] >> (index % BAND) & 1) as u8;
        byte.write(ZERO + bit(0) + 2 * bit(1) + 4 * bit(2) + 8 * bit(3));
    }
}
