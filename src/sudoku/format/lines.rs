//! One record a line: comments, empty lines, and puzzles with anything behind a separator.

use super::table::{Record, Table};
use super::{Row, Shown, Syntax, is_between, last_line, line_end, write_count};
use crate::sudoku::{CELLS, LineError};

/// Puzzle lines.
#[derive(Debug)]
pub struct Lines;

impl Syntax for Lines {
    fn cut(&self, text: &[u8]) -> usize {
        last_line(text)
    }

    fn read(&self, text: &[u8], table: &mut Table) {
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            if table.is_nine() && !table.check {
                let run = table.run(start, rest);
                if run > 0 {
                    start += run;
                    continue;
                }
            }
            let (length, line) = line_end(rest);
            let source = start..start + line;
            let line = &rest[..line];
            if is_between(line) {
                table.keep(source);
            } else {
                table.puzzle(source, 1, line, stated(line));
            }
            start += length;
        }
    }

    fn record(&self, _: &[u8], _: std::ops::Range<usize>, _: &mut Table) {
        unreachable!("a block is read at once")
    }

    fn states_solutions(&self, first: &[u8]) -> bool {
        !stated(first).is_empty()
    }

    fn write(&self, record: &Record, row: Row, _: bool, out: &mut Vec<u8>) {
        if row != Row::SolutionOnly {
            out.extend_from_slice(record.puzzle);
            out.push(b':');
            write_count(record.count, out);
        }
        if row == Row::Solution {
            out.push(b':');
        }
        if row != Row::Count {
            out.extend_from_slice(record.solution.unwrap_or_default());
        }
        if let Some(method) = record.method {
            out.extend_from_slice(format!(":{}:{}", method.means, method.guesses).as_bytes());
        }
        out.push(b'\n');
    }

    fn keep(&self, line: &[u8], out: &mut Vec<u8>) {
        // The heads of other formats would be read as puzzles.
        if !is_between(line) {
            out.extend_from_slice(b"# ");
        }
        out.extend_from_slice(line);
        out.push(b'\n');
    }

    fn bad(&self, source: &[u8], _: bool, _: &LineError, _: Shown, out: &mut Vec<u8>) {
        mark_lines(source, out);
    }
}

/// The solution that a line states: the first column of 81 digits behind the puzzle, as in
/// `puzzle,solution` and in `puzzle:count:solution`.
fn stated(line: &[u8]) -> &[u8] {
    let behind = line.get(CELLS..).unwrap_or_default();
    behind
        .split(|byte| b" \t,;:#".contains(byte))
        .find(|word| word.len() == CELLS && word.iter().all(u8::is_ascii_digit))
        .unwrap_or_default()
}

/// Writes text that is no puzzle, so that nothing is lost: its lines marked with `!`.
pub fn mark_lines(source: &[u8], out: &mut Vec<u8>) {
    for line in super::lines(source) {
        out.push(b'!');
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}
