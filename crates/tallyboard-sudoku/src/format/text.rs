//! Lines of text, and pieces of them.

use std::ops::Range;

pub use tallyboard_base::text::lines::without_break;

use crate::grid::digit_of;

/// Where `piece` stands in `text`; `None` if it is no piece of it.
pub fn place_of(piece: &[u8], text: &[u8]) -> Option<Range<usize>> {
    let at = (piece.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = at + piece.len();
    (end <= text.len()).then_some(at..end)
}

/// Whether a line stands between records: it is empty or a comment, which may be indented.
pub fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#' | b'%'))
        && sign_of_bars(line).is_none()
}

/// Whether frames are made of this sign besides the usual ones, though lines may begin with some of them for another reason.
fn is_sign(byte: u8) -> bool {
    matches!(byte, b'#' | b'!' | b'/' | b'\\' | b'$' | b'%' | b'&' | b'@')
}

/// The sign that stands for the bars of a row such as `# 5 3 . # . 7 . # . . . #`: at both ends, and between groups of as many
/// cells each.
pub fn sign_of_bars(line: &[u8]) -> Option<u8> {
    let sign = sign_at_both_ends(line)?;
    let line = line.trim_ascii();
    let is_cell = |byte: &&u8| !b" \t".contains(byte);
    let mut groups = line[1..line.len() - 1]
        .split(|&byte| byte == sign)
        .map(|group| group.iter().filter(is_cell).count());
    let first = groups.next()?;
    let may_be_cell = |byte: &u8| digit_of(*byte).is_some() || b" \t".contains(byte);
    let is_row = first > 1
        && groups.clone().count() > 0
        && groups.all(|cells| cells == first)
        && line.iter().all(|byte| *byte == sign || may_be_cell(byte));
    is_row.then_some(sign)
}

/// Whether a line is a frame of such signs alone, or with lines between them, such as `#-------#`.
pub fn is_frame_of_signs(line: &[u8]) -> bool {
    sign_at_both_ends(line).is_some_and(|sign| {
        let line = line.trim_ascii();
        line.len() > 4 && line.iter().all(|&byte| byte == sign || b"-=_~+ ".contains(&byte))
    })
}

/// The sign at both ends of a line, if it is one of those.
pub fn sign_at_both_ends(line: &[u8]) -> Option<u8> {
    // Nearly all lines are told by their first byte.
    let line = line.trim_ascii_start();
    let sign = *line.first().filter(|&&byte| is_sign(byte))?;
    let line = line.trim_ascii_end();
    (line.len() > 2 && line.last() == Some(&sign)).then_some(sign)
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
