//! Lines of text in any format.

use memchr::memchr;

use super::codec::Shape;
use crate::CELLS;

/// Whether a line stands between records: it is empty or a comment.
pub fn is_between(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || line.trim_ascii().is_empty()
}

/// The shape of records like the line `first` with the puzzle `puzzle`. `None` if `puzzle` is no piece of `first`
/// or not 81 characters long, or if the line has no end.
pub fn shape(first: &[u8], puzzle: &[u8]) -> Option<Shape> {
    let at = (puzzle.as_ptr() as usize).wrapping_sub(first.as_ptr() as usize);
    let is_piece = puzzle.len() == CELLS && at < first.len().saturating_sub(CELLS);
    (is_piece && first.ends_with(b"\n")).then_some(Shape { length: first.len(), at })
}

/// The length of the first line of `text`, with and without its line break.
pub fn line_end(text: &[u8]) -> (usize, usize) {
    let length = memchr(b'\n', text).map_or(text.len(), |end| end + 1);
    (length, without_break(&text[..length]).len())
}

/// `line` without its line break (LF or CRLF).
pub fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The lines of `text` with their line breaks.
pub fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// The lines of `text` without their line breaks.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines_of(text).map(without_break)
}
