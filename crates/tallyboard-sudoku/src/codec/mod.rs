//! Reads runs of records into a table, and writes the rows of a table: 81 characters become bit
//! planes and back, 27 cells (a band) at a time.
//!
//! For one puzzle:
//!
//! ```text
//! read:   for each cell:  value := its digit, or 0 for a dot;  anything else: the run ends
//!         for each band and q < 4: planes[q][band] := bit q of the 27 values
//! write:  for each cell:  text := '0' + sum of 2^q where planes[q] has the cell's bit
//! ```
//!
//! Cells in memory are read and written in the same way, except that numbers from 0 to 9 are read
//! as well, and written instead of digits.
//!
//! Departures of the code from this:
//!
//! 1. Whole runs are read and written in one call, so that everything about a record is compiled for
//!    the instruction set and the loop keeps its constants in registers.
//! 2. Each kernel (`neon`, `avx2`, `avx512`) takes a band at a time, and says how.
//! 3. Short text of a row is written as a block of constant length, whose end the next text overwrites.
//!
//! Only *plain* puzzles, 81 digits and dots, are read here; others are read one by one.

/// Makes the functions of a kernel. They call two functions that the module of the kernel has to have, and the macro `$compiled`
/// compiles them for its instructions. The names `Puzzles`, `Planes` and `Digits` have to be in scope.
///
/// * `planes::<NUMBERS>` makes the planes of the cells of a line. With `NUMBERS`, the bytes 0 to 9 stand for themselves too.
/// * `spell::<ZERO>` writes the cells of a solution. `ZERO` is the byte of digit 0.
macro_rules! kernel_functions {
    ($compiled:ident) => {
        tallyboard_base::cpu::$compiled! {
            pub fn read(
                text: &[u8],
                shape: super::Shape,
                same_layout: impl Fn(&[u8]) -> bool,
                table: &mut Puzzles,
            ) -> usize {
                super::read(text, shape, same_layout, table, |line| planes::<false>(line))
            }

            pub fn read_cells(cells: &[u8], table: &mut Puzzles) -> usize {
                super::read(cells, super::Shape::CELLS, |_| true, table, |cells| planes::<true>(cells))
            }

            pub fn write(
                run: super::Run,
                template: &super::Template,
                target: &mut Vec<u8>,
            ) -> usize {
                super::write(run, template, target, |planes, target| {
                    spell::<b'0'>(planes, target)
                })
            }

            pub fn write_cells(table: &Puzzles, solutions: &mut [u8], counts: &mut [u8]) {
                super::write_cells(table, solutions, counts, |planes, target| {
                    spell::<0>(planes, target)
                })
            }

            /// Writes the 81 digits of a solution.
            pub fn digits(planes: &Planes, target: &mut Digits) {
                spell::<b'0'>(planes, target)
            }
        }
    };
}

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::CELLS;
use crate::batch::{Planes, Puzzles};
use tallyboard_base::array::array;
use tallyboard_base::cpu::{Instructions, in_kernel, kernel_modules};

kernel_modules!();

/// Memory for the digits of a solution, a byte each.
type Digits = [MaybeUninit<u8>; CELLS];

/// Reads and writes cells in the vectors of a kernel.
#[derive(Clone, Copy)]
pub struct Codec(pub Instructions);

/// The length of the records of a run, and the place of their puzzles.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Bytes of a record, its line break included.
    pub length: usize,
    /// Where its puzzle begins.
    pub at: usize,
}

impl Shape {
    /// 81 cells and nothing else.
    pub const CELLS: Self = Self { length: CELLS, at: 0 };
}

/// Records that were read together.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Their text.
    pub records: &'a [u8],
    pub shape: Shape,
    /// The number of their first puzzle in the table.
    pub first: usize,
    pub table: &'a Puzzles,
}

impl Codec {
    /// Adds the puzzles of the records of `text` to `table`, up to the first record that does not have the
    /// `same_layout` or whose puzzle is not plain. Returns their number.
    pub fn read(
        self,
        text: &[u8],
        shape: Shape,
        same_layout: impl Fn(&[u8]) -> bool,
        table: &mut Puzzles,
    ) -> usize {
        in_kernel!(self.0, read(text, shape, same_layout, table))
    }

    /// Appends the rows of a run up to the first puzzle with no solution or more than nine. Returns the number of rows.
    pub fn write(self, run: Run, template: &Template, target: &mut Vec<u8>) -> usize {
        in_kernel!(self.0, write(run, template, target))
    }

