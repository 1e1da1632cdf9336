//! Pictures: nine lines of nine cells, bare (.sdk files) or in frames of `|`, `-`, `+` and the box drawing characters.
//!
//! A line of frame alone is skipped. Nine bare dashes may be a row of blanks or a frame (`dashes_are_rows`
//! decides). Spaces are no cells. Empty lines, lines that begin with `#` or `[`, and headings (`Grid 01`) may stand
//! between pictures; they end an unfinished picture.

use std::ops::Range;

use super::syntax::{Input, Style, Syntax, lines_with_breaks, record_at, write_comment};
use super::table::{Record, Table};
use crate::LineError;
use crate::columns::{Content, Value};
use crate::grid::digit_of;

const ROWS: usize = 9;

/// Nine lines a puzzle.
#[derive(Debug)]
pub struct GridPicture {
    /// Written with frames.
    pub has_frames: bool,
}

/// The kind of a line in a picture.
#[derive(Debug, PartialEq, Eq)]
pub enum PictureLine {
    /// A comment, a heading, or empty.
    Between,
    /// Frame alone.
    Frame,
    /// Nine dashes: a frame or a row of blanks.
    Dashes,
    /// This number of cells or other characters.
    Row(usize),
}

impl PictureLine {
    /// The kind of the line, given that `rows` rows stand before it. Nine dashes are a row if `dashes_are_rows`;
    /// otherwise they are a frame wherever a frame may be.
    fn after_rows(self, rows: usize, dashes_are_rows: bool) -> Self {
        match self {
            Self::Dashes if !dashes_are_rows && rows.is_multiple_of(3) => Self::Frame,
            Self::Dashes => Self::Row(ROWS),
            line => line,
        }
    }
}

/// What is counted in a picture to decide whether its lines of nine dashes are rows.
#[derive(Default)]
struct DashedPicture {
    /// The number of its rows if lines of nine dashes are rows.
    rows_with_dashes: usize,
    /// The number of its rows if lines of nine dashes are frames where a frame may be.
    rows_without_dashes: usize,
    /// Then, the number of lines of nine dashes before the first, the fourth and the seventh row.
    frames: [usize; 3],
    /// Whether any row has dashes among other cells.
    has_dashes: bool,
    /// Whether any row has blanks of another kind.
    has_other_blanks: bool,
}

impl DashedPicture {
    fn dashes_are_rows(&self) -> bool {
        let fits_as_rows =
            self.rows_with_dashes == ROWS && (self.has_dashes || !self.has_other_blanks);
        let misfits_as_frames = self.has_dashes && self.rows_without_dashes != ROWS;
        fits_as_rows || misfits_as_frames
    }
}

/// Whether lines of nine dashes are rows of blanks in the picture at the beginning of `text`. Otherwise they are
/// frames where a frame may be: before the first row and after each third row. `None` if later text of the input decides.
///
/// They are rows in two cases:
///
/// * the picture has nine rows if they are counted, and its other rows have dashes or no blanks of another kind;
/// * its other rows have dashes, and it does not have nine rows if they are not counted.
///
/// If there is no such line among nine rows, or one between all boxes, the picture ends with its ninth row: later lines
/// belong to another picture.
fn dashes_are_rows(text: &[u8], input: Input) -> Option<bool> {
    let mut picture = DashedPicture::default();
    for line in lines_with_breaks(text) {
        if input == Input::Continues && !line.ends_with(b"\n") {
            return None;
        }
        let (kind, cells) = classify(line);
        match kind {
            PictureLine::Between => return Some(picture.dashes_are_rows()),
            PictureLine::Frame => continue,
            PictureLine::Dashes => {}
            // Lines after the ninth may belong to another picture.
            PictureLine::Row(_) if picture.rows_with_dashes < ROWS => {
                picture.has_dashes |= cells.contains(&b'-');
                let mut others = cells.into_iter().filter(|&byte| byte != b'-');
                picture.has_other_blanks |= others.any(|byte| digit_of(byte) == Some(0));
            }
            PictureLine::Row(_) => {}
        }
        if matches!(kind.after_rows(picture.rows_without_dashes, false), PictureLine::Row(_)) {
            picture.rows_without_dashes += 1;
        } else if let Some(frames) = picture.frames.get_mut(picture.rows_without_dashes / 3) {
            *frames += 1;
        }
        picture.rows_with_dashes += 1;
        // No frames, or one between all boxes.
        if picture.rows_without_dashes == ROWS
            && matches!(picture.frames, [0, 0, 0] | [0 | 1, 1, 1])
        {
            return Some(false);
        }
        // A guess, for a picture that ends nowhere.
        if picture.rows_with_dashes == MAX_PICTURE_LINES {
            return Some(picture.has_dashes);
        }
    }
    (input == Input::HasEnded).then(|| picture.dashes_are_rows())
}

/// The lines to examine at most: nine rows, four frames of dashes, and one more.
const MAX_PICTURE_LINES: usize = ROWS + 4 + 1;

