//! The lines of pictures: rows, frames, and what stands between grids.

use super::syntax::Input;
use super::text::{is_frame_of_signs, lines_with_breaks, sign_at_both_ends, sign_of_bars};
use crate::grid::digit_of;

/// The rows of the grids that most pictures are of.
pub const ROWS: usize = 9;

/// The sign of a line that has a dash, or an underscore, for each of `side` cells, with the signs between them that rows have: it is
/// a row of blanks or a frame. `None` of another line.
pub fn sign_of_dashes(line: &[u8], side: usize, bar: Option<u8>) -> Option<u8> {
    let (mut sign, mut count, mut at) = (None, 0, 0);
    while let Some(&byte) = line.get(at) {
        at += match byte {
            b'-' | b'_' if *sign.get_or_insert(byte) == byte => {
                count += 1;
                1
            }
            b' ' | b'\t' | b'\r' | b'\n' | b'|' | b',' | b';' => 1,
            _ if bar == Some(byte) => 1,
            // The vertical lines of the box drawing characters.
            0xe2 if matches!(
                line.get(at + 1..at + 3),
                Some([0x94, 0x82 | 0x83] | [0x95, 0x91])
            ) =>
            {
                3
            }
            _ => return None,
        };
    }
    sign.filter(|_| count == side)
}

/// The rows between which frames stand in a grid of `side` rows: those of a square box, or all.
pub fn band(side: usize) -> usize {
    let root = side.isqrt();
    if root * root == side { root } else { side }
}

/// The kind of a line in a picture.
#[derive(Debug, PartialEq, Eq)]
pub enum PictureLine {
    /// A comment, a heading, or empty.
    Between,
    /// Frame alone.
    Frame,
    /// A dash, or an underscore, for each cell: a frame or a row of blanks.
    Dashes {
        /// Which of the two.
        sign: u8,
        /// Nothing stands between them.
        is_bare: bool,
    },
    /// This number of cells or other characters.
    Row(usize),
    /// The title of a section that repeats the puzzle in another way, such as `[PencilMarks]` in files of SadMan.
    OtherSection,
}

/// What lines of dashes are in a picture. Frames they are wherever a frame may be: before the first row and after each band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dashes {
    Rows,
    Frames,
    /// Those with signs between the cells are rows, as the others are; the bare ones are frames.
    RowsIfSpaced,
    /// Those of this sign are rows, whose blanks have it; those of the other are frames.
    RowsIf(u8),
}

impl Dashes {
    /// Ways in which both may be in one picture, and are told by their look.
    pub const TOLD_APART: [Self; 3] = [Self::RowsIfSpaced, Self::RowsIf(b'-'), Self::RowsIf(b'_')];

    pub fn rows_if(are_rows: bool) -> Self {
        if are_rows { Self::Rows } else { Self::Frames }
    }

    /// Whether such a line may be a frame.
    pub fn may_be_frame(self, sign: u8, is_bare: bool) -> bool {
        match self {
            Self::Rows => false,
            Self::Frames => true,
            Self::RowsIfSpaced => is_bare,
            Self::RowsIf(blank) => sign != blank,
        }
    }
}

impl PictureLine {
    /// The kind of the line in a picture of `side` rows, given that `rows` rows stand before it.
    pub fn after_rows(self, rows: usize, side: usize, dashes: Dashes) -> Self {
        match self {
            Self::Dashes { sign, is_bare } => {
                let is_frame =
                    dashes.may_be_frame(sign, is_bare) && rows.is_multiple_of(band(side));
                if is_frame { Self::Frame } else { Self::Row(side) }
            }
            line => line,
        }
    }
}

/// The cells of a row of nine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowCells {
    /// A character each; for pencil marks, the digit if it is the only one.
    pub characters: [u8; ROWS],
    /// The candidates of each, if the row has pencil marks.
    pub marks: Option<[u16; ROWS]>,
}

impl RowCells {
    pub const NONE: Self = Self { characters: [0; ROWS], marks: None };

