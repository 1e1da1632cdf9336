//! What the first bytes of an input show: files that are refused, where the records begin, the size of the grids.

use std::io::{self, Read};

use super::blocks::SCORED_BYTES;
use super::cells::spelled;
use super::csv::Csv;
use super::document::Document;
use super::rows::{self, PictureLine};
use super::syntax::Syntax;
use super::table::Table;
use super::text::{first_line, is_comment, lines_with_breaks, sign_of_bars, without_break};
use super::{FormError, Format, blocks, picture};
use crate::parse_line;
use crate::sized::{Notation, Puzzle, Size};
use tallyboard_base::cpu::Instructions;
use tallyboard_files::{BegunInput, MAX_HEAD_BYTES, read_head};

/// Reads the first bytes of `input`, at least to the end of its first record if that is within 64 KiB. Comments, titles and a
/// header may come before it. Returns the first bytes, and the whole input. If `input` fails after its first bytes, reading
/// the whole input fails at that point.
///
/// # Errors
/// What `input` reports before its first byte.
pub fn sniff<R: Read>(input: R) -> io::Result<(Vec<u8>, BegunInput<R>)> {
    read_head(input, |head| {
        let is_first =
            |line: &&[u8]| Csv::of(without_break(line), None).is_none() && is_record(line);
        let mut lines = lines_with_breaks(head).skip_while(|line| !is_first(line));
        let is_whole = |line: &&[u8]| line.ends_with(b"\n");
        let record = lines.next().filter(is_whole);
        head.len() >= MAX_HEAD_BYTES
            || record.is_some_and(|line| {
                let below = lines_needed(line) - 1;
                lines.filter(is_whole).take(below).count() == below
            })
    })
}

/// The number of lines that show the form of an input whose first record begins with `line`. If it may be a row of a picture, these
/// are the lines of the picture, which has as many rows as columns.
///
/// Whoever writes a whole puzzle into a pipe may wait for the answer, so no further line is waited for. A line of 16 digits up to 4
/// is one, too.
fn lines_needed(line: &[u8]) -> usize {
    const FEWEST_CELLS: usize = 4;
    /// The rows of the usual picture, and of the largest one.
    const ROWS: [usize; 2] = [9, 25];
    let [usual, most] = ROWS;
    let is_cell = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    match line.iter().filter(is_cell).count() {
        // The number of rows may stand above them.
        1..=6 if let Some(number) = number_alone(line) => 1 + number.clamp(usual, most),
        // A document that is spread over lines begins so.
        0 if matches!(line.trim_ascii(), b"[" | b"{") => 3,
        16 if line.trim_ascii().iter().all(|byte| b".01234".contains(byte)) => 1,
        cells if (FEWEST_CELLS..MIN_PUZZLE_LENGTH).contains(&cells) => cells.min(most),
        _ => 1,
    }
}