/// The kind of `line`, and its cells.
pub fn classify(line: &[u8]) -> (PictureLine, [u8; ROWS]) {
    let mut cells = [0; ROWS];
    let first = line.trim_ascii().first();
    if matches!(first, None | Some(b'#' | b'[')) {
        return (PictureLine::Between, cells);
    }
    let mut count = 0;
    let mut dashes_only = true;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += 1;
        match byte {
            b'|' | b'+' | b'=' | b' ' | b'\t' | b'\r' | b'\n' => {}
            // U+2500 to U+257F, the box drawing characters.
            0xe2 if matches!(line.get(at), Some(0x94 | 0x95)) => at += 2,
            _ => {
                dashes_only &= byte == b'-';
                if let Some(cell) = cells.get_mut(count) {
                    *cell = byte;
                }
                count += 1;
            }
        }
    }
    let is_heading = first.is_some_and(|byte| byte.is_ascii_alphabetic() && !b"xX".contains(byte))
        && line.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
    let kind = if line.trim_ascii() == [b'-'; ROWS] {
        PictureLine::Dashes
    } else if dashes_only {
        PictureLine::Frame
    } else if is_heading && count != ROWS {
        PictureLine::Between
    } else {
        PictureLine::Row(count)
    };
    (kind, cells)
}

/// Whether a text whose first line is `first` may be one of pictures.
pub fn begins(first: &[u8]) -> bool {
    match classify(first) {
        (PictureLine::Between, _) => first.starts_with(b"["),
        (PictureLine::Frame | PictureLine::Dashes, _) => true,
        (PictureLine::Row(count), cells) => {
            let digits = cells.into_iter().filter_map(digit_of).count();
            count == ROWS && digits > ROWS / 2
        }
    }
}

/// The rows of a record.
#[derive(Default)]
struct ReadPicture {
    cells: Vec<u8>,
    /// The number of all lines.
    lines: usize,
    rows: usize,
    /// Where the last row ends in the text.
    end: usize,
    /// Why it is no puzzle, and the line that shows it.
    fault: Option<(usize, LineError)>,
}

impl ReadPicture {
    /// Reads a record; `None` if it is a line that is in no picture.
    fn of(record: &[u8]) -> Option<Self> {
        let dashes_are_rows = dashes_are_rows(record, Input::HasEnded).unwrap_or_default();
        let mut picture = Self::default();
        let mut last_row_line = 0;
        let mut at = 0;
        for line in lines_with_breaks(record) {
            let (kind, cells) = classify(line);
            match kind.after_rows(picture.rows, dashes_are_rows) {
                PictureLine::Between => return None,
                PictureLine::Frame | PictureLine::Dashes => {}
                PictureLine::Row(found) => {
                    picture.rows += 1;
                    picture.cells.extend_from_slice(&cells);
                    last_row_line = picture.lines;
                    picture.end = at + line.trim_ascii_end().len();
                    if found != ROWS {
                        picture.fault.get_or_insert((picture.lines, LineError::PictureRow(found)));
                    }
                }
            }
            picture.lines += 1;
            at += line.len();
        }
        if (1..ROWS).contains(&picture.rows) {
            picture.fault.get_or_insert((last_row_line, LineError::PictureRows(picture.rows)));
        }
        Some(picture)
    }
}

impl Syntax for GridPicture {
    fn is_multi_line(&self, _: &[u8]) -> bool {
        true
    }

    /// A picture, or one line that is in no picture.
    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let mut at = 0;
        let mut rows = 0;
        let dashes_are_rows = dashes_are_rows(text, input)?;
        for line in lines_with_breaks(text) {
            if input == Input::Continues && !line.ends_with(b"\n") {
                return None;
            }
            match classify(line).0.after_rows(rows, dashes_are_rows) {
                PictureLine::Row(_) => rows += 1,
                PictureLine::Frame if rows > 0 => {}
                _ if rows > 0 => return Some(at),
                _ => return Some(at + line.len()),
            }
            at += line.len();
            if rows == ROWS {
                return Some(at);
            }
        }
        (input == Input::HasEnded).then_some(at)
    }

    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        let (record, source) = record_at(text, place);
        let Some(picture) = ReadPicture::of(record) else {
            table.add_comment(source);
            return next;
        };
        let puzzle = source.start..source.start + picture.end;
        match picture.fault {
            Some((line, error)) => table.add_bad(puzzle, picture.lines, line, error),
            None if picture.lines == 0 => table.add_comment(source),
            None if picture.rows == 0 => table.skip_lines(picture.lines),
            None => table.add_puzzle(puzzle, picture.lines, &picture.cells, b""),
        }
        next
    }

    /// A heading and a line that begins with `[` are comments, too.
    fn is_comment(&self, line: &[u8]) -> bool {
        classify(line).0 == PictureLine::Between
    }

    fn write(&self, record: &Record, Style { row, .. }: Style, out: &mut Vec<u8>) {
        let shown = record.shown(row);
        let mut has_line_begun = false;
        record.for_each(row, |column, content| {
            let is_shown = matches!(content, Content::Text(cells) if **cells == *shown);
            if is_shown || column.value == Value::Solution {
                return;
            }
            let is_count = column.value == Value::Count;
            let name = if is_count { "solutions" } else { column.name };
            let begin = if has_line_begun { ", " } else { "#C " };
            out.extend_from_slice(format!("{begin}{name}: ").as_bytes());
            content.write(out);
            // Nothing follows the count on its line.
            has_line_begun = !is_count;
            if is_count {
                out.push(b'\n');
            }
        });
        if has_line_begun {
            out.push(b'\n');
        }
        draw(shown, self.has_frames, out);
        out.push(b'\n');
    }

    fn write_comment(&self, line: &[u8], out: &mut Vec<u8>) {
        if !line.trim_ascii().is_empty() {
            write_comment(line, !self.is_comment(line), out);
        }
    }
}

