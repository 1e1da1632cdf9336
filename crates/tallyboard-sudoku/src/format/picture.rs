//! Pictures: nine lines of nine cells, bare (.sdk files) or in frames of `|`, `-`, `+` and the box drawing characters.
//!
//! A line of frame alone is skipped. As many dashes as a row has cells may be a row of blanks or a frame (`dashes.rs`
//! decides). Spaces are no cells. Empty lines, lines that begin with `#` or `[`, and headings (`Grid 01`) may stand
//! between pictures; they end an unfinished picture.

use std::ops::Range;

use super::dashes;
use super::rows::{Dashes, PictureLine, ROWS, RowCells, Words, band, classify, is_title};
use super::syntax::{Input, Style, Syntax, record_at, write_comment};
use super::table::{Record, Table};
use super::text::{first_line, is_comment, lines_with_breaks};
use crate::columns::{Content, Value};
use crate::grid::digit_of;
use crate::marks::Marks;
use crate::{CELLS, LineError};

/// As many lines a puzzle as it has rows.
#[derive(Debug)]
pub struct GridPicture {
    /// Written with frames.
    pub has_frames: bool,
    /// The number of rows of a picture that is read.
    pub side: usize,
}

/// The length of the picture that `text` begins with, and its cells, if it is as most are: nine lines of nine digits and blanks
/// without dashes, and nothing else. Such a picture needs none of the rules below.
fn plain_picture(text: &[u8]) -> Option<(usize, [u8; CELLS])> {
    let line_break: &[u8] = if text.get(ROWS) == Some(&b'\r') { b"\r\n" } else { b"\n" };
    let line_length = ROWS + line_break.len();
    let picture = text.get(..ROWS * line_length)?;
    let mut cells = [0; CELLS];
    for (line, row) in picture.chunks_exact(line_length).zip(cells.chunks_exact_mut(ROWS)) {
        let (found, end) = line.split_at(ROWS);
        if end != line_break || found.iter().any(|&byte| byte == b'-' || digit_of(byte).is_none()) {
            return None;
        }
        row.copy_from_slice(found);
    }
    Some((picture.len(), cells))
}

/// Sides of grids that pictures are told by, the most usual first.
const SIDES: [usize; 8] = [9, 16, 25, 4, 6, 8, 12, 10];

/// The side of the picture that `text` begins with, if its first lines are as many rows of as many cells.
pub fn side(text: &[u8]) -> Option<usize> {
    SIDES.into_iter().find(|&side| {
        let mut rows = 0;
        for line in lines_with_breaks(text) {
            match classify(line, side).0 {
                PictureLine::Row(count)
                    if count == side && Words::of(line, side).may_be_values(side) =>
                {
                    rows += 1;
                }
                PictureLine::Row(_) | PictureLine::OtherSection => break,
                PictureLine::Dashes { .. } => rows += 1,
                PictureLine::Between | PictureLine::Frame => {}
            }
            if rows == side {
                return true;
            }
        }
        false
    })
}

/// How many of the lines of `text` belong to pictures of this side, and how many lines it has, without comments and empty ones.
pub fn share(text: &[u8], side: usize) -> (usize, usize) {
    let (mut found, mut all) = (0, 0);
    let mut has_section = false;
    for line in lines_with_breaks(text).filter(|line| !is_comment(line)) {
        all += 1;
        let kind = classify(line, side).0;
        has_section |= kind == PictureLine::OtherSection;
        let fits = match kind {
            PictureLine::Row(count) => count == side || has_section,
            PictureLine::Between => line.trim_ascii().starts_with(b"["),
            _ => true,
        };
        found += usize::from(fits);
    }
    (found, all)
}

/// Whether a text is pictures of this side alone, each with as many rows as it has.
pub fn are_whole(text: &[u8], side: usize) -> bool {
    let picture = GridPicture { has_frames: false, side };
    let mut at = 0;
    while let Some(length) = picture.first_record_length(&text[at..], Input::HasEnded)
        && length > 0
    {
        let rows = ReadPicture::of(&text[at..at + length], side).map_or(0, |read| read.rows);
        if ![0, side].contains(&rows) {
            return false;
        }
        at += length;
    }
    true
}