/// The first bytes of files that hold tables, and what they are called.
const TABLE_FILES: [(&[u8], &str); 12] = [
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow (Feather) file"),
    (b"\xff\xff\xff\xff", "a stream of Arrow record batches"),
    (b"FEA1", "a Feather file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"PK\x03\x04", "a zip archive (NumPy .npz, Excel .xlsx)"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    // The second byte is the protocol; those before 2 have no mark.
    (b"\x80\x02", "a Python pickle"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
    (b"\x80\x05", "a Python pickle"),
];

/// Refuses text in UTF-16, and files that hold tables in binary form.
///
/// # Errors
/// [`FormError::NoText`] says what the file is, and how it becomes text.
pub fn refuse_other_files(head: &[u8]) -> Result<(), FormError> {
    if let Some((magic, name)) = TABLE_FILES.iter().find(|(magic, _)| head.starts_with(magic)) {
        let advice = if *magic == b"PAR1" {
            "name the file to the program of the Python package, which reads Parquet (cargo: --features parquet), \
             or write its column of puzzles as text or CSV"
        } else {
            "write its column of puzzles as text or CSV, or pass it to tallyboard.solve in Python (docs/python.md)"
        };
        return Err(FormError::NoText(name, advice));
    }
    let encoding = match head {
        [0xff, 0xfe, ..] => "UTF-16 (little-endian)",
        [0xfe, 0xff, ..] => "UTF-16 (big-endian)",
        // A file of zeros alone is no text in any encoding.
        [1..=0x7f, 0, ..] => "UTF-16 (little-endian, unmarked)",
        [0, 1..=0x7f, ..] => "UTF-16 (big-endian, unmarked)",
        _ => return Ok(()),
    };
    Err(FormError::NoText(encoding, "try iconv -f UTF-16 -t UTF-8"))
}

/// Where the records of an input begin.
#[derive(Default)]
pub struct Opening<'a> {
    /// The number of bytes before the first record or header: comments and titles.
    pub bytes_before: usize,
    /// The first line of the first record, or the header. If there are titles alone, the first of them.
    pub first_line: &'a [u8],
    /// The CSV under `first_line`, if that is a header.
    pub header: Option<Csv>,
    /// The last title.
    pub title: Option<&'a [u8]>,
}

impl<'a> Opening<'a> {
    /// Where the records of an input that begins with `head` begin; `column` is the name of the puzzles' column, if
    /// that is given.
    pub fn find(head: &'a [u8], column: Option<&str>) -> Self {
        let mut opening = Self::default();
        let mut first_title = None;
        let mut has_markers = false;
        for line in lines_with_breaks(head) {
            let rest = &head[opening.bytes_before..];
            if is_number(line, &rest[line.len()..]) || is_above_grid(line, rest) {
                opening.title = Some(without_break(line));
                opening.bytes_before += line.len();
                continue;
            }
            opening.header = Csv::of(without_break(line), column);
            if opening.header.is_some() || is_record(line) {
                opening.first_line = line;
                break;
            }
            if !is_comment_or_marker(line) {
                first_title.get_or_insert((opening.bytes_before, line));
            }
            has_markers |= line.starts_with(b"!");
            // The title may be written as a comment.
            if is_title(line) {
                opening.title = Some(without_break(line));
            }
            opening.bytes_before += line.len();
        }
        // A text with records marked as bad is one that this program has written. It writes titles as comments, so other lines
        // that look like titles are records; and so they are where nothing else is.
        if has_markers || opening.first_line.is_empty() {
            opening.title = None;
            if let Some((bytes_before, first_line)) = first_title {
                opening = Self { bytes_before, first_line, ..Self::default() };
            }
        }
        opening
    }
}

/// Whether a short line is words above a grid: neither a puzzle itself nor the row of one, though it may be the name of a column.
fn is_above_grid(line: &[u8], text: &[u8]) -> bool {
    let trimmed = line.trim_ascii();
    let is_puzzle = |line: &[u8]| Size::ALL.iter().any(|size| size.parse(line, None).is_ok());
    let is_name = !trimmed.is_empty() && trimmed.iter().all(u8::is_ascii_alphabetic);
    let below = text[line.len()..].trim_ascii_start();
    let row = first_line(below);
    let is_above = || match is_name {
        true => !is_puzzle(row) && picture::side(below).is_some(),
        false => blocks::is_above_grid(text),
    };
    trimmed.len() < MIN_PUZZLE_LENGTH
        && !is_comment_or_marker(line)
        && !is_puzzle(trimmed)
        && is_above()
}

/// The size that a line of two equal numbers above puzzles states.
pub fn stated_size(line: &[u8]) -> Option<usize> {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    number_alone(line).filter(|_| words == 2)
}

/// Whether a line is a number, alone or twice as in `3 3`, above a row of a picture or a whole puzzle. It tells the number of puzzles,
/// of their rows, or of the rows of a box, and is no part of a puzzle.
fn is_number(line: &[u8], below: &[u8]) -> bool {
    if number_alone(line).is_none() {
        return false;
    }
    let mut rows = lines_with_breaks(below).filter(|line| !line.trim_ascii().is_empty());
    rows.next().is_some_and(|row| {
        let is_row =
            |size: &Size| rows::classify(row, size.side()).0 == PictureLine::Row(size.side());
        let is_puzzle = |size: &Size| size.parse(without_break(row), None).is_ok();
        Size::ALL.iter().any(|size| is_row(size) || is_puzzle(size))
    })
}

/// The number that a line is, alone or twice.
fn number_alone(line: &[u8]) -> Option<usize> {
    /// More digits may be a row of the smallest grid, which has four.
    const MOST_DIGITS: usize = 3;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let first = words.next().filter(|word| word.len() <= MOST_DIGITS)?;
    let is_alone = words.next().is_none_or(|word| word == first) && words.next().is_none();
    let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
    if is_alone && is_number { first.parse().ok() } else { None }
}

/// Whether a line at the head of an input that is no header may be a record.
fn is_record(line: &[u8]) -> bool {
    !is_comment_or_marker(line) && !is_title(line)
}

/// Whether a line shows nothing of the format: it is a comment, empty, or one that this program writes for a record that is no
/// puzzle.
fn is_comment_or_marker(line: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"!", b"{\"comment\":", b"{\"bad\":"];
    is_comment(line)
        || marks.iter().any(|mark| line.starts_with(mark)) && sign_of_bars(line).is_none()
}