/// Draws 81 cells in nine lines.
fn draw(cells: &[u8], has_frames: bool, out: &mut Vec<u8>) {
    for (row, cells) in cells.chunks(ROWS).enumerate() {
        if has_frames && row % 3 == 0 && row > 0 {
            out.extend_from_slice(b"------+-------+------\n");
        }
        for (column, &cell) in cells.iter().enumerate() {
            if has_frames && column > 0 {
                out.extend_from_slice(if column % 3 == 0 { b" | " } else { b" " });
            }
            // All blanks are written as dots.
            out.push(if cell.is_ascii_digit() && cell != b'0' { cell } else { b'.' });
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_ends_with_its_ninth_row_whatever_its_line_breaks() {
        let puzzle: Vec<u8> = (0..81).map(|cell| b".123456789"[cell * 7 % 10]).collect();
        for has_frames in [false, true] {
            let picture = GridPicture { has_frames };
            let mut text = Vec::new();
            draw(&puzzle, has_frames, &mut text);
            for text in
                [text.clone(), String::from_utf8(text).unwrap().replace('\n', "\r\n").into()]
            {
                let twice = [text.as_slice(), b"+---+\r\n", &text].concat();
                assert_eq!(picture.first_record_length(&twice, Input::Continues), Some(text.len()));
                assert_eq!(
                    picture.first_record_length(&twice[text.len()..], Input::Continues),
                    Some(7)
                );
                assert_eq!(picture.last_end(&twice), twice.len());
                for end in 1..text.len() {
                    assert_eq!(picture.first_record_length(&text[..end], Input::Continues), None);
                }
            }
        }
    }

    #[test]
    fn pictures_with_dashes_as_blanks_and_as_frames_may_follow_one_another_without_a_break() {
        let picture = GridPicture { has_frames: true };
        let length = |text: &[u8]| picture.first_record_length(text, Input::HasEnded);
        let rows = b"-2345678-\n".repeat(3);
        let frame = b"---------\n".as_slice();
        let between = [&rows, frame, &rows, frame, &rows].concat();
        let around = [frame, &between].concat();
        for text in [between, around] {
            let twice = [text.as_slice(), &text].concat();
            let first =
                lines_with_breaks(&twice).take_while(|&line| line == frame).map(<[u8]>::len).sum();
            for begin in [first, text.len() + first] {
                assert_eq!(length(&twice[begin..]), Some(text.len() - first));
            }
        }
        // Rows without givens where a frame may be, but not where both frames between boxes would be.
        for blank in [[0, 4], [0, 7]] {
            let line = |row| if blank.contains(&row) { frame } else { b"-2345678-\n" };
            let one: Vec<u8> = (0..ROWS).flat_map(line).copied().collect();
            assert_eq!(length(&one.repeat(3)), Some(one.len()), "{blank:?}");
        }
        let blank_rows = [&rows, frame, &rows, frame, b"12345678-\n"].concat();
        assert_eq!(length(&blank_rows), Some(blank_rows.len()), "nine lines are rows");
    }

    #[test]
    fn lines_are_told_apart() {
        for (line, kind) in [
            ("+-----+-----+", PictureLine::Frame),
            ("+-----+-----+\r", PictureLine::Frame),
            ("├───┼───┤", PictureLine::Frame),
            ("---------\r", PictureLine::Dashes),
            ("[Puzzle]", PictureLine::Between),
            ("Grid 01\r", PictureLine::Between),
            ("what", PictureLine::Row(4)),
            ("xx4x8xx1", PictureLine::Row(8)),
            ("5 what is this", PictureLine::Row(11)),
        ] {
            assert_eq!(classify(line.as_bytes()).0, kind, "{line}");
        }
        let framed = classify("│5 3 .│. 7 .│. . .│".as_bytes());
        assert_eq!(framed, (PictureLine::Row(9), *b"53..7...."));
    }
}
