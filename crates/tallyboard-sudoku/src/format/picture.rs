//! Pictures: nine lines of nine cells, bare (.sdk files) or in frames of `|`, `-`, `+` and the box drawing characters.
//!
//! A line of frame alone is skipped. Nine bare dashes may be a row of blanks or a frame (`dashes_are_rows`
//! decides). Spaces are no cells. Empty lines, lines that begin with `#` or `[`, and headings (`Grid 01`) may stand
//! between pictures; they end an unfinished picture.

use std::ops::Range;

use super::syntax::{Input, Style, Syntax, record_at, write_comment};
use super::table::{Record, Table};
use super::text::{
    first_line, is_comment, is_frame_of_signs, lines_with_breaks, sign_at_both_ends, sign_of_bars,
};
use crate::columns::{Content, Value};
use crate::grid::digit_of;
use crate::marks::Marks;
use crate::{CELLS, LineError};

const ROWS: usize = 9;

/// As many lines a puzzle as it has rows.
#[derive(Debug)]
pub struct GridPicture {
    /// Written with frames.
    pub has_frames: bool,
    /// The number of rows of a picture that is read.
    pub side: usize,
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
    /// The title of a section that repeats the puzzle in another way, such as `[PencilMarks]` in files of SadMan.
    OtherSection,
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
        let (kind, cells) = classify(line, ROWS);
        match kind {
            PictureLine::Between | PictureLine::OtherSection => {
                return Some(picture.dashes_are_rows());
            }
            PictureLine::Frame => continue,
            PictureLine::Dashes => {}
            // Lines after the ninth may belong to another picture.
            PictureLine::Row(_) if picture.rows_with_dashes < ROWS => {
                picture.has_dashes |= cells.characters.contains(&b'-');
                let mut others = cells.characters.into_iter().filter(|&byte| byte != b'-');
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

/// The cells of a row of nine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowCells {
    /// A character each; for pencil marks, the digit if it is the only one.
    pub characters: [u8; ROWS],
    /// The candidates of each, if the row has pencil marks.
    pub marks: Option<[u16; ROWS]>,
}

impl RowCells {
    const NONE: Self = Self { characters: [0; ROWS], marks: None };

    /// The marks of each cell: its own, or those that its character leaves; `None` if it is neither a digit nor a blank.
    fn marks(&self) -> Option<[u16; ROWS]> {
        let mut marks = [0; ROWS];
        for (marks, &byte) in marks.iter_mut().zip(&self.characters) {
            let digit = digit_of(byte)?;
            *marks = if digit == 0 { 0x1ff } else { 1 << (digit - 1) };
        }
        Some(self.marks.unwrap_or(marks))
    }
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

/// The kind of `line` in a picture of `side` rows, and its cells if these are nine.
pub fn classify(line: &[u8], side: usize) -> (PictureLine, RowCells) {
    let mut cells = RowCells::NONE;
    let bar = match sign_at_both_ends(line) {
        None => None,
        Some(_) if is_frame_of_signs(line) => return (PictureLine::Frame, cells),
        Some(_) => sign_of_bars(line),
    };
    let first = line.trim_ascii().first();
    if bar.is_none() && matches!(first, None | Some(b'#' | b'%')) {
        return (PictureLine::Between, cells);
    }
    let mut count = 0;
    let mut is_plain = true;
    let mut dashes_only = true;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += 1;
        match byte {
            b'|' | b'+' | b'=' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ if bar == Some(byte) => {}
            // U+2500 to U+25BF, the box drawing characters and the blocks.
            0xe2 if matches!(line.get(at), Some(0x94..=0x96)) => at += 2,
            _ => {
                dashes_only &= byte == b'-';
                is_plain &= digit_of(byte).is_some();
                if let Some(cell) = cells.characters.get_mut(count) {
                    *cell = byte;
                }
                count += 1;
            }
        }
    }
    let kind = if line.trim_ascii() == [b'-'; ROWS] && side == ROWS {
        PictureLine::Dashes
    } else if count == 0 && between_bars(line, side).is_some() {
        return (PictureLine::Row(side), Words::of(line, side).nine().unwrap_or(RowCells::NONE));
    } else if dashes_only {
        PictureLine::Frame
    } else if count == ROWS && is_plain && side == ROWS {
        PictureLine::Row(count)
    } else {
        return classify_words(line, side);
    };
    (kind, cells)
}

/// As [`classify`], for a line that is not just one character a cell in a frame of `|` and `+`.
fn classify_words(line: &[u8], side: usize) -> (PictureLine, RowCells) {
    let trimmed = line.trim_ascii();
    if let Some(name) = trimmed.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]"))
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ')
    {
        let is_other = !name.eq_ignore_ascii_case(b"puzzle");
        let kind = if is_other { PictureLine::OtherSection } else { PictureLine::Between };
        return (kind, RowCells::NONE);
    }
    if is_frame(trimmed) {
        return (PictureLine::Frame, RowCells::NONE);
    }
    let words = Words::of(line, side);
    let count = words.count(side);
    if count != side && words.has_a_word {
        return (PictureLine::Between, RowCells::NONE);
    }
    let cells = if side == ROWS { words.nine() } else { None };
    (PictureLine::Row(count), cells.unwrap_or(RowCells::NONE))
}

/// Whether a line is a frame with corners, such as `*-----------*` or `:-----+-----:`, or empty within; or of other signs that
/// are no cells, as the brackets around a list.
fn is_frame(line: &[u8]) -> bool {
    let is_line = |byte: &u8| b"-=_~".contains(byte);
    let is_other = |byte: &u8| b"|+*.:',` \t".contains(byte);
    let is_no_cell = |byte: &u8| {
        byte.is_ascii_punctuation() && !b"._*?-,;".contains(byte) || b" \t".contains(byte)
    };
    let lines = line.iter().filter(|byte| is_line(byte)).count();
    let is_drawn = |byte: &u8| is_line(byte) || is_other(byte);
    2 * lines > line.len() && line.iter().all(is_drawn) || line.iter().all(is_no_cell)
}

/// What stands between the bars of a row, if there is one at each side of each cell, or between cells: a cell each, so that nothing
/// is a blank. The bars are `|` and those of the box drawing characters.
fn between_bars(line: &[u8], side: usize) -> Option<Vec<&[u8]>> {
    let line = line.trim_ascii();
    let mut pieces = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < line.len() {
        let length = match line[at..] {
            [b'|', ..] => 1,
            [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] => 3,
            _ => {
                at += 1;
                continue;
            }
        };
        pieces.push(line[begin..at].trim_ascii());
        at += length;
        begin = at;
    }
    // Most lines without cells are frames, and have none.
    if begin == 0 {
        return None;
    }
    pieces.push(line[begin..].trim_ascii());
    let is_closed = pieces.first()?.is_empty() && pieces.last()?.is_empty();
    if is_closed && pieces.len() == side + 2 {
        pieces = pieces[1..=side].to_vec();
    } else if is_closed || pieces.len() != side {
        return None;
    }
    let is_cell = |piece: &&[u8]| piece.iter().all(u8::is_ascii_alphanumeric) || piece.len() == 1;
    pieces.iter().all(is_cell).then_some(pieces)
}

/// The words of a row: its cells, or groups of cells.
struct Words<'a> {
    words: Vec<&'a [u8]>,
    /// Commas, semicolons, tabs or bars stand between the cells, so that nothing between two of them is a blank.
    is_delimited: bool,
    /// It begins and reads as titles do.
    has_a_word: bool,
}