/// A line with a piece of this many characters is no title, but a puzzle or a part of one.
const MIN_PUZZLE_LENGTH: usize = 40;

/// Whether a line may be the title of a collection: it has words, but no piece as long as a puzzle.
fn is_title(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let mut words = line.split(|byte| !byte.is_ascii_alphabetic());
    let mut pieces = line.split(u8::is_ascii_whitespace);
    words.any(is_word)
        && pieces.all(|piece| piece.len() < MIN_PUZZLE_LENGTH)
        && !matches!(line.first(), Some(b'{' | b'['))
        && Size::ALL.iter().all(|size| size.parse(line, None).is_err())
}

/// Whether some letters are a word, not blanks of a grid.
fn is_word(letters: &[u8]) -> bool {
    letters.len() >= 3 && letters.iter().any(|byte| !b"xX".contains(byte))
}

/// How well each format fits the head of an input, from 0 to 1000, the best first. Each score is the share of lines that the format
/// explains, comments and empty lines apart; of equal scores, the first in the order of this list is taken.
pub fn scores(head: &[u8], opening: &Opening, size: Option<Size>) -> Vec<(Format, usize)> {
    let records = &head[opening.bytes_before..];
    let records = match records.get(..SCORED_BYTES) {
        Some(cut) => cut.iter().rposition(|&byte| byte == b'\n').map_or(cut, |end| &cut[..=end]),
        None => records,
    };
    let is_object = opening.first_line.trim_ascii().first() == Some(&b'{');
    let sure = |is_sure: bool| if is_sure { 1000 } else { 0 };
    let per_mille = |(found, all): (usize, usize)| 1000 * found / all.max(1);
    let is_document = Document::of(head).is_some();
    let is_jsonl = is_object && !is_document;
    let is_table = is_document || is_jsonl || opening.header.is_some();
    // A row of a picture is shorter than a puzzle of 81 cells.
    let may_be_row = |line| !is_comment_or_marker(line) && parse_line(without_break(line)).is_err();
    let grid = || {
        let found = size.map(Size::side).or_else(|| picture::side(records));
        let side = found.unwrap_or(Size::Nine.side());
        per_mille(picture::share(records, side))
    };
    let has_rows = !is_table && lines_with_breaks(records).any(may_be_row);
    let mut scores = vec![
        (Format::Document, sure(is_document)),
        (Format::Jsonl, sure(is_jsonl)),
        (Format::Csv, sure(opening.header.is_some() && !is_document && !is_jsonl)),
        // Lines are what is left: a file of which no line is any puzzle is reported line by line.
        (Format::Lines, if is_table { 0 } else { per_mille(puzzle_lines(records)).max(1) }),
        (Format::Grid, if has_rows { grid() } else { 0 }),
    ];
    scores.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
    scores
}

/// How many of the lines of `text` hold a puzzle of any size, and how many lines it has, without comments and empty ones.
fn puzzle_lines(text: &[u8]) -> (usize, usize) {
    let (mut found, mut all) = (0, 0);
    for line in lines_with_breaks(text).filter(|line| !is_comment_or_marker(line)) {
        let line = without_break(line);
        // Most lines are puzzles of nine rows, which are told fastest.
        let is_puzzle = parse_line(line).is_ok()
            || Size::ALL.iter().any(|size| size.parse(line, None).is_ok())
            || spelled(line).is_some();
        all += 1;
        found += usize::from(is_puzzle);
    }
    (found, all)
}

/// The side of a grid of a size that is not read here, if `line` has a character for each of its cells.
pub fn other_side(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii();
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || b"._*-?".contains(byte);
    [6, 8, 10, 12].into_iter().find(|&side| {
        line.len() == side * side && line.iter().all(is_cell) && line.iter().any(u8::is_ascii_digit)
    })
}

/// The size of the grids in an input whose first record is `record`; and how their values are written, if that record
/// decides it. `known` is the size, if the caller knows it.
pub fn size(record: &[u8], syntax: &dyn Syntax, known: Option<Size>) -> (Size, Option<Notation>) {
    for size in [Size::Four, Size::Sixteen, Size::TwentyFive] {
        if known.is_some_and(|known| known != size) {
            continue;
        }
        let mut table = Table::new(Instructions::Portable, size, None, false);
        syntax.read(record, &mut table);
        if let Some(Puzzle::Sized(grid)) = table.only_puzzle() {
            let notation = grid.notation();
            let is_decided = matches!(notation, Notation::DigitsAndLetters | Notation::FromZero);
            return (size, is_decided.then_some(notation));
        }
    }
    (known.unwrap_or(Size::Nine), None)
}
