//! The puzzles of an input one after the other, for callers that do with each what they like.

use std::io::Read;

use super::chunks::{Chunk, Chunks, Pace, ReadError};
use super::{Form, StreamError, Table};
use crate::sized::Puzzle;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::idle::Idle;
use tallyboard_search::records::{BadRecord, Record, Taken};

/// The bytes of the chunks that are read: some dozen puzzles.
const CHUNK_BYTES: usize = 4096;

/// Passes the puzzles of `input`, which is in `form`, to `take`, in order and in constant memory; comments and empty lines are left
/// out. Pencil marks that exclude more than digits do are a mistake of their puzzle.
pub fn with_records<T>(
    form: &Form,
    input: &mut (dyn Read + Send),
    take: impl FnOnce(Taken<Record<Puzzle>>) -> T,
) -> T {
    let (pace, spares) = (Pace::new(Some(CHUNK_BYTES)), Idle::default());
    let mut table = form.table(Instructions::best());
    table.is_one_by_one = true;
    table.refuses_marks = true;
    let mut lines = form.lines_before();
    let chunks = Chunks::new(input, form, &pace, &spares);
    take(Box::new(chunks.flat_map(move |chunk| match chunk {
        Ok(chunk) => {
            let records = records_of(&chunk, form, &mut table, lines);
            lines += table.lines();
            records.into_iter().map(Ok).collect::<Vec<_>>()
        }
        Err(ReadError::Input(error)) => vec![Err(error)],
        Err(ReadError::Endless) => {
            vec![Err(std::io::Error::other(StreamError::LongLine(lines + 1)))]
        }
    })))
}

/// The records of a chunk that begins behind so many lines.
fn records_of(chunk: &Chunk, form: &Form, table: &mut Table, lines: u64) -> Vec<Record<Puzzle>> {
    table.clear();
    if chunk.is_too_long {
        table.add_too_long(&chunk.text);
    } else {
        form.read(&chunk.text, table);
    }
    let located = table.each(&chunk.text).map(|(line, read)| match read {
        Ok(puzzle) => Record::Puzzle(lines + line, puzzle),
        Err((text, error)) => {
            let (mistake, text) = (error.to_string(), text.to_vec());
            Record::Bad(BadRecord { line: lines + line, mistake, text })
        }
    });
    located.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{FormOptions, KINDS};
    use crate::stream::{Settings, solve_stream};
    use tallyboard_search::Stop;

    /// Each kind of file, with a record that is none in the middle: what is read is what a stream reads.
    #[test]
    fn records_are_those_of_a_stream() {
        for kind in KINDS {
            let example = kind.example.trim_end();
            let last = example.lines().last().unwrap();
            let text = match example.lines().count() {
                1 => format!("{example}\nwhat\n\n{last}\n"),
                2 => format!("{example}\nwhat\n{last}\n"),
                _ => format!("{example}\n"),
            };
            let form = Form::find(text.as_bytes(), &FormOptions::default()).expect(kind.name);
            let (mut bad, stop) = (Vec::new(), Stop::new());
            let settings = Settings { threads: 1, ..Settings::new(&stop) };
            let report = &mut |bad_line: &crate::BadLine| bad.push(bad_line.line);
            let mut rows = Vec::new();
            let summary =
                solve_stream(&form, &mut text.as_bytes(), &mut rows, &settings, report).unwrap();
            let (mut puzzles, mut found_bad) = (0, Vec::new());
            with_records(&form, &mut text.as_bytes(), |taken| {
                for record in taken {
                    match record.unwrap() {
                        Record::Puzzle(line, puzzle) => {
                            puzzles += 1;
                            assert!(line > 0 && line <= summary.lines, "{}: {line}", kind.name);
                            assert!(matches!(puzzle, Puzzle::Nine(_)), "{}", kind.name);
                        }
                        Record::Bad(bad) => found_bad.push(bad.line),
                        Record::Kept(_) => panic!("{}", kind.name),
                    }
                }
            });
            // Of pencil marks a stream finds the solution.
            assert_eq!(puzzles + found_bad.len() as u64, summary.puzzles() + summary.bad);
            assert!(bad.iter().all(|line| found_bad.contains(line)), "{}: {bad:?}", kind.name);
        }
    }

    #[test]
    fn lines_are_numbered_from_the_beginning_of_the_input() {
        let puzzle = format!("1{}", ".".repeat(80));
        let text = format!("# note\n\n{}", format!("{puzzle}\n").repeat(200) + "what\n");
        let form = Form::lines();
        let lines = with_records(&form, &mut text.as_bytes(), |taken| {
            taken
                .map(|record| match record.unwrap() {
                    Record::Puzzle(line, _) => (line, true),
                    Record::Bad(bad) => (bad.line, bad.text != b"what"),
                    Record::Kept(_) => (0, false),
                })
                .collect::<Vec<_>>()
        });
        let expected: Vec<_> = (3..203).map(|line| (line, true)).chain([(203, false)]).collect();
        assert_eq!(lines, expected);
    }
}
