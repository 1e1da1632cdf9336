//! Files of boards, solved on every core in constant memory, with rows in the order of the input.

use std::io::{BufRead, Write};
use std::sync::Mutex;

use crate::batch::Limits;
use crate::board::Board;
use crate::format::{ReadError, Record, Records, columns, line};
use crate::solve::{Answer, solve_all};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::named::named;
use tallyboard_search::records::{
    self, BadRecord, Outcome, RecordsError, Rows, Settings, Summary, Taken, solve_records,
};
use tallyboard_search::{Error, Stop};

/// The boards that a worker takes at a time. They fill the lanes many times over.
const CHUNK: usize = 1_024;

/// A way to write answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// The board, the number of solutions and the first one, apart by tabs.
    Lines,
    /// The same and more columns, under a header.
    Csv,
    /// A JSON object a line.
    Jsonl,
}

named! {
    /// Every format of answers.
    RowFormat { Lines = "lines", Csv = "csv", Jsonl = "jsonl" }
}

/// How boards are solved.
#[derive(Debug, Clone, Copy)]
pub struct StreamSettings {
    /// How far each board is searched.
    pub limits: Limits,
    /// How answers are written.
    pub format: RowFormat,
    /// The instructions to solve with.
    pub instructions: Instructions,
    /// End at the first record that is no board.
    pub strict: bool,
    /// The number of threads; 0 for one on each core.
    pub threads: usize,
}

/// What may have been meant otherwise in the boards of a file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Oddities {
    /// Boards with a region in several parts.
    pub cut: u64,
    /// The line of the first of these boards, and a cell, by row and column from 0, that is apart from the rest of its region.
    pub first_cut: Option<(u64, (usize, usize))>,
    /// Boards with more than one star in each row.
    pub of_more_stars: u64,
}

/// The names of the columns of CSV.
const COLUMNS: [&str; 6] = ["board", "stars", "solutions", "guesses", "region_sizes", "solution"];

impl RowFormat {
    /// The header of rows in this format.
    pub fn header(self) -> String {
        if self == Self::Csv { COLUMNS.join(",") + "\n" } else { String::new() }
    }

    /// How a record that is no board is marked.
    fn mark(self) -> fn(&BadRecord, &mut Vec<u8>) {
        match self {
            Self::Lines => BadRecord::mark_lines,
            Self::Csv => |bad, row| bad.mark_csv(COLUMNS.len(), row),
            Self::Jsonl => BadRecord::mark_json,
        }
    }
}

/// Solves the boards of `input`, with this many stars in each row unless they say themselves, and writes a row for each.
///
/// # Errors
/// [`RecordsError`] if not all of `input` was solved.
pub fn solve_stream(
    input: Box<dyn BufRead + Send + '_>,
    stars: Option<usize>,
    output: &mut (dyn Write + Send),
    settings: StreamSettings,
    stop: &Stop,
    report: &mut (dyn FnMut(&BadRecord) + Send),
) -> Result<(Summary, Oddities), RecordsError> {
    let oddities = Mutex::new(Oddities::default());
    let StreamSettings { strict, threads, format, .. } = settings;
    let summary = solve_records(
        records_of(input, stars),
        &|record| record.map(|Record { board, .. }| board),
        Settings { together: CHUNK, mark: format.mark(), strict, threads, stop },
        &|| {
            Box::new(|lines, boards, rows| {
                let answers = solve_all(boards, settings.limits, settings.instructions, stop)?;
                for (board, answer) in boards.iter().zip(&answers) {
                    write_row(rows, board, answer, format);
                }
                oddities.lock().expect("nobody panics holding it").add(lines, boards);
                Ok(())
            })
        },
        output,
        report,
    )?;
    Ok((summary, oddities.into_inner().expect("nobody panics holding it")))
}

/// The boards of `input`, with this many stars in each row unless they say themselves.
pub fn records_of<'a>(
    input: Box<dyn BufRead + Send + 'a>,
    stars: Option<usize>,
) -> Taken<'a, records::Record<Record>> {
    Box::new(Records::new(input, stars).map(|record| match record {
        Err(ReadError::Io(error)) => Err(error),
        Err(ReadError::Mistake { line, mistake, text }) => {
            let text = text.into_bytes();
            Ok(records::Record::Bad(BadRecord { line: line as u64, mistake, text }))
        }
        Ok(record) => Ok(records::Record::Puzzle(record.line as u64, record)),
    }))
}

impl Oddities {
    /// Adds those of other boards of the same file, which begin in these lines.
    fn add(&mut self, lines: &[u64], boards: &[Board]) {
        let cut = lines.iter().zip(boards).filter(|(_, board)| !board.cut_regions().is_empty());
        for (&line, board) in cut {
            self.cut += 1;
            if self.first_cut.is_none_or(|(first, _)| line < first) {
                self.first_cut = board.odd_cells().first().map(|&(_, cell)| (line, cell));
            }
        }
        let of_more_stars = boards.iter().filter(|board| board.stars() > 1).count();
        self.of_more_stars += of_more_stars as u64;
    }
}

/// Appends the row of a board.
fn write_row(rows: &mut Rows, board: &Board, answer: &Answer, format: RowFormat) {
    let rows = rows.next(match answer.count {
        _ if answer.is_given_up => Outcome::GivenUp,
        count => Outcome::of_count(count),
    });
    let first = answer.solutions().next();
    if let Some(stars) = first {
        let checked = Error::ensure_right(board.is_solved_by(stars), || columns(stars));
        checked.unwrap_or_else(|error| error.raise());
    }
    let (cells, stars, guesses) = (line(board), board.stars(), answer.guesses);
    // A board that was given up has no number of solutions.
    let count = if answer.is_given_up { None } else { Some(answer.count) };
    let count_or = |unknown: &str| count.map_or(unknown.to_owned(), |count| count.to_string());
    let solution = first.map_or(String::new(), columns);
    let sizes = |separator: &str| {
        let sizes = board.region_sizes();
        sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(separator)
    };
    // Writing to a text never fails.
    let _ = match format {
        RowFormat::Lines => writeln!(rows, "{cells}\t{}\t{solution}", count_or("?")),
        RowFormat::Csv => {
            let (count, sizes) = (count_or(""), sizes(" "));
            writeln!(rows, "{cells},{stars},{count},{guesses},{sizes},{solution}")
        }
        RowFormat::Jsonl => {
            let queens = first.map_or("null".to_owned(), places);
            writeln!(
                rows,
                "{{\"regions\":\"{cells}\",\"stars\":{stars},\"solutions\":{},\"guesses\":{guesses},\
                 \"region_sizes\":[{}],\"solution\":{queens}}}",
                count_or("null"),
                sizes(",")
            )
        }
    };
}

/// The stars of a solution as JSON: pairs of row and column from 0.
pub fn places(stars: &[u32]) -> String {
    let mut pairs = Vec::new();
    for (row, &cells) in stars.iter().enumerate() {
        let own = (0..32).filter(|column| cells >> column & 1 == 1);
        pairs.extend(own.map(|column| format!("[{row},{column}]")));
    }
    format!("[{}]", pairs.join(","))
}
