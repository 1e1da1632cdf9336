//! Rows of the output formats.

use serde_json::{Value, json};

use super::record::{Entry, lines};
use super::{Format, csv, jsonl, picture};
use crate::sudoku::LineError;
use crate::sudoku::stream::Row;

/// One solved line: `puzzle:count:solution`, or `puzzle:count:solution:method:guesses`.
pub struct Solved<'a> {
    line: &'a [u8],
    /// The puzzle as it was given.
    pub puzzle: &'a [u8],
    /// The number of solutions in decimal.
    pub count: &'a [u8],
    /// The first solution found; empty if there is none, or if nobody asked for it.
    pub solution: &'a [u8],
    /// How it was solved: the method, and the number of guesses in decimal.
    stats: Option<[&'a [u8]; 2]>,
}

impl<'a> Solved<'a> {
    /// The parts of a line.
    pub fn new(line: &'a [u8]) -> Self {
        let mut parts = line.split(|&byte| byte == b':');
        let mut part = || parts.next().unwrap_or_default();
        let (puzzle, count, solution) = (part(), part(), part());
        let stats = parts.next().zip(parts.next()).map(|(method, guesses)| [method, guesses]);
        Self { line, puzzle, count, solution, stats }
    }

    /// What stands in all columns of a row that has no puzzle.
    fn bad(stats: bool) -> Self {
        let mark: &[u8] = b"!";
        let stats = stats.then_some([mark; 2]);
        Self { line: mark, puzzle: mark, count: mark, solution: mark, stats }
    }

    /// The columns of a row, without the puzzle.
    fn columns(&self, row: Row) -> impl Iterator<Item = &'a [u8]> {
        let found = match row {
            Row::Solution => [Some(self.count), Some(self.solution)],
            Row::SolutionOnly => [None, Some(self.solution)],
            Row::Count => [Some(self.count), None],
        };
        found.into_iter().flatten().chain(self.stats.into_iter().flatten())
    }

    fn members(&self, row: Row) -> Vec<(&'static str, Value)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let number = |bytes: &[u8]| text(bytes).parse::<u64>().map_or(Value::Null, Value::from);
        let count = ("count", number(self.count));
        let found = match self.solution {
            b"" => Value::Null,
            solution => json!(text(solution)),
        };
        let mut members = match row {
            Row::Solution => vec![count, ("found", found)],
            Row::SolutionOnly => vec![("found", found)],
            Row::Count => vec![count],
        };
        if let Some([method, guesses]) = self.stats {
            members.extend([("method", json!(text(method))), ("guesses", number(guesses))]);
        }
        members
    }
}

/// What rows are written as, and what they came from.
pub struct Target {
    /// The format of the output.
    pub output: Format,
    /// The format of the input.
    pub input: Format,
    /// What separates the columns of CSV rows.
    pub delimiter: u8,
    /// What is written for a puzzle.
    pub row: Row,
    /// How puzzles were solved is written as well.
    pub stats: bool,
}

/// Writes the row of a puzzle.
pub fn write(target: &Target, entry: &Entry, answer: &Solved, out: &mut Vec<u8>) {
    let Target { output, input, delimiter, row, .. } = *target;
    match output {
        Format::Lines if row == Row::Solution => {
            out.extend_from_slice(answer.line);
            out.push(b'\n');
        }
        Format::Lines => {
            let puzzle = (row != Row::SolutionOnly).then_some(answer.puzzle);
            let columns: Vec<&[u8]> = puzzle.into_iter().chain(answer.columns(row)).collect();
            out.extend_from_slice(&columns.join(&b':'));
            out.push(b'\n');
        }
        Format::Csv => {
            let kept = if input == Format::Csv { entry.source } else { answer.puzzle };
            out.extend_from_slice(kept);
            append(delimiter, answer, row, out);
        }
        Format::Jsonl => {
            let members = answer.members(row);
            if input == Format::Jsonl {
                jsonl::add_members(entry.source, &members, out);
            } else {
                jsonl::add_members(&jsonl::puzzle_object(answer.puzzle), &members, out);
            }
            out.push(b'\n');
        }
        Format::Sdk | Format::Grid => {
            if row != Row::SolutionOnly {
                out.extend_from_slice(b"#C solutions: ");
                out.extend_from_slice(answer.count);
                out.push(b'\n');
            }
            if let Some([method, guesses]) = answer.stats {
                out.extend_from_slice(&[b"#C method: ", method, b", guesses: ", guesses].concat());
                out.push(b'\n');
            }
            let shown = match (row, answer.solution) {
                (Row::Count, _) | (_, b"") => answer.puzzle,
                (_, solution) => solution,
            };
            picture::draw(shown, output == Format::Grid, out);
            out.push(b'\n');
        }
    }
}

fn append(delimiter: u8, answer: &Solved, row: Row, out: &mut Vec<u8>) {
    for column in answer.columns(row) {
        out.push(delimiter);
        out.extend_from_slice(column);
    }
    out.push(b'\n');
}

/// Writes a record that is no puzzle, so that nothing is lost: marked with `!`.
pub fn write_bad(target: &Target, entry: &Entry, error: &LineError, out: &mut Vec<u8>) {
    let Target { output, input, delimiter, row, stats } = *target;
    match output {
        Format::Csv => {
            if input == Format::Csv && *error != LineError::OpenQuote {
                out.extend_from_slice(entry.source);
            } else {
                csv::quote(entry.source, out);
            }
            append(delimiter, &Solved::bad(stats), row, out);
        }
        Format::Jsonl => {
            out.extend_from_slice(&jsonl::bad_object(entry.source, error));
            out.push(b'\n');
        }
        Format::Lines | Format::Sdk | Format::Grid => {
            for line in lines(entry.source) {
                out.push(b'!');
                out.extend_from_slice(line);
                out.push(b'\n');
            }
        }
    }
}

/// Writes a comment or an empty line where the output has a place for it.
pub fn keep(output: Format, entry: &Entry, out: &mut Vec<u8>) {
    if output == Format::Lines || (!entry.source.is_empty() && entry.source[0] == b'#') {
        out.extend_from_slice(entry.source);
        out.push(b'\n');
    }
}