    /// The marks of each cell: its own, or those that its character leaves; `None` if it is neither a digit nor a blank.
    pub fn marks(&self) -> Option<[u16; ROWS]> {
        let mut marks = [0; ROWS];
        for (marks, &byte) in marks.iter_mut().zip(&self.characters) {
            let digit = digit_of(byte)?;
            *marks = if digit == 0 { 0x1ff } else { 1 << (digit - 1) };
        }
        Some(self.marks.unwrap_or(marks))
    }
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
    if let Some(sign) = sign_of_dashes(line, side, bar) {
        let is_bare = line.trim_ascii().len() == side;
        return (
            PictureLine::Dashes { sign, is_bare },
            RowCells { characters: [sign; ROWS], marks: None },
        );
    }
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
    let kind = if count == 0 && between_bars(line, side).is_some() {
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
pub struct Words<'a> {
    pub words: Vec<&'a [u8]>,
    /// Commas, semicolons, tabs or bars stand between the cells, so that nothing between two of them is a blank.
    is_delimited: bool,
    /// It begins and reads as titles do.
    has_a_word: bool,
}

impl<'a> Words<'a> {
    pub fn of(line: &'a [u8], side: usize) -> Self {
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
    pub fn count(&self, side: usize) -> usize {
        let characters = self.words.iter().map(|word| word.len()).sum();
        if self.words.len() == side || self.is_delimited { self.words.len() } else { characters }
    }

    /// The first number that is neither a digit nor the pencil marks of a cell: those have each digit once, in ascending order, and
    /// no cell beside them is 0. In larger grids values are numbers, and in a row without blanks between the cells a word is no number.
    pub fn number(&self) -> Option<&'a [u8]> {
        if self.words.len() != ROWS {
            return None;
        }
        let has_zero = self.words.contains(&b"0".as_slice());
        let are_marks =
            |word: &[u8]| !has_zero && word[0] > b'0' && word.is_sorted_by(|one, next| one < next);
        let is_number = |word: &&&[u8]| word.len() > 1 && word.iter().all(u8::is_ascii_digit);
        self.words.iter().filter(is_number).find(|word| !are_marks(word)).copied()
    }

    /// Nine cells.
    pub fn nine(&self) -> Option<RowCells> {
        if self.number().is_some() {
            return None;
        }
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
    pub fn may_be_values(&self, side: usize) -> bool {
        let letters = if side == ROWS { 0 } else { side };
        self.words.iter().flat_map(|word| *word).all(|&byte| match byte.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => usize::from(letter - b'A') < letters || letter == b'X',
            _ => digit_of(byte).is_some(),
        })
    }

    /// The cells of a row of another size as a line has them: a character each, or numbers with blanks behind them.
    pub fn text(&self, side: usize, are_numbers: bool) -> Vec<u8> {
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

/// Whether `text` begins with a line of words above a grid: it has not as many cells as a row, and as many rows as the grid has
/// follow. A row of which a cell is missing is no such line: the others are too few. `None` if later text decides.
pub fn is_title(text: &[u8], side: usize, input: Input) -> Option<bool> {
    /// Lines of words above one grid.
    const MOST_LINES: usize = 8;
    let band = band(side);
    let (mut rows, mut words) = (0_usize, 0);
    for line in lines_with_breaks(text) {
        if input == Input::Continues && !line.ends_with(b"\n") {
            return None;
        }
        match classify(line, side).0 {
            PictureLine::Row(count) if count != side && rows == 0 && words < MOST_LINES => {
                words += 1
            }
            PictureLine::Row(count) if count == side && words > 0 => rows += 1,
            PictureLine::Dashes { .. } if words > 0 => rows += 1,
            PictureLine::Frame if words > 0 => {}
            PictureLine::Between if words > 0 && rows.is_multiple_of(band) => {}
            _ => return Some(false),
        }
        if rows == side {
            return Some(true);
        }
    }
    (input == Input::HasEnded).then_some(false)
}