    /// Adds puzzles of 81 cells each to `table`, up to the first with a cell that is neither a
    /// number up to 9 nor a digit nor a dot. Returns their number.
    pub fn read_cells(self, cells: &[u8], table: &mut Puzzles) -> usize {
        in_kernel!(self.0, read_cells(cells, table))
    }

    /// Writes the first solution of each puzzle of `table` as numbers, all 0 where there is none, and its
    /// number of solutions, which must be below 256. There is room for 81 cells for each count.
    pub fn write_cells(self, table: &Puzzles, solutions: &mut [u8], counts: &mut [u8]) {
        in_kernel!(self.0, write_cells(table, solutions, counts))
    }

    /// The 81 digits of a solution.
    pub fn digits(self, planes: &Planes) -> [u8; CELLS] {
        let mut digits = [MaybeUninit::uninit(); CELLS];
        in_kernel!(self.0, digits(planes, &mut digits));
        // SAFETY: all 81 have been written.
        array(|cell| unsafe { digits[cell].assume_init() })
    }
}

/// As [`Codec::read`]. `planes` gives the planes of 81 cells if all of them are digits and dots.
#[inline(always)]
fn read(
    text: &[u8],
    Shape { length, at }: Shape,
    same_layout: impl Fn(&[u8]) -> bool,
    table: &mut Puzzles,
    planes: impl Fn(&[u8; CELLS]) -> Option<Planes>,
) -> usize {
    table.reserve(text.len() / length);
    let mut read = 0;
    for record in text.chunks_exact(length) {
        if !same_layout(record) {
            break;
        }
        let Some(cells) = record.get(at..).and_then(|cells| cells.first_chunk()) else { break };
        let Some(planes) = planes(cells) else { break };
        table.push_planes(&planes);
        read += 1;
    }
    read
}

/// As [`Codec::write`]. `spell` writes a solution. The usual templates have loops of their own, with constant lengths.
#[inline(always)]
fn write(
    run: Run,
    template: &Template,
    target: &mut Vec<u8>,
    spell: impl Fn(&Planes, &mut Digits),
) -> usize {
    if *template == Template::USUAL {
        write_rows(run, &Template::USUAL, target, spell)
    } else if *template == Template::BARE {
        write_rows(run, &Template::BARE, target, spell)
    } else {
        write_rows(run, template, target, spell)
    }
}

/// As [`write`], for one template.
#[inline(always)]
fn write_rows(
    Run { records, shape, first, table }: Run,
    template: &Template,
    target: &mut Vec<u8>,
    spell: impl Fn(&Planes, &mut Digits),
) -> usize {
    let length = template.length();
    // Room for the last block, which is longer than its text.
    target.reserve(records.len() / shape.length * length + SHORT_TEXT_BYTES);
    let begin = target.len();
    let mut spare = target.spare_capacity_mut();
    let mut written = 0;
    for record in records.chunks_exact(shape.length) {
        let count @ 1..10 = table.count(first + written) else { break };
        template.before.put(spare);
        let rest = &mut spare[template.before.length..];
        let copied = &record[template.copied.0..template.copied.1];
        let (target, rest) = rest.split_at_mut(copied.len());
        for i in 0..copied.len() {
            target[i].write(copied[i]);
        }
        template.middle.put(rest);
        if let Some(at) = template.count {
            rest[at].write(b'0' + count as u8);
        }
        let rest = &mut rest[template.middle.length..];
        let (digits, rest) = rest.split_first_chunk_mut().expect("a row has room");
        spell(&table.solution(first + written), digits);
        template.end.put(rest);
        spare = &mut spare[length..];
        written += 1;
    }
    // SAFETY: the loop has written every byte of `written` rows. It saves clearing them first.
    unsafe { target.set_len(begin + written * length) };
    written
}

/// As [`Codec::write_cells`]. `spell` writes a solution.
#[inline(always)]
fn write_cells(
    table: &Puzzles,
    solutions: &mut [u8],
    counts: &mut [u8],
    spell: impl Fn(&Planes, &mut Digits),
) {
    for puzzle in 0..counts.len() {
        let count = table.count(puzzle);
        counts[puzzle] = count as u8;
        let planes: Planes = if count == 0 { [[0; 3]; 4] } else { table.solution(puzzle) };
        let solution: &mut [u8; CELLS] =
            solutions[CELLS * puzzle..].first_chunk_mut().expect("room for 81 cells a count");
        // SAFETY: `MaybeUninit` does not change the layout of a byte, and `spell` writes only
        // initialized bytes. It saves a copy of each solution.
        spell(&planes, unsafe { &mut *(&raw mut *solution).cast::<Digits>() });
    }
}

