//! Runs of plain lines ↔ a table, and a table → rows: 81 characters ↔ bit planes, 27 cells (a band) at
//! a time.
//!
//! For one puzzle:
//!
//! ```text
//! read:   for each cell:  value := its digit, or 0 for a dot;  anything else: the run ends
//!         for each band and q < 4: planes[q][band] := bit q of the 27 values
//! write:  for each cell:  text := '0' + sum of 2^q where planes[q] has the cell's bit
//! ```
//!
//! Departures of the code from it:
//!
//! 1. Whole runs are read and written in one call, so that everything about a line is compiled for the
//!    instruction set and the loop keeps its constants in registers.
//! 2. The vectors (`avx2`, `avx512`) take a band at a time and say how.
//!
//! Only lines of 81 digits and dots and a line break are plain; others go the way of single lines.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use std::mem::MaybeUninit;

use super::{Kernel, Table};
use crate::sudoku::CELLS;

/// Bit `q` of the 27 values of each band.
pub type Planes = [[u32; 3]; 4];

const BAND: usize = 27;

/// Bytes of a plain line: 81 cells and the line break.
pub const LINE: usize = CELLS + 1;
/// Bytes of a row `puzzle:count:solution` with a count of one digit, and its line break.
const ROW: usize = 2 * CELLS + 4;

/// The text of one puzzle, and bytes that are to become the digits of a solution.
type Text = [u8; CELLS];
type Digits = [MaybeUninit<u8>; CELLS];

/// Reads and writes cells in the vectors of a kernel.
#[derive(Clone, Copy)]
pub struct Cells(Kernel);

/// What a run of rows is made of.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The lines of the puzzles.
    pub lines: &'a [[u8; LINE]],
    /// The table that they were solved in.
    pub table: &'a Table,
    /// The number of the first puzzle in the table.
    pub first: usize,
    /// Write the solution alone, without the puzzle and its count.
    pub bare: bool,
}

/// One line at a time, in some instruction set.
trait Convert {
    /// The planes of the cells, if all of them are digits and dots.
    fn read(line: &Text) -> Option<Planes>;
    /// Copies the cells.
    fn copy(line: &Text, target: &mut Digits);
    /// Writes a solution.
    fn write(planes: &Planes, target: &mut Digits);
}

impl Cells {
    /// The fastest way that belongs to `kernel` and that the CPU can go.
    pub fn new(kernel: Kernel) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if kernel == Kernel::Avx512 && avx512::able() {
                return Self(Kernel::Avx512);
            }
            if kernel != Kernel::Portable && avx2::able() {
                return Self(Kernel::Avx2);
            }
        }
        let _ = kernel;
        Self(Kernel::Portable)
    }

    /// Adds the puzzles of plain lines to `table`, up to the first line that is not plain; how many.
    pub fn read(self, lines: &[[u8; LINE]], table: &mut Table) -> usize {
        match self.0 {
            // SAFETY: `new` has checked the CPU. Reading a puzzle becomes ten times as fast.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { avx512::read(lines, table) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { avx2::read(lines, table) },
            _ => read::<Plain>(lines, table),
        }
    }

    /// Appends rows up to the first puzzle with no solution or more than nine; how many.
    pub fn write(self, run: Run, target: &mut Vec<u8>) -> usize {
        match self.0 {
            // SAFETY: `new` has checked the CPU. Writing a solution becomes ten times as fast.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { avx512::write(run, target) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { avx2::write(run, target) },
            _ => write::<Plain>(run, target),
        }
    }

    /// The 81 digits of a solution.
    pub fn digits(self, planes: &Planes) -> [u8; CELLS] {
        let mut digits = [MaybeUninit::uninit(); CELLS];
        match self.0 {
            // SAFETY: as for `write`.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { avx512::digits(planes, &mut digits) },
            // SAFETY: as for `write`.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { avx2::digits(planes, &mut digits) },
            _ => Plain::write(planes, &mut digits),
        }
        // SAFETY: all 81 have been written.
        digits.map(|digit| unsafe { digit.assume_init() })
    }
}

#[inline(always)]
fn read<C: Convert>(lines: &[[u8; LINE]], table: &mut Table) -> usize {
    table.reserve(lines.len());
    for (number, line) in lines.iter().enumerate() {
        let Some((cells, b"\n")) = line.split_first_chunk::<CELLS>() else { return number };
        let Some(planes) = C::read(cells) else { return number };
        table.push_planes(&planes);
    }
    lines.len()
}

#[inline(always)]
fn write<C: Convert>(run: Run, target: &mut Vec<u8>) -> usize {
    if run.bare { write_bare::<C>(run, target) } else { write_whole::<C>(run, target) }
}

#[inline(always)]
fn write_whole<C: Convert>(run: Run, target: &mut Vec<u8>) -> usize {
    let Run { lines, table, first, .. } = run;
    target.reserve(lines.len() * ROW);
    let begin = target.len();
    let spare = target.spare_capacity_mut().as_chunks_mut::<ROW>().0;
    let mut written = 0;
    for (line, row) in lines.iter().zip(spare) {
        let count @ 1..10 = table.count(first + written) else { break };
        let (puzzle, rest) = row.split_first_chunk_mut().expect("a row begins with a puzzle");
        C::copy(line.first_chunk().expect("a line begins with a puzzle"), puzzle);
        let (middle, rest) = rest.split_first_chunk_mut::<3>().expect("then the count");
        *middle = [b':', b'0' + count as u8, b':'].map(MaybeUninit::new);
        let (digits, end) = rest.split_first_chunk_mut().expect("then the solution");
        C::write(&table.solution(first + written), digits);
        end[0].write(b'\n');
        written += 1;
    }
    // SAFETY: the loop has written every byte of so many rows. It saves clearing them first.
    unsafe { target.set_len(begin + written * ROW) };
    written
}

