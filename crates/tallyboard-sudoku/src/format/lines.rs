//! One record a line: comments, empty lines, and puzzles with any text after a separator.

use std::ops::Range;

use super::cells::{Spelled, spelled};
use super::syntax::{Style, Syntax, find_columns, line_lengths, record_at, write_comment};
use super::table::{Record, Table};
use super::text::{is_comment, place_of};
use crate::codec::{Shape, Template};
use crate::columns::RecordPart;
use crate::sized::Size;
use crate::{CELLS, parse_line};

/// Puzzle lines.
#[derive(Debug)]
pub struct Lines;

impl Syntax for Lines {
    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        let (line, source) = record_at(text, place);
        if is_comment(line) {
            table.add_comment(source);
        } else {
            let stated = stated_by(line, table.size());
            table.add_puzzle(source, 1, line, stated);
        }
        next
    }

    /// Tries to read a run at each record, because lines are the format of the largest files.
    fn read(&self, text: &[u8], table: &mut Table) {
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let (length, line) = line_lengths(rest);
            if line >= CELLS && length > CELLS {
                let first = &rest[..length];
                let shape = Shape { length, at: 0 };
                let end = table.add_run(text, start, shape, |line| same_layout(first, line));
                if end > start {
                    start = end;
                    continue;
                }
            }
            start = self.read_record(text, start..start + length, table);
        }
    }

    /// `puzzle:0:`, this program's row for a puzzle without a solution, states that there is none.
    fn states_solutions(&self, first: &[u8], size: Size) -> bool {
        let is_puzzle = match size {
            Size::Nine => parse_line(first).is_ok(),
            size => size.parse(first, None).is_ok(),
        };
        let states_none = first.split(|&byte| byte == b':').nth(1) == Some(b"0");
        !is_puzzle || states_none || !stated_solution(first, size).is_empty()
    }

    fn cell_places(&self, source: &[u8]) -> [Option<Range<usize>>; 2] {
        let stated = stated_by(source, Size::Nine);
        let solution = if stated.is_empty() { None } else { place_of(stated, source) };
        if parse_line(source).is_ok() {
            return [Some(0..CELLS), solution];
        }
        if other_spelling(source).is_some() {
            return [Some(0..source.len()), None];
        }
        // Cells with spaces or commas between them end before another separator.
        let end = source.iter().position(|byte| b";:#".contains(byte)).unwrap_or(source.len());
        [Some(0..source[..end].trim_ascii_end().len()), solution]
    }

    fn template(&self, _: &[u8], at: usize, style: Style) -> Option<Template> {
        let (has_count, _) = style.count_and_solution()?;
        let copied = at..at + CELLS;
        match (style.row.kept, has_count) {
            (RecordPart::Puzzle, true) => Some(Template::new(b"", copied, b":?:", b"\n")),
            (RecordPart::Puzzle, false) => Some(Template::new(b"", copied, b":", b"\n")),
            (RecordPart::Nothing, false) => Some(Template::new(b"", 0..0, b"", b"\n")),
            _ => None,
        }
    }

    fn write(&self, record: &Record, Style { row, foreign_input }: Style, out: &mut Vec<u8>) {
        match (row.kept, foreign_input) {
            (RecordPart::Nothing, _) => {}
            (RecordPart::Puzzle, _) => out.extend_from_slice(record.puzzle),
            (RecordPart::Record, None) => out.extend_from_slice(record.source),
            (RecordPart::Record, Some(input)) => write_puzzle_and_solution(record, input, out),
        }
        let mut is_first = row.kept == RecordPart::Nothing;
        record.for_each(row, |_, content| {
            if !std::mem::take(&mut is_first) {
                out.push(b':');
            }
            content.write(out);
        });
        out.push(b'\n');
    }

    /// Keeps empty lines, too. Headers of other formats would be read as puzzles.
    fn write_comment(&self, line: &[u8], out: &mut Vec<u8>) {
        write_comment(line, !is_comment(line), out);
    }
}

/// Writes what a line keeps of a `record` whose input has another format: the puzzle, and the solution that it states.
fn write_puzzle_and_solution(record: &Record, input: &dyn Syntax, out: &mut Vec<u8>) {
    out.extend_from_slice(record.puzzle);
    let fields = input.fields(record);
    let names = fields.iter().map(|(name, _)| &**name);
    if let Some((_, Some(solution))) = find_columns(names, None) {
        let stated = &fields[solution].1;
        if !stated.is_empty() {
            out.push(b':');
            out.extend_from_slice(stated);
        }
    }
}

/// Whether `line`, which is as long as the line `first` and begins with plain cells, is a puzzle line: a separator
/// or the end of the line follows the cells, and its only line break is at its end.
#[inline(always)]
fn same_layout(first: &[u8], line: &[u8]) -> bool {
    let first = &first[CELLS..];
    let line = &line[CELLS..];
    match line {
        b"\n" | b"\r\n" => true,
        [b' ' | b'\t' | b',' | b';' | b':' | b'#', ..] => {
            let length = first.len().min(line.len());
            (0..length).fold(true, |same, i| same & ((first[i] == b'\n') == (line[i] == b'\n')))
        }
        _ => false,
    }
}

/// The solution that a line states: the first column after the puzzle that has a digit or letter for each cell, as
/// in `puzzle,solution` and in `puzzle:count:solution`, or else a number for each cell.
fn stated_solution(line: &[u8], size: Size) -> &[u8] {
    let cells = size.cells();
    let mut words = line.split(|byte| b" \t,;:#".contains(byte)).skip(1);
    let mut columns = line.split(|byte| b";:#".contains(byte)).skip(1);
    let is_solution =
        |word: &&[u8]| word.len() == cells && word.iter().all(u8::is_ascii_alphanumeric);
    words
        .find(is_solution)
        .or_else(|| columns.find(|column| count_words(column) == cells))
        .unwrap_or_default()
}

/// What a line says that has neither its cells nor its separated cells first.
fn other_spelling(line: &[u8]) -> Option<Spelled> {
    let is_usual = parse_line(line).is_ok() || Size::Nine.parse(line, None).is_ok();
    if is_usual { None } else { spelled(line) }
}

/// The solution that a line states, whatever its spelling.
fn stated_by(line: &[u8], size: Size) -> &[u8] {
    match other_spelling(line) {
        Some(found) if size == Size::Nine => found.stated.map_or(&[], |place| &line[place]),
        _ => stated_solution(line, size),
    }
}

/// Whether a line has columns, apart by commas, semicolons or tabs, of which some have a grid and others none.
pub fn has_other_columns(line: &[u8]) -> bool {
    b",;\t".iter().any(|separator| {
        let is_separator = |byte: &u8| byte == separator;
        let (grids, others): (Vec<&[u8]>, Vec<&[u8]>) = line
            .split(is_separator)
            .map(<[u8]>::trim_ascii)
            .filter(|column| !column.is_empty())
            .partition(|column| parse_line(column).is_ok() && column.len() == CELLS);
        !grids.is_empty() && !others.is_empty()
    })
}

/// The number of words in a column, with spaces or commas between them.
fn count_words(column: &[u8]) -> usize {
    column.split(|byte| b" \t,".contains(byte)).filter(|word| !word.is_empty()).count()
}