/// The rows of a record.
#[derive(Default)]
struct ReadPicture {
    /// A character a cell; in grids of other sizes than nine, numbers with blanks behind them where a cell has two characters.
    cells: Vec<u8>,
    /// The pencil marks of each cell, if some row has any.
    marks: Option<Vec<u16>>,
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
    fn of(record: &[u8], side: usize) -> Option<Self> {
        let mut dashes = DashedPicture::new(record, Input::HasEnded, side);
        let mut picture = Self::default();
        let mut rows = Vec::new();
        let mut last_row_line = 0;
        let mut at = 0;
        for line in lines_with_breaks(record) {
            let (kind, cells) = classify(line, side);
            match dashes.kind(kind, picture.rows).expect("no later text") {
                PictureLine::Between if picture.rows > 0 && line.trim_ascii().is_empty() => {}
                PictureLine::Between => return None,
                PictureLine::Frame | PictureLine::Dashes { .. } | PictureLine::OtherSection => {}
                PictureLine::Row(found) => {
                    picture.rows += 1;
                    rows.push((line, cells));
                    last_row_line = picture.lines;
                    picture.end = at + line.trim_ascii_end().len();
                    let number = Words::of(line, side).number().filter(|_| cells == RowCells::NONE);
                    if found != side {
                        let error = LineError::PictureRow { found, expected: side };
                        picture.fault.get_or_insert((picture.lines, error));
                    } else if let Some(number) = number {
                        let number = String::from_utf8_lossy(number).into_owned();
                        picture.fault.get_or_insert((picture.lines, LineError::NoMarks(number)));
                    }
                }
            }
            picture.lines += 1;
            at += line.len();
        }
        if (1..side).contains(&picture.rows) {
            let error = LineError::PictureRows { found: picture.rows, expected: side };
            picture.fault.get_or_insert((last_row_line, error));
        }
        if picture.fault.is_none() {
            if side == ROWS { picture.take_nine(&rows) } else { picture.take_sized(&rows, side) }
        }
        Some(picture)
    }

    fn take_nine(&mut self, rows: &[(&[u8], RowCells)]) {
        self.cells.reserve(CELLS);
        rows.iter().for_each(|(_, cells)| self.cells.extend_from_slice(&cells.characters));
        if rows.iter().any(|(_, cells)| cells.marks.is_some()) {
            let marks: Option<Vec<_>> = rows.iter().map(|(_, cells)| cells.marks()).collect();
            self.marks = marks.map(|marks| marks.concat());
        }
    }

    fn take_sized(&mut self, rows: &[(&[u8], RowCells)], side: usize) {
        let rows: Vec<Words> = rows.iter().map(|(line, _)| Words::of(line, side)).collect();
        let is_number = |words: &Words| {
            words.words.len() == side && words.words.iter().any(|word| word.len() > 1)
        };
        let are_numbers = rows.iter().any(is_number);
        rows.iter().for_each(|row| self.cells.extend(row.text(side, are_numbers)));
    }
}

/// What lines of dashes are in the picture at the beginning of a text. It is looked for where the first such line is met, because
/// most pictures have none.
struct DashedPicture<'a> {
    text: &'a [u8],
    input: Input,
    side: usize,
    meaning: Option<Dashes>,
}

impl<'a> DashedPicture<'a> {
    fn new(text: &'a [u8], input: Input, side: usize) -> Self {
        Self { text, input, side, meaning: None }
    }

    /// The kind of a line after so many `rows`; `None` if later text decides.
    fn kind(&mut self, kind: PictureLine, rows: usize) -> Option<PictureLine> {
        if !matches!(kind, PictureLine::Dashes { .. }) {
            return Some(kind);
        }
        if self.meaning.is_none() {
            self.meaning = dashes::meaning(self.text, self.input, self.side);
        }
        Some(kind.after_rows(rows, self.side, self.meaning?))
    }
}

impl GridPicture {
    /// Whether the band of a picture goes on behind an empty line: the lines of `text` up to the next one that is between
    /// pictures are as many rows as a band has. `None` if later text decides.
    fn is_band(&self, text: &[u8], input: Input) -> Option<bool> {
        let band = self.band()?;
        let (mut rows, mut dashes) = (0, 0);
        for line in lines_with_breaks(text) {
            if input == Input::Continues && !line.ends_with(b"\n") {
                return None;
            }
            match classify(line, self.side).0 {
                PictureLine::Row(count) if count == self.side => rows += 1,
                PictureLine::Dashes { .. } => dashes += 1,
                PictureLine::Frame => {}
                PictureLine::Between => return Some(rows == band || rows + dashes == band),
                _ => return Some(false),
            }
            if rows > band {
                return Some(false);
            }
        }
        (input == Input::HasEnded).then_some(rows == band || rows + dashes == band)
    }

    /// The rows of a band, if boxes are squares.
    fn band(&self) -> Option<usize> {
        let band = band(self.side);
        (band < self.side).then_some(band)
    }

