//! Lines of text, and pieces of them.

use std::ops::Range;

/// Where `piece` stands in `text`; `None` if it is no piece of it.
pub fn place_of(piece: &[u8], text: &[u8]) -> Option<Range<usize>> {
    let at = (piece.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = at + piece.len();
    (end <= text.len()).then_some(at..end)
}

/// Whether a line stands between records: it is empty or a comment.
pub fn is_comment(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || line.trim_ascii().is_empty()
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

/// The first line of `text`, without its line break.
pub fn first_line(text: &[u8]) -> &[u8] {
    lines(text).next().unwrap_or_default()
}
