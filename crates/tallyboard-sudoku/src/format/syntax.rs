//! What a format does: split records off a text, read them, write rows.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::table::{Record, Table};
use super::text::{is_comment, lines, place_of, without_break};
use crate::codec::{Shape, Template};
use crate::columns::{Row, Value};
use crate::sized::Size;
use crate::{CELLS, LineError};
use memchr::{memchr, memrchr};

/// Whether more text of an input may follow the text at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Continues,
    HasEnded,
}

/// A format: how text is split into records, and how records are written.
pub trait Syntax: fmt::Debug + Send + Sync {
    /// Whether a record of `text` may have several lines.
    fn is_multi_line(&self, _text: &[u8]) -> bool {
        false
    }

    /// The length of the first record of `text`, its line break included; `None` if later text may belong to it.
    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let line = memchr(b'\n', text).map(|end| end + 1);
        line.or((input == Input::HasEnded).then_some(text.len()))
    }

    /// Where the last whole record of `text` ends.
    fn last_end(&self, text: &[u8]) -> usize {
        if !self.is_multi_line(text) {
            return memrchr(b'\n', text).map_or(0, |end| end + 1);
        }
        let mut end = 0;
        while let Some(length) = self.first_record_length(&text[end..], Input::Continues) {
            end += length;
        }
        end
    }

    /// Reads a chunk of whole records into `table`.
    fn read(&self, text: &[u8], table: &mut Table) {
        let mut start = 0;
        while start < text.len() {
            let length = self.first_record_length(&text[start..], Input::HasEnded);
            let end = start + length.expect("no later text");
            start = self.read_record(text, start..end, table);
        }
    }

    /// Reads into `table` the record at `place`, its line break included. If records of the same layout follow, it reads them
    /// as a run. Returns where the last record read ends.
    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize;

    /// Whether `line` is no record: it is empty or a comment.
    fn is_comment(&self, line: &[u8]) -> bool {
        is_comment(line)
    }

    /// Whether records of `size` state solutions, as far as the header or the first record tells, `first`. If that cannot be read,
    /// true: it is reported where it stands.
    fn states_solutions(&self, _first: &[u8], _size: Size) -> bool {
        false
    }

    /// The names of the columns that the header or the first record has; none where records are puzzles alone.
    fn column_names(&self) -> &[String] {
        &[]
    }

    /// The columns of a record that was read, in their order; the puzzle alone if the format has no others.
    fn fields<'a>(&self, record: &Record<'a>) -> Vec<Field<'a>> {
        vec![(PUZZLE_NAMES[0].into(), record.puzzle.into())]
    }

    /// Where the cells of the puzzle and of its stated solution are in the record `source`, a character a cell: an image of the
    /// puzzle is written over them. `None` for formats that draw a grid over several lines.
    fn cell_places(&self, _source: &[u8]) -> [Option<Range<usize>>; 2] {
        [None, None]
    }

    /// What is written before the first row.
    fn header(&self, _style: Style) -> Vec<u8> {
        Vec::new()
    }

    /// The template of the rows of a run whose first record is `first` and has its puzzle at `at`;
    /// `None` if rows are written one by one.
    fn template(&self, _first: &[u8], _at: usize, _style: Style) -> Option<Template> {
        None
    }

    /// Writes the row of a puzzle.
    fn write(&self, record: &Record, style: Style, out: &mut Vec<u8>);

    /// Writes a comment, if the format has a place for it. An empty line is left out.
    fn write_comment(&self, line: &[u8], out: &mut Vec<u8>) {
        if !line.trim_ascii().is_empty() {
            write_comment(line, !is_comment(line), out);
        }
    }

    /// Writes a record that is no puzzle, each line marked with `!`, so that nothing is lost.
    fn write_bad(&self, source: &[u8], _error: &LineError, _style: Style, out: &mut Vec<u8>) {
        for line in lines(source) {
            out.push(b'!');
            out.extend_from_slice(line);
            out.push(b'\n');
        }
    }
}

/// The name and the text of a column of a record.
pub type Field<'a> = (Cow<'a, str>, Cow<'a, [u8]>);

/// How rows are written.
#[derive(Debug, Clone, Copy)]
pub struct Style<'a> {
    pub row: Row<'a>,
    /// `None` if the rows are in the format of the input, and so repeat the text of their records; else the input's syntax.
    pub foreign_input: Option<&'a dyn Syntax>,
}

impl Style<'_> {
    /// The rows that vectors can write are a solution, or a count and a solution. For these: whether there is a count, and the
    /// name of the column of solutions. `None` for all other rows, also if the count has another name than templates have.
    pub fn count_and_solution(self) -> Option<(bool, &'static str)> {
        match *self.row.columns {
            [count, found] if [count.value, found.value] == [Value::Count, Value::Solution] => {
                (count.name == Value::Count.name()).then_some((true, found.name))
            }
            [found] if found.value == Value::Solution => Some((false, found.name)),
            _ => None,
        }
    }
}

/// Names of columns that hold puzzles, and of columns that state solutions. Of several, the first in these lists is
/// taken. This program writes `puzzle` and `found`.
pub const PUZZLE_NAMES: [&str; 8] =
    ["puzzle", "puzzles", "quiz", "quizzes", "sudoku", "sudokus", "question", "questions"];
const SOLUTION_NAMES: [&str; 5] = ["solution", "solutions", "answer", "answers", "found"];

/// The positions of puzzles and solutions among columns called `names`; `wanted` is the name that
/// the caller gives for the puzzles.
pub fn find_columns<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    wanted: Option<&str>,
) -> Option<(usize, Option<usize>)> {
    let puzzle = match wanted {
        Some(name) => position(names.clone(), name.trim_ascii())?,
        None => PUZZLE_NAMES.into_iter().find_map(|name| position(names.clone(), name))?,
    };
    let mut solutions = SOLUTION_NAMES.into_iter().filter_map(|name| position(names.clone(), name));
    Some((puzzle, solutions.find(|&at| at != puzzle)))
}

/// The position of the column called `wanted`.
fn position<'a>(mut names: impl Iterator<Item = &'a str>, wanted: &str) -> Option<usize> {
    names.position(|name| name.trim_ascii().eq_ignore_ascii_case(wanted))
}

// Lines of text in any format.

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

/// Writes a line that is no record. It becomes a comment if it would be read as a record otherwise.
pub fn write_comment(line: &[u8], is_record: bool, out: &mut Vec<u8>) {
    if is_record {
        out.extend_from_slice(b"# ");
    }
    out.extend_from_slice(line);
    out.push(b'\n');
}