/// The parts of a row: text, a piece of the record, text around the count, the solution, text.
#[derive(Clone, Copy, PartialEq)]
pub struct Template {
    before: ShortText,
    /// Begin and end of the piece of the record.
    copied: (usize, usize),
    middle: ShortText,
    /// Where the digit of the count stands in `middle`.
    count: Option<usize>,
    end: ShortText,
}

/// Short text, in a block of bytes that is copied whole.
#[derive(Clone, Copy, PartialEq)]
struct ShortText {
    block: [u8; SHORT_TEXT_BYTES],
    length: usize,
}

/// Bytes of the block.
const SHORT_TEXT_BYTES: usize = 32;

impl ShortText {
    const fn new(text: &[u8]) -> Self {
        let mut block = [0; SHORT_TEXT_BYTES];
        block.split_at_mut(text.len()).0.copy_from_slice(text);
        Self { block, length: text.len() }
    }

    /// Writes the block. The caller overwrites the bytes after the text.
    #[inline(always)]
    fn put(&self, target: &mut [MaybeUninit<u8>]) {
        let target: &mut [_; SHORT_TEXT_BYTES] = target.first_chunk_mut().expect("a row has room");
        *target = array(|i| MaybeUninit::new(self.block[i]));
    }
}

impl Template {
    /// `puzzle:count:solution`
    const USUAL: Self = Self::new(b"", 0..CELLS, b":?:", b"\n");
    /// The solution alone.
    const BARE: Self = Self::new(b"", 0..0, b"", b"\n");

    /// Rows of `before`, the bytes `copied` from the record, `middle` with the count in place of its
    /// `?`, the solution, and `end`. The pieces of text have 32 bytes at most.
    pub const fn new(before: &[u8], copied: Range<usize>, middle: &[u8], end: &[u8]) -> Self {
        let mut count = None;
        let mut at = 0;
        while at < middle.len() {
            if middle[at] == b'?' {
                count = Some(at);
            }
            at += 1;
        }
        Self {
            before: ShortText::new(before),
            copied: (copied.start, copied.end),
            middle: ShortText::new(middle),
            count,
            end: ShortText::new(end),
        }
    }

    /// The length of a row.
    fn length(&self) -> usize {
        let copied = self.copied.1 - self.copied.0;
        self.before.length + copied + self.middle.length + CELLS + self.end.length
    }
}