#[inline(always)]
fn write_bare<C: Convert>(run: Run, target: &mut Vec<u8>) -> usize {
    let Run { lines, table, first, .. } = run;
    target.reserve(lines.len() * LINE);
    let begin = target.len();
    let spare = target.spare_capacity_mut().as_chunks_mut::<LINE>().0;
    let mut written = 0;
    for row in &mut spare[..lines.len()] {
        if !matches!(table.count(first + written), 1..10) {
            break;
        }
        let (digits, end) = row.split_first_chunk_mut().expect("a row is a solution");
        C::write(&table.solution(first + written), digits);
        end[0].write(b'\n');
        written += 1;
    }
    // SAFETY: as in `write_whole`.
    unsafe { target.set_len(begin + written * LINE) };
    written
}

/// A cell at a time.
struct Plain;

impl Convert for Plain {
    fn read(line: &Text) -> Option<Planes> {
        let plain = |byte: u8| byte == b'.' || byte.is_ascii_digit();
        line.iter()
            .all(|&byte| plain(byte))
            .then(|| planes(&line.map(|byte| if byte == b'.' { 0 } else { byte - b'0' })))
    }

    fn copy(line: &Text, target: &mut Digits) {
        *target = line.map(MaybeUninit::new);
    }

    fn write(planes: &Planes, target: &mut Digits) {
        for (index, byte) in target.iter_mut().enumerate() {
            let bit = |q: usize| (planes[q][index / BAND] >> (index % BAND) & 1) as u8;
            byte.write(b'0' + bit(0) + 2 * bit(1) + 4 * bit(2) + 8 * bit(3));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Stop;
    use crate::sudoku::block::Engine;
    use crate::sudoku::generate::{Generator, Wish};
    use crate::sudoku::{parse_line, solve};

    fn every_form() -> impl Iterator<Item = Cells> {
        Kernel::ALL.into_iter().map(Cells::new)
    }

    fn line(cells: impl AsRef<[u8]>) -> [u8; LINE] {
        [cells.as_ref(), b"\n"].concat().try_into().unwrap()
    }

    #[test]
    fn every_byte_at_every_place_is_told_apart() {
        for cells in every_form() {
            for (place, byte) in
                (0..LINE).flat_map(|place| (0..=255).map(move |byte| (place, byte)))
            {
                let good = line([b'.'; CELLS]);
                let mut other = good;
                other[place] = byte;
                let plain =
                    if place == CELLS { byte == b'\n' } else { b".0123456789".contains(&byte) };
                let mut table = Table::default();
                let read = cells.read(&[good, other, good], &mut table);
                assert_eq!(read, if plain { 3 } else { 1 }, "{place}: {byte}");
            }
        }
    }

    #[test]
    fn rows_are_the_same_in_every_form() {
        let wish = Wish { clues: None, minimal: false, symmetric: false };
        let puzzle = |number| Generator::new(wish, 5).puzzle(number);
        let mut lines: Vec<_> = (0..70).map(|number| line(puzzle(number).to_bytes())).collect();
        // One without a solution, one with many.
        lines.insert(40, line([&b"11"[..], &[b'.'; 79]].concat()));
        lines.insert(50, line([b'.'; CELLS]));
        for cells in every_form() {
            let (mut table, stop) = (Table::default(), Stop::new());
            assert_eq!(cells.read(&lines, &mut table), lines.len());
            let mut engine = Engine::new(Kernel::Portable).unwrap();
            table.solve(&mut engine, 20, &stop).unwrap();
            for bare in [false, true] {
                let mut text = b"before".to_vec();
                let run = |first| Run { lines: &lines[first..], table: &table, first, bare };
                assert_eq!(cells.write(run(0), &mut text), 40);
                assert_eq!(cells.write(run(40), &mut text), 0);
                assert_eq!(cells.write(run(41), &mut text), 9);
                assert_eq!(cells.write(run(51), &mut text), lines.len() - 51);
                let mut expected = b"before".to_vec();
                for (index, line) in
                    lines.iter().enumerate().filter(|(index, _)| ![40, 50].contains(index))
                {
                    let grid = parse_line(&line[..CELLS]).unwrap();
                    let solution = table.answer(index).first.unwrap();
                    assert_eq!(Some(solution), solve(&grid, 1).first);
                    assert_eq!(cells.digits(&table.solution(index)), solution.to_bytes());
                    if !bare {
                        expected.extend_from_slice(&line[..CELLS]);
                        expected.extend_from_slice(b":1:");
                    }
                    expected.extend_from_slice(&solution.to_bytes());
                    expected.push(b'\n');
                }
                assert_eq!(String::from_utf8(text), String::from_utf8(expected));
            }
        }
    }
}