    /// As [`first_record_length`](Syntax::first_record_length), by the kind of each line.
    fn length_by_lines(&self, text: &[u8], input: Input) -> Option<usize> {
        let mut at = 0;
        let mut rows = 0;
        let mut dashes = DashedPicture::new(text, input, self.side);
        for line in lines_with_breaks(text) {
            if input == Input::Continues && !line.ends_with(b"\n") {
                return None;
            }
            let next = at + line.len();
            let kind = classify(line, self.side).0;
            if rows == 0 && matches!(kind, PictureLine::Row(count) if count != self.side) {
                // The words above a picture are read with it.
                if is_title(&text[at..], self.side, input)? {
                    at = next;
                    dashes = DashedPicture::new(&text[at..], input, self.side);
                    continue;
                }
            }
            match dashes.kind(kind, rows)? {
                PictureLine::Row(_) => rows += 1,
                PictureLine::Frame if rows > 0 => {}
                PictureLine::Between
                    if rows > 0
                        && line.trim_ascii().is_empty()
                        && self.band().is_some_and(|band| rows.is_multiple_of(band))
                        && self.is_band(&text[next..], input)? => {}
                PictureLine::OtherSection if rows == 0 => {
                    return Self::section_length(text, input);
                }
                _ if rows > 0 => return Some(at),
                _ => return Some(next),
            }
            at = next;
            if rows == self.side {
                return Some(at);
            }
        }
        (input == Input::HasEnded).then_some(at)
    }

    /// The place of a picture without the words above it, which are comments.
    fn without_titles(
        &self,
        text: &[u8],
        mut place: Range<usize>,
        table: &mut Table,
    ) -> Range<usize> {
        while is_title(&text[place.clone()], self.side, Input::HasEnded) == Some(true) {
            let line = lines_with_breaks(&text[place.clone()]).next().unwrap_or_default();
            let next = place.start + line.len();
            let (_, source) = record_at(text, place.start..next);
            table.add_comment(source);
            place.start = next;
        }
        place
    }

    /// The length of a section that repeats the puzzle in another way: up to the next title, comment or empty line, or 12 lines.
    fn section_length(text: &[u8], input: Input) -> Option<usize> {
        let mut length = 0;
        for (number, line) in lines_with_breaks(text).enumerate() {
            if input == Input::Continues && !line.ends_with(b"\n") {
                return None;
            }
            let is_next = matches!(line.trim_ascii().first(), None | Some(b'[' | b'#'));
            if number > 0 && (is_next || number == 12) {
                return Some(length);
            }
            length += line.len();
        }
        (input == Input::HasEnded).then_some(length)
    }
}

impl Syntax for GridPicture {
    fn is_multi_line(&self, _: &[u8]) -> bool {
        true
    }

    /// All whole records, if they are the same ones read without the text behind them; otherwise the first one, which is. Later text
    /// decides only of lines of dashes what they are.
    fn last_end(&self, text: &[u8]) -> usize {
        let ends = |text: &[u8], input| {
            let mut at = 0;
            let next =
                |at: usize| self.first_record_length(&text[at..], input).map(|length| at + length);
            let ends = std::iter::from_fn(|| {
                at = if at == text.len() { None } else { next(at) }?;
                Some(at)
            });
            ends.collect::<Vec<_>>()
        };
        let found = ends(text, Input::Continues);
        let (Some(&first), Some(&last)) = (found.first(), found.last()) else { return 0 };
        let whole = &text[..last];
        let has_dashes = memchr::memchr(b'-', whole).is_some()
            && lines_with_breaks(whole)
                .any(|line| matches!(classify(line, self.side).0, PictureLine::Dashes { .. }));
        match has_dashes && ends(whole, Input::HasEnded) != found {
            true => first,
            false => last,
        }
    }

