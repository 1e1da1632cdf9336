//! One record a line: comments, empty lines, and puzzles with any text after a separator.

use std::ops::Range;

use super::codec::{Shape, Template};
use super::syntax::{Style, Syntax, find_columns};
use super::table::{Record, Table};
use super::text::{is_between, line_end, lines};
use crate::columns::RecordPart;
use crate::sized::Size;
use crate::{CELLS, LineError, parse_line};

/// Puzzle lines.
#[derive(Debug)]
pub struct Lines;

impl Syntax for Lines {
    fn record(&self, text: &[u8], source: Range<usize>, next: usize, table: &mut Table) -> usize {
        let line = &text[source.clone()];
        if is_between(line) {
            table.keep(source);
        } else {
            table.puzzle(source, 1, line, stated(line, table.size()));
        }
        next
    }

    /// Tries to read a run at each record, because lines are the format of the largest files.
    fn read(&self, text: &[u8], table: &mut Table) {
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let (length, line) = line_end(rest);
            if line >= CELLS && length > CELLS {
                let first = &rest[..length];
                let end = table
                    .run(text, start, Shape { length, at: 0 }, |line| same_layout(first, line));
                if end > start {
                    start = end;
                    continue;
                }
            }
            start = self.record(text, start..start + line, start + length, table);
        }
    }

    /// `puzzle:0:`, this program's row for a puzzle without a solution, states that there is none.
    fn states_solutions(&self, first: &[u8], size: Size) -> bool {
        let is_without = || first.split(|&byte| byte == b':').nth(1) == Some(b"0");
        let is_puzzle = || match size {
            Size::Nine => parse_line(first).is_ok(),
            size => size.parse(first, None).is_ok(),
        };
        !stated(first, size).is_empty() || is_without() || !is_puzzle()
    }

    fn places(&self, source: &[u8]) -> [Option<Range<usize>>; 2] {
        let stated = stated(source, Size::Nine);
        let at = (stated.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
        let solution = (!stated.is_empty()).then(|| at..at + stated.len());
        let puzzle = match parse_line(source) {
            Ok(_) => CELLS,
            // Cells with spaces or commas between them end before another separator.
            Err(_) => {
                let is_end = |byte: &u8| b";:#".contains(byte);
                let end = source.iter().position(is_end).unwrap_or(source.len());
                source[..end].trim_ascii_end().len()
            }
        };
        [Some(0..puzzle), solution]
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

    fn write(&self, record: &Record, Style { row, from }: Style, out: &mut Vec<u8>) {
        match (row.kept, from) {
            (RecordPart::Nothing, _) => {}
            (RecordPart::Puzzle, _) => out.extend_from_slice(record.puzzle),
            (RecordPart::Record, None) => out.extend_from_slice(record.source),
            (RecordPart::Record, Some(from)) => {
                out.extend_from_slice(record.puzzle);
                let columns = from.columns(record);
                let names = columns.iter().map(|(name, _)| &**name);
                let solution = find_columns(names, None).and_then(|(_, solution)| solution);
                let solution = solution.map_or(&[][..], |at| &columns[at].1);
                if !solution.is_empty() {
                    out.push(b':');
                    out.extend_from_slice(solution);
                }
            }
        }
        let mut is_first = row.kept == RecordPart::Nothing;
        record.for_each(row, |_, cell| {
            if !std::mem::take(&mut is_first) {
                out.push(b':');
            }
            cell.write(out);
        });
        out.push(b'\n');
    }

    fn keep(&self, line: &[u8], out: &mut Vec<u8>) {
        // Headers of other formats would be read as puzzles.
        if !is_between(line) {
            out.extend_from_slice(b"# ");
        }
        out.extend_from_slice(line);
        out.push(b'\n');
    }

    fn bad(&self, source: &[u8], _: &LineError, _: Style, out: &mut Vec<u8>) {
        mark_lines(source, out);
    }
}

/// Whether `line`, which is as long as the line `first` and begins with plain cells, is a puzzle line: a separator
/// or the end of the line follows the cells, and its only line break is at its end.
#[inline(always)]
fn same_layout(first: &[u8], line: &[u8]) -> bool {
    let (first, line) = (&first[CELLS..], &line[CELLS..]);
    let both = 0..first.len().min(line.len());
    let breaks = |same, i: usize| same & ((first[i] == b'\n') == (line[i] == b'\n'));
    match line {
        b"\n" | b"\r\n" => true,
        [b' ' | b'\t' | b',' | b';' | b':' | b'#', ..] => both.fold(true, breaks),
        _ => false,
    }
}

/// The solution that a line states: the first column after the puzzle that has a digit or letter for each cell, as
/// in `puzzle,solution` and in `puzzle:count:solution`, or else a number for each cell.
fn stated(line: &[u8], size: Size) -> &[u8] {
    let cells = size.cells();
    let mut words = line.split(|byte| b" \t,;:#".contains(byte)).skip(1);
    let mut columns = line.split(|byte| b";:#".contains(byte)).skip(1);
    let is_number = |word: &&[u8]| !word.is_empty();
    words
        .find(|word| word.len() == cells && word.iter().all(u8::is_ascii_alphanumeric))
        .or_else(|| {
            columns.find(|column| {
                column.split(|byte| b" \t,".contains(byte)).filter(is_number).count() == cells
            })
        })
        .unwrap_or_default()
}

/// Writes text that is no puzzle, each line marked with `!`, so that nothing is lost.
pub fn mark_lines(source: &[u8], out: &mut Vec<u8>) {
    for line in lines(source) {
        out.push(b'!');
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}
