//! What an input is, from its first bytes.

use std::io::{Chain, Cursor, Read, Result};

use super::picture::{self, Line};
use super::record::lines;
use super::{Format, csv};
use crate::sudoku::sized::Size;

/// How much of the input is looked at.
const HEAD_BYTES: u64 = 64 << 10;

/// An input whose first bytes have been looked at.
pub type Head<R> = Chain<Cursor<Vec<u8>>, R>;

/// Reads the first bytes of `input`; gives them, and the whole input again.
///
/// # Errors
/// What `input` reports.
pub fn sniff<R: Read>(mut input: R) -> Result<(Vec<u8>, Head<R>)> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(input)))
}

/// `text` without a byte order mark.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The first line that says something.
fn first_line(head: &[u8]) -> &[u8] {
    lines(head).find(|line| !line.trim_ascii().is_empty() && line[0] != b'#').unwrap_or_default()
}

/// The format of 9 × 9 grids that begin with `head`; lines if nothing else fits.
pub fn format(head: &[u8]) -> Format {
    let line = first_line(head);
    if line.trim_ascii_start().first() == Some(&b'{') {
        return Format::Jsonl;
    }
    if csv::is_header(line) {
        return Format::Csv;
    }
    match picture::classify(line).0 {
        Line::Between if !line.is_empty() => Format::Grid,
        Line::Frame | Line::Row(9) => Format::Grid,
        _ => Format::Lines,
    }
}

/// The size of the grids, if the first line shows one other than 9 × 9.
pub fn size(head: &[u8]) -> Option<Size> {
    let line = first_line(head);
    [Size::Four, Size::Sixteen, Size::TwentyFive].into_iter().find(|size| size.parse(line).is_ok())
}
