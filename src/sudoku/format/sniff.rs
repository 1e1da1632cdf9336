//! What an input is, from its first bytes.

use std::io::{self, Cursor, ErrorKind, Read};

use super::csv::Csv;
use super::syntax::Syntax;
use super::text::{is_between, lines_of, without_break};
use super::{FormError, Table};
use crate::cpu::Instructions;
use crate::sudoku::sized::{Notation, Puzzle, Size};

/// Comments before the first record are read up to here.
const HEAD_BYTES: usize = 64 << 10;

/// An input whose first bytes have been looked at. What it says last, the end or an error, it says
/// once: a terminal would want its end to be typed again.
pub struct Head<R> {
    bytes: Cursor<Vec<u8>>,
    /// What came behind the first bytes.
    error: Option<io::Error>,
    /// None at the end.
    input: Option<R>,
}

impl<R: Read> Read for Head<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Some(input) = &mut self.input else { return Ok(0) };
        let read = input.read(buffer)?;
        if read == 0 {
            self.input = None;
        }
        Ok(read)
    }
}

/// Reads the first bytes of `input`, to the end of the first line that says something (of the
/// second, if the first is a CSV header) and as much behind it as is there; gives them, and the
/// whole input again. An error behind the first bytes is kept for whoever reads on.
///
/// # Errors
/// What `input` reports before its first byte.
pub fn sniff<R: Read>(input: R) -> io::Result<(Vec<u8>, Head<R>)> {
    sniff_until(input, |head| {
        let whole = |(before, line): (usize, &[u8])| {
            before + line.len() >= HEAD_BYTES || line.ends_with(b"\n")
        };
        let (before, first) = first_line(head);
        // The size of grids shows in the record behind a header.
        let is_header = || Csv::of(without_break(first)).is_some();
        whole((before, first)) && (!is_header() || whole(first_line(&head[before + first.len()..])))
    })
}

/// Reads the first bytes of `input` until they are `enough`.
pub(super) fn sniff_until<R: Read>(
    mut input: R,
    enough: impl Fn(&[u8]) -> bool,
) -> io::Result<(Vec<u8>, Head<R>)> {
    let (mut bytes, mut ended, mut error) = (Vec::new(), false, None);
    while !ended && error.is_none() && !enough(&bytes) {
        let length = bytes.len();
        bytes.resize(length + HEAD_BYTES, 0);
        let read = input.read(&mut bytes[length..]);
        bytes.truncate(length + read.as_ref().map_or(0, |&read| read));
        match read {
            Ok(read) => ended = read == 0,
            Err(it) if it.kind() == ErrorKind::Interrupted => {}
            Err(it) if length == 0 => return Err(it),
            Err(it) => error = Some(it),
        }
    }
    let input = (!ended).then_some(input);
    Ok((bytes.clone(), Head { bytes: Cursor::new(bytes), error, input }))
}

/// The byte order mark of UTF-8.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// `text` without a byte order mark.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Refuses what is no text in UTF-8 at once.
pub fn text(head: &[u8]) -> Result<(), FormError> {
    let sixteen = |name| FormError::NoText(name, "try iconv -f UTF-16 -t UTF-8");
    match head {
        [0xff, 0xfe, ..] => Err(sixteen("UTF-16 (little-endian)")),
        [0xfe, 0xff, ..] => Err(sixteen("UTF-16 (big-endian)")),
        [first, 0, ..] if first.is_ascii() => Err(sixteen("UTF-16 (little-endian, unmarked)")),
        [0, second, ..] if second.is_ascii() => Err(sixteen("UTF-16 (big-endian, unmarked)")),
        _ => Ok(()),
    }
}

/// The first line that says something, and how many bytes stand before it.
pub fn first_line(head: &[u8]) -> (usize, &[u8]) {
    let mut before = 0;
    for line in lines_of(head) {
        if !is_between(line) {
            return (before, line);
        }
        before += line.len();
    }
    (before, &[])
}

/// The size of the grids in an input whose first record is `record`, and how their values are written if
/// that record decides it; `wanted` is a size that is known.
pub fn size(record: &[u8], syntax: &dyn Syntax, wanted: Option<Size>) -> (Size, Option<Notation>) {
    let read = |size| {
        let mut table = Table::new(Instructions::Portable, size, None, false);
        syntax.read(record, &mut table);
        match table.only_puzzle() {
            Some(Puzzle::Sized(grid)) => Some((size, grid.notation())),
            _ => None,
        }
    };
    let others = [Size::Four, Size::Sixteen, Size::TwentyFive];
    let found =
        others.into_iter().filter(|&size| wanted.is_none_or(|it| it == size)).find_map(read);
    let (size, notation) =
        found.map_or((wanted.unwrap_or(Size::Nine), None), |it| (it.0, Some(it.1)));
    (size, notation.filter(|&notation| notation == Notation::DigitsAndLetters))
}