    /// A picture, or one line that is in no picture, or a section that repeats the puzzle.
    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let plain = if self.side == ROWS { plain_picture(text) } else { None };
        plain.map_or_else(|| self.length_by_lines(text, input), |(length, _)| Some(length))
    }

    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        if self.side == ROWS
            && let Some((length, cells)) = plain_picture(&text[place.clone()])
        {
            debug_assert_eq!(length, place.len());
            let puzzle = place.start..place.start + text[place].trim_ascii_end().len();
            table.add_puzzle(puzzle, ROWS, &cells, b"");
            return next;
        }
        let place = self.without_titles(text, place, table);
        let (record, source) = record_at(text, place);
        if classify(first_line(record), self.side).0 == PictureLine::OtherSection {
            table.skip_lines(lines_with_breaks(record).count());
            return next;
        }
        let Some(picture) = ReadPicture::of(record, self.side) else {
            table.add_comment(source);
            return next;
        };
        let puzzle = source.start..source.start + picture.end;
        match (picture.fault, picture.marks) {
            (Some((line, error)), _) => table.add_bad(puzzle, picture.lines, line, error),
            _ if picture.lines == 0 => table.add_comment(source),
            _ if picture.rows == 0 => table.skip_lines(picture.lines),
            (None, Some(marks)) => {
                let marks = marks.try_into().expect("nine rows of nine cells");
                table.add_marks(puzzle, picture.lines, &Marks(marks));
            }
            (None, None) => {
                table.add_puzzle(puzzle, picture.lines, picture.cells.trim_ascii_end(), b"");
            }
        }
        next
    }

    /// A heading and a line that begins with `[` are comments, too.
    fn is_comment(&self, line: &[u8]) -> bool {
        classify(line, self.side).0 == PictureLine::Between
    }

    fn write(&self, record: &Record, Style { row, .. }: Style, out: &mut Vec<u8>) {
        let shown = record.shown(row);
        let mut has_line_begun = false;
        record.for_each(row, |column, content| {
            let is_shown = matches!(content, Content::Text(cells) if **cells == *shown);
            // A puzzle without exactly one solution has no depth and no backdoor, and a name without a number says nothing.
            let is_missing = matches!(content, Content::Missing);
            if is_shown || is_missing || column.value == Value::Solution {
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
            let picture = GridPicture { has_frames, side: ROWS };
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

    /// One character of a picture is another, or missing, or one too many: what the short way takes, the long way takes
    /// for the same.
    #[test]
    fn plain_pictures_are_read_as_all_pictures_are() {
        let picture = GridPicture { has_frames: false, side: ROWS };
        let puzzle: Vec<u8> = (0..81).map(|cell| b".123456789"[cell * 7 % 10]).collect();
        let mut text = Vec::new();
        draw(&puzzle, false, &mut text);
        text.extend_from_slice(b"\n123456789\n");
        let with_returns = String::from_utf8(text.clone()).unwrap().replace('\n', "\r\n");
        let mut kinds = [0; 2];
        for text in [text, with_returns.into_bytes()] {
            for place in 0..text.len() {
                let changed = b"5.0x_?-#|A \n\r".iter().flat_map(|&byte| {
                    [&[byte][..], &[], &[byte, byte]]
                        .map(|piece| [&text[..place], piece, &text[place + 1..]].concat())
                });
                for text in changed {
                    let found = plain_picture(&text);
                    kinds[usize::from(found.is_some())] += 1;
                    let Some((length, cells)) = found else { continue };
                    let shown = String::from_utf8_lossy(&text).into_owned();
                    assert_eq!(picture.length_by_lines(&text, Input::HasEnded), Some(length));
                    assert_eq!(picture.length_by_lines(&text, Input::Continues), Some(length));
                    let read = ReadPicture::of(&text[..length], ROWS).unwrap();
                    assert!(read.fault.is_none() && read.marks.is_none(), "{shown}");
                    assert_eq!((read.rows, read.lines), (ROWS, ROWS), "{shown}");
                    assert_eq!(read.end, text[..length].trim_ascii_end().len(), "{shown}");
                    assert_eq!(read.cells, cells, "{shown}");
                }
            }
        }
        assert!(kinds.into_iter().all(|count| count > 1000), "{kinds:?}");
    }

    #[test]
    fn pictures_with_dashes_as_blanks_and_as_frames_may_follow_one_another_without_a_break() {
        let picture = GridPicture { has_frames: true, side: ROWS };
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
            ("---------\r", PictureLine::Dashes { sign: b'-', is_bare: true }),
            ("[Puzzle]", PictureLine::Between),
            ("Grid 01\r", PictureLine::Between),
            ("easy", PictureLine::Between),
            ("what?", PictureLine::Row(5)),
            ("]\r\n", PictureLine::Frame),
            ("```", PictureLine::Frame),
            ("~~~~~~~~~~~~~", PictureLine::Frame),
            ("| 5 |   |   |   | 7 |   |   |   |   |", PictureLine::Row(9)),
            ("|   |   |   |   |   |   |   |   |   |", PictureLine::Row(9)),
            ("5 | |3|4|5|6|7|8|9", PictureLine::Row(9)),
            ("│   │ 3 │   │   │ 7 │   │   │   │   │", PictureLine::Row(9)),
            ("\t9\t8\t\t\t\t\t6\t\r\n", PictureLine::Row(9)),
            ("|   |   |   |", PictureLine::Frame),
            ("#########################", PictureLine::Frame),
            ("!-------!-------!-------!", PictureLine::Frame),
            ("# 5 3 . # . 7 . # . . . #", PictureLine::Row(9)),
            ("!53.!.7.!...!\r\n", PictureLine::Row(9)),
            ("█████████████", PictureLine::Frame),
            ("# 5 3 . # . 7 .", PictureLine::Between),
            ("# Grid 5 # of 7 #", PictureLine::Between),
            ("xx4x8xx1", PictureLine::Row(8)),
            ("5 what is this", PictureLine::Row(11)),
        ] {
            assert_eq!(classify(line.as_bytes(), ROWS).0, kind, "{line}");
        }
        let framed = classify("│5 3 .│. 7 .│. . .│".as_bytes(), ROWS);
        let cells = RowCells { characters: *b"53..7....", marks: None };
        assert_eq!(framed, (PictureLine::Row(9), cells));
    }
}
