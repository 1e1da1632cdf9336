//! Runs of records with their puzzles at the same place ↔ a table, and a table → rows: 81 characters ↔
//! bit planes, 27 cells (a band) at a time.
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
//! 1. Whole runs are read and written in one call, so that everything about a record is compiled for
//!    the instruction set and the loop keeps its constants in registers.
//! 2. The vectors (`avx2`, `avx512`) take a band at a time and say how.
//! 3. Short text of a row is written as blocks of one size, which what follows it overwrites.
//!
//! Only 81 digits and dots are plain; other puzzles go one by one.

/// The ways in for the instructions that `$proof` proves: functions compiled by the macro `$compiled`, over
/// `planes` and `spell` of the module.
#[cfg(target_arch = "x86_64")]
macro_rules! ways_in {
    ($proof:ident, $compiled:ident) => {
        $crate::cpu::$compiled! {
            pub fn read(
                text: &[u8],
                shape: super::Shape,
                alike: impl Fn(&[u8]) -> bool,
                table: &mut Puzzles,
            ) -> usize {
                super::read::<$proof>(text, shape, alike, table)
            }

            pub fn write(
                run: super::Run,
                table: &Puzzles,
                template: &super::Template,
                target: &mut Vec<u8>,
            ) -> usize {
                super::write::<$proof>(run, table, template, target)
            }

            /// Writes the 81 digits of a solution.
            pub fn digits(planes: &Planes, target: &mut Digits) {
                spell(planes, target)
            }
        }

        /// Used in [`read`] and [`write`] alone.
        struct $proof;

        impl super::Convert for $proof {
            #[inline(always)]
            fn read(line: &[u8; CELLS]) -> Option<Planes> {
                // SAFETY: `read` alone comes here, whose callers have checked the CPU. The trait's
                // methods cannot be compiled for a CPU of their own.
                unsafe { planes(line) }
            }

            #[inline(always)]
            fn write(planes: &Planes, target: &mut Digits) {
                // SAFETY: as above.
                unsafe { spell(planes, target) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

mod template;

use std::mem::MaybeUninit;

use crate::cpu::{Instructions, Kernel};
use crate::sudoku::CELLS;
use crate::sudoku::batch::{BAND, Planes, Puzzles, planes};
use template::SHORT;
pub use template::Template;

/// Bytes that are to become the digits of a solution.
type Digits = [MaybeUninit<u8>; CELLS];

/// Reads and writes cells in the vectors of a kernel.
#[derive(Clone, Copy)]
pub struct Codec(Instructions);

/// Where the puzzle stands in each record of a run.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Bytes of a record, its line break included.
    pub length: usize,
    /// Where its puzzle begins.
    pub at: usize,
}

/// Records that were read together.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Their text.
    pub records: &'a [u8],
    pub shape: Shape,
    /// The number of the first puzzle in its table.
    pub first: usize,
}

/// One line at a time, in some instruction set.
trait Convert {
    /// The planes of the cells, if all of them are digits and dots.
    fn read(line: &[u8; CELLS]) -> Option<Planes>;
    /// Writes a solution.
    fn write(planes: &Planes, target: &mut Digits);
}

impl Codec {
    /// The way of `kernel`, or the best that the CPU can go.
    pub fn new(kernel: Kernel) -> Self {
        Self(Instructions::of_or_best(kernel))
    }

    /// Adds the puzzles of the records of `text` to `table`, up to the first whose puzzle is not plain or
    /// which is not `alike`; how many.
    pub fn read(
        self,
        text: &[u8],
        shape: Shape,
        alike: impl Fn(&[u8]) -> bool,
        table: &mut Puzzles,
    ) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => avx512::read(proof, text, shape, alike, table),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => avx2::read(proof, text, shape, alike, table),
            Instructions::Portable => read::<Plain>(text, shape, alike, table),
        }
    }

    /// Appends rows up to the first puzzle with no solution or more than nine; how many.
    pub fn write(
        self,
        run: Run,
        table: &Puzzles,
        template: &Template,
        target: &mut Vec<u8>,
    ) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => avx512::write(proof, run, table, template, target),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => avx2::write(proof, run, table, template, target),
            Instructions::Portable => write::<Plain>(run, table, template, target),
        }
    }

    /// The 81 digits of a solution.
    pub fn digits(self, planes: &Planes) -> [u8; CELLS] {
        let mut digits = [MaybeUninit::uninit(); CELLS];
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => avx512::digits(proof, planes, &mut digits),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => avx2::digits(proof, planes, &mut digits),
            Instructions::Portable => Plain::write(planes, &mut digits),
        }
        // SAFETY: all 81 have been written.
        digits.map(|digit| unsafe { digit.assume_init() })
    }
}

#[inline(always)]
fn read<C: Convert>(
    text: &[u8],
    Shape { length, at }: Shape,
    alike: impl Fn(&[u8]) -> bool,
    table: &mut Puzzles,
) -> usize {
    table.reserve(text.len() / length);
    let mut read = 0;
    for record in text.chunks_exact(length) {
        if !alike(record) {
            break;
        }
        let Some(cells) = record.get(at..).and_then(|cells| cells.first_chunk()) else { break };
        let Some(planes) = C::read(cells) else { break };
        table.push_planes(&planes);
        read += 1;
    }
    read
}