/// The reference, in plain Rust: all cells of a line are looked at in one loop, and become text again eight at a time.
mod portable {
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
        for (band, band_text) in target.chunks_exact_mut(BAND).enumerate() {
            for (eight, piece) in band_text.chunks_mut(8).enumerate() {
                let digits = u64::from_le_bytes([ZERO; 8]) + eight_digits(planes, band, eight);
                for (cell, digit) in piece.iter_mut().zip(digits.to_le_bytes()) {
                    cell.write(digit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Solvers;
    use crate::generate::Generator;
    use crate::{Grid, parse_line, solve_up_to};
    use tallyboard_base::cpu::Kernel;
    use tallyboard_search::Stop;

    fn every_codec() -> impl Iterator<Item = Codec> {
        Instructions::all().map(Codec)
    }

    fn line(cells: impl AsRef<[u8]>) -> Vec<u8> {
        [cells.as_ref(), b"\n"].concat()
    }

    fn is_line(record: &[u8]) -> bool {
        record.ends_with(b"\n")
    }

    #[test]
    fn every_byte_at_every_place_is_told_apart() {
        for (codec, at) in every_codec().flat_map(|codec| [(codec, 0), (codec, 3)]) {
            let shape = Shape { length: at + CELLS + 1, at };
            let good = [&b"7, "[..at], &line([b'.'; CELLS])].concat();
            for (place, byte) in
                (0..=CELLS).flat_map(|place| (0..=255).map(move |byte| (place, byte)))
            {
                let mut other = good.clone();
                other[at + place] = byte;
                let plain =
                    if place == CELLS { byte == b'\n' } else { b".0123456789".contains(&byte) };
                let mut table = Puzzles::default();
                // The last one is not whole.
                let text = [&good, &other, &good, &good[..shape.length - 1]].concat();
                let read = codec.read(&text, shape, is_line, &mut table);
                assert_eq!(read, if plain { 3 } else { 1 }, "{place}: {byte}");
            }
        }
    }

    #[test]
    fn cells_are_numbers_digits_or_dots_at_every_place() {
        let bytes = (0..CELLS).flat_map(|place| (0..=255).map(move |byte| (place, byte)));
        for (codec, (place, byte)) in
            every_codec().flat_map(|codec| bytes.clone().map(move |case| (codec, case)))
        {
            let mut cells = [[0_u8; CELLS]; 3];
            cells[1][place] = byte;
            let mut table = Puzzles::default();
            let read = codec.read_cells(cells.as_flattened(), &mut table);
            let value = match byte {
                0..=9 => byte,
                b'0'..=b'9' => byte - b'0',
                b'.' => 0,
                _ => {
                    assert_eq!(read, 1, "{place}: {byte}");
                    continue;
                }
            };
            assert_eq!(read, 3, "{place}: {byte}");
            cells[1][place] = value;
            assert_eq!(table.puzzle(1).cells(), &cells[1], "{place}: {byte}");
        }
    }

    #[test]
    fn solutions_are_written_as_numbers_and_none_as_zeros() {
        for codec in every_codec() {
            let mut table = Puzzles::default();
            for number in 0..40 {
                let mut cells = *Generator::for_tests(Some(30), 5).puzzle(number).cells();
                match number % 4 {
                    1 => cells[..2].fill(1),
                    3 => cells[40..].fill(0),
                    _ => {}
                }
                table.push(&Grid::new(cells).unwrap());
            }
            table.solve(&mut Solvers::best(), 255, &Stop::new()).unwrap();
            let mut solutions = [7; 40 * CELLS];
            let mut counts = [7; 40];
            codec.write_cells(&table, &mut solutions, &mut counts);
            for (puzzle, solution) in solutions.chunks_exact(CELLS).enumerate() {
                let answer = table.answer(puzzle);
                assert_eq!(u64::from(counts[puzzle]), answer.count);
                assert_eq!(solution, answer.first.map_or([0; CELLS], |grid| *grid.cells()));
            }
            assert_eq!((counts[0], counts[1], counts[3] > 1), (1, 0, true));
        }
    }

    #[test]
    fn rows_are_the_same_in_every_kernel() {
        let puzzle = |number| Generator::for_tests(None, 5).puzzle(number).to_bytes();
        let mut puzzles: Vec<_> = (0..70).map(puzzle).collect();
        // One without a solution, one with many.
        puzzles.insert(40, [&b"11"[..], &[b'.'; 79]].concat().try_into().unwrap());
        puzzles.insert(50, [b'.'; CELLS]);
        for (codec, at) in every_codec().flat_map(|codec| [(codec, 0), (codec, 3)]) {
            let shape = Shape { length: at + CELLS + 1, at };
            let record = |puzzle: &[u8; CELLS]| [&b"7, "[..at], &line(puzzle)].concat();
            let text: Vec<u8> = puzzles.iter().flat_map(record).collect();
            let mut table = Puzzles::default();
            let stop = Stop::new();
            assert_eq!(codec.read(&text, shape, is_line, &mut table), puzzles.len());
            let mut solvers = Solvers::new(Kernel::Portable).unwrap();
            table.solve(&mut solvers, 20, &stop).unwrap();
            let mut templates = vec![
                (Template::new(b"<", at..at + CELLS, b"|?, ", b">\n"), ["<", "|1, ", ">\n"]),
                (Template::new(b"", 0..0, b"\t", b""), ["", "\t", ""]),
            ];
            templates.extend((at == 0).then_some((Template::USUAL, ["", ":1:", "\n"])));
            templates.push((Template::BARE, ["", "", "\n"]));
            for (template, [before, middle, end]) in templates {
                let mut rows = b"before".to_vec();
                let mut write = |first| {
                    let records = &text[first * shape.length..];
                    codec.write(Run { records, shape, first, table: &table }, &template, &mut rows)
                };
                assert_eq!([write(0), write(40), write(41), write(51)], [40, 0, 9, 21]);
                let mut expected = "before".to_owned();
                for (index, puzzle) in puzzles.iter().enumerate() {
                    if index == 40 || index == 50 {
                        continue;
                    }
                    let grid = parse_line(puzzle).unwrap();
                    let solution = table.answer(index).first.unwrap();
                    assert_eq!(Some(solution), solve_up_to(&grid, 1).first);
                    assert_eq!(codec.digits(&table.solution(index)), solution.to_bytes());
                    let copied =
                        if template.copied.1 == 0 { "" } else { str::from_utf8(puzzle).unwrap() };
                    expected += &format!("{before}{copied}{middle}{solution}{end}");
                }
                assert_eq!(String::from_utf8(rows).unwrap(), expected);
            }
        }
    }
}
