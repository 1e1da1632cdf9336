//! Files of boards, solved on every core in constant memory, with rows in the order of the input.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use crate::batch::Limits;
use crate::board::Board;
use crate::format::{ReadError, Record, Records, columns, line};
use crate::solve::{Answer, solve_all};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::named::named;
use tallyboard_search::{Error, Stop, ordered};

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
    /// The number of threads; 0 for one on each core.
    pub threads: usize,
}

/// How many boards have which number of solutions.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Boards without a solution.
    pub none: u64,
    /// Boards with exactly one.
    pub one: u64,
    /// Boards with several.
    pub several: u64,
    /// Boards that were given up.
    pub given_up: u64,
    /// Boards with a region in several parts.
    pub cut: u64,
    /// The line of the first of these boards.
    pub first_cut: Option<usize>,
    /// Boards with more than one star in each row.
    pub of_more_stars: u64,
}

/// Why not all boards were solved. The rows of those before were written.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A board could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A row could not be written.
    #[error("cannot write the rows")]
    Write(#[source] io::Error),
    /// The search failed.
    #[error(transparent)]
    Search(#[from] tallyboard_search::Error),
}

/// The header of rows in this format.
pub fn header(format: RowFormat) -> &'static str {
    if format == RowFormat::Csv {
        "board,stars,solutions,guesses,region_sizes,solution\n"
    } else {
        ""
    }
}

/// Solves the boards of `records` and writes a row for each.
///
/// # Errors
/// [`StreamError`] at the first board that cannot be read, or row that cannot be written.
pub fn solve_stream(
    records: &mut Records<Box<dyn BufRead + Send>>,
    output: &mut (dyn Write + Send),
    settings: StreamSettings,
    stop: &Stop,
) -> Result<Summary, StreamError> {
    output.write_all(header(settings.format).as_bytes()).map_err(StreamError::Write)?;
    let mut summary = Summary::default();
    let items = std::iter::from_fn(|| {
        let chunk: Vec<_> = records.by_ref().take(CHUNK).collect();
        (!chunk.is_empty()).then_some(chunk)
    });
    let failed = ordered(
        items,
        settings.threads,
        stop,
        || (),
        |(), chunk, parts| {
            let _ = parts.push(solve_chunk(chunk, settings, stop)?);
            Ok(())
        },
        |(rows, found, mistake)| {
            summary.add(found);
            if let Err(error) = output.write_all(rows.as_bytes()) {
                return ControlFlow::Break(StreamError::Write(error));
            }
            mistake.map_or(ControlFlow::Continue(()), |error| ControlFlow::Break(error.into()))
        },
    )?;
    failed.map_or(Ok(summary), Err)
}

impl Summary {
    fn add(&mut self, other: Self) {
        self.none += other.none;
        self.one += other.one;
        self.several += other.several;
        self.given_up += other.given_up;
        self.cut += other.cut;
        self.first_cut = self.first_cut.or(other.first_cut);
        self.of_more_stars += other.of_more_stars;
    }
}

/// The rows of a chunk up to its first mistake, what was found, and that mistake.
fn solve_chunk(
    chunk: Vec<Result<Record, ReadError>>,
    settings: StreamSettings,
    stop: &Stop,
) -> Result<(String, Summary, Option<ReadError>), tallyboard_search::Stopped> {
    let mut boards = Vec::with_capacity(chunk.len());
    let mut summary = Summary::default();
    let mut mistake = None;
    for record in chunk {
        match record {
            Ok(Record { board, line, .. }) => {
                if !board.cut_regions().is_empty() {
                    summary.cut += 1;
                    summary.first_cut = summary.first_cut.or(Some(line));
                }
                summary.of_more_stars += u64::from(board.stars() > 1);
                boards.push(board);
            }
            Err(error) => {
                mistake = Some(error);
                break;
            }
        }
    }
    let answers = solve_all(&boards, settings.limits, settings.instructions, stop)?;
    let mut rows = String::with_capacity(boards.len() * 128);
    for (board, answer) in boards.iter().zip(&answers) {
        match answer.count {
            _ if answer.is_given_up => summary.given_up += 1,
            0 => summary.none += 1,
            1 => summary.one += 1,
            _ => summary.several += 1,
        }
        write_row(&mut rows, board, answer, settings.format);
    }
    Ok((rows, summary, mistake))
}

/// Appends the row of a board.
fn write_row(rows: &mut String, board: &Board, answer: &Answer, format: RowFormat) {
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
