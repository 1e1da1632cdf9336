//! Lines of text in any format.

use std::ops::Range;

use memchr::memchr;

use crate::CELLS;
use crate::codec::Shape;

/// Whether a line stands between records: it is empty or a comment.
pub fn is_comment(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || line.trim_ascii().is_empty()
}

/// Where `piece` stands in `text`; `None` if it is no piece of it.
pub fn place_of(piece: &[u8], text: &[u8]) -> Option<Range<usize>> {
    let at = (piece.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = at + piece.len();
    (end <= text.len()).then_some(at..end)
}

/// The shape of records like the line `first` with the puzzle `puzzle`. `None` if `puzzle` is no piece of `first`
/// or not 81 characters long, or if the line has no end.
pub fn shape(first: &[u8], puzzle: &[u8]) -> Option<Shape> {
    let line = first.strip_suffix(b"\n")?;
    let place = place_of(puzzle, line).filter(|place| place.len() == CELLS)?;
    Some(Shape { length: first.len(), at: place.start })
}

/// The text of the record at `place` without its line break, and where that stands.
pub fn record_at(text: &[u8], place: Range<usize>) -> (&[u8], Range<usize>) {
    let record = without_break(&text[place.clone()]);
    (record, place.start..place.start + record.len())
}

/// The length of the first line of `text` with its line break, and without.
pub fn line_lengths(text: &[u8]) -> (usize, usize) {
    let length = memchr(b'\n', text).map_or(text.len(), |end| end + 1);
    (length, without_break(&text[..length]).len())
}

/// `line` without its line break (LF or CRLF).
pub fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The lines of `text` with their line breaks.
pub fn lines_with_breaks(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// The lines of `text` without their line breaks.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines_with_breaks(text).map(without_break)
}

/// Writes a line that is no record. It becomes a comment if it would be read as a record otherwise.
pub fn write_comment(line: &[u8], is_record: bool, out: &mut Vec<u8>) {
    if is_record {
        out.extend_from_slice(b"# ");
    }
    out.extend_from_slice(line);
    out.push(b'\n');
}