impl<'a> Words<'a> {
    fn of(line: &'a [u8], side: usize) -> Self {
        if let Some(words) = between_bars(line, side) {
            return Self { words, is_delimited: true, has_a_word: false };
        }
        // Tabs at both ends are between cells, too, if there are as many as that takes.
        let are_between = memchr::memchr_iter(b'\t', line).count() + 1 == side;
        let is_break = |byte: &u8| b"\r\n ".contains(byte);
        let end = line.iter().rposition(|byte| !is_break(byte)).map_or(0, |last| last + 1);
        let mut line = if are_between { &line[..end] } else { line.trim_ascii() };
        while let Some(rest) = line.strip_prefix(b">") {
            line = rest.trim_ascii();
        }
        let delimiter = [b',', b';', b'\t'].into_iter().find(|byte| line.contains(byte));
        // Box drawing characters and other text that is no ASCII are frames.
        let bar = sign_of_bars(line);
        let is_around =
            |byte: &u8| b"|[](){}\"' \t".contains(byte) || !byte.is_ascii() || bar == Some(*byte);
        let inner = |piece: &'a [u8]| {
            let begin = piece.iter().position(|byte| !is_around(byte)).unwrap_or(piece.len());
            let end =
                piece.iter().rposition(|byte| !is_around(byte)).map_or(begin, |last| last + 1);
            &piece[begin..end]
        };
        let mut words: Vec<&[u8]> = match delimiter {
            Some(delimiter) => line.split(|&byte| byte == delimiter).map(inner).collect(),
            None => line.split(|byte| is_around(byte) || *byte == b':').collect(),
        };
        match delimiter {
            Some(_) if words.last().is_some_and(|word| word.is_empty()) && words.len() > 9 => {
                words.pop();
            }
            Some(_) => {}
            None => words.retain(|word| !word.is_empty()),
        }
        // `+` marks cells that were solved (HoDoKu), `u` those that the user has filled (SudoCue).
        for word in &mut words {
            while let Some((b'+' | b'u', rest)) = word.split_first() {
                *word = rest;
            }
        }
        let is_word = |word: &[u8]| {
            let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
            letters > 2 && letters == word.len() && word.iter().any(|byte| !b"xX".contains(byte))
        };
        let mut pieces = line.split(|byte| !byte.is_ascii_alphabetic());
        // Titles begin with a capital letter or have no cells, headings end with a number.
        let first = line.first().copied().unwrap_or_default();
        let has_cells = line.iter().any(|&byte| digit_of(byte).is_some() && !b"xX".contains(&byte));
        let has_a_word = (first.is_ascii_uppercase() || !has_cells) && pieces.any(is_word)
            || first.is_ascii_alphabetic()
                && !b"xXu".contains(&first)
                && line.last().is_some_and(u8::is_ascii_digit);
        Self { words, is_delimited: delimiter.is_some(), has_a_word }
    }

    /// The number of cells, if that may be `side`; else of what was found.
    fn count(&self, side: usize) -> usize {
        let characters = self.words.iter().map(|word| word.len()).sum();
        if self.words.len() == side || self.is_delimited { self.words.len() } else { characters }
    }

    /// Nine cells.
    fn nine(&self) -> Option<RowCells> {
        if self.words.len() != ROWS {
            let characters = self.words.concat().try_into().ok()?;
            return Some(RowCells { characters, marks: None });
        }
        let mut cells = RowCells::NONE;
        let mut marks = [0; ROWS];
        for (cell, &word) in self.words.iter().enumerate() {
            cells.characters[cell] = match *word {
                [] => b'.',
                [byte] => byte,
                _ => b'.',
            };
            let digits = word.iter().map(|&byte| digit_of(byte).filter(|&digit| digit > 0));
            marks[cell] = match digits.collect::<Option<Vec<u8>>>() {
                Some(digits) if !digits.is_empty() => {
                    digits.into_iter().fold(0, |marks, digit| marks | 1 << (digit - 1))
                }
                _ if word.len() <= 1 => 0x1ff,
                // A word that is neither: no row of cells.
                _ => return None,
            };
        }
        let has_marks = self.words.iter().any(|word| word.len() > 1);
        cells.marks = has_marks.then_some(marks);
        Some(cells)
    }

    /// Whether each character may be in a cell of a grid of this side: a blank, a digit, or a letter where there are so many values.
    fn may_be_values(&self, side: usize) -> bool {
        let letters = if side == ROWS { 0 } else { side };
        self.words.iter().flat_map(|word| *word).all(|&byte| match byte.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => usize::from(letter - b'A') < letters || letter == b'X',
            _ => digit_of(byte).is_some(),
        })
    }

    /// The cells of a row of another size as a line has them: a character each, or numbers with blanks behind them.
    fn text(&self, side: usize, are_numbers: bool) -> Vec<u8> {
        let mut text = Vec::new();
        let parts: Vec<&[u8]> = match self.words.len() == side {
            true => self.words.clone(),
            false => self.words.iter().flat_map(|word| word.chunks(1)).collect(),
        };
        for part in parts {
            text.extend_from_slice(if part.is_empty() { b"." } else { part });
            if are_numbers {
                text.push(b' ');
            }
        }
        text
    }
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
                PictureLine::Dashes => rows += 1,
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
        let mut dashes = Dashes::new(record, Input::HasEnded);
        let mut picture = Self::default();
        let mut rows = Vec::new();
        let mut last_row_line = 0;
        let mut at = 0;
        for line in lines_with_breaks(record) {
            let (kind, cells) = classify(line, side);
            match dashes.kind(kind, picture.rows).expect("no later text") {
                PictureLine::Between if picture.rows > 0 && line.trim_ascii().is_empty() => {}
                PictureLine::Between => return None,
                PictureLine::Frame | PictureLine::Dashes | PictureLine::OtherSection => {}
                PictureLine::Row(found) => {
                    picture.rows += 1;
                    rows.push((line, cells));
                    last_row_line = picture.lines;
                    picture.end = at + line.trim_ascii_end().len();
                    if found != side {
                        let error = LineError::PictureRow { found, expected: side };
                        picture.fault.get_or_insert((picture.lines, error));
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

/// Whether lines of nine dashes are rows in the picture at the beginning of a text. It is looked for where the first such line is
/// met, because most pictures have none.
struct Dashes<'a> {
    text: &'a [u8],
    input: Input,
    are_rows: Option<bool>,
}

impl<'a> Dashes<'a> {
    fn new(text: &'a [u8], input: Input) -> Self {
        Self { text, input, are_rows: None }
    }

    /// The kind of a line after so many `rows`; `None` if later text decides.
    fn kind(&mut self, kind: PictureLine, rows: usize) -> Option<PictureLine> {
        if kind != PictureLine::Dashes {
            return Some(kind);
        }
        if self.are_rows.is_none() {
            self.are_rows = Some(dashes_are_rows(self.text, self.input)?);
        }
        Some(kind.after_rows(rows, self.are_rows == Some(true)))
    }
}

impl GridPicture {
    /// Whether the band of a picture goes on behind an empty line: the lines of `text` up to the next one that is between
    /// pictures are as many rows as a band has. `None` if later text decides.
    fn is_band(&self, text: &[u8], input: Input) -> Option<bool> {
        let band = self.band()?;
        let mut rows = 0;
        for line in lines_with_breaks(text) {
            if input == Input::Continues && !line.ends_with(b"\n") {
                return None;
            }
            match classify(line, self.side).0 {
                PictureLine::Row(count) if count == self.side => rows += 1,
                PictureLine::Frame => {}
                PictureLine::Between => return Some(rows == band),
                _ => return Some(false),
            }
            if rows > band {
                return Some(false);
            }
        }
        (input == Input::HasEnded).then_some(rows == band)
    }

    /// The rows of a band, if boxes are squares.
    fn band(&self) -> Option<usize> {
        let band = self.side.isqrt();
        (band * band == self.side).then_some(band)
    }

    /// As [`first_record_length`](Syntax::first_record_length), by the kind of each line.
    fn length_by_lines(&self, text: &[u8], input: Input) -> Option<usize> {
        let mut at = 0;
        let mut rows = 0;
        let mut dashes = Dashes::new(text, input);
        for line in lines_with_breaks(text) {
            if input == Input::Continues && !line.ends_with(b"\n") {
                return None;
            }
            let next = at + line.len();
            match dashes.kind(classify(line, self.side).0, rows)? {
                PictureLine::Row(_) => rows += 1,
                PictureLine::Frame if rows > 0 => {}
                PictureLine::Between
                    if rows > 0
                        && line.trim_ascii().is_empty()
                        && self.band().is_some_and(|band| rows % band == 0)
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
            ("---------\r", PictureLine::Dashes),
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