/// The usual templates get loops of their own, in which their lengths are constants.
#[inline(always)]
fn write<C: Convert>(
    run: Run,
    table: &Puzzles,
    template: &Template,
    target: &mut Vec<u8>,
) -> usize {
    if *template == Template::USUAL {
        write_rows::<C>(run, table, &Template::USUAL, target)
    } else if *template == Template::BARE {
        write_rows::<C>(run, table, &Template::BARE, target)
    } else {
        write_rows::<C>(run, table, template, target)
    }
}

#[inline(always)]
fn write_rows<C: Convert>(
    run: Run,
    table: &Puzzles,
    template: &Template,
    target: &mut Vec<u8>,
) -> usize {
    let Run { records, shape, first } = run;
    let length = template.length();
    // Room for the last block, which is longer than its text.
    target.reserve(records.len() / shape.length * length + SHORT);
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
        C::write(&table.solution(first + written), digits);
        template.end.put(rest);
        spare = &mut spare[length..];
        written += 1;
    }
    // SAFETY: the loop has written every byte of so many rows. It saves clearing them first.
    unsafe { target.set_len(begin + written * length) };
    written
}

/// A cell at a time.
struct Plain;

impl Convert for Plain {
    fn read(line: &[u8; CELLS]) -> Option<Planes> {
        let plain = |byte: u8| byte == b'.' || byte.is_ascii_digit();
        line.iter()
            .all(|&byte| plain(byte))
            .then(|| planes(&line.map(|byte| if byte == b'.' { 0 } else { byte - b'0' })))
    }

    fn write(planes: &Planes, target: &mut Digits) {
        for (index, byte) in target.iter_mut().enumerate() {
            let bit = |q: usize| (planes[q][index / BAND] >> (index % BAND) & 1) as u8;
            byte.write(b'0' + bit(0) + 2 * bit(1) + 4 * bit(2) + 8 * bit(3));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Stop;
    use crate::sudoku::batch::Solvers;
    use crate::sudoku::generate::{Generator, Wish};
    use crate::sudoku::{parse_line, solve};

    fn every_form() -> impl Iterator<Item = Codec> {
        Kernel::ALL.into_iter().map(Codec::new)
    }

    fn line(cells: impl AsRef<[u8]>) -> Vec<u8> {
        [cells.as_ref(), b"\n"].concat()
    }

    fn is_line(record: &[u8]) -> bool {
        record.ends_with(b"\n")
    }

    #[test]
    fn every_byte_at_every_place_is_told_apart() {
        for (codec, at) in every_form().flat_map(|codec| [(codec, 0), (codec, 3)]) {
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
    fn rows_are_the_same_in_every_form() {
        let wish = Wish { clues: None, minimal: false, symmetric: false };
        let puzzle = |number| Generator::new(wish, 5).unwrap().puzzle(number).to_bytes();
        let mut puzzles: Vec<_> = (0..70).map(puzzle).collect();
        // One without a solution, one with many.
        puzzles.insert(40, [&b"11"[..], &[b'.'; 79]].concat().try_into().unwrap());
        puzzles.insert(50, [b'.'; CELLS]);
        for (codec, at) in every_form().flat_map(|codec| [(codec, 0), (codec, 3)]) {
            let shape = Shape { length: at + CELLS + 1, at };
            let record = |puzzle: &[u8; CELLS]| [&b"7, "[..at], &line(puzzle)].concat();
            let text: Vec<u8> = puzzles.iter().flat_map(record).collect();
            let (mut table, stop) = (Puzzles::default(), Stop::new());
            assert_eq!(codec.read(&text, shape, is_line, &mut table), puzzles.len());
            let mut engine = Solvers::new(Kernel::Portable).unwrap();
            table.solve(&mut engine, 20, &stop).unwrap();
            let mut templates = vec![
                (Template::new(b"<", at..at + CELLS, b"|?, ", b">\n"), ["<", "|1, ", ">\n"]),
                (Template::new(b"", 0..0, b"\t", b""), ["", "\t", ""]),
            ];
            templates.extend((at == 0).then_some((Template::USUAL, ["", ":1:", "\n"])));
            templates.push((Template::BARE, ["", "", "\n"]));
            for (template, [before, middle, end]) in templates {
                let mut rows = b"before".to_vec();
                let mut write = |first| {
                    let run = Run { records: &text[first * shape.length..], shape, first };
                    codec.write(run, &table, &template, &mut rows)
                };
                assert_eq!([write(0), write(40), write(41), write(51)], [40, 0, 9, 21]);
                let mut expected = "before".to_owned();
                for (index, puzzle) in puzzles.iter().enumerate() {
                    if index == 40 || index == 50 {
                        continue;
                    }
                    let grid = parse_line(puzzle).unwrap();
                    let solution = table.answer(index).first.unwrap();
                    assert_eq!(Some(solution), solve(&grid, 1).first);
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
